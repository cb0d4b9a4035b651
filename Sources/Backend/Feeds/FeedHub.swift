public import Diagnostics
public import Instruments
public import Messages
public import Streams
import Synchronization
import Texts

/// Runs a source against the market clock, keeps the newest state and hands every event that passes the filter to the consumers in order,
/// each behind its own bounded queue. `register` all consumers, then `run` until cancelled.
public final class FeedHub: Sendable {
    public let facts: MarketFacts
    /// The market date, what came before it and the fixings.
    public let recordings: Recordings
    private let clock: MonotonicClock
    private let wall: WallClock
    private let log: Log
    private let core: Mutex<Core>
    /// The first moment that can be played.
    public let origin: MarketInstant
    /// When the last price of the source comes; `.max`: it is live.
    public let end: MarketInstant
    /// When each instrument's last price comes, and none of an instrument that is not here.
    public let ends: [InstrumentID: MarketInstant]
    /// Whether market time is the wall clock, which nobody sets.
    public let isLive: Bool

    struct Core: Sendable {
        var source: any FeedSource
        var filter: FeedFilter
        var watch: FeedWatch
        var clock: ReplayClock
        var state = FeedState()
        var sequence: UInt64 = 0
        var announced: UInt64 = 0
        var announcedAt = MonotonicInstant(nanoseconds: .min)
        var announcedTime = MarketInstant(nanoseconds: .min)
        /// How the feed stands, as it was told.
        var condition = FeedCondition()
        /// Whether the source said something at the last step.
        var heard = false
        /// Events up to here are state, not news: the start time, or where a seek goes.
        var silentUntil: MarketInstant?
        /// What was played towards `silentUntil` and is not told yet.
        var silence: Silence
        var consumers: [Consumer] = []
        var running = false
    }

    /// Used only while events are not told one by one.
    struct Silence: Sendable {
        var minutes: FeedMinutes
        var recorded: [FeedEvent] = []
        var trades: [InstrumentID: [Tick]] = [:]

        mutating func add(_ trade: Tick) {
            trades[InstrumentID(trade.instrument), default: []].append(trade, keeping: FeedHub.pastTrades)
        }
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
    /// So many trades of an instrument, and up to twice as many, are known of a time that was not told.
    static let pastTrades = 200
    /// Most events of one batch.
    static let batch = 4_096
    /// A start of more batches is told.
    private static let longStart = 100

