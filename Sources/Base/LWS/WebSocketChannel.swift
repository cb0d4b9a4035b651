import CWebSockets
import Transport

/// A connection that is or becomes a WebSocket: what servers' and clients' ends share.
class WebSocketChannel: Channel {
    final var session: WebSocketSession?
    /// Bytes that go before anything else: a handshake or an HTTP answer.
    final var head: [UInt8] = []
    private var headAt = 0
    private var goodbye = Goodbye.no

    private enum Goodbye {
        case no
        /// When everything filled is sent, shut down writing.
        case wanted
        /// Our end is shut; what the peer still sends is thrown away until its FIN (or the deadline), lest a reset destroy our last words.
        case said
    }

    /// The closing handshake's and a lingering peer's time.
    static let closeTime: Duration = .seconds(2)

    final var isLeaving: Bool { goodbye != .no }
    final var isHeadSent: Bool { headAt == head.count }
    /// What waits for the peer, without what the kernel holds (and the library, of TLS).
    final var queuedBytes: Int { heldBack + head.count - headAt + (session?.queuedBytes ?? 0) }

    /// Ends the connection once everything filled is sent.
    final func leave() {
        guard goodbye == .no else { return }
        goodbye = .wanted
        setDeadline(Self.closeTime)
        wantToWrite()
    }

    final func put(_ bytes: [UInt8]) {
        if isHeadSent {
            head = []
            headAt = 0
        }
        head += bytes
        wantToWrite()
    }

    /// Feeds the session; bytes of a leaving peer are thrown away.
    final func receivedFrames(_ bytes: UnsafeRawBufferPointer) {
        guard session != nil else { return }
        session?.received(bytes)
        sessionMoved()
    }

    /// Looks at what the session wants now.
    final func sessionMoved() {
        if session?.isTimed == true && deadline == .max { setDeadline(Self.closeTime) }
        if session?.needsWrite == true || session?.hasMore == true { wantToWrite() }
    }

    override func fill(_ out: inout [UInt8], upTo limit: Int) {
        if headAt < head.count {
            let count = min(head.count - headAt, limit - out.count)
            out.append(contentsOf: head[headAt..<headAt + count])
            headAt += count
        }
        if isHeadSent {
            if !head.isEmpty {
                head = []
                headAt = 0
            }
            session?.fill(&out, upTo: limit, deflater: core.deflater)
            if session?.isDone == true { leave() } else { sessionMoved() }
        }
        filled()
        // The library calls here only when it holds nothing back, so the last bytes went out in an earlier call.
        if goodbye == .wanted && out.count == core.padding && isHeadSent {
            goodbye = .said
            shutDownWriting()
        }
    }

    /// After each `fill`.
    func filled() {}

    override var hasMore: Bool {
        !isHeadSent || goodbye == .wanted || (session?.hasMore ?? false) || (session?.isDone == true && goodbye == .no)
    }

    override func touched() {
        session?.notice()
        if session?.isTimed == true && deadline == .max { setDeadline(Self.closeTime) }
    }

    override var mayWriteNow: Bool { session != nil && goodbye == .no }
}
