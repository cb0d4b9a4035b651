import Exact
import Messages
import Streams
import Testing

@testable import Instruments

struct LotTests {
    let facts: MarketFacts
    init() throws { facts = try shippedFacts() }

    private func instrument(_ symbol: String) throws -> Instrument { try facts.instruments.resolve(symbol, on: day("2026-11-30")).get() }

    @Test(arguments: [
        ("2025-10-31", "1200", "100"), ("2025-11-03", "250", "100"), ("2025-11-03", "250.01", "40"), ("2025-11-03", "1000", "40"),
        ("2025-11-03", "1000.01", "10"), ("2026-11-30", "10000", "10"), ("2026-11-30", "10000.01", "1"),
    ])
    func roundLotsByPriceAndDate(date: String, price: String, lot: String) throws {  // H-3
        let found = try #require(facts.lots.roundLot(for: instrument("AAPL"), at: Price(price), on: day(date)))
        #expect(try found.lot == Quantity(lot) && found.confidence.isVerified)
        #expect(try facts.lots.roundLot(for: instrument("700"), at: Price(price), on: day(date)) == nil)
    }

    @Test func quantitiesOfHongKong() throws {
        let (tencent, date) = (try instrument("700"), try day("2026-11-30"))
        func refusal(_ quantity: String) throws -> LotRules.Refusal? {
            facts.lots.refusal(of: try Quantity(quantity), for: tencent, on: date)
        }
        #expect(try refusal("100") == nil && refusal("300000") == nil)
        #expect(try refusal("0") == .notPositive && refusal("150") == .oddLot(lot: Quantity("100")))
        #expect(try refusal("300100") == .tooLarge(maximum: Quantity("300000")))
        #expect(try facts.lots.refusal(of: Quantity("3"), for: instrument("HSI2612"), on: date) == nil)
    }

    @Test func guidanceOnTheWorthOfALot() throws {
        var paper = try instrument("700")
        func guidance(_ worth: String, _ date: String) throws -> LotRules.Guidance? {
            try facts.lots.guidance(for: paper, worth: Money(worth, currency: .hkd), on: day(date))?.0
        }
        #expect(try guidance("999.99", "2026-07-02") == .belowFloor && guidance("1000", "2026-07-02") == nil)
        #expect(try guidance("1999.99", "2026-07-01") == .belowFloor && guidance("60000", "2026-11-30") == nil)
        paper.lot = try Quantity("500")
        #expect(try guidance("50000.01", "2026-07-02") == .aboveCeiling && guidance("50000.01", "2026-07-01") == nil)
    }

    @Test(arguments: [
        ("XLON,maximum,,,1,,,ours,", 2, "market is XLON, which is unknown"), ("XHKG,lots,,,1,,,ours,", 2, "rule is lots, which is unknown"),
        ("XHKG,maximum,,,0,,,ours,", 2, "value is not a positive decimal"), ("US,round-lot,5,5,1,,,ours,", 2, "the band is empty"),
        ("XHKG,maximum,,,1,,,ours,\nXHKG,maximum,,,2,,,ours,", 3, "speaks of what line 2 speaks of"),
        ("US,round-lot,0,5,1,,,ours,\nUS,round-lot,4,6,2,,,ours,", 3, "speaks of what line 2 speaks of"),
        ("US,round-lot,0,5,1,,,ours,\nUS,round-lot,6,7,2,,,ours,", 3, "leaves prices between itself and line 2"),
        ("XHKG,unit,,,1,,,ours,\nXHKG,unit,,,1,,,ours,", 3, "speaks of what line 2 speaks of"),
        ("XHKG,maximum,,,1,,2020-01-01,ours,\nXHKG,maximum,,,2,2020-01-03,,ours,", 3, "leaves days between itself and line 2"),
    ])
    func wrongRowsNameTheLine(rows: String, line: Int, reason: String) {
        let text = LotRules.columns.joined(separator: ",") + "\n" + rows
        #expect(throws: DataFault(file: "lots.csv", line: line, reason: reason)) {
            try LotRules(CSVTable(text: text, file: "lots.csv", required: LotRules.columns))
        }
    }
}

