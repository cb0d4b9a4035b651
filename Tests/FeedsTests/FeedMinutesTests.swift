import Exact
import Instruments
import Messages
import Streams
import Synchronization
import Testing

@testable import Feeds

/// G-1: minutes of whatever a feed tells.
struct FeedMinutesTests {
    let facts: MarketFacts
    let recordings: Recordings
    init() throws { (facts, recordings) = try Shipped.result.get() }

    private func quote(_ id: InstrumentID, _ time: String, _ price: String, size: Int64? = nil, total: Int64? = nil) throws -> FeedEvent {
        var quote = Quote()
        quote.instrument = id.rawValue
        quote.timeNs = try utc(time).nanoseconds
        quote.lastTimeNs = quote.timeNs
        quote.last = try Price(price).nanos
        if let size { quote.lastSize = size }
        if let total { quote.volume = total }
        quote.tradingDay = 20_261_130
        quote.provenance = .live
        return FeedEvent(sequence: 1, time: try utc(time), body: .quote(quote))
    }

    private func trade(_ id: InstrumentID, _ time: String, _ price: String, _ size: Int64) throws -> FeedEvent {
        var tick = Tick()
        tick.instrument = id.rawValue
        tick.timeNs = try utc(time).nanoseconds
        tick.price = try Price(price).nanos
        tick.size = size
        tick.provenance = .live
        return FeedEvent(sequence: 1, time: try utc(time), body: .trade(tick))
    }

    private func bar(_ id: InstrumentID, _ start: String, _ prices: [String], _ volume: Int64, told: String) throws -> FeedEvent {
        var bar = Bar()
        bar.instrument = id.rawValue
        bar.period = .minute1
        bar.startNs = try utc(start).nanoseconds
        bar.tradingDay = 20_261_130
        let prices = try prices.map { try Price($0).nanos }
        (bar.open, bar.high, bar.low, bar.close) = (prices[0], prices[1], prices[2], prices[3])
        bar.volume = volume
        bar.provenance = .recorded
        bar.recordedOn = 20_220_413
        return FeedEvent(sequence: 1, time: try utc(told), body: .bar(bar))
    }

    @Test func tradesOfOneMomentAllCountAndTheirQuotesAddNothing() throws {
        let id = try instrument("AAPL", facts).id
        var minutes = FeedMinutes(facts: facts)
        let time = "2026-11-30T15:00:10.123Z"
        #expect(try minutes.apply(trade(id, time, "150", 100))?.volume == 100)
        #expect(try minutes.apply(quote(id, time, "150", size: 100)) == nil)
        #expect(try minutes.apply(trade(id, time, "150.01", 200))?.volume == 300)
        // A quote that keeps trades of one moment apart stands a nanosecond later.
        #expect(try minutes.apply(quote(id, "2026-11-30T15:00:10.123000001Z", "150.01", size: 200))?.volume == 300)
        _ = try minutes.apply(trade(id, "2026-11-30T15:01:00Z", "151", 50))
        // A late one goes to its own minute.
        let late = try #require(try minutes.apply(trade(id, "2026-11-30T15:00:59Z", "149", 7)))
        #expect(try late.startNs == utc("2026-11-30T15:00:00Z").nanoseconds && late.volume == 307 && late.low == Price("149").nanos)
        #expect(minutes.bars(id).map(\.volume) == [307, 50])
    }

    @Test func aPriceWithoutATradeMovesThePriceOnly() throws {
        let id = try instrument("HSI.INDX", facts).id
        var minutes = FeedMinutes(facts: facts)
        _ = try minutes.apply(quote(id, "2026-11-30T02:00:10Z", "22842.33"))
        #expect(try minutes.apply(quote(id, "2026-11-30T02:00:10Z", "22850")) == nil)
        let bar = try #require(try minutes.apply(quote(id, "2026-11-30T02:00:20Z", "22840")))
        #expect(try bar.volume == 0 && bar.close == Price("22840").nanos && bar.open == Price("22842.33").nanos)
    }

    @Test func aFeedOfTotalsGivesTheVolumeOfEachUpdate() throws {  // KL-4
        let id = try instrument("HSI2612", facts).id
        var minutes = FeedMinutes(facts: facts)
        let totals: [(String, Int64)] = [
            ("2026-11-30T02:00:10Z", 1_000), ("2026-11-30T02:00:20Z", 1_120), ("2026-11-30T02:00:20Z", 1_150),
            ("2026-11-30T02:00:30Z", 0), ("2026-11-30T02:01:00Z", 1_200),
        ]
        for (time, total) in totals { _ = try minutes.apply(quote(id, time, "22800", total: total)) }
        #expect(minutes.bars(id).map(\.volume) == [150, 50])
    }

