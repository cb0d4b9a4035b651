public import Diagnostics
public import Feeds
public import HTTP
public import Instruments
public import Messages
public import Streams
import Synchronization
public import Texts
public import Transport

/// Who a quote credential stands for, and how long a connection may stand on it; nil: until its sign-in ends.
public struct QuotePermit: Hashable, Sendable {
    public var principal: Principal
    public var left: Duration?

    public init(principal: Principal, left: Duration? = nil) {
        self.principal = principal
        self.left = left
    }
}

/// Serves quotes over WebSocket, subprotocol `causeway.quotes.v1`: sessions are values, this is their edge. Feed it with `handle`, offer
/// `accept` to the server's upgrade port, and `run` it until cancelled.
public final class QuoteServer: Sendable {
    public static let subprotocol = "causeway.quotes.v1"

    private let marketClock: MarketClock
    private let clock: MonotonicClock
    private let permit: @Sendable (_ credential: String) async -> Result<QuotePermit, Failure>
    private let log: Log
    private let metrics: Metrics
    private let conflated: Counter
    private let refusedGauge: Gauge
    private let refused = Atomic(0)
    private let limits: QuoteLimits
    private let core: Mutex<QuoteServerCore>
    /// Held while messages go out, so that a connection gets them in the order they were numbered in. Taken before `core`, which is free
    /// while sockets are written to.
    private let delivery = Mutex(())
    private let inbox: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation
    /// When what was gathered has to go; asked for once until then.
    private let dues: AsyncStream<MonotonicInstant>
    private let due: AsyncStream<MonotonicInstant>.Continuation

    private enum Input: Sendable {
        case event(QuoteConnectionID, WebSocketEvent)
        case authorized(QuoteConnectionID, Result<Principal, Failure>, until: MonotonicInstant?)
    }

    /// `authorize` judges a quote credential; its time limit is its own. Connections outlast the credential until `revoked`.
    public convenience init(
        board: QuoteBoard, marketClock: MarketClock, clock: MonotonicClock, log: Log = .none, metrics: Metrics = Metrics(),
        limits: QuoteLimits = .standard, authorize: @escaping @Sendable (_ credential: String) async -> Result<Principal, Failure>
    ) {
        self.init(
            permit: { await authorize($0).map { QuotePermit(principal: $0) } }, board: board, marketClock: marketClock, clock: clock,
            log: log, metrics: metrics, limits: limits)
    }

