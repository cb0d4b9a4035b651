import Exact
import Foundation
import Messages
import Streams
import Testing
import Texts

@testable import Instruments

private let header = FeeSchedule.columns.joined(separator: ",") + "\n"

private func schedule(_ rows: String) throws -> FeeSchedule {
    try FeeSchedule(CSVTable(text: header + rows, file: "fees.csv", required: FeeSchedule.columns), products: ["HSI"])
}

struct FeeTests {
    let facts: MarketFacts
    let fees: FeeSchedule
    init() throws {
        facts = try shippedFacts()
        fees = try FeeSchedule(DataFolder.locate())
    }

    private func instrument(_ symbol: String) throws -> Instrument { try facts.instruments.resolve(symbol, on: day("2026-11-30")).get() }

    private func statement(
        _ instrument: Instrument, _ side: OrderSide, _ quantity: String, _ price: String, _ date: String
    ) throws -> FeeStatement {
        try fees.statement(for: instrument, side, quantity: Quantity(quantity), price: Price(price), on: day(date))
    }

    /// One row after another: what is said of the second or third line.
    @Test(
        arguments: [
            (
                "a,XHKG,stock,both,consideration,0.1,,,HKD,cent-up,2020-01-01,,ours,,\na,XHKG,stock;etf,both,consideration,0.1,,,HKD,cent-up,,2020-01-01,ours,,",
                2, "holds on days on which line 3 holds"
            ),
            (
                "a,XHKG,stock,both,consideration,0.1,,,HKD,cent-up,,2020-01-01,ours,,\na,XHKG,stock,both,consideration,0.1,,,HKD,cent-up,2020-01-03,,ours,,",
                3, "leaves days between itself and line 2"
            ),
            (
                "a,XHKG,stock,both,consideration,0.1,,,HKD,cent-up,,,ours,,\na,XHKG,stock,both,consideration,0.1,,,HKD,cent-up,,,ours,,", 3,
                "holds on days on which line 2 holds"
            ),
            ("a,XLON,stock,both,consideration,0.1,,,HKD,cent-up,,,ours,,", 2, "scopes names XLON, which is no market or product"),
            ("a,XHKG,share,both,consideration,0.1,,,HKD,cent-up,,,ours,,", 2, "kinds names an unknown kind, or one twice"),
            ("a,XHKG,stock,both,consideration,0.1,,,HKD,cent-up,2021-01-02,2021-01-01,ours,,", 2, "from is after to"),
            ("a,XHKG,stock,both,consideration,-0.1,,,HKD,cent-up,,,ours,,", 2, "rate or min is negative, or min is above max"),
            ("a,XHKG,stock,both,consideration,1.1,,,HKD,cent-up,,,ours,,", 2, "rate is too large"),
            ("a,XHKG,stock,both,consideration,0.1,3,2,HKD,cent-up,,,ours,,", 2, "rate or min is negative, or min is above max"),
            ("a,XHKG,stock,both,turnover,0.1,,,HKD,cent-up,,,ours,,", 2, "basis is turnover, which is unknown"),
            ("a,XHKG,stock,both,consideration,0.1,,,HKD,cent-down,,,ours,,", 2, "rounding is cent-down, which is unknown"),
        ] as [(String, Int, String)])
    func wrongRowsNameTheLine(rows: String, line: Int, reason: String) {  // N-4, H-3
        #expect(throws: DataFault(file: "fees.csv", line: line, reason: reason)) { try schedule(rows) }
    }

