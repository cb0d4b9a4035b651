/// An exact fraction: average cost, split ratio, fee rate. Kept exact until shown (C-6).
public struct Ratio: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Carries the sign.
    public let numerator: Int128
    /// Above zero; both are without a common divisor.
    public let denominator: Int128

    public static let zero = Ratio(reducing: 0, over: 1)
    public static let one = Ratio(reducing: 1, over: 1)

    /// Reduced to lowest terms. A denominator of zero is an error.
    public init(numerator: Int128, denominator: Int128) throws(ArithmeticError) {
        guard denominator != 0 else { throw .divisionByZero }
        guard numerator != .min, denominator != .min else { throw .overflow }
        self.init(
            reducing: denominator < 0 ? -numerator : numerator, over: denominator.magnitude == denominator ? denominator : -denominator)
    }

    /// `denominator` must be above zero.
    init(reducing numerator: Int128, over denominator: Int128) {
        let divisor = Int128(Self.commonDivisor(numerator.magnitude, denominator.magnitude))
        self.numerator = numerator / divisor
        self.denominator = denominator / divisor
    }

    /// A whole number.
    public init(_ whole: Int) { self.init(reducing: Int128(whole), over: 1) }

    /// Reads a plain decimal of at most 18 places exactly, e.g. a fee rate `0.0000565`.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        let scaled = try DecimalText.parse(text, places: 18, rounding: nil)
        self.init(reducing: Int128(scaled), over: 1_000_000_000_000_000_000)
    }

    /// Price for each unit: total ÷ quantity ÷ multiplier, exact.
    public init(average total: Money, over quantity: Quantity, multiplier: Quantity = .one) throws(ArithmeticError) {
        // micros / 10⁶ ÷ (units / 10⁸ × units / 10⁸)
        let top = Int128(total.micros) * 10_000_000_000
        try self.init(numerator: top, denominator: Int128(quantity.units) * Int128(multiplier.units))
    }

    private static func commonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }

    public func adding(_ other: Ratio) throws(ArithmeticError) -> Ratio {
        let shared = Int128(Self.commonDivisor(denominator.magnitude, other.denominator.magnitude))
        let left = try Whole.multiply(numerator, other.denominator / shared)
        let right = try Whole.multiply(other.numerator, denominator / shared)
        let bottom = try Whole.multiply(denominator, other.denominator / shared)
        return try Ratio(numerator: try Whole.add(left, right), denominator: bottom)
    }

    public func subtracting(_ other: Ratio) throws(ArithmeticError) -> Ratio { try adding(other.negated()) }

    public func negated() -> Ratio { Ratio(reducing: -numerator, over: denominator) }

    public func multiplied(by other: Ratio) throws(ArithmeticError) -> Ratio {
        // Crosswise first, so that no product is larger than the result needs.
        let left = Ratio(reducing: numerator, over: other.denominator)
        let right = Ratio(reducing: other.numerator, over: denominator)
        return try Ratio(
            numerator: try Whole.multiply(left.numerator, right.numerator),
            denominator: try Whole.multiply(left.denominator, right.denominator))
    }

    public func divided(by other: Ratio) throws(ArithmeticError) -> Ratio { try multiplied(by: try other.inverted()) }

    public func inverted() throws(ArithmeticError) -> Ratio {
        try Ratio(numerator: denominator, denominator: numerator)
    }

    /// The ratio × 10^places, rounded once.
    public func scaled(places: Int, _ rounding: Rounding) throws(ArithmeticError) -> Int64 {
        guard (0...18).contains(places) else { throw .overflow }
        return try Whole.narrowed(try Whole.multiply(numerator, Int128(Whole.powersOfTen[places]), dividedBy: denominator, rounding))
    }

    public static func < (a: Ratio, b: Ratio) -> Bool {
        let left = a.numerator.multipliedFullWidth(by: b.denominator)
        let right = b.numerator.multipliedFullWidth(by: a.denominator)
        return left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// `numerator/denominator`.
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
