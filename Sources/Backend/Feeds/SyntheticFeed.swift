public import Instruments
import Messages
public import Streams

/// A market of thousands of instruments made from a seed: auctions with indicative prices, halts, gaps, limit moves, night sessions, prices on
/// the grid, sizes in lots (F-7). As a value: the same plan gives the same events whatever the speed.
public struct SyntheticFeed: FeedSource {
    public let pace: FeedPace
    public let origin: MarketInstant
    public let end: MarketInstant
    public let ends: [InstrumentID: MarketInstant]
    /// When the first market has its continuous session on the market date itself: `origin` may be a night session days before it, when
    /// nothing else has a price.
    public let opening: MarketInstant
    private var streams: [SyntheticStream] = []
    private var due: DueQueue
    private var sequence: UInt64 = 0
    private var fixings: [FeedEvent.Body]
    /// How far a past is that is passed over in pieces: streams before `place` are at `limit`.
    private var passing: (limit: Int64, place: Int)?
    private var past = SyntheticPast()
    /// About so many moves of instruments are one piece.
    private static let piece = 100_000

    /// `facts` hold the plan's instruments (`SyntheticMarket.facts`); `recordings` give the market date, the fixings and, where they know one,
    /// an instrument's previous close to start from. Throws where the calendar does not cover the market date.
    public init(_ plan: SyntheticPlan, facts: MarketFacts, recordings: Recordings) throws(CalendarFault) {
        let day = recordings.marketDate
        pace = .played(day)
        var ends: [InstrumentID: MarketInstant] = [:]
        var (first, opens) = (Int64.max, Int64.max)
        for (index, instrument) in SyntheticMarket.chosen(facts, plan, on: day).enumerated() {
            let phases = try PhaseChanges.of(instrument, from: day, days: 7, facts.calendar)
            let sessions = try facts.calendar.sessions(of: instrument, on: day)
            guard let start = sessions.first?.start, let end = sessions.last?.end else { continue }
            first = min(first, start.nanoseconds)
            if let session = sessions.first(where: { $0.phase == .continuous }) { opens = min(opens, session.start.nanoseconds) }
            ends[instrument.id] = end
            streams.append(
                SyntheticStream(
                    instrument: instrument, grid: PriceGrid(ticks: facts.ticks, instrument: instrument, day: day), plan: plan,
                    incident: SyntheticIncident(index), previousClose: recordings.tapes[instrument.id]?.previousClose, sessions: sessions,
                    phases: phases))
        }
        origin = MarketInstant(nanoseconds: streams.isEmpty ? 0 : first)
        opening = opens == .max ? origin : MarketInstant(nanoseconds: opens)
        self.ends = ends
        end = ends.values.max() ?? origin
        fixings = recordings.fixings.map { .fx($0.rate) }
        due = DueQueue(times: Array(repeating: origin.nanoseconds, count: streams.count))
        for index in streams.indices { streams[index].begin(at: origin.nanoseconds) }
    }

    public var nextTime: MarketInstant? {
        if !fixings.isEmpty { return origin }
        return due.least.map { MarketInstant(nanoseconds: $0.time) }
    }

    public mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent] {
        if passing != nil { endPass() }
        var events: [FeedEvent] = []
        tellFixings(until: limit, &events)
        while events.count < maximum, let (time, place) = due.least, time <= limit.nanoseconds {
            for body in streams[place].next() { append(body, MarketInstant(nanoseconds: time), &events) }
            due.replaceLeast(with: streams[place].nextTime)
        }
        return events
    }

    private mutating func tellFixings(until limit: MarketInstant, _ events: inout [FeedEvent]) {
        guard origin <= limit, !fixings.isEmpty else { return }
        for body in fixings { append(body, origin, &events) }
        fixings = []
    }

    /// The streams know nothing of one another: each goes to `limit` at once, without the queue between them.
    public mutating func pass(to limit: MarketInstant) -> FeedPast? {
        var events: [FeedEvent] = []
        tellFixings(until: limit, &events)
        var place = passing.map { $0.limit == limit.nanoseconds ? $0.place : 0 } ?? 0
        let (moves, before) = (past.moves, past.events)
        while place < streams.count, past.moves - moves < Self.piece {
            streams[place].pass(to: limit.nanoseconds, &past)
            let number = sequence + past.events - before
            past.tell(streams[place]) { events.append(FeedEvent(sequence: number, time: limit, body: $0)) }
            place += 1
        }
        sequence += past.events - before
        passing = (limit.nanoseconds, place)
        if place == streams.count { endPass() }
        return FeedPast(events: events, sequence: sequence, isLast: passing == nil)
    }

    private mutating func endPass() {
        passing = nil
        due = DueQueue(times: streams.map(\.nextTime))
    }

    private mutating func append(_ body: FeedEvent.Body, _ time: MarketInstant, _ events: inout [FeedEvent]) {
        sequence += 1
        events.append(FeedEvent(sequence: sequence, time: time, body: body))
    }
}

/// Which stream is due next: a binary heap by time, then by place, so that equal times come in one order.
struct DueQueue: Sendable {
    private var heap: [(time: Int64, place: Int)]

    /// Of each place; nil: never.
    init(times: [Int64?]) {
        heap = times.enumerated().compactMap { place, time in time.map { (time: $0, place: place) } }
        for index in heap.indices.reversed() { sink(index) }
    }

    var least: (time: Int64, place: Int)? { heap.first }

    /// The least is due at another time now; nil: never again.
    mutating func replaceLeast(with time: Int64?) {
        guard let place = heap.first?.place else { return }
        if let time {
            heap[0] = (time, place)
        } else {
            let last = heap.removeLast()
            if heap.isEmpty { return }
            heap[0] = last
        }
        sink(0)
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                let (a, b) = (heap[child], heap[least])
                if (a.time, a.place) < (b.time, b.place) { least = child }
            }
            if least == index { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
