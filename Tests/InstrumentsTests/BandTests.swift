import Exact
import Messages
import Streams
import Testing

@testable import Instruments

struct PriceValidityTests {
    let facts: MarketFacts
    let tencent: Instrument
    let date: TradingDay
    init() throws {
        facts = try shippedFacts()
        date = try day("2026-11-30")
        tencent = try facts.instruments.resolve("700", on: date).get()
    }

    private func refusal(_ price: String, _ side: OrderSide, _ view: QuotationView) throws -> String? {
        facts.validity.refusal(of: try Price(price), side, view, for: tencent, facts.ticks, on: date).map {
            "\($0.rule) \($0.lowest?.description ?? "-") \($0.highest?.description ?? "-")"
        }
    }

    @Test func twentyFourSpreads() throws {  // H-3
        let view = QuotationView(session: .continuous, bestBid: try Price("20"), bestAsk: try Price("20.02"), nominal: try Price("20"))
        #expect(try refusal("19.76", .buy, view) == nil && refusal("19.75", .buy, view) == "quotation-spreads 19.76 -")
        #expect(try refusal("20.5", .sell, view) == nil && refusal("20.52", .sell, view) == "quotation-spreads - 20.5")
        // Far on the side of trading nothing but nine times holds.
        #expect(try refusal("30", .buy, view) == nil && refusal("10", .sell, view) == nil)
        #expect(try refusal("180", .buy, view) == "nine-times 2.225 179.9" && refusal("2.22", .sell, view) == "nine-times 2.225 179.9")
        #expect(try refusal("19", .buy, QuotationView(session: .continuous)) == nil)
        let cheap = QuotationView(session: .continuous, bestBid: try Price("0.02"))
        #expect(try refusal("0.01", .buy, cheap) == nil)
    }

    @Test func auctions() throws {
        let opening = QuotationView(session: .openingAuction, nominal: try Price("100"), previousClose: try Price("100"))
        #expect(try refusal("115", .buy, opening) == nil && refusal("85", .sell, opening) == nil)
        #expect(try refusal("115.1", .buy, opening) == "auction-limit 85 115" && refusal("84.95", .sell, opening) == "auction-limit 85 115")
        let closing = QuotationView(session: .closingAuction, nominal: try Price("100"), closingReference: try Price("100.05"))
        #expect(try refusal("105.1", .buy, closing) == "auction-limit 95.05 105")
        #expect(try refusal("95.05", .sell, closing) == nil && refusal("500", .buy, QuotationView(session: .closingAuction)) == nil)
        let before = facts.validity.refusal(
            of: try Price("200"), .buy, opening, for: tencent, facts.ticks, on: try day("2020-10-16"))
        #expect(before == nil)
    }

    @Test func rulesByDate() throws {
        let halt = try #require(facts.validity.rule("market-wide-halt", market: "US", on: date))
        #expect(halt.values == [7_000_000_000, 13_000_000_000, 20_000_000_000] && !halt.confidence.isVerified)
        #expect(try facts.validity.rule("luld-multiplier", market: "US", phase: "09:30-09:45", on: day("2020-02-23")) != nil)
        #expect(facts.validity.rule("luld-multiplier", market: "US", phase: "09:30-09:45", on: date) == nil)
        #expect(facts.validity.rules(market: "XHKG", on: date).count > 10)
    }

    @Test(arguments: [
        ("XLON,a,,,1,times,,,ours,", 2, "market is XLON, which is unknown"), ("US,a,,,1,inch,,,ours,", 2, "unit is inch, which is unknown"),
        ("US,a,,,7;5,percent,,,ours,", 2, "value is not a list of growing decimals"),
        ("US,a,,,,percent,,,ours,", 2, "value is not a list of growing decimals"),
        ("US,a,,,1,percent,,,ours,\nUS,a,,,2,percent,,,ours,", 3, "holds on days on which line 2 holds"),
    ])
    func wrongRowsNameTheLine(rows: String, line: Int, reason: String) {
        let text = PriceValidity.columns.joined(separator: ",") + "\n" + rows
        #expect(throws: DataFault(file: "price-validity.csv", line: line, reason: reason)) {
            try PriceValidity(CSVTable(text: text, file: "price-validity.csv", required: PriceValidity.columns))
        }
    }

    @Test func aRefusalTellsTheRange() throws {  // N-2
        func range(_ symbol: String, _ reference: String?) throws -> String {
            let instrument = try facts.instruments.resolve(symbol, on: date).get()
            let reference = try reference.map { try Price($0) }
            let range = facts.bands.range(for: instrument, reference: reference, facts.ticks, on: date)
            for end in [range.lowest, range.highest].compactMap(\.self) {
                #expect(facts.bands.allows(end, for: instrument, reference: reference))
            }
            return "\(range.lowest?.description ?? "-") \(range.highest?.description ?? "-")"
        }
        #expect(try range("700", "400") == "44.46 3598" && range("HSI2612", "23000") == "11500 34500")
        #expect(try range("AAPL", "441.40") == "49.05 3972.59" && range("AAPL", nil) == "0.0001 -")
        #expect(try range("ES2612", "0.25") == "0.25 0.25")
    }
}
