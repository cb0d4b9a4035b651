/// Why a text is not JSON that we take, and where (byte offset).
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        case tooLarge = "text is longer than the limit"
        case tooDeep = "arrays and objects are nested deeper than the limit"
        case unexpectedEnd = "text ends early"
        case unexpectedByte = "unexpected byte"
        case trailingBytes = "something follows the value"
        case badNumber = "not a JSON number"
        case badEscape = "not a JSON escape"
        case loneSurrogate = "half of a surrogate pair"
        case controlCharacter = "control character inside a string"
        case badUTF8 = "not UTF-8"
        case duplicateName = "member name used twice in one object"
    }

    public var kind: Kind
    public var offset: Int

    public init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    public var description: String { "\(kind.rawValue) at byte \(offset)" }
}

/// What a parser accepts at most.
public struct JSONLimits: Hashable, Sendable {
    public var bytes: Int
    /// `[[1]]` has depth 2.
    public var depth: Int

    public init(bytes: Int = 4 << 20, depth: Int = 64) {
        self.bytes = bytes
        self.depth = depth
    }
}

extension JSONValue {
    /// Reads one RFC 8259 value with white space around it: valid UTF-8 without a byte order mark, unique member names.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .init()) throws(JSONError) {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooLarge, at: limits.bytes) }
        var parser = JSONParser(bytes: bytes, maximumDepth: limits.depth)
        self = try parser.document()
    }

    public init(parsing text: some StringProtocol, limits: JSONLimits = .init()) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}

private struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int
    var index = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    mutating func document() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw JSONError(.trailingBytes, at: index) }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
        switch bytes[index] {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw JSONError(.unexpectedByte, at: index)
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw JSONError(.tooDeep, at: index) }
        index += 1
        var members: [JSONValue.Member] = []
        var names = Set<String>()
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            let start = index
            guard start < bytes.count else { throw JSONError(.unexpectedEnd, at: start) }
            guard bytes[start] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: start) }
            let name = try string()
            guard isNew(name, among: members, &names) else { throw JSONError(.duplicateName, at: start) }
            skipSpace()
            try expect(UInt8(ascii: ":"))
            skipSpace()
            members.append(.init(name, try value(depth: depth)))
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            try expect(UInt8(ascii: ","))
        }
    }

    /// Compares with the few members of a usual object, keeps a set for a large one.
    private func isNew(_ name: String, among members: [JSONValue.Member], _ names: inout Set<String>) -> Bool {
        if members.count < 12 { return !members.contains { $0.name == name } }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        guard depth <= maximumDepth else { throw JSONError(.tooDeep, at: index) }
        index += 1
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            skipSpace()
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            try expect(UInt8(ascii: ","))
        }
    }

    private mutating func word(_ text: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in text.utf8 { try expect(byte) }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = index
        let end = bytes[start...].firstIndex { !JSONNumberGrammar.mayContain($0) } ?? bytes.count
        guard JSONNumberGrammar.parts(of: bytes[start..<end]) != nil else { throw JSONError(.badNumber, at: start) }
        index = end
        return .number(String(decoding: bytes[start..<end], as: UTF8.self))
    }

    private mutating func string() throws(JSONError) -> String {
        index += 1
        let start = index
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let text = try checked(bytes[start..<index], at: start)
                index += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw JSONError(.controlCharacter, at: index)
            default: index += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: index)
    }

    private func checked(_ slice: ArraySlice<UInt8>, at offset: Int) throws(JSONError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else { throw JSONError(.badUTF8, at: offset) }
        return text
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var content = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try checked(content[...], at: start)
                index += 1
                return text
            case UInt8(ascii: "\\"): content += UTF8.encode(try escape()).map { Array($0) } ?? []
            case 0..<0x20: throw JSONError(.controlCharacter, at: index)
            default:
                content.append(byte)
                index += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: index)
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = index
        guard index + 1 < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        let letter = bytes[index + 1]
        index += 2
        switch letter {
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "/"): return "/"
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw JSONError(.badEscape, at: start)
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try hexUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw JSONError(.loneSurrogate, at: start) }
        let second = try hexUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start) }
        return scalar
    }

    private mutating func hexUnit() throws(JSONError) -> UInt16 {
        guard index + 4 <= bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, bytes[index] < 0x80 else {
                throw JSONError(.badEscape, at: index)
            }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }

    private mutating func skipSpace() {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x0D || bytes[index] == 0x09 {
            index += 1
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard index < bytes.count else { throw JSONError(.unexpectedEnd, at: index) }
        guard take(byte) else { throw JSONError(.unexpectedByte, at: index) }
    }
}

/// RFC 8259 §6.
enum JSONNumberGrammar {
    struct Parts {
        var isNegative = false
        var whole: Range<Int>
        var fraction: Range<Int>?
        /// With its sign.
        var exponent: Range<Int>?
    }

    static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }

    /// Nil where the bytes are not exactly one number.
    static func parts(of bytes: some Collection<UInt8>) -> Parts? {
        let bytes = Array(bytes)
        var index = 0
        func digits() -> Range<Int> {
            let start = index
            while index < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) { index += 1 }
            return start..<index
        }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { index += 1 }
        let whole = digits()
        guard whole.count == 1 || (whole.count > 1 && bytes[whole.lowerBound] != UInt8(ascii: "0")) else { return nil }
        var parts = Parts(isNegative: isNegative, whole: whole)
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            let fraction = digits()
            guard !fraction.isEmpty else { return nil }
            parts.fraction = fraction
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            let start = index
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
            guard !digits().isEmpty else { return nil }
            parts.exponent = start..<index
        }
        return index == bytes.count ? parts : nil
    }
}
