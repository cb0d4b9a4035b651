import Exact
import Instruments
import Messages
import Streams
import Testing

@testable import Feeds

struct SyntheticFeedTests {
    let plan = SyntheticPlan(seed: 7, instruments: 60, interval: .seconds(20))
    let facts: MarketFacts
    let recordings: Recordings

    init() throws {
        let (shipped, read) = try Shipped.result.get()
        recordings = read
        facts = SyntheticMarket.facts(shipped, for: plan, on: read.marketDate)
    }

    private func feed() throws -> SyntheticFeed { try SyntheticFeed(plan, facts: facts, recordings: recordings) }

    @Test func testInstrumentsAreMarkedAndKnownToEveryTable() throws {  // F-7, H-5
        let shipped = try Shipped.result.get().0
        let made = facts.instruments.all.filter { $0.id >= .firstSimulated }
        #expect(facts.instruments.all.count == shipped.instruments.all.count + made.count)
        #expect(facts.instruments.all.filter { $0.isListed(on: recordings.marketDate) }.count == 60)
        #expect(facts.instruments.version != shipped.instruments.version)
        for instrument in made {
            #expect(instrument.names.english.hasPrefix("Simulated ") && instrument.code.hasPrefix("SIM"))
            #expect(try facts.instruments.resolve(instrument.symbol, on: recordings.marketDate).get().id == instrument.id)
            #expect(facts.bands.allows(Price(nanos: 1_000_000_000), for: instrument, reference: Price(nanos: 1_000_000_000)))
        }
        #expect(Set(made.map(\.market)).count == 2)
        #expect(SyntheticPlan(instruments: .max).instruments == SyntheticPlan.mostInstruments)
    }

    @Test(arguments: [1, 60, 7919])
    func theSameSeedGivesTheSameEventsAtAnySpeed(seconds: Int64) throws {  // F-7, Q-2
        let end = try utc("2026-11-30T03:00:00Z")
        var whole = try feed()
        var expected: UInt64 = 1
        try digest(whole.next(until: end, maximum: .max), into: &expected)
        var pieces = try feed()
        var hash: UInt64 = 1
        var time = try utc("2026-11-30T00:00:00Z")
        while time < end {
            time = min(end, time.advanced(by: .milliseconds(seconds * 1000 + 1)))
            try digest(pieces.next(until: time, maximum: .max), into: &hash)
        }
        #expect(hash == expected)
        var other = try SyntheticFeed(
            SyntheticPlan(seed: 8, instruments: plan.instruments, interval: plan.interval), facts: facts, recordings: recordings)
        var different: UInt64 = 1
        try digest(other.next(until: end, maximum: .max), into: &different)
        #expect(different != expected)
    }

