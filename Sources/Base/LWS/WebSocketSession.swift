import Transport

/// One end of an open WebSocket on the service thread: reads frames, answers pings, runs the closing handshake (RFC 6455 §7).
/// Pure but for the outbox and the receiver.
struct WebSocketSession {
    let outbox: Outbox
    private let side: WebSocketSide
    private var reader: WebSocketReader
    private let deflate: DeflateAgreement?
    private let receive: @Sendable (WebSocketEvent) -> Void
    private var phase = Phase.open
    private var arrivals: [WebSocketArrival] = []
    /// Pongs and our close frame; they overtake messages.
    private var control: [WebSocketFrame] = []
    /// Our close frame that waits for the queue to empty.
    private var farewell: WebSocketFrame?
    /// Set when something was read or queued that changes what the channel has to do.
    private(set) var needsWrite = false
    /// Begun for an outgoing message larger than one batch.
    private var spill: [UInt8] = []
    private var spillAt = 0

    private enum Phase: Hashable {
        case open
        /// Our close frame is queued or sent; the peer's is awaited.
        case closing
        /// Both are done, or the connection failed: once our close frame is out, the socket ends.
        case closed
    }

    /// More unanswered pings than this and the oldest go without an answer (RFC 6455 §5.5.3 allows it).
    private static let mostPongs = 64

    /// `inflater`: where permessage-deflate was agreed on.
    init(
        side: WebSocketSide, maximumMessageSize: Int, deflate: DeflateAgreement?, inflater: Inflater?, outbox: Outbox,
        receive: @escaping @Sendable (WebSocketEvent) -> Void
    ) {
        self.side = side
        reader = WebSocketReader(side: side, maximumMessageSize: maximumMessageSize, inflater: inflater)
        self.deflate = inflater == nil ? nil : deflate
        self.outbox = outbox
        self.receive = receive
    }

    /// Whether the socket ends when everything filled is sent.
    var isDone: Bool { phase == .closed && control.isEmpty && farewell == nil && spillAt == spill.count }
    /// What waits for the peer.
    var queuedBytes: Int { outbox.queuedBytes + spill.count - spillAt }
    var hasMore: Bool {
        switch phase {
        case .open: spillAt < spill.count || !control.isEmpty || outbox.hasMore
        case .closing, .closed: spillAt < spill.count || !control.isEmpty || farewell != nil
        }
    }

    mutating func received(_ bytes: UnsafeRawBufferPointer) {
        guard phase != .closed else { return }
        arrivals.removeAll(keepingCapacity: true)
        reader.read(bytes, into: &arrivals)
        for arrival in arrivals { handle(arrival) }
    }

    private mutating func handle(_ arrival: WebSocketArrival) {
        switch (phase, arrival) {
        case (.open, .message(let message)): receive(.message(message))
        case (.open, .pong(let bytes)): receive(.pong(bytes))
        case (.open, .ping(let bytes)):
            control.append(.pong(bytes))
            if control.count > Self.mostPongs { control.removeFirst() }
            needsWrite = true
        case (.open, .close(let closure)):
            // What is queued already still goes before our own close frame.
            farewell = .close(closure.code == 1005 ? closure : .init(code: closure.code))
            finish(closure, keepingQueue: true)
        case (.open, .failure(let closure)):
            control = [.close(closure)]
            finish(closure)
        case (.closing, .close(let closure)): finish(closure)
        case (.closing, .failure(let closure)): finish(closure)
        // We said goodbye: what the peer still says is for nobody.
        case (.closing, .message), (.closing, .ping), (.closing, .pong): break
        // Nothing after the end counts.
        case (.closed, _): break
        }
    }

    /// Reports the end once; the socket goes when our own close frame is out.
    private mutating func finish(_ closure: WebSocketClosure, keepingQueue: Bool = false) {
        phase = .closed
        outbox.end(keepingQueue: keepingQueue)
        needsWrite = true
        receive(.closed(closure))
    }

    /// Starts the closing handshake from this end.
    private mutating func close(_ closure: WebSocketClosure) {
        guard phase == .open else { return }
        phase = .closing
        // Pongs go unsaid; messages queued before the close have gone already.
        control = [.close(closure)]
        needsWrite = true
    }

    /// Another thread left something in the outbox. An overrun ends the session here, for the socket may not be writable.
    mutating func notice() {
        guard phase == .open else { return }
        if outbox.hasOverrun { overrun() }
    }

    /// Whether the time of a closing handshake runs.
    var isTimed: Bool { phase != .open || outbox.isCloseAsked }

    private mutating func overrun() {
        let closure = WebSocketClosure(code: 1013, reason: "too slow")
        control = [.close(closure)]
        finish(closure)
    }

    /// The socket is gone, or the closing handshake took too long.
    mutating func lost() {
        guard phase != .closed else { return }
        finish(.lost)
    }

    /// Appends frames until `out` holds about `limit`.
    mutating func fill(_ out: inout [UInt8], upTo limit: Int, deflater: Deflater?) {
        outbox.beginTurn()
        needsWrite = false
        drainSpill(&out, limit)
        // A frame begun must end before any other, control frames too.
        while out.count < limit && spillAt == spill.count {
            if !control.isEmpty {
                append(control.removeFirst(), &out, nil)
                continue
            }
            guard phase == .open || farewell != nil else { return }
            switch outbox.next() {
            case .frame(let frame):
                append(frame, &out, deflate == nil ? nil : deflater)
                if out.count > limit + Self.slack { keepSpill(&out, limit) }
            case .close(let closure) where phase == .open: close(closure)
            case .overflow where phase == .open: overrun()
            case .close, .overflow, .nothing:
                guard let last = farewell.take() else { return }
                append(last, &out, nil)
            }
        }
    }

    private static let slack = 16 << 10

    private func append(_ frame: WebSocketFrame, _ out: inout [UInt8], _ deflater: Deflater?) {
        let mask = side == .client ? UInt32.random(in: .min ... .max) : nil
        frame.append(to: &out, mask: mask, deflater: deflater, windowBits: deflate?.sendWindowBits ?? 15)
    }

    private mutating func keepSpill(_ out: inout [UInt8], _ limit: Int) {
        spill = Array(out[limit...])
        spillAt = 0
        out.removeSubrange(limit...)
    }

    private mutating func drainSpill(_ out: inout [UInt8], _ limit: Int) {
        guard spillAt < spill.count else { return }
        let count = min(spill.count - spillAt, max(0, limit - out.count))
        out.append(contentsOf: spill[spillAt..<spillAt + count])
        spillAt += count
        if spillAt == spill.count {
            spill = []
            spillAt = 0
        }
    }
}
