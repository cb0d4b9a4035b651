import Exact
public import Messages
public import Streams

/// Fees by dated rule (N-4). An order pays on its cumulative consideration or quantity, each rule rounded on its own, so that the
/// number of fills does not change the total: a fill is charged the difference to what its order was charged before.
public struct FeeSchedule: Sendable {
    struct Rule: Sendable {
        var name: String
        var scope: String
        var kinds: [Instrument.Kind]
        var sellOnly: Bool
        var onConsideration: Bool
        /// × 10⁻⁹: of the consideration, or of the currency per share or contract.
        var rate: Int64
        /// × 10⁻⁶ of the currency.
        var minimum: Int64?
        var maximum: Int64?
        var currency: Currency
        var step: Int128
        var roundsUp: Bool
        var from: TradingDay?
        var to: TradingDay?
        var verified: Bool
    }

    private let rules: [Rule]

    /// Reads `tables/fees.csv`; a fault names the line.
    public init(_ folder: DataFolder) throws(DataFault) {
        try self.init(
            table: try CSVTable(
                path: folder.file("tables/fees.csv"),
                required: [
                    "rule", "scope", "kinds", "side", "basis", "rate", "min", "max", "currency", "rounding", "from", "to", "confidence",
                ]))
    }

    init(table: CSVTable) throws(DataFault) {
        var rules: [Rule] = []
        for row in table.rows { rules.append(try Self.rule(row, table)) }
        self.rules = rules
    }

    private static func rule(_ row: CSVTable.Row, _ table: CSVTable) throws(DataFault) -> Rule {
        func text(_ column: String) -> Substring { row.fields[table.index(column)] }
        func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }
        func amount(_ column: String) throws(DataFault) -> Int64? {
            if text(column).isEmpty { return nil }
            guard let value = scaledDecimal(text(column), scale: 6) else { throw fault("\(column) is not an amount") }
            return value
        }
        func day(_ column: String) throws(DataFault) -> TradingDay? {
            if text(column).isEmpty { return nil }
            guard let value = TradingDay(text(column)) else { throw fault("\(column) is not a day") }
            return value
        }
        guard let rate = scaledDecimal(text("rate"), scale: 9), rate >= 0 else { throw fault("rate is not a number") }
        guard let currency = Currency(text("currency")) else { throw fault("currency is not a code") }
        let roundings: [Substring: (Int128, Bool)] = [
            "unit-up": (1_000_000, true), "cent-up": (10_000, true), "cent-half-up": (10_000, false),
        ]
        guard let rounding = roundings[text("rounding")] else { throw fault("rounding is unknown") }
        guard ["both", "sell"].contains(text("side")), ["consideration", "quantity"].contains(text("basis")) else {
            throw fault("side or basis is unknown")
        }
        let kinds = text("kinds").split(separator: ";").map { Instrument.Kind(rawValue: String($0)) }
        guard !kinds.isEmpty, !kinds.contains(nil) else { throw fault("kinds names an unknown kind") }
        return Rule(
            name: String(text("rule")), scope: String(text("scope")), kinds: kinds.compactMap(\.self),
            sellOnly: text("side") == "sell", onConsideration: text("basis") == "consideration", rate: rate, minimum: try amount("min"),
            maximum: try amount("max"), currency: currency, step: rounding.0, roundsUp: rounding.1, from: try day("from"),
            to: try day("to"),
            verified: text("confidence") == "two_sources")
    }

    /// Every item an order owes in all for what it has traded: `consideration` in 10⁻⁶ (its magnitude), `quantity` in 10⁻⁸.
    public func items(
        _ instrument: Instrument, _ side: OrderSide, consideration: Int64, quantity: Int64, on day: TradingDay
    ) -> [FeeItem] {
        rules.indices.compactMap { index in
            guard rules[index].holds(for: instrument, side, on: day) else { return nil }
            return FeeItem(
                rules[index].name, rules[index].amount(consideration: consideration, quantity: quantity), rules[index].currency)
        }
    }

    /// The sum of `items`, in 10⁻⁶ of the instrument's currency.
    public func total(_ instrument: Instrument, _ side: OrderSide, consideration: Int64, quantity: Int64, on day: TradingDay) -> Int64 {
        var sum: Int64 = 0
        for index in rules.indices where rules[index].holds(for: instrument, side, on: day) {
            sum += rules[index].amount(consideration: consideration, quantity: quantity)
        }
        return sum
    }

    /// Whether two sources agree on each rule that holds for the instrument that day.
    public func isVerified(_ instrument: Instrument, on day: TradingDay) -> Bool {
        rules.allSatisfy { $0.verified || !$0.holds(for: instrument, .sell, on: day) }
    }
}

extension FeeSchedule.Rule {
    func holds(for instrument: Instrument, _ side: OrderSide, on day: TradingDay) -> Bool {
        guard currency == instrument.currency, !sellOnly || side == .sell, kinds.contains(instrument.kind) else { return false }
        if let from, day < from { return false }
        if let to, day > to { return false }
        if let product = instrument.future?.product { return scope == product }
        return scope == instrument.market.rawValue || (instrument.market.isUnitedStates && scope == "US")
    }

    func amount(consideration: Int64, quantity: Int64) -> Int64 {
        if consideration == 0 && quantity == 0 { return 0 }
        // Both bases come to 10⁻¹⁵ of the currency: 10⁻⁶ × 10⁻⁹, and 10⁻⁸ × 10⁻⁹ divided by 100 below.
        let (raw, unit): (Int128, Int128) =
            onConsideration ? (Int128(consideration) * Int128(rate), 1_000_000_000) : (Int128(quantity) * Int128(rate), 100_000_000_000)
        let grain = step * unit
        var amount = (raw + (roundsUp ? grain - 1 : grain / 2)) / grain * step
        if let minimum { amount = max(amount, Int128(minimum)) }
        if let maximum { amount = min(amount, Int128(maximum)) }
        return Int64(amount)
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
