import Exact
import HTTP
import Instruments
import Messages
import Streams
import Texts

/// Runs the Hong Kong vectors (price steps, ladders, fees) over the shipped tables. The cases have no ids; they are named by list and place.
enum HongKongCases {
    @Sendable static func recognisesTicks(_ json: JSONValue) -> Bool { json["tables"]?[0]?["bands"] != nil }
    @Sendable static func recognisesLadders(_ json: JSONValue) -> Bool { json[0]?["up5"] != nil }
    @Sendable static func recognisesFees(_ json: JSONValue) -> Bool { json["cases"]?[0]?["stamp_duty"] != nil }

    /// An ordinary share: spread table A.
    private struct Share {
        let facts: MarketFacts
        let fees: FeeSchedule
        let instrument: Instrument

        init() throws {
            let folder = try DataFolder.locate()
            facts = try MarketFacts(folder)
            fees = try FeeSchedule(folder)
            instrument = try facts.instruments.resolve("700.HK", on: HongKongCases.day("2026-11-30")).get()
        }
    }

    fileprivate static func day(_ text: String) throws -> TradingDay {
        guard let day = TradingDay(text) else { throw ScenarioFailure("\(text) is no date") }
        return day
    }

    @Sendable static func ticks(_ json: JSONValue) throws -> [CaseResult] {
        let share = try Share()
        // The file's first table is of no date; ours begins when that table was introduced.
        let first = try day("2006-07-24")
        return try json.elements("tables").enumerated().flatMap { place, table in
            let date = max(first, try day(try table.string("from")))
            return try table.elements("vectors").map { test in try tick(test, share, date, "ticks-\(place)-") }
        }
    }

    private static func tick(_ test: JSONValue, _ share: Share, _ date: TradingDay, _ prefix: String) throws -> CaseResult {
        let text = try test.string("price")
        let price = try Price(text)
        let ticks = share.facts.ticks
        let isValid = ticks.isOnTick(price, for: share.instrument, on: date)
        var wrong: [String] = isValid == test["valid"]?.boolValue ? [] : ["valid is \(isValid)"]
        let found: [(String, Price?)] = [
            ("next_up", ticks.above(price, for: share.instrument, on: date)),
            ("next_down", ticks.below(price, for: share.instrument, on: date)),
            ("snap_up", ticks.rounded(price, .up, for: share.instrument, on: date)),
            ("snap_down", ticks.rounded(price, .down, for: share.instrument, on: date)),
        ]
        for (name, got) in found {
            guard let expected = test[name] else { continue }
            let wanted = try expected.stringValue.map { try Price($0) }
            if got != wanted { wrong.append("\(name) is \(got?.description ?? "none")") }
        }
        return CaseResult(prefix + text, passes: wrong.isEmpty, got: wrong.isEmpty ? "as expected" : wrong.joined(separator: ", "))
    }

    @Sendable static func ladders(_ json: JSONValue) throws -> [CaseResult] {
        let share = try Share()
        let dates = ["old": "2025-08-01", "phase1": "2025-08-04", "phase2": "2026-08-03"]
        return try (json.arrayValue ?? []).map { test in
            let (table, start) = (try test.string("table"), try test.string("from"))
            let id = "ladder-\(table)-\(start)"
            guard let text = dates[table] else { return CaseResult(id, passes: false, got: "unknown table") }
            let date = try day(text)
            let from = try Price(start)
            func walk(_ step: Int) -> [String] {
                (1...5).map { count in
                    share.facts.ticks.spreads(from: from, count: count * step, for: share.instrument, on: date)?.description ?? "none"
                }
            }
            func wanted(_ name: String) throws -> [String] { try test.elements(name).map { try Price($0.stringValue ?? "").description } }
            let (up, down) = (walk(1), walk(-1))
            let passes = try up == wanted("up5") && down == wanted("down5")
            return CaseResult(id, passes: passes, got: (up + down).joined(separator: " "))
        }
    }

    /// Column of the file and rule of ours.
    private static let items = [
        ("stamp_duty", "hk-stamp-duty"), ("sfc_levy", "hk-sfc-transaction-levy"), ("afrc_levy", "hk-afrc-transaction-levy"),
        ("trading_fee", "hk-hkex-trading-fee"), ("settlement_fee", "hk-ccass-stock-settlement-fee"),
    ]

    @Sendable static func fees(_ json: JSONValue) throws -> [CaseResult] {
        let share = try Share()
        return try json.elements("cases").map { test in
            let (date, worth) = (try test.string("trade_date"), try test.string("consideration"))
            var wrong: [String] = []
            for side in [OrderSide.buy, .sell] {
                let found = try share.fees.statement(
                    for: share.instrument, side, quantity: .one, price: Price(worth), on: try day(date))
                for (column, rule) in items {
                    let got = found.items.first { $0.rule == rule }?.amount
                    if got != (try Money(try test.string(column), currency: .hkd)) { wrong.append("\(column) is \(got?.text ?? "none")") }
                }
                if found.items.count != items.count { wrong.append("\(found.items.count) items") }
                if found.total != (try Money(try test.string("total_without_brokerage"), currency: .hkd)) {
                    wrong.append("total is \(found.total.text)")
                }
            }
            return CaseResult(
                "fees-\(date)-\(worth)", passes: wrong.isEmpty, got: wrong.isEmpty ? "as expected" : wrong.joined(separator: ", "))
        }
    }
}
