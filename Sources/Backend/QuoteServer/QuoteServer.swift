public import Diagnostics
public import Feeds
public import HTTP
import Messages
public import Streams
import Synchronization
public import Texts
public import Transport

/// Serves quotes over WebSocket, subprotocol `causeway.quotes.v1`: sessions are values, this is their edge. Feed it with `handle`, offer
/// `accept` to the server's upgrade port, and `run` it until cancelled.
public final class QuoteServer: Sendable {
    public static let subprotocol = "causeway.quotes.v1"

    private let marketClock: MarketClock
    private let clock: MonotonicClock
    private let authorize: @Sendable (_ credential: String) async -> Result<Principal, Failure>
    private let log: Log
    private let metrics: Metrics
    private let limits: QuoteLimits
    private let core: Mutex<Core>
    private let inbox: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation

    typealias ConnectionID = UInt64

    private enum Input: Sendable {
        case event(ConnectionID, WebSocketEvent)
        case authorized(ConnectionID, Result<Principal, Failure>)
    }

    struct Connection: Sendable {
        var session: QuoteSession
        var socket: WebSocket
        var pushed: UInt64 = 0
        var pending = 0
        /// Topics whose pushes were left out while the client was slow.
        var dirty: Set<TopicKey> = []
    }

    struct Core: Sendable {
        var board: QuoteBoard
        var connections: [ConnectionID: Connection] = [:]
        var subscribers: [TopicKey: Set<ConnectionID>] = [:]
        /// Topics with subscribers, by instrument and kind: what a push has to be encoded for.
        var depths: [TopicKey: Set<UInt32>] = [:]
        var lastID: ConnectionID = 0
        var epoch: UInt64 = 0
    }

    /// `authorize` judges a quote credential; its time limit is its own.
    public init(
        board: QuoteBoard, marketClock: MarketClock, clock: MonotonicClock, log: Log = .none, metrics: Metrics = Metrics(),
        limits: QuoteLimits = .standard, authorize: @escaping @Sendable (_ credential: String) async -> Result<Principal, Failure>
    ) {
        self.marketClock = marketClock
        self.clock = clock
        self.log = log
        self.metrics = metrics
        self.limits = limits
        self.authorize = authorize
        core = Mutex(Core(board: board))
        (inbox, input) = AsyncStream.makeStream(of: Input.self)
    }

    /// Decides about an upgrade request; cheap, for the service thread.
    public func accept(_ request: HTTPServerRequest) -> WebSocketAcceptance {
        let offered = (request.headers["sec-websocket-protocol"] ?? "").split(separator: ",").map { String($0.trimmed) }
        guard offered.contains(Self.subprotocol) else {
            return .refuse(
                HTTPResponse(
                    status: 400, headers: ["content-type": "text/plain"], body: Array("subprotocol \(Self.subprotocol) needed\n".utf8)))
        }
        guard core.withLock({ $0.connections.count < limits.connections }) else {
            return .refuse(HTTPResponse(status: 503, headers: ["retry-after": "10"]))
        }
        let options = WebSocketAcceptOptions(
            subprotocol: Self.subprotocol, maximumMessageSize: limits.messageBytes, maximumQueuedBytes: 8 << 20, deflate: true)
        return .accept(options) { [self] socket in attach(socket) }
    }

    private func attach(_ socket: WebSocket) -> @Sendable (WebSocketEvent) -> Void {
        let now = clock.now()
        let id = core.withLock { core in
            core.lastID += 1
            core.connections[core.lastID] = Connection(session: QuoteSession(at: now), socket: socket)
            return core.lastID
        }
        return { [self] event in
            if case .message = event {
                let flooded = core.withLock { core in
                    core.connections[id]?.pending += 1
                    return (core.connections[id]?.pending ?? 0) > limits.pending
                }
                if flooded {
                    end(id, .flood)
                    return
                }
            }
            input.yield(.event(id, event))
        }
    }

