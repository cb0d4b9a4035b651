import Feeds
import Instruments
import Messages
import Streams

/// Which minutes of a feed are over. A value, fed with its events.
///
/// A minute is over when the clock passes its end, and again after each late trade that corrects it. A minute that ended before this run
/// began is none of its: what is told of it now is a price of long ago, not what was traded.
struct FinishedMinutes: Sendable {
    private struct Key: Hashable, Sendable {
        var instrument: UInt32
        var start: Int64
    }

    private static let length: Int64 = 60_000_000_000

    private var minutes: FeedMinutes
    private var changed: [Key: Bar] = [:]
    private let begin: MarketInstant
    private var now: MarketInstant

    init(facts: MarketFacts, from begin: MarketInstant) {
        minutes = FeedMinutes(facts: facts, heardFrom: begin)
        self.begin = begin
        now = begin
    }

    /// The minutes that were over at that moment and changed since they were told last, in order of time.
    mutating func handle(_ event: FeedEvent) -> [Bar] {
        if let bar = minutes.apply(event), bar.startNs > begin.nanoseconds - Self.length {
            changed[Key(instrument: bar.instrument, start: bar.startNs)] = bar
        }
        guard case .clock(let reading) = event.body else { return [] }
        now = reading.time
        guard !changed.isEmpty else { return [] }
        return take { $0.startNs <= reading.time.nanoseconds - Self.length }
    }

    func last(_ id: InstrumentID) -> Bar? { minutes.last(id) }

    /// What changed since it was told last, the minutes under way too, whose end was not heard: at the end.
    mutating func rest() -> [Bar] {
        take { _ in true }.map { bar in
            var bar = bar
            if bar.startNs > now.nanoseconds - Self.length { bar.partial = true }
            return bar
        }
    }

    private mutating func take(_ isWanted: (Bar) -> Bool) -> [Bar] {
        let taken = changed.filter { isWanted($0.value) }
        for key in taken.keys { changed[key] = nil }
        return taken.values.sorted { ($0.startNs, $0.instrument) < ($1.startNs, $1.instrument) }
    }
}
