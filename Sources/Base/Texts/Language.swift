/// A language of the catalogues. Texts are looked up when shown, so a change of language needs no restart.
public enum Language: String, Hashable, Sendable, CaseIterable {
    case english = "en"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"

    /// Reads `en`, `zh_CN.UTF-8`, `zh-Hant-HK`, `zh_TW` …; nil for a language without a catalogue.
    public init?(tag: some StringProtocol) {
        let parts = tag.prefix { $0 != "." && $0 != "@" }.lowercased().split { $0 == "-" || $0 == "_" }
        switch parts.first {
        case "en", "c", "posix": self = .english
        case "zh":
            if parts.contains("hant") {
                self = .traditionalChinese
            } else if !parts.contains("hans"), parts.contains(where: { ["tw", "hk", "mo"].contains($0) }) {
                self = .traditionalChinese
            } else {
                self = .simplifiedChinese
            }
        default: return nil
        }
    }

    /// The language of an environment: `LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set; English where it has no catalogue.
    public init(environment: [String: String]) {
        let tag = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        self = tag.flatMap { Language(tag: $0) } ?? .english
    }

    /// The next one, for a key that switches while running.
    public var next: Language {
        switch self {
        case .english: .simplifiedChinese
        case .simplifiedChinese: .traditionalChinese
        case .traditionalChinese: .english
        }
    }

    var catalogue: [String: String] {
        switch self {
        case .english: Catalogues.en
        case .simplifiedChinese: Catalogues.zhHans
        case .traditionalChinese: Catalogues.zhHant
        }
    }
}
