import Messages

/// Kinds of messages that are gathered, in the order they leave: a whole goes before the changes that build on it.
enum PushLane: Int, CaseIterable, Hashable, Sendable {
    case snapshot, quote, book, tick, bar, clock, feed

    var type: QuoteMessageType {
        switch self {
        case .snapshot: .snapshotPush
        case .quote: .quotePush
        case .book: .bookPush
        case .tick: .tickPush
        case .bar: .barPush
        case .clock: .clockChanged
        case .feed: .feedChanged
        }
    }
}

/// What waits to be sent to one connection: one message for each lane, each gathered in the buffer that will be sent. Repeated fields put
/// one after the other are the longer repeated field, so encoded elements are only copied here. Holds no memory while empty.
struct PendingPushes: Sendable {
    private var snapshot = EnvelopeBuffer()
    private var quote = EnvelopeBuffer()
    private var book = EnvelopeBuffer()
    private var tick = EnvelopeBuffer()
    private var bar = EnvelopeBuffer()
    private var clock = EnvelopeBuffer()
    private var feed = EnvelopeBuffer()
    /// Of all payloads.
    private(set) var bytes = 0

    var isEmpty: Bool { bytes == 0 }

    /// Appends a batch's encoded elements. Clock and feed replace the one before.
    mutating func append(_ lane: PushLane, _ elements: RawSpan) {
        bytes += elements.byteCount
        switch lane {
        case .snapshot: snapshot.append(elements)
        case .quote: quote.append(elements)
        case .book: book.append(elements)
        case .tick: tick.append(elements)
        case .bar: bar.append(elements)
        case .clock:
            bytes -= clock.payloadCount
            clock = EnvelopeBuffer()
            clock.append(elements)
        case .feed:
            bytes -= feed.payloadCount
            feed = EnvelopeBuffer()
            feed.append(elements)
        }
    }

    /// Empties it, lane by lane, numbering each message from `sequence` + 1; returns the last number.
    mutating func drain(after sequence: UInt64, _ each: ([UInt8]) -> Void) -> UInt64 {
        guard bytes > 0 else { return sequence }
        bytes = 0
        var last = sequence
        Self.drain(.snapshot, &snapshot, &last, each)
        Self.drain(.quote, &quote, &last, each)
        Self.drain(.book, &book, &last, each)
        Self.drain(.tick, &tick, &last, each)
        Self.drain(.bar, &bar, &last, each)
        Self.drain(.clock, &clock, &last, each)
        Self.drain(.feed, &feed, &last, each)
        return last
    }

    private static func drain(_ lane: PushLane, _ buffer: inout EnvelopeBuffer, _ last: inout UInt64, _ each: ([UInt8]) -> Void) {
        guard buffer.payloadCount > 0 else { return }
        last += 1
        each(buffer.seal(lane.type, sequence: last))
    }
}
