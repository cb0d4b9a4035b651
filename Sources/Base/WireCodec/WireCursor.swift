/// Where a decoder stands. It does not hold the bytes; each call lends them, so decoding copies nothing and needs no pointer.
///
/// Every read is checked against `end`, the end of the innermost message.
public struct WireCursor {
    @usableFromInline var position = 0
    @usableFromInline var end: Int
    /// Levels that may still be opened.
    @usableFromInline var depth: Int
    /// List elements that may still come.
    @usableFromInline var elements: Int
    /// Where the tag read last began.
    @usableFromInline var tagStart = 0

    /// At the first byte of `bytes`, a whole message.
    @inlinable
    public init(_ bytes: RawSpan, limits: WireLimits = .standard) {
        end = bytes.byteCount
        depth = limits.depth
        elements = limits.elements
    }

    /// The next tag (field number × 8 + wire type), or 0 at the end of the message.
    @inlinable @inline(__always)
    public mutating func tag(_ bytes: RawSpan) throws(WireError) -> UInt32 {
        guard position < end else { return 0 }
        tagStart = position
        let first = bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
        guard first >= 0x80 else {
            position += 1
            guard first >= 8 else { throw .malformedTag }
            return UInt32(first)
        }
        return try longTag(bytes)
    }

    @usableFromInline
    mutating func longTag(_ bytes: RawSpan) throws(WireError) -> UInt32 {
        let value = try varint(bytes)
        guard value >= 8, value <= UInt64(UInt32.max) else { throw .malformedTag }
        return UInt32(value)
    }

    @inlinable @inline(__always)
    public mutating func varint(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        guard position < end else { throw .truncated }
        let first = bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
        if first < 0x80 {
            position += 1
            return UInt64(first)
        }
        return try longVarint(bytes)
    }

    /// Varints of two bytes and more: eight bytes in one load where they are there.
    @inlinable
    mutating func longVarint(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        guard end - position >= 8 else { return try bytewiseVarint(bytes) }
        let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
        let stops = ~word & 0x8080_8080_8080_8080
        guard stops != 0 else { return try bytewiseVarint(bytes) }
        var value = word & (stops ^ (stops &- 1)) & 0x7F7F_7F7F_7F7F_7F7F
        value = (value & 0x007F_007F_007F_007F) | ((value & 0x7F00_7F00_7F00_7F00) >> 1)
        value = (value & 0x0000_3FFF_0000_3FFF) | ((value & 0x3FFF_0000_3FFF_0000) >> 2)
        value = (value & 0x0000_0000_0FFF_FFFF) | ((value & 0x0FFF_FFFF_0000_0000) >> 4)
        position += stops.trailingZeroBitCount >> 3 + 1
        return value
    }

    @usableFromInline
    mutating func bytewiseVarint(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 70 {
            guard position < end else { throw .truncated }
            let byte = bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
            position += 1
            value |= UInt64(byte & 0x7F) << shift  // bits above 64 fall away, as in the reference
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .malformedVarint
    }

    /// The length of a length-delimited field, known to lie inside the message.
    @inlinable @inline(__always)
    mutating func length(_ bytes: RawSpan) throws(WireError) -> Int {
        let length = try varint(bytes)
        guard length <= UInt64(end - position) else { throw .truncated }
        return Int(length)
    }

    @inlinable @inline(__always)
    mutating func advance(_ count: Int) throws(WireError) -> Int {
        guard end - position >= count else { throw .truncated }
        let start = position
        position += count
        return start
    }

    /// Opens a length-delimited message; give the result to `leave`.
    @inlinable @inline(__always)
    public mutating func enter(_ bytes: RawSpan) throws(WireError) -> Int {
        let length = try length(bytes)
        guard depth > 0 else { throw .tooDeep }
        depth -= 1
        let outer = end
        end = position + length
        return outer
    }

    @inlinable @inline(__always)
    public mutating func leave(_ outer: Int) {
        end = outer
        depth += 1
    }

    @inlinable @inline(__always)
    public mutating func countElement() throws(WireError) {
        guard elements > 0 else { throw .tooLarge }
        elements -= 1
    }

    /// Keeps a field this schema does not know.
    public mutating func unknown(_ bytes: RawSpan, _ tag: UInt32, into fields: inout UnknownFields) throws(WireError) {
        let start = tagStart
        try skip(bytes, tag)
        fields.append(bytes, start..<position)
    }

    /// Steps over the field whose tag was just read, checking it all the same.
    public mutating func skip(_ bytes: RawSpan, _ tag: UInt32) throws(WireError) {
        switch tag & 7 {
        case 0: _ = try varint(bytes)
        case 1: _ = try advance(8)
        case 2: _ = try advance(try length(bytes))
        case 3: try skipGroup(bytes, tag >> 3)
        case 4: throw .unbalancedGroup
        case 5: _ = try advance(4)
        default: throw .malformedTag
        }
    }

    /// Steps over a group without recursion.
    private mutating func skipGroup(_ bytes: RawSpan, _ field: UInt32) throws(WireError) {
        var open = [field]
        guard depth > 0 else { throw .tooDeep }
        while let innermost = open.last {
            let tag = try tag(bytes)
            switch tag & 7 {
            case _ where tag == 0: throw .truncated
            case 3:
                guard open.count < depth else { throw .tooDeep }
                open.append(tag >> 3)
            case 4:
                guard innermost == tag >> 3 else { throw .unbalancedGroup }
                open.removeLast()
            default: try skip(bytes, tag)
            }
        }
    }
}