    /// A market whose past never ends: a server on it can still be stopped, and its clock stands.
    private struct EndlessPast: FeedSource {
        let pace: FeedPace
        let origin = MarketInstant(nanoseconds: 0)
        let end = MarketInstant(nanoseconds: 1)
        let ends: [InstrumentID: MarketInstant] = [:]
        var nextTime: MarketInstant? { origin }
        var sequence: UInt64 = 0
        let asked: @Sendable () -> Void
        mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent] {
            asked()
            sequence += 1
            return [FeedEvent(sequence: sequence, time: origin, body: .phase(instrument: InstrumentID(0), .closed))]
        }
    }

    @Test func aLongWayToTheStartCanBeStopped() async throws {  // O-3
        let (asked, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let start = try utc("2026-11-30T02:00:00Z")
        let hub = try FeedHub(
            facts: facts, recordings: recordings,
            source: EndlessPast(pace: .played(recordings.marketDate), asked: { continuation.yield() }), clock: ManualClock().port,
            start: start)
        let running = Task { await hub.run { Issue.record("it has begun") } }
        for await _ in asked { break }
        #expect(hub.marketClock.reading() == MarketClockReading(time: start, speedMicros: 0, epoch: 1))
        running.cancel()
        await running.value
    }

    @Test func withoutATimeItBeginsWhereThingsTrade() throws {  // F-7
        let feed = try feed()
        #expect(feed.origin < feed.opening)
        #expect(feed.opening == (try utc("2026-11-30T01:15:00Z")))
    }

    @Test func theDayHoldsEverythingAMarketDoes() throws {  // F-5, F-7, F-8
        var feed = try feed()
        var filter = FeedFilter(facts: facts, pace: feed.pace)
        var day = Story(facts: facts, recordings: recordings)
        let end = MarketInstant(nanoseconds: .max)
        var latest = MarketInstant(nanoseconds: .min)
        for event in feed.next(until: end, maximum: .max) {
            _ = filter.admits(event, now: end)
            #expect(event.time >= latest)
            latest = event.time
            try day.take(event)
        }
        #expect(filter.quarantine.counts == [:] && filter.missing == 0)
        #expect(day.faults == [])
        #expect(day.halted.count >= 3 && day.tradesInHalts == 0)
        #expect(day.oneSided.count >= 6)
        #expect(day.matched.count >= 10)
        #expect(day.indicated.isSuperset(of: day.matched))
        #expect(day.night.count >= 3)
        #expect(day.gaps >= 2)
        let tradable = SyntheticMarket.chosen(facts, plan, on: recordings.marketDate).filter(\.isTradable)
        #expect(day.traded.count == tradable.count)
        #expect(feed.nextTime == nil)
    }

    /// What the events of a day add up to.
    struct Story {
        let facts: MarketFacts
        let recordings: Recordings
        var phases: [UInt32: Phase] = [:]
        var closes: [UInt32: Int64] = [:]
        var volumes: [UInt32: Int64] = [:]
        var halted: Set<UInt32> = []
        var oneSided: Set<UInt32> = []
        var matched: Set<UInt32> = []
        var indicated: Set<UInt32> = []
        var night: Set<UInt32> = []
        var traded: Set<UInt32> = []
        var tradesInHalts = 0
        var gaps = 0
        var faults: Set<String> = []

        init(facts: MarketFacts, recordings: Recordings) {
            self.facts = facts
            self.recordings = recordings
        }

        mutating func take(_ event: FeedEvent) throws {
            switch event.body {
            case .phase(let id, let phase):
                phases[id.rawValue] = phase
                if phase == .halted { halted.insert(id.rawValue) }
            case .quote(let quote):
                if quote.hasPreviousClose { closes[quote.instrument] = quote.previousClose }
                if quote.hasIndicativePrice, quote.indicativeVolume > 0 { indicated.insert(quote.instrument) }
                if quote.provenance != .simulated { faults.insert("provenance") }
                if quote.hasVolume, quote.volume != volumes[quote.instrument] { faults.insert("volume") }
            case .book(let book):
                if book.bids.isEmpty != book.asks.isEmpty { oneSided.insert(book.instrument) }
                if book.provenance != .simulated { faults.insert("provenance") }
            case .trade(let tick): try take(tick, event.time)
            case .fx: break
            case .bar, .clock, .past, .feed, .refused: faults.insert("kind")
            }
        }

        private mutating func take(_ tick: Tick, _ time: MarketInstant) throws {
            let id = tick.instrument
            let instrument = try #require(facts.instruments[InstrumentID(id)])
            if !traded.contains(id), let close = closes[id], abs(tick.price - close) * 100 >= abs(close) * 4 { gaps += 1 }
            traded.insert(id)
            volumes[id, default: 0] += tick.size
            if tick.size % instrument.lot.units != 0 { faults.insert("lot") }
            if tick.provenance != .simulated { faults.insert("provenance") }
            switch phases[id] {
            case .halted: tradesInHalts += 1
            case .night: night.insert(id)
            case .auctionMatching: matched.insert(id)
            case .continuous: break
            default: faults.insert("phase")
            }
            let planned = try facts.calendar.phase(instrument, at: time)
            if phases[id] != .halted, planned != phases[id] { faults.insert("calendar") }
        }
    }
}

struct DueQueueTests {
    @Test(arguments: UInt64(0)..<50)
    func theLeastComesFirstAndEqualTimesInOrderOfPlace(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var times: [Int64?] = (0..<40).map { _ in random.below(20) }
        var queue = DueQueue(times: times.compactMap { $0 })
        while let least = queue.least {
            let expected = times.indices.filter { times[$0] != nil }.min { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }
            #expect(least.place == expected && times[least.place] == least.time)
            let next: Int64? = random.below(3) == 0 ? nil : least.time + random.below(10)
            times[least.place] = least.time > 100 ? nil : next
            queue.replaceLeast(with: times[least.place])
        }
        #expect(times.allSatisfy { $0 == nil })
    }
}
