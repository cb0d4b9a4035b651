import Accounts
import Alerts
import AuthCentre
import BarStore
import BusinessGateway
import Diagnostics
import Exact
import Exchange
public import Feeds
public import HTTP
import Instruments
public import LWS
import Messages
import Persistence
import QuoteServer
import Sealed
import Streams
import Synchronization
import Symbols
public import Texts
import Transport

extension ErrorCode {
    /// Another program listens there: `host`, `port`.
    public static let portInUse = ErrorCode("port.in-use")
    /// Another address than loopback without TLS: `host` (O-3).
    public static let serverInsecure = ErrorCode("server.insecure")
    /// The address cannot be listened on: `host`, `port`, `reason`.
    public static let serverCannotListen = ErrorCode("server.cannot-listen")
    /// Certificate or key cannot be used: `reason`.
    public static let serverCertificate = ErrorCode("server.certificate")
    /// The operating system or a library refuses what a server needs: `reason`.
    public static let serverCannotStart = ErrorCode("server.cannot-start")
    /// The process may open too few files: `available`, `needed`.
    public static let processDescriptors = ErrorCode("process.descriptors")
}

/// All services in one process on one port (O-1): started whole or not at all, stopped by draining.
public final class CausewayServer: Sendable {
    public let port: Int
    /// The feed all services stand on; its clock is market time.
    public let hub: FeedHub
    /// Of the certificate it shows since the start; nil: plain HTTP.
    public var certificate: CertificateFingerprint? { listener.certificate }
    private let folder: ServerFolder
    private let listener: LWSServer
    let trading: Trading
    let alerts: AlertService
    private let marks: FolderMarks
    private let readiness: Readiness
    private let running: [Task<Void, Never>]
    private let recorder: FeedRecorder?
    let bars: BarRecorder?
    private let begun: AsyncStream<Void>

    private init(
        port: Int, hub: FeedHub, folder: ServerFolder, listener: LWSServer, trading: Trading, alerts: AlertService, marks: FolderMarks,
        readiness: Readiness, running: [Task<Void, Never>], recorder: FeedRecorder?, bars: BarRecorder?,
        begun: AsyncStream<Void>
    ) {
        self.port = port
        self.hub = hub
        self.folder = folder
        self.listener = listener
        self.trading = trading
        self.alerts = alerts
        self.marks = marks
        self.readiness = readiness
        self.running = running
        self.recorder = recorder
        self.bars = bars
        self.begun = begun
    }

