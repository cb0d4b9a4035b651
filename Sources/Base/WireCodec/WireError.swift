/// Why bytes are not a message, or a message cannot become bytes. Nothing of the message is delivered.
public enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end inside a field, or a length points past its enclosing message.
    case truncated
    /// A varint longer than ten bytes.
    case malformedVarint
    /// Field number 0 or above 2²⁹−1, or wire type 6 or 7.
    case malformedTag
    /// A group ends that was not open, or one of another number.
    case unbalancedGroup
    /// A packed list whose length is no multiple of its element.
    case malformedPacked
    /// A `string` field that is not UTF-8.
    case malformedText
    /// Messages or groups nested deeper than the limit.
    case tooDeep
    /// More bytes or more list elements than the limit.
    case tooLarge

    public var description: String {
        switch self {
        case .truncated: "message ends inside a field"
        case .malformedVarint: "varint longer than ten bytes"
        case .malformedTag: "field number or wire type that does not exist"
        case .unbalancedGroup: "group end without its start"
        case .malformedPacked: "packed list with half an element"
        case .malformedText: "string field that is not UTF-8"
        case .tooDeep: "nested deeper than the limit"
        case .tooLarge: "larger than the limit"
        }
    }
}

/// What a decoder accepts at most.
public struct WireLimits: Hashable, Sendable {
    /// Bytes of a whole message.
    public var bytes: Int
    /// Messages and groups inside one another.
    public var depth: Int
    /// Elements of repeated messages, strings, byte strings and maps, together; each may take many times its bytes in memory.
    public var elements: Int

    public init(bytes: Int = 16 << 20, depth: Int = 100, elements: Int = 1 << 20) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
    }

    /// 16 MiB, 100 levels, 1,048,576 elements.
    public static let standard = WireLimits()
}
