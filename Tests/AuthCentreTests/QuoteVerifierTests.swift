import Accounts
import HTTP
import Persistence
import Sealed
import Streams
import Testing
import Texts

@testable import AuthCentre

/// quote credentials judged away from the accounts.
@Suite struct QuoteVerifierTests {
    let time = WallTime()
    let centre: AuthCentre
    let verifier: QuoteVerifier
    let grant: SessionGrant
    private let policy = AuthPolicy()

    init() throws {
        let time = time
        centre = try AuthCentre(
            store: try .sqlite(path: ":memory:"), cost: .least, now: { time.now }, monotonic: { time.monotonic })
        verifier = QuoteVerifier(key: centre.nodeKey, now: { time.now }, monotonic: { time.monotonic })
        let device = DeviceInfo(id: String(repeating: "a", count: 32), platform: "linux", name: "desk")
        grant = try centre.register(SignInInput(name: "mei", password: "correct horse", device: device), from: "127.0.0.1")
    }

    private func credential() throws -> String { try centre.quoteCredential(for: try centre.verify(access: grant.access).get()).value }

    @Test("A-12: a node knows the gateway's quote credentials and what is left of them, and knows them no longer at their end")
    func life() throws {
        let quote = try credential()
        #expect(verifier.verify(quoteCredential: quote) == .success(.seconds(7200)))
        time.advance(milliseconds: 7_199_000)
        #expect(verifier.verify(quoteCredential: quote) == .success(.seconds(1)))
        time.advance(milliseconds: 1_000)
        #expect(verifier.verify(quoteCredential: quote) == .failure(Failure(.authExpired)))
    }

    @Test("A-12: nothing but a quote credential of that gateway counts: no access, no refresh, none of another key, none changed")
    func others() throws {
        let other = try AuthCentre(store: try .sqlite(path: ":memory:"), cost: .least, now: { 1 }, monotonic: { .init(nanoseconds: 0) })
        let quote = try credential()
        for text in [grant.access, grant.refresh, "", "x", String(quote.dropLast()), quote + "A", "B" + quote.dropFirst()] {
            #expect(verifier.verify(quoteCredential: text) == .failure(Failure(.nodeCredential)))
        }
        let stranger = QuoteVerifier(key: other.nodeKey, now: { 1 }, monotonic: { .init(nanoseconds: 0) })
        #expect(stranger.verify(quoteCredential: quote) == .failure(Failure(.nodeCredential)))
    }

    @Test("A-12: who has a node's key makes no access credential of it")
    func theKeyIsForQuotesOnly() throws {
        let family = try #require(Base64URL.decode(grant.access)).prefix(Tokens.familyBytes)
        let forged = Tokens(key: centre.nodeKey.bytes).make(.access, family: Array(family), stamp: 1)
        #expect(centre.verify(access: forged) == .failure(Failure(.authInvalid)))
    }

    @Test("A-12: a gateway's clock may be a minute ahead, and gives no longer life by it; further ahead counts as over")
    func skew() throws {
        let time = time
        let behind = QuoteVerifier(key: centre.nodeKey, now: { time.now - QuoteVerifier.skew }, monotonic: { time.monotonic })
        #expect(try behind.verify(quoteCredential: credential()) == .success(.seconds(7200)))
        let further = QuoteVerifier(key: centre.nodeKey, now: { time.now - QuoteVerifier.skew - 1 }, monotonic: { time.monotonic })
        #expect(try further.verify(quoteCredential: credential()) == .failure(Failure(.authExpired)))
    }

    @Test("A-12: the key goes through its file unchanged; what is no such file is none")
    func file() {
        let bytes = centre.nodeKey.fileBytes
        #expect(NodeKey(fileBytes: bytes) == centre.nodeKey)
        for wrong in [[], Array(bytes.dropLast()), bytes + [10], Array(bytes.dropFirst()), [UInt8](repeating: 7, count: 32)] {
            #expect(NodeKey(fileBytes: wrong) == nil)
        }
    }
}
