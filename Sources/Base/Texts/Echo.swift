/// What someone typed, or a file or server said, inside a sentence of ours: cut, so that the sentence can be read, and with nothing in it
/// that moves a cursor, rings a bell or turns a line around.
public enum Echo {
    /// Characters of a word that somebody typed.
    static let word = 64
    /// Of paths, fingerprints, lists and faults, whose ends matter.
    static let whole = 1_024

    /// Arguments that repeat a word somebody typed.
    private static let words: Set<String> = [
        "argument", "command", "date", "day", "field", "market", "name", "option", "price", "quantity", "query", "suggestion", "symbol",
        "table", "text", "value",
    ]

    static func shown(_ value: String, _ name: String) -> String { bounded(value, to: words.contains(name) ? word : whole) }

    /// Harmless, and at most that many characters of the text: what is longer is cut and ends in `…`.
    public static func bounded(_ text: String, to limit: Int, keeping kept: Set<Unicode.Scalar> = []) -> String {
        let isCut = text.prefix(limit + 1).count > limit
        let shown = harmless(isCut ? String(text.prefix(limit - 1)) : text, keeping: kept)
        // One character may be of any number of marks.
        guard shown.utf8.count > limit * 16 else { return isCut ? shown + "…" : shown }
        return String(String.UnicodeScalarView(shown.unicodeScalars.prefix(limit))) + "…"
    }

    /// Controls and what cannot be seen written out, as `\n` or `\u{200E}`, besides those that are `kept`.
    public static func harmless(_ text: String, keeping kept: Set<Unicode.Scalar> = []) -> String {
        guard text.unicodeScalars.contains(where: { isHarmful($0) && !kept.contains($0) }) else { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where !isHarmful(scalar) || kept.contains(scalar): shown.unicodeScalars.append(scalar)
            case "\n": shown += "\\n"
            case "\t": shown += "\\t"
            default: shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return shown
    }

    /// What moves a cursor, rings a bell, ends or turns a line, or stands between letters unseen.
    public static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 127 { return scalar.value < 32 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
