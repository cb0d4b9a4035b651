import Accounts
import HTTP
import Diagnostics
import Streams
import Testing
import Texts
import Watchlists

@testable import Server

/// F-3 through a real server.
@Suite(.timeLimit(.minutes(5))) struct WatchlistStoryTests {
    @Test("F-3: copies of two devices come together, survive a restart, and belong to their account; a clock ahead is refused")
    func together() async throws {
        let test = try TestServer()
        var server = try await test.start()
        var api = try test.api(server)
        let input = SignInInput(name: "mei", password: "correct horse", device: TestServer.device)
        var access = try await api.call(AccountEndpoints.register, input).access
        #expect(try await api.call(WatchlistEndpoints.get, Empty(), bearer: access) == Watchlist())
        var (first, second) = (Watchlist(), Watchlist())
        try first.add("700.HK", to: Watchlist.main, by: WatchlistWriter(now: 1_000, device: "a"))
        try second.addGroup("tech", by: WatchlistWriter(now: 2_000, device: "b"))
        try second.add("AAPL.US", to: "tech", by: WatchlistWriter(now: 2_000, device: "b"))
        let now = WallClock.live.now() / 1_000_000
        try first.pin("700.HK", true, in: Watchlist.main, by: WatchlistWriter(now: now, device: "a"))
        #expect(try await api.call(WatchlistEndpoints.merge, first, bearer: access) == first)
        let both = try await api.call(WatchlistEndpoints.merge, second, bearer: access)
        #expect(both == first.merged(second) && both.groups == ["main", "tech"])

        var ahead = both
        try ahead.remove("700.HK", from: Watchlist.main, by: WatchlistWriter(now: now + 2 * 86_400_000, device: "c"))
        var refused: ErrorCode?
        do throws(Failure) { _ = try await api.call(WatchlistEndpoints.merge, ahead, bearer: access) } catch { refused = error.code }
        #expect(refused == ErrorCode("watchlist.clock"))
        await server.stop()
        server = try await test.start()
        api = try test.api(server)
        access = try await api.call(AccountEndpoints.signIn, input).access
        #expect(try await api.call(WatchlistEndpoints.get, Empty(), bearer: access) == both)
        var other = input
        other.name = "lin"
        let stranger = try await api.call(AccountEndpoints.register, other).access
        #expect(try await api.call(WatchlistEndpoints.get, Empty(), bearer: stranger) == Watchlist())
        await server.stop()
        await test.remove()
    }
}