    /// Throws before anything listens or is written where the folder is newer or in use, the data is damaged, or the address is not to be had.
    public static func start(_ configuration: ServerConfiguration) async throws(Failure) -> CausewayServer {
        try configuration.checkAddresses()
        try prepareDescriptors()
        let folder = try ServerFolder(path: configuration.dataFolder)
        let shipped = try shippedData(configuration)
        if !shipped.overridden.isEmpty {
            configuration.log.write(
                .info, "tables.own", [("folder", shipped.ownTables ?? ""), ("files", shipped.overridden.joined(separator: " "))])
        }
        let (feed, live) = try await ServerFeed.open(configuration, shipped)
        let (store, alertStore, watchlists) = try stores(folder)
        let marks = try FolderMarks(folder, log: configuration.log)
        let contents = try examine(folder, store, marks, shipped, feed)
        try goOn(configuration, feed, from: max(marks.reached, contents.last ?? marks.reached))
        let barPath = folder.path + "/bars.sqlite"
        if feed.isLive { try BarRecorder.refuseNewer(barPath) }
        let metrics = Metrics()
        let entrance = Entrance()
        // A target that will not do is refused before anything listens; one that will is left as it was where nothing comes to listen.
        let recorder = try ServerFeed.recorder(configuration, feed)
        let listener = try listen(listening(configuration, entrance, metrics), or: recorder)
        // From here on the folder is written.
        let auth = try AuthCentre(
            store: store, cost: configuration.passwordCost,
            now: { WallClock.live.now() / 1_000_000 }, monotonic: configuration.clock.now, log: configuration.log)
        if let path = configuration.nodeKeyFile { try NodeKeyFile.write(auth.nodeKey, to: path) }
        let queues = QueueWatch(metrics) { [weak listener] in await listener?.queuedBytes() ?? .init() }
        let readiness = Readiness { [weak folder] in folder?.isWritable ?? false }
        let bars = try keptBars(configuration, feed, barPath)
        let quotes = QuoteServer(
            board: QuoteBoard(
                facts: feed.facts, marketDate: feed.marketDate, heardFrom: feed.isLive ? feed.marketClock.now : nil,
                fed: Set(feed.ends.keys),
                history: { bars?.history($0) ?? feed.recordings.history($0) }),
            marketClock: feed.marketClock, clock: configuration.clock, log: configuration.log, metrics: metrics,
            authorize: { auth.verify(quoteCredential: $0) })
        feed.register("quotes") { quotes.handle($0) }
        let trading = try Trading.start(
            configuration, folder: folder.path, contents: contents, feed: feed, auth: auth, marks: marks,
            watch: CommandWatch(metrics: metrics, readiness: readiness, clock: configuration.clock))
        let alerts = try alertService(alertStore, feed, quotes, configuration)
        auth.onRevocation { account, device in
            alerts.revoked(account: account, device: device)
            quotes.revoked(account: account, device: device)
            Task { await trading.revoked(account: account, device: device) }
        }
        let closing = ClosingNote(date: feed.marketDate, end: feed.end, log: configuration.log)
        if let recorder { feed.register("recorder") { recorder.record($0) } }
        if let bars { feed.register("bars") { bars.handle($0) } }
        let counts = FeedCounts(metrics)
        feed.register("market-time") { events in
            guard let last = events.last else { return }
            counts.set(feed)
            // Market time is marked as far as every alert that fired by then is kept: a restart tells the rest again (F-5).
            if await alerts.handle(events) { marks.reach(last.time) }
            closing.reached(last.time)
        }
        live?.report(metrics) {
            readiness.set(.feed, true)
            feed.markStopped()
        }
        let admission = Admission(configuration.rates, clock: configuration.clock)
        let door = FrontDoor(
            hosts: HostRules(names: [configuration.host] + configuration.publicHosts),
            router: routes(
                auth, feed, metrics, queues, readiness, admission, SymbolShelf(user: nil, shipped: shipped), alerts, watchlists,
                nodes: configuration.quoteNodes.map { .init(market: $0.market, url: $0.url) }, secure: configuration.tls != nil),
            admission: admission,
            readiness: readiness, clock: configuration.clock, log: configuration.log, metrics: metrics)
        readiness.set(.starting, true)
        entrance.open(door, sockets: trading.sockets, quotes: quotes)
        let (running, begun) = ServerFeed.run(feed, live, quotes, readiness)
        return CausewayServer(
            port: listener.port, hub: feed, folder: folder, listener: listener, trading: trading, alerts: alerts, marks: marks,
            readiness: readiness,
            running: running, recorder: recorder, bars: bars, begun: begun)
    }

    /// Returns when what happened before the market time of the start is known and market time runs, or the server is stopped before that.
    public func hasBegun() async { for await _ in begun {} }

    static func listening(
        _ configuration: ServerConfiguration, _ entrance: Entrance, _ metrics: Metrics
    ) -> LWSServerConfiguration {
        var made = LWSServerConfiguration(
            host: configuration.host, port: configuration.port, tls: configuration.tls,
            http: { await entrance.answer($0) }, webSocket: { entrance.accept($0) }, log: configuration.log)
        let connections = metrics.gauge("causeway_connections", help: "Open connections of the one port")
        made.observe = { connections.set(Int64($0)) }
        return made
    }

    /// Shows the certificate that stands in its file now, in new handshakes; where it will not do, the old one. Both are logged.
    public func reloadCertificate() async {
        do throws(LWSFailure) { try await listener.reloadCertificate() } catch { return }
    }

