public import Instruments
import Messages
public import Streams

/// All events of a replay in order of time, as a value: the same recordings and seed give the same events whatever the speed.
public struct ReplaySchedule: FeedSource {
    private var streams: [InstrumentReplay] = []
    private var times: [Int64] = []
    private var opening: [FeedEvent.Body] = []
    private var sequence: UInt64 = 0
    public let pace: FeedPace
    /// The first moment of the replay: the earliest session of the market date.
    public let origin: MarketInstant
    /// When the last recording of the market date ends; nothing but phases is told after it.
    public let end: MarketInstant
    /// The same of each instrument; one that is not here has no recording.
    public let ends: [InstrumentID: MarketInstant]

    /// Phases are told for this many days after the market date.
    private static let daysAfter = 7

    /// Throws where the calendar does not cover the market date.
    public init(_ recordings: Recordings, facts: MarketFacts) throws(CalendarFault) {
        let date = recordings.marketDate
        pace = .played(date)
        var played: [(Instrument, [(time: Int64, phase: Phase)])] = []
        for instrument in facts.instruments.all where recordings.tapes[instrument.id] != nil {
            let phases = try PhaseChanges.of(instrument, from: date, days: Self.daysAfter, facts.calendar)
            played.append((instrument, phases))
        }
        let first = played.compactMap { $0.1.first?.time }.min() ?? 0
        origin = MarketInstant(nanoseconds: first)
        var ends: [InstrumentID: MarketInstant] = [:]
        for (instrument, phases) in played {
            guard let tape = recordings.tapes[instrument.id] else { continue }
            let stream = InstrumentReplay(
                instrument: instrument, tape: tape, facts: facts, marketDate: date, seed: recordings.seed, origin: first, phases: phases)
            ends[instrument.id] = stream.recordingEnd.map { MarketInstant(nanoseconds: $0) }
            streams.append(stream)
            times.append(first)
        }
        self.ends = ends
        end = ends.values.max() ?? origin
        opening = recordings.fixings.map { .fx($0.rate) }
    }

    /// When the next event is due; nil at the end of everything.
    public var nextTime: MarketInstant? {
        if !opening.isEmpty { return origin }
        guard let least = times.min(), least < .max else { return nil }
        return MarketInstant(nanoseconds: least)
    }

    /// The events up to and including `limit`, at most about `maximum` of them (an instrument's events of one moment stay together).
    public mutating func next(until limit: MarketInstant, maximum: Int = .max) -> [FeedEvent] {
        var events: [FeedEvent] = []
        if origin <= limit {
            for body in opening { append(body, origin, &events) }
            opening = []
        }
        while events.count < maximum {
            var least = Int64.max
            var place = -1
            for (index, time) in times.enumerated() where time < least {
                least = time
                place = index
            }
            guard place >= 0, least <= limit.nanoseconds else { break }
            if let (time, bodies) = streams[place].next() {
                for body in bodies { append(body, MarketInstant(nanoseconds: time), &events) }
            }
            times[place] = streams[place].nextTime ?? .max
        }
        return events
    }

    private mutating func append(_ body: FeedEvent.Body, _ time: MarketInstant, _ events: inout [FeedEvent]) {
        sequence += 1
        events.append(FeedEvent(sequence: sequence, time: time, body: body))
    }
}
