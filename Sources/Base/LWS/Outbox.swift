import Synchronization
import Transport

/// What any thread may do with an open WebSocket: the bounded queue between senders and the service thread.
final class Outbox: Sendable {
    private struct State {
        var phase = Phase.opening
        var queue: [WebSocketFrame] = []
        /// Index of the first frame not yet taken.
        var head = 0
        var queuedBytes = 0
        var close: WebSocketClosure?
        var hasOverflowed = false
        var isTouched = false
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
    private let touch: @Sendable () -> Void

    /// `touch`: tells the service thread to look here.
    init(maximumQueuedBytes: Int, touch: @escaping @Sendable () -> Void) {
        self.maximumQueuedBytes = maximumQueuedBytes
        self.touch = touch
    }

    var webSocket: WebSocket {
        WebSocket(
            send: { message in
                switch message {
                case .text(let text): self.put(.text(text))
                case .binary(let bytes): self.put(.binary(bytes))
                }
            },
            ping: { bytes in bytes.count <= 125 && self.put(.ping(bytes)) },
            close: { closure in self.close(closure) },
            queuedBytes: { self.state.withLock { $0.queuedBytes } })
    }

    private func put(_ frame: WebSocketFrame) -> Bool {
        let (isQueued, isNews) = state.withLock { state in
            guard state.phase == .open, state.close == nil, !state.hasOverflowed else { return (false, false) }
            if state.queuedBytes + frame.size > maximumQueuedBytes {
                state.hasOverflowed = true
            } else {
                state.queue.append(frame)
                state.queuedBytes += frame.size + Self.overhead
            }
            defer { state.isTouched = true }
            // An overrun is always news: the socket may not be writable for a turn to begin.
            return (!state.hasOverflowed, !state.isTouched || state.hasOverflowed)
        }
        if isNews { touch() }
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
        if isNews { touch() }
    }

    // MARK: Service thread

    func open() { state.withLock { if $0.phase == .opening { $0.phase = .open } } }

    /// Nothing is taken from here on; what is queued still goes where it is kept.
    func end(keepingQueue: Bool = false) {
        state.withLock { state in
            state.phase = .closed
            if keepingQueue { return }
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
            guard state.head < state.queue.count else {
                state.queue.removeAll(keepingCapacity: state.queue.capacity <= 1024)
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

    var hasMore: Bool { state.withLock { $0.head < $0.queue.count || $0.close != nil || $0.hasOverflowed } }
}
