public import Exact
public import Texts

/// How a profit was worked out (E-5): one line a position with its inputs, exact, and one for each total.
public struct Explanation: Hashable, Sendable {
    public struct Line: Hashable, Sendable {
        public var symbol: String
        /// `(333.34 − 333.333…) × 300 × 1 × 1`, inputs as plain decimals; a cost that never ends is shown as its fraction.
        public var formula: String

        public var amount: Money?
    }

    public var lines: [Line]
    public var missing: [Text]

    /// `total` must be of the same `profits`.
    public init(_ profits: [PositionProfit], total: ProfitTotal) {
        lines = profits.filter { $0.holding.quantity.units != 0 }.map { profit in
            let rate = total.rates[profit.ownCurrency]
            let price = profit.price.map(\.description) ?? "?"
            let cost = profit.averageCost.map(Self.text) ?? "?"
            let formula =
                "(\(price) \u{2212} \(cost)) × \(profit.holding.quantity) × \(profit.holding.multiplier) \(Self.times(rate))"
            var amount: Money?
            if let own = profit.own, let rate, let converted = try? own.multiplied(by: rate) { amount = converted.money(total.currency) }
            return Line(symbol: profit.holding.symbol, formula: formula, amount: amount)
        }
        missing = total.missing.map(\.text)
    }

    /// `× 7.8` or, where only the inverse is a plain decimal, `÷ 7.845685643`: the rate as it was fixed. One over a third currency is the
    /// fraction itself: `÷ a/b` would read as two divisions.
    private static func times(_ rate: Ratio?) -> String {
        guard let rate else { return "× ?" }
        let direct = text(rate)
        guard direct.contains("/"), let inverse = try? rate.inverted() else { return "× " + direct }
        let divisor = text(inverse)
        return divisor.contains("/") ? "× " + direct : "÷ " + divisor
    }

    /// A plain decimal where it ends within nine places, else the exact fraction.
    static func text(_ ratio: Ratio) -> String {
        guard let rounded = try? Price(ratio, rounding: .towardZero), rounded.ratio == ratio else { return "\(ratio)" }
        return rounded.description
    }
}

extension ProfitTotal.Missing {
    public var text: Text {
        switch self {
        case .price(let symbol), .overflow(let symbol): .pnlMissingPrice(symbol: symbol)
        case .rate(let from, let to): .pnlMissingRate(from: from.description, to: to.description)
        }
    }
}
