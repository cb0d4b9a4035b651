/// Why text is not a number of the wanted scale.
public enum DecimalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not a plain decimal such as `-12.50`.
    case malformed
    /// More decimal places than the scale keeps; never rounded unless a rule is named.
    case tooPrecise(places: Int)
    /// Does not fit.
    case outOfRange

    public var description: String {
        switch self {
        case .malformed: "not a decimal number"
        case .tooPrecise(let places): "more than \(places) decimal places"
        case .outOfRange: "the number is too large"
        }
    }
}

/// Plain decimal text of numbers scaled by a power of ten.
enum DecimalText {
    /// Reads `[+-]digits[.digits]`, nothing else, as a multiple of 10⁻ᵖˡᵃᶜᵉˢ.
    static func parse(_ text: some StringProtocol, places: Int, rounding: Rounding?) throws(DecimalError) -> Int64 {
        var parts = try Parts(text)
        while parts.fraction.last == 0x30 { parts.fraction.removeLast() }
        if parts.fraction.count <= places {
            parts.fraction.append(contentsOf: repeatElement(0x30, count: places - parts.fraction.count))
            return try narrowed(try digits(parts.whole + parts.fraction, isNegative: parts.isNegative))
        }
        guard let rounding else { throw .tooPrecise(places: places) }
        let kept = parts.fraction.prefix(places)
        let rest = parts.fraction.dropFirst(places)
        let magnitude = try digits(parts.whole + kept, isNegative: false)
        // The rest is not zero: trailing zeros are gone.
        let first = rest.first ?? 0x30
        let half = first > 0x35 || (first == 0x35 && rest.count > 1) ? 1 : first == 0x35 ? 0 : -1
        let grows = rounding.grows(
            remainderIsZero: false, half: half, quotientIsOdd: magnitude & 1 == 1, isNegative: parts.isNegative)
        let rounded = grows ? magnitude + 1 : magnitude
        return try narrowed(parts.isNegative ? -rounded : rounded)
    }

    private static func narrowed(_ value: Int128) throws(DecimalError) -> Int64 {
        guard let narrow = Int64(exactly: value) else { throw .outOfRange }
        return narrow
    }

    /// At most 30 significant digits are looked at; more cannot fit an Int64.
    private static func digits(_ digits: [UInt8], isNegative: Bool) throws(DecimalError) -> Int128 {
        let significant = digits.drop { $0 == 0x30 }
        guard significant.count <= 30 else { throw .outOfRange }
        let value = significant.reduce(Int128(0)) { $0 * 10 + Int128($1 - 0x30) }
        return isNegative ? -value : value
    }

    /// The ASCII digits on both sides of the point.
    struct Parts {
        var isNegative = false
        var whole: [UInt8] = []
        var fraction: [UInt8] = []

        /// At most this many characters are read.
        static let limit = 120

        init(_ text: some StringProtocol) throws(DecimalError) {
            guard text.utf8.count <= Self.limit else { throw .outOfRange }
            var rest = Substring(text).utf8
            if let sign = rest.first, sign == 0x2D || sign == 0x2B {
                isNegative = sign == 0x2D
                rest.removeFirst()
            }
            whole = Array(rest.prefix { (0x30...0x39).contains($0) })
            rest.removeFirst(whole.count)
            guard !whole.isEmpty else { throw .malformed }
            guard let point = rest.popFirst() else { return }
            fraction = Array(rest)
            guard point == 0x2E, !fraction.isEmpty, fraction.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .malformed }
        }
    }

    /// Plain decimal without trailing zeros: `-0.5`, `12`.
    static func text(_ value: Int64, places: Int) -> String {
        var (whole, fraction) = split(value.magnitude, places)
        while fraction.last == "0" { fraction.removeLast() }
        whole = (value < 0 ? "-" : "") + whole
        return fraction.isEmpty ? whole : whole + "." + fraction
    }

    /// With exactly `shown` decimal places, rounded once; zero never shows a minus.
    static func text(_ value: Int64, places: Int, shown: Int, _ rounding: Rounding) -> String {
        let kept = min(max(shown, 0), places)
        let divisor = Int128(Whole.powersOfTen[places - kept])
        let isNegative = value < 0
        let (quotient, remainder) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(divisor))
        let rest = UInt64(divisor) - remainder
        let grows = rounding.grows(
            remainderIsZero: remainder == 0, half: remainder == rest ? 0 : remainder > rest ? 1 : -1,
            quotientIsOdd: quotient & 1 == 1, isNegative: isNegative)
        let rounded = grows ? quotient + 1 : quotient
        var (whole, fraction) = split(rounded, kept)
        fraction += String(repeating: "0", count: max(shown, 0) - kept)
        whole = (isNegative && rounded != 0 ? "-" : "") + whole
        return fraction.isEmpty ? whole : whole + "." + fraction
    }

    private static func split(_ magnitude: UInt64, _ places: Int) -> (whole: String, fraction: String) {
        let digits = String(magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (String(padded.dropLast(places)), String(padded.suffix(places)))
    }
}
