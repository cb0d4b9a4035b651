public import Instruments
public import Texts

/// One instrument a search found, and why it stands where it stands.
public struct SearchHit: Hashable, Sendable {
    public var id: InstrumentID
    public var rank: Rank
    public var field: Field
    /// Canonical text: `700.HK`.
    public var symbol: String
    /// As the symbol table wrote them when the index was made: raw values of `Market` and `Instrument.Kind`.
    public var market: String
    public var kind: String
    public var names: Instrument.Names

    /// How a query matched; what comes first here is listed first.
    public enum Rank: Int, Hashable, Sendable, CaseIterable, Comparable {
        /// The whole code.
        case code
        /// The code begins so.
        case codePrefix
        /// A whole name, its legal form aside.
        case name
        /// Pinyin or initials of a name from its first character on: the whole before its beginning, the words' reading before others.
        case pinyin
        /// A name begins so.
        case namePrefix
        /// Words of a name begin so, in any order.
        case word
        /// Pinyin or initials of a name from a later character on.
        case pinyinInside
        /// Somewhere in a name.
        case substring
        /// The Chinese characters stand in a name in this order, with others between: 恒指, 建行.
        case abbreviation
        /// Words of a name begin so but for one letter: one too many, one missing, one wrong, two exchanged.
        case typo

        public static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }

        /// `code`, `code-prefix`, …: as `--json` says it.
        public var text: String {
            switch self {
            case .code: "code"
            case .codePrefix: "code-prefix"
            case .name: "name"
            case .pinyin: "pinyin"
            case .namePrefix: "name-prefix"
            case .word: "word"
            case .pinyinInside: "pinyin-inside"
            case .substring: "substring"
            case .abbreviation: "abbreviation"
            case .typo: "typo"
            }
        }
    }

    /// What of the instrument matched.
    public enum Field: String, Hashable, Sendable, CaseIterable { case code, name, pinyin, initials, mixed }
}

extension ErrorCode {
    /// Nothing to search for: blanks and signs only.
    public static let searchEmpty = ErrorCode("search.empty")
    /// Argument: `most`, the characters a query may have.
    public static let searchLong = ErrorCode("search.long")
    /// The file of the search index is cut short, changed or none. Argument: `reason`.
    public static let searchDamaged = ErrorCode("search.damaged")
    /// Written by a newer program. Arguments: `found` and `known`, formats.
    public static let searchNewer = ErrorCode("search.newer")
}
