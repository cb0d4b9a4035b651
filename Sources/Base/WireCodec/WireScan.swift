/// Where a decoder stands inside one message. Small and passed by value where it can be, so that generated code keeps it in registers;
/// what is rare is done by functions that take a position and give the next one back.
public struct WireScan {
    @usableFromInline var position: Int
    /// The end of the innermost message; every read is checked against it.
    @usableFromInline var end: Int

    /// Where the next read begins.
    @inlinable public var offset: Int { position }

    @inlinable
    init(position: Int, end: Int) {
        self.position = position
        self.end = end
    }

    /// The next tag (field number × 8 + wire type), or 0 at the end of the message.
    @inlinable @inline(__always)
    public mutating func tag(_ bytes: RawSpan) throws(WireError) -> UInt32 {
        guard position < end else { return 0 }
        let first = bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
        guard first >= 0x80 else {
            position &+= 1
            guard first >= 8 else { throw .malformedTag }
            return UInt32(first)
        }
        if end &- position >= 2 {
            let second = bytes.unsafeLoad(fromUncheckedByteOffset: position &+ 1, as: UInt8.self)
            if second < 0x80, second > 0 {
                position &+= 2
                return UInt32(first & 0x7F) | UInt32(second) << 7
            }
        }
        let (tag, next) = try Self.longTag(bytes, position, end)
        position = next
        return tag
    }

    /// Tags of three bytes and more, and such as are longer than they need be.
    @usableFromInline
    static func longTag(_ bytes: RawSpan, _ position: Int, _ end: Int) throws(WireError) -> (UInt32, Int) {
        let (value, next) = try bytewise(bytes, position, end)
        guard value >= 8, value <= UInt64(UInt32.max) else { throw .malformedTag }
        return (UInt32(value), next)
    }

    @inlinable @inline(__always)
    public mutating func varint(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        guard position < end else { throw .truncated }
        let first = bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
        if first < 0x80 {
            position &+= 1
            return UInt64(first)
        }
        return try longVarint(bytes)
    }

    /// Varints of two bytes and more: eight bytes in one load where the buffer has them, be they of this message or not.
    @inlinable @inline(__always)
    mutating func longVarint(_ bytes: RawSpan) throws(WireError) -> UInt64 {
        if bytes.byteCount &- position >= 8 {
            let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
            let stops = ~word & 0x8080_8080_8080_8080
            if stops != 0 {
                position &+= stops.trailingZeroBitCount &>> 3 &+ 1
                guard position <= end else { throw .truncated }
                return Self.compact(word & (stops ^ (stops &- 1)))
            }
        }
        let (value, next) = try Self.rareVarint(bytes, position, end)
        position = next
        return value
    }

    /// Eight groups of seven bits, made one number.
    @inlinable @inline(__always)
    static func compact(_ word: UInt64) -> UInt64 {
        var value = word & 0x7F7F_7F7F_7F7F_7F7F
        value = (value & 0x007F_007F_007F_007F) | ((value & 0x7F00_7F00_7F00_7F00) &>> 1)
        value = (value & 0x0000_3FFF_0000_3FFF) | ((value & 0x3FFF_0000_3FFF_0000) &>> 2)
        return (value & 0x0000_0000_0FFF_FFFF) | ((value & 0x0FFF_FFFF_0000_0000) &>> 4)
    }

    /// Nine and ten bytes (a time in nanoseconds has nine), and whatever stands near the end of the buffer.
    @usableFromInline
    static func rareVarint(_ bytes: RawSpan, _ position: Int, _ end: Int) throws(WireError) -> (UInt64, Int) {
        guard end &- position >= 10 else { return try bytewise(bytes, position, end) }
        let word = UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
        guard word & 0x8080_8080_8080_8080 == 0x8080_8080_8080_8080 else { return try bytewise(bytes, position, end) }
        let ninth = bytes.unsafeLoad(fromUncheckedByteOffset: position &+ 8, as: UInt8.self)
        let value = compact(word) | UInt64(ninth & 0x7F) &<< 56
        if ninth < 0x80 { return (value, position &+ 9) }
        let tenth = bytes.unsafeLoad(fromUncheckedByteOffset: position &+ 9, as: UInt8.self)
        guard tenth < 0x80 else { throw .malformedVarint }
        return (value | UInt64(tenth) &<< 63, position &+ 10)  // bits above 64 fall away, as in the reference
    }

    @usableFromInline
    static func bytewise(_ bytes: RawSpan, _ start: Int, _ end: Int) throws(WireError) -> (UInt64, Int) {
        var value: UInt64 = 0
        var position = start
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < end else { throw .truncated }
            let byte = bytes.unsafeLoad(fromUncheckedByteOffset: position, as: UInt8.self)
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return (value, position) }
        }
        throw .malformedVarint
    }

    /// Steps over `count` bytes of the message and says where they start.
    @inlinable @inline(__always)
    mutating func advance(_ count: Int) throws(WireError) -> Int {
        guard UInt(bitPattern: count) <= UInt(bitPattern: end &- position) else { throw .truncated }
        let start = position
        position &+= count
        return start
    }
}
