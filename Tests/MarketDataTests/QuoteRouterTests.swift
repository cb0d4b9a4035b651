import Accounts
import Exact
import HTTP
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import Texts
import Transport
import WireCodec

@testable import MarketData

private let names = Instrument.Names(english: "x", simplified: "x", traditional: "x")
private func instrument(_ id: UInt32, _ market: Market, _ code: String) -> Instrument {
    Instrument(
        id: InstrumentID(id), market: market, code: code, symbol: code + "." + market.suffix, kind: .stock, currency: .hkd, names: names,
        lot: .one, multiplier: 1, decimals: 2, tickTable: "HK")
}

private let shippedTable = InstrumentTable(version: 1, instruments: [instrument(1, .xhkg, "700"), instrument(2, .xnas, "AAPL")])
private let (tencent, apple) = (InstrumentID(1), InstrumentID(2))

/// A quote node in memory: whole quotes for what is subscribed and asked, all at its own price.
private final class ScriptedNode: Sendable {
    struct State: Sendable {
        var upgrades = 0
        var isDown = false
        var refusal: ErrorCode?
        var time: Int64 = 1_000_000_000
        var table = shippedTable
        var socket: WebSocket?
    }

    let price: Int64
    let state = Mutex(State())
    init(price: Int64) { self.price = price }

    var upgrades: Int { state.withLock { $0.upgrades } }

    func accept(_: HTTPServerRequest) -> WebSocketAcceptance {
        let isDown = state.withLock { state in
            state.upgrades += 1
            return state.isDown
        }
        if isDown { return .refuse(HTTPResponse(status: 503)) }
        return .accept(WebSocketAcceptOptions()) { [self] socket in
            state.withLock { $0.socket = socket }
            return { [weak self] event in
                if case .message(.binary(let bytes)) = event { self?.take(bytes, socket) }
            }
        }
    }

    private func take(_ bytes: [UInt8], _ socket: WebSocket) {
        guard let asked = try? QuoteEnvelope(serializedBytes: bytes) else { return }
        switch asked.type {
        case .login: login(asked.sequence, socket)
        case .subscribe:
            guard let request = try? SubscriptionRequest(serializedBytes: asked.payload) else { return }
            send(.snapshotPush, batch(request.topics.map(\.instrument)), 0, socket)
        case .snapshotQuery:
            guard let query = try? InstrumentsQuery(serializedBytes: asked.payload) else { return }
            send(.snapshotReply, batch(query.instruments), asked.sequence, socket)
        case .heartbeat: send(.heartbeatReply, QuoteHeartbeat(), asked.sequence, socket)
        default: break
        }
    }

    private func login(_ sequence: UInt64, _ socket: WebSocket) {
        let (state, time) = state.withLock { ($0, $0.time) }
        var reply = QuoteLoginReply()
        reply.code = state.refusal == nil ? .ok : .credentialInvalid
        reply.error.code = state.refusal?.rawValue ?? ""
        reply.marketDate = 20_261_130
        reply.symbolsVersion = state.table.version
        reply.clock.timeNs = time
        reply.clock.speedMicros = 1_000_000
        reply.clock.epoch = 7
        send(.loginReply, reply, sequence, socket)
        if state.table.version == shippedTable.version { return }
        var rows = InstrumentRows()
        rows.symbolsVersion = state.table.version
        rows.rows = state.table.all.map(\.row)
        send(.instrumentRows, rows, 0, socket)
    }

    private func batch(_ ids: [UInt32]) -> QuoteBatch {
        var batch = QuoteBatch()
        batch.quotes = ids.map(quote)
        return batch
    }

    private func quote(_ id: UInt32) -> Quote {
        var quote = Quote()
        quote.instrument = id
        quote.last = price
        return quote
    }

    func push(_ id: InstrumentID) {
        var batch = QuoteBatch()
        batch.quotes = [quote(id.rawValue)]
        if let socket = state.withLock({ $0.socket }) { send(.quotePush, batch, 0, socket) }
    }

    private func send(_ type: QuoteMessageType, _ message: some Message, _ sequence: UInt64, _ socket: WebSocket) {
        var envelope = QuoteEnvelope()
        (envelope.type, envelope.sequence) = (type, sequence)
        guard let payload = try? message.serializedBytes() else { return }
        envelope.payload = payload
        if let bytes = try? envelope.serializedBytes() { _ = socket.send(.binary(bytes)) }
    }
}

