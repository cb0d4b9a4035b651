import Diagnostics
import Exact
import Instruments
import Messages
import Streams
import Synchronization
import Testing

@testable import Feeds

/// A source made of a list, for tests of the port.
struct ListSource: FeedSource {
    var events: [FeedEvent]
    var pace: FeedPace
    var origin: MarketInstant
    var end: MarketInstant
    var ends: [InstrumentID: MarketInstant] = [:]
    var nextTime: MarketInstant? { events.first?.time }

    init(_ events: [FeedEvent], pace: FeedPace) {
        self.events = events
        self.pace = pace
        origin = events.first?.time ?? .init(nanoseconds: 0)
        end = events.last?.time ?? origin
    }

    mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent] {
        let count = min(maximum, events.firstIndex { $0.time > limit } ?? events.count)
        defer { events.removeFirst(count) }
        return Array(events.prefix(count))
    }
}

struct FeedFilterTests {
    let facts: MarketFacts
    let stock: Instrument
    let day: TradingDay
    let now: MarketInstant

    init() throws {
        facts = try Shipped.result.get().0
        stock = try instrument("700", facts)
        day = try #require(TradingDay("2026-11-30"))
        now = try utc("2026-11-30T02:00:00Z")
    }

    private func tick(_ price: Int64 = 366_000_000_000, size: Int64 = 10_000_000_000, after seconds: Int64 = 0) -> Tick {
        var tick = Tick()
        tick.instrument = stock.id.rawValue
        tick.timeNs = now.nanoseconds + seconds * 1_000_000_000
        tick.price = price
        tick.size = size
        tick.provenance = .live
        return tick
    }

    private func quote(_ change: (inout Quote) -> Void = { _ in }) -> Quote {
        var quote = Quote()
        quote.instrument = stock.id.rawValue
        quote.timeNs = now.nanoseconds
        quote.last = 366_000_000_000
        quote.lastTimeNs = now.nanoseconds
        quote.lastSize = 10_000_000_000
        change(&quote)
        return quote
    }

    private func event(_ number: UInt64, _ body: FeedEvent.Body) -> FeedEvent {
        let time: Int64
        switch body {
        case .trade(let tick): time = tick.timeNs
        case .quote(let quote): time = quote.timeNs
        default: time = now.nanoseconds
        }
        return FeedEvent(sequence: number, time: .init(nanoseconds: time), body: body)
    }

    private func reason(_ body: FeedEvent.Body, pace: FeedPace? = nil, after: [FeedEvent.Body] = []) -> Quarantine.Reason? {
        var filter = FeedFilter(facts: facts, pace: pace ?? .played(day))
        for (index, body) in after.enumerated() {
            let isSound = filter.admits(event(UInt64(index + 1), body), now: now)
            #expect(isSound)
        }
        if filter.admits(event(UInt64(after.count + 1), body), now: now) { return nil }
        #expect(filter.quarantine.total == 1)
        return filter.quarantine.counts.first?.key
    }

    @Test func whatIsSoundPasses() {  // F-8
        for pace in [FeedPace.played(day), .live] {
            #expect(reason(.trade(tick()), pace: pace) == nil)
            #expect(reason(.quote(quote()), pace: pace) == nil)
        }
    }

