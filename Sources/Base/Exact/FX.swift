/// Units of the quote currency for one unit of the base currency: Int64 × 10⁻⁹. A rate is above zero.
public struct FXRate: Hashable, Sendable, CustomStringConvertible {
    public var nanos: Int64
    public var base: Currency
    public var quote: Currency

    public init(nanos: Int64, base: Currency, quote: Currency) {
        self.nanos = nanos
        self.base = base
        self.quote = quote
    }

    /// Reads a plain decimal of at most nine places above zero.
    public init(_ text: some StringProtocol, base: Currency, quote: Currency) throws(DecimalError) {
        let nanos = try DecimalText.parse(text, places: 9, rounding: nil)
        guard nanos > 0 else { throw .outOfRange }
        self.init(nanos: nanos, base: base, quote: quote)
    }

    /// The rate as a plain decimal without trailing zeros.
    public var text: String { DecimalText.text(nanos, places: 9) }
    public var description: String { "\(base)\(quote) \(text)" }

    /// How many units of the other currency one unit of `currency` is; an amount in neither currency has none.
    public func factor(from currency: Currency) throws(ArithmeticError) -> Ratio {
        guard nanos > 0 else { throw .divisionByZero }
        if currency == base { return Ratio(reducing: Int128(nanos), over: 1_000_000_000) }
        guard currency == quote else { throw .currencyMismatch(expected: base, found: currency) }
        return Ratio(reducing: 1_000_000_000, over: Int128(nanos))
    }

    /// An amount in either of the two currencies, in the other one, rounded once to 10⁻⁶.
    public func convert(_ money: Money, rounding: Rounding) throws(ArithmeticError) -> Money {
        let ratio = try factor(from: money.currency)
        var result = try money.multiplied(by: ratio, rounding: rounding)
        result.currency = money.currency == base ? quote : base
        return result
    }
}

/// Rates known now. What has no rate stays unconverted and is named; it never counts 1:1.
public struct FXTable: Hashable, Sendable {
    private var rates: [Pair: FXRate] = [:]

    private struct Pair: Hashable {
        var base: Currency
        var quote: Currency
    }

    public init(_ rates: [FXRate] = []) {
        for rate in rates { set(rate) }
    }

    /// Adds a rate or replaces the one of the same pair; a rate of zero or below is no rate and removes it.
    public mutating func set(_ rate: FXRate) {
        rates[Pair(base: rate.base, quote: rate.quote)] = rate.nanos > 0 ? rate : nil
        if rates[Pair(base: rate.quote, quote: rate.base)] != nil { rates[Pair(base: rate.quote, quote: rate.base)] = nil }
    }

    /// All rates, by pair.
    public var all: [FXRate] { rates.values.sorted { ($0.base, $0.quote) < ($1.base, $1.quote) } }

    /// The exact factor from one currency to another: direct, inverted, or over the first third currency (by code) that has both
    /// rates. Nil where there is no rate.
    public func factor(from: Currency, to: Currency) throws(ArithmeticError) -> Ratio? {
        if from == to { return .one }
        if let direct = try leg(from, to) { return direct }
        for third in Set(rates.keys.flatMap { [$0.base, $0.quote] }).sorted() where third != from && third != to {
            if let first = try leg(from, third), let second = try leg(third, to) { return try first.multiplied(by: second) }
        }
        return nil
    }

    private func leg(_ from: Currency, _ to: Currency) throws(ArithmeticError) -> Ratio? {
        try (rates[Pair(base: from, quote: to)] ?? rates[Pair(base: to, quote: from)])?.factor(from: from)
    }

    /// The amount in another currency, rounded once to 10⁻⁶; nil where there is no rate.
    public func convert(_ money: Money, to currency: Currency, rounding: Rounding) throws(ArithmeticError) -> Money? {
        guard let factor = try factor(from: money.currency, to: currency) else { return nil }
        var result = try money.multiplied(by: factor, rounding: rounding)
        result.currency = currency
        return result
    }

    /// The sum of amounts in one currency. Amounts of a currency are added before they are converted, each rounded once to 10⁻⁶.
    public func total(_ amounts: [Money], in currency: Currency, rounding: Rounding) throws(ArithmeticError) -> FXTotal {
        var sums: [Currency: Money] = [:]
        for amount in amounts { sums[amount.currency] = try (sums[amount.currency] ?? .zero(amount.currency)).adding(amount) }
        var result = FXTotal(known: .zero(currency), unconverted: [])
        for sum in sums.values.sorted(by: { $0.currency < $1.currency }) where !sum.isZero {
            if let converted = try convert(sum, to: currency, rounding: rounding) {
                result.known = try result.known.adding(converted)
            } else {
                result.unconverted.append(sum)
            }
        }
        return result
    }
}

/// A sum over currencies that says what it could not count.
public struct FXTotal: Hashable, Sendable {
    /// What had a rate.
    public var known: Money
    /// Amounts without a rate, one a currency, by code.
    public var unconverted: [Money]
    public var isComplete: Bool { unconverted.isEmpty }
}
