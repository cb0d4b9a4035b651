public import Diagnostics
public import Instruments
public import Messages
public import Streams
import Synchronization

/// Runs the replay against the market clock, keeps the newest state and hands every event to the consumers in order, each behind its own
/// bounded queue. `register` all consumers, then `run` until cancelled.
public final class FeedHub: Sendable {
    public let facts: MarketFacts
    public let recordings: Recordings
    private let clock: MonotonicClock
    private let log: Log
    private let core: Mutex<Core>
    /// When the last recording of the market date ends.
    public let end: MarketInstant
    /// When each instrument's recording ends: no price comes after it, nor of an instrument that is not here.
    public let ends: [InstrumentID: MarketInstant]

    struct Core: Sendable {
        var schedule: ReplaySchedule
        var clock: ReplayClock
        var state = FeedState()
        var sequence: UInt64 = 0
        var announced: UInt64 = 0
        var announcedAt = MonotonicInstant(nanoseconds: .min)
        /// Events up to here are state, not news: the start time, or where a seek goes.
        var silentUntil: MarketInstant?
        /// Used only while events are not told one by one.
        var minutes = MinuteBars()
        var consumers: [Consumer] = []
        var running = false
    }

    struct Consumer: Sendable {
        var name: String
        var overflow: FeedOverflow
        var queue: ConsumerQueue
        var receive: @Sendable ([FeedEvent]) async -> Void
    }

    /// The clock is told at least this often.
    static let announcement = Duration.seconds(1)
    /// Events are gathered this long into one batch.
    static let gathering = Duration.milliseconds(20)
    static let longestSleep = Duration.milliseconds(250)
    /// Most events of one batch.
    static let batch = 4_096

    /// `start` nil: the first session of the market date. What happened before it is known as state when the feed starts, not told as news.
    public init(
        facts: MarketFacts, recordings: Recordings, clock: MonotonicClock, log: Log = .none, start: MarketInstant? = nil,
        speed: ReplaySpeed = .live
    ) throws(CalendarFault) {
        self.facts = facts
        self.recordings = recordings
        self.clock = clock
        self.log = log
        let schedule = try ReplaySchedule(recordings, facts: facts)
        end = schedule.end
        ends = schedule.ends
        let begin = max(start ?? schedule.origin, schedule.origin)
        core = Mutex(
            Core(
                schedule: schedule, clock: ReplayClock(start: begin, speed: speed, at: clock.now()),
                silentUntil: begin))
        if recordings.quarantine.total > 0 {
            let counts = recordings.quarantine.counts.sorted { $0.key.rawValue < $1.key.rawValue }
            log.write(.warning, "feeds.quarantined", counts.map { (name: $0.key.rawValue, value: "\($0.value)") })
        }
    }

    public var marketDate: TradingDay { recordings.marketDate }

    /// Market time for everyone in this process.
    public var marketClock: MarketClock { MarketClock { [self] in reading() } }

    private func reading() -> MarketClockReading {
        let now = clock.now()
        return core.withLock { $0.running ? $0.clock.reading(at: now) : $0.clock.standing }
    }

    public func quote(_ id: InstrumentID) -> Quote? { core.withLock { $0.state.quotes[id] } }
    public func book(_ id: InstrumentID) -> Book? { core.withLock { $0.state.books[id] } }

    /// Adds a consumer; only before `run`. `capacity` counts waiting events.
    public func register(
        _ name: String, capacity: Int = 65_536, overflow: FeedOverflow = .wait, receive: @escaping @Sendable ([FeedEvent]) async -> Void
    ) {
        core.withLock {
            precondition(!$0.running, "consumer \(name) came after the feed had started")
            $0.consumers.append(Consumer(name: name, overflow: overflow, queue: ConsumerQueue(capacity: capacity), receive: receive))
        }
    }

    /// A new pace; takes effect at once, is told with the next batch.
    public func setSpeed(_ speed: ReplaySpeed) {
        let now = clock.now()
        core.withLock { $0.clock.setSpeed(speed, at: now) }
    }

    /// Jumps forward; false when `time` is not ahead. What lies between is taken into the state but not told trade by trade.
    public func seek(to time: MarketInstant) -> Bool {
        let now = clock.now()
        return core.withLock { core in
            guard core.clock.seek(to: time, at: now) else { return false }
            core.silentUntil = time
            return true
        }
    }

