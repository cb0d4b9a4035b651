/// Where a decoder stands. It does not hold the bytes; each call lends them, so decoding copies nothing and needs no pointer.
///
/// Every read is checked against `end`, the end of the innermost message.
public struct WireCursor {
    /// Generated code works on a copy of its own and puts it back before anything else looks.
    public var scan: WireScan
    /// Levels that may still be opened.
    @usableFromInline var depth: Int
    /// List elements that may still come.
    @usableFromInline var elements: Int
    /// Where the tag read last began.
    @usableFromInline var tagStart = 0

    /// At the first byte of `bytes`, a whole message.
    @inlinable
    public init(_ bytes: RawSpan, limits: WireLimits = .standard) {
        scan = WireScan(position: 0, end: bytes.byteCount)
        depth = limits.depth
        elements = limits.elements
    }

    @inlinable @inline(__always)
    var position: Int { scan.position }

    /// The next tag (field number × 8 + wire type), or 0 at the end of the message.
    @inlinable @inline(__always)
    public mutating func tag(_ bytes: RawSpan) throws(WireError) -> UInt32 {
        tagStart = scan.position
        return try scan.tag(bytes)
    }

    @inlinable @inline(__always)
    public mutating func varint(_ bytes: RawSpan) throws(WireError) -> UInt64 { try scan.varint(bytes) }

    @inlinable @inline(__always)
    mutating func advance(_ count: Int) throws(WireError) -> Int { try scan.advance(count) }

    /// The length of a length-delimited field, known to lie inside the message.
    @inlinable @inline(__always)
    mutating func length(_ bytes: RawSpan) throws(WireError) -> Int {
        let length = try varint(bytes)
        guard length <= UInt64(scan.end &- scan.position) else { throw .truncated }
        return Int(length)
    }

    /// Opens a length-delimited message; give the result to `leave`.
    @inlinable @inline(__always)
    public mutating func enter(_ bytes: RawSpan) throws(WireError) -> Int {
        let length = try length(bytes)
        guard depth > 0 else { throw .tooDeep }
        depth -= 1
        let outer = scan.end
        scan.end = scan.position &+ length
        return outer
    }

    @inlinable @inline(__always)
    public mutating func leave(_ outer: Int) {
        scan.end = outer
        depth += 1
    }

    @inlinable @inline(__always)
    public mutating func countElement() throws(WireError) {
        guard elements > 0 else { throw .tooLarge }
        elements -= 1
    }

    /// Keeps a field this schema does not know; its tag was just read.
    public mutating func unknown(_ bytes: RawSpan, _ tag: UInt32, into fields: inout UnknownFields) throws(WireError) {
        try unknown(bytes, tag, from: tagStart, into: &fields)
    }

    /// As above, for a tag that was read by `scan` and began at `start`.
    public mutating func unknown(
        _ bytes: RawSpan, _ tag: UInt32, from start: Int, into fields: inout UnknownFields
    ) throws(WireError) {
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
