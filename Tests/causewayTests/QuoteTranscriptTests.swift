import Feeds
import MarketData
import Messages
import Streams
import Testing

@testable import causeway

/// F-7: what `record` makes of a subscription.
struct QuoteTranscriptTests {
    private func tick(_ number: UInt64, at time: Int64) -> Tick {
        var tick = Tick()
        (tick.instrument, tick.sequence, tick.timeNs, tick.price, tick.size) = (7, number, time, 1, 1)
        return tick
    }

    private func quote(_ time: Int64, _ phase: Phase) -> Quote {
        var quote = Quote()
        (quote.instrument, quote.timeNs, quote.phase) = (7, time, phase)
        return quote
    }

    @Test("F-7 trades come once, phases where they change, times never go back") func transcript() {
        var transcript = QuoteTranscript()
        var events: [FeedEvent] = []
        let updates: [MarketDataUpdate] = [
            .quote(quote(10, .auctionMatching)), .ticks([tick(1, at: 11), tick(2, at: 11)]), .quote(quote(12, .continuous)),
            .status(.reconnecting), .status(.connected), .ticks([tick(1, at: 11), tick(2, at: 11), tick(3, at: 9), tick(3, at: 13)]),
            .quote(quote(12, .continuous)), .bar(Bar()),
        ]
        for update in updates { events += transcript.events(update) }
        let ticks = events.compactMap { event -> UInt64? in if case .trade(let tick) = event.body { tick.sequence } else { nil } }
        #expect(ticks == [1, 2, 3])
        let phases = events.compactMap { event -> Phase? in if case .phase(_, let phase) = event.body { phase } else { nil } }
        #expect(phases == [.auctionMatching, .continuous])
        #expect(events.map(\.sequence) == Array(1...UInt64(events.count)) && transcript.count == events.count)
        #expect(events.map(\.time.nanoseconds) == [10, 10, 11, 11, 12, 12, 13, 13])
        #expect(transcript.time.nanoseconds == 13)
    }
}