    @Test func everyVectorItemByItem() throws {  // HK-2, N-4
        let path = try DataFolder.locate().path + "/../Tests/Fixtures/hk/fee_vectors.json"
        let root = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
        let tencent = try instrument("700")
        let columns = [
            "stamp_duty": "hk-stamp-duty", "sfc_levy": "hk-sfc-transaction-levy", "afrc_levy": "hk-afrc-transaction-levy",
            "trading_fee": "hk-hkex-trading-fee", "settlement_fee": "hk-ccass-stock-settlement-fee",
        ]
        let cases = try #require(root["cases"] as? [[String: String]])
        for test in cases {
            let date = try #require(test["trade_date"])
            for side in [OrderSide.buy, .sell] {
                let found = try statement(tencent, side, "1", try #require(test["consideration"]), date)
                for (column, rule) in columns {
                    let amount = try Money(try #require(test[column]), currency: .hkd)
                    #expect(found.items.first { $0.rule == rule }?.amount == amount, "\(column) of \(test)")
                }
                #expect(try found.total == Money(try #require(test["total_without_brokerage"]), currency: .hkd))
                #expect(found.items.count == columns.count)
            }
        }
        #expect(cases.count == 10)
    }

    @Test func salesInTheUnitedStates() throws {  // N-4
        let apple = try instrument("AAPL")
        let sale = try statement(apple, .sell, "1000", "200.01", "2026-09-30")
        #expect(sale.items.map(\.rule) == ["us-sec-section-31", "us-finra-taf"])
        #expect(sale.items.map(\.amount.text) == ["4.13", "0.2"])
        #expect(sale.settlement?.text == "200005.67" && sale.isVerified)
        // The cap, the months without a levy, the day it comes back.
        #expect(try statement(apple, .sell, "1000000", "200", "2026-09-30").items.last?.amount.text == "9.79")
        #expect(try statement(apple, .sell, "1000000", "200", "2026-10-01").items.last?.amount.text == "0")
        #expect(try statement(apple, .sell, "1000", "200", "2027-01-01").items.last?.amount.text == "0.24")
        #expect(try statement(apple, .sell, "1000", "200", "2028-01-03").isVerified == false)
        #expect(try statement(apple, .sell, "100000", "0.0001", "2027-01-01").items.last?.amount.text == "0")
        let purchase = try statement(apple, .buy, "1000", "200.01", "2026-09-30")
        #expect(purchase.items.isEmpty && purchase.settlement?.text == "200010" && purchase.isVerified)
    }

    @Test func futuresPayByContract() throws {  // N-4
        let found = try statement(try instrument("HSI2612"), .buy, "3", "22948", "2026-11-30")
        #expect(found.items.map(\.amount.text) == ["30", "1.62"] && found.total.text == "31.62" && found.settlement == nil)
        #expect(found.consideration.text == "3442200")
        #expect(try statement(try instrument("GC2612"), .sell, "1", "4000", "2026-11-30").isVerified == false)
        #expect(try statement(try instrument("ES2612"), .sell, "2", "-5", "2026-11-30").total.text == "2.8")
    }

    @Test func everyKindOfHongKongAndItsStampDuty() throws {
        var paper = try instrument("700")
        func duty(_ kind: Instrument.Kind, _ date: String) throws -> String? {
            paper.kind = kind
            return try statement(paper, .buy, "1", "1000000", date).items.first { $0.rule == "hk-stamp-duty" }?.amount.text
        }
        #expect(try duty(.stock, "2026-11-30") == "1000" && duty(.warrant, "2026-11-30") == "1000")
        #expect(try duty(.etf, "2026-11-30") == "0" && duty(.structured, "2026-11-30") == "0" && duty(.reit, "2026-11-30") == "0")
        #expect(try duty(.reit, "2024-12-20") == "1000" && duty(.stock, "2001-08-31") == "1125")
        let old = try statement(paper, .buy, "1", "1000000", "2005-12-16")
        #expect(old.items.contains { $0.rule == "hk-investor-compensation-levy" && $0.amount.text == "20" })
        #expect(old.items.contains { $0.rule == "hk-hkex-trading-tariff" && $0.amount.text == "0.5" } && !old.isVerified)
    }

    @Test func whatTheTablesDoNotTellIsAnError() throws {
        let tencent = try instrument("700")
        func unknown(_ symbol: String, _ date: String, _ rule: String) -> Failure {
            Failure(.feesUnknown, .init("symbol", symbol), .init("date", date), .init("rule", rule))
        }
        #expect(throws: unknown("700.HK", "2000-01-03", "hk-hkex-trading-fee")) { try statement(tencent, .buy, "1", "1", "2000-01-03") }
        #expect(throws: unknown("AAPL.US", "2029-01-02", "us-finra-taf")) {
            try statement(instrument("AAPL"), .buy, "1", "1", "2029-01-02")
        }
        #expect(throws: Failure(.feesNone, .init("symbol", "HSI.INDX"))) {
            try statement(instrument("HSI.INDX"), .buy, "1", "1", "2026-11-30")
        }
        var renminbi = tencent
        renminbi.currency = .cny
        #expect(throws: Failure(.feesCurrency, .init("symbol", "700.HK"), .init("currency", "CNY"), .init("known", "HKD"))) {
            try statement(renminbi, .buy, "1", "1", "2026-11-30")
        }
        // Hong Kong quotes debt in percent of a face value that the list does not give; what is traded per note elsewhere is not that.
        var bond = tencent
        bond.kind = .debt
        #expect(throws: Failure(.feesFaceUnknown, .init("symbol", "700.HK"))) { try statement(bond, .buy, "1", "1", "2026-11-30") }
        var future = try instrument("HSI2612")
        future.future?.product = "IF"
        #expect(throws: Failure(.feesNone, .init("symbol", "HSI2612.HKFE"))) { try statement(future, .buy, "1", "1", "2026-11-30") }
        #expect(throws: Failure(.feesTooLarge)) { try statement(tencent, .buy, "90000000000", "9000000000", "2026-11-30") }
    }
}

struct FuturesTableTests {
    let facts: MarketFacts
    init() throws { facts = try shippedFacts() }

