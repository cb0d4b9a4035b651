public import Instruments
import Messages
public import Streams
import Synchronization

/// The way of a feed that pushes into the hub: a bounded queue with the phases of its instruments beside it. When it is full the oldest
/// events go, for of prices the newest count; how many is told.
public final class LiveFeed: Sendable {
    private struct Queue: Sendable {
        var events: [FeedEvent] = []
        var head = 0
        var dropped: UInt64 = 0
    }

    private let capacity: Int
    private let queue = Mutex(Queue())
    private let facts: MarketFacts
    private let instruments: [Instrument]

    /// Of these instruments of the table; others pushed are quarantined as unknown only where the table lacks them.
    public init(_ instruments: [InstrumentID], facts: MarketFacts, capacity: Int = 65_536) {
        precondition(capacity > 0, "a live feed without room")
        self.capacity = capacity
        self.facts = facts
        self.instruments = instruments.compactMap { facts.instruments[$0] }
    }

    /// Takes events from any thread. Their numbers grow over the life of the feed, also across connections.
    public func push(_ events: [FeedEvent]) {
        queue.withLock { queue in
            queue.events += events
            let surplus = queue.events.count - queue.head - capacity
            if surplus > 0 {
                queue.head += surplus
                queue.dropped += UInt64(surplus)
            }
            if queue.head > capacity {
                queue.events.removeFirst(queue.head)
                queue.head = 0
            }
        }
    }

    /// Events that were pushed out of the full queue.
    public var dropped: UInt64 { queue.withLock { $0.dropped } }

    /// What the hub pulls from: only one hub. `now`: where its phases begin; throws where the calendar does not cover the days around it.
    public func source(at now: MarketInstant) throws(CalendarFault) -> any FeedSource {
        try LiveSource(feed: self, facts: facts, instruments: instruments, now: now)
    }

    fileprivate func take(_ maximum: Int) -> [FeedEvent] {
        queue.withLock { queue in
            let end = min(queue.events.count, queue.head.addingReportingOverflow(maximum).overflow ? .max : queue.head + maximum)
            let taken = Array(queue.events[queue.head..<end])
            queue.head = end
            if end == queue.events.count {
                queue.events.removeAll(keepingCapacity: true)
                queue.head = 0
            }
            return taken
        }
    }

    fileprivate var isWaiting: Bool { queue.withLock { $0.head < $0.events.count } }
}

/// What was pushed, and the calendar's phases where they are due, numbered anew as one stream.
private struct LiveSource: FeedSource {
    let feed: LiveFeed
    let facts: MarketFacts
    let instruments: [Instrument]
    let origin: MarketInstant
    let ends: [InstrumentID: MarketInstant]
    private var phases: [Change] = []
    private var phaseIndex = 0
    /// Phases are known up to here.
    private var horizon: MarketInstant
    /// What its numbers and the feed's make together.
    private var added: UInt64 = 0
    private var latest: UInt64 = 0

    struct Change: Sendable {
        var time: Int64
        var instrument: InstrumentID
        var phase: Phase
        var day: TradingDay
    }

    var pace: FeedPace { .live }
    var end: MarketInstant { MarketInstant(nanoseconds: .max) }

    init(feed: LiveFeed, facts: MarketFacts, instruments: [Instrument], now: MarketInstant) throws(CalendarFault) {
        self.feed = feed
        self.facts = facts
        self.instruments = instruments
        origin = now
        horizon = now
        ends = Dictionary(instruments.map { ($0.id, MarketInstant(nanoseconds: .max)) }) { first, _ in first }
        try plan(from: now)
        // The phase that holds now is told first.
        var holding: [InstrumentID: Change] = [:]
        let past = phases.prefix { $0.time <= now.nanoseconds }
        for change in past { holding[change.instrument] = change }
        phases = holding.values.sorted { ($0.time, $0.instrument) < ($1.time, $1.instrument) } + phases.dropFirst(past.count)
        for index in phases.indices where phases[index].time < now.nanoseconds { phases[index].time = now.nanoseconds }
    }

    /// The phases of the trading day around `now` and of some days after it.
    private mutating func plan(from now: MarketInstant) throws(CalendarFault) {
        var changes: [Change] = []
        for instrument in instruments {
            var day = try facts.calendar.localDate(instrument.calendar, at: now)
            if let earlier = TradingDay(daysSince1970: day.daysSince1970 - 1) { day = earlier }
            while try !facts.calendar.isTradingDay(day, instrument.calendar), let next = TradingDay(daysSince1970: day.daysSince1970 + 1) {
                day = next
            }
            for _ in 0..<6 {
                for change in try PhaseChanges.of(instrument, from: day, days: 0, facts.calendar) {
                    changes.append(Change(time: change.time, instrument: instrument.id, phase: change.phase, day: day))
                }
                day = try facts.calendar.tradingDay(1, from: day, instrument.calendar)
            }
        }
        phases = changes.sorted { ($0.time, $0.instrument) < ($1.time, $1.instrument) }
        phaseIndex = 0
        horizon = now.advanced(by: .seconds(3 * 86_400))
    }

    var nextTime: MarketInstant? {
        if feed.isWaiting { return origin }
        return phaseIndex < phases.count ? MarketInstant(nanoseconds: phases[phaseIndex].time) : nil
    }

    mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent] {
        var events: [FeedEvent] = []
        if limit >= horizon { extend(limit) }
        while phaseIndex < phases.count, phases[phaseIndex].time <= limit.nanoseconds {
            let change = phases[phaseIndex]
            phaseIndex += 1
            append(.phase(instrument: change.instrument, change.phase), change, &events)
            append(.quote(quote(change)), change, &events)
        }
        for event in feed.take(maximum) {
            // A number that does not grow stays one that does not.
            latest = max(latest, event.sequence)
            events.append(FeedEvent(sequence: event.sequence &+ added, time: event.time, body: event.body))
        }
        return events
    }

    /// Where the calendar ends the phases end; prices go on.
    private mutating func extend(_ now: MarketInstant) {
        let known = phases.last?.time ?? .min
        let untold = phases[phaseIndex...]
        do throws(CalendarFault) {
            try plan(from: now)
            phases = untold + phases.filter { $0.time > known }
        } catch {
            horizon = MarketInstant(nanoseconds: .max)
        }
    }

    private mutating func append(_ body: FeedEvent.Body, _ change: Change, _ events: inout [FeedEvent]) {
        added += 1
        events.append(FeedEvent(sequence: latest + added, time: MarketInstant(nanoseconds: change.time), body: body))
    }

    private func quote(_ change: Change) -> Quote {
        var quote = Quote()
        quote.instrument = change.instrument.rawValue
        quote.timeNs = change.time
        quote.phase = change.phase
        quote.tradingDay = change.day.yyyymmdd
        return quote
    }
}