    /// `permit` judges a quote credential, and says for how long a connection may stand on it.
    public init(
        permit: @escaping @Sendable (_ credential: String) async -> Result<QuotePermit, Failure>, board: QuoteBoard,
        marketClock: MarketClock, clock: MonotonicClock, log: Log = .none, metrics: Metrics = Metrics(), limits: QuoteLimits = .standard
    ) {
        self.marketClock = marketClock
        self.clock = clock
        self.log = log
        self.metrics = metrics
        self.limits = limits
        self.permit = permit
        conflated = metrics.counter(
            "causeway_quote_conflated_total", help: "Pushes left out for slow clients, replaced by the newest state")
        refusedGauge = metrics.gauge("causeway_quote_bars_refused", help: "Prices and bars of the feed that belong to no minute")
        core = Mutex(QuoteServerCore(board: board, limits: limits))
        (inbox, input) = AsyncStream.makeStream(of: Input.self)
        (dues, due) = AsyncStream.makeStream(of: MonotonicInstant.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Decides about an upgrade request; cheap, for the service thread.
    public func accept(_ request: HTTPServerRequest) -> WebSocketAcceptance {
        let offered = (request.headers["sec-websocket-protocol"] ?? "").split(separator: ",").map { String($0.trimmed) }
        guard offered.contains(Self.subprotocol) else {
            return .refuse(
                HTTPResponse(
                    status: 400, headers: ["content-type": "text/plain"], body: Array("subprotocol \(Self.subprotocol) needed\n".utf8)))
        }
        guard core.withLock({ $0.count < limits.connections }) else {
            return .refuse(HTTPResponse(status: 503, headers: ["retry-after": "10"]))
        }
        let options = WebSocketAcceptOptions(
            subprotocol: Self.subprotocol, maximumMessageSize: limits.messageBytes, maximumQueuedBytes: limits.queueMost, deflate: true)
        return .accept(options) { [self] socket in attach(socket) }
    }

    func attach(_ socket: WebSocket) -> @Sendable (WebSocketEvent) -> Void {
        let link = QuoteLink(socket)
        let id = connect(link)
        return { [self] event in
            if case .message = event, link.waiting.wrappingAdd(1, ordering: .relaxed).newValue > limits.pending {
                end(id, .flood)
                return
            }
            input.yield(.event(id, event))
        }
    }

    func connect(_ link: QuoteLink) -> QuoteConnectionID {
        let now = clock.now()
        return core.withLock { $0.open(link, at: now) }
    }

    /// Handles what clients send, flushes what was gathered, looks after silent ones, until cancelled.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    do { try await clock.sleep(clock.now().advanced(by: .seconds(1))) } catch { return }
                    sweep()
                }
            }
            group.addTask { [self] in
                for await due in dues {
                    do { try await clock.sleep(due) } catch { return }
                    flush()
                }
            }
            for await input in inbox { take(input, &group) }
            group.cancelAll()
        }
    }

    private func take(_ input: Input, _ group: inout TaskGroup<Void>) {
        switch input {
        case .event(let id, .message(let message)):
            let link = core.withLock { $0.link(id) }
            link?.waiting.wrappingSubtract(1, ordering: .relaxed)
            judge(drive(id, .message(message)), id, &group)
        case .event(let id, .closed), .event(let id, .failed): forget(id)
        case .event(_, .opened), .event(_, .pong): break
        case .authorized(let id, let result, let until): judge(drive(id, .authorized(result, until: until)), id, &group)
        }
    }

    private func judge(_ credential: String?, _ id: QuoteConnectionID, _ group: inout TaskGroup<Void>) {
        guard let credential else { return }
        group.addTask { [self] in
            let result = await permit(credential)
            let until = (try? result.get().left).map { clock.now().advanced(by: $0) }
            input.yield(.authorized(id, result.map(\.principal), until: until))
        }
    }

    /// A device's sign-in has ended: so do its connections. To be called once `authorize` refuses its credentials.
    public func revoked(account: String, device: String) {
        for id in core.withLock({ $0.revoked(account: account, device: device) }) {
            _ = drive(id, .revoked(account: account, device: device))
        }
    }

    /// Time passes: deadlines, and slow clients that have caught up or never will.
    func sweep() {
        let now = clock.now()
        for id in core.withLock({ $0.due(at: now) }) { _ = drive(id, .tick) }
        for id in core.withLock({ $0.tooSlow(at: now) }) { end(id, .slow) }
        flush()
    }

    /// Returns the credential to judge, where that is asked for.
    func drive(_ id: QuoteConnectionID, _ event: QuoteSession.Event) -> String? {
        let now = clock.now()
        let reading = marketClock.reading()
        let (credential, closure) = delivery.withLock { _ in
            let step = core.withLock { $0.handle(id, event, reading, at: now) }
            QuoteOutgoing.send(step.outgoing)
            return (step.credential, step.closure)
        }
        if let closure { end(id, closure) }
        return credential
    }

    @discardableResult
    private func forget(_ id: QuoteConnectionID) -> QuoteLink? { core.withLock { $0.forget(id) } }

    private func end(_ id: QuoteConnectionID, _ closure: QuoteClosure) {
        guard let link = forget(id) else { return }
        metrics.counter(
            "causeway_quote_closures_total", help: "Quote connections the server ended", labels: [(name: "reason", value: closure.rawValue)]
        ).add()
        log.write(.info, "quotes.closed", [(name: "reason", value: closure.rawValue)])
        link.socket.close(closure.frame)
    }

    /// Takes events in and gathers them for subscribers; never waits for a client. What was gathered goes out at once where the last
    /// flush is long enough ago, else when it is.
    public func handle(_ events: [FeedEvent]) {
        let now = clock.now()
        var rest = events[...]
        while !rest.isEmpty {
            let isFull = core.withLock { $0.take(&rest, at: now) }
            if isFull { flush() }
        }
        let (flushing, refused) = core.withLock { ($0.flushing(at: now), $0.refusedBars) }
        note(refused)
        switch flushing {
        case .now: flush()
        case .at(let moment): due.yield(moment)
        case .no: break
        }
    }

    public func handle(_ event: FeedEvent) { handle([event]) }

    /// The newest `count` bars, oldest first, adjusted forward as clients may ask for them (none where that does not fit a number); nil: events
    /// up to `sequence` are not all taken in yet.
    public func adjustedBars(_ instrument: Instrument, _ period: BarPeriod, count: Int, through sequence: UInt64 = 0) -> [Bar]? {
        core.withLock { $0.taken < sequence ? nil : $0.adjustedBars(instrument, period, count: count) }
    }

    /// Logged at one and each time there are twice as many.
    private func note(_ count: Int) {
        let before = refused.exchange(count, ordering: .relaxed)
        guard count != before else { return }
        refusedGauge.set(Int64(count))
        guard count.leadingZeroBitCount < before.leadingZeroBitCount else { return }
        log.write(.warning, "quotes.bars-refused", [(name: "count", value: "\(count)")])
    }

    /// Sends what was gathered.
    func flush() {
        let now = clock.now()
        delivery.withLock { _ in QuoteOutgoing.send(core.withLock { $0.flush(at: now, conflated) }) }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var rest = drop(while: blank)
        while let last = rest.last, blank(last) { rest.removeLast() }
        return rest
    }
}
