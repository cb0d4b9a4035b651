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
        /// What this connection shares with those of other nodes.
        var share: QuoteShare?

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
    let clock: MonotonicClock
    let configuration: Configuration
    private let credential: CredentialSource
    let log: Log
    var link: QuoteLink<QuoteTopic, UInt64>
    var socket: WebSocket?
    /// The dial that `socket` is of; the link may be one further while it hangs up.
    private var openDial = 0
    private var timer: Task<Void, Never>?
    private var timerInstant: MonotonicInstant?
    var sequence: UInt64 = 0
    private var lastConsumer: UInt64 = 0
    var consumers: [UInt64: ConflatingSequence<MarketDataKey, MarketDataUpdate>] = [:]
    var quotes: [InstrumentID: Quote] = [:]
    var queries: [UInt64: CheckedContinuation<Result<[UInt8], Failure>, Never>] = [:]
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// Consumers that are told of the link between their quotes.
    private var statusTakers: [UInt64: @Sendable (LinkNews) -> Void] = [:]
    private var statusListeners: [AsyncStream<ConnectionStatus>.Continuation] = []
    var clockBase: (reading: MarketClockReading, at: MonotonicInstant)?
    private var wasReady = false
    var awaitsRows = false
    /// Of the table that is being sent.
    var rowsCome = 0
    private let inbox: AsyncStream<(Int, WebSocketEvent)>.Continuation

    /// Rows the server sent are merged in.
    public internal(set) var instruments: InstrumentTable
    /// The replay's market date, from the login.
    public internal(set) var marketDate: TradingDay?
    public private(set) var status = ConnectionStatus.offline
    public internal(set) var lastFailure: Failure?
    /// How the server said its feed stands; without a connection as it was.
    public private(set) var feed = FeedInfo()
    /// Instruments of the table that the server said its feed has no prices of.
    public internal(set) var unfed: Set<InstrumentID> = []

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
    /// `withStatus`: changes of the status too, in order with what comes before and after them.
    public func subscribe(_ topics: [QuoteTopic], withStatus: Bool = false) -> MarketDataSubscription {
        let sequence = ConflatingSequence<MarketDataKey, MarketDataUpdate>(
            maximumKeys: MarketDataSubscription.mostWaiting, endsWhenFull: true, joined: MarketDataUpdate.joined)
        var tell: (@Sendable (LinkNews) -> Void)?
        if withStatus { tell = { sequence.send($0.update, for: $0.key) } }
        let id = join(topics, sequence, tell: tell)
        return MarketDataSubscription(sequence: sequence) { [weak self] in
            Task { [weak self] in await self?.left(id) }
        }
    }

    /// Delivers into a sequence that others may deliver into too, until `left`; `tell` is given every change of the status, in order with
    /// what is delivered, and with `now` how it stands now.
    func join(
        _ topics: [QuoteTopic], _ sequence: ConflatingSequence<MarketDataKey, MarketDataUpdate>,
        tell: (@Sendable (LinkNews) -> Void)?, now: Bool = false
    ) -> UInt64 {
        lastConsumer += 1
        let id = lastConsumer
        consumers[id] = sequence
        statusTakers[id] = tell
        if now { tell?(.status(status)) }
        if now || !feed.isRunning { tell?(.feed(feed)) }
        handle(.subscribe(topics, by: id))
        for topic in topics where topic.kind == .snapshot {
            if let known = quotes[topic.instrument] { sequence.send(.quote(known), for: .topic(topic)) }
        }
        return id
    }

    /// As many instruments as a server answers at once.
    private static let mostAtOnce = 200

    /// Of any number of instruments; asked for in parts a server takes.
    public func snapshot(_ ids: [InstrumentID]) async throws(Failure) -> [Quote] {
        var quotes: [Quote] = []
        for start in stride(from: 0, to: ids.count, by: Self.mostAtOnce) {
            var query = InstrumentsQuery()
            query.instruments = ids[start..<min(start + Self.mostAtOnce, ids.count)].map(\.rawValue)
            quotes += try decoded(QuoteBatch.self, await ask(.snapshotQuery, query)).quotes
        }
        return quotes
    }

    public func book(_ id: InstrumentID, depth: Int = 10) async throws(Failure) -> Book? {
        var query = InstrumentsQuery()
        query.instruments = [id.rawValue]
        query.depth = UInt32(max(1, depth))
        return try decoded(BookBatch.self, await ask(.bookQuery, query)).books.first
    }

    /// Who stands in line; nil where the market has no broker queue, or no book is known.
    public func brokers(_ id: InstrumentID) async throws(Failure) -> BrokerQueue? {
        var query = InstrumentsQuery()
        query.instruments = [id.rawValue]
        return try decoded(BrokerQueueBatch.self, await ask(.brokersQuery, query)).queues.first
    }

    /// The newest `count` trades, oldest first.
    public func ticks(_ id: InstrumentID, count: Int) async throws(Failure) -> [Tick] {
        var query = TicksQuery()
        query.instrument = id.rawValue
        query.count = UInt32(max(1, count))
        return try decoded(TickBatch.self, await ask(.ticksQuery, query)).ticks
    }

    /// The newest `count` bars, oldest first, and what adjustment they carry: none, whatever was asked for, where nothing is known of the
    /// instrument's splits and dividends.
    public func bars(
        _ id: InstrumentID, _ period: BarPeriod, count: Int, adjustment: BarAdjustment = .none
    ) async throws(Failure) -> BarBatch {
        var query = BarsQuery()
        query.instrument = id.rawValue
        query.period = period
        query.count = UInt32(max(1, count))
        query.adjustment = adjustment
        return try decoded(BarBatch.self, await ask(.barsQuery, query))
    }

    /// The first `count` (at most 100) of a ranking, the first one first (F-4); `markets` and `kinds` empty: of all.
    public func ranking(
        _ kind: RankingKind, markets: [Market], kinds: [Instrument.Kind], count: Int
    ) async throws(Failure) -> [Quote] {
        var query = RankingQuery()
        query.kind = kind
        query.markets = markets.map(\.rawValue)
        query.kinds = kinds.map(\.message)
        query.count = UInt32(max(1, count))
        return try decoded(QuoteBatch.self, await ask(.rankingQuery, query)).quotes
    }

    /// Where market time stands by what the server said last; nil before the first login.
    public func marketTime() -> MarketClockReading? {
        clockBase.map { $0.reading.after($0.at.duration(to: clock.now())) }
    }

    public func statuses() -> AsyncStream<ConnectionStatus> {
        let (stream, continuation) = AsyncStream.makeStream(of: ConnectionStatus.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(status)
        statusListeners.append(continuation)
        return stream
    }

    // MARK: Deciding and performing

    private var isReady: Bool { link.state == .ready && !awaitsRows }

    func left(_ id: UInt64) {
        consumers.removeValue(forKey: id)?.finish()
        statusTakers[id] = nil
        handle(.left(id))
    }

    func handle(_ event: QuoteLink<QuoteTopic, UInt64>.Event) {
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
        rowsCome = 0
        quotes.removeAll()
        let open = queries
        queries.removeAll()
        for query in open.values { query.resume(returning: .failure(Failure(.connectionLost))) }
    }

    private func entered(_ state: ConnectionState) {
        let before = status
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
        if status != before { tell(status) }
        wakeWaiters()
    }

    private func tell(_ status: ConnectionStatus) {
        statusListeners.removeAll { if case .terminated = $0.yield(status) { true } else { false } }
        for take in statusTakers.values { take(.status(status)) }
    }

    /// Told where it changes.
    func setFeed(_ info: FeedInfo) {
        let before = feed
        feed = info
        guard info != before, !(info.isRunning && before.isRunning) else { return }
        for take in statusTakers.values { take(.feed(info)) }
    }

    func wakeWaiters() {
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
}

/// What consumers are told of a connection beside its quotes.
enum LinkNews: Sendable {
    case status(ConnectionStatus)
    case feed(FeedInfo)

    var update: MarketDataUpdate {
        switch self {
        case .status(let status): .status(status)
        case .feed(let info): .feed(info)
        }
    }

    var key: MarketDataKey {
        switch self {
        case .status: .status
        case .feed: .feed
        }
    }
}
