/// What someone typed, or a file or server said, inside a sentence of ours: cut, so that the sentence can be read, and with nothing in it
/// that moves a cursor, rings a bell or turns a line around.
enum Echo {
    /// Characters of a word that somebody typed.
    static let word = 64
    /// Of paths, fingerprints, lists and faults, whose ends matter.
    static let whole = 1_024

    /// Arguments that repeat a word somebody typed.
    private static let words: Set<String> = [
        "argument", "command", "date", "day", "field", "market", "name", "option", "price", "quantity", "query", "suggestion", "symbol",
        "table", "text", "value",
    ]

    static func shown(_ value: String, _ name: String) -> String {
        let limit = words.contains(name) ? word : whole
        let short = value.prefix(limit + 1)
        let isCut = short.count > limit
        let kept = isCut ? String(value.prefix(limit - 1)) : value
        let harmless = kept.unicodeScalars.contains(where: isHarmful) ? escaped(kept) : kept
        // One character may be of any number of marks.
        guard harmless.utf8.count > limit * 16 else { return isCut ? harmless + "…" : harmless }
        return String(String.UnicodeScalarView(harmless.unicodeScalars.prefix(limit))) + "…"
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127..<160, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// `\n`, `\t`, else `\u{1B}`.
    private static func escaped(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": shown += "\\n"
            case "\t": shown += "\\t"
            case _ where isHarmful(scalar): shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
