/// An amount of money: Int64 × 10⁻⁶ of `currency`. Amounts of different currencies are neither added nor compared.
public struct Money: Hashable, Sendable, CustomStringConvertible {
    public var micros: Int64
    public var currency: Currency

    @inlinable
    public init(micros: Int64, currency: Currency) {
        self.micros = micros
        self.currency = currency
    }

    /// Decimal places kept.
    public static let places = 6

    public static func zero(_ currency: Currency) -> Money { Money(micros: 0, currency: currency) }

    /// Reads a plain decimal such as `-12.50`; refuses more than six decimals.
    public init(_ text: some StringProtocol, currency: Currency) throws(DecimalError) {
        self.init(micros: try DecimalText.parse(text, places: Self.places, rounding: nil), currency: currency)
    }

    /// Reads a plain decimal, rounding decimals beyond the sixth by the named rule.
    public init(_ text: some StringProtocol, currency: Currency, rounding: Rounding) throws(DecimalError) {
        self.init(micros: try DecimalText.parse(text, places: Self.places, rounding: rounding), currency: currency)
    }

    /// price × quantity × multiplier, all three exact in 256 bits, rounded once to 10⁻⁶.
    ///
    /// - Parameter multiplier: currency per point per contract; `Quantity.one` for stocks
    public init(
        price: Price, quantity: Quantity, multiplier: Quantity = .one, currency: Currency, rounding: Rounding
    ) throws(ArithmeticError) {
        // nanos × units × units = 10⁻²⁵; to 10⁻⁶ are 19 places.
        let value = Int128(price.nanos) * Int128(quantity.units)
        let micros = try Whole.multiply(value, Int128(multiplier.units), dividedBy: 10_000_000_000_000_000_000, rounding)
        self.init(micros: try Whole.narrowed(micros), currency: currency)
    }

    /// The ratio, in units of the currency, rounded once.
    public init(_ ratio: Ratio, currency: Currency, rounding: Rounding) throws(ArithmeticError) {
        self.init(micros: try ratio.scaled(places: Self.places, rounding), currency: currency)
    }

    /// The amount as a plain decimal without trailing zeros and without its currency.
    public var text: String { DecimalText.text(micros, places: Self.places) }

    /// With exactly `decimals` places, for show; rounded once.
    public func text(decimals: Int, rounding: Rounding = .halfUp) -> String {
        DecimalText.text(micros, places: Self.places, shown: decimals, rounding)
    }

    /// Amount and currency, e.g. `12.5 HKD`.
    /// Exact, with at least `decimals` places: `3604057.20`.
    public func text(atLeast decimals: Int) -> String {
        let exact = text
        let places = exact.split(separator: ".").dropFirst().first?.utf8.count ?? 0
        return places >= decimals ? exact : text(decimals: decimals)
    }

    public var description: String { "\(text) \(currency)" }

    @inlinable public var isZero: Bool { micros == 0 }
    @inlinable public var isNegative: Bool { micros < 0 }
    @inlinable public var isPositive: Bool { micros > 0 }

    /// The same amount as an exact fraction of the currency's unit.
    public var ratio: Ratio { Ratio(reducing: Int128(micros), over: 1_000_000) }

    public func adding(_ other: Money) throws(ArithmeticError) -> Money {
        try check(other)
        return Money(micros: try Whole.add(micros, other.micros), currency: currency)
    }

    public func subtracting(_ other: Money) throws(ArithmeticError) -> Money {
        try check(other)
        return Money(micros: try Whole.subtract(micros, other.micros), currency: currency)
    }

    public func negated() throws(ArithmeticError) -> Money {
        Money(micros: try Whole.subtract(0, micros), currency: currency)
    }

    public func isLess(than other: Money) throws(ArithmeticError) -> Bool {
        try check(other)
        return micros < other.micros
    }

    /// Times a ratio (a fee rate, a share), rounded once.
    public func multiplied(by ratio: Ratio, rounding: Rounding) throws(ArithmeticError) -> Money {
        let product = try Whole.multiply(Int128(micros), ratio.numerator, dividedBy: ratio.denominator, rounding)
        return Money(micros: try Whole.narrowed(product), currency: currency)
    }

    /// To `decimals` places by the named rule.
    public func rounded(decimals: Int, rounding: Rounding) throws(ArithmeticError) -> Money {
        guard decimals < Self.places else { return self }
        let step = Int128(Whole.powersOfTen[Self.places - max(decimals, 0)])
        let steps = try Whole.divide(Int128(micros), by: step, rounding)
        return Money(micros: try Whole.narrowed(try Whole.multiply(steps, step)), currency: currency)
    }

    private func check(_ other: Money) throws(ArithmeticError) {
        guard currency == other.currency else { throw .currencyMismatch(expected: currency, found: other.currency) }
    }
}
