/// Collects encoded fields in one growing buffer. Lengths of sub-messages get one byte up front and move their contents only when
/// they turn out longer than 127, so nothing is measured beforehand.
///
/// The buffer is a plain allocation owned by this value alone: `reserve` always comes before a store, and whoever has the value may use it
/// on any thread.
public struct WireWriter: ~Copyable, @unchecked Sendable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    /// Bytes written.
    @usableFromInline var count = 0
    @usableFromInline var depth: Int
    @usableFromInline var isTooDeep = false

    @inlinable
    public init(capacity: Int = 256, depth: Int = WireLimits.standard.depth) {
        self.capacity = max(capacity, 32)
        self.depth = depth
        base = .allocate(byteCount: self.capacity, alignment: 8)
    }

    deinit { base.deallocate() }

    /// The bytes written so far; the writer is empty afterwards and may be used again.
    @inlinable
    public mutating func finish(limit: Int = WireLimits.standard.bytes) throws(WireError) -> [UInt8] {
        defer {
            count = 0
            isTooDeep = false
        }
        guard !isTooDeep else { throw .tooDeep }
        guard count <= limit else { throw .tooLarge }
        return [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Lends the bytes written so far, without making an array of them; the writer is empty afterwards and keeps its room.
    @inlinable
    public mutating func finish<Result>(
        limit: Int = WireLimits.standard.bytes, _ body: (RawSpan) -> Result
    ) throws(WireError) -> Result {
        defer {
            count = 0
            isTooDeep = false
        }
        guard !isTooDeep else { throw .tooDeep }
        guard count <= limit else { throw .tooLarge }
        return body(UnsafeRawBufferPointer(start: base, count: count).bytes)
    }

    /// Room for scalar fields that take at most `most` bytes; give it back with `end` before writing anything else.
    @inlinable @inline(__always)
    public mutating func run(_ most: Int) -> WireRun {
        reserve(most &+ WireRun.slack)
        return WireRun(next: base + count, limit: base + count + most)
    }

    @inlinable @inline(__always)
    public mutating func end(_ run: WireRun) { count = run.next - base }

    @inlinable @inline(__always)
    mutating func reserve(_ extra: Int) {
        if capacity &- count < extra { grow(extra) }
    }

    @usableFromInline
    mutating func grow(_ extra: Int) {
        let wanted = max(capacity * 2, count + extra)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 8)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
        capacity = wanted
    }

    /// Room for the value must be reserved.
    @inlinable @inline(__always)
    mutating func store(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            base.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: count, as: UInt8.self)
            count &+= 1
            rest >>= 7
        }
        base.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    /// A bare varint.
    @inlinable @inline(__always)
    public mutating func varint(_ value: UInt64) {
        reserve(10)
        store(value)
    }

    @inlinable @inline(__always)
    mutating func varint(_ tag: UInt32, _ value: UInt64) {
        reserve(15)
        store(UInt64(tag))
        store(value)
    }

    @usableFromInline
    mutating func raw(_ tag: UInt32, _ bytes: UnsafeRawBufferPointer) {
        reserve(15 + bytes.count)
        store(UInt64(tag))
        store(UInt64(bytes.count))
        guard let start = bytes.baseAddress else { return }
        (base + count).copyMemory(from: start, byteCount: bytes.count)
        count += bytes.count
    }

    /// Begins a length-delimited field; give the result to `close`.
    @inlinable @inline(__always)
    public mutating func open(_ tag: UInt32) -> Int {
        reserve(6)
        store(UInt64(tag))
        count &+= 1
        return count
    }

    @inlinable @inline(__always)
    public mutating func close(_ start: Int) {
        let length = count &- start
        guard length < 0x80 else { return closeLong(start) }
        base.storeBytes(of: UInt8(truncatingIfNeeded: length), toByteOffset: start &- 1, as: UInt8.self)
    }

    @usableFromInline
    mutating func closeLong(_ start: Int) {
        let length = count - start
        let shift = (63 - UInt64(length).leadingZeroBitCount) / 7
        reserve(shift)
        (base + start + shift).copyMemory(from: base + start, byteCount: length)
        count = start - 1
        store(UInt64(length))
        count += length
    }

    @inlinable
    public mutating func message<M: Message>(_ tag: UInt32, _ message: borrowing M) {
        guard depth > 0 else {
            isTooDeep = true
            return
        }
        depth -= 1
        let start = open(tag)
        message.write(to: &self)
        close(start)
        depth += 1
    }

    /// A `bytes` field whose contents are a message: encoded where it will stand, and as any empty `bytes` left out where nothing is set.
    /// Whoever reads it counts depth anew.
    @inlinable
    public mutating func payload<M: Message>(_ tag: UInt32, _ message: borrowing M) {
        let before = count
        let start = open(tag)
        message.write(to: &self)
        if count == start { count = before } else { close(start) }
    }

    /// Fields kept from a newer schema.
    @inlinable @inline(__always)
    public mutating func unknown(_ fields: borrowing UnknownFields) {
        if let bytes = fields.stored { append(bytes) }
    }

    @usableFromInline
    mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        bytes.withUnsafeBytes { part in
            if let start = part.baseAddress { (base + count).copyMemory(from: start, byteCount: part.count) }
        }
        count += bytes.count
    }
}

