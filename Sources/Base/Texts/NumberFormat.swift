/// Fixed-point numbers as people read them (design §4): comma groups in all three languages, true minus on what has a sign,
/// rounded once, half away from zero.
public enum NumberFormat {
    /// Which signs are written.
    public enum Sign: Hashable, Sendable {
        /// `-` (ASCII) before negatives: prices, quantities, JSON.
        case plain
        /// `+` or U+2212 before everything but zero: changes and profit.
        case always
    }

    /// `value` × 10^-`scale` with that many decimals. A result that rounds to zero has no sign.
    public static func fixed(_ value: Int64, scale: Int, decimals: Int, grouping: Bool = true, sign: Sign = .plain) -> String {
        fixed(wide: Int128(value), scale: scale, decimals: decimals, grouping: grouping, sign: sign)
    }

    /// As `fixed`, for products.
    public static func fixed(wide value: Int128, scale: Int, decimals: Int, grouping: Bool = true, sign: Sign = .plain) -> String {
        let decimals = max(0, decimals)
        var digits = value.magnitude
        for _ in 0..<max(0, scale - decimals - 1) { digits /= 10 }
        if scale > decimals { digits = digits / 10 + (digits % 10 >= 5 ? 1 : 0) }
        var text = String(digits)
        if decimals > scale { text += String(repeating: "0", count: decimals - scale) }
        if text.utf8.count <= decimals { text = String(repeating: "0", count: decimals + 1 - text.utf8.count) + text }
        let whole = text.dropLast(decimals)
        var result = grouping ? group(whole) : String(whole)
        if decimals > 0 { result += "." + text.suffix(decimals) }
        guard digits != 0 else { return result }
        return switch (sign, value < 0) {
        case (.plain, true): "-" + result
        case (.plain, false): result
        case (.always, true): "\u{2212}" + result
        case (.always, false): "+" + result
        }
    }

    /// `1,234,567`.
    public static func grouped(_ value: Int64) -> String { fixed(value, scale: 0, decimals: 0) }

    /// A plain decimal (`1234567.50`) with its whole digits in groups and its places as they are; any other text as it stands.
    public static func grouped(decimal text: String) -> String {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return text
        }
        return (isNegative ? "-" : "") + group(parts[0]) + (parts.count == 2 ? "." + parts[1] : "")
    }

    /// Large counts: 万/亿 (萬/億) with one decimal, K/M/B in English; below ten thousand (a thousand) as they are, with up to
    /// `decimals` places and no trailing zeros.
    public static func short(_ value: Int64, scale: Int, in language: Language, decimals: Int = 0) -> String {
        let steps: [(power: Int, unit: String)] =
            switch language {
            case .english: [(9, "B"), (6, "M"), (3, "K")]
            case .simplifiedChinese: [(8, "亿"), (4, "万")]
            case .traditionalChinese: [(8, "億"), (4, "萬")]
            }
        let magnitude = Int128(value).magnitude
        for (index, step) in steps.enumerated() where magnitude >= power(step.power + scale) {
            let text = fixed(wide: Int128(value), scale: scale + step.power, decimals: 1)
            // 999,960 is 1.0M, not 1,000.0K.
            if index > 0,
                text.drop(while: { $0 == "-" }) == fixed(wide: Int128(power(steps[index - 1].power - step.power)), scale: 0, decimals: 1)
            {
                return (value < 0 ? "-" : "") + "1.0" + steps[index - 1].unit
            }
            // From a hundred on, the place after the point tells nothing and takes room.
            let isLarge = magnitude >= 100 * power(step.power + scale)
            return (isLarge ? fixed(wide: Int128(value), scale: scale + step.power, decimals: 0) : text) + step.unit
        }
        return trimmed(fixed(value, scale: scale, decimals: decimals))
    }

    /// `numerator / denominator` as a signed percentage with two decimals, no sign on `0.00%`; nil where the denominator is zero.
    public static func percent(_ numerator: Int64, of denominator: Int64) -> String? {
        guard denominator != 0 else { return nil }
        // Thousandths of a percent, cut: the third place alone decides half away from zero.
        let cut = Int128(numerator) * 100_000 / Int128(denominator.magnitude)
        return fixed(wide: cut, scale: 3, decimals: 2, sign: .always) + "%"
    }

    private static func trimmed(_ text: String) -> String {
        guard text.contains(".") else { return text }
        var text = text[...]
        while text.last == "0" { text = text.dropLast() }
        if text.last == "." { text = text.dropLast() }
        return String(text)
    }

    private static func power(_ n: Int) -> UInt128 { (0..<n).reduce(1) { result, _ in result * 10 } }

    private static func group(_ digits: some StringProtocol) -> String {
        var result = ""
        let count = digits.utf8.count
        for (index, digit) in digits.enumerated() {
            if index > 0, (count - index) % 3 == 0 { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
