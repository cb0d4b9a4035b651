public import Diagnostics
import Exact
public import HTTP
public import Instruments
public import Messages
public import Streams
public import Texts
public import Transport
import WireCodec

/// The quote connection (B-3): performs what `QuoteLink` decides over a WebSocket, merges and hands out what comes. All calls and all news
/// run on this actor in order of arrival.
public actor QuoteConnection {
    public struct Configuration: Sendable {
        /// `ws://…/quotes` or `wss://…`.
        public var url: String
        public var deviceID: String
        public var platform: String
        public var trust: TLSTrust
        /// The table the client starts from; rows it lacks come in band (H-5).
        public var instruments: InstrumentTable
        public var queryTimeout: Duration

        public init(
            url: String, deviceID: String, platform: String = "linux", trust: TLSTrust = .system,
            instruments: InstrumentTable = InstrumentTable(version: 0, instruments: []), queryTimeout: Duration = .seconds(15)
        ) {
            self.url = url
            self.deviceID = deviceID
            self.platform = platform
            self.trust = trust
            self.instruments = instruments
            self.queryTimeout = queryTimeout
        }
    }

    /// A fresh quote credential with what is left of its life and the whole of it; `forced`: the one at hand was refused.
    public typealias CredentialSource = @Sendable (_ forced: Bool) async throws -> (value: String, left: Duration, lifetime: Duration)

    private let dialer: WebSocketDialer
    private let clock: MonotonicClock
    private let configuration: Configuration
    private let credential: CredentialSource
    private let log: Log
    private var link: QuoteLink<QuoteTopic, UInt64>
    private var socket: WebSocket?
    /// The dial that `socket` is of; the link may be one further while it hangs up.
    private var openDial = 0
    private var timer: Task<Void, Never>?
    private var timerInstant: MonotonicInstant?
    private var sequence: UInt64 = 0
    private var lastConsumer: UInt64 = 0
    private var consumers: [UInt64: ConflatingSequence<QuoteTopic, MarketDataUpdate>] = [:]
    private var quotes: [InstrumentID: Quote] = [:]
    private var queries: [UInt64: CheckedContinuation<Result<[UInt8], Failure>, Never>] = [:]
    private var waiters: [CheckedContinuation<Void, Never>] = []
    private var statusListeners: [AsyncStream<ConnectionStatus>.Continuation] = []
    private var clockBase: (reading: MarketClockReading, at: MonotonicInstant)?
    private var wasReady = false
    private var awaitsRows = false
    private let inbox: AsyncStream<(Int, WebSocketEvent)>.Continuation

    /// Rows the server sent are merged in.
    public private(set) var instruments: InstrumentTable
    /// The replay's market date, from the login.
    public private(set) var marketDate: TradingDay?
    public private(set) var status = ConnectionStatus.offline
    public private(set) var lastFailure: Failure?

    public init(
        dialer: WebSocketDialer, clock: MonotonicClock, configuration: Configuration, seed: UInt64, log: Log = .none,
        credential: @escaping CredentialSource
    ) {
        self.dialer = dialer
        self.clock = clock
        self.configuration = configuration
        self.credential = credential
        self.log = log
        instruments = configuration.instruments
        link = QuoteLink(jitter: ConnectionJitter(seed: seed))
        // Bounded by the server's push rate times the time this actor is busy; beyond it the connection is rebuilt.
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, WebSocketEvent).self, bufferingPolicy: .bufferingOldest(65_536))
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
        socket?.close(WebSocketClosure(code: 1001))
        for query in queries.values { query.resume(returning: .failure(Failure(.connectionLost))) }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: For callers

    public func connect() { handle(.connection(.connect)) }
    public func disconnect() { handle(.connection(.disconnect)) }

    /// News of the platform (B-5).
    public func platform(_ event: PlatformEvent) { handle(.connection(ConnectionEvent(event))) }

    /// Returns when logged in and the symbol table is whole; `connection.not-connected`, or the login's own failure, after `limit`.
    public func ready(within limit: Duration = .seconds(10)) async throws(Failure) {
        connect()
        let deadline = clock.now().advanced(by: limit)
        let clock = clock
        let alarm = Task { [weak self] in
            do { try await clock.sleep(deadline) } catch { return }
            await self?.wakeWaiters()
        }
        defer { alarm.cancel() }
        while !isReady {
            if case .closed = link.state { throw lastFailure ?? Failure(.connectionNotConnected) }
            guard clock.now() < deadline else { throw lastFailure ?? Failure(.connectionNotConnected) }
            await withCheckedContinuation { waiters.append($0) }
        }
    }

    /// Delivers the newest of each topic, conflated when the reader is slow (B-7); ends the subscription when the reader goes away.
    public func subscribe(_ topics: [QuoteTopic]) -> MarketDataSubscription {
        lastConsumer += 1
        let id = lastConsumer
        let sequence = ConflatingSequence<QuoteTopic, MarketDataUpdate>()
        consumers[id] = sequence
        handle(.subscribe(topics, by: id))
        for topic in topics where topic.kind == .snapshot {
            if let known = quotes[topic.instrument] { sequence.send(.quote(known), for: topic) }
        }
        return MarketDataSubscription(sequence: sequence) { [weak self] in
            Task { [weak self] in await self?.left(id) }
        }
    }

    public func snapshot(_ ids: [InstrumentID]) async throws(Failure) -> [Quote] {
        var query = InstrumentsQuery()
        query.instruments = ids.map(\.rawValue)
        return try decoded(QuoteBatch.self, await ask(.snapshotQuery, query)).quotes
    }

    public func book(_ id: InstrumentID, depth: Int = 10) async throws(Failure) -> Book? {
        var query = InstrumentsQuery()
        query.instruments = [id.rawValue]
        query.depth = UInt32(max(1, depth))
        return try decoded(BookBatch.self, await ask(.bookQuery, query)).books.first
    }

    /// The newest `count` trades, oldest first.
    public func ticks(_ id: InstrumentID, count: Int) async throws(Failure) -> [Tick] {
        var query = TicksQuery()
        query.instrument = id.rawValue
        query.count = UInt32(max(1, count))
        return try decoded(TickBatch.self, await ask(.ticksQuery, query)).ticks
    }

    /// The newest `count` bars, oldest first.
    public func bars(_ id: InstrumentID, _ period: BarPeriod, count: Int) async throws(Failure) -> [Bar] {
        var query = BarsQuery()
        query.instrument = id.rawValue
        query.period = period
        query.count = UInt32(max(1, count))
        return try decoded(BarBatch.self, await ask(.barsQuery, query)).bars
    }

    /// Where market time stands by what the server said last; nil before the first login.
    public func marketTime() -> MarketClockReading? {
        guard let (reading, at) = clockBase else { return nil }
        let elapsed = max(0, at.duration(to: clock.now()).nanoseconds)
        let passed = Int64(clamping: Int128(elapsed) * Int128(reading.speedMicros) / 1_000_000)
        return MarketClockReading(
            time: reading.time.advanced(by: .nanoseconds(passed)), speedMicros: reading.speedMicros, epoch: reading.epoch)
    }

    public func statuses() -> AsyncStream<ConnectionStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: ConnectionStatus.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(status)
        statusListeners.append(continuation)
        return stream
    }

    // MARK: Deciding and performing

    private var isReady: Bool { link.state == .ready && !awaitsRows }

    private func left(_ id: UInt64) {
        consumers.removeValue(forKey: id)?.finish()
        handle(.left(id))
    }

    private func handle(_ event: QuoteLink<QuoteTopic, UInt64>.Event) {
        let effects = link.handle(event, at: clock.now())
        for effect in effects { perform(effect) }
        arm()
    }

    private func perform(_ effect: QuoteLink<QuoteTopic, UInt64>.Effect) {
        switch effect {
        case .dial(let number): dial(number)
        case .hangUp(let number): if number == openDial { socket?.close(WebSocketClosure(code: 1000)) }
        case .pong: break  // libwebsockets' side answers pings.
        case .needCredential(let forced): fetchCredential(forced: forced)
        case .login(let value): login(value)
        case .beat:
            var beat = QuoteHeartbeat()
            beat.sentNs = clock.now().nanoseconds
            _ = send(.heartbeat, beat)
        case .subscribe(let topics): request(.subscribe, topics)
        case .unsubscribe(let topics):
            request(.unsubscribe, topics)
            for topic in topics where topic.kind == .snapshot { quotes[topic.instrument] = nil }
        case .down: down()
        case .entered(let state): entered(state)
        }
    }

    private func dial(_ number: Int) {
        openDial = number
        let request = WebSocketDialRequest(
            url: configuration.url, subprotocol: "causeway.quotes.v1", trust: configuration.trust, deflate: true)
        let inbox = inbox
        socket = dialer.dial(request) { event in inbox.yield((number, event)) }
    }

    private func fetchCredential(forced: Bool) {
        let credential = credential
        Task { [weak self] in
            do {
                let fresh = try await credential(forced)
                await self?.handle(.credential(value: fresh.value, left: fresh.left, lifetime: fresh.lifetime))
            } catch {
                await self?.credentialFailed(error as? Failure)
            }
        }
    }

    private func credentialFailed(_ failure: Failure?) {
        lastFailure = failure
        handle(.credentialFailed)
        wakeWaiters()
    }

    private func login(_ value: String) {
        var login = QuoteLogin()
        login.credential = value
        login.protocol.minimum = 1
        login.protocol.maximum = 1
        login.deviceID = configuration.deviceID
        login.platform = configuration.platform
        login.symbolsVersion = instruments.version
        _ = send(.login, login)
    }

    private func request(_ type: QuoteMessageType, _ topics: [QuoteTopic]) {
        var request = SubscriptionRequest()
        request.topics = topics.map(\.message)
        _ = send(type, request)
    }

    private func down() {
        socket = nil
        awaitsRows = false
        quotes.removeAll()
        let open = queries
        queries.removeAll()
        for query in open.values { query.resume(returning: .failure(Failure(.connectionLost))) }
    }

    private func entered(_ state: ConnectionState) {
        switch state {
        case .ready:
            wasReady = true
            lastFailure = nil
            status = .connected
        case .connecting, .authenticating, .waiting, .cooling: status = wasReady ? .reconnecting : .connecting
        case .disconnected, .suspended: status = .offline
        case .closed(.unsupported): status = .updateNeeded
        case .closed: status = .ended
        }
        log.write(.info, "quotes", [("state", "\(state)")])
        for listener in statusListeners { listener.yield(status) }
        wakeWaiters()
    }

    private func wakeWaiters() {
        let woken = waiters
        waiters = []
        for waiter in woken { waiter.resume() }
    }

    /// One timer, for the machine's next deadline.
    private func arm() {
        guard link.nextDeadline != timerInstant else { return }
        timer?.cancel()
        timerInstant = link.nextDeadline
        guard let deadline = timerInstant else { return }
        let clock = clock
        timer = Task { [weak self] in
            do { try await clock.sleep(deadline) } catch { return }
            await self?.timeCame(deadline)
        }
    }

    private func timeCame(_ deadline: MonotonicInstant) {
        guard timerInstant == deadline else { return }
        timerInstant = nil
        handle(.clock)
    }

    // MARK: Wire

    private func send(_ type: QuoteMessageType, _ message: some Message) -> UInt64? {
        sequence += 1
        var envelope = QuoteEnvelope()
        envelope.type = type
        envelope.sequence = sequence
        envelope.version = 1
        guard let payload = try? message.serializedBytes() else { return nil }
        envelope.payload = payload
        guard let socket, let bytes = try? envelope.serializedBytes(), socket.send(.binary(bytes)) else { return nil }
        return sequence
    }

    private func ask(_ type: QuoteMessageType, _ message: some Message & Sendable) async throws(Failure) -> [UInt8] {
        guard link.state == .ready else {
            handle(.connection(.nudge))
            throw Failure(.connectionNotConnected)
        }
        guard let number = send(type, message) else { throw Failure(.connectionLost) }
        let deadline = clock.now().advanced(by: configuration.queryTimeout)
        let clock = clock
        let alarm = Task { [weak self] in
            do { try await clock.sleep(deadline) } catch { return }
            await self?.answer(number, .failure(Failure(.connectionTimedOut)))
        }
        let result = await withCheckedContinuation { queries[number] = $0 }
        alarm.cancel()
        return try result.get()
    }

    private func answer(_ number: UInt64, _ result: Result<[UInt8], Failure>) {
        queries.removeValue(forKey: number)?.resume(returning: result)
    }

    private func take(_ dial: Int, _ event: WebSocketEvent) {
        switch event {
        case .opened: handle(.connection(.opened(dial: dial, silence: nil)))
        case .failed(let failure): handle(.connection(.failed(dial: dial, failure.kind)))
        case .closed(let closure): handle(.connection(.lost(dial: dial, code: closure.code)))
        case .pong: break
        case .message(let message): if dial == link.dial { received(dial, message) }
        }
    }

    private func received(_ dial: Int, _ message: WebSocketMessage) {
        guard case .binary(let bytes) = message, let envelope = try? QuoteEnvelope(serializedBytes: bytes),
            (try? deliver(dial, envelope)) != nil
        else {
            log.write(.warning, "quotes.undecodable", [])
            return handle(.connection(.dead(dial: dial)))
        }
    }

    private func deliver(_ dial: Int, _ envelope: QuoteEnvelope) throws {
        let payload = envelope.payload
        switch envelope.type {
        case .loginReply: loggedIn(dial, try QuoteLoginReply(serializedBytes: payload))
        case .heartbeatReply: handle(.beatAnswered(dial: dial))
        case .clockChanged: setClock(try MarketClockInfo(serializedBytes: payload))
        case .errorReply:
            let error = try ErrorInfo(serializedBytes: payload)
            answer(envelope.sequence, .failure(Failure(error)))
        case .snapshotReply, .bookReply, .ticksReply, .barsReply: answer(envelope.sequence, .success(payload))
        case .subscriptionReply:
            for failure in try SubscriptionReply(serializedBytes: payload).failures {
                log.write(.warning, "quotes.topic-refused", [("code", failure.error.code)])
            }
        case .snapshotPush: for quote in try QuoteBatch(serializedBytes: payload).quotes { deliver(dial, quote, isWhole: true) }
        case .quotePush: for quote in try QuoteBatch(serializedBytes: payload).quotes { deliver(dial, quote, isWhole: false) }
        case .bookPush:
            for book in try BookBatch(serializedBytes: payload).books {
                for topic in link.topics where topic.kind == .book && topic.instrument.rawValue == book.instrument {
                    hand(.book(book), topic, dial, isWhole: true)
                }
            }
        case .tickPush:
            let ticks = try TickBatch(serializedBytes: payload).ticks
            for (id, group) in Dictionary(grouping: ticks, by: \.instrument) {
                hand(.ticks(group), .ticks(InstrumentID(id)), dial, isWhole: true)
            }
        case .barPush:
            for bar in try BarBatch(serializedBytes: payload).bars {
                hand(.bar(bar), .minuteBar(InstrumentID(bar.instrument)), dial, isWhole: true)
            }
        case .instrumentRows: merge(try InstrumentRows(serializedBytes: payload))
        // Ours to send, or of a newer server.
        case .unspecified, .login, .heartbeat, .subscribe, .unsubscribe, .snapshotQuery, .bookQuery, .ticksQuery, .barsQuery, .UNRECOGNIZED:
            break
        }
    }

    private func loggedIn(_ dial: Int, _ reply: QuoteLoginReply) {
        setClock(reply.clock)
        marketDate = TradingDay(yyyymmdd: reply.marketDate)
        if !reply.error.code.isEmpty { lastFailure = Failure(reply.error) }
        let answer: QuoteLink<QuoteTopic, UInt64>.LoginAnswer =
            switch reply.code {
            case .ok: .ok
            case .alreadyLoggedIn: .alreadyLoggedIn
            case .credentialInvalid, .credentialExpired: .credentialRefused
            case .updateNeeded: .updateNeeded
            case .unspecified, .UNRECOGNIZED: .refused
            }
        if answer == .ok { awaitsRows = reply.symbolsVersion != instruments.version }
        handle(.loginAnswered(dial: dial, answer))
    }

    private func setClock(_ info: MarketClockInfo) {
        let reading = MarketClockReading(
            time: MarketInstant(nanoseconds: info.timeNs), speedMicros: info.speedMicros, epoch: info.epoch)
        clockBase = (reading, clock.now())
    }

    private func merge(_ rows: InstrumentRows) {
        var sent: [Instrument] = []
        for row in rows.rows {
            do {
                sent.append(try Instrument(row))
            } catch {
                log.write(.warning, "quotes.row-refused", [("id", "\(error.id)"), ("field", error.field)])
            }
        }
        instruments = InstrumentTable(version: rows.symbolsVersion, instruments: instruments.all)
        instruments.merge(sent)
        awaitsRows = false
        wakeWaiters()
    }

    private func deliver(_ dial: Int, _ update: Quote, isWhole: Bool) {
        let id = InstrumentID(update.instrument)
        let topic = QuoteTopic.snapshot(id)
        guard link.accepts(dial: dial, topic, isWhole: isWhole) else { return }
        var quote = isWhole ? update : quotes[id] ?? update
        if !isWhole { quote.merge(update) }
        quotes[id] = quote
        for consumer in link.consumers(of: topic) { consumers[consumer]?.send(.quote(quote), for: topic) }
    }

    private func hand(_ update: MarketDataUpdate, _ topic: QuoteTopic, _ dial: Int, isWhole: Bool) {
        guard link.accepts(dial: dial, topic, isWhole: isWhole) else { return }
        for consumer in link.consumers(of: topic) { consumers[consumer]?.send(update, for: topic) }
    }

    private func decoded<Reply: Message>(_ type: Reply.Type, _ bytes: [UInt8]) throws(Failure) -> Reply {
        do throws(WireError) { return try Reply(serializedBytes: bytes) } catch { throw Failure(.connectionLost) }
    }
}

extension WebSocketDialFailure {
    /// As far as the connection machine cares.
    var kind: ConnectionDialFailure {
        switch self {
        case .refused(401, _): .unauthorized
        case .refused(426, _), .badURL: .unsupported
        case .network, .timedOut, .refused, .untrusted: .network
        }
    }
}

extension Failure {
    init(_ info: ErrorInfo) {
        self.init(ErrorCode(info.code), arguments: info.arguments.map { Argument($0.name, $0.value) })
    }
}
