// One reader for each scalar type of the schema, named as the schema names it.
extension WireScan {
    @inlinable @inline(__always)
    public mutating func uint64(_ bytes: RawSpan) throws(WireError) -> UInt64 { try varint(bytes) }

    @inlinable @inline(__always)
    public mutating func int64(_ bytes: RawSpan) throws(WireError) -> Int64 { Int64(bitPattern: try varint(bytes)) }

    @inlinable @inline(__always)
    public mutating func uint32(_ bytes: RawSpan) throws(WireError) -> UInt32 { UInt32(truncatingIfNeeded: try varint(bytes)) }

    @inlinable @inline(__always)
    public mutating func int32(_ bytes: RawSpan) throws(WireError) -> Int32 { Int32(truncatingIfNeeded: try varint(bytes)) }

    @inlinable @inline(__always)
    public mutating func sint64(_ bytes: RawSpan) throws(WireError) -> Int64 {
        let value = try varint(bytes)
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    @inlinable @inline(__always)
    public mutating func sint32(_ bytes: RawSpan) throws(WireError) -> Int32 {
        let value = UInt32(truncatingIfNeeded: try varint(bytes))
        return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }

    /// True for any set bit of all 64.
    @inlinable @inline(__always)
    public mutating func bool(_ bytes: RawSpan) throws(WireError) -> Bool { try varint(bytes) != 0 }

    @inlinable @inline(__always)
    public mutating func enumeration<E: ProtoEnum>(_ bytes: RawSpan) throws(WireError) -> E {
        E(rawValue: Int(Int32(truncatingIfNeeded: try varint(bytes))))
    }

    @inlinable @inline(__always)
    public mutating func fixed64(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: try advance(8), as: UInt64.self))
    }

    @inlinable @inline(__always)
    public mutating func fixed32(_ bytes: RawSpan) throws(WireError) -> UInt32 {
        UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: try advance(4), as: UInt32.self))
    }

    @inlinable @inline(__always)
    public mutating func sfixed64(_ bytes: RawSpan) throws(WireError) -> Int64 { Int64(bitPattern: try fixed64(bytes)) }

    @inlinable @inline(__always)
    public mutating func sfixed32(_ bytes: RawSpan) throws(WireError) -> Int32 { Int32(bitPattern: try fixed32(bytes)) }

    @inlinable @inline(__always)
    public mutating func double(_ bytes: RawSpan) throws(WireError) -> Double { Double(bitPattern: try fixed64(bytes)) }

    @inlinable @inline(__always)
    public mutating func float(_ bytes: RawSpan) throws(WireError) -> Float { Float(bitPattern: try fixed32(bytes)) }
}

// The same on a cursor, for packed lists, map entries and code written by hand.
extension WireCursor {
    @inlinable public mutating func uint64(_ bytes: RawSpan) throws(WireError) -> UInt64 { try scan.uint64(bytes) }
    @inlinable public mutating func int64(_ bytes: RawSpan) throws(WireError) -> Int64 { try scan.int64(bytes) }
    @inlinable public mutating func uint32(_ bytes: RawSpan) throws(WireError) -> UInt32 { try scan.uint32(bytes) }
    @inlinable public mutating func int32(_ bytes: RawSpan) throws(WireError) -> Int32 { try scan.int32(bytes) }
    @inlinable public mutating func sint64(_ bytes: RawSpan) throws(WireError) -> Int64 { try scan.sint64(bytes) }
    @inlinable public mutating func sint32(_ bytes: RawSpan) throws(WireError) -> Int32 { try scan.sint32(bytes) }
    @inlinable public mutating func bool(_ bytes: RawSpan) throws(WireError) -> Bool { try scan.bool(bytes) }
    @inlinable public mutating func fixed64(_ bytes: RawSpan) throws(WireError) -> UInt64 { try scan.fixed64(bytes) }
    @inlinable public mutating func fixed32(_ bytes: RawSpan) throws(WireError) -> UInt32 { try scan.fixed32(bytes) }
    @inlinable public mutating func sfixed64(_ bytes: RawSpan) throws(WireError) -> Int64 { try scan.sfixed64(bytes) }
    @inlinable public mutating func sfixed32(_ bytes: RawSpan) throws(WireError) -> Int32 { try scan.sfixed32(bytes) }
    @inlinable public mutating func double(_ bytes: RawSpan) throws(WireError) -> Double { try scan.double(bytes) }
    @inlinable public mutating func float(_ bytes: RawSpan) throws(WireError) -> Float { try scan.float(bytes) }
    @inlinable public mutating func enumeration<E: ProtoEnum>(_ bytes: RawSpan) throws(WireError) -> E { try scan.enumeration(bytes) }
}

extension WireCursor {
    public mutating func string(_ bytes: RawSpan) throws(WireError) -> String {
        let length = try length(bytes)
        let start = try advance(length)
        let text = bytes.extracting(start..<start + length).withUnsafeBytes { part in
            part.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
        }
        guard let text else { throw .malformedText }
        return text
    }

    public mutating func bytes(_ bytes: RawSpan) throws(WireError) -> [UInt8] {
        let length = try length(bytes)
        let start = try advance(length)
        return bytes.extracting(start..<start + length).withUnsafeBytes { [UInt8]($0) }
    }

    /// Merges a sub-message into `message`.
    @inlinable
    public mutating func message<M: Message>(_ bytes: RawSpan, into message: inout M) throws(WireError) {
        let outer = try enter(bytes)
        try message.merge(bytes, &self)
        leave(outer)
    }

    @inlinable
    public mutating func message<M: Message>(_ bytes: RawSpan, into field: inout M?) throws(WireError) {
        var value = field.take() ?? M()
        try message(bytes, into: &value)
        field = value
    }

    @inlinable
    public mutating func message<M: Message>(_ bytes: RawSpan, into field: inout Boxed<M>?) throws(WireError) {
        var value = field.take()?.value ?? M()
        try message(bytes, into: &value)
        field = Boxed(value)
    }

    /// Adds one element to a repeated message.
    @inlinable
    public mutating func message<M: Message>(_ bytes: RawSpan, appendTo list: inout [M]) throws(WireError) {
        try countElement()
        let start = scan.position
        var value = M()
        try message(bytes, into: &value)
        if list.isEmpty { list.reserveCapacity(likelyCount(from: start)) }
        list.append(value)
    }

    /// How many elements a list will have whose first began at `start`, were the rest of the message like it: so that a list is mostly
    /// allocated once. Never many, whatever the bytes say.
    @inlinable
    func likelyCount(from start: Int) -> Int {
        // A tag of one byte follows each element.
        min(1 &+ (scan.end &- scan.position) / (scan.position &- start &+ 1), 64)
    }

    /// Opens a packed list; read elements while `isInside`, then `leavePacked`.
    @inlinable
    public mutating func enterPacked(_ bytes: RawSpan) throws(WireError) -> Int {
        let length = try length(bytes)
        let outer = scan.end
        scan.end = scan.position + length
        return outer
    }

    /// As `enterPacked`, for elements of `width` bytes.
    @inlinable
    public mutating func enterPacked(_ bytes: RawSpan, width: Int) throws(WireError) -> Int {
        let outer = try enterPacked(bytes)
        guard (scan.end - scan.position) % width == 0 else { throw .malformedPacked }
        return outer
    }

    @inlinable public var isInside: Bool { scan.position < scan.end }

    @inlinable public mutating func leavePacked(_ outer: Int) { scan.end = outer }
}