    /// Handles what clients send, looks after silent ones, until cancelled.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while !Task.isCancelled {
                    do { try await clock.sleep(clock.now().advanced(by: .seconds(1))) } catch { return }
                    sweep()
                }
            }
            for await input in inbox { take(input, &group) }
            group.cancelAll()
        }
    }

    private func take(_ input: Input, _ group: inout TaskGroup<Void>) {
        switch input {
        case .event(let id, .message(let message)):
            core.withLock { $0.connections[id]?.pending -= 1 }
            if let credential = drive(id, .message(message)) {
                group.addTask { [self] in
                    let result = await authorize(credential)
                    self.input.yield(.authorized(id, result))
                }
            }
        case .event(let id, .closed), .event(let id, .failed): forget(id)
        case .event(_, .opened), .event(_, .pong): break
        case .authorized(let id, let result): _ = drive(id, .authorized(result))
        }
    }

    /// Time passes: deadlines, and slow clients that have caught up.
    func sweep() {
        for id in core.withLock({ Array($0.connections.keys) }) { _ = drive(id, .tick) }
        core.withLock { core in for id in core.connections.keys { core.catchUp(id, limits) } }
    }

    /// Returns the credential to judge, where that is asked for.
    private func drive(_ id: ConnectionID, _ event: QuoteSession.Event) -> String? {
        let now = clock.now()
        let reading = marketClock.reading()
        var credential: String?
        var closure: QuoteClosure?
        core.withLock { core in
            guard var connection = core.connections[id] else { return }
            let view = QuoteSession.View(board: core.board, clock: reading, limits: limits)
            let effects = connection.session.handle(event, view, at: now)
            for effect in effects {
                switch effect {
                case .reply(let type, let sequence, let payload): connection.send(type, sequence, payload)
                case .push(let type, let payload): connection.push(type, payload)
                case .authorize(let text): credential = text
                case .subscribe(let key): core.add(id, key)
                case .unsubscribe(let key):
                    core.remove(id, key)
                    connection.dirty.remove(key)
                case .close(let reason): closure = reason
                }
            }
            core.connections[id] = connection
        }
        if let closure { end(id, closure) }
        return credential
    }

    private func end(_ id: ConnectionID, _ closure: QuoteClosure) {
        let socket = core.withLock { $0.connections[id]?.socket }
        forget(id)
        guard let socket else { return }
        metrics.counter(
            "causeway_quote_closures_total", help: "Quote connections the server ended", labels: [(name: "reason", value: closure.rawValue)]
        ).add()
        log.write(.info, "quotes.closed", [(name: "reason", value: closure.rawValue)])
        socket.close(closure.frame)
    }

    private func forget(_ id: ConnectionID) {
        core.withLock { core in
            for key in core.connections[id]?.session.topics ?? [] { core.remove(id, key) }
            core.connections[id] = nil
        }
    }

    /// Takes events in and tells subscribers; never waits for a client.
    public func handle(_ events: [FeedEvent]) {
        let conflated = metrics.counter(
            "causeway_quote_conflated_total", help: "Pushes left out for slow clients, replaced by the newest state")
        core.withLock { core in
            for event in events {
                let pushes = core.board.apply(event)
                for push in pushes { core.tell(push, limits, conflated) }
                if case .clock(let reading) = event.body { core.tell(reading) }
            }
            for id in core.connections.keys where core.connections[id]?.dirty.isEmpty == false { core.catchUp(id, limits) }
        }
    }

    public func handle(_ event: FeedEvent) { handle([event]) }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var rest = drop(while: blank)
        while let last = rest.last, blank(last) { rest.removeLast() }
        return rest
    }
}

extension QuoteServer.Connection {
    mutating func push(_ type: QuoteMessageType, _ payload: [UInt8]) {
        pushed += 1
        send(type, pushed, payload)
    }

    func send(_ type: QuoteMessageType, _ sequence: UInt64, _ payload: [UInt8]) {
        var envelope = QuoteEnvelope()
        envelope.type = type
        envelope.sequence = sequence
        envelope.payload = payload
        envelope.version = QuoteSession.protocolVersion
        // False: the socket is closing; its `closed` event follows.
        _ = socket.send(.binary(serialized(envelope)))
    }
}

extension QuoteServer.Core {
    mutating func add(_ id: QuoteServer.ConnectionID, _ key: TopicKey) {
        subscribers[key, default: []].insert(id)
        depths[TopicKey(instrument: key.instrument, kind: key.kind, depth: 0), default: []].insert(key.depth)
    }

    mutating func remove(_ id: QuoteServer.ConnectionID, _ key: TopicKey) {
        subscribers[key]?.remove(id)
        connections[id]?.dirty.remove(key)
        guard subscribers[key]?.isEmpty == true else { return }
        subscribers[key] = nil
        let any = TopicKey(instrument: key.instrument, kind: key.kind, depth: 0)
        depths[any]?.remove(key.depth)
        if depths[any]?.isEmpty == true { depths[any] = nil }
    }

    /// Encodes once for each depth asked for.
    mutating func tell(_ push: BoardPush, _ limits: QuoteLimits, _ conflated: Counter) {
        guard let wanted = depths[TopicKey(instrument: push.instrument, kind: push.kind, depth: 0)] else { return }
        for depth in wanted {
            let key = TopicKey(instrument: push.instrument, kind: push.kind, depth: depth)
            guard let receivers = subscribers[key], !receivers.isEmpty else { continue }
            let (type, payload) = push.encoded(depth: depth)
            for id in receivers {
                guard let connection = connections[id] else { continue }
                if !connection.dirty.isEmpty || connection.socket.queuedBytes() > limits.queueHigh {
                    connections[id]?.dirty.insert(key)
                    conflated.add()
                } else {
                    connections[id]?.push(type, payload)
                }
            }
        }
    }

    /// The newest whole state of the topics left out, once the client has read enough.
    mutating func catchUp(_ id: QuoteServer.ConnectionID, _ limits: QuoteLimits) {
        guard let connection = connections[id], !connection.dirty.isEmpty, connection.socket.queuedBytes() <= limits.queueLow else {
            return
        }
        connections[id]?.dirty = []
        for key in connection.dirty {
            if case .push(let type, let payload)? = QuoteSession.whole(key, board) { connections[id]?.push(type, payload) }
        }
    }

    mutating func tell(_ reading: MarketClockReading) {
        let changed = reading.epoch != epoch
        guard epoch != 0 else {
            epoch = reading.epoch
            return
        }
        // A clock that does not run by itself moves by announcement.
        guard changed || reading.speedMicros == 0 else { return }
        epoch = reading.epoch
        let payload = serialized(reading.info)
        for (id, connection) in connections where connection.session.isReady { connections[id]?.push(.clockChanged, payload) }
    }
}

extension BoardPush {
    func encoded(depth: UInt32) -> (QuoteMessageType, [UInt8]) {
        switch content {
        case .quote(let quote):
            var batch = QuoteBatch()
            batch.quotes = [quote]
            return (.quotePush, serialized(batch))
        case .book(let book):
            var batch = BookBatch()
            batch.books = [book.cut(to: depth)]
            return (.bookPush, serialized(batch))
        case .tick(let tick):
            var batch = TickBatch()
            batch.ticks = [tick]
            return (.tickPush, serialized(batch))
        case .bar(let bar):
            var batch = BarBatch()
            batch.bars = [bar]
            return (.barPush, serialized(batch))
        }
    }
}