    /// Plays until the task is cancelled.
    public func run() async {
        let now = clock.now()
        let consumers = core.withLock { core in
            if !core.running { core.clock.begin(at: now) }
            core.running = true
            return core.consumers
        }
        await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                for consumer in consumers {
                    group.addTask {
                        while let events = await consumer.queue.take() { await consumer.receive(events) }
                    }
                }
                while !Task.isCancelled {
                    await deliver(step(), to: consumers)
                    do { try await clock.sleep(wake()) } catch { break }
                }
                for consumer in consumers { consumer.queue.close() }
            }
        } onCancel: {
            for consumer in consumers { consumer.queue.close() }
        }
    }

    private func deliver(_ events: [FeedEvent], to consumers: [Consumer]) async {
        guard !events.isEmpty else { return }
        for consumer in consumers {
            switch consumer.overflow {
            case .wait: await consumer.queue.put(events)
            case .skipToLatest:
                if consumer.queue.offer(events) { continue }
                log.write(.warning, "feeds.consumer-behind", [(name: "consumer", value: consumer.name)])
                consumer.queue.replace(latest(after: events))
            }
        }
    }

    private func latest(after events: [FeedEvent]) -> [FeedEvent] {
        let (bodies, reading) = core.withLock { ($0.state.bodies(), $0.clock.reading(at: clock.now())) }
        let sequence = events.last?.sequence ?? 0
        return bodies.map { FeedEvent(sequence: sequence, time: reading.time, body: $0) }
    }

    /// What is due now, taken into the state; the driver hands it on.
    func step() -> [FeedEvent] {
        let now = clock.now()
        return core.withLock { core in
            core.running = true
            return core.step(now)
        }
    }

    private func wake() -> MonotonicInstant {
        let now = clock.now()
        return core.withLock { core in
            if core.clock.speed == .max, core.schedule.nextTime != nil { return now }
            let longest = now.advanced(by: Self.longestSleep)
            guard let next = core.schedule.nextTime, let due = core.clock.moment(of: next) else { return longest }
            return max(min(due, longest), now.advanced(by: Self.gathering))
        }
    }
}

extension FeedHub.Core {
    mutating func step(_ now: MonotonicInstant) -> [FeedEvent] {
        var told: [FeedEvent] = []
        var reading = clock.reading(at: now)
        if announced != 0, announced != clock.epoch {
            announced = clock.epoch
            tell(.clock(reading), reading.time, &told)
        }
        told += silence(reading.time)
        var limit = reading.time
        if clock.speed == .max, let next = schedule.nextTime { limit = max(limit, next.advanced(by: .seconds(10))) }
        for event in schedule.next(until: limit, maximum: FeedHub.batch) {
            state.apply(event)
            tell(event.body, event.time, &told)
        }
        if clock.speed == .max, let last = told.last { clock.played(to: last.time) }
        reading = clock.reading(at: now)
        let caughtUp = schedule.nextTime.map { $0 > reading.time } ?? true
        let old = announcedAt.nanoseconds == .min || announcedAt.duration(to: now) >= FeedHub.announcement
        if caughtUp, announced != clock.epoch || old || (clock.speed == .max && !told.isEmpty) {
            announced = clock.epoch
            announcedAt = now
            tell(.clock(reading), reading.time, &told)
        }
        return told
    }

    private mutating func tell(_ body: FeedEvent.Body, _ time: MarketInstant, _ told: inout [FeedEvent]) {
        sequence += 1
        told.append(FeedEvent(sequence: sequence, time: time, body: body))
    }

    /// Plays up to the start or the goal of a seek: recorded bars and the minutes made on the way are told, the rest becomes state, which
    /// is told whole.
    private mutating func silence(_ now: MarketInstant) -> [FeedEvent] {
        guard let until = silentUntil, until <= now else { return [] }
        silentUntil = nil
        var told: [FeedEvent] = []
        for event in schedule.next(until: until) {
            state.apply(event)
            _ = minutes.apply(event)
            if case .bar = event.body { tell(event.body, event.time, &told) }
        }
        for id in state.quotes.keys.sorted() {
            for bar in minutes.bars(id) where bar.provenance != .recorded { tell(.bar(bar), until, &told) }
        }
        minutes = MinuteBars()
        for body in state.bodies() { tell(body, until, &told) }
        return told
    }
}
