import HTTP
import Sealed
import Streams
import Synchronization
import Testing
import Texts

@testable import Accounts

/// What is stored, what other processes store, and what nobody may read (A-5, A-7, A-8, A-9, A-12, A-13, Q-5).
struct StoredSessionTests {
    // A-5
    @Test func `a sign-in outlives the process, and so does its renewal`() async throws {
        let bench = Bench()
        let first = try await bench.signedIn()
        #expect(try await first.credential(isNewer: true) == "access-ann-2")
        let second = try bench.credentials()
        try await second.restore()
        #expect(await second.account == SignedInAccount(server: "http://127.0.0.1:7701", account: "ann", name: "ann"))
        #expect(try await second.credential() == "access-ann-2")
        #expect(await bench.server.refreshes == 1)
    }

    @Test func `an item that is over is renewed at launch before anybody gets it`() async throws {
        let bench = Bench()
        _ = try await bench.signedIn()
        bench.clock.advance(by: .seconds(7201))
        let second = try bench.credentials()
        try await second.restore()
        #expect(try await second.credential() == "access-ann-2")
    }

    @Test func `an item without its refresh credential signs out as damaged`() async throws {
        let bench = Bench()
        _ = try await bench.signedIn()
        try bench.store.write(StoredSession.item, Array(#"{"version":1,"access":"T0"}"#.utf8))
        let second = try bench.credentials()
        try await second.restore()
        #expect(await second.signOutReason == .damaged)
        #expect(try bench.store.read(StoredSession.item) == nil)
    }

    // A-8
    @Test func `other secrets of the account go with its sign-in`() async throws {
        let bench = Bench()
        let trade = "trade-session-futures"
        let credentials = try await bench.signedIn()
        try bench.store.write(trade, [1])
        await credentials.signOut()
        #expect(try bench.store.read(trade) == nil)
        // Left over by a process that could not remove it: a new sign-in, in a process that knows of no old one, finds none.
        try bench.store.write(trade, [1])
        let next = try await bench.signedIn()
        #expect(try bench.store.read(trade) == nil)
        try bench.store.write(trade, [2])
        _ = try await next.credential(isNewer: true)
        #expect(try bench.store.read(trade) == [2])
    }

    // Q-5
    @Test func `an item of a newer version is refused and stays`() async throws {
        let bench = Bench()
        let newer = Array(#"{"version":2,"keys":"others"}"#.utf8)
        try bench.store.write(StoredSession.item, newer)
        let credentials = try bench.credentials()
        await #expect(throws: Failure(.dataNewer, .init("path", StoredSession.item))) { try await credentials.restore() }
        #expect(try bench.store.read(StoredSession.item) == newer)
    }

    @Test func `what cannot be written stays in memory and the status says so`() async throws {
        var bench = Bench()
        bench.store = SecretStore(isLasting: true) { _ in
            nil
        } write: { _, _ throws(SealedError) in
            throw .full(path: "/full")
        }
        let credentials = try await bench.signedIn()
        #expect(await credentials.isMemoryOnly)
        #expect(try await credentials.credential(isNewer: true) == "access-ann-2")
        #expect(await credentials.isSignedIn)
    }

    @Test func `an answer that comes after sign-out is dropped`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.holdRefreshes()
        let caller = Task { try await credentials.credential(isNewer: true) }
        await bench.server.untilRefreshIsHeld()
        await credentials.signOut()
        await bench.server.letRefreshesGo()
        await #expect(throws: Failure(.authSignedOut)) { try await caller.value }
        #expect(await !credentials.isSignedIn)
        #expect(try bench.store.read(StoredSession.item) == nil)
    }

    @Test func `another process's sign-out during a renewal is not undone`() async throws {
        let bench = Bench()
        let first = try await bench.signedIn()
        await bench.server.holdRefreshes()
        let caller = Task { try await first.credential(isNewer: true) }
        await bench.server.untilRefreshIsHeld()
        let second = try bench.credentials()
        try await second.restore()
        await second.signOut()
        await bench.server.letRefreshesGo()
        await #expect(throws: Failure(.authSignedOut)) { try await caller.value }
        #expect(try bench.store.read(StoredSession.item) == nil)
    }

    @Test func `another process's sign-in is taken over, not renewed away`() async throws {
        let bench = Bench()
        let first = try await bench.signedIn("ann")
        _ = try await bench.signedIn("bob")
        // Its own callers belong to the session before; the next ones get the new one.
        await #expect(throws: Failure(.authSignedOut)) { try await first.credential(isNewer: true) }
        #expect(try await first.credential() == "access-bob-1")
        #expect(await first.account?.account == "bob")
        #expect(await bench.server.refreshes == 0)
    }

    // A-2
    @Test func `a caller that is cancelled leaves the renewal to the others`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.holdRefreshes()
        let gone = Task { try await credentials.credential(isNewer: true) }
        await bench.server.untilRefreshIsHeld()
        gone.cancel()
        await #expect(throws: Failure(.requestCancelled)) { try await gone.value }
        async let other = credentials.credential(isNewer: true)
        await bench.server.letRefreshesGo()
        #expect(try await other == "access-ann-2")
        #expect(await !credentials.isRenewing)
    }

    @Test func `a renewal without an answer ends after its time`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.holdRefreshes()
        let caller = Task { try await credentials.credential(isNewer: true) }
        await bench.server.untilRefreshIsHeld()
        await bench.clock.untilWaiting()
        bench.clock.advance(by: .seconds(15))
        await #expect(throws: Failure(.connectionTimedOut)) { try await caller.value }
        #expect(await credentials.isSignedIn)
        await bench.server.letRefreshesGo()
    }

