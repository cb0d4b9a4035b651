public import HTTP
import Streams
import Synchronization

/// One client of a `SocketIOServer`. All calls are thread-safe and never block; what one thread emits leaves in that order.
public final class SocketIOSession: Sendable, Identifiable {
    public let id: String
    /// The upgrade request.
    public let request: HTTPServerRequest
    private let policy: SocketIOServerPolicy
    private let clock: MonotonicClock
    private let handlers: SocketIOServerHandlers
    private let makeID: @Sendable () -> String
    private let ended: @Sendable (String) -> Void
    private let news: AsyncStream<SocketIOServerEvent>
    private let newsIn: AsyncStream<SocketIOServerEvent>.Continuation
    private let core: Mutex<Core>

    private struct Core: Sendable {
        var session: SocketIOServerSession
        var socket: WebSocket?
        var emits: UInt64 = 0
        var waiting: [SocketIOEmitID: CheckedContinuation<SocketIOOutcome, Never>] = [:]
        /// Effects that wait for the thread that is performing.
        var effects: [SocketIOServerSession.Effect] = []
        var isPerforming = false
        var queuedNews = 0
        var timer: Task<Void, Never>?
        var timerInstant: MonotonicInstant?
    }

    init(
        id: String, request: HTTPServerRequest, policy: SocketIOServerPolicy, clock: MonotonicClock, handlers: SocketIOServerHandlers,
        makeID: @escaping @Sendable () -> String, ended: @escaping @Sendable (String) -> Void
    ) {
        self.id = id
        self.request = request
        self.policy = policy
        self.clock = clock
        self.handlers = handlers
        self.makeID = makeID
        self.ended = ended
        // Bounded by `queuedNews`: the ends must find room when the events do not.
        (news, newsIn) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
        core = Mutex(Core(session: SocketIOServerSession(policy: policy, sessionID: id)))
    }

    // MARK: For the program

    /// Sends an event without asking for an acknowledgement: `sent`, `notConnected` or `invalid`.
    @discardableResult
    public func emit(namespace: String, name: String, arguments: [SocketIOValue]) -> SocketIOOutcome {
        perform { .emit(.init(id: $0, namespace: namespace, name: name, arguments: arguments)) }
    }

    /// Answers an event where the policy leaves that to the program: `sent`, `notConnected` or `invalid`.
    @discardableResult
    public func acknowledge(namespace: String, id: UInt64, arguments: [SocketIOValue]) -> SocketIOOutcome {
        perform { .acknowledge(by: $0, namespace: namespace, id: id, arguments: arguments) }
    }

    /// Sends an event and waits for its acknowledgement.
    public func request(
        namespace: String, name: String, arguments: [SocketIOValue], timeout: Duration = .seconds(10)
    ) async -> SocketIOOutcome {
        await withCheckedContinuation { continuation in
            let now = clock.now()
            core.withLock { core in
                core.emits += 1
                let id = SocketIOEmitID(core.emits)
                core.waiting[id] = continuation
                core.effects += core.session.handle(
                    .emit(.init(id: id, namespace: namespace, name: name, arguments: arguments, acknowledgementTimeout: timeout)), at: now)
            }
            perform()
        }
    }

    public func isConnected(to namespace: String) -> Bool { core.withLock { $0.session.state(of: namespace) == .ready } }

    /// Puts the client out of one namespace.
    public func disconnect(namespace: String) { handle(.disconnect(namespace: namespace)) }

    public func close(_ closure: WebSocketClosure = .init(code: 1000)) { handle(.close(closure)) }

    /// Bytes that wait for this client.
    public var queuedBytes: Int { core.withLock { $0.socket }?.queuedBytes() ?? 0 }

    // MARK: For the server

    func start(_ socket: WebSocket) {
        core.withLock { $0.socket = socket }
        Task { await self.tellHandlers() }
        handle(.opened)
    }

    func take(_ event: WebSocketEvent) {
        switch event {
        case .message(let message): handle(.received(message))
        case .closed(let closure): handle(.closed(closure))
        case .failed: handle(.closed(.init(code: 1006)))
        case .opened, .pong: break  // Opened at `start`; we send no WebSocket pings.
        }
    }

