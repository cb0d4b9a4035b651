/// Columns a text takes on a terminal: East Asian wide and full-width characters two, combining marks none (UAX #11, the ranges
/// that matter for CJK; ambiguous characters count one).
public enum DisplayWidth {
    public static func columns(of text: some StringProtocol) -> Int {
        var sum = 0
        for character in text { sum += columns(of: character) }
        return sum
    }

    public static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return isWide(value) ? 2 : 1
        }
    }

    /// At most `columns` wide; what is cut ends with `…`.
    public static func cut(_ text: String, to columns: Int) -> String {
        guard self.columns(of: text) > columns else { return text }
        guard columns > 0 else { return "" }
        var result = ""
        var used = 1
        for character in text {
            used += self.columns(of: character)
            if used > columns { break }
            result.append(character)
        }
        return result + "…"
    }

    public enum Edge: Hashable, Sendable { case left, right }

    /// Exactly `columns` wide: cut, or filled with spaces on the side away from `edge`.
    public static func pad(_ text: String, to columns: Int, edge: Edge = .left) -> String {
        let cut = cut(text, to: columns)
        let space = String(repeating: " ", count: max(0, columns - self.columns(of: cut)))
        return edge == .left ? cut + space : space + cut
    }

    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