    @Test func tickValues() throws {  // H-3
        let values = [
            ("HSI", "50"), ("MHI", "10"), ("CUS", "10"), ("ES", "12.5"), ("MNQ", "0.5"), ("ZN", "15.625"), ("6E", "6.25"), ("CL", "10"),
            ("IF", "60"), ("au", "20"), ("HG", "12.5"), ("i", "50"),
        ]
        for (name, value) in values {
            let product = try #require(facts.futures[name])
            let tick = try #require(facts.ticks.grid(name, on: day("2026-11-30"))?.band(at: 100)?.tick)
            #expect(try product.tickValue(Price(nanos: tick)).text == value, "\(name)")
        }
        for product in facts.futures.all {
            #expect(facts.ticks.has(product.product), "\(product.product)")
            #expect(TimeFormat(zone: product.timeZone, tag: "") != nil, "\(product.product)")
        }
    }

    /// The contracts of the symbol table say what the specifications give.
    @Test func contractsAgreeWithTheirSpecification() throws {  // H-5
        for instrument in facts.instruments.all {
            guard let future = instrument.future else { continue }
            let product = try #require(facts.futures[future.product])
            let code = instrument.code.suffix(4)
            let (year, number) = (try #require(Int(code.prefix(2))), try #require(Int(code.suffix(2))))
            let month = try #require(ContractMonth(year: 2000 + year, month: number))
            let last = try product.lastTradingDay(of: month) { try facts.calendar.isTradingDay($0, instrument.calendar) }
            #expect(last == future.expiry, "\(instrument.symbol)")
            #expect(product.multiplier == instrument.multiplier && product.currency == instrument.currency)
            #expect(product.market == instrument.market.rawValue && product.lastMinute == future.lastMinute)
            #expect(product.margin?.initial == future.initialMargin && product.margin?.maintenance == future.maintenanceMargin)
        }
    }

    @Test(arguments: [
        ("HSI", "2612 2701 2702 2703 2706 2709 2712 2806 2812 2906 2912 3012 3112"), ("MHI", "2612 2701 2703 2706"),
        ("ES", "2612 2703 2706 2709 2712 2803 2806 2809 2812 2912 3012 3112"),
        ("6E", "2612 2701 2702 2703 2704 2706 2709 2712 2803 2806 2809 2812 2903 2906 2909 2912 3003 3006 3009 3012 3103 3106 3109"),
    ])
    func monthsFromDecember(name: String, expected: String) throws {  // H-5
        let spot = try #require(ContractMonth(year: 2026, month: 12))
        let months = try #require(facts.futures[name]).months(from: spot)
        let written = months.map { "\($0.year % 100)" + ($0.month < 10 ? "0" : "") + "\($0.month)" }
        #expect(written == expected.split(separator: " ").map(String.init))
        let oil = try #require(facts.futures["CL"]).months(from: spot)
        #expect(oil.count == 123 && oil.last == ContractMonth(year: 2037, month: 2))
    }

    @Test func lastDays() throws {
        func last(_ name: String, _ year: Int, _ month: Int) throws -> TradingDay? {
            let product = try #require(facts.futures[name])
            let month = try #require(ContractMonth(year: year, month: month))
            // Weekdays but Good Friday 2008 and Christmas: enough for rules that look back.
            let closed = [try day("2008-03-21"), try day("2026-12-25")]
            return product.lastTradingDay(of: month) { ($0.daysSince1970 + 3) % 7 < 5 && !closed.contains($0) }
        }
        #expect(try last("ES", 2008, 3) == day("2008-03-20") && last("IF", 2008, 3) == day("2008-03-24"))
        #expect(try last("CL", 2026, 12) == day("2026-11-20") && last("CL", 2027, 1) == day("2026-12-21"))
        #expect(try last("MCL", 2027, 1) == day("2026-12-18") && last("NG", 2026, 12) == day("2026-11-26"))
        #expect(try last("6E", 2026, 12) == day("2026-12-14") && last("rb", 2026, 11) == day("2026-11-16"))
        #expect(try last("ZN", 2026, 12) == day("2026-12-21") && last("i", 2026, 12) == day("2026-12-14"))
        #expect(try last("sc", 2026, 12) == day("2026-11-30"))
    }

    @Test(arguments: [
        (1, "XLON", "market is XLON, which is unknown"), (6, "0", "multiplier is not a positive whole number"),
        (10, "4/abc", "months is no rule that is known"), (10, "x/all", "months is no rule that is known"),
        (11, "end", "last_day is no rule that is known"), (11, "end:99", "last_day is no rule that is known"),
        (12, "25:99", "last_time is not HH:MM"), (15, "-1", "margins are not positive, or maintenance is above initial"),
        (18, "sure", "confidence is sure, which is unknown"),
    ])
    func wrongRowsNameTheLine(column: Int, value: String, reason: String) {
        var fields = "X,XCME,a,b,c,d,50,u,USD,2,4/all,end:2,16:00,America/Chicago,cash,2,1,,ours,ours,".split(
            separator: ",", omittingEmptySubsequences: false)
        fields[column] = Substring(value)
        let text = FuturesTable.columns.joined(separator: ",") + "\n" + fields.joined(separator: ",")
        #expect(throws: DataFault(file: "futures.csv", line: 2, reason: reason)) {
            try FuturesTable(CSVTable(text: text, file: "futures.csv", required: FuturesTable.columns))
        }
    }
}
