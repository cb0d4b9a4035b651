/// Room for several scalar fields in a row, reserved once for the most they can take: where to write is then a register, not memory.
/// For generated code, which knows that most; a debug build checks it.
public struct WireRun {
    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline let limit: UnsafeMutableRawPointer

    /// Varints are stored eight bytes at a time, past their end.
    @usableFromInline static let slack = 8

    @inlinable @inline(__always)
    init(next: UnsafeMutableRawPointer, limit: UnsafeMutableRawPointer) {
        self.next = next
        self.limit = limit
    }

    /// Tags are constants, so only one of the ways stays in the code.
    @inlinable @inline(__always)
    mutating func tag(_ tag: UInt32) {
        if tag < 0x80 {
            next.storeBytes(of: UInt8(truncatingIfNeeded: tag), as: UInt8.self)
            next += 1
        } else if tag < 0x4000 {
            let pair = UInt16(truncatingIfNeeded: tag & 0x7F | 0x80 | (tag &>> 7) &<< 8)
            next.storeBytes(of: pair.littleEndian, as: UInt16.self)
            next += 2
        } else {
            next = Self.storeLarge(UInt64(tag), at: next)
        }
    }

    @inlinable @inline(__always)
    mutating func varint(_ value: UInt64) {
        if value < 0x80 {
            next.storeBytes(of: UInt8(truncatingIfNeeded: value), as: UInt8.self)
            next += 1
        } else if value < 1 << 56 {
            // Two bytes and more: every byte but the last says that another follows, the first for certain.
            let word = Self.spread(value) | 0x80
            let top = UInt64(truncatingIfNeeded: 63 &- word.leadingZeroBitCount)
            let more = 0x0080_8080_8080_8080 &>> ((top & 0x38) ^ 0x38)
            next.storeBytes(of: (word | more).littleEndian, as: UInt64.self)
            next += Int(truncatingIfNeeded: top &>> 3 &+ 1)
        } else {
            next = Self.storeLarge(value, at: next)
        }
        assert(next <= limit, "a run longer than its schema allows")
    }

    /// A number below 2⁵⁶ as eight groups of seven bits.
    @inlinable @inline(__always)
    static func spread(_ value: UInt64) -> UInt64 {
        // Adding the high half 2ⁿ − 1 times over shifts it by n.
        var word = value &+ (value & 0x00FF_FFFF_F000_0000) &* 15
        word = word &+ (word & 0x0FFF_C000_0FFF_C000) &* 3
        return word &+ (word & 0x3F80_3F80_3F80_3F80)
    }

    /// Any number, in room for ten bytes and the slack; says where the next goes.
    @usableFromInline
    static func storeLarge(_ value: UInt64, at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        var next = start
        var rest = value
        if value >= 1 << 56 {
            next.storeBytes(of: (spread(value & 0x00FF_FFFF_FFFF_FFFF) | 0x8080_8080_8080_8080).littleEndian, as: UInt64.self)
            next += 8
            rest = value &>> 56
        }
        while rest >= 0x80 {
            next.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, as: UInt8.self)
            next += 1
            rest &>>= 7
        }
        next.storeBytes(of: UInt8(truncatingIfNeeded: rest), as: UInt8.self)
        return next + 1
    }

    @inlinable @inline(__always)
    mutating func word(_ value: UInt64) {
        next.storeBytes(of: value.littleEndian, as: UInt64.self)
        next += 8
        assert(next <= limit, "a run longer than its schema allows")
    }

    @inlinable @inline(__always)
    mutating func word(_ value: UInt32) {
        next.storeBytes(of: value.littleEndian, as: UInt32.self)
        next += 4
        assert(next <= limit, "a run longer than its schema allows")
    }
}

// One writer for each scalar type, with its tag.
extension WireRun {
    @inlinable @inline(__always)
    public mutating func uint64(_ tag: UInt32, _ value: UInt64) {
        self.tag(tag)
        varint(value)
    }

    @inlinable @inline(__always)
    public mutating func int64(_ tag: UInt32, _ value: Int64) { uint64(tag, UInt64(bitPattern: value)) }

    @inlinable @inline(__always)
    public mutating func uint32(_ tag: UInt32, _ value: UInt32) { uint64(tag, UInt64(value)) }

    @inlinable @inline(__always)
    public mutating func int32(_ tag: UInt32, _ value: Int32) { int64(tag, Int64(value)) }

    @inlinable @inline(__always)
    public mutating func sint64(_ tag: UInt32, _ value: Int64) { uint64(tag, UInt64(bitPattern: value << 1 ^ value >> 63)) }

    @inlinable @inline(__always)
    public mutating func sint32(_ tag: UInt32, _ value: Int32) { uint64(tag, UInt64(UInt32(bitPattern: value << 1 ^ value >> 31))) }

    @inlinable @inline(__always)
    public mutating func bool(_ tag: UInt32, _ value: Bool) { uint64(tag, value ? 1 : 0) }

    @inlinable @inline(__always)
    public mutating func enumeration<E: ProtoEnum>(_ tag: UInt32, _ value: E) { int64(tag, Int64(value.rawValue)) }

    @inlinable @inline(__always)
    public mutating func fixed64(_ tag: UInt32, _ value: UInt64) {
        self.tag(tag)
        word(value)
    }

    @inlinable @inline(__always)
    public mutating func fixed32(_ tag: UInt32, _ value: UInt32) {
        self.tag(tag)
        word(value)
    }

    @inlinable @inline(__always)
    public mutating func sfixed64(_ tag: UInt32, _ value: Int64) { fixed64(tag, UInt64(bitPattern: value)) }

    @inlinable @inline(__always)
    public mutating func sfixed32(_ tag: UInt32, _ value: Int32) { fixed32(tag, UInt32(bitPattern: value)) }

    @inlinable @inline(__always)
    public mutating func double(_ tag: UInt32, _ value: Double) { fixed64(tag, value.bitPattern) }

    @inlinable @inline(__always)
    public mutating func float(_ tag: UInt32, _ value: Float) { fixed32(tag, value.bitPattern) }
}
