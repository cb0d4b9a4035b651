import Foundation
import HTTP
import Sealed
import Streams
import Testing
import Texts

@testable import Accounts

/// The driver of the user's credential (A-2…A-8, A-12, A-13).
struct CredentialsTests {
    private let account = AccountEndpoints.account

    // A-2
    @Test func `two processes that renew at once over one lock and one store renew once`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "causeway-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var bench = Bench()
        bench.lockFile = folder + "/lock"
        bench.store = .sealed(folder: folder, passphrase: Array("passphrase".utf8), cost: .least)
        let first = try await bench.signedIn()
        let second = try bench.credentials()
        try await second.restore()
        await bench.server.holdRefreshes()
        async let one = first.credential(isNewer: true)
        await bench.server.untilRefreshIsHeld()
        async let two = second.credential(isNewer: true)
        while await !second.isRenewing { await Task.yield() }
        await bench.server.letRefreshesGo()
        #expect(try await one == "access-ann-2")
        #expect(try await two == "access-ann-2")
        #expect(await bench.server.refreshes == 1)
    }

    // A-3
    @Test(arguments: ["POST", "PUT", "DELETE", "GET"])
    func `a request of any form that is refused is held and sent once more`(method: String) async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.expireAccess()
        for body in [#"{"a":1}"#, "[1,2]", "raw \u{0} bytes", ""] {
            await bench.server.expireAccess()
            let before = await bench.server.requests.count
            let request = HTTPRequest(method: method, url: "http://127.0.0.1:7701/gateway/v1/thing", body: Array(body.utf8))
            #expect(try await credentials.perform(request, isReplayable: false).status == 200)
            let sent = await bench.server.requests[before...].filter { $0.url.hasSuffix("thing") }
            #expect(sent.count == 2 && sent.allSatisfy { $0.body == Array(body.utf8) && $0.method == method })
        }
        #expect(await bench.server.refreshes == 4)
    }

    @Test func `a second refusal is final and comes to the caller`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.setGateway(status: 401, body: Failure(.authExpired).json(text: "").serializedBytes())
        await #expect(throws: Failure(.authExpired)) { try await credentials.call(account, Empty()) }
        #expect(await bench.server.refreshes == 1)
        #expect(await credentials.isSignedIn)
    }

    @Test func `a wrong password inside a request renews nothing`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.setGateway(status: 401, body: Failure(.authWrongPassword).json(text: "").serializedBytes())
        await #expect(throws: Failure(.authWrongPassword)) { try await credentials.call(account, Empty()) }
        #expect(await bench.server.refreshes == 0)
    }

    @Test func `the credential goes to no other machine`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        for url in ["http://127.0.0.1:7701.example.com/x", "http://127.0.0.1:77011/x", "https://example.com/"] {
            await #expect(throws: Failure.invalid("url")) {
                try await credentials.perform(HTTPRequest(method: "GET", url: url), isReplayable: true)
            }
        }
        #expect(await bench.server.requests.count == 1)
    }

    // A-4
    @Test(arguments: [
        ScriptedServer.Refresh.breaks(.connectionLost("reset")), .breaks(.offline("down")), .breaks(.timedOut),
        .answers(status: 503, body: []), .answers(status: 401, body: Array("<html>hotel</html>".utf8)),
        .answers(status: 200, body: Array("<html>".utf8)),
    ])
    func `a renewal that fails is sent once and signs nobody out`(refresh: ScriptedServer.Refresh) async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.setRefresh(refresh)
        await #expect(throws: Failure.self) { try await credentials.credential(isNewer: true) }
        #expect(await bench.server.refreshes == 1)
        #expect(await credentials.isSignedIn)
        #expect(try await credentials.credential() == "access-ann-1")
    }

    // A-4, A-13
    @Test(arguments: [ErrorCode.authRefreshInvalid, .authRefreshReused, .authFrozen, .authSignedOutElsewhere])
    func `a refused refresh credential signs out, with its reason`(code: ErrorCode) async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.setRefresh(.answers(status: 401, body: Failure(code).json(text: "").serializedBytes()))
        await #expect(throws: Failure(code)) { try await credentials.credential(isNewer: true) }
        #expect(await credentials.signOutReason == .refused(code))
        #expect(await credentials.account == nil)
        #expect(try bench.store.read(StoredSession.item) == nil)
    }

    @Test func `a frozen account signs out without a renewal`() async throws {
        let bench = Bench()
        let credentials = try await bench.signedIn()
        await bench.server.setGateway(status: 403, body: Failure(.authFrozen).json(text: "").serializedBytes())
        await #expect(throws: Failure(.authFrozen)) { try await credentials.call(account, Empty()) }
        #expect(await bench.server.refreshes == 0)
        #expect(await credentials.signOutReason == .refused(.authFrozen))
    }
}
