import Messages

/// Kinds of messages that are gathered, in the order they leave: a whole goes before the changes that build on it.
enum PushLane: Int, CaseIterable, Hashable, Sendable {
    case snapshot, quote, book, tick, bar, clock

    var type: QuoteMessageType {
        switch self {
        case .snapshot: .snapshotPush
        case .quote: .quotePush
        case .book: .bookPush
        case .tick: .tickPush
        case .bar: .barPush
        case .clock: .clockChanged
        }
    }
}

/// What waits to be sent to one connection: the payload of one message for each lane. Repeated fields put one after the other are the
/// longer repeated field, so encoded elements are only copied here. Holds no memory while empty.
struct PendingPushes: Sendable {
    private var snapshot: [UInt8] = []
    private var quote: [UInt8] = []
    private var book: [UInt8] = []
    private var tick: [UInt8] = []
    private var bar: [UInt8] = []
    private var clock: [UInt8] = []
    private(set) var bytes = 0

    var isEmpty: Bool { bytes == 0 }

    /// Of the first piece; a few quotes fit, so that most buffers are allocated once.
    private static let room = 384

    /// Appends a batch's encoded elements. A clock replaces the one before.
    mutating func append(_ lane: PushLane, _ elements: [UInt8]) {
        bytes += elements.count
        switch lane {
        case .snapshot: Self.append(elements, to: &snapshot)
        case .quote: Self.append(elements, to: &quote)
        case .book: Self.append(elements, to: &book)
        case .tick: Self.append(elements, to: &tick)
        case .bar: Self.append(elements, to: &bar)
        case .clock:
            bytes -= clock.count
            clock = elements
        }
    }

    private static func append(_ elements: [UInt8], to buffer: inout [UInt8]) {
        if buffer.isEmpty { buffer.reserveCapacity(max(room, elements.count)) }
        buffer.append(contentsOf: elements)
    }

    /// Empties it, lane by lane.
    mutating func drain(_ each: (PushLane, [UInt8]) -> Void) {
        guard bytes > 0 else { return }
        bytes = 0
        Self.drain(.snapshot, &snapshot, each)
        Self.drain(.quote, &quote, each)
        Self.drain(.book, &book, each)
        Self.drain(.tick, &tick, each)
        Self.drain(.bar, &bar, each)
        Self.drain(.clock, &clock, each)
    }

    private static func drain(_ lane: PushLane, _ buffer: inout [UInt8], _ each: (PushLane, [UInt8]) -> Void) {
        guard !buffer.isEmpty else { return }
        each(lane, buffer)
        buffer = []
    }
}