    @Test func pricesAndSizesOfNoMarketAreQuarantined() {  // F-8
        #expect(reason(.trade(tick(366_100_000_000))) == .offTick)
        #expect(reason(.trade(tick(0))) == .notPositive)
        #expect(reason(.trade(tick(size: .max))) == .tooLarge)
        #expect(reason(.trade(tick(size: .min))) == .negativeVolume)
        #expect(reason(.quote(quote { $0.lastSize = .max })) == .tooLarge)
        #expect(reason(.quote(quote { $0.volume = .max })) == .tooLarge)
        #expect(reason(.quote(quote { $0.bid = 366_100_000_000 })) == .offTick)
        #expect(
            reason(
                .quote(
                    quote {
                        ($0.bid, $0.bidSize, $0.ask, $0.askSize) = (366_200_000_000, 1, 366_000_000_000, 1)
                    })) == .crossedBook)
        var book = Book()
        book.instrument = stock.id.rawValue
        book.timeNs = now.nanoseconds
        book.bids = [level(366_000_000_000), level(366_200_000_000)]
        #expect(reason(.book(book)) == .crossedBook)
        var bar = Bar()
        bar.instrument = stock.id.rawValue
        bar.startNs = now.nanoseconds - 60_000_000_000
        (bar.open, bar.high, bar.low, bar.close) = (366_000_000_000, 365_000_000_000, 366_000_000_000, 366_000_000_000)
        #expect(reason(.bar(bar)) == .highBelowLow)
    }

    private func level(_ price: Int64) -> BookLevel {
        var level = BookLevel()
        level.price = price
        level.size = 10_000_000_000
        return level
    }

    @Test func sizesThatNoSumHoldsAreQuarantined() {  // F-8
        let large = tick(size: FeedStanding.largestSize)
        #expect(reason(.trade(large), after: Array(repeating: .trade(large), count: 4)) == .tooLarge)
    }

    @Test func timesThatCannotBeAreQuarantined() {  // F-8, Q-1
        #expect(reason(.trade(tick(after: -1)), after: [.trade(tick())]) == .timeBackwards)
        // Live trades come in bundles that are not in order; what is older than that is a mistake.
        #expect(reason(.trade(tick(after: -1)), pace: .live, after: [.trade(tick())]) == nil)
        #expect(reason(.trade(tick(after: -6)), pace: .live, after: [.trade(tick())]) == .timeBackwards)
        for pace in [FeedPace.played(day), .live] { #expect(reason(.trade(tick(after: 86_400)), pace: pace) == .ahead) }
        #expect(reason(.trade(tick(after: -86_400)), pace: .live) == .tooOld)
        // Seconds taken for milliseconds, and milliseconds for seconds.
        var wrong = tick()
        wrong.timeNs = now.nanoseconds / 1000
        #expect(reason(.trade(wrong), pace: .live) == .tooOld)
        wrong.timeNs = .max
        #expect(reason(.trade(wrong), pace: .live) == .ahead)
        wrong.timeNs = .min
        #expect(reason(.trade(wrong), pace: .live) == .tooOld)
        #expect(reason(.quote(quote { $0.lastTimeNs = now.nanoseconds + 60_000_000_000 })) == .ahead)
    }

    @Test func unknownAndRepeatedAreQuarantinedAndGapsCounted() {  // F-8
        var stranger = tick()
        stranger.instrument = 4_000_000_000
        #expect(reason(.trade(stranger)) == .unknownInstrument)
        #expect(reason(.phase(instrument: InstrumentID(4_000_000_000), .continuous)) == .unknownInstrument)
        var filter = FeedFilter(facts: facts, pace: .played(day))
        for (number, isSound) in [(3, true), (3, false), (2, false), (7, true), (8, true)] as [(UInt64, Bool)] {
            let admitted = filter.admits(event(number, .trade(tick())), now: now)
            #expect(admitted == isSound)
        }
        #expect(filter.quarantine.counts == [.repeated: 2])
        #expect(filter.missing == 3)
    }

    @Test func theHubTellsNothingThatIsQuarantined() throws {  // F-7, F-8
        let recordings = try Shipped.result.get().1
        let events = [event(1, .quote(quote())), event(2, .trade(tick(366_100_000_000, after: 1))), event(3, .trade(tick(after: 2)))]
        let clock = ManualClock()
        let hub = try FeedHub(
            facts: facts, recordings: recordings, source: ListSource(events, pace: .played(day)), clock: clock.port)
        _ = hub.step()
        clock.nanoseconds.withLock { $0 = 10_000_000_000 }
        let told = hub.step().compactMap { event -> Tick? in if case .trade(let tick) = event.body { tick } else { nil } }
        #expect(told.map(\.price) == [366_000_000_000])
        #expect(hub.quarantine.counts == [.offTick: 1])
        #expect(hub.end == now.advanced(by: .seconds(2)))
    }

    @Test func theReplayPassesWhole() throws {  // F-8
        let recordings = try Shipped.result.get().1
        var schedule = try ReplaySchedule(recordings, facts: facts)
        var filter = FeedFilter(facts: facts, pace: schedule.pace)
        let end = MarketInstant(nanoseconds: .max)
        for event in schedule.next(until: end, maximum: .max) { _ = filter.admits(event, now: end) }
        #expect(filter.quarantine.counts == [:] && filter.missing == 0)
    }
}

struct LiveFeedTests {
    let facts: MarketFacts
    let recordings: Recordings
    init() throws { (facts, recordings) = try Shipped.result.get() }