/// B-11: a router over nodes in memory.
@Suite(.timeLimit(.minutes(5))) struct QuoteRouterTests {
    private struct Rig {
        let clock = ManualClock()
        let nodes = [ScriptedNode(price: 10), ScriptedNode(price: 20)]
        let networks: [MemoryNetwork]
        let router: QuoteRouter

        init(_ announced: [(String, Int)] = [("*", 0), ("US", 1)]) throws {
            let networks = nodes.map { node in MemoryNetwork { node.accept($0) } }
            self.networks = networks
            let dialer = WebSocketDialer { request, receive in
                networks[request.url.hasSuffix("/0") ? 0 : 1].dialer.dial(request, receive)
            }
            router = QuoteRouter(
                nodes: try QuoteNodes(announced.map { .init(market: $0.0, url: "ws://127.0.0.1/\($0.1)") }), dialer: dialer,
                clock: clock.clock, configuration: .init(url: "", deviceID: "d", instruments: shippedTable), seed: 1,
                credential: { _ in (value: "c", left: .seconds(3600), lifetime: .seconds(7200)) })
        }

        /// What is thrown, while time goes by.
        func failure(_ body: @escaping @Sendable () async throws -> Void) async -> ErrorCode? {
            let isOver = Flag()
            let task = Task { () -> ErrorCode? in
                defer { isOver.value.store(true, ordering: .releasing) }
                do { try await body() } catch { return (error as? Failure)?.code }
                return nil
            }
            while !isOver.value.load(ordering: .acquiring) {
                clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
            return await task.value
        }
    }

    private final class Flag: Sendable { let value = Atomic(false) }

    @Test("B-11: one address is one connection, whatever the markets")
    func single() async throws {
        let rig = try Rig([("HK", 0), ("US", 0), ("*", 0)])
        try await rig.router.ready()
        #expect(try await rig.router.snapshot([apple, tencent]).map(\.last) == [10, 10])
        #expect(rig.nodes.map(\.upgrades) == [1, 0])
    }

    @Test("B-11: a node is dialled when something of it is first needed, once; what is asked of several comes in the order asked")
    func twoNodes() async throws {
        let rig = try Rig()
        try await rig.router.ready()
        #expect(try await rig.router.snapshot([tencent]).map(\.last) == [10])
        #expect(rig.nodes.map(\.upgrades) == [1, 0])
        #expect(try await rig.router.snapshot([apple, tencent, apple]).map(\.last) == [20, 10, 20])
        #expect(try await rig.router.snapshot([apple]).map(\.last) == [20])
        #expect(rig.nodes.map(\.upgrades) == [1, 1])
        #expect(await rig.router.status == .connected)
        #expect(await rig.router.marketTime()?.epoch == 7)
    }

    @Test("B-11, B-8, F-9: one subscription of both; a lost node is told, the other's quotes go on, and it comes back whole")
    func subscription() async throws {
        let rig = try Rig()
        try await rig.router.ready()
        let subscription = try await rig.router.subscribe([.snapshot(tencent), .snapshot(apple)], withStatus: true)
        var updates = subscription.makeAsyncIterator()
        func next() async throws -> (quote: Int64?, status: ConnectionStatus?) {
            switch try #require(await updates.next()) {
            case .quote(let quote): (quote.last, nil)
            case .status(let status): (nil, status)
            default: (nil, nil)
            }
        }
        func quotes(_ wanted: Set<Int64>) async throws {
            var missing = wanted
            while !missing.isEmpty { if let quote = try await next().quote { missing.remove(quote) } }
        }
        func status(_ wanted: ConnectionStatus) async throws { while try await next().status != wanted {} }
        try await quotes([10, 20])
        rig.nodes[1].state.withLock { $0.isDown = true }
        rig.networks[1].breakAll()
        try await status(.reconnecting)
        #expect(await rig.router.status == .reconnecting)
        rig.nodes[0].push(tencent)
        try await quotes([10])
        rig.nodes[1].state.withLock { $0.isDown = false }
        let clock = rig.clock
        let time = Task {
            while !Task.isCancelled {
                clock.advance(by: .milliseconds(20))
                await Task.yield()
            }
        }
        defer { time.cancel() }
        try await status(.connected)
        try await quotes([20])
    }

    @Test("A-12: a node that does not know the credential is told by its own code")
    func wrongKey() async throws {
        let rig = try Rig()
        let code = ErrorCode("node.credential")
        rig.nodes[1].state.withLock { $0.refusal = code }
        try await rig.router.ready()
        let router = rig.router
        #expect(await rig.failure { _ = try await router.subscribe([.snapshot(tencent), .snapshot(apple)]) } == code)
        #expect(await rig.failure { _ = try await router.snapshot([apple]) } == code)
    }

    @Test("Q-1, C-8: a node of another market time is not used")
    func anotherTime() async throws {
        let rig = try Rig()
        rig.nodes[1].state.withLock { $0.time += 3_600_000_000_000 }
        try await rig.router.ready()
        let router = rig.router
        #expect(await rig.failure { _ = try await router.snapshot([apple]) } == .nodeTime)
        #expect(await rig.failure { _ = try await router.subscribe([.snapshot(apple)]) } == .nodeTime)
    }

    @Test("H-5, C-8: a node that knows another instrument by a number is not used; more rows are no harm")
    func anotherTable() async throws {
        let rig = try Rig()
        let more = shippedTable.all + [instrument(3, .xnas, "MSFT")]
        rig.nodes[1].state.withLock { $0.table = InstrumentTable(version: 2, instruments: more) }
        try await rig.router.ready()
        #expect(try await rig.router.snapshot([apple]).map(\.last) == [20])
        let other = try Rig()
        let changed = [instrument(1, .xhkg, "700"), instrument(2, .xnas, "MSFT")]
        other.nodes[1].state.withLock { $0.table = InstrumentTable(version: 2, instruments: changed) }
        try await other.router.ready()
        let router = other.router
        #expect(await other.failure { _ = try await router.snapshot([apple]) } == .nodeTable)
    }

    @Test("F-4: a ranking over several nodes is refused, and so is a market that no node has")
    func rankings() async throws {
        let rig = try Rig()
        try await rig.router.ready()
        let router = rig.router
        func code(_ markets: [Market]) async -> ErrorCode? {
            do { _ = try await router.ranking(.gainers, markets: markets, kinds: [], count: 1) } catch { return error.code }
            return nil
        }
        #expect(await code([]) == .nodeSeveral)
        let named = try Rig([("HK", 0), ("CME", 1)])
        try await named.router.ready()
        await #expect(throws: Failure(.nodeNone, .init("market", "US"))) { _ = try await named.router.snapshot([apple]) }
    }

    @Test("A-8: after the end nothing is dialled for nobody")
    func ended() async throws {
        let rig = try Rig()
        try await rig.router.ready()
        await rig.router.disconnect()
        await #expect(throws: Failure(.connectionNotConnected)) { _ = try await rig.router.snapshot([apple]) }
        #expect(rig.nodes[1].upgrades == 0)
    }
}
