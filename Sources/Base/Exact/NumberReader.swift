/// Reads numbers as people and statements write them. The whole text must be a number; no prefix is ever taken for it.
public struct NumberReader: Hashable, Sendable {
    /// How the decimal point and the groups of three look.
    public enum Notation: Hashable, Sendable {
        /// `1,234.56`
        case point
        /// `1.234,56` and `1 234,56`
        case comma

        /// The notation of a language code such as `en`, `zh-Hant` or `de_AT`; languages not listed use the point.
        public init(language: String) {
            let code = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
            self =
                ["de", "fr", "es", "it", "pt", "nl", "ru", "pl", "cs", "sv", "da", "fi", "nb", "tr", "id", "vi"].contains(code)
                ? .comma : .point
        }
    }

    /// What may stand besides sign, digits and decimal point.
    public struct Forms: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Groups of three digits, none irregular, none after a leading zero.
        public static let grouping = Forms(rawValue: 1)
        /// A sign such as `$`, `HK$`, or an ISO code before or after the number.
        public static let currency = Forms(rawValue: 2)
        /// `(1.50)` for −1.50.
        public static let parentheses = Forms(rawValue: 4)
        /// `1.50-`
        public static let trailingMinus = Forms(rawValue: 8)
        /// `1e3`
        public static let exponent = Forms(rawValue: 16)
        /// `7.5%` for 0.075
        public static let percent = Forms(rawValue: 32)

        /// What statements of banks and brokers hold.
        public static let statement: Forms = [.grouping, .currency, .parentheses, .trailingMinus, .exponent, .percent]
        /// What a user may type for a price or a quantity.
        public static let entry: Forms = [.grouping]
    }

    public var notation: Notation
    public var forms: Forms

    public init(_ notation: Notation, allowing forms: Forms = .entry) {
        self.notation = notation
        self.forms = forms
    }

    /// Full-width signs and digits count as their plain forms; white space around the number is ignored.
    public func read(_ text: some StringProtocol) throws(DecimalError) -> ExactDecimal {
        guard text.utf8.count <= 200 else { throw .outOfRange }
        var rest = Substring(String(String.UnicodeScalarView(text.unicodeScalars.map(Self.plain))))
        var marks = Marks()
        try stripFront(&rest, &marks)
        try stripBack(&rest, &marks)
        guard marks.opened == marks.closed, !(marks.opened && marks.sign != nil) else { throw .malformed }
        let isNegative = marks.opened || marks.sign == "-"
        return try number(rest, isNegative: isNegative, shift: marks.percent ? -2 : 0)
    }

    /// What stood around the digits.
    private struct Marks {
        var sign: Character?
        var opened = false
        var closed = false
        var currency = false
        var percent = false
    }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0x2212: "-"
        case 0xFFE5: "¥"
        case 0xFFE1: "£"
        case 0xA0, 0x202F, 0x2009, 0x3000, 0x09: " "
        default: scalar
        }
    }

    private func stripFront(_ rest: inout Substring, _ marks: inout Marks) throws(DecimalError) {
        while let first = rest.first, !isBody(first) {
            switch first {
            case " ": rest.removeFirst()
            case "-" where marks.sign == nil, "+" where marks.sign == nil:
                marks.sign = first
                rest.removeFirst()
            case "(" where forms.contains(.parentheses) && !marks.opened:
                marks.opened = true
                rest.removeFirst()
            default:
                let name = rest.prefix { $0.isASCII && $0.isUppercase }
                let sign = rest.dropFirst(name.count).prefix { "$¥€£".contains($0) }
                try takeCurrency(name, sign, &marks)
                rest = rest.dropFirst(name.count + sign.count)
            }
        }
    }

    private func stripBack(_ rest: inout Substring, _ marks: inout Marks) throws(DecimalError) {
        while let last = rest.last, !last.isASCIIDigit {
            switch last {
            case " ": rest.removeLast()
            case ")" where marks.opened && !marks.closed:
                marks.closed = true
                rest.removeLast()
            case "-" where forms.contains(.trailingMinus) && marks.sign == nil:
                marks.sign = "-"
                rest.removeLast()
            case "%" where forms.contains(.percent) && !marks.percent && !marks.currency:
                marks.percent = true
                rest.removeLast()
            default:
                let name = String(rest.reversed().prefix { $0.isASCII && $0.isUppercase || "$¥€£".contains($0) }.reversed())
                let letters = Substring(name).prefix { $0.isUppercase }
                try takeCurrency(letters, Substring(name).dropFirst(letters.count), &marks)
                rest = rest.dropLast(name.count)
            }
        }
    }

    private func takeCurrency(_ name: Substring, _ sign: Substring, _ marks: inout Marks) throws(DecimalError) {
        let isKnown = sign.count == 1 ? name.count <= 3 : sign.isEmpty && name.count == 3
        guard forms.contains(.currency), isKnown, !marks.currency, !marks.percent else { throw .malformed }
        marks.currency = true
    }

    private var point: Character { notation == .point ? "." : "," }

    private func isBody(_ character: Character) -> Bool { character.isASCIIDigit || character == point }

    /// The digits with groups, point and exponent, moved by `shift` places.
    private func number(_ body: Substring, isNegative: Bool, shift: Int) throws(DecimalError) -> ExactDecimal {
        var mantissa = body
        var exponent = shift
        if let mark = body.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard forms.contains(.exponent), let value = Int(body[body.index(after: mark)...]), abs(value) <= 40 else { throw .malformed }
            exponent += value
            mantissa = body[..<mark]
        }
        let halves = mantissa.split(separator: point, omittingEmptySubsequences: false)
        let fraction = halves.count == 2 ? halves[1] : ""
        guard let first = halves.first, halves.count <= 2, halves.count == 1 || !fraction.isEmpty else { throw .malformed }
        let whole = try ungrouped(first)
        guard !(whole + fraction).isEmpty, (whole + fraction).allSatisfy(\.isASCIIDigit) else { throw .malformed }
        let place = whole.count + exponent
        var digits = whole + fraction
        digits += String(repeating: "0", count: max(0, place - digits.count))
        digits = String(repeating: "0", count: max(0, 1 - place)) + digits
        let front = digits.prefix(max(place, 1))
        let back = digits.dropFirst(max(place, 1))
        return try ExactDecimal((isNegative ? "-" : "") + front + (back.isEmpty ? "" : "." + back))
    }

    private func ungrouped(_ text: Substring) throws(DecimalError) -> String {
        guard let separator = text.first(where: { !$0.isASCIIDigit }) else { return String(text) }
        let known: [Character] = notation == .point ? [","] : [".", " "]
        let groups = text.split(separator: separator, omittingEmptySubsequences: false)
        guard forms.contains(.grouping), known.contains(separator), let first = groups.first,
            (1...3).contains(first.count), first.first != "0", groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { throw .malformed }
        return groups.joined()
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
