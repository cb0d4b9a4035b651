import Exchange
import Feeds
import Foundation
import Server
import Streams
import Testing

@testable import causeway

/// what `causeway run` does in a folder where the day was played before; market time never goes back in it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TourServerTests {
    private static func configuration(_ folder: String, at text: String? = nil) -> ServerConfiguration {
        var configuration = ServerConfiguration(dataFolder: folder)
        configuration.port = 0
        configuration.speed = .paused
        configuration.start = text.flatMap(Timestamp.read)
        return configuration
    }

    @Test("Q-2: the board goes on where it was; a tour that begins earlier, or a day that is over, begins anew and keeps the old folder")
    func plays() async throws {
        let folder = NSTemporaryDirectory() + "causeway-tour-" + UUID().uuidString
        let morning = try #require(Timestamp.read(RunScript.morning))
        let noon = try #require(Timestamp.read("2026-11-30T13:30:00+08:00"))
        defer { for suffix in ["", "-1", "-2", "-3"] { try? FileManager.default.removeItem(atPath: folder + suffix) } }
        func play(goesOn: Bool, at text: String? = nil, until time: MarketInstant? = nil) async throws -> (MarketInstant, String?) {
            let (server, kept) = try await TourServer.start(Self.configuration(folder, at: text), goesOn: goesOn)
            let begun = server.hub.marketClock.now
            if let time { #expect(server.hub.seek(to: time)) }
            await server.stop()
            return (begun, kept)
        }
        #expect(try await play(goesOn: true, until: noon) == (morning, nil))
        #expect(try await play(goesOn: true) == (noon, nil))
        #expect(try await play(goesOn: true, at: RunScript.morning, until: noon) == (morning, folder + "-1"))
        let (server, kept) = try await TourServer.start(Self.configuration(folder), goesOn: false)
        #expect(kept == folder + "-2")
        #expect(server.hub.marketClock.now == morning)
        let end = server.hub.end
        // The last recording is that of the US session and of the evening's futures, not the seven days whose phases are told.
        #expect(end > morning.advanced(by: .seconds(12 * 3600)) && end < morning.advanced(by: .seconds(48 * 3600)))
        #expect(server.hub.seek(to: end))
        await server.stop()
        #expect(try await play(goesOn: true) == (morning, folder + "-3"))
    }
}
