import Exact
public import Messages
public import Streams

/// Fees by dated rule (N-4). An order pays on its cumulative consideration or quantity, each rule rounded on its own, so that the
/// number of fills does not change the total: a fill is charged the difference to what its order was charged before.
public struct FeeSchedule: Sendable {
    let rules: [FeeRule]
    let known: KnownDays

    package static let columns = [
        "rule", "scopes", "kinds", "side", "basis", "rate", "min", "max", "currency", "rounding", "from", "to", "confidence", "note",
        "sources",
    ]

    /// Reads `tables/fees.csv`; a fault names the line.
    public init(_ folder: DataFolder) throws(DataFault) {
        let futures = try FuturesTable(folder.table("futures.csv", FuturesTable.columns))
        try self.init(folder.table("fees.csv", Self.columns), products: futures.all.map(\.product), known: KnownDays(folder))
    }

    /// Of one rule and one market (or product) and kind no two rows hold on one day, and none is missing between two.
    init(_ table: CSVTable, products: [String], known: KnownDays = KnownDays()) throws(DataFault) {
        let scopes = Set(Market.allCases.map(\.rawValue) + ["US"] + products)
        var rules: [FeeRule] = []
        var series: [FeeRule.Subject: [(span: DaySpan, row: DatedRow)]] = [:]
        for row in table.entries {
            let rule = try FeeRule(row)
            for scope in rule.scopes where !scopes.contains(scope) {
                throw row.fault("scopes names \(scope), which is no market or product")
            }
            for subject in rule.subjects { series[subject, default: []].append((rule.span, row)) }
            rules.append(rule)
        }
        for rows in series.values.sorted(by: { ($0.first?.row.line ?? 0) < ($1.first?.row.line ?? 0) }) { try checkSeries(rows) }
        self.rules = rules
        self.known = known
    }

    /// Every item an order owes in all for what it has traded: `consideration` in 10⁻⁶ (its magnitude), `quantity` in 10⁻⁸.
    public func items(
        _ instrument: Instrument, _ side: OrderSide, consideration: Int64, quantity: Int64, on day: TradingDay
    ) -> [FeeItem] {
        rules.indices.compactMap { index in
            guard rules[index].isOwed(for: instrument, side, on: day) else { return nil }
            return FeeItem(
                rules[index].name, rules[index].amount(consideration: consideration, quantity: quantity), rules[index].currency)
        }
    }

    /// The sum of `items`, in 10⁻⁶ of the instrument's currency.
    public func total(_ instrument: Instrument, _ side: OrderSide, consideration: Int64, quantity: Int64, on day: TradingDay) -> Int64 {
        var sum: Int64 = 0
        for index in rules.indices where rules[index].isOwed(for: instrument, side, on: day) {
            sum += rules[index].amount(consideration: consideration, quantity: quantity)
        }
        return sum
    }
}

extension FeeItem {
    init(_ rule: String, _ amount: Int64, _ currency: Currency) {
        self.init()
        self.rule = rule
        self.amount = amount
        self.currency = currency.code
    }
}