    /// From here on not ready: no new upgrades, changes or commands; what is under way goes on.
    public func beginDraining() { readiness.set(.draining, true) }

    /// What commands under way have at the end.
    static let commandTime = Duration.seconds(5)

    /// Stops intake, lets commands under way finish and be answered (5 s at most), closes connections with 1001 (5 s at most), ends the
    /// services.
    public func stop() async {
        beginDraining()
        alerts.close()
        await trading.drain(atMost: Self.commandTime)
        trading.sockets.closeAll(.init(code: 1001))
        await listener.stop()
        running.forEach { $0.cancel() }
        for task in running { await task.value }
        recorder?.close()
        bars?.close()
        trading.stop()
        marks.settle(hub.marketClock.now, journalled: trading.exchange.journalled)
        marks.close()
        folder.release()
    }

    /// Raises this process's soft limit of open files; `process.descriptors` where it may not open enough to begin with: `needed`, or what a
    /// server needs. Once for the process: a program does it before its first task, a server that is started in it does not do it again.
    public static func prepareDescriptors(_ needed: Int = Descriptors.reserve) throws(Failure) {
        do throws(LWSFailure) {
            if needed <= prepared.load(ordering: .relaxed) { return }
            try Descriptors.prepare(needed)
            prepared.store(needed, ordering: .relaxed)
        } catch {
            if case .tooFewDescriptors(let available, let needed) = error { throw Failure(tooFewDescriptors: available, needed: needed) }
            throw Failure(.serverCannotStart, .init("reason", error.reason))
        }
    }

    private static let prepared = Atomic(0)

    // MARK: Parts

    /// What a live feed told before; a played one's past is made again.
    private static func keptBars(
        _ configuration: ServerConfiguration, _ feed: FeedHub, _ path: String
    ) throws(Failure) -> BarRecorder? {
        guard feed.isLive else { return nil }
        let bars = try BarRecorder(
            path, facts: feed.facts, days: configuration.barDays, begin: feed.marketClock.now, log: configuration.log)
        feed.know(bars.newest)
        return bars
    }

    /// Market time never goes back in one folder: it starts at what was asked for or at what was reached, whichever is later.
    private static func goOn(_ configuration: ServerConfiguration, _ feed: FeedHub, from reached: MarketInstant) throws(Failure) {
        if let start = configuration.start, start < reached {
            throw Failure(.serverTimePassed, .init("at", start.isoText()), .init("reached", reached.isoText(up: true)))
        }
        // A live feed's time is what it is: a folder that was played into the future is not for it.
        let now = feed.marketClock.now
        if feed.isLive, reached > now {
            throw Failure(.feedFolderAhead, .init("reached", reached.isoText(up: true)), .init("now", now.isoText()))
        }
        _ = feed.seek(to: reached)
    }

    static func shippedData(_ configuration: ServerConfiguration) throws(Failure) -> DataFolder {
        do throws(DataFault) {
            if let shipped = configuration.shipped { return shipped }
            return try DataFolder.locate()
        } catch {
            throw Failure(.dataCorrupt, .init("path", error.description))
        }
    }

    private static func stores(_ folder: ServerFolder) throws(Failure) -> (AccountStore, AlertStore, WatchlistStore) {
        let path = folder.path + "/accounts.sqlite"
        // Made before the first journal: without it the accounts are lost, not yet to come.
        guard folder.hasBytes("accounts.sqlite") || !folder.hasJournal else {
            throw Failure(.dataMismatch, .init("path", path), .init("other", folder.path + "/journal"))
        }
        do throws(StoreError) {
            let file = try AccountFile(path: path)
            var store = file.accounts
            let hasAccounts = try store.hasAccounts()
            let mayBeNew = !hasAccounts && !folder.hasJournal
            store.secret = { name, make throws(StoreError) in try PrivateKeys.load(path + "." + name, mayBeNew: mayBeNew, make) }
            return (store, file.alerts, file.watchlists)
        } catch { throw failure(error, path) }
    }

