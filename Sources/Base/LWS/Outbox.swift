import Synchronization
import Transport

/// What any thread may do with an open WebSocket: the bounded queue between senders and the service thread.
final class Outbox: Sendable {
    private struct State {
        var phase = Phase.opening
        /// Before all of `queue`: most queues never hold more than one frame, which then needs no array.
        var first: WebSocketFrame?
        var queue: [WebSocketFrame] = []
        /// Index of the first frame not yet taken.
        var head = 0
        var queuedBytes = 0
        var close: WebSocketClosure?
        var hasOverflowed = false
        var isTouched = false

        var isEmpty: Bool { first == nil && head == queue.count }
    }

    private enum Phase { case opening, open, closed }

    /// What the service thread finds.
    enum Item {
        case frame(WebSocketFrame)
        /// The user closed; nothing comes after it.
        case close(WebSocketClosure)
        /// A sender overran the bound: close with 1013.
        case overflow
        case nothing
    }

    private let state = Mutex(State())
    private let maximumQueuedBytes: Int
    private let id: UInt64
    private weak let loop: ServiceLoop?

    /// `loop` is told to look at the channel of that id.
    init(maximumQueuedBytes: Int, loop: ServiceLoop, id: UInt64) {
        self.maximumQueuedBytes = maximumQueuedBytes
        self.loop = loop
        self.id = id
    }

    var webSocket: WebSocket {
        WebSocket(
            send: { message in self.put(message.frame) }, queue: { message in self.put(message.frame, atOnce: false) },
            wake: { self.loop?.wake() },
            ping: { bytes in bytes.count <= 125 && self.put(.ping(bytes)) },
            close: { closure in self.close(closure) },
            queuedBytes: { self.queuedBytes })
    }

    /// What waits, frames' own cost included.
    var queuedBytes: Int { state.withLock { $0.queuedBytes } }

    private func put(_ frame: WebSocketFrame, atOnce: Bool = true) -> Bool {
        let (isQueued, isNews) = state.withLock { state in
            guard state.phase == .open, state.close == nil, !state.hasOverflowed else { return (false, false) }
            if state.queuedBytes + frame.size > maximumQueuedBytes {
                state.hasOverflowed = true
            } else {
                if state.isEmpty { state.first = frame } else { state.queue.append(frame) }
                state.queuedBytes += frame.size + Self.overhead
            }
            defer { state.isTouched = true }
            // An overrun is always news: the socket may not be writable for a turn to begin.
            return (!state.hasOverflowed, !state.isTouched || state.hasOverflowed)
        }
        if isNews { loop?.touch(id, atOnce: atOnce) } else if atOnce { loop?.wake() }
        return isQueued
    }

    /// Counted per frame so that empty messages are bounded too.
    private static let overhead = 16

    /// After what is queued already. Again or late: ignored.
    func close(_ closure: WebSocketClosure) {
        let isNews = state.withLock { state in
            guard state.phase != .closed, state.close == nil else { return false }
            state.close = closure
            state.isTouched = true
            return true
        }
        if isNews { loop?.touch(id) }
    }

    // MARK: Service thread

    func open() { state.withLock { if $0.phase == .opening { $0.phase = .open } } }

    /// Nothing is taken from here on; what is queued still goes where it is kept.
    func end(keepingQueue: Bool = false) {
        state.withLock { state in
            state.phase = .closed
            if keepingQueue { return }
            state.first = nil
            state.queue = []
            state.head = 0
            state.queuedBytes = 0
        }
    }

    var hasOverrun: Bool { state.withLock { $0.hasOverflowed } }
    /// Whether the user closed.
    var isCloseAsked: Bool { state.withLock { $0.close != nil } }

    /// Senders wake the service thread again after this.
    func beginTurn() { state.withLock { $0.isTouched = false } }

    func next() -> Item {
        state.withLock { state in
            if state.hasOverflowed { return .overflow }
            if let frame = state.first.take() {
                state.queuedBytes -= frame.size + Self.overhead
                return .frame(frame)
            }
            guard state.head < state.queue.count else {
                // An empty queue holds no memory.
                if state.head > 0 { state.queue = [] }
                state.head = 0
                return state.close.map { .close($0) } ?? .nothing
            }
            let frame = state.queue[state.head]
            state.queue[state.head] = .binary([])
            state.head += 1
            state.queuedBytes -= frame.size + Self.overhead
            return .frame(frame)
        }
    }

    var hasMore: Bool { state.withLock { !$0.isEmpty || $0.close != nil || $0.hasOverflowed } }
}

extension WebSocketMessage {
    fileprivate var frame: WebSocketFrame {
        switch self {
        case .text(let text): .text(text)
        case .binary(let bytes): .binary(bytes)
        }
    }
}
