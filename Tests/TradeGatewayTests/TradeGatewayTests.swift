import Exchange
import Streams
import Testing

@testable import TradeGateway

@Suite struct GatewayBookTests {
    private func book() -> GatewayBook { GatewayBook(sessions: [], firstEpoch: 100) }
    private func link(_ device: String, process: String = "p", account: String = "A") -> GatewayBook.Link {
        GatewayBook.Link(account: account, device: device, platform: "linux", process: process, token: "t")
    }

    @Test("C-9: a new connection of the same process ends the older one's intake and gets a newer epoch; another process stays")
    func takeover() throws {
        var book = book()
        book.authenticated("1", link("d1"))
        book.authenticated("app", link("d1", process: "app"))
        let joined = book.joined("1", .securities)
        let first = try #require(joined)
        _ = book.joined("app", .securities)
        book.authenticated("2", link("d1"))
        let taken = book.joined("2", .securities)
        let second = try #require(taken)
        #expect(second.older == ["1"] && second.epoch > first.epoch && first.epoch > 100)
        #expect(book.links["1"]?.isClosedToCommands == true && book.links["app"]?.isClosedToCommands == false)
    }

    @Test("C-9: a link that was taken over from takes over nothing itself")
    func lateJoin() {
        var book = book()
        for id in ["1", "2"] { book.authenticated(id, link("d1")) }
        _ = book.joined("1", .securities)
        _ = book.joined("2", .securities)
        let late = book.joined("1", .futures)
        #expect(late == nil && book.links["2"]?.isClosedToCommands == false)
    }

    @Test("A-10, D-4: a sign-out ends the device's trading sessions and no other's")
    func signOut() {
        var book = book()
        book.authenticated("1", link("d1"))
        _ = book.loggedIn("1", .securities, tradingAccount: "SA", digest: "x")
        let other = book.revoked(account: "A", device: "d2")
        #expect(other == [] && book.isIn("1", tradingAccount: "SA", digest: "x"))
        let mine = book.revoked(account: "A", device: "d1")
        #expect(mine == ["1"] && !book.isIn("1", tradingAccount: "SA", digest: "x"))
    }

    @Test("D-5: a second device puts the first out; its session id no longer counts; the same device's processes share one session")
    func oneDevice() {
        var book = book()
        for (id, device) in [("1", "d1"), ("1b", "d1"), ("2", "d2")] {
            book.authenticated(id, link(device, process: id))
            _ = book.joined(id, .securities)
        }
        let nobody = book.loggedIn("1", .securities, tradingAccount: "SA", digest: "x")
        #expect(nobody == [])
        #expect(book.isIn("1", tradingAccount: "SA", digest: "x") && book.isIn("1b", tradingAccount: "SA", digest: "x"))
        #expect(!book.isIn("2", tradingAccount: "SA", digest: "x"))
        #expect(book.listeners(tradingAccount: "SA", .securities) == ["1", "1b"])
        #expect(book.listeners(tradingAccount: "SA", .futures) == [])
        let putOut = book.loggedIn("2", .securities, tradingAccount: "SA", digest: "y")
        #expect(putOut == ["1", "1b"])
        #expect(!book.isIn("1", tradingAccount: "SA", digest: "x") && book.isIn("2", tradingAccount: "SA", digest: "y"))
        book.loggedOut(tradingAccount: "SA")
        #expect(!book.isIn("2", tradingAccount: "SA", digest: "y"))
    }

    @Test("D-4: sessions survive a restart of the server, for their own account and device only")
    func restart() {
        var book = GatewayBook(
            sessions: [.init(tradingAccount: "SA", account: "A", device: "d1", platform: "linux", digest: "x")], firstEpoch: 1)
        book.authenticated("1", link("d1"))
        book.authenticated("thief", link("d1", account: "B"))
        #expect(book.isIn("1", tradingAccount: "SA", digest: "x"))
        #expect(!book.isIn("thief", tradingAccount: "SA", digest: "x"))
    }

    @Test("D-3: one login a second")
    func gate() {
        var book = book()
        func at(_ ms: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: ms * 1_000_000) }
        let tries = [("SA", 0), ("SA", 999), ("FA", 999), ("SA", 1000)].map { book.admitsLogin($0.0, at: at(Int64($0.1))) }
        #expect(tries == [true, false, true, true])
    }
}