// One writer for each scalar type: with its tag, and bare for packed lists.
extension WireWriter {
    @inlinable @inline(__always) public mutating func uint64(_ tag: UInt32, _ value: UInt64) { varint(tag, value) }
    @inlinable @inline(__always) public mutating func uint64(_ value: UInt64) { varint(value) }

    @inlinable @inline(__always) public mutating func int64(_ tag: UInt32, _ value: Int64) { varint(tag, UInt64(bitPattern: value)) }
    @inlinable @inline(__always) public mutating func int64(_ value: Int64) { varint(UInt64(bitPattern: value)) }

    @inlinable @inline(__always) public mutating func uint32(_ tag: UInt32, _ value: UInt32) { varint(tag, UInt64(value)) }
    @inlinable @inline(__always) public mutating func uint32(_ value: UInt32) { varint(UInt64(value)) }

    @inlinable @inline(__always) public mutating func int32(_ tag: UInt32, _ value: Int32) { int64(tag, Int64(value)) }
    @inlinable @inline(__always) public mutating func int32(_ value: Int32) { int64(Int64(value)) }

    @inlinable @inline(__always)
    public mutating func sint64(_ tag: UInt32, _ value: Int64) { varint(tag, UInt64(bitPattern: value << 1 ^ value >> 63)) }
    @inlinable @inline(__always) public mutating func sint64(_ value: Int64) { varint(UInt64(bitPattern: value << 1 ^ value >> 63)) }

    @inlinable @inline(__always)
    public mutating func sint32(_ tag: UInt32, _ value: Int32) { varint(tag, UInt64(UInt32(bitPattern: value << 1 ^ value >> 31))) }
    @inlinable @inline(__always)
    public mutating func sint32(_ value: Int32) { varint(UInt64(UInt32(bitPattern: value << 1 ^ value >> 31))) }

    @inlinable @inline(__always) public mutating func bool(_ tag: UInt32, _ value: Bool) { varint(tag, value ? 1 : 0) }
    @inlinable @inline(__always) public mutating func bool(_ value: Bool) { varint(value ? 1 : 0) }

    @inlinable @inline(__always)
    public mutating func enumeration<E: ProtoEnum>(_ tag: UInt32, _ value: E) { int64(tag, Int64(value.rawValue)) }
    @inlinable @inline(__always) public mutating func enumeration<E: ProtoEnum>(_ value: E) { int64(Int64(value.rawValue)) }

    @inlinable @inline(__always)
    public mutating func fixed64(_ tag: UInt32, _ value: UInt64) {
        reserve(13)
        store(UInt64(tag))
        fixed64(value)
    }
    @inlinable @inline(__always)
    public mutating func fixed64(_ value: UInt64) {
        reserve(8)
        base.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= 8
    }

    @inlinable @inline(__always)
    public mutating func fixed32(_ tag: UInt32, _ value: UInt32) {
        reserve(9)
        store(UInt64(tag))
        fixed32(value)
    }
    @inlinable @inline(__always)
    public mutating func fixed32(_ value: UInt32) {
        reserve(4)
        base.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt32.self)
        count &+= 4
    }

    @inlinable @inline(__always) public mutating func sfixed64(_ tag: UInt32, _ value: Int64) { fixed64(tag, UInt64(bitPattern: value)) }
    @inlinable @inline(__always) public mutating func sfixed64(_ value: Int64) { fixed64(UInt64(bitPattern: value)) }
    @inlinable @inline(__always) public mutating func sfixed32(_ tag: UInt32, _ value: Int32) { fixed32(tag, UInt32(bitPattern: value)) }
    @inlinable @inline(__always) public mutating func sfixed32(_ value: Int32) { fixed32(UInt32(bitPattern: value)) }
    @inlinable @inline(__always) public mutating func double(_ tag: UInt32, _ value: Double) { fixed64(tag, value.bitPattern) }
    @inlinable @inline(__always) public mutating func double(_ value: Double) { fixed64(value.bitPattern) }
    @inlinable @inline(__always) public mutating func float(_ tag: UInt32, _ value: Float) { fixed32(tag, value.bitPattern) }
    @inlinable @inline(__always) public mutating func float(_ value: Float) { fixed32(value.bitPattern) }

    public mutating func string(_ tag: UInt32, _ value: String) {
        var text = value
        text.withUTF8 { raw(tag, UnsafeRawBufferPointer($0)) }
    }

    public mutating func bytes(_ tag: UInt32, _ value: [UInt8]) {
        value.withUnsafeBytes { raw(tag, $0) }
    }
}
