public import Diagnostics
import HTTP
public import Instruments
public import Messages
public import Streams
import Synchronization
public import Texts
public import Transport

/// The quote nodes of a gateway as one (B-11): a connection for each address, opened when something of it is first needed. The first node
/// gives the symbol table, the market date and market time; another one that does not agree with it is not used. With one node this is that
/// node's connection and nothing else.
public actor QuoteRouter {
    private let nodes: QuoteNodes
    private let reference = QuoteReference()
    private let make: @Sendable (_ node: Int, QuoteConnection.Configuration) -> QuoteConnection
    private let configuration: QuoteConnection.Configuration
    private let first: QuoteConnection
    private var others: [Int: QuoteConnection] = [:]
    private var isEnded = false

    /// How long what is asked of a node waits for its connection.
    private static let patience = Duration.seconds(5)

    /// `configuration`: of every connection, each with its own node's address.
    public init(
        nodes: QuoteNodes, dialer: WebSocketDialer, clock: MonotonicClock, configuration: QuoteConnection.Configuration, seed: UInt64,
        log: Log = .none, credential: @escaping QuoteConnection.CredentialSource
    ) {
        self.nodes = nodes
        self.configuration = configuration
        make = { node, configuration in
            var own = configuration
            own.url = nodes.urls[node]
            return QuoteConnection(
                dialer: dialer, clock: clock, configuration: own, seed: seed &+ UInt64(node), log: log, credential: credential)
        }
        var leading = configuration
        leading.share = .leads(reference)
        first = make(0, leading)
    }

    // MARK: The first node's

    public var instruments: InstrumentTable { get async { await first.instruments } }
    public var marketDate: TradingDay? { get async { await first.marketDate } }
    /// Market time of the first node, which every node in use shares.
    public func marketTime() async -> MarketClockReading? { await first.marketTime() }

    /// Returns when the first node's connection is ready; the others follow when they are needed.
    public func ready(within limit: Duration = .seconds(10)) async throws(Failure) { try await first.ready(within: limit) }

    // MARK: All that are open

    private var open: [QuoteConnection] { [first] + others.values }

    /// Connected only when all that are open are.
    public var status: ConnectionStatus {
        get async {
            var all: [ConnectionStatus] = []
            for connection in open { all.append(await connection.status) }
            return JointStatus.joint(all)
        }
    }

    /// The worst of the feeds of those that are open.
    public var feed: FeedInfo {
        get async {
            var all: [FeedInfo] = []
            for connection in open { all.append(await connection.feed) }
            return FeedInfo.worst(all)
        }
    }

    /// For good: what is asked later of a node that is not open fails.
    public func disconnect() async {
        isEnded = true
        for connection in open { await connection.disconnect() }
    }

    /// News of the platform (B-5).
    public func platform(_ event: PlatformEvent) async {
        for connection in open { await connection.platform(event) }
    }

    // MARK: Quotes

    /// As `QuoteConnection.subscribe`, whatever nodes the topics are of. A node that cannot be reached is dialled on, and told by the status;
    /// one that refuses us or disagrees throws. To be called once `ready`, as all that names instruments.
    public func subscribe(_ topics: [QuoteTopic], withStatus: Bool = false) async throws(Failure) -> MarketDataSubscription {
        let groups = try await grouped(topics, by: \.instrument)
        if groups.allSatisfy({ $0.node == 0 }) { return await first.subscribe(topics, withStatus: withStatus) }
        let sequence = ConflatingSequence<MarketDataKey, MarketDataUpdate>(
            maximumKeys: MarketDataSubscription.mostWaiting, endsWhenFull: true, joined: MarketDataUpdate.joined)
        let joint = JointTeller { sequence.send($0.update, for: $0.key) }
        var joined: [(connection: QuoteConnection, id: UInt64)] = []
        for (node, topics) in groups {
            let connection = await connection(node)
            var tell: (@Sendable (LinkNews) -> Void)?
            if withStatus { tell = { joint.set(node, $0) } }
            joined.append((connection, await connection.join(topics, sequence, tell: tell, now: true)))
        }
        let subscription = MarketDataSubscription(sequence: sequence) { [joined] in
            Task { for (connection, id) in joined { await connection.left(id) } }
        }
        for (node, _) in groups { try await reach(node, await connection(node)) }
        return subscription
    }

    /// Of any number of instruments, in the order they were asked for.
    public func snapshot(_ ids: [InstrumentID]) async throws(Failure) -> [Quote] {
        let groups = try await grouped(ids, by: \.self)
        if groups.count == 1, let only = groups.first { return try await asked(only.node).snapshot(ids) }
        var found: [UInt32: Quote] = [:]
        for (node, ids) in groups {
            for quote in try await asked(node).snapshot(ids) { found[quote.instrument] = quote }
        }
        return ids.compactMap { found[$0.rawValue] }
    }

    /// Those that the feed of their node has no prices of.
    public func unfed(_ ids: [InstrumentID]) async throws(Failure) -> Set<InstrumentID> {
        var unfed: Set<InstrumentID> = []
        for (node, ids) in try await grouped(ids, by: \.self) {
            unfed.formUnion(await (try await asked(node)).unfed.intersection(ids))
        }
        return unfed
    }

    public func book(_ id: InstrumentID, depth: Int = 10) async throws(Failure) -> Book? { try await asked(of: id).book(id, depth: depth) }
    public func brokers(_ id: InstrumentID) async throws(Failure) -> BrokerQueue? { try await asked(of: id).brokers(id) }
    public func ticks(_ id: InstrumentID, count: Int) async throws(Failure) -> [Tick] { try await asked(of: id).ticks(id, count: count) }
    public func bars(
        _ id: InstrumentID, _ period: BarPeriod, count: Int, adjustment: BarAdjustment = .none
    ) async throws(Failure) -> BarBatch {
        try await asked(of: id).bars(id, period, count: count, adjustment: adjustment)
    }

    /// As `QuoteConnection.ranking`; a ranking is made by one node, so `node.several` where the markets are on more.
    public func ranking(
        _ kind: RankingKind, markets: [Market], kinds: [Instrument.Kind], count: Int
    ) async throws(Failure) -> [Quote] {
        var needed: Set<Int> = []
        for market in markets.isEmpty ? Market.allCases : markets { if let node = nodes.node(of: market) { needed.insert(node) } }
        guard let node = needed.first else { throw Failure(.nodeNone, .init("market", markets.first?.suffix ?? "")) }
        guard needed.count == 1 else { throw Failure(.nodeSeveral) }
        return try await asked(node).ranking(kind, markets: markets, kinds: kinds, count: count)
    }

    // MARK: Nodes

    /// By node, in the order in which the nodes were first named.
    private func grouped<Item>(_ items: [Item], by id: (Item) -> InstrumentID) async throws(Failure) -> [(node: Int, items: [Item])] {
        if nodes.urls.count == 1 { return [(0, items)] }
        let table = await first.instruments
        var groups: [(node: Int, items: [Item])] = []
        for item in items {
            let node = try node(of: id(item), table)
            if let place = groups.firstIndex(where: { $0.node == node }) {
                groups[place].items.append(item)
            } else {
                groups.append((node, [item]))
            }
        }
        return groups.isEmpty ? [(0, items)] : groups
    }

    /// What the table does not hold is the first node's to refuse.
    private func node(of id: InstrumentID, _ table: InstrumentTable) throws(Failure) -> Int {
        guard let market = table[id]?.market else { return 0 }
        guard let node = nodes.node(of: market) else { throw Failure(.nodeNone, .init("market", market.suffix)) }
        return node
    }

    private func asked(of id: InstrumentID) async throws(Failure) -> QuoteConnection {
        if nodes.urls.count == 1 { return first }
        return try await asked(try node(of: id, await first.instruments))
    }

    private func asked(_ node: Int) async throws(Failure) -> QuoteConnection {
        if node == 0 { return first }
        let connection = await connection(node)
        guard !isEnded else { throw Failure(.connectionNotConnected) }
        try await connection.ready(within: Self.patience)
        return connection
    }

    /// Waits for a node that others may do without; throws what a user has to know, not that it cannot be reached now.
    private func reach(_ node: Int, _ connection: QuoteConnection) async throws(Failure) {
        if node == 0 || isEnded { return }
        do throws(Failure) { try await connection.ready(within: Self.patience) } catch {
            guard error.code.rawValue.hasPrefix("connection.") else { throw error }
        }
    }

    private func connection(_ node: Int) async -> QuoteConnection {
        if node == 0 { return first }
        if let known = others[node] { return known }
        var own = configuration
        own.instruments = await first.instruments
        own.share = .follows(reference)
        // Another call may have come first.
        if let known = others[node] { return known }
        let made = make(node, own)
        others[node] = made
        if !isEnded { await made.connect() }
        return made
    }
}

/// One status of several connections, told in the order in which it changes.
private final class JointTeller: Sendable {
    private struct State {
        var status = JointStatus()
        var feeds: [Int: FeedInfo] = [:]
    }

    private let state = Mutex(State())
    private let tell: @Sendable (LinkNews) -> Void

    init(_ tell: @escaping @Sendable (LinkNews) -> Void) { self.tell = tell }

    func set(_ node: Int, _ news: LinkNews) {
        state.withLock { state in
            switch news {
            case .status(let status): if let changed = state.status.set(node, status) { tell(.status(changed)) }
            case .feed(let info):
                let before = FeedInfo.worst(state.feeds.values)
                state.feeds[node] = info
                let after = FeedInfo.worst(state.feeds.values)
                if before != after, !(before.isRunning && after.isRunning) { tell(.feed(after)) }
            }
        }
    }
}
