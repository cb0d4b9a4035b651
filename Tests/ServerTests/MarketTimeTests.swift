import Diagnostics
import Exact
import Exchange
import Feeds
import Foundation
import Streams
import Synchronization
import Testing
import Texts

@testable import Server

/// Q-2, C-9: what a restarted server goes on from.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MarketTimeTests {
    private func at(_ hour: Int) throws -> MarketInstant {
        let day = try #require(TradingDay("2026-11-30"))
        return MarketInstant(nanoseconds: (Int64(day.daysSince1970) * 86_400 + Int64(hour - 8) * 3600) * 1_000_000_000)
    }

    private func start(_ test: TestServer, at time: MarketInstant?) async throws -> CausewayServer {
        var configuration = ServerConfiguration(dataFolder: test.folder)
        configuration.port = 0
        configuration.speed = .paused
        configuration.start = time
        let server = try await CausewayServer.start(configuration)
        // Nobody is let in before.
        await server.hasBegun()
        return server
    }

    @Test("Q-2: market time goes on after a restart, from the folder's mark; an earlier --at is refused")
    func goesOn() async throws {
        let test = try TestServer()
        var server = try await start(test, at: try at(10))
        #expect(server.hub.seek(to: try at(15)))
        await server.stop()
        server = try await start(test, at: nil)
        #expect(server.hub.marketClock.now == (try at(15)))
        await server.stop()
        await #expect(
            throws: Failure(.serverTimePassed, .init("at", "2026-11-30T10:00:00+08:00"), .init("reached", "2026-11-30T15:00:00+08:00"))
        ) { try await start(test, at: try at(10)) }
        server = try await start(test, at: try at(16))
        #expect(server.hub.marketClock.now == (try at(16)))
        await server.stop()
        await test.remove()
    }

    @Test("Q-2: a folder whose day was played is set aside whole, and only while no server runs in it")
    func setAside() async throws {
        let test = try TestServer()
        var server = try await start(test, at: try at(15))
        try await server.trading.register(test, server, name: "mei")
        #expect(throws: Failure(.dataInUse, .init("path", test.folder))) { try ServerFolder.setAside(test.folder) }
        await server.stop()
        let kept = try ServerFolder.setAside(test.folder)
        defer { try? FileManager.default.removeItem(atPath: kept) }
        #expect(kept == test.folder + "-1")
        server = try await start(test, at: try at(10))
        #expect(server.trading.exchange.tradingAccounts.isEmpty)
        #expect(server.hub.marketClock.now == (try at(10)))
        await server.stop()
        var configuration = ServerConfiguration(dataFolder: kept)
        configuration.port = 0
        configuration.speed = .paused
        let old = try await CausewayServer.start(configuration)
        #expect(old.trading.exchange.tradingAccounts.count == 1)
        #expect(old.hub.marketClock.now == (try at(15)))
        await old.stop()
        await test.remove()
    }

    @Test("Q-2: the end of the recorded day is said once")
    func dayOver() throws {
        let lines = Mutex<[String]>([])
        let log = Log { _, event, fields in
            lines.withLock { $0.append(event + " " + fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")) }
        }
        let note = ClosingNote(date: try #require(TradingDay("2026-11-30")), end: try at(16), log: log)
        note.reached(try at(15))
        #expect(lines.withLock { $0.isEmpty })
        note.reached(try at(16))
        note.reached(try at(17))
        #expect(
            lines.withLock { $0 } == [
                "server.market-date-over date=2026-11-30 since=2026-11-30T16:00:00+08:00 begin-anew=causeway serve --data NEW-FOLDER"
            ])
    }

    @Test("Q-2: without the mark, market time goes on from the newest record of the journal")
    func goesOnFromTheJournal() async throws {
        let test = try TestServer()
        var server = try await start(test, at: try at(10))
        try await server.trading.register(test, server, name: "mei")
        #expect(server.hub.seek(to: try at(15)))
        try await server.trading.register(test, server, name: "wei")
        await server.stop()
        try FileManager.default.removeItem(atPath: test.folder + "/market-time")
        server = try await start(test, at: nil)
        #expect(server.hub.marketClock.now == (try at(15)))
        await server.stop()
        await test.remove()
    }

    @Test("C-9: epochs grow over restarts, also where the wall clock was set back")
    func epochs() throws {
        let path = NSTemporaryDirectory() + "causeway-marks-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try ServerFolder(path: path)
        var last: UInt64 = 0
        for wall in [1_800_000_000_000, 1_700_000_000_000, 5, 1_900_000_000_000] as [UInt64] {
            let marks = try FolderMarks(folder, log: .none)
            let first = try marks.firstEpoch(wall: wall)
            #expect(first > last && first >= wall)
            last = first + FolderMarks.epochsPerRun - 1
            marks.close()
        }
    }

    @Test("Q-2: what was reached survives the process; damage is said")
    func reached() throws {
        let path = NSTemporaryDirectory() + "causeway-marks-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try ServerFolder(path: path)
        try FolderMarks(folder, log: .none).reach(try at(11))
        #expect(try FolderMarks(folder, log: .none).reached == at(11))
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + "/market-time"))
        #expect(throws: Failure(.dataCorrupt, .init("path", path + "/market-time"))) { try FolderMarks(folder, log: .none) }
    }
}

extension Trading {
    /// An account with its trading account, as a first trade connection makes it.
    fileprivate func register(_ test: TestServer, _ server: CausewayServer, name: String) async throws {
        let account = try await test.register(server, name: name)
        try await exchange.openAccount("S" + account, counter: .securities, funds: [try Money("1000", currency: .hkd)])
    }
}
