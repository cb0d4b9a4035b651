import Accounts
import HTTP
import Persistence
import Sealed
import Streams
import Synchronization
import Testing
import Texts

@testable import AuthCentre

final class WallTime: Sendable {
    private let value = Mutex<Int64>(1_000_000)
    var now: Int64 { value.withLock { $0 } }
    /// The time that really goes by: `advance` moves both, `jump` the wall clock alone.
    private let passed = Mutex<Int64>(0)
    var monotonic: MonotonicInstant { MonotonicInstant(nanoseconds: passed.withLock { $0 }) }
    func advance(milliseconds: Int64) {
        value.withLock { $0 += milliseconds }
        passed.withLock { $0 += milliseconds * 1_000_000 }
    }
    func jump(milliseconds: Int64) { value.withLock { $0 += milliseconds } }
}

private let first = DeviceInfo(id: String(repeating: "a", count: 32), platform: "linux", name: "desk")
private let second = DeviceInfo(id: String(repeating: "b", count: 32), platform: "linux", name: "laptop")

@Suite struct AuthCentreTests {
    let time = WallTime()
    let store: AccountStore
    let centre: AuthCentre

    init() throws {
        let time = time
        store = try AccountStore.sqlite(path: ":memory:")
        centre = try AuthCentre(store: store, cost: .least, now: { time.now }, monotonic: { time.monotonic })
    }

    private func register(_ name: String = "mei", device: DeviceInfo = first) throws -> SessionGrant {
        try centre.register(SignInInput(name: name, password: "correct horse", device: device), from: "127.0.0.1")
    }

    private func renew(_ grant: SessionGrant, device: DeviceInfo = first) throws -> SessionGrant {
        try centre.refresh(RefreshInput(refresh: grant.refresh, deviceID: device.id))
    }

    private func code(_ body: () throws -> Void) -> ErrorCode? {
        do { try body() } catch let failure as Failure { return failure.code } catch { return nil }
        return nil
    }

    @Test("A-11: a lost answer is given again to the same device inside the grace")
    func sameSuccessor() throws {
        let grant = try register()
        time.advance(milliseconds: 1000)
        let a = try renew(grant)
        time.advance(milliseconds: 29_000)
        let b = try renew(grant)
        #expect(a.access == b.access && a.refresh == b.refresh && a.access != grant.access)
        #expect(b.expiresIn == 7200 - 29)
        let c = try renew(b)
        #expect(c.generation == 3)
        #expect(try centre.verify(access: c.access).get().accountID == grant.account)
    }

    @Test("A-11: used again later, or by another device, the whole family ends; other devices stay")
    func reuse() throws {
        let grant = try register()
        let other = try centre.signIn(SignInInput(name: "mei", password: "correct horse", device: second), from: "127.0.0.1")
        let a = try renew(grant)
        time.advance(milliseconds: 30_001)
        #expect(code { _ = try renew(grant) } == .authRefreshReused)
        #expect(code { _ = try renew(a) } == .authRefreshInvalid)
        #expect(centre.verify(access: a.access) == .failure(Failure(.authInvalid)))
        #expect(code { _ = try renew(other, device: first) } == .authRefreshReused)
        #expect(code { _ = try renew(other, device: second) } == .authRefreshInvalid)
    }

    @Test("A-1: an access credential lives two hours; the one before stays good for requests under way")
    func lives() throws {
        let grant = try register()
        time.advance(milliseconds: 7_000_000)
        let next = try renew(grant)
        #expect(try centre.verify(access: grant.access).get().deviceID == first.id)
        time.advance(milliseconds: 200_000)
        #expect(centre.verify(access: grant.access) == .failure(Failure(.authExpired)))
        #expect(try centre.verify(access: next.access).get().deviceID == first.id)
        #expect(centre.verify(access: next.refresh) == .failure(Failure(.authInvalid)))
        let quote = try centre.quoteCredential(for: try centre.verify(access: next.access).get())
        #expect(try centre.verify(quoteCredential: quote.value).get().scopes == [.quotes])
        #expect(centre.verify(access: quote.value) == .failure(Failure(.authInvalid)))
        #expect(centre.verify(quoteCredential: next.access) == .failure(Failure(.authInvalid)))
    }