    /// Handles an event whose outcome is known at once.
    private func perform(_ event: (SocketIOEmitID) -> SocketIOServerSession.Event) -> SocketIOOutcome {
        let now = clock.now()
        let outcome = core.withLock { core in
            core.emits += 1
            let id = SocketIOEmitID(core.emits)
            var outcome = SocketIOOutcome.notConnected
            for effect in core.session.handle(event(id), at: now) {
                if case .outcome(id, let result) = effect { outcome = result } else { core.effects.append(effect) }
            }
            return outcome
        }
        perform()
        return outcome
    }

    private func handle(_ event: SocketIOServerSession.Event) {
        let now = clock.now()
        core.withLock { $0.effects += $0.session.handle(event, at: now) }
        perform()
    }

    /// Performs what waits, outside the lock, on one thread at a time: order is kept, and a socket that calls back at once does no harm.
    private func perform() {
        while true {
            let batch: [SocketIOServerSession.Effect]? = core.withLock { core in
                if core.isPerforming { return nil }
                arm(&core)
                if core.effects.isEmpty { return nil }
                core.isPerforming = true
                defer { core.effects = [] }
                return core.effects
            }
            guard let batch else { return }
            for effect in batch { perform(effect) }
            core.withLock { $0.isPerforming = false }
        }
    }

    private func perform(_ effect: SocketIOServerSession.Effect) {
        switch effect {
        // False: the socket is closing; its `closed` tells the session.
        case .send(let message): _ = core.withLock { $0.socket }?.send(message)
        case .hangUp(let closure): core.withLock { $0.socket }?.close(closure)
        case .outcome(let id, let outcome): core.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: outcome)
        case .report(let event): report(event)
        }
    }

    private func report(_ event: SocketIOServerEvent) {
        switch event {
        case .event, .joining:
            let now = clock.now()
            let fits = core.withLock { core in
                if core.queuedNews < policy.maximumQueuedNews {
                    core.queuedNews += 1
                    return true
                }
                core.effects += core.session.handle(.overflowed, at: now)
                return false
            }
            if fits { newsIn.yield(event) }
        case .left: newsIn.yield(event)
        case .closed:
            newsIn.yield(event)
            newsIn.finish()
            // The socket may hold on to us; nothing more is said on it.
            core.withLock { $0.socket = nil }
            ended(id)
        }
    }

    private func tellHandlers() async {
        for await event in news {
            switch event {
            case .joining(let namespace, let payload, let attempt):
                await join(namespace, payload, attempt)
                core.withLock { $0.queuedNews -= 1 }
            case .event(let namespace, let name, let arguments, let id):
                await handlers.event(self, namespace, name, arguments, id)
                core.withLock { $0.queuedNews -= 1 }
            case .left(let namespace, let reason): await handlers.disconnected(self, namespace, reason)
            case .closed(let closure): await handlers.closed(self, closure)
            }
        }
    }

    private func join(_ namespace: String, _ payload: JSONValue?, _ attempt: Int) async {
        let admission = await handlers.connect(self, namespace, payload)
        let (sessionID, now) = (makeID(), clock.now())
        let joined = core.withLock { core in
            core.effects += core.session.handle(
                .decided(namespace: namespace, attempt: attempt, sessionID: sessionID, admission), at: now)
            return core.session.isJoined(namespace, attempt: attempt)
        }
        perform()
        if joined { await handlers.connected(self, namespace) }
    }

    /// Keeps one sleeper that wakes no later than the session's next deadline.
    private func arm(_ core: inout Core) {
        guard let next = core.session.nextDeadline else {
            core.timer?.cancel()
            (core.timer, core.timerInstant) = (nil, nil)
            return
        }
        if let instant = core.timerInstant, instant <= next { return }
        core.timer?.cancel()
        core.timerInstant = next
        core.timer = Task { [weak self, clock] in
            do { try await clock.sleep(next) } catch { return }  // Cancelled: another sleeper took over.
            self?.wake(next)
        }
    }

    private func wake(_ instant: MonotonicInstant) {
        let isCurrent = core.withLock { core in
            guard core.timerInstant == instant else { return false }
            (core.timer, core.timerInstant) = (nil, nil)
            return true
        }
        if isCurrent { handle(.clock) }
    }
}