    @Test func aRecordedAuctionIsPartOfTheFirstMinute() throws {  // KL-1
        let id = try instrument("700", facts).id
        var minutes = FeedMinutes(facts: facts)
        _ = try minutes.apply(trade(id, "2026-11-30T01:20:47Z", "366", 455_200))
        let first = try utc("2026-11-30T01:30:00Z").nanoseconds
        let auction = try minutes.apply(
            bar(id, "2026-11-30T01:20:00Z", ["366", "366", "366", "366"], 455_200, told: "2026-11-30T01:22:00Z"))
        #expect(auction?.startNs == first && auction?.volume == 455_200 && auction?.provenance == .recorded)
        let grown = try #require(try minutes.apply(trade(id, "2026-11-30T01:30:00Z", "365.8", 100)))
        #expect(try grown.volume == 455_300 && grown.close == Price("365.8").nanos)
        _ = try minutes.apply(trade(id, "2026-11-30T01:31:00Z", "363", 1))
        let whole = try #require(
            try minutes.apply(
                bar(id, "2026-11-30T01:30:00Z", ["365.8", "366", "363", "363.4"], 307_900, told: "2026-11-30T01:31:00Z")))
        #expect(try whole.open == Price("366").nanos && whole.close == Price("363.4").nanos)
        #expect(whole.volume == 763_100 && whole.provenance == .recorded)
        // What was told is in it already.
        #expect(try minutes.apply(trade(id, "2026-11-30T01:30:59Z", "365", 9)) == nil)
        #expect(minutes.bars(id).map(\.volume) == [763_100, 1])
        #expect(minutes.own(id).map(\.volume) == [307_900, 1])
    }

    /// The hub tells recorded bars and its own minutes to whoever comes late: the auction is in none of them twice.
    @Test(arguments: ["2026-11-30T01:21:30Z", "2026-11-30T01:25:00Z", "2026-11-30T01:30:20Z", "2026-11-30T08:09:00Z"])
    func aLateStartCountsTheAuctionOnce(start: String) throws {
        let (start, end) = (try utc(start), try utc("2026-11-30T08:30:00Z"))
        var schedule = try ReplaySchedule(recordings, facts: facts)
        var expected = FeedMinutes(facts: facts)
        for event in schedule.next(until: end) { _ = expected.apply(event) }
        let clock = ManualClock()
        let hub = try FeedHub(facts: facts, recordings: recordings, clock: clock.port, start: start)
        var minutes = FeedMinutes(facts: facts)
        func step() {
            while true {
                let events = hub.step()
                for event in events { _ = minutes.apply(event) }
                if events.count < FeedHub.batch { return }
            }
        }
        step()
        let length = start.duration(to: end).nanoseconds
        for time in Array(stride(from: 0, to: length, by: 20_000_000_000)) + [length] {
            clock.nanoseconds.withLock { $0 = time }
            step()
        }
        for symbol in ["700.HK", "9988.HK", "HSI2612.HKFE", "HSI.INDX"] {
            let id = try instrument(symbol, facts).id
            // Only the first bar that differs is shown.
            #expect(minutes.bars(id).count == expected.bars(id).count, "\(symbol)")
            let difference = zip(minutes.bars(id), expected.bars(id)).first { $0 != $1 }
            #expect(difference == nil, "\(symbol)")
        }
        let tencent = try instrument("700", facts)
        let volume = try #require(recordings.tapes[tencent.id]).bars.reduce(0) { $0 + $1.volume }
        #expect(minutes.bars(tencent.id).count == 330 && minutes.bars(tencent.id).reduce(0) { $0 + $1.volume } == volume)
        #expect(minutes.refused == 0 && expected.refused == 0)
    }

    /// What was told of the minute a seek leaves, and what is told of it after, is one minute.
    @Test func aSeekKeepsTheMinutesItLeavesAndReaches() throws {  // G-1, Q-2
        let times = try ["02:00:30", "02:05:10", "02:05:40", "02:20:00"].map { try utc("2026-11-30T\($0)Z") }
        let last = try #require(times.last)
        var schedule = try ReplaySchedule(recordings, facts: facts)
        var expected = FeedMinutes(facts: facts)
        for event in schedule.next(until: last) { _ = expected.apply(event) }
        let clock = ManualClock()
        let hub = try FeedHub(facts: facts, recordings: recordings, clock: clock.port, start: utc("2026-11-30T01:59:50Z"))
        var minutes = FeedMinutes(facts: facts)
        func play(_ seconds: Int64) {
            for _ in 0..<seconds {
                clock.nanoseconds.withLock { $0 += 1_000_000_000 }
                for event in hub.step() { _ = minutes.apply(event) }
            }
        }
        for event in hub.step() { _ = minutes.apply(event) }
        play(40)
        #expect(hub.marketClock.now == times[0])
        for time in times.dropFirst() {
            #expect(hub.seek(to: time))
            play(5)
        }
        for symbol in ["700.HK", "HSI2612.HKFE", "HSI.INDX"] {
            let id = try instrument(symbol, facts).id
            let count = expected.bars(id).count - 1
            let difference = zip(minutes.bars(id), expected.bars(id)).prefix(count).first { $0 != $1 }
            #expect(difference == nil && minutes.bars(id).count > count, "\(symbol)")
        }
    }
}