    @Test("A-10: sign-out and removal of another device end its credentials at once")
    func devices() throws {
        let grant = try register()
        time.advance(milliseconds: 1)
        let other = try centre.signIn(SignInInput(name: "MEI", password: "correct horse", device: second), from: "127.0.0.1")
        let me = try centre.verify(access: grant.access).get()
        let list = centre.devices(of: me).devices
        #expect(list.map(\.name) == ["desk", "laptop"] && list.map(\.isCurrent) == [true, false])
        try centre.remove(device: list[1].id, of: me)
        #expect(centre.verify(access: other.access) == .failure(Failure(.authInvalid)))
        // A-13: it is told why; whoever shows its credential from another device is told nothing.
        #expect(code { _ = try renew(other, device: second) } == .authSignedOutElsewhere)
        #expect(code { _ = try renew(other, device: first) } == .authRefreshInvalid)
        #expect(code { try centre.remove(device: "nonsense", of: me) } == .requestUnknown)
        try centre.signOut(me)
        #expect(centre.verify(access: grant.access) == .failure(Failure(.authInvalid)))
        #expect(code { _ = try renew(grant) } == .authRefreshInvalid)
    }

    @Test("A-11: a key that is not 32 bytes long makes and reads no credential", arguments: [0, 1, 16, 31, 33, 64])
    func keyLength(bytes: Int) throws {
        var damaged = store
        damaged.secret = { _, _ in [UInt8](repeating: 7, count: bytes) }
        let (store, time) = (damaged, time)
        #expect(
            code { _ = try AuthCentre(store: store, cost: .least, now: { time.now }, monotonic: { time.monotonic }) } == .dataCorrupt)
    }

    @Test("A-11: what is stored survives a restart and holds no credential")
    func restart() throws {
        let grant = try register()
        let time = time
        let again = try AuthCentre(store: store, cost: .least, now: { time.now }, monotonic: { time.monotonic })
        #expect(try again.verify(access: grant.access).get().accountID == grant.account)
        #expect(try again.refresh(RefreshInput(refresh: grant.refresh, deviceID: first.id)).generation == 2)
        let stored = "\(try store.liveFamilies()) \(String(describing: try store.accountNamed("mei")))"
        #expect(!stored.contains(grant.access) && !stored.contains(grant.refresh) && !stored.contains("correct horse"))
    }

    @Test("A-11: unknown names and wrong passwords get the same answer, and too many of them a limit")
    func limits() throws {
        _ = try register()
        for name in ["mei", "nobody"] {
            #expect(
                code { _ = try centre.signIn(SignInInput(name: name, password: "wrong", device: first), from: "x") } == .authWrongPassword)
        }
        for _ in 0..<9 { _ = try? centre.signIn(SignInInput(name: "mei", password: "wrong", device: first), from: "x") }
        let right = SignInInput(name: "mei", password: "correct horse", device: first)
        #expect(code { _ = try centre.signIn(right, from: "y") } == .rateLimited)
        time.advance(milliseconds: 30_000)
        _ = try centre.signIn(right, from: "y")
    }

    @Test(
        "Registration refuses taken, short, spaced and disguised names and short passwords",
        arguments: [
            ("mei", "correct horse", ErrorCode.authNameTaken), ("MEI", "correct horse", .authNameTaken),
            ("ab", "correct horse", .authNameInvalid),
            ("a b c", "correct horse", .authNameInvalid), ("ab\u{202E}cd", "correct horse", .authNameInvalid),
            ("meimei", "short", .authPasswordShort),
            ("nul\u{0}nul", "correct horse", .authNameInvalid),
        ])
    func registration(name: String, password: String, expected: ErrorCode) throws {
        _ = try register()
        #expect(code { _ = try centre.register(SignInInput(name: name, password: password, device: second), from: "x") } == expected)
    }

    @Test("D-1: the trading password counts tries, locks, and counts again after the lock")
    func tradingPassword() throws {
        let account = try register().account
        #expect(try centre.judgeTradingPassword(account: account, "correct horse") == .right)
        for left in [4, 3, 2, 1] { #expect(try centre.judgeTradingPassword(account: account, "x") == .wrong(triesLeft: left)) }
        #expect(try centre.judgeTradingPassword(account: account, "x") == .locked(seconds: 900))
        #expect(try centre.judgeTradingPassword(account: account, "correct horse") == .locked(seconds: 900))
        time.advance(milliseconds: 900_000)
        #expect(try centre.judgeTradingPassword(account: account, "correct horse") == .right)
    }

    @Test("A forged or altered credential is nobody's", arguments: UInt64(0)..<100)
    func forged(seed: UInt64) throws {
        let grant = try register()
        var bytes = Array(grant.access.utf8)
        let at = Int(seed) % (bytes.count - 1)
        bytes[at] = bytes[at] == 65 ? 66 : 65
        #expect(centre.verify(access: String(decoding: bytes, as: UTF8.self)) == .failure(Failure(.authInvalid)))
        #expect(centre.verify(access: String(grant.access.dropLast(Int(seed % 40) + 1))) == .failure(Failure(.authInvalid)))
    }
}
