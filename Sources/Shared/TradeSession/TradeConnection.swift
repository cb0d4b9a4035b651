public import Diagnostics
public import HTTP
import Messages
public import Streams
public import Texts
public import Transport
import WireCodec

/// The trade connection (B-4): performs what `TradeLink` decides over Socket.IO. All calls and all news run on this actor in order of
/// arrival. A command has exactly one outcome; it is never queued and never sent again (B-6, C-3).
public actor TradeConnection {
    public struct Configuration: Sendable {
        /// Base address of the server, `ws`, `wss`, `http` or `https`.
        public var url: String
        public var trust: TLSTrust
        public var platform: String
        /// 16 bytes as 32 hexadecimal digits (D-8).
        public var deviceID: String
        /// The trading account of each counter; a counter without one is not opened.
        public var tradingAccounts: [TradeCounter: String]

        public init(
            url: String, trust: TLSTrust = .system, platform: String = "linux", deviceID: String, tradingAccounts: [TradeCounter: String]
        ) {
            self.url = url
            self.trust = trust
            self.platform = platform
            self.deviceID = deviceID
            self.tradingAccounts = tradingAccounts
        }
    }

    typealias Link = TradeLink<UInt64, AccountEvent, TradeEnvelope>
    /// A request on its way out, kept only until it is sent.
    struct Outgoing { var type: TradeMessageType, payload: [UInt8] }

    let configuration: Configuration
    let clock: MonotonicClock
    private let dialer: WebSocketDialer
    private let store: TradeSessionStore
    private let log: Log
    private let renewCredential: @Sendable (_ refused: String) async -> Void
    var link: Link
    private var session = SocketIOClientSession()
    private var socket: WebSocket?
    /// The dial that `session` and `socket` are of; the link may be one further while it hangs up.
    private var openDial = 0
    private var shownCredential: String?
    /// Tells this connection's links from those of the device's other processes (C-9).
    private let process = String(UInt64.random(in: .min ... .max), radix: 16)
    private var hasLoadedSessions = false
    private var timer: Task<Void, Never>?
    private var timerInstant: MonotonicInstant?
    private var lastID: UInt64 = 0
    var outgoing: [UInt64: Outgoing] = [:]
    private var silentLogins: Set<UInt64> = []
    var waiting: [UInt64: CheckedContinuation<TradeOutcome<TradeEnvelope>, Never>] = [:]
    /// Commands whose end is still to be told with `resolved`.
    private var unresolved: [UInt64: CommandID] = [:]
    private var commandIDs: [UInt64: CommandID] = [:]
    var sinceAsked: [UInt64: (counter: TradeCounter, account: String)] = [:]
    var readySequences: [String: UInt64] = [:]
    private var sessions: [TradeCounter: String] = [:]
    private var listeners: [UInt64: AsyncStream<TradeNews>.Continuation] = [:]
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private let inbox: AsyncStream<(Int, WebSocketEvent)>.Continuation
    private let errands: AsyncStream<@Sendable () async -> Void>.Continuation

    /// `renewCredential`: this credential was refused; get a newer one, which comes with `credential(_:account:)`.
    public init(
        dialer: WebSocketDialer, clock: MonotonicClock, configuration: Configuration, store: TradeSessionStore, seed: UInt64,
        log: Log = .none, renewCredential: @escaping @Sendable (_ refused: String) async -> Void
    ) {
        self.dialer = dialer
        self.clock = clock
        self.configuration = configuration
        self.store = store
        self.log = log
        self.renewCredential = renewCredential
        var policy = TradeLinkPolicy()
        policy.counters = TradeCounter.allCases.filter { configuration.tradingAccounts[$0] != nil }
        policy.platform = configuration.platform
        policy.device = configuration.deviceID
        link = TradeLink(policy: policy, jitter: ConnectionJitter(seed: seed))
        // More frames than this unread means the reader is stuck; what is dropped shows as a gap or a silence, and both are repaired.
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, WebSocketEvent).self, bufferingPolicy: .bufferingOldest(16_384))
        inbox = continuation
        let (work, errand) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self, bufferingPolicy: .bufferingNewest(256))
        errands = errand
        Task { for await errand in work { await errand() } }
        Task { [weak self] in
            for await (dial, event) in stream {
                guard let self else { return }
                await self.take(dial, event)
            }
        }
    }

    deinit {
        inbox.finish()
        errands.finish()
        timer?.cancel()
        socket?.close(.init(code: 1001))
        // What was sent may have been executed.
        for (id, continuation) in waiting { continuation.resume(returning: commandIDs[id] == nil ? .lost : .unknown) }
        for listener in listeners.values { listener.finish() }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: For callers

    public var state: ConnectionState { link.state }
    public func state(of counter: TradeCounter) -> CounterState { link.state(of: counter) }
    public func isLoggedIn(_ counter: TradeCounter) -> Bool { link.session(of: counter) != nil }

    /// The user's credential, whenever it changes; nil: signed out.
    public func credential(_ value: String?, account: String) {
        handle(.connection(.credential(value.map { ConnectionCredential(value: $0, account: account) })))
    }

    /// Connects, with the trading sessions that this device already has (D-8).
    public func connect() async {
        if !hasLoadedSessions {
            hasLoadedSessions = true
            for counter in link.policy.counters {
                guard let stored = await store.load(counter) else { continue }
                sessions[counter] = stored
                handle(.storedSession(counter, stored))
            }
        }
        handle(.connection(.connect))
    }

    public func disconnect() { handle(.connection(.disconnect)) }

    /// Returns when every change of a session so far is in the store: a program that ends sooner forgets its login (D-8).
    public func stored() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let result = errands.yield { done.resume() }
            if case .dropped(let lost) = result { Task { await lost() } } else if case .terminated = result { done.resume() }
        }
    }

    /// News of the platform (B-5).
    public func platform(_ event: PlatformEvent) { handle(.connection(ConnectionEvent(event))) }

    /// Returns when the counter is ready; throws `connection.not-connected` after `limit`, or at once where nothing more is tried.
    public func ready(_ counter: TradeCounter, within limit: Duration = .seconds(10)) async throws(Failure) {
        await connect()
        let deadline = clock.now().advanced(by: limit)
        let clock = clock
        let alarm = Task { [weak self] in
            do { try await clock.sleep(deadline) } catch { return }  // Cancelled: it is ready.
            await self?.wakeWaiters()
        }
        defer { alarm.cancel() }
        while link.state(of: counter) != .ready {
            if case .closed = link.state { throw Failure(.connectionNotConnected) }
            guard clock.now() < deadline else { throw Failure(.connectionNotConnected) }
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    /// News from now on. A listener that falls 16,384 items behind is ended: nothing about orders and fills is left out silently (B-7).
    public func news() -> AsyncStream<TradeNews> {
        lastID += 1
        let id = lastID
        let (stream, continuation) = AsyncStream.makeStream(of: TradeNews.self, bufferingPolicy: .bufferingOldest(16_384))
        continuation.onTermination = { [weak self] _ in Task { [weak self] in await self?.listenerLeft(id) } }
        listeners[id] = continuation
        return stream
    }

    private func listenerLeft(_ id: UInt64) { listeners[id] = nil }

    func tell(_ news: TradeNews) {
        for (id, listener) in listeners {
            if case .dropped = listener.yield(news) {
                listener.finish()
                listeners[id] = nil
            }
        }
    }

    private func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    // MARK: Requests

    /// Hands a request to the link and waits for its first outcome.
    func perform(
        _ kind: TradeRequestKind, _ counter: TradeCounter, _ type: TradeMessageType, _ payload: [UInt8], command: CommandID? = nil
    ) async -> TradeOutcome<TradeEnvelope> {
        lastID += 1
        let id = lastID
        outgoing[id] = Outgoing(type: type, payload: payload)
        commandIDs[id] = command
        return await withCheckedContinuation { continuation in
            waiting[id] = continuation
            handle(.request(id, kind, counter, commandID: command?.bytes ?? []))
        }
    }

    func performLogin(_ counter: TradeCounter, _ payload: [UInt8], isSilent: Bool) async -> TradeOutcome<TradeEnvelope> {
        lastID += 1
        let id = lastID
        outgoing[id] = Outgoing(type: .login, payload: payload)
        if isSilent { silentLogins.insert(id) }
        defer { silentLogins.remove(id) }
        return await withCheckedContinuation { continuation in
            waiting[id] = continuation
            handle(.login(id, counter, isSilent: isSilent))
        }
    }

    func logOut(_ counter: TradeCounter) { handle(.loggedOut(counter)) }

    // MARK: Deciding and performing

    func handle(_ event: Link.Event) {
        for effect in link.handle(event, at: clock.now()) { perform(effect) }
        arm()
    }

    private func perform(_ effect: Link.Effect) {
        switch effect {
        case .dial(let number): dial(number)
        case .hangUp(let number): if number == openDial { run(.close) }
        case .pong: break  // The Socket.IO session answers pings itself.
        case .auth(let credential):
            // The handshake showed an older one: begin again with the newest.
            if credential != shownCredential { queue(.connection(.dead(dial: link.dial))) }
        case .renewAuth(let credential): emit(namespace: "/auth", "renew", .object([.init("token", .string(credential))]))
        case .needCredential:
            let (renew, refused) = (renewCredential, shownCredential ?? "")
            Task { await renew(refused) }
        case .open(let counter):
            if session.state(of: counter.namespace) == .connecting { run(.disconnect(namespace: counter.namespace)) }
            run(.connect(namespace: counter.namespace, payload: nil))
        case .send(let id, _, let counter): sendRequest(.request(id), id, counter)
        case .login(let id, let counter): sendRequest(.login(id, isSilent: silentLogins.contains(id)), id, counter)
        case .query(let id, let attempt, let counter, let commandID): sendQuery(id, attempt, counter, commandID)
        case .since(let counter, let account, let sequence): sendSince(counter, account, sequence)
        case .beat(let counter):
            var beat = AccountHeartbeat()
            beat.tradingAccount = configuration.tradingAccounts[counter] ?? ""
            send(.beat, .heartbeat, encoded(beat), counter)
        case .outcome(let id, let outcome): ended(id, outcome)
        case .deliver(let counter, let account, _, let event): tell(.account(counter, account: account, event))
        case .resynchronise(let counter, let account, let sequence):
            tell(.resynchronise(counter, account: account, sequence: sequence))
        case .down:
            socket = nil
            sinceAsked.removeAll()
        case .entered(let state):
            log.write(.info, "trade", [("state", "\(state)")])
            tell(.connection(state))
            wakeWaiters()
        case .counter(let counter, let state):
            tell(.counter(counter, state))
            wakeWaiters()
        case .session(let counter, let session): sessionChanged(counter, session)
        case .sessionEnded(let counter): tell(.sessionEnded(counter))
        case .kicked: tell(.kicked)
        // The caller of the login has the result.
        case .loginFailed: break
        }
    }

    /// For an event that an effect brings about, after the effects before it.
    private func queue(_ event: Link.Event) { Task { handle(event) } }

    private func sessionChanged(_ counter: TradeCounter, _ session: String?) {
        let (store, old) = (store, sessions[counter])
        sessions[counter] = session
        if let session {
            errands.yield { await store.save(counter, session) }
            tell(.loggedIn(counter))
        } else if let old {
            errands.yield { [weak self] in
                await store.clear(counter, old)
                // Another process of this device may have logged in since (D-8).
                if let newer = await store.load(counter), newer != old { await self?.adopt(newer, counter) }
            }
        }
    }

    func adopt(_ session: String, _ counter: TradeCounter) {
        sessions[counter] = session
        handle(.storedSession(counter, session))
    }

    private func ended(_ id: UInt64, _ outcome: TradeOutcome<TradeEnvelope>) {
        outgoing[id] = nil
        if let command = unresolved.removeValue(forKey: id) {
            commandIDs[id] = nil
            tell(.resolved(command, CommandResult(outcome)))
        } else if case .unknown = outcome {
            unresolved[id] = commandIDs[id]
        } else {
            commandIDs[id] = nil
        }
        waiting.removeValue(forKey: id)?.resume(returning: outcome)
    }

    // MARK: Out

    private func dial(_ number: Int) {
        session = SocketIOClientSession()
        openDial = number
        let token = link.connection.currentCredential?.value ?? ""
        shownCredential = token
        run(
            .connect(
                namespace: "/auth",
                payload: .object([
                    .init("token", .string(token)), .init("device", .string(configuration.deviceID)),
                    .init("platform", .string(configuration.platform)), .init("process", .string(process)),
                ])))
    }

    private func sendRequest(_ name: TradeRequestName, _ id: UInt64, _ counter: TradeCounter) {
        guard let request = outgoing.removeValue(forKey: id) else { preconditionFailure("request \(id) has no contents") }
        send(name, request.type, request.payload, counter)
    }

    private func sendQuery(_ id: UInt64, _ attempt: Int, _ counter: TradeCounter, _ commandID: [UInt8]) {
        var query = OrderByCommand()
        query.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        query.commandID = commandID
        send(.query(id, attempt: attempt), .orderByCommand, encoded(query), counter)
    }

    private func sendSince(_ counter: TradeCounter, _ account: String, _ sequence: UInt64) {
        lastID += 1
        sinceAsked[lastID] = (counter, account)
        var query = SinceQuery()
        query.tradingAccount = account
        query.sequence = sequence
        send(.since(number: lastID), .since, encoded(query), counter)
    }

    private func send(_ name: TradeRequestName, _ type: TradeMessageType, _ payload: [UInt8], _ counter: TradeCounter) {
        var envelope = TradeEnvelope()
        envelope.requestID = name.text
        envelope.type = type
        envelope.payload = payload
        envelope.platform = configuration.platform
        envelope.deviceID = configuration.deviceID
        envelope.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        envelope.sessionID = link.session(of: counter) ?? ""
        emit(namespace: counter.namespace, "request", .binary(encoded(envelope)))
    }

    /// Bytes of a message of ours; within the limits by construction.
    func encoded(_ message: some Message) -> [UInt8] {
        do throws(WireError) { return try message.serializedBytes() } catch {
            preconditionFailure("a request of ours is too large: \(error)")
        }
    }

    private func emit(namespace: String, _ name: String, _ argument: SocketIOValue) {
        lastID += 1
        run(.emit(.init(id: SocketIOEmitID(lastID), namespace: namespace, name: name, arguments: [argument])))
    }

    // MARK: Socket.IO

    private func run(_ event: SocketIOClientSession.Event) {
        let dial = openDial
        for effect in session.handle(event, at: clock.now()) {
            switch effect {
            case .dial: open(dial)
            // False: the socket is closing; its `closed` tells the session.
            case .send(let message): _ = socket?.send(message)
            case .hangUp(let closure): socket?.close(closure)
            case .report(let news): reported(news, dial)
            // A request that could not leave is known by its silence: the in-flight table times it out and asks.
            case .outcome: break
            }
        }
        arm()
    }

    private func open(_ dial: Int) {
        let inbox = inbox
        let request = WebSocketDialRequest.socketIO(base: configuration.url, trust: configuration.trust)
        socket = dialer.dial(request) { event in inbox.yield((dial, event)) }
    }

    private func take(_ dial: Int, _ event: WebSocketEvent) {
        guard dial == openDial else { return }  // An older link.
        switch event {
        case .opened: run(.opened(dial: 1))
        case .failed(let failure): run(.failed(dial: 1, failure))
        case .message(let message): run(.received(dial: 1, message))
        case .pong: break  // Engine.IO's pings judge the link.
        case .closed(let closure): run(.closed(dial: 1, closure))
        }
    }

    private func reported(_ news: SocketIOClientEvent, _ dial: Int) {
        switch news {
        case .opened(let interval, let timeout): handle(.connection(.opened(dial: dial, silence: interval + timeout)))
        case .pinged: handle(.connection(.pinged(dial: dial)))
        case .closed(let closure): handle(.connection(closure.event(dial: dial)))
        case .namespaceConnected: break  // Joined is not ready: `auth` and the ready messages say that (B-4).
        case .namespaceRefused("/auth", let message, let data):
            log.write(.warning, "trade.auth-refused", [("message", String(message.prefix(200)))])
            handle(.authAnswered(dial: dial, AuthAnswer(data.map { SocketIOValue($0) })))
        case .namespaceDisconnected("/auth"): handle(.connection(.dead(dial: dial)))
        case .namespaceRefused(let name, _, _), .namespaceDisconnected(let name):
            if let counter = TradeCounter(namespace: name) { handle(.counterLost(dial: dial, counter)) }
        case .event("/auth", "auth", let arguments): handle(.authAnswered(dial: dial, AuthAnswer(arguments.first)))
        case .event(let name, let event, let arguments):
            guard let counter = TradeCounter(namespace: name), event == "reply" || event == "push",
                let bytes = arguments.first?.binaryValue
            else { return }  // Of a newer server.
            received(counter, bytes, isPush: event == "push", dial)
        }
    }

    private func received(_ counter: TradeCounter, _ bytes: [UInt8], isPush: Bool, _ dial: Int) {
        do throws(WireError) {
            let envelope = try TradeEnvelope(serializedBytes: bytes)
            if isPush { try pushed(envelope, counter, dial) } else { try replied(envelope, counter, dial) }
        } catch {
            log.write(.warning, "trade.undecodable", [("counter", counter.rawValue)])
            handle(.connection(.dead(dial: dial)))
        }
    }

    // MARK: Time

    private func arm() {
        let next = [link.nextDeadline, session.nextDeadline].compactMap { $0 }.min()
        guard next != timerInstant else { return }
        timer?.cancel()
        timerInstant = next
        guard let next else { return }
        let clock = clock
        timer = Task { [weak self] in
            do { try await clock.sleep(next) } catch { return }  // Cancelled: another sleeper took over.
            await self?.timeCame(next)
        }
    }

    private func timeCame(_ instant: MonotonicInstant) {
        guard timerInstant == instant else { return }
        timerInstant = nil
        run(.clock)
        handle(.clock)
    }
}

extension TradeCounter {
    init?(namespace: String) {
        guard namespace.first == "/" else { return nil }
        self.init(rawValue: String(namespace.dropFirst()))
    }
}
