package import WireCodec

/// A message's fields by name, for tests and the conformance program: `{askSize:2,…}` with names in lower case without `_`, in their
/// order, what has its default left out, enumerations as numbers, bytes as hex. Any protobuf runtime can make the same of its own.
package enum FieldText {
    package static func of(_ message: any Message) -> String {
        var fields: [(String, String)] = []
        for child in Mirror(reflecting: message).children {
            guard child.label != "unknownFields", child.label != "_presence" else { continue }
            let (label, content) = member(child.value) ?? (child.label ?? "", child.value)
            guard let text = value(content) else { continue }
            fields.append((label.lowercased().filter { $0 != "_" }, text))
        }
        return "{" + fields.sorted { $0.0 < $1.0 }.map { $0.0 + ":" + $0.1 }.joined(separator: ",") + "}"
    }

    /// The member that a oneof holds, by its own name.
    private static func member(_ value: Any) -> (String, Any)? {
        guard let oneof = Mirror(reflecting: value).children.first?.value, "\(type(of: oneof))".hasPrefix("OneOf_") else { return nil }
        return Mirror(reflecting: oneof).children.first.map { ($0.label ?? "", $0.value) }
    }

    /// Nil: the default.
    private static func value(_ value: Any) -> String? {
        switch value {
        case let bytes as [UInt8]: return shown(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(), unless: "")
        case let message as any Message: return of(message)
        case let number as any ProtoEnum: return shown("\(number.rawValue)", unless: "0")
        case let number as any BinaryInteger: return shown("\(number)", unless: "0")
        case let flag as Bool: return shown("\(flag)", unless: "false")
        case let text as String: return shown(text, unless: "")
        default: return composite(Mirror(reflecting: value))
        }
    }

    private static func shown(_ text: String, unless zero: String) -> String? { text == zero ? nil : text }

    private static func composite(_ mirror: Mirror) -> String? {
        switch mirror.displayStyle {
        case .collection:
            let items = mirror.children.map { value($0.value) ?? "0" }
            return items.isEmpty ? nil : "[" + items.joined(separator: ",") + "]"
        case .optional, .enum: return mirror.children.first.flatMap { value($0.value) }
        default: return "?"
        }
    }
}
