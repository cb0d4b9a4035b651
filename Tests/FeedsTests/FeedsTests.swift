import Diagnostics
import Exact
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import WireCodec

@testable import Feeds

/// Shipped data, read once for all tests.
enum Shipped {
    static let result = Result { () throws -> (MarketFacts, Recordings) in
        let folder = try DataFolder.locate()
        let facts = try MarketFacts(folder)
        return (facts, try Recordings(folder, facts: facts))
    }
}

func instrument(_ symbol: String, _ facts: MarketFacts) throws -> Instrument {
    try facts.instruments.resolve(symbol, on: #require(TradingDay("2026-11-30"))).get()
}

func utc(_ text: String) throws -> MarketInstant { MarketInstant(nanoseconds: try #require(RecordingReader.instant(Substring(text)))) }

/// FNV-1a over what the events say.
func digest(_ events: [FeedEvent], into hash: inout UInt64) throws {
    func add(_ bytes: [UInt8]) { for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
    for event in events {
        switch event.body {
        case .quote(let quote): add(try quote.serializedBytes())
        case .book(let book): add(try book.serializedBytes())
        case .trade(let tick): add(try tick.serializedBytes())
        case .bar(let bar): add(try bar.serializedBytes())
        case .phase(let id, let phase): add([UInt8(truncatingIfNeeded: id.rawValue), UInt8(truncatingIfNeeded: phase.rawValue)])
        case .fx(let rate): add([UInt8(truncatingIfNeeded: rate.nanos)])
        case .clock, .past, .feed, .refused: continue
        }
        add([UInt8(truncatingIfNeeded: event.time.nanoseconds), UInt8(truncatingIfNeeded: event.time.nanoseconds >> 32)])
    }
}

struct DerivedPathTests {
    let facts: MarketFacts
    init() throws { facts = try Shipped.result.get().0 }

    @Test(arguments: UInt64(0)..<200)
    func aPathKeepsToItsBar(seed: UInt64) throws {  // F-7, Q-2
        var random = SeededRandom(seed: seed)
        for symbol in ["700.HK", "AAPL.US", "HSI2612.HKFE", "HSI.INDX"] {
            let instrument = try instrument(symbol, facts)
            let grid = Feeds.PriceGrid(ticks: facts.ticks, instrument: instrument, day: try #require(TradingDay("2026-11-30")))
            let bar = try randomBar(grid, &random, index: instrument.kind == .index)
            let lot = instrument.kind == .index ? 0 : instrument.lot.units
            let wanted = 1 + Int(random.below(40))
            var again = random
            let prints = DerivedPath(grid: grid, lot: lot).prints(bar, wanted: wanted, random: &random)
            #expect(prints == DerivedPath(grid: grid, lot: lot).prints(bar, wanted: wanted, random: &again))
            try check(prints, bar, grid, lot)
        }
    }

    private func randomBar(_ grid: Feeds.PriceGrid, _ random: inout SeededRandom, index: Bool) throws -> TapeBar {
        let base = try #require(grid.nearest(20_000_000_000 + random.below(500_000_000_000)))
        let prices = try (0..<4).map { _ in try #require(grid.nearest(base + random.below(base / 50 + 1))) }.sorted()
        let flip = random.below(2) == 0
        let lots: Int64 = random.below(5) == 0 ? random.below(5) : random.below(5000)
        let odd: Int64 = random.below(3) == 0 ? random.below(99) * 100_000_000 : 0
        let volume = index ? 0 : lots * grid.instrument.lot.units + (grid.instrument.lot.units > 100_000_000 ? odd : 0)
        let start: Int64 = 1_000_000_000_000
        return TapeBar(
            start: start, end: start + 60_000_000_000, open: prices[flip ? 1 : 2], high: prices[3], low: prices[0],
            close: prices[flip ? 2 : 1], volume: volume, turnover: nil, period: .minute1, recordedOn: nil)
    }

    private func check(_ prints: [Print], _ bar: TapeBar, _ grid: Feeds.PriceGrid, _ lot: Int64) throws {
        if bar.volume == 0, lot > 0, bar.high == bar.low {
            #expect(prints.isEmpty)
            return
        }
        #expect(prints.first?.price == bar.open)
        #expect(prints.last?.price == bar.close)
        #expect(prints.map(\.price).max() == bar.high)
        #expect(prints.map(\.price).min() == bar.low)
        #expect(prints.reduce(0) { $0 + $1.size } == bar.volume)
        #expect(prints.allSatisfy { $0.size >= 0 && bar.start <= $0.time && $0.time < bar.end })
        #expect(prints.allSatisfy { grid.ticks.isOnTick(Price(nanos: $0.price), for: grid.instrument, on: grid.day) })
        #expect(zip(prints, prints.dropFirst()).allSatisfy { $0.time < $1.time })
        if lot > 0 { #expect(prints.dropLast().allSatisfy { $0.size % lot == 0 }) }
    }

    @Test(arguments: UInt64(0)..<200)
    func aSimulatedBookIsNeverCrossed(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let instrument = try instrument(["700.HK", "AAPL.US", "ES2612.CME"][Int(seed % 3)], facts)
        let grid = Feeds.PriceGrid(ticks: facts.ticks, instrument: instrument, day: try #require(TradingDay("2026-11-30")))
        let last = try #require(grid.nearest(100_000_000 + random.below(600_000_000_000)))
        let depth = SimulatedDepth(grid: grid, seed: seed, levels: 10, lot: instrument.lot.units, typicalLots: 1 + random.below(50))
        for side in [TradeSide.buyer, .seller, .unspecified] {
            let book = depth.book(last: last, side: side, time: 1, turn: seed)
            let bid = try #require(book.bids.first)
            let ask = try #require(book.asks.first)
            #expect(bid.price < ask.price && bid.price <= last && last <= ask.price)
            #expect(book.provenance == .simulated)
            #expect(zip(book.bids, book.bids.dropFirst()).allSatisfy { $0.price > $1.price })
            #expect(zip(book.asks, book.asks.dropFirst()).allSatisfy { $0.price < $1.price })
            #expect((book.bids + book.asks).allSatisfy { $0.size > 0 && $0.size % instrument.lot.units == 0 && $0.orders > 0 })
        }
    }
}

struct ReplayTests {
    let facts: MarketFacts
    let recordings: Recordings
    init() throws { (facts, recordings) = try Shipped.result.get() }

    @Test func everyInstrumentShownHasATape() throws {
        let untold = facts.instruments.all.filter { recordings.tapes[$0.id] == nil }.map(\.symbol)
        #expect(untold == ["HSI2611.HKFE"])
        #expect(recordings.quarantine.counts == [:])
    }

    @Test func historyIsBeforeTheMarketDate() throws {
        let tencent = recordings.history(try instrument("700", facts).id)
        #expect(tencent.days.count == 249)
        #expect(tencent.days.last?.tradingDay == 20_261_127)
        #expect(tencent.days.last?.recordedOn == 20_220_412)
        #expect(tencent.days.allSatisfy { $0.provenance == .recorded })
        for instrument in facts.instruments.all {
            let days = recordings.history(instrument.id).days
            #expect(days.allSatisfy { $0.tradingDay < recordings.marketDate.yyyymmdd })
            #expect(zip(days, days.dropFirst()).allSatisfy { $0.tradingDay < $1.tradingDay }, "\(instrument.symbol)")
        }
    }

    @Test func theDayEndsOnTheRecordedFigures() throws {  // F-7, Q-2
        var schedule = try ReplaySchedule(recordings, facts: facts)
        var state = FeedState()
        var volumes: [UInt32: Int64] = [:]
        var latest = MarketInstant(nanoseconds: .min)
        var sequence: UInt64 = 0
        while let next = schedule.nextTime, next <= (try utc("2026-12-01T01:00:00Z")) {
            for event in schedule.next(until: next.advanced(by: .seconds(600))) {
                #expect(event.time >= latest && event.sequence == sequence + 1)
                (latest, sequence) = (event.time, event.sequence)
                state.apply(event)
                if case .trade(let tick) = event.body { volumes[tick.instrument, default: 0] += tick.size }
            }
        }
        for symbol in ["700.HK", "9988.HK", "AAPL.US", "IBM.US", "HSI2612.HKFE", "HSI.INDX", "SPX.INDX", "ES2612.CME"] {
            let instrument = try instrument(symbol, facts)
            let bars = try #require(recordings.tapes[instrument.id]?.bars)
            let quote = try #require(state.quotes[instrument.id])
            #expect(quote.open == bars.first?.open && quote.last == bars.last?.close, "\(symbol)")
            #expect(quote.high == bars.map(\.high).max() && quote.low == bars.map(\.low).min(), "\(symbol)")
            if instrument.isTradable {
                let volume = bars.reduce(0) { $0 + $1.volume }
                #expect(quote.volume == volume && volumes[instrument.id.rawValue] == volume, "\(symbol)")
            }
            if !instrument.isTradable {
                #expect(!quote.hasVolume && volumes[instrument.id.rawValue] == nil && state.books[instrument.id] == nil)
            }
            #expect(quote.provenance == (symbol == "ES2612.CME" ? .simulated : .derived))
            if instrument.isTradable { #expect(quote.bookProvenance == .simulated) }
        }
        let aapl = try #require(state.quotes[try instrument("AAPL", facts).id])
        #expect(aapl.recordedOn == 20_130_301 && aapl.tradingDay == 20_261_130)
        #expect(try state.quotes[instrument("700", facts).id]?.previousClose == 363_000_000_000 || aapl.hasPreviousClose)
        #expect(state.rates.contains { $0.base == .usd && $0.quote == .hkd && $0.nanos == 7_845_685_643 })
    }

    @Test func nothingIsToldOfAnInstrumentAfterItsEnd() throws {  // Q-2, N-3
        var schedule = try ReplaySchedule(recordings, facts: facts)
        let ends = schedule.ends
        let (future, expired) = (try instrument("HSI2612", facts).id, try instrument("HSI2611", facts).id)
        let close = try utc("2026-11-30T08:30:00Z")
        #expect(ends[future] == close && ends[expired] == nil)
        #expect(ends.values.max() == schedule.end)
        for event in schedule.next(until: MarketInstant(nanoseconds: .max)) {
            let id: UInt32
            switch event.body {
            case .trade(let tick): id = tick.instrument
            case .book(let book): id = book.instrument
            case .quote(let quote) where quote.hasLast || quote.hasBid: id = quote.instrument
            case .quote, .bar, .phase, .fx, .clock, .past, .feed, .refused: continue
            }
            #expect(try event.time <= #require(ends[InstrumentID(id)]))
        }
    }

    @Test func tradesHappenOnlyInSessions() throws {
        var schedule = try ReplaySchedule(recordings, facts: facts)
        for event in schedule.next(until: try utc("2026-11-30T03:00:00Z")) {
            guard case .trade(let tick) = event.body, let instrument = facts.instruments[InstrumentID(tick.instrument)] else { continue }
            let phase = try facts.calendar.phase(instrument, at: event.time)
            #expect([.continuous, .night, .auctionMatching].contains(phase), "\(instrument.symbol) \(event.time)")
        }
    }

    @Test(arguments: [1, 60, 7919])
    func theSameEventsAtAnySpeed(seconds: Int64) throws {
        let end = try utc("2026-11-30T02:00:00Z")
        var whole = try ReplaySchedule(recordings, facts: facts)
        var expected: UInt64 = 1
        try digest(whole.next(until: end), into: &expected)
        var pieces = try ReplaySchedule(recordings, facts: facts)
        var hash: UInt64 = 1
        var time = try utc("2026-11-29T22:59:59Z")
        while time < end {
            time = min(end, time.advanced(by: .milliseconds(seconds * 1000 + 1)))
            try digest(pieces.next(until: time, maximum: .max), into: &hash)
        }
        #expect(hash == expected)
    }

    @Test func pricesOffTheGridAndBackwardsAreQuarantined() throws {  // F-8
        let stock = try instrument("700", facts)
        let day = try #require(TradingDay("2026-11-30"))
        var bar = TapeBar(
            start: 0, end: 1, open: 366_000_000_000, high: 366_000_000_000, low: 365_800_000_000, close: 365_800_000_000, volume: 1,
            turnover: nil, period: .minute1, recordedOn: day)
        #expect(bar.defect(instrument: stock, ticks: facts.ticks, days: [day]) == nil)
        bar.close = 365_900_000_000
        #expect(bar.defect(instrument: stock, ticks: facts.ticks, days: [day]) == .offTick)
        bar.low = 366_200_000_000
        #expect(bar.defect(instrument: stock, ticks: facts.ticks, days: [day]) == .highBelowLow)
    }
}

struct ReplayClockTests {
    @Test func timeRunsAtItsPace() {
        let zero = MonotonicInstant(nanoseconds: 0)
        var clock = ReplayClock(start: .init(nanoseconds: 1000), speed: .times(micros: 60_000_000), at: zero)
        #expect(clock.reading(at: .init(nanoseconds: 10)).time.nanoseconds == 1600)
        #expect(clock.moment(of: .init(nanoseconds: 1600)) == .init(nanoseconds: 10))
        clock.setSpeed(.paused, at: .init(nanoseconds: 10))
        #expect(clock.reading(at: .init(nanoseconds: 1_000_000)) == .init(time: .init(nanoseconds: 1600), speedMicros: 0, epoch: 2))
        let back = clock.seek(to: .init(nanoseconds: 1600), at: .init(nanoseconds: 1_000_000))
        #expect(!back)
        let ahead = clock.seek(to: .init(nanoseconds: 5000), at: .init(nanoseconds: 1_000_000))
        #expect(ahead && clock.epoch == 3)
    }
}

/// A clock that moves by hand; `sleep` moves it to the moment asked for.
final class ManualClock: Sendable {
    let nanoseconds = Mutex<Int64>(0)
    var port: MonotonicClock {
        MonotonicClock(
            now: { [self] in .init(nanoseconds: nanoseconds.withLock { $0 }) },
            sleep: { [self] until in
                try Task.checkCancellation()
                nanoseconds.withLock { $0 = max($0, until.nanoseconds) }
                await Task.yield()
            })
    }
}

struct FeedHubTests {
    let facts: MarketFacts
    let recordings: Recordings
    init() throws { (facts, recordings) = try Shipped.result.get() }

    @Test func aLateStartKnowsWhatWasBefore() throws {
        let clock = ManualClock()
        let hub = try FeedHub(facts: facts, recordings: recordings, clock: clock.port, start: utc("2026-11-30T02:00:00Z"))
        let events = hub.step()
        #expect(!events.contains { if case .trade = $0.body { true } else { false } })
        // What was left out is known all the same (F-1).
        let past = events.compactMap { if case .past(let trades) = $0.body { trades } else { nil } }
        let goal = try utc("2026-11-30T03:00:00Z").nanoseconds
        #expect(!past.isEmpty && past.allSatisfy { Set($0.map(\.instrument)).count == 1 && $0.count < 400 })
        for trades in past { #expect(trades.map(\.timeNs) == trades.map(\.timeNs).sorted() && trades.allSatisfy { $0.timeNs <= goal }) }
        #expect(events.contains { if case .bar = $0.body { true } else { false } })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.sequence + 1 == $1.sequence })
        let quote = try #require(hub.quote(instrument("700", facts).id))
        #expect(quote.hasLast && quote.phase == .continuous)
        #expect(try hub.quote(instrument("AAPL", facts).id)?.hasLast == false)
        clock.nanoseconds.withLock { $0 = 60_000_000_000 }
        #expect(hub.step().contains { if case .trade = $0.body { true } else { false } })
        #expect(hub.marketClock.now == (try utc("2026-11-30T02:01:00Z")))
    }

    @Test func aLateStartGivesTheSameMinutes() throws {  // G-1
        let start = try utc("2026-11-30T02:00:30Z")
        let end = try utc("2026-11-30T02:05:00Z")
        var schedule = try ReplaySchedule(recordings, facts: facts)
        var expected = FeedMinutes(facts: facts)
        for event in schedule.next(until: end) { _ = expected.apply(event) }
        let clock = ManualClock()
        let hub = try FeedHub(facts: facts, recordings: recordings, clock: clock.port, start: start)
        var minutes = FeedMinutes(facts: facts)
        for event in hub.step() { _ = minutes.apply(event) }
        clock.nanoseconds.withLock { $0 = start.duration(to: end).nanoseconds }
        for event in hub.step() { _ = minutes.apply(event) }
        for symbol in ["700.HK", "HSI2612.HKFE", "HSI.INDX", "ES2612.CME", "AAPL.US"] {
            let id = try instrument(symbol, facts).id
            #expect(minutes.bars(id) == expected.bars(id), "\(symbol)")
            #expect(minutes.bars(id).isEmpty == (symbol == "AAPL.US"))
        }
    }

    @Test func aSeekIsANewEpochWithoutTheTradesBetween() throws {
        let hub = try FeedHub(
            facts: facts, recordings: recordings, clock: ManualClock().port, start: utc("2026-11-30T02:00:00Z"), speed: .paused)
        _ = hub.step()
        #expect(!hub.seek(to: try utc("2026-11-30T01:00:00Z")))
        #expect(hub.seek(to: try utc("2026-11-30T03:00:00Z")))
        let events = hub.step()
        guard case .clock(let reading)? = events.first?.body else {
            Issue.record("the clock comes first")
            return
        }
        #expect(reading.epoch == 2)
        #expect(!events.contains { if case .trade = $0.body { true } else { false } })
        #expect(events.count > 10)
    }

    @Test func everyConsumerGetsEveryEventInOrder() async throws {
        let clock = ManualClock()
        let hub = try FeedHub(facts: facts, recordings: recordings, clock: clock.port, start: utc("2026-11-30T01:29:00Z"), speed: .max)
        let seen = Mutex<[UInt64]>([])
        let (done, finish) = AsyncStream.makeStream(of: Void.self)
        hub.register("slow", capacity: 10) { events in
            for _ in 0..<3 { await Task.yield() }
            let enough = seen.withLock {
                $0 += events.map(\.sequence)
                return $0.count > 3000
            }
            if enough { finish.yield() }
        }
        let task = Task { await hub.run() }
        for await _ in done { break }
        task.cancel()
        await task.value
        let numbers = seen.withLock { $0 }
        // Also the batch that was under way when it was cancelled.
        #expect(numbers == Array(1...hub.told))
    }

    @Test func aQueueRefusesWhatItCannotHold() async {
        let queue = ConsumerQueue(capacity: 2)
        let event = FeedEvent(
            sequence: 1, time: .init(nanoseconds: 0), body: .clock(.init(time: .init(nanoseconds: 0), speedMicros: 0, epoch: 1)))
        #expect(queue.offer([event, event]))
        #expect(!queue.offer([event]))
        queue.replace([event])
        #expect(await queue.take()?.count == 1)
        queue.close()
        #expect(await queue.take() == nil)
    }
}