    // A-7, A-8
    @Test func `changes are told in order, sign-out as nothing`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        var changes = await credentials.changes().makeAsyncIterator()
        #expect(await changes.next() == .some("access-ann-1"))
        _ = try await credentials.credential(isNewer: true)
        #expect(await changes.next() == .some("access-ann-2"))
        try await credentials.signIn(name: "bob", password: "hunter2hunter2")
        #expect(await changes.next() == .some(nil))
        #expect(await changes.next() == .some("access-bob-1"))
        await credentials.signOut()
        #expect(await changes.next() == .some(nil))
        #expect(await credentials.signOutReason == .user)
    }

    // A-12
    @Test func `the quote credential is one flight, renewed ahead of its end, and belongs to its sign-in`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        let source = AccountInfoSource(credentials: credentials, clock: bench.clock.clock)
        let first = try await source.quoteCredential(forced: false)
        #expect(first.left == .seconds(7200) && first.lifetime == .seconds(7200))
        bench.clock.advance(by: .seconds(6000))
        #expect(try await source.quoteCredential(forced: false).value == first.value)
        bench.clock.advance(by: .milliseconds(1))
        let second = try await source.quoteCredential(forced: false)
        #expect(second.value != first.value)
        #expect(try await source.quoteCredential(forced: true).value != second.value)
        await bench.server.setGateway(status: 503, body: [])
        bench.clock.advance(by: .seconds(6001))
        #expect(try await source.quoteCredential(forced: false).left == .seconds(1199))
        await #expect(throws: Failure(.serverUnavailable)) { try await source.quoteCredential(forced: true) }
        await credentials.signOut()
        await #expect(throws: Failure(.authSignedOut)) { try await source.quoteCredential(forced: false) }
    }

    // A-9
    @Test func `no secret is in a description, a mirror or an error`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        let now = bench.clock.now
        let pair = CredentialPair(
            access: "access-ann-1", refresh: "refresh-ann-1", lifetime: Lifetime(length: .seconds(7200), now: now), generation: 1)
        let session = StoredSession(
            account: SignedInAccount(server: "s", account: "ann", name: "ann"), signIn: "x", pair: pair, receivedAt: 0)
        var texts = ["\(pair)", "\(session)", String(reflecting: pair), String(reflecting: session)]
        var dumped = ""
        dump(session, to: &dumped)
        texts.append(dumped)
        for answer: ScriptedServer.Refresh in [.breaks(.offline("down")), .answers(status: 500, body: [])] {
            await bench.server.setRefresh(answer)
            do { _ = try await credentials.credential(isNewer: true) } catch { texts.append("\(error) \(String(reflecting: error))") }
            bench.clock.advance(by: .seconds(2))
        }
        await bench.server.setRefresh(.answers(status: 401, body: Failure(.authRefreshReused).json(text: "").serializedBytes()))
        do { _ = try await credentials.credential(isNewer: true) } catch { texts.append("\(error)") }
        texts.append("\(String(describing: await credentials.signOutReason))")
        for request in await bench.server.requests { texts.append(request.url) }
        #expect(texts.count >= 10)
        for text in texts {
            for secret in ["access-ann", "refresh-ann", "hunter2"] { #expect(!text.contains(secret), "\(text)") }
        }
    }
}
