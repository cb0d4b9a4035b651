/// How a value between two representable ones is chosen.
public enum Rounding: Hashable, Sendable, CaseIterable {
    /// To the nearer; a tie away from zero.
    case halfUp
    /// To the nearer; a tie to the even neighbour.
    case halfEven
    case towardZero
    /// Away from zero.
    case up
    /// Towards +∞.
    case ceiling
    /// Towards −∞.
    case floor
}

/// Why a calculation has no exact or representable result.
public enum ArithmeticError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The result does not fit its scale.
    case overflow
    case divisionByZero
    /// Amounts of different currencies, or a rate between other currencies.
    case currencyMismatch(expected: Currency, found: Currency)

    public var description: String {
        switch self {
        case .overflow: "the result is too large"
        case .divisionByZero: "division by zero"
        case .currencyMismatch(let expected, let found): "expected an amount in \(expected), found one in \(found)"
        }
    }
}

extension Rounding {
    /// Whether the magnitude grows by one.
    ///
    /// - Parameters:
    ///   - remainder: what was left over, not negative, below the divisor; zero never grows
    ///   - half: how the remainder compares with half of the divisor: −1, 0, 1
    func grows(remainderIsZero: Bool, half: Int, quotientIsOdd: Bool, isNegative: Bool) -> Bool {
        if remainderIsZero { return false }
        return switch self {
        case .halfUp: half >= 0
        case .halfEven: half > 0 || (half == 0 && quotientIsOdd)
        case .towardZero: false
        case .up: true
        case .ceiling: !isNegative
        case .floor: isNegative
        }
    }
}

/// Whole-number arithmetic that every scaled type stands on: Int128 in, one rounding, no overflow unseen.
enum Whole {
    /// 10⁰ … 10³⁸.
    static let powersOfTen: [UInt128] = (0..<38).reduce(into: [1]) { powers, _ in powers.append((powers.last ?? 1) * 10) }

    /// `numerator / divisor`, rounded once.
    static func divide(_ numerator: Int128, by divisor: Int128, _ rounding: Rounding) throws(ArithmeticError) -> Int128 {
        guard divisor != 0 else { throw .divisionByZero }
        let isNegative = (numerator < 0) != (divisor < 0)
        let magnitude = rounded(
            numerator.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude), divisor.magnitude, isNegative, rounding)
        return try signed(magnitude, isNegative)
    }

    /// `a × b / divisor`, the product kept in 256 bits, rounded once.
    static func multiply(_ a: Int128, _ b: Int128, dividedBy divisor: Int128, _ rounding: Rounding) throws(ArithmeticError) -> Int128 {
        guard divisor != 0 else { throw .divisionByZero }
        let isNegative = (a < 0) != ((b < 0) != (divisor < 0))
        let d = divisor.magnitude
        let (narrow, overflow) = a.magnitude.multipliedReportingOverflow(by: b.magnitude)
        if !overflow {
            return try signed(rounded(narrow.quotientAndRemainder(dividingBy: d), d, isNegative, rounding), isNegative)
        }
        let wide = a.magnitude.multipliedFullWidth(by: b.magnitude)
        guard wide.high < d else { throw .overflow }
        return try signed(rounded(d.dividingFullWidth(wide), d, isNegative, rounding), isNegative)
    }

    private static func rounded(
        _ division: (quotient: UInt128, remainder: UInt128), _ divisor: UInt128, _ isNegative: Bool, _ rounding: Rounding
    ) -> UInt128? {
        let rest = divisor - division.remainder
        let half = division.remainder == rest ? 0 : division.remainder > rest ? 1 : -1
        let grows = rounding.grows(
            remainderIsZero: division.remainder == 0, half: half, quotientIsOdd: division.quotient & 1 == 1, isNegative: isNegative)
        guard grows else { return division.quotient }
        return division.quotient == .max ? nil : division.quotient + 1
    }

    private static func signed(_ magnitude: UInt128?, _ isNegative: Bool) throws(ArithmeticError) -> Int128 {
        guard let magnitude, magnitude <= Int128.max.magnitude else { throw .overflow }
        return isNegative ? -Int128(magnitude) : Int128(magnitude)
    }

    static func narrowed(_ value: Int128) throws(ArithmeticError) -> Int64 {
        guard let narrow = Int64(exactly: value) else { throw .overflow }
        return narrow
    }

    static func add(_ a: Int64, _ b: Int64) throws(ArithmeticError) -> Int64 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        guard !overflow else { throw .overflow }
        return sum
    }

    static func subtract(_ a: Int64, _ b: Int64) throws(ArithmeticError) -> Int64 {
        let (difference, overflow) = a.subtractingReportingOverflow(b)
        guard !overflow else { throw .overflow }
        return difference
    }

    static func add(_ a: Int128, _ b: Int128) throws(ArithmeticError) -> Int128 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        guard !overflow else { throw .overflow }
        return sum
    }

    static func multiply(_ a: Int128, _ b: Int128) throws(ArithmeticError) -> Int128 {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        guard !overflow else { throw .overflow }
        return product
    }
}