    private static func alertService(
        _ store: AlertStore, _ feed: FeedHub, _ quotes: QuoteServer, _ configuration: ServerConfiguration
    ) throws(Failure) -> AlertService {
        try AlertService(
            store: store,
            sources: AlertSources(
                instruments: feed.facts.instruments, marketDate: feed.marketDate, marketClock: feed.marketClock, quote: { feed.quote($0) },
                bars: AlertBars(
                    calendar: feed.facts.calendar,
                    told: { quotes.adjustedBars($0, $1, count: $2, through: $3) })),
            clock: configuration.clock, log: configuration.log)
    }

    private static func failure(_ error: StoreError, _ path: String) -> Failure {
        switch error {
        case .newer(let found, let known):
            Failure(.dataNewer, .init("path", path), .init("found", String(found)), .init("supported", String(known)))
        case .full: Failure(.storageFull)
        case .corrupt(let reason): Failure(.dataCorrupt, .init("path", "\(path): \(reason)"))
        case .taken: Failure(.dataCorrupt, .init("path", path))
        case .failed(let reason): Failure(.storageFailed, .init("reason", "\(path): \(reason)"))
        }
    }

    /// The journal, found to belong to the rest of the folder.
    private static func examine(
        _ folder: ServerFolder, _ store: AccountStore, _ marks: FolderMarks, _ shipped: DataFolder, _ feed: FeedHub
    ) throws(Failure) -> ExchangeContents {
        try Trading.examine(
            folder.path, shipped: shipped, feed: feed, mustExist: try hasAccounts(store), witness: marks.journalEnd
        ) { id throws(Failure) in
            do throws(StoreError) { return try store.account(id) != nil } catch { throw failure(error, folder.path + "/accounts.sqlite") }
        }
    }

    private static func hasAccounts(_ store: AccountStore) throws(Failure) -> Bool {
        do throws(StoreError) { return try store.hasAccounts() } catch { throw failure(error, "accounts.sqlite") }
    }

    static func listen(_ configuration: LWSServerConfiguration, or recorder: FeedRecorder?) throws(Failure) -> LWSServer {
        do throws(Failure) { return try listen(configuration) } catch {
            recorder?.discard()
            throw error
        }
    }

    private static func listen(_ configuration: LWSServerConfiguration) throws(Failure) -> LWSServer {
        do throws(LWSFailure) {
            return try LWSServer(configuration)
        } catch {
            throw switch error {
            case .portInUse(let host, let port): Failure(.portInUse, .init("host", host), .init("port", String(port)))
            case .cannotListen(let host, let port, let reason):
                Failure(.serverCannotListen, .init("host", host), .init("port", String(port)), .init("reason", reason))
            case .badCertificate(let reason): Failure(.serverCertificate, .init("reason", reason))
            case .unavailable(let reason): Failure(.serverCannotStart, .init("reason", reason))
            case .tooFewDescriptors(let available, let needed): Failure(tooFewDescriptors: available, needed: needed)
            }
        }
    }

