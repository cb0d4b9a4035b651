/// JSON without loss: numbers stay the text they were, so no money ever passes through a Double (C-6).
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number exactly as written, e.g. `1e3` or `0.10`; always of JSON's number grammar when it comes from the parser.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// Members in order; names are unique.
    case object([Member])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: JSONValue
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }
}

extension JSONValue {
    /// The member of that name; nil where there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The element at that place; nil outside the array or where this is no array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    public var isNull: Bool { self == .null }

    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    public var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// A number's text as written.
    public var numberText: String? {
        guard case .number(let text) = self else { return nil }
        return text
    }

    public var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    public var members: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// A number whose value is a whole one that fits (`12`, `1.0`, `1e3`); never rounded, nil otherwise.
    public var intValue: Int? { int64Value.flatMap(Int.init(exactly:)) }

    /// As `intValue`, 64 bits wide everywhere.
    public var int64Value: Int64? {
        guard case .number(let text) = self else { return nil }
        if let plain = Int64(text) { return plain }
        return JSONNumber(text)?.wholeValue
    }

    public static func int(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }
}

/// A number's value in normal form: equal exactly when the values are equal, however written (`1.50`, `15e-1`).
public struct JSONNumber: Hashable, Sendable {
    public let isNegative: Bool
    /// Significant digits without leading or trailing zeros; empty for zero.
    public let digits: String
    /// The value is digits × 10^exponent; 0 for zero.
    public let exponent: Int

    /// Nil where the text is not of JSON's number grammar or its exponent does not fit.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let parts = JSONNumberGrammar.parts(of: bytes) else { return nil }
        var exponent = 0
        if let range = parts.exponent {
            guard let value = Int(String(decoding: bytes[range], as: UTF8.self)), abs(value) < 1 << 40 else { return nil }
            exponent = value
        }
        var digits = Array(bytes[parts.whole])
        if let range = parts.fraction {
            digits += bytes[range]
            exponent -= range.count
        }
        let leading = digits.prefix { $0 == UInt8(ascii: "0") }.count
        digits.removeFirst(leading)
        while digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            exponent += 1
        }
        self.digits = String(decoding: digits, as: UTF8.self)
        self.exponent = digits.isEmpty ? 0 : exponent
        isNegative = parts.isNegative && !digits.isEmpty
    }

    /// The value as an Int64; nil where it has a fraction or does not fit.
    public var wholeValue: Int64? {
        guard !digits.isEmpty else { return 0 }
        guard exponent >= 0, digits.utf8.count + exponent <= 19 else { return nil }
        return Int64((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByNilLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(String(value)) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// A name given twice is a fault of the program's text.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        precondition(Set(elements.map(\.0)).count == elements.count, "a JSON object literal names a member twice")
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}
