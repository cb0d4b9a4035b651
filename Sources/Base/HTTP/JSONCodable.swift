public import Texts

/// Goes into JSON and comes back; reading checks everything and names the member that is wrong.
public protocol JSONCodable: Sendable {
    init(json: JSONValue) throws(Failure)
    var json: JSONValue { get }
}

/// No members.
public struct Empty: JSONCodable, Hashable {
    public init() {}
    public init(json: JSONValue) throws(Failure) {}
    public var json: JSONValue { .object([]) }
}

extension JSONValue: JSONCodable {
    public init(json: JSONValue) { self = json }
    public var json: JSONValue { self }
}

extension Failure {
    /// `request.invalid` that names a member.
    public static func invalid(_ field: String) -> Failure { Failure(.requestInvalid, .init("field", field)) }
}

extension JSONValue {
    /// A member that must be a string of at most `limit` UTF-8 bytes.
    public func string(_ name: String, limit: Int = 4096) throws(Failure) -> String {
        guard let text = self[name]?.stringValue, text.utf8.count <= limit else { throw .invalid(name) }
        return text
    }

    /// A member that may be absent or null.
    public func optionalString(_ name: String, limit: Int = 4096) throws(Failure) -> String? {
        guard let member = self[name], !member.isNull else { return nil }
        guard let text = member.stringValue, text.utf8.count <= limit else { throw .invalid(name) }
        return text
    }

    /// A member that must be a whole number; its digits as a string count, as addresses carry text only.
    public func integer(_ name: String) throws(Failure) -> Int64 {
        guard let value = try optionalInteger(name) else { throw .invalid(name) }
        return value
    }

    public func optionalInteger(_ name: String) throws(Failure) -> Int64? {
        guard let member = self[name], !member.isNull else { return nil }
        if let value = member.int64Value { return value }
        guard let text = member.stringValue, let value = Int64(text), String(value) == text else { throw .invalid(name) }
        return value
    }

    public func flag(_ name: String) throws(Failure) -> Bool {
        guard let value = self[name]?.boolValue else { throw .invalid(name) }
        return value
    }

    public func elements(_ name: String, limit: Int = 100_000) throws(Failure) -> [JSONValue] {
        guard let values = self[name]?.arrayValue, values.count <= limit else { throw .invalid(name) }
        return values
    }

    public func member(_ name: String) throws(Failure) -> JSONValue {
        guard let value = self[name] else { throw .invalid(name) }
        return value
    }
}