    private static func routes(
        _ auth: AuthCentre, _ feed: FeedHub, _ metrics: Metrics, _ queues: QueueWatch, _ readiness: Readiness, _ admission: Admission,
        _ shelf: SymbolShelf, _ alerts: AlertService, _ watchlists: WatchlistStore,
        nodes: [AccountInfo.Node], secure: Bool
    ) -> Router {
        var router = Router(
            describe: { $0.text(in: .english) }, authenticate: { auth.verify(access: $0) },
            admit: { kind, key in admission.refusal(kind, key) })
        auth.addRoutes(to: &router)
        alerts.addRoutes(to: &router)
        WatchlistService(store: watchlists, now: { WallClock.live.now() / 1_000_000 }).addRoutes(to: &router)
        let symbols = SharedSymbols { () throws(Failure) in try shelf.openShipped() }
        BusinessGateway(
            GatewaySources(
                name: { account throws(Failure) in try auth.name(of: account) },
                quoteCredential: { caller throws(Failure) in try auth.quoteCredential(for: caller) },
                tradingAccounts: TradingAccounts.all, instruments: { feed.facts.instruments }, lastPrice: { feed.lastPrice($0) },
                symbolRelease: { () throws(Failure) in SymbolReleaseInfo(try symbols.read { database throws(Failure) in database.release })
                },
                symbolBlock: { number throws(Failure) in
                    try symbols.read { database throws(Failure) in
                        SymbolBlockRows(version: database.release.version, rows: try database.lines(block: number))
                    }
                },
                rates: { feed.recordings.fixings }, clock: { feed.marketClock.reading() }, marketDate: feed.marketDate,
                quoteNodes: { host in
                    nodes.contains { $0.market == QuoteNodeAddress.rest }
                        ? nodes : nodes + [.init(market: QuoteNodeAddress.rest, url: (secure ? "wss://" : "ws://") + host + "/quotes")]
                },
                tradeURL: { host in (secure ? "https://" : "http://") + host })
        ).addRoutes(to: &router)
        router.serveHealth(readiness, queues, metrics)
        let (listed, served) = (Set(APIList.all.map(\.endpoint)), Set(router.served.map(\.endpoint)))
        precondition(listed == served, "served and documented endpoints differ: \(listed.symmetricDifference(served).sorted())")
        return router
    }
}

extension SymbolReleaseInfo {
    fileprivate init(_ release: SymbolRelease) {
        self.init(
            version: release.version, timestamp: release.timestamp, rows: Int64(release.rows), hash: release.hash,
            blocks: release.blocks.blocks.map { .init(number: Int64($0.number), hash: $0.hash) })
    }
}

extension Failure {
    fileprivate init(tooFewDescriptors available: Int, needed: Int) {
        self.init(.processDescriptors, .init("available", String(available)), .init("needed", String(needed)))
    }
}

/// The server's own keys, each in a private file beside the database: a copy of the database alone makes no credential.
private enum PrivateKeys {
    /// Made only where nothing was signed with it yet.
    static func load(_ path: String, mayBeNew: Bool, _ make: () -> [UInt8]) throws(StoreError) -> [UInt8] {
        let known: [UInt8]?
        do throws(SealedError) { known = try PrivateFile.read(path) } catch { throw failure(error, path) }
        if let known {
            guard known.count == AuthCentre.keyBytes else { throw .corrupt("\(path) is not \(AuthCentre.keyBytes) bytes long") }
            return known
        }
        guard mayBeNew else { throw .corrupt("\(path) is missing; restore it from the same backup") }
        let fresh = make()
        do throws(SealedError) { try PrivateFile.write(fresh, to: path) } catch { throw failure(error, path) }
        return fresh
    }

    private static func failure(_ error: SealedError, _ path: String) -> StoreError {
        switch error {
        case .full: .full
        case .damaged: .corrupt("\(path) is too large")
        default: .failed("\(error)")
        }
    }
}

/// The trading accounts of an app account: one on each counter.
enum TradingAccounts {
    static func counter(of tradingAccount: String) -> TradingCounter { tradingAccount.hasPrefix("F") ? .futures : .securities }

    static func owner(of tradingAccount: String) -> String { String(tradingAccount.dropFirst()) }

    @Sendable static func all(of account: String) -> [AccountInfo.TradingAccount] {
        [.init(id: "S" + account, counter: "securities"), .init(id: "F" + account, counter: "futures")]
    }
}

extension FeedHub {
    fileprivate func lastPrice(_ id: InstrumentID) -> LastPrice? {
        guard let quote = quote(id), quote.hasLast else { return nil }
        let provenance =
            switch quote.provenance {
            case .live: "live"
            case .delayed: "delayed"
            case .recorded: "recorded"
            case .derived: "derived"
            case .simulated, .unspecified, .UNRECOGNIZED: "simulated"
            }
        return LastPrice(
            price: Price(nanos: quote.last), time: MarketInstant(nanoseconds: quote.hasLastTimeNs ? quote.lastTimeNs : quote.timeNs),
            recordedOn: TradingDay(yyyymmdd: quote.recordedOn), provenance: provenance)
    }
}
