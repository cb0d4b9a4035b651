import Exact
import Instruments
import Messages
import Streams
import Testing

@testable import Bars

struct AdjustmentTests {
    private func day(_ text: String) throws -> TradingDay { try #require(TradingDay(text)) }

    @Test func appleOfJune2014() throws {  // G-2: seven for one on 2014-06-09, 3.29 USD on 2014-05-08
        let actions = try [
            CorporateAction(exDay: day("2014-06-09"), ratio: Ratio(7)),
            CorporateAction(exDay: day("2014-05-08"), cash: nanos("3.29")),
        ]
        let forward = try PriceScale(actions, .forward)
        #expect(try forward.price(nanos("645.57"), on: day("2014-06-06")) == 92_224_285_714)
        #expect(try forward.price(nanos("93.70"), on: day("2014-06-09")) == nanos("93.70"))
        #expect(try forward.price(nanos("592.33"), on: day("2014-05-07")) == 84_148_571_429)
        let backward = try PriceScale(actions, .backward)
        #expect(try backward.price(nanos("592.33"), on: day("2014-05-07")) == nanos("592.33"))
        #expect(try backward.price(nanos("587.99"), on: day("2014-05-08")) == nanos("591.28"))
        #expect(try backward.price(nanos("93.70"), on: day("2014-06-09")) == nanos("659.19"))
    }

    @Test func volumeFollowsTheRatio() throws {
        let scale = try PriceScale([CorporateAction(exDay: day("2014-06-09"), ratio: Ratio(7))], .forward)
        var bar = Bar()
        bar.tradingDay = try day("2014-06-06").yyyymmdd
        bar.volume = 100
        #expect(try scale.bar(bar).volume == 700)
        bar.tradingDay = try day("2014-06-09").yyyymmdd
        #expect(try scale.bar(bar).volume == 100)
    }

    @Test(arguments: UInt64(0)..<100)
    func backwardAndForwardDifferByOneScale(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var actions: [CorporateAction] = []
        for place in 0..<Int(random.next() % 6) {
            let ratio = try Ratio(numerator: Int128(random.next() % 5 + 1), denominator: Int128(random.next() % 3 + 1))
            actions.append(
                CorporateAction(
                    exDay: try #require(TradingDay(daysSince1970: 15_000 + place * 50)), ratio: ratio,
                    cash: Int64(random.next() % 9) * 100_000_000))
        }
        let forward = try PriceScale(actions, .forward)
        let backward = try PriceScale(actions, .backward)
        let last = try #require(TradingDay(daysSince1970: 20_000))
        let first = try #require(TradingDay(daysSince1970: 14_000))
        #expect(try forward.price(123_456_789_000, on: last) == 123_456_789_000)
        #expect(try backward.price(123_456_789_000, on: first) == 123_456_789_000)
        // The price just before an action and what the exchange makes of it stand on one level on both scales.
        for action in actions {
            let before = try #require(TradingDay(daysSince1970: action.exDay.daysSince1970 - 1))
            let price = Int64(500_000_000_000)
            let reference = try Ratio(numerator: Int128(price - action.cash), denominator: 1).divided(by: action.ratio).scaled(
                places: 0, .halfEven)
            #expect(try abs(forward.price(price, on: before) - forward.price(reference, on: action.exDay)) <= 20)
            #expect(try abs(backward.price(price, on: before) - backward.price(reference, on: action.exDay)) <= 20_000)
        }
    }
}

struct CumulativeVolumeTests {
    @Test func aNewDayCountsWholeAndNoiseCountsNothing() throws {  // KL-5
        let friday = try #require(TradingDay("2025-03-14"))
        let monday = try #require(TradingDay("2025-03-17"))
        var volume = CumulativeVolume()
        let totals = [(1_250_000, friday), (120, monday), (150, monday), (150, monday), (0, monday), (165, monday), (200, monday)]
        #expect(totals.map { volume.increment(total: Int64($0.0), day: $0.1) } == [0, 120, 30, 0, 0, 15, 35])
    }
}