struct SettlementTests {
    @Test func cyclesByDate() throws {  // H-3
        let facts = try shippedFacts()
        let cases = [
            ("700", "2026-11-30", 2, true), ("AAPL", "2017-09-01", 3, false), ("AAPL", "2024-05-27", 2, false),
            ("AAPL", "2024-05-28", 1, true), ("ES2612", "2026-11-30", 1, false),
        ]
        for (symbol, date, days, isVerified) in cases {
            let instrument = try facts.instruments.resolve(symbol, on: day("2026-11-30")).get()
            let cycle = try #require(facts.settlement.cycle(for: instrument, on: day(date)))
            #expect(cycle.days == days && cycle.confidence.isVerified == isVerified, "\(symbol) \(date)")
        }
        let apple = try facts.instruments.resolve("AAPL", on: day("2026-11-30")).get()
        #expect(try facts.settlement.cycle(for: apple, on: day("1995-06-06")) == nil)
    }

    @Test(arguments: [
        ("XLON,1,,,ours,", 2, "market is XLON, which is unknown"), ("US,x,,,ours,", 2, "days is not 0 to 10"),
        ("US,1,,,ours,\nUS,2,,,ours,", 3, "holds on days on which line 2 holds"),
    ])
    func wrongRowsNameTheLine(rows: String, line: Int, reason: String) {
        let text = SettlementCycles.columns.joined(separator: ",") + "\n" + rows
        #expect(throws: DataFault(file: "settlement.csv", line: line, reason: reason)) {
            try SettlementCycles(CSVTable(text: text, file: "settlement.csv", required: SettlementCycles.columns))
        }
    }
}

struct OrderTypeTests {
    @Test func permissionsByPhase() throws {  // H-3
        let types = try shippedFacts().orderTypes
        func row(_ type: String, _ phase: String, _ market: String) throws -> OrderTypeTable.Row {
            try #require(types.row(type, in: phase, market: market, on: day("2026-11-30")), "\(market) \(type) \(phase)")
        }
        let input = try row("at-auction-limit", "pos-order-input", "XHKG")
        #expect(input.new == .yes && input.amend == .yes && input.cancel == .yes && input.price == "limit" && input.code == "AL")
        let late = try row("at-auction-limit", "pos-no-cancellation", "XHKG")
        #expect(late.new == .yes && late.amend == .no && late.cancel == .no && late.timesInForce == ["auction", "day"])
        #expect(try row("special-limit", "continuous-morning", "XHKG").remainder == "cancelled")
        #expect(try row("market", "continuous-morning", "XHKG").new == .broker)
        #expect(try row("market", "pre-market", "US").new == .queued)
        #expect(try row("market-on-close", "regular", "XNYS").new == .until(second: 15 * 3600 + 50 * 60))
        #expect(try row("auction", "pre-open-order-input", "XHKF").confidence == .conflict)
        #expect(try row("limit", "night", "XSGE").confidence.isVerified == false)
        #expect(try types.row("limit", in: "tea", market: "XHKG", on: day("2026-11-30")) == nil)
    }

    @Test(arguments: [
        ("XLON,limit,,day,yes,yes,yes,limit,,day,ours,", 2, "market is XLON, which is unknown"),
        ("US,limit,,day,maybe,yes,yes,limit,,day,ours,", 2, "new is maybe, which is unknown"),
        ("US,limit,,day,yes,until:25:00:00,yes,limit,,day,ours,", 2, "amend is until:25:00:00, which is unknown"),
        ("US,limit,,day,yes,yes,until:9:00,limit,,day,ours,", 2, "cancel is until:9:00, which is unknown"),
        ("US,limit,,day,yes,yes,yes,cheap,,day,ours,", 2, "price is cheap, which is unknown"),
        ("US,limit,,day,yes,yes,yes,limit,,day,ours,\nUS,limit,,day,no,no,no,limit,,day,ours,", 3, "speaks of what line 2 speaks of"),
    ])
    func wrongRowsNameTheLine(rows: String, line: Int, reason: String) {
        let text = OrderTypeTable.columns.joined(separator: ",") + "\n" + rows
        #expect(throws: DataFault(file: "order-types.csv", line: line, reason: reason)) {
            try OrderTypeTable(CSVTable(text: text, file: "order-types.csv", required: OrderTypeTable.columns))
        }
    }
}
