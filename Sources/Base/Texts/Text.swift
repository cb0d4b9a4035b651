/// A text that is not yet in a language: a catalogue key with typed arguments. Made only by the generated factories, so a key
/// that no catalogue has cannot be written.
public struct Text: Hashable, Sendable {
    let key: String
    let arguments: [Argument]

    struct Argument: Hashable, Sendable {
        var name: String
        var value: Value
        init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    indirect enum Value: Hashable, Sendable {
        case string(String)
        case text(Text)
        case integer(Int)
        case duration(Duration)
    }

    init(_ key: String, _ arguments: [Argument] = []) {
        self.key = key
        self.arguments = arguments
    }

    /// The words in that language.
    public func words(in language: Language) -> String {
        guard let pattern = language.catalogue[key] else { return key }
        return Pattern.fill(pattern, words: language.catalogue) { name in
            arguments.first { $0.name == name }.map { $0.value.words(in: language) }
        }
    }
}

extension Text.Value {
    func words(in language: Language) -> String {
        switch self {
        case .string(let text): text
        case .text(let text): text.words(in: language)
        case .integer(let number): NumberFormat.grouped(Int64(number))
        case .duration(let duration): TimeFormat.length(duration, in: language)
        }
    }
}

extension Failure {
    /// The sentence for the user; its arguments are cut and made harmless. A code without a text of its own (a newer server's) is named in a general one.
    public func text(in language: Language) -> String {
        guard let pattern = language.catalogue["error.\(code.rawValue)"] else {
            return Pattern.fill(language.catalogue["error.unknown"] ?? "{code}") { $0 == "code" ? Echo.shown(code.rawValue, $0) : nil }
        }
        return Pattern.fill(pattern, words: language.catalogue) { name in
            arguments.first { $0.name == name }.map { Echo.shown($0.value, name) }
        }
    }

    /// True where the catalogues have a sentence for this code.
    public static func hasText(_ code: ErrorCode) -> Bool {
        Language.allCases.allSatisfy { $0.catalogue["error.\(code.rawValue)"] != nil }
    }
}

enum Pattern {
    /// The names a pattern asks for.
    static func names(_ pattern: String) -> [String] {
        var names: [String] = []
        _ = fill(pattern) { name in
            names.append(name)
            return nil
        }
        return names
    }

    /// Puts values for `{name}` and `{name:type}`; a value that is not there shows as `—`. Values are not searched again. A `decimal` has its
    /// digits in groups; a `list`, whose parts stand between a comma and a blank, is written as the language does; a `word` is looked up as `word.…`, and one that is not in the catalogue (the system's, a newer server's) shows as
    /// it is; a reason in English (the system's `Not a directory`, what is wrong with a file), alone or behind a name and a colon, is looked up as
    /// `word.reason-not-a-directory`.
    static func fill(_ pattern: String, words: [String: String] = [:], _ value: (String) -> String?) -> String {
        guard pattern.utf8.contains(UInt8(ascii: "{")) else { return pattern }
        var result = ""
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            result += rest[..<open]
            let inside = rest[rest.index(after: open)..<close].split(separator: ":", maxSplits: 1)
            let found = value(inside.first.map(String.init) ?? "") ?? "—"
            switch inside.last {
            case "decimal": result += NumberFormat.grouped(decimal: found)
            case "list": result += found.replacing(", ", with: words["list.separator"] ?? ", ")
            case "word": result += words["word." + found] ?? reason(found, words)
            default: result += found
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// A reason that came in English: from `strerror`, or from a part that has no catalogues.
    private static func reason(_ found: String, _ words: [String: String]) -> String {
        let parts = found.split(separator: ": ", omittingEmptySubsequences: false)
        guard let reason = parts.last, reason.utf8.count <= 100 else { return found }
        let key = reason.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        guard let word = words["word.reason-" + key] else { return found }
        return (parts.dropLast().map(String.init) + [word]).joined(separator: ": ")
    }
}
