import Messages

/// A QuoteEnvelope whose payload is gathered where it will be sent from. Its head is known only at the end (number and length), so room is
/// kept for the longest; `seal` writes it and moves the payload up to it. The same bytes as the envelope's own encoding, in one allocation.
struct EnvelopeBuffer: Sendable {
    private var bytes: [UInt8] = []

    /// Tag and type of at most 5 bytes, tag and number of at most 10, tag and length of at most 5.
    private static let head = 6 + 11 + 6
    private static let tail = 4
    /// Of a payload; a few quotes fit, so that most buffers are allocated once.
    private static let room = 384

    /// Holds no memory.
    init() {}

    /// The whole payload at once.
    init(_ payload: [UInt8]) { append(payload.span.bytes) }

    var payloadCount: Int { bytes.isEmpty ? 0 : bytes.count - Self.head }

    mutating func append(_ part: RawSpan) {
        if bytes.isEmpty { reserve(part.byteCount <= Self.room ? Self.room : part.byteCount) }
        part.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func reserve(_ payload: Int) {
        bytes.reserveCapacity(Self.head + payload + Self.tail)
        for _ in 0..<Self.head { bytes.append(0) }
    }

    /// The whole message; empty afterwards.
    mutating func seal(_ type: QuoteMessageType, sequence: UInt64) -> [UInt8] {
        if bytes.isEmpty { reserve(0) }
        var message: [UInt8] = []
        swap(&message, &bytes)
        let payload = message.count - Self.head
        let gap = message.withUnsafeMutableBytes { whole in
            var at = 0
            Self.put(1 << 3, UInt64(UInt32(type.rawValue)), in: whole, &at)
            Self.put(2 << 3, sequence, in: whole, &at)
            Self.put(3 << 3 | 2, UInt64(payload), in: whole, &at)
            let rest = UnsafeMutableRawBufferPointer(rebasing: whole[at..<at + payload])
            rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: whole[Self.head...]))
            return Self.head - at
        }
        message.removeLast(gap)
        message.append(4 << 3)
        message.append(UInt8(QuoteSession.protocolVersion))
        return message
    }

    /// A field, left out where it is 0.
    private static func put(_ tag: UInt8, _ value: UInt64, in whole: UnsafeMutableRawBufferPointer, _ at: inout Int) {
        guard value != 0 else { return }
        whole[at] = tag
        at += 1
        var rest = value
        while rest >= 0x80 {
            whole[at] = UInt8(truncatingIfNeeded: rest) | 0x80
            at += 1
            rest >>= 7
        }
        whole[at] = UInt8(rest)
        at += 1
    }
}
