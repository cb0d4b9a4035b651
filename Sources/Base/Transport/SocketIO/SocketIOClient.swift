public import HTTP
public import Streams
import Synchronization

extension WebSocketDialRequest {
    /// The dial of a Socket.IO server at `base` (`ws`, `wss`, `http` or `https`, host, port; a path in front of `/socket.io/` may follow).
    public static func socketIO(
        base: String, headers: HTTPFields = [:], connectTimeout: Duration = .seconds(8), trust: TLSTrust = .system,
        limits: SocketIOLimits = .init()
    ) -> WebSocketDialRequest {
        var url = base
        if url.hasPrefix("http") { url = "ws" + url.dropFirst(4) }
        while url.hasSuffix("/") { url.removeLast() }
        if !url.hasSuffix("/socket.io") { url += "/socket.io" }
        return WebSocketDialRequest(
            url: url + "/?EIO=4&transport=websocket", headers: headers, connectTimeout: connectTimeout, trust: trust,
            maximumMessageSize: limits.maximumPayload)
    }
}

/// Drives a `SocketIOClientSession` over a WebSocket port. One connection at a time; it never dials again by itself: whoever decides that
/// (the connection machine) calls `connect` again. Who has a machine of its own may embed `SocketIOClientSession` directly instead.
public actor SocketIOClient {
    private let dialer: WebSocketDialer
    private let clock: MonotonicClock
    private let receive: @Sendable (SocketIOClientEvent) -> Void
    private var session: SocketIOClientSession
    private var request = WebSocketDialRequest(url: "")
    private var socket: WebSocket?
    private var emits: UInt64 = 0
    private var waiting: [SocketIOEmitID: CheckedContinuation<SocketIOOutcome, Never>] = [:]
    private var outcomes: [SocketIOEmitID: SocketIOOutcome] = [:]
    private var timer: Task<Void, Never>?
    private var timerInstant: MonotonicInstant?
    private let inbox: AsyncStream<(Int, WebSocketEvent)>.Continuation
    private let overflow = Overflow()

    /// `receive` gets the news in order, on the actor, and must return at once.
    public init(
        dialer: WebSocketDialer, clock: MonotonicClock, policy: SocketIOClientPolicy = .init(), maximumQueuedFrames: Int = 4096,
        receive: @escaping @Sendable (SocketIOClientEvent) -> Void
    ) {
        self.dialer = dialer
        self.clock = clock
        self.receive = receive
        session = SocketIOClientSession(policy: policy)
        let (stream, continuation) = AsyncStream<(Int, WebSocketEvent)>.makeStream(bufferingPolicy: .bufferingOldest(maximumQueuedFrames))
        inbox = continuation
        Task { [weak self] in
            for await (dial, event) in stream {
                guard let self else { return }
                await self.take(dial, event)
            }
        }
    }

    deinit {
        inbox.finish()
        timer?.cancel()
        socket?.close(.init(code: 1001))
        for continuation in waiting.values { continuation.resume(returning: .lost) }
    }

    public var state: SocketIOState { session.state }
    /// Acknowledgements that are awaited.
    public var awaitedCount: Int { session.awaitedCount }
    public func state(of namespace: String) -> SocketIOState { session.state(of: namespace) }

    /// Joins a namespace; dials first where there is no connection. Joining or joined already: ignored.
    public func connect(_ request: WebSocketDialRequest, namespace: String, payload: JSONValue? = nil) {
        self.request = request
        handle(.connect(namespace: namespace, payload: payload))
    }

    /// Leaves one namespace; the connection stays.
    public func disconnect(namespace: String) { handle(.disconnect(namespace: namespace)) }

    /// Ends the connection; `.closed` is reported with the reason `user`.
    public func close() { handle(.close) }

    /// Sends an event without asking for an acknowledgement: `sent`, `notConnected` or `invalid`.
    @discardableResult
    public func emit(namespace: String, name: String, arguments: [SocketIOValue]) -> SocketIOOutcome {
        let id = nextEmit()
        outcomes[id] = .lost
        handle(.emit(.init(id: id, namespace: namespace, name: name, arguments: arguments)))
        return outcomes.removeValue(forKey: id) ?? .lost
    }

    /// Sends an event and waits for its acknowledgement: `acknowledged`, `timedOut`, `lost`, `notConnected` or `invalid`.
    public func request(
        namespace: String, name: String, arguments: [SocketIOValue], timeout: Duration = .seconds(10)
    ) async -> SocketIOOutcome {
        let id = nextEmit()
        return await withCheckedContinuation { continuation in
            waiting[id] = continuation
            handle(
                .emit(.init(id: id, namespace: namespace, name: name, arguments: arguments, acknowledgementTimeout: timeout)))
        }
    }

    private func nextEmit() -> SocketIOEmitID {
        emits += 1
        return SocketIOEmitID(emits)
    }

    private func take(_ dial: Int, _ event: WebSocketEvent) {
        if overflow.take() { handle(.overflowed) }
        switch event {
        case .opened: handle(.opened(dial: dial))
        case .failed(let failure): handle(.failed(dial: dial, failure))
        case .message(let message): handle(.received(dial: dial, message))
        case .pong: break  // We send no WebSocket pings: Engine.IO's judge the link.
        case .closed(let closure): handle(.closed(dial: dial, closure))
        }
    }

    private func handle(_ event: SocketIOClientSession.Event) {
        for effect in session.handle(event, at: clock.now()) { perform(effect) }
        arm()
    }

    private func perform(_ effect: SocketIOClientSession.Effect) {
        switch effect {
        case .dial(let dial):
            let (inbox, overflow) = (inbox, overflow)
            socket = dialer.dial(request) { event in
                if case .dropped = inbox.yield((dial, event)) { overflow.set() }
            }
        // False: the socket is closing; its `closed` tells the session.
        case .send(let message): _ = socket?.send(message)
        case .hangUp(let closure):
            socket?.close(closure)
            socket = nil
        case .report(let news): receive(news)
        case .outcome(let id, let outcome):
            if let continuation = waiting.removeValue(forKey: id) {
                continuation.resume(returning: outcome)
            } else {
                outcomes[id] = outcome
            }
        }
    }

    /// Keeps one sleeper that wakes no later than the session's next deadline.
    private func arm() {
        guard let next = session.nextDeadline else {
            timer?.cancel()
            (timer, timerInstant) = (nil, nil)
            return
        }
        if let timerInstant, timerInstant <= next { return }
        timer?.cancel()
        timerInstant = next
        timer = Task { [weak self, clock] in
            do { try await clock.sleep(next) } catch { return }  // Cancelled: another sleeper took over.
            await self?.wake(next)
        }
    }

    private func wake(_ instant: MonotonicInstant) {
        guard timerInstant == instant else { return }
        (timer, timerInstant) = (nil, nil)
        handle(.clock)
    }
}

/// Set on the service thread when a frame found no room.
private final class Overflow: Sendable {
    private let flag = Atomic(false)
    func set() { flag.store(true, ordering: .releasing) }
    func take() -> Bool { flag.exchange(false, ordering: .acquiringAndReleasing) }
}
