public import HTTP

/// An argument of a Socket.IO event: JSON in which a byte string may stand anywhere.
public enum SocketIOValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// As written; see `JSONValue.number`.
    case number(String)
    case string(String)
    case array([SocketIOValue])
    /// Members in order; names are unique.
    case object([Member])
    /// Travels as an attachment, a binary frame of its own.
    case binary([UInt8])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: SocketIOValue
        public init(_ name: String, _ value: SocketIOValue) {
            self.name = name
            self.value = value
        }
    }

    public init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .number(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { SocketIOValue($0) })
        case .object(let members): self = .object(members.map { .init($0.name, SocketIOValue($0.value)) })
        }
    }

    /// The same as JSON; nil where a byte string is inside.
    public var json: JSONValue? {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .number(let text): return .number(text)
        case .string(let text): return .string(text)
        case .array(let elements):
            let values = elements.compactMap(\.json)
            return values.count == elements.count ? .array(values) : nil
        case .object(let members):
            let values = members.compactMap { member in member.value.json.map { JSONValue.Member(member.name, $0) } }
            return values.count == members.count ? .object(values) : nil
        case .binary: return nil
        }
    }

    public var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var binaryValue: [UInt8]? {
        guard case .binary(let bytes) = self else { return nil }
        return bytes
    }

    /// The member of that name; nil where there is none or this is no object.
    public subscript(name: String) -> SocketIOValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }
}
