import Diagnostics
import Exact
import Feeds
import Foundation
import Instruments
import Journal
import Streams
import Synchronization
import Testing
import Texts

@testable import Server

/// F-7, Q-2: what a server's prices come from.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedChoiceTests {
    private func at(_ hour: Int64) throws -> MarketInstant {
        let day = try #require(TradingDay("2026-11-30"))
        return MarketInstant(nanoseconds: (Int64(day.daysSince1970) * 86_400 + (hour - 8) * 3600) * 1_000_000_000)
    }

    private func configuration(_ test: TestServer, _ name: String, _ feed: ServerConfiguration.Feed) -> ServerConfiguration {
        var configuration = ServerConfiguration(dataFolder: test.folder + "/" + name)
        configuration.port = 0
        configuration.speed = .paused
        configuration.feed = feed
        return configuration
    }

    /// Why a server does not start; nil: it does.
    private func refusal(_ configuration: ServerConfiguration) async -> Failure? {
        do throws(Failure) {
            let server = try await CausewayServer.start(configuration)
            await server.stop()
            return nil
        } catch { return error }
    }

    @Test("Q-2: a market time that is not in the data is refused before anything is written")
    func outside() async throws {
        let test = try TestServer()
        for hour in [-96, 96] as [Int64] {
            var asked = configuration(test, "outside", .replay)
            asked.start = try at(hour)
            let refused = await refusal(asked)
            #expect(refused?.code == .feedTimeOutside, "\(hour) h: \(String(describing: refused))")
        }
        await test.remove()
    }

    @Test("F-7: a recording that cannot be made is refused before anything listens; one that is not begun leaves nothing")
    func badTarget() async throws {
        let test = try TestServer()
        let folder = test.folder + "-recording"
        let later = test.folder + "-later"
        defer { for path in [folder, later] { try? FileManager.default.removeItem(atPath: path) } }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: folder + "/there"))
        let lines = Mutex<[String]>([])
        var asked = configuration(test, "bad", .replay)
        asked.recordingFolder = folder
        asked.log = Log { _, event, _ in lines.withLock { $0.append(event) } }
        #expect(await refusal(asked)?.code == .recordingExists)
        #expect(lines.withLock { $0 } == [])
        // The port is taken: the folder is as it was, and may be recorded into later.
        let other = try await CausewayServer.start(configuration(test, "other", .replay))
        asked.recordingFolder = later
        asked.port = other.port
        asked.dataFolder = folder + "/data"
        #expect(await refusal(asked)?.code == .portInUse)
        #expect(try FileManager.default.contentsOfDirectory(atPath: later).isEmpty)
        await other.stop()
        await test.remove()
    }

    @Test("F-7: a simulated market of many instruments is served and recorded, and the recording is served again")
    func simulated() async throws {
        let test = try TestServer()
        let plan = SyntheticPlan(seed: 5, instruments: 50, interval: .seconds(60))
        var asked = configuration(test, "simulated", .synthetic(plan))
        asked.recordingFolder = test.folder + "/recording"
        asked.start = try at(10)
        var server = try await CausewayServer.start(asked)
        let first = InstrumentID.firstSimulated
        let shipped = try MarketFacts(DataFolder.locate())
        // Before the first event is in it, a recording is none.
        let folder = FileFolder.live(path: test.folder + "/recording")
        while (try? RecordedFeed(folder, facts: shipped))?.ends[first] == nil { await Task.yield() }
        let made = server.hub.facts.instruments.all.filter { $0.id >= .firstSimulated }
        #expect(!made.isEmpty)
        let symbol = try #require(made.first?.symbol)
        let before = try #require(server.hub.quote(first))
        await server.stop()

        server = try await CausewayServer.start(configuration(test, "again", .recording(folder: test.folder + "/recording")))
        let known = try server.hub.facts.instruments.resolve(symbol, on: server.hub.marketDate).get()
        while server.hub.quote(known.id) == nil { await Task.yield() }
        #expect(server.hub.quote(known.id) == before)
        await server.stop()

        var taken = configuration(test, "third", .replay)
        taken.recordingFolder = test.folder + "/recording"
        #expect(await refusal(taken) == Failure(.recordingExists, .init("path", test.folder + "/recording")))
        #expect(await refusal(configuration(test, "none", .recording(folder: test.folder + "/nowhere")))?.code == .dataCorrupt)
        await test.remove()
    }
}
