import Instruments
import Messages
import Streams
import Synchronization
import Testing

@testable import Feeds

/// F-7: a server that starts in the middle of a synthetic day passes over what came before, and stands where it would have stood had it
/// played it: prices, minutes, sums, books, trades, and every event from then on.
struct SyntheticPastTests {
    static let plan = SyntheticPlan(seed: 3, instruments: 34, interval: .seconds(240))
    static let world = Result { () throws -> (MarketFacts, Recordings) in
        let (shipped, recordings) = try Shipped.result.get()
        return (SyntheticMarket.facts(shipped, for: plan, on: recordings.marketDate), recordings)
    }
    let facts: MarketFacts
    let recordings: Recordings

    init() throws { (facts, recordings) = try Self.world.get() }

    /// The same source without the way round: it has to be played.
    private struct Played: FeedSource {
        var feed: SyntheticFeed
        var pace: FeedPace { feed.pace }
        var origin: MarketInstant { feed.origin }
        var end: MarketInstant { feed.end }
        var ends: [InstrumentID: MarketInstant] { feed.ends }
        var nextTime: MarketInstant? { feed.nextTime }
        mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent] { feed.next(until: limit, maximum: maximum) }
    }

    /// Everything a consumer has seen, as far as it can be compared.
    private struct Seen {
        var state = FeedState()
        var minutes: [UInt32: [Bar]] = [:]
        /// Over all events after the first look.
        var stream: UInt64 = 1
        var trades: [UInt32: [Tick]] = [:]
        var quarantined = 0
        var missing: UInt64 = 0

        /// What is not the same, in few words: the whole of it is megabytes.
        func differences(_ other: Self) -> [String] {
            var found: [String] = []
            for (id, quote) in state.quotes where quote != other.state.quotes[id] {
                found.append("quote \(id)")
            }
            if state.quotes.count != other.state.quotes.count { found.append("quotes") }
            for (id, book) in state.books where book != other.state.books[id] { found.append("book \(id)") }
            if state.books.count != other.state.books.count { found.append("books") }
            if state.rates != other.state.rates { found.append("rates") }
            for (id, bars) in minutes where bars != other.minutes[id] { found.append("minutes \(id)") }
            for (id, ticks) in trades where ticks != other.trades[id] { found.append("trades \(id)") }
            if trades.count != other.trades.count { found.append("trades") }
            if stream != other.stream { found.append("stream") }
            if quarantined != other.quarantined || missing != other.missing { found.append("filter") }
            return Array(found.prefix(4))
        }
    }

    /// A hub and its one consumer on a clock moved by hand.
    private struct Rig {
        let clock = ManualClock()
        let hub: FeedHub
        var minutes: FeedMinutes
        var seen = Seen()

        init(_ source: any FeedSource, _ facts: MarketFacts, _ recordings: Recordings, start: MarketInstant?) throws {
            hub = try FeedHub(facts: facts, recordings: recordings, source: source, clock: clock.port, start: start)
            minutes = FeedMinutes(facts: facts)
        }

        /// Up to that moment, in as many steps as it takes; returns what was told.
        mutating func play(to time: MarketInstant) throws {
            let ahead = hub.marketClock.now.duration(to: time)
            if ahead > .zero { clock.nanoseconds.withLock { $0 += ahead.nanoseconds } }
            while true {
                let events = hub.step()
                for event in events {
                    seen.state.apply(event)
                    _ = minutes.apply(event)
                    switch event.body {
                    case .trade(let tick): seen.trades[tick.instrument, default: []].append(tick)
                    case .past(let ticks): for tick in ticks { seen.trades[tick.instrument, default: []].append(tick) }
                    case .quote, .book, .phase, .bar, .fx, .clock, .feed, .refused: break
                    }
                }
                try digest(events, into: &seen.stream)
                if events.count < FeedHub.batch { break }
            }
            (seen.quarantined, seen.missing) = (hub.quarantine.total, hub.missing)
            for instrument in hub.facts.instruments.all { seen.minutes[instrument.id.rawValue] = minutes.bars(instrument.id) }
        }

        /// Only the newest trades of a time that was passed are known; from here on every event counts.
        mutating func forget() {
            seen.trades = seen.trades.mapValues { $0.suffix(FeedHub.pastTrades) }
            seen.stream = 1
        }
    }

    private func feed(_ plan: SyntheticPlan = plan) throws -> SyntheticFeed {
        try SyntheticFeed(plan, facts: facts, recordings: recordings)
    }

    /// A server that starts then, one that played the past and one that was never away, on the way to `later`.
    private func check(
        _ time: MarketInstant, _ later: MarketInstant, _ source: SyntheticFeed, _ facts: MarketFacts, _ recordings: Recordings
    ) throws {
        var restarted = try Rig(source, facts, recordings, start: time)
        var played = try Rig(Played(feed: source), facts, recordings, start: time)
        var whole = try Rig(source, facts, recordings, start: nil)
        try restarted.play(to: time)
        try played.play(to: time)
        try whole.play(to: time)
        #expect(restarted.seen.differences(played.seen) == [])
        #expect(restarted.hub.told == played.hub.told)
        restarted.forget()
        played.forget()
        whole.forget()
        #expect(restarted.seen.differences(whole.seen) == [])
        try restarted.play(to: later)
        try played.play(to: later)
        try whole.play(to: later)
        #expect(restarted.seen.differences(played.seen) == [])
        #expect(restarted.seen.differences(whole.seen) == [])
        #expect(restarted.hub.told == played.hub.told)
        #expect(restarted.seen.quarantined == 0 && restarted.seen.missing == 0)
    }

    @Test(arguments: UInt64(0)..<20)
    func aRestartAtAnyMomentIsNoDifference(seed: UInt64) throws {  // F-7
        var random = SeededRandom(seed: seed, 77)
        let source = try feed(SyntheticPlan(seed: seed, instruments: Self.plan.instruments, interval: Self.plan.interval))
        let span = source.origin.duration(to: source.end).nanoseconds
        // The night before is days long and nearly empty: half of the moments lie in the day.
        let from = seed % 2 == 0 ? source.origin.nanoseconds : source.opening.nanoseconds
        let time = MarketInstant(nanoseconds: from + random.below(source.origin.nanoseconds + span - from))
        try check(time, time.advanced(by: .seconds(60 + random.below(5_400))), source, facts, recordings)
    }

    @Test(arguments: [
        "2026-11-30T00:30:00Z", "2026-11-30T01:00:00Z", "2026-11-30T01:21:00Z", "2026-11-30T01:30:00Z", "2026-11-30T04:00:00Z",
        "2026-11-30T04:30:00Z", "2026-11-30T08:09:00Z", "2026-11-30T08:10:30Z", "2026-11-30T12:00:00Z", "2026-11-30T14:30:00Z",
        "2026-11-30T18:00:00Z", "2026-11-30T21:00:00Z", "2026-11-30T23:30:00Z", "2026-12-01T02:00:00Z",
    ])
    func momentsAtWhichSomethingBeginsAreNoDifferenceEither(text: String) throws {  // F-5, F-7
        let time = try utc(text)
        try check(time, time.advanced(by: .seconds(1_200)), feed(), facts, recordings)
    }

    @Test func theNightSessionBeforeTheDayIsNoDifference() throws {  // F-7, E-4
        let source = try feed()
        for hours in [0, 1, 30] as [Int64] {
            let time = source.origin.advanced(by: .seconds(hours * 3_600 + 61))
            try check(time, time.advanced(by: .seconds(600)), source, facts, recordings)
        }
    }

    @Test(arguments: ["03:59:30", "04:00:20", "04:07:00", "04:30:00", "17:59:30", "18:30:00"])
    func aHalfDayIsNoDifference(clock: String) throws {  // F-7
        let day = try #require(TradingDay("2026-12-24"))
        let (shipped, shippedRecordings) = try Shipped.result.get()
        let facts = SyntheticMarket.facts(shipped, for: Self.plan, on: day)
        let recordings = shippedRecordings.withoutTapes(on: day)
        let source = try SyntheticFeed(Self.plan, facts: facts, recordings: recordings)
        let time = try utc("2026-12-24T\(clock)Z")
        try check(time, time.advanced(by: .seconds(900)), source, facts, recordings)
    }

    @Test func aJumpPassesOverWhatLiesBetween() throws {  // F-7, Q-1
        let source = try feed()
        let (start, goal) = (try utc("2026-11-30T02:00:10Z"), try utc("2026-11-30T05:30:25Z"))
        var passed = try Rig(source, facts, recordings, start: start)
        var played = try Rig(Played(feed: source), facts, recordings, start: start)
        for time in [start, start.advanced(by: .seconds(90))] {
            try passed.play(to: time)
            try played.play(to: time)
        }
        #expect(passed.hub.seek(to: goal) && played.hub.seek(to: goal))
        for time in [goal, goal.advanced(by: .seconds(900))] {
            try passed.play(to: time)
            try played.play(to: time)
            #expect(passed.seen.differences(played.seen) == [])
            #expect(passed.hub.told == played.hub.told)
        }
        #expect(passed.seen.missing == 0)
    }

    /// A start is passed over in pieces, and where it goes may change between two of them.
    @Test func piecesGoOnWhereAnotherGoalIsNamed() throws {  // F-7
        let (near, far) = (try utc("2026-11-30T02:40:00Z"), try utc("2026-11-30T02:50:00Z"))
        let source = try feed(SyntheticPlan(seed: 5, instruments: 60, interval: .seconds(1)))
        var straight = source
        var pieces = 0
        while let past = straight.pass(to: far) {
            pieces += 1
            if past.isLast { break }
        }
        #expect(pieces > 1)
        var turned = source
        let first = turned.pass(to: near)
        #expect(first?.isLast == false)
        while let past = turned.pass(to: far), !past.isLast {}
        var left = source
        _ = left.pass(to: near)
        _ = left.next(until: far, maximum: .max)
        for other in [turned, left] {
            var (one, other) = (straight, other)
            let until = far.advanced(by: .seconds(5))
            let (expected, events) = (one.next(until: until, maximum: .max), other.next(until: until, maximum: .max))
            var hashes: (UInt64, UInt64) = (1, 1)
            try digest(expected, into: &hashes.0)
            try digest(events, into: &hashes.1)
            #expect(hashes.0 == hashes.1 && expected.first?.sequence == events.first?.sequence)
        }
    }

    @Test(arguments: UInt64(0)..<50)
    func theNewestTradesAreThoseAPlayedPastWouldHaveLeft(seed: UInt64) {  // F-7
        var random = SeededRandom(seed: seed)
        var trades = LastTrades()
        for _ in 0..<3 {
            var kept: [Tick] = []
            for number in 0..<UInt64(random.below(1_500)) {
                var tick = Tick()
                tick.sequence = number
                kept.append(tick, keeping: FeedHub.pastTrades)
                trades.add(.init(time: 0, price: 0, size: 0, side: .buyer, number: number))
            }
            #expect(trades.take().map(\.number) == kept.map(\.sequence))
        }
    }
}

struct GridBandTests {
    @Test(arguments: UInt64(0)..<50)
    func theNearestPriceIsThatOfTheTable(seed: UInt64) throws {  // F-7, F-8
        let facts = try Shipped.result.get().0
        var random = SeededRandom(seed: seed)
        for symbol in ["700.HK", "AAPL.US", "HSI2612.HKFE", "ES2612.CME"] {
            let grid = Feeds.PriceGrid(
                ticks: facts.ticks, instrument: try instrument(symbol, facts), day: try #require(TradingDay("2026-11-30")))
            var band = GridBand()
            var price: Int64 = random.below(25_000_000_000)
            for _ in 0..<400 {
                price += random.below(price / 20 + 2_000_000) - price / 41
                #expect(band.nearest(price, grid) == grid.nearest(price))
            }
        }
    }
}
