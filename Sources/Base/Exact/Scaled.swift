/// A number held as Int64 times a fixed power of ten.
public protocol Scaled: Hashable, Sendable, Comparable {
    /// Decimal places kept.
    static var places: Int { get }
    /// The number × 10^places.
    var scaled: Int64 { get }
    init(scaled: Int64)
}

extension Scaled {
    @inlinable public static var zero: Self { Self(scaled: 0) }
    @inlinable public static func < (a: Self, b: Self) -> Bool { a.scaled < b.scaled }
    @inlinable public var isZero: Bool { scaled == 0 }
    @inlinable public var isNegative: Bool { scaled < 0 }
    @inlinable public var isPositive: Bool { scaled > 0 }

    /// Reads a plain decimal such as `-12.50`; refuses what this type cannot hold exactly.
    public init(_ text: some StringProtocol) throws(DecimalError) {
        self.init(scaled: try DecimalText.parse(text, places: Self.places, rounding: nil))
    }

    /// Reads a plain decimal, rounding decimals beyond the scale by the named rule.
    public init(_ text: some StringProtocol, rounding: Rounding) throws(DecimalError) {
        self.init(scaled: try DecimalText.parse(text, places: Self.places, rounding: rounding))
    }

    /// Exactly `whole`.
    public init(whole: Int) throws(ArithmeticError) {
        self.init(scaled: try Whole.narrowed(try Whole.multiply(Int128(whole), Int128(Whole.powersOfTen[Self.places]))))
    }

    /// The ratio, rounded once to this scale.
    public init(_ ratio: Ratio, rounding: Rounding) throws(ArithmeticError) {
        self.init(scaled: try ratio.scaled(places: Self.places, rounding))
    }

    /// Plain decimal without trailing zeros.
    public var description: String { DecimalText.text(scaled, places: Self.places) }

    /// With exactly `decimals` places, for show; rounded once.
    public func text(decimals: Int, rounding: Rounding = .halfUp) -> String {
        DecimalText.text(scaled, places: Self.places, shown: decimals, rounding)
    }

    public func adding(_ other: Self) throws(ArithmeticError) -> Self { Self(scaled: try Whole.add(scaled, other.scaled)) }

    public func subtracting(_ other: Self) throws(ArithmeticError) -> Self {
        Self(scaled: try Whole.subtract(scaled, other.scaled))
    }

    public func negated() throws(ArithmeticError) -> Self { Self(scaled: try Whole.subtract(0, scaled)) }

    public func magnitude() throws(ArithmeticError) -> Self { isNegative ? try negated() : self }

    /// Times a ratio (a split, a share), rounded once.
    public func multiplied(by ratio: Ratio, rounding: Rounding) throws(ArithmeticError) -> Self {
        Self(scaled: try Whole.narrowed(try Whole.multiply(Int128(scaled), ratio.numerator, dividedBy: ratio.denominator, rounding)))
    }

    /// To `decimals` places by the named rule.
    public func rounded(decimals: Int, rounding: Rounding) throws(ArithmeticError) -> Self {
        guard decimals < Self.places else { return self }
        return try rounded(toMultipleOf: Int64(Whole.powersOfTen[Self.places - max(decimals, 0)]), rounding)
    }

    func rounded(toMultipleOf step: Int64, _ rounding: Rounding) throws(ArithmeticError) -> Self {
        let steps = try Whole.divide(Int128(scaled), by: Int128(step), rounding)
        return Self(scaled: try Whole.narrowed(try Whole.multiply(steps, Int128(step))))
    }

    /// The same number as an exact fraction.
    public var ratio: Ratio { Ratio(reducing: Int128(scaled), over: Int128(Whole.powersOfTen[Self.places])) }
}

/// A price: Int64 × 10⁻⁹ of the instrument's currency (or index points). A missing price is `Price?`, never zero; negative futures
/// prices are legal (C-6).
public struct Price: Scaled, CustomStringConvertible {
    public var nanos: Int64
    @inlinable public init(nanos: Int64) { self.nanos = nanos }

    public static let places = 9
    @inlinable public init(scaled: Int64) { nanos = scaled }
    @inlinable public var scaled: Int64 { nanos }

    /// Whether the price is a whole multiple of `tick`; never for a tick of zero or below.
    public func isOnGrid(tick: Price) -> Bool { tick.nanos > 0 && nanos % tick.nanos == 0 }

    /// To a whole multiple of `tick` by the named rule; a tick of zero or below is a division by zero.
    public func rounded(toTick tick: Price, rounding: Rounding) throws(ArithmeticError) -> Price {
        guard tick.nanos > 0 else { throw .divisionByZero }
        return try rounded(toMultipleOf: tick.nanos, rounding)
    }
}

/// A quantity: Int64 × 10⁻⁸ of a share or contract. Shorts are negative.
public struct Quantity: Scaled, CustomStringConvertible {
    public var units: Int64
    @inlinable public init(units: Int64) { self.units = units }

    public static let places = 8
    @inlinable public init(scaled: Int64) { units = scaled }
    @inlinable public var scaled: Int64 { units }
    /// One share or contract; also the multiplier of a stock.
    public static let one = Quantity(units: 100_000_000)

    /// Whether this is a whole number of lots; never for a lot of zero or below.
    public func isMultiple(ofLot lot: Quantity) -> Bool { lot.units > 0 && units % lot.units == 0 }
}

/// An ISO 4217 code, e.g. `HKD`; three letters packed into 32 bits.
public struct Currency: Hashable, Sendable, Comparable, CustomStringConvertible {
    public let packed: UInt32

    /// Nil unless `code` is three letters A–Z.
    public init?(_ code: some StringProtocol) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        packed = code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private init(packed: UInt32) { self.packed = packed }
    public static let hkd = Currency(packed: 0x48_4B_44)
    public static let usd = Currency(packed: 0x55_53_44)
    public static let cny = Currency(packed: 0x43_4E_59)

    /// The three letters.
    public var code: String {
        String(decoding: [UInt8(packed >> 16 & 0xFF), UInt8(packed >> 8 & 0xFF), UInt8(packed & 0xFF)], as: UTF8.self)
    }
    public var description: String { code }
    public static func < (a: Currency, b: Currency) -> Bool { a.packed < b.packed }
}
