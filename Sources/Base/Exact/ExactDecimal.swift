/// A decimal of any size a statement or a vector shows: sign, whole part, and a fraction of 38 places, all whole numbers. What text
/// and sums pass through before they become a `Price`, `Quantity` or `Money`.
public struct ExactDecimal: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let isNegative: Bool
    private let whole: UInt128
    /// × 10⁻³⁸, below 10³⁸.
    private let fraction: UInt128

    /// Decimal places kept.
    public static let places = 38
    private static let unit: UInt128 = Whole.powersOfTen[places]

    public static let zero = ExactDecimal(isNegative: false, whole: 0, fraction: 0)

    /// Zero has no sign.
    private init(isNegative: Bool, whole: UInt128, fraction: UInt128) {
        self.isNegative = isNegative && (whole != 0 || fraction != 0)
        self.whole = whole
        self.fraction = fraction
    }

    /// Reads a plain decimal of at most 38 decimal places.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        var parts = try DecimalText.Parts(text)
        while parts.fraction.last == 0x30 { parts.fraction.removeLast() }
        guard parts.fraction.count <= Self.places else { throw .tooPrecise(places: Self.places) }
        let digits = parts.whole.drop { $0 == 0x30 }
        guard digits.count <= Self.places else { throw .outOfRange }
        let padded = parts.fraction + Array(repeating: 0x30, count: Self.places - parts.fraction.count)
        self.init(isNegative: parts.isNegative, whole: Self.number(digits), fraction: Self.number(padded[...]))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt128 { digits.reduce(0) { $0 * 10 + UInt128($1 - 0x30) } }

    /// `numerator / denominator`, cut after the 38th place.
    public init(truncating numerator: Int128, over denominator: Int128) throws(ArithmeticError) {
        guard denominator != 0 else { throw .divisionByZero }
        let divisor = denominator.magnitude
        let (whole, remainder) = numerator.magnitude.quotientAndRemainder(dividingBy: divisor)
        let scaled = divisor.dividingFullWidth(remainder.multipliedFullWidth(by: Self.unit))
        self.init(isNegative: (numerator < 0) != (denominator < 0), whole: whole, fraction: scaled.quotient)
    }

    public func adding(_ other: ExactDecimal) throws(ArithmeticError) -> ExactDecimal {
        guard isNegative != other.isNegative else { return try sum(other) }
        // Unlike signs: the smaller magnitude off the larger.
        let isLarger = (whole, fraction) >= (other.whole, other.fraction)
        let (large, small) = isLarger ? (self, other) : (other, self)
        let borrows = large.fraction < small.fraction
        return ExactDecimal(
            isNegative: large.isNegative, whole: large.whole - small.whole - (borrows ? 1 : 0),
            fraction: large.fraction + (borrows ? Self.unit : 0) - small.fraction)
    }

    private func sum(_ other: ExactDecimal) throws(ArithmeticError) -> ExactDecimal {
        let fractions = fraction + other.fraction  // below 2 × 10³⁸, which fits
        let carries = fractions >= Self.unit
        let (wholes, overflow) = whole.addingReportingOverflow(other.whole)
        let (carried, overflowAgain) = wholes.addingReportingOverflow(carries ? 1 : 0)
        guard !overflow, !overflowAgain else { throw .overflow }
        return ExactDecimal(isNegative: isNegative, whole: carried, fraction: carries ? fractions - Self.unit : fractions)
    }

    public func subtracting(_ other: ExactDecimal) throws(ArithmeticError) -> ExactDecimal { try adding(other.negated()) }

    public func negated() -> ExactDecimal { ExactDecimal(isNegative: !isNegative, whole: whole, fraction: fraction) }

    /// To `decimals` places by the named rule.
    public func rounded(decimals: Int, rounding: Rounding) throws(ArithmeticError) -> ExactDecimal {
        guard decimals < Self.places else { return self }
        let kept = max(decimals, 0)
        let step = Whole.powersOfTen[Self.places - kept]
        let remainder = fraction % step
        let rest = step - remainder
        let lastDigit = kept == 0 ? whole : fraction / step
        let grows = rounding.grows(
            remainderIsZero: remainder == 0, half: remainder == rest ? 0 : remainder > rest ? 1 : -1,
            quotientIsOdd: lastDigit & 1 == 1, isNegative: isNegative)
        let cut = ExactDecimal(isNegative: isNegative, whole: whole, fraction: fraction - remainder)
        guard grows else { return cut }
        let up: (whole: UInt128, fraction: UInt128) = kept == 0 ? (1, 0) : (0, step)
        // The sign of `cut` is lost where it is zero.
        let signed = ExactDecimal(isNegative: isNegative, whole: up.whole, fraction: up.fraction)
        return try cut.adding(signed)
    }

    public static func < (a: ExactDecimal, b: ExactDecimal) -> Bool {
        if a.isNegative != b.isNegative { return a.isNegative }
        return a.isNegative ? (b.whole, b.fraction) < (a.whole, a.fraction) : (a.whole, a.fraction) < (b.whole, b.fraction)
    }

    /// Plain decimal without trailing zeros.
    public var description: String {
        var digits = String(fraction)
        digits = String(repeating: "0", count: Self.places - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return (isNegative ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }
}

extension Scaled {
    /// The same number; refused where this type cannot hold it exactly.
    public init(_ decimal: ExactDecimal) throws(DecimalError) { try self.init(decimal.description) }
}

extension Money {
    /// The same number; refused beyond six decimals.
    public init(_ decimal: ExactDecimal, currency: Currency) throws(DecimalError) {
        try self.init(decimal.description, currency: currency)
    }
}

extension Price {
    /// Repairs a price that a source stored as a 32-bit float and widened, e.g. 7.820000171661377 → 7.82: the shortest decimal that
    /// names the same 32-bit float. Anything that is not such a float is refused.
    public init(float32Widened value: Double) throws(DecimalError) {
        let narrow = Float(value)
        guard value.isFinite, Double(narrow) == value else { throw .malformed }
        let decimal = try NumberReader(.point, allowing: [.exponent]).read(narrow.description)
        try self.init(decimal)
    }
}