    /// `source` nil: the recordings. `start` nil: the first moment of the source. What happened before it is known as state when the feed
    /// starts, not told as news. A live source starts now, at live pace.
    public init(
        facts: MarketFacts, recordings: Recordings, source: (any FeedSource)? = nil, clock: MonotonicClock, wall: WallClock = .live,
        log: Log = .none, start: MarketInstant? = nil, speed: ReplaySpeed = .live
    ) throws(CalendarFault) {
        self.facts = facts
        self.recordings = recordings
        self.clock = clock
        self.wall = wall
        self.log = log
        let source = if let source { source } else { try ReplaySchedule(recordings, facts: facts) as any FeedSource }
        (origin, end, ends) = (source.origin, source.end, source.ends)
        isLive = source.pace == .live
        let begin = isLive ? MarketInstant(nanoseconds: wall.now()) : max(start ?? source.origin, source.origin)
        core = Mutex(
            Core(
                source: source, filter: FeedFilter(facts: facts, pace: source.pace), watch: FeedWatch(isLive: isLive),
                clock: ReplayClock(start: begin, speed: isLive ? .live : speed, at: clock.now()), silentUntil: begin,
                silence: Silence(minutes: FeedMinutes(facts: facts))))
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

    /// Minutes that are known of the time before the start, told with it; only before `run`.
    public func know(_ minutes: [Bar]) {
        core.withLock { core in
            guard !core.running, let until = core.silentUntil else { preconditionFailure("minutes came after the feed had started") }
            for bar in minutes { _ = core.silence.minutes.apply(FeedEvent(sequence: 0, time: until, body: .bar(bar))) }
        }
    }

    /// What the source said and was not believed (F-8); recordings count their own.
    public var quarantine: Quarantine { core.withLock { $0.filter.quarantine } }
    /// Numbers of the source that never came.
    public var missing: UInt64 { core.withLock { $0.filter.missing } }

    /// A new pace; takes effect at once, is told with the next batch. A live feed has its own.
    public func setSpeed(_ speed: ReplaySpeed) {
        guard !isLive else { return }
        let now = clock.now()
        core.withLock { $0.clock.setSpeed(speed, at: now) }
    }

    /// For tests: how many events were told.
    var told: UInt64 { core.withLock { $0.sequence } }

    /// A live feed that will not come back by itself: told with the next batch.
    public func markStopped() { core.withLock { $0.condition.isStopped = true } }

    /// How the feed stands, as it was told last.
    public var condition: FeedInfo { core.withLock { $0.condition.told } }

    /// Jumps forward; false when `time` is not ahead, or the feed is live. What lies between is taken into the state but not told trade by trade.
    public func seek(to time: MarketInstant) -> Bool {
        guard !isLive else { return false }
        let now = clock.now()
        return core.withLock { core in
            guard core.clock.seek(to: time, at: now) else { return false }
            core.silentUntil = time
            return true
        }
    }

    /// Plays until the task is cancelled. What happened before the start may take a while to play: market time stands until it is known,
    /// then `begun` is called.
    public func run(begun: @Sendable () -> Void = {}) async {
        let start = core.withLock { $0.silentUntil }
        var pieces = 0
        while core.withLock({ $0.catchesUp() }) {
            if Task.isCancelled { return }
            pieces += 1
            if pieces == Self.longStart {
                log.write(
                    .info, "feeds.catching-up", [(name: "until", value: start.map { TimeFormat.hongKong.rfc3339($0.nanoseconds) } ?? "")])
            }
            await Task.yield()
        }
        let now = clock.now()
        let consumers = core.withLock { core in
            if !core.running { core.clock.begin(at: now) }
            core.running = true
            return core.consumers
        }
        begun()
        // Queues are closed when nothing more is put: what was taken from the source reaches every consumer, also at the end.
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
            // What was pushed since is nowhere else.
            if isLive { await deliver(step(), to: consumers) }
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
        let (bodies, reading) = core.withLock { core in
            (core.state.bodies() + [.feed(core.condition.told)], core.clock.reading(at: clock.now()))
        }
        let sequence = events.last?.sequence ?? 0
        return bodies.map { FeedEvent(sequence: sequence, time: reading.time, body: $0) }
    }

    /// What is due now, taken into the state; the driver hands it on.
    func step() -> [FeedEvent] {
        let now = clock.now()
        let time = isLive ? MarketInstant(nanoseconds: wall.now()) : nil
        let (events, news) = core.withLock { core in
            core.running = true
            let events = core.step(now, wall: time)
            return (events, core.news(now))
        }
        for item in news { log.write(.warning, item.event, item.fields) }
        return events
    }

    private func wake() -> MonotonicInstant {
        let now = clock.now()
        return core.withLock { core in
            if core.clock.speed == .max, core.source.nextTime != nil { return now }
            // What is pushed cannot wake us: it waits no longer than what is gathered.
            let longest = now.advanced(by: isLive ? Self.gathering : Self.longestSleep)
            guard let next = core.source.nextTime, let due = core.clock.moment(of: next) else { return longest }
            return max(min(due, longest), now.advanced(by: Self.gathering))
        }
    }
}

extension FeedHub.Core {
    /// `wall`: the time of a live source.
    mutating func step(_ now: MonotonicInstant, wall: MarketInstant? = nil) -> [FeedEvent] {
        var told: [FeedEvent] = []
        if let wall { clock.follow(wall, at: now) }
        var reading = clock.reading(at: now)
        if announced != 0, announced != clock.epoch {
            announced = clock.epoch
            tell(.clock(reading), reading.time, &told)
        }
        told += toldAfterSilence(reading.time)
        var limit = reading.time
        if clock.speed == .max, let next = source.nextTime { limit = max(limit, next.advanced(by: .seconds(10))) }
        let events = source.next(until: limit, maximum: FeedHub.batch)
        heard = !events.isEmpty
        for event in events where filter.admits(event, now: limit) {
            state.apply(event)
            // Nothing earlier than the clock that was told: a live event is as late as its way was long.
            tell(event.body, max(event.time, announcedTime), &told)
        }
        if clock.speed == .max, let last = told.last { clock.played(to: last.time) }
        reading = clock.reading(at: now)
        let caughtUp = source.nextTime.map { $0 > reading.time } ?? true
        let old = announcedAt.nanoseconds == .min || announcedAt.duration(to: now) >= FeedHub.announcement
        if caughtUp, announced != clock.epoch || old || (clock.speed == .max && !told.isEmpty) {
            announced = clock.epoch
            announcedAt = now
            announcedTime = reading.time
            tell(.clock(reading), reading.time, &told)
        }
        if let changed = condition.changed(source, watch, clock, reading.time, at: now) { tell(.feed(changed), reading.time, &told) }
        return told
    }

