import Exact
import Instruments
import Messages
import Streams
import Testing

@testable import Feeds

struct FinnhubPricesTests {
    let facts: MarketFacts
    let now: MarketInstant
    let hours: FinnhubPrices.Hours
    var prices: FinnhubPrices

    init() throws {
        facts = try Shipped.result.get().0
        now = try utc("2026-11-30T15:00:00Z")
        hours = .init(
            day: try #require(TradingDay("2026-11-30")), open: try utc("2026-11-30T14:30:00Z"), close: try utc("2026-11-30T21:00:00Z"))
        prices = FinnhubPrices(facts.instruments.all, facts: facts)
    }

    /// `after`: milliseconds after `now`.
    private func trade(_ price: String, _ size: Int64 = 100, _ symbol: String = "AAPL", after: Int64 = 0) throws -> FinnhubTrade {
        FinnhubTrade(
            symbol: symbol, price: try Price(price), size: Quantity(units: size * 100_000_000),
            time: now.nanoseconds / 1_000_000 + after, conditions: [])
    }

    private func ticks(_ events: [FeedEvent]) -> [Tick] {
        events.compactMap { if case .trade(let tick) = $0.body { tick } else { nil } }
    }

    private func quotes(_ events: [FeedEvent]) -> [Quote] {
        events.compactMap { if case .quote(let quote) = $0.body { quote } else { nil } }
    }

    /// What the one filter believes of them.
    private func admitted(_ events: [FeedEvent]) -> (events: [FeedEvent], quarantine: [Quarantine.Reason: Int]) {
        var filter = FeedFilter(facts: facts, pace: .live)
        let admitted = events.filter { filter.admits($0, now: now) }
        return (admitted, filter.quarantine.counts)
    }

    @Test func oursAreMappedToTheirs() {
        #expect(prices.names == ["AAPL", "MSFT", "IBM", "GOOG", "SPY"])
    }

    @Test mutating func eachTradeIsATickAndAPrice() throws {  // F-7, C-8
        let events = prices.trades(
            try [trade("207.10"), trade("207.12", 5, after: 1), trade("150", 7, "MSFT")], hours, now: now)
        #expect(ticks(events).map(\.size) == [10_000_000_000, 700_000_000, 500_000_000])
        #expect(ticks(events).map(\.sequence) == [1, 1, 2])
        #expect(quotes(events).map(\.last) == [207_100_000_000, 150_000_000_000, 207_120_000_000])
        #expect(quotes(events).allSatisfy { $0.provenance == .live && $0.level == .last && $0.delaySeconds == 0 })
        #expect(quotes(events).allSatisfy { $0.tradingDay == 20_261_130 && !$0.hasVolume })
        #expect(ticks(events).allSatisfy { $0.provenance == .live })
        #expect(admitted(events).quarantine == [:])
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.sequence + 1 == $1.sequence })
    }

    @Test mutating func zeroVolumeIsAPriceUpdateAndNoTrade() throws {  // F-7
        let events = prices.trades([try trade("207.10", 0)], hours, now: now)
        #expect(ticks(events).isEmpty)
        let quote = try #require(quotes(events).first)
        #expect(quote.last == 207_100_000_000 && !quote.hasLastSize && quote.lastTimeNs == now.nanoseconds)
    }

    @Test mutating func aLateTradeIsATickAndMovesNoPrice() throws {  // F-7
        _ = prices.trades([try trade("207.10", after: 2)], hours, now: now)
        let late = prices.trades([try trade("207.50", after: 1)], hours, now: now)
        #expect(ticks(late).count == 1 && quotes(late).isEmpty)
        // Not in order inside one message: told in order.
        let mixed = prices.trades(try [trade("203", after: 9), trade("201", after: 7), trade("202", after: 8)], hours, now: now)
        #expect(quotes(mixed).map(\.last) == [201_000_000_000, 202_000_000_000, 203_000_000_000])
    }

    @Test mutating func aPriceFarOffIsHeldAndQuarantined() throws {  // F-8
        _ = prices.trades([try trade("207.10")], hours, now: now)
        // A wrong price, then the right ones go on: nothing of it is told but the count.
        let wrong = prices.trades([try trade("20.71", after: 1)], hours, now: now)
        #expect(wrong.isEmpty)
        let events = prices.trades(try [trade("207.12", after: 2), trade("2071", 0, after: 3), trade("207.11", after: 4)], hours, now: now)
        let (told, quarantine) = admitted(events)
        #expect(ticks(told).map(\.price) == [207_120_000_000, 207_110_000_000] && quotes(told).count == 2)
        #expect(quarantine == [.farOff: 2])
        // An answer is no better; the same from two more is believed.
        func answer(_ last: String) throws -> [FeedEvent] {
            prices.quote(try answerOf(last), of: "AAPL", now: now.advanced(by: .seconds(5)))
        }
        for _ in 0..<2 { #expect(try admitted(answer("21")).quarantine == [.farOff: 1]) }
        #expect(try quotes(answer("21")).map(\.last) == [21_000_000_000])
    }

    private func answerOf(_ last: String) throws -> FinnhubQuote {
        let seconds = now.nanoseconds / 1_000_000_000 + 4
        return try FinnhubQuote(parsing: Array(#"{"c":\#(last),"h":0,"l":0,"o":0,"pc":200,"t":\#(seconds)}"#.utf8))
    }

    /// A split, an opening far from the close, the end of a halt: all trades come through, none is lost.
    @Test mutating func aRealGapComesThroughWhole() throws {  // F-8
        _ = prices.trades([try trade("207.10")], hours, now: now)
        #expect(prices.trades(try [trade("29.60", 5, after: 1), trade("29.65", 6, after: 2)], hours, now: now).isEmpty)
        let (told, quarantine) = admitted(prices.trades([try trade("29.58", 7, after: 3)], hours, now: now))
        #expect(ticks(told).map(\.size) == [500_000_000, 600_000_000, 700_000_000] && quarantine == [:])
        #expect(quotes(told).map(\.last) == [29_600_000_000, 29_650_000_000, 29_580_000_000])
        #expect(quotes(prices.trades([try trade("29.61", after: 4)], hours, now: now)).map(\.last) == [29_610_000_000])
    }

    /// Far prices that do not agree with one another confirm nothing.
    @Test mutating func farPricesThatDisagreeStayOut() throws {  // F-8
        _ = prices.trades([try trade("207.10")], hours, now: now)
        let events = prices.trades(try (1...6).map { try trade($0 % 2 == 0 ? "20" : "30", after: Int64($0)) }, hours, now: now)
        #expect(ticks(events).isEmpty && admitted(events).quarantine == [.farOff: 5])
    }

    @Test mutating func tradesOfOneMillisecondAllCountInTheirMinute() throws {  // G-1
        let events = prices.trades(try (1...5).map { try trade("207.1\($0)", 1) }, hours, now: now)
        var minutes = FeedMinutes(facts: facts)
        for event in events { _ = minutes.apply(event) }
        let bar = try #require(minutes.bars(instrument("AAPL", facts).id).last)
        #expect(bar.volume == 500_000_000 && bar.close == 207_150_000_000 && bar.low == 207_110_000_000)
    }

    @Test mutating func whatCannotBeIsForTheFilterAndChangesNothing() throws {  // F-8
        let seconds = FinnhubTrade(
            symbol: "AAPL", price: try Price("207.1"), size: .one, time: now.nanoseconds / 1_000_000_000, conditions: [])
        let bad = try [
            trade("207.1234"), trade("0"), trade("-1"), trade("207.1", after: 60_000), trade("207.1", 0, after: .max / 1_000_000_000),
            trade("207.12345", 0), seconds,
        ]
        let events = bad.flatMap { prices.trades([$0], hours, now: now) }
        let judged = admitted(events)
        #expect(judged.events.isEmpty)
        #expect(judged.quarantine == [.offTick: 2, .notPositive: 2, .ahead: 2, .tooOld: 1])
        let good = prices.trades([try trade("207.1")], hours, now: now)
        #expect(ticks(good).map(\.sequence) == [1] && quotes(good).count == 1)
        #expect(prices.trades([try trade("1", 1, "NOPE")], hours, now: now).isEmpty && prices.unknown == 1)
        // Before the open: no trade of this session.
        #expect(prices.trades([try trade("207", after: -1_800_001)], hours, now: now).isEmpty && prices.outside == 1)
    }

    private func answer(
        _ last: String, _ time: String, open: String? = nil, high: String? = nil, low: String? = nil, close: String? = "200"
    ) throws -> FinnhubQuote {
        FinnhubQuote(
            last: try Price(last), time: try utc(time).nanoseconds / 1_000_000_000, open: try open.map { try Price($0) },
            high: try high.map { try Price($0) }, low: try low.map { try Price($0) }, previousClose: try close.map { try Price($0) })
    }

    @Test mutating func anAnswerTellsTheDayAndTradesWidenIt() throws {  // F-7, F-9
        let told = prices.quote(
            try answer("207", "2026-11-30T14:59:58Z", open: "205", high: "208", low: "204"), of: "AAPL", now: now)
        let quote = try #require(quotes(told).first)
        #expect(quote.last == 207_000_000_000 && quote.previousClose == 200_000_000_000 && quote.open == 205_000_000_000)
        #expect(quote.timeNs == now.nanoseconds && quote.lastTimeNs == now.nanoseconds - 2_000_000_000 && !quote.hasLastSize)
        let up = try #require(quotes(prices.trades([try trade("208.01")], hours, now: now)).first)
        #expect(up.high == 208_010_000_000 && !up.hasLow && !up.hasOpen)
        // An answer a little older than the stream says nothing of the last price, and its range holds it.
        let again = prices.quote(
            try answer("207.5", "2026-11-30T14:59:59Z", open: "205", high: "208", low: "204"), of: "AAPL", now: now)
        let second = try #require(quotes(again).first)
        #expect(!second.hasLast && second.high == 208_010_000_000)
        #expect(admitted(told + again).quarantine == [:])
    }

    @Test mutating func theDayAfterItsFirstTradeOpensTheDay() throws {  // C-6
        let before = try utc("2026-11-30T14:00:00Z")
        _ = prices.quote(
            try answer("207", "2026-11-27T18:00:00Z", open: "205", high: "208", low: "204"), of: "AAPL", now: before)
        let first = try #require(quotes(prices.trades([try trade("209")], hours, now: now)).first)
        #expect(first.previousClose == 207_000_000_000)
        #expect([first.open, first.high, first.low] == [209_000_000_000, 209_000_000_000, 209_000_000_000])
        // An answer that is still of the day before is late.
        #expect(prices.quote(try answer("207", "2026-11-27T18:00:00Z"), of: "AAPL", now: now).isEmpty)
        // Of a close that is not the day before's nothing follows: the price waits for an answer.
        _ = prices.quote(try answer("150", "2026-11-25T21:00:00Z"), of: "MSFT", now: before)
        let waiting = prices.trades([try trade("151", 1, "MSFT")], hours, now: now)
        #expect(quotes(waiting).isEmpty && ticks(waiting).count == 1)
        _ = prices.quote(try answer("151", "2026-11-30T15:00:00Z"), of: "MSFT", now: now)
        #expect(quotes(prices.trades([try trade("152", 1, "MSFT", after: 1)], hours, now: now)).count == 1)
    }

    @Test mutating func figuresOfAnAnswerThatCannotBeAreForTheFilter() throws {  // F-8
        let odd = prices.quote(
            try answer("207", "2026-11-30T14:59:58Z", open: "205", high: "208.1234", low: "204"), of: "AAPL", now: now)
        let judged = admitted(odd)
        #expect(judged.quarantine == [.offTick: 1])
        let quote = try #require(quotes(judged.events).first)
        #expect(quote.last == 207_000_000_000 && !quote.hasHigh && quote.low == 204_000_000_000)
        let crossed = prices.quote(
            try answer("207", "2026-11-30T14:59:59Z", high: "203", low: "204"), of: "AAPL", now: now)
        #expect(admitted(crossed).quarantine == [.highBelowLow: 1])
        let milliseconds = FinnhubQuote(last: try Price("207"), time: now.nanoseconds / 1_000_000)
        let unknownTime = prices.quote(milliseconds, of: "MSFT", now: now)
        #expect(admitted(unknownTime).quarantine == [.ahead: 1])
    }
}
