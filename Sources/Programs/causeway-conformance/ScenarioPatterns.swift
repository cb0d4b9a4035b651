import HTTP

/// Whether a value is as expected: `"*"` stands for any, numbers compare by value, members in any order.
func matches(_ expected: JSONValue, _ found: JSONValue) -> Bool {
    switch (expected, found) {
    case (.string("*"), _): return true
    case (.number(let a), .number(let b)): return a == b || (JSONNumber(a) != nil && JSONNumber(a) == JSONNumber(b))
    case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { matches($0, $1) }
    case (.object(let a), .object(let b)):
        return a.count == b.count && a.allSatisfy { member in found[member.name].map { matches(member.value, $0) } ?? false }
    default: return expected == found
    }
}

/// A PATTERN of the grammar.
struct SentPattern {
    private enum Form {
        case fields(kind: String, [(name: String, value: String)])
        case text(prefix: String, JSONValue?)
        case binary([UInt8])
    }

    private let form: Form
    let text: String

    /// Checked against the vocabulary of the part.
    init(_ json: JSONValue, _ vocabulary: ScenarioVocabulary, part: String) throws {
        text = json.stringValue ?? json.serialized()
        if let hex = json["hex"]?.stringValue, json.members?.count == 1 {
            form = .binary(try hexBytes(hex))
            return
        }
        guard let pattern = json.stringValue else { throw ScenarioFailure("not a pattern: \(text)") }
        if let first = pattern.first, ("0"..."9").contains(first) {
            let start = pattern.firstIndex { $0 == "[" || $0 == "{" }
            form = .text(prefix: String(pattern[..<(start ?? pattern.endIndex)]), try start.map { try JSONValue(parsing: pattern[$0...]) })
            return
        }
        guard case .fields(let kind, let fields) = SentMessage(pattern) else { throw ScenarioFailure("not a pattern: \(text)") }
        try vocabulary.check(part, "sent", kind, fields: fields.map(\.name))
        form = .fields(kind: kind, fields)
    }

    func matches(_ message: SentMessage) -> Bool {
        switch (form, message) {
        case (.fields(let kind, let fields), .fields(let sentKind, _)):
            return kind == sentKind && fields.allSatisfy { $0.value == message.field($0.name) }
        case (.binary(let expected), .binary(let bytes)): return expected == bytes
        case (.text(let prefix, let expected), .text(let text)):
            let start = text.firstIndex { $0 == "[" || $0 == "{" }
            guard prefix == text[..<(start ?? text.endIndex)] else { return false }
            guard let start, let expected else { return start == nil && expected == nil }
            guard let found = try? JSONValue(parsing: text[start...]) else { return false }
            return causeway_conformance.matches(expected, found)
        default: return false
        }
    }
}

/// The names that scripts may use.
struct ScenarioVocabulary {
    private let json: JSONValue

    init() throws { json = try JSONValue(parsing: scenarioVocabularyText) }

    func knows(part: String) -> Bool { json["parts"]?[part] != nil }

    /// A section that maps names to lists of fields (`null` or a boolean: any value).
    func check(_ part: String, _ section: String, _ name: String, fields: [String]) throws {
        guard let entry = json["parts"]?[part]?[section]?[name] else {
            throw ScenarioFailure("unknown \(section) name \(name) of part \(part)")
        }
        guard let allowed = entry.arrayValue?.compactMap(\.stringValue) else { return }
        for field in fields where !allowed.contains(field) { throw ScenarioFailure("unknown field \(field) of \(section) \(name)") }
    }

    func takesField(_ part: String, _ section: String, _ name: String, _ field: String) -> Bool {
        json["parts"]?[part]?[section]?[name]?.arrayValue?.contains(.string(field)) ?? false
    }

    /// Whether an event carries a value.
    func eventHasValue(_ part: String, _ name: String) -> Bool? { json["parts"]?[part]?["events"]?[name]?.boolValue }

    /// A section that is a list of names.
    func check(_ part: String, _ section: String, _ name: String) throws {
        guard json["parts"]?[part]?[section]?.arrayValue?.contains(.string(name)) ?? false else {
            throw ScenarioFailure("unknown \(section) name \(name) of part \(part)")
        }
    }

    func checkNever(_ name: String) throws {
        guard json["never"]?.arrayValue?.contains(.string(name)) ?? false else { throw ScenarioFailure("unknown never key \(name)") }
    }
}