    /// What is wrong with the source, to be logged.
    mutating func news(_ now: MonotonicInstant) -> [FeedWatch.News] {
        let state = state
        return watch.look(filter, heard: heard, isOpen: { state.isOpen }, at: now)
    }

    private mutating func tell(_ body: FeedEvent.Body, _ time: MarketInstant, _ told: inout [FeedEvent]) {
        sequence += 1
        told.append(FeedEvent(sequence: sequence, time: time, body: body))
    }

    /// Plays a piece of what lies before the start or the goal of a seek; false: all of it is played. A simulated day before noon may be
    /// millions of events: never all at once in memory, nor in one turn.
    mutating func catchesUp() -> Bool {
        guard let until = silentUntil else { return false }
        if let past = source.pass(to: until) {
            for event in past.events where filter.admitsPast(event, now: until) { know(event) }
            filter.goOn(after: past.sequence)
            return !past.isLast
        }
        let events = source.next(until: until, maximum: FeedHub.batch)
        for event in events where filter.admits(event, now: until) {
            state.apply(event)
            _ = silence.minutes.apply(event)
            switch event.body {
            // Other minutes are told with those that are made here.
            case .bar(let bar) where bar.provenance == .recorded || bar.period != .minute1: silence.recorded.append(event)
            case .trade(let trade): silence.add(trade)
            case .quote, .book, .bar, .phase, .fx, .clock, .past, .feed, .refused: break
            }
        }
        return !events.isEmpty
    }

    /// What a time that was not played left behind.
    private mutating func know(_ event: FeedEvent) {
        switch event.body {
        case .bar: _ = silence.minutes.apply(event)
        case .past(let trades): for trade in trades { silence.add(trade) }
        // Its price is in the minutes.
        case .quote, .book, .trade, .phase, .fx, .clock, .feed, .refused: state.apply(event)
        }
    }

    /// Plays up to the start or the goal of a seek: recorded bars and the minutes made on the way are told, the rest becomes state, which
    /// is told whole.
    private mutating func toldAfterSilence(_ now: MarketInstant) -> [FeedEvent] {
        guard let until = silentUntil, until <= now else { return [] }
        while catchesUp() {}
        silentUntil = nil
        var told: [FeedEvent] = []
        for event in silence.recorded { tell(event.body, event.time, &told) }
        for id in state.quotes.keys.sorted() {
            if let trades = silence.trades[id] { tell(.past(trades), until, &told) }
            // A recording tells its minutes and auctions itself.
            for bar in silence.minutes.own(id) where bar.provenance != .recorded { tell(.bar(bar), until, &told) }
        }
        silence = FeedHub.Silence(minutes: FeedMinutes(facts: silence.minutes.facts))
        for body in state.bodies() { tell(body, until, &told) }
        return told
    }
}