    private func tick(_ number: UInt64, _ id: InstrumentID, _ time: MarketInstant) -> FeedEvent {
        var tick = Tick()
        tick.instrument = id.rawValue
        tick.timeNs = time.nanoseconds
        tick.price = 150_000_000_000
        tick.size = 100_000_000
        tick.provenance = .live
        return FeedEvent(sequence: number, time: time, body: .trade(tick))
    }

    @Test func marketTimeIsTheWallClockAndNeverGoesBack() throws {
        let wall = Mutex(try utc("2026-11-30T14:29:59Z").nanoseconds)
        let clock = ManualClock()
        let id = try instrument("AAPL", facts).id
        let feed = LiveFeed([id], facts: facts)
        let hub = try FeedHub(
            facts: facts, recordings: recordings, source: feed.source(at: utc("2026-11-30T14:29:59Z")), clock: clock.port,
            wall: WallClock { wall.withLock { $0 } }, speed: .paused)
        func pass(_ seconds: Int64, wall step: Int64) -> [FeedEvent] {
            clock.nanoseconds.withLock { $0 += seconds * 1_000_000_000 }
            wall.withLock { $0 += step * 1_000_000_000 }
            return hub.step()
        }
        _ = hub.step()
        #expect(hub.quote(id)?.phase == .preMarket && hub.isLive && hub.end.nanoseconds == .max)
        #expect(!hub.seek(to: try utc("2026-12-01T00:00:00Z")))
        _ = pass(1, wall: 1)
        #expect(hub.quote(id)?.phase == .continuous)
        // The machine slept.
        _ = pass(1, wall: 100)
        #expect(hub.marketClock.now == (try utc("2026-11-30T14:31:40Z")))
        _ = pass(1, wall: -50)
        #expect(hub.marketClock.now >= (try utc("2026-11-30T14:31:40Z")))
        let stood = hub.marketClock.now
        _ = pass(10, wall: 10)
        #expect(hub.marketClock.now == stood)
        _ = pass(50, wall: 50)
        #expect(hub.marketClock.now == (try utc("2026-11-30T14:31:50Z")))
    }

    @Test func whatIsPushedIsToldWithinOneBatch() throws {  // F-7
        let start = try utc("2026-11-30T15:00:00Z")
        let id = try instrument("AAPL", facts).id
        let feed = LiveFeed([id], facts: facts, capacity: 3)
        let clock = ManualClock()
        let hub = try FeedHub(
            facts: facts, recordings: recordings, source: feed.source(at: start), clock: clock.port,
            wall: WallClock { start.nanoseconds + clock.nanoseconds.withLock { $0 } })
        _ = hub.step()
        clock.nanoseconds.withLock { $0 += 2_000_000_000 }
        feed.push((1...5).map { tick($0, id, start.advanced(by: .milliseconds(Int($0)))) })
        feed.push([tick(5, id, start.advanced(by: .milliseconds(5)))])
        let told = hub.step()
        let ticks = told.compactMap { event -> Int64? in if case .trade(let tick) = event.body { tick.timeNs } else { nil } }
        // The oldest went for want of room, the repeated one was quarantined.
        #expect(ticks == [4, 5].map { start.nanoseconds + $0 * 1_000_000 })
        #expect(feed.dropped == 3 && hub.quarantine.counts == [.repeated: 1])
        // The clock was told past them: they are told as of then.
        let first = try #require(told.first)
        #expect(first.time >= start)
    }
}

struct FeedWatchTests {
    @Test func aFeedThatStopsIsToldOnce() throws {  // F-8
        let facts = try Shipped.result.get().0
        let filter = FeedFilter(facts: facts, pace: .live)
        var watch = FeedWatch(isLive: true)
        func look(_ seconds: Int64, heard: Bool = false, isOpen: Bool = true) -> [String] {
            watch.look(filter, heard: heard, isOpen: { isOpen }, at: .init(nanoseconds: seconds * 1_000_000_000)).map(\.event)
        }
        #expect(look(0, heard: true) == [])
        #expect(look(59) == [])
        #expect(look(60) == ["feeds.silent"])
        #expect(look(200) == [])
        #expect(look(201, heard: true) == ["feeds.resumed"])
        // Silence of a closed market is right.
        #expect(look(300, isOpen: false) == [])
        #expect(look(301) == [])
        #expect(look(359) == [])
        #expect(look(360) == ["feeds.silent"])
    }
}
