import Exact
import Instruments
import Messages
import Portfolio
import Streams
import Testing
import Texts

@testable import Trade

/// N-4: what the ticket says before anything is sent. That the exchange works it out alike is shown in `ExchangeTests`.
struct EstimateTests {
    private let facts: MarketFacts
    private let fees: FeeSchedule
    private let day: TradingDay

    init() throws {
        let folder = try DataFolder.locate()
        facts = try MarketFacts(folder)
        fees = try FeeSchedule(folder)
        day = try #require(TradingDay(yyyymmdd: 20_261_130))
    }

    private func means(_ fees: FeeSchedule?, position: Int64 = 0, of instrument: Instrument? = nil) -> TradingMeans {
        var line = FundsLine()
        line.currency = "HKD"
        line.available = 1_000_000_000_000
        var held = Position()
        held.instrument = instrument?.id.rawValue ?? 0
        held.quantity = position
        return TradingMeans(funds: [line], floatingLoss: 0, positions: [held], orders: [], fees: fees, day: day)
    }

    private func estimate(
        _ symbol: String, _ side: OrderSide, _ quantity: Int, at limit: String?, book: Book? = nil, hasFees: Bool = true,
        position: Int64 = 0
    ) throws -> OrderEstimate? {
        let instrument = try facts.instruments.resolve(symbol, on: day).get()
        return OrderEstimate(
            instrument, side, limit == nil ? .market : .limit, quantity: try Quantity(whole: quantity),
            limit: try limit.map { try Price($0) },
            book: book, means: means(hasFees ? fees : nil, position: position, of: instrument))
    }

    @Test("N-4 a purchase: price × quantity, fees, what is left") func purchase() throws {
        let estimate = try #require(try estimate("700.HK", .buy, 100, at: "367.60"))
        #expect(estimate.value.text == "36760")
        #expect(estimate.fees?.text == "41.67")
        #expect(estimate.needed?.text == "36801.67")
        #expect(estimate.after?.text == "963198.33")
        #expect(!estimate.isShort)
        let large = try #require(try self.estimate("700.HK", .buy, 3000, at: "367.60"))
        #expect(large.isShort)
    }

    @Test("N-4 unknown fees stay unknown, an unknown price gives no estimate") func unknown() throws {
        let plain = try #require(try estimate("700.HK", .buy, 100, at: "367.60", hasFees: false))
        #expect(plain.fees == nil)
        #expect(plain.needed?.text == "36760")
        #expect(try estimate("700.HK", .buy, 100, at: nil) == nil)
        #expect(try estimate("700.HK", .buy, 100, at: nil, book: Book()) == nil)
    }

    @Test("N-4 a market order is worked out with what the book shows, and for no more") func market() throws {
        var book = Book()
        for (price, size) in [(367_600_000_000, 6_000_000_000), (367_800_000_000, 2_000_000_000)] as [(Int64, Int64)] {
            var level = BookLevel()
            level.price = price
            level.size = size
            book.asks.append(level)
        }
        let estimate = try #require(try estimate("700.HK", .buy, 100, at: nil, book: book))
        #expect(estimate.from.description == "367.6")
        #expect(estimate.to.description == "367.8")
        #expect(estimate.quantity == (try Quantity(whole: 80)))
        #expect(estimate.value.text == "29412")
    }

    @Test("N-4 a sale brings its price less fees, and no more is sold than is held") func sale() throws {
        let estimate = try #require(try estimate("700.HK", .sell, 100, at: "367.60", position: 10_000_000_000))
        #expect(estimate.needed == nil)
        #expect(estimate.after?.text == "1036718.33")
        #expect(!estimate.isShort)
        #expect(try #require(try self.estimate("700.HK", .sell, 200, at: "367.60", position: 10_000_000_000)).isShort)
    }

    @Test("N-4 futures: margin of what is opened, none for what only closes") func futures() throws {
        let instrument = try facts.instruments.resolve("HSI2612.HKFE", on: day).get()
        let margin = try #require(instrument.future?.initialMargin)
        let opening = try #require(try estimate("HSI2612.HKFE", .buy, 1, at: "22946"))
        #expect(opening.value.text == "1147300")
        #expect(opening.margin == margin)
        #expect(opening.fees?.text == "10.54")
        let closing = try #require(try estimate("HSI2612.HKFE", .sell, 1, at: "22946", position: 100_000_000))
        #expect(closing.margin?.isZero == true)
        #expect(closing.after == nil)
        let turning = try #require(try estimate("HSI2612.HKFE", .sell, 3, at: "22946", position: 100_000_000))
        #expect(turning.margin == margin)
    }

    @Test("numbers beyond an order give no estimate, never a crash") func extremes() throws {
        let instrument = try facts.instruments.resolve("700.HK", on: day).get()
        for units in [Int64.max, Int64.min, 0, -1] {
            let estimate = OrderEstimate(
                instrument, .buy, .limit, quantity: Quantity(units: units), limit: Price(nanos: .max), book: nil, means: means(fees))
            #expect(estimate == nil)
        }
    }
}
