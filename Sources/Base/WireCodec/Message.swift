/// A protobuf message made by `protoc-gen-causeway`. Fields that this version does not know survive in `unknownFields` (C-7).
public protocol Message: Hashable, Sendable {
    init()
    /// The full name in the schema, e.g. `causeway.v1.Quote`.
    static var protoMessageName: String { get }
    /// Fields of a newer schema, written back unchanged after the known ones.
    var unknownFields: UnknownFields { get set }
    /// Reads fields up to the cursor's end, the last value winning and sub-messages merging. For generated code.
    mutating func merge(_ bytes: RawSpan, _ cursor: inout WireCursor) throws(WireError)
    /// Writes the fields in number order. For generated code.
    func write(to writer: inout WireWriter)
}

extension Message {
    /// Decodes a whole message.
    @inlinable
    public init(serializedBytes bytes: [UInt8], limits: WireLimits = .standard) throws(WireError) {
        self.init()
        try merge(serializedBytes: bytes.span.bytes, limits: limits)
    }

    /// Decodes a whole message from borrowed bytes.
    @inlinable
    public init(serializedBytes bytes: RawSpan, limits: WireLimits = .standard) throws(WireError) {
        self.init()
        try merge(serializedBytes: bytes, limits: limits)
    }

    /// Merges a whole message into this one; on an error this value is partly changed and must be thrown away.
    @inlinable
    public mutating func merge(serializedBytes bytes: RawSpan, limits: WireLimits = .standard) throws(WireError) {
        guard bytes.byteCount <= limits.bytes else { throw .tooLarge }
        var cursor = WireCursor(bytes, limits: limits)
        try merge(bytes, &cursor)
    }

    /// The encoded message: fields in number order, unknown fields last, maps in key order.
    @inlinable
    public func serializedBytes(limits: WireLimits = .standard) throws(WireError) -> [UInt8] {
        var writer = WireWriter(capacity: 256, depth: limits.depth)
        write(to: &writer)
        return try writer.finish(limit: limits.bytes)
    }
}

/// A protobuf enumeration: open, so that a number of a newer schema is kept (C-7).
public protocol ProtoEnum: Hashable, Sendable, CaseIterable {
    /// The value 0.
    init()
    /// The case of a number; unknown numbers are kept as `UNRECOGNIZED`.
    init(rawValue: Int)
    var rawValue: Int { get }
}

/// Encoded fields a decoder did not know, in the order they came.
public struct UnknownFields: Hashable, Sendable {
    // Optional, so that a message without any copies without touching a reference count.
    @usableFromInline var stored: [UInt8]?

    @inlinable public init() {}

    @inlinable public var isEmpty: Bool { stored == nil }

    /// The fields as they came, tags included.
    @inlinable public var bytes: [UInt8] { stored ?? [] }

    @inlinable
    mutating func append(_ bytes: RawSpan, _ range: Range<Int>) {
        bytes.extracting(range).withUnsafeBytes { part in
            if stored == nil { stored = [UInt8](part) } else { stored?.append(contentsOf: part) }
        }
    }
}

/// A value on the heap, for a message that contains its own type.
public indirect enum Boxed<Value: Hashable & Sendable>: Hashable, Sendable {
    case value(Value)

    @inlinable public init(_ value: Value) { self = .value(value) }

    @inlinable public var value: Value {
        switch self {
        case .value(let value): value
        }
    }
}
