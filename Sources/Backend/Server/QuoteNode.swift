public import AuthCentre
import Diagnostics
public import Feeds
public import HTTP
import LWS
import QuoteServer
import Streams
public import Texts
import Transport

/// Quotes alone, for clients of a gateway that announces this server (O-1): a feed and a quote server on a port, no accounts and nothing
/// kept. Credentials are judged by the gateway's node key.
public final class QuoteNode: Sendable {
    public let port: Int
    /// The feed it stands on; its clock is market time.
    public let hub: FeedHub
    /// Of the certificate it shows since the start; nil: plain.
    public var certificate: CertificateFingerprint? { listener.certificate }
    private let listener: LWSServer
    private let readiness: Readiness
    private let running: [Task<Void, Never>]
    private let recorder: FeedRecorder?
    private let begun: AsyncStream<Void>

    private init(
        port: Int, hub: FeedHub, listener: LWSServer, readiness: Readiness, running: [Task<Void, Never>], recorder: FeedRecorder?,
        begun: AsyncStream<Void>
    ) {
        self.port = port
        self.hub = hub
        self.listener = listener
        self.readiness = readiness
        self.running = running
        self.recorder = recorder
        self.begun = begun
    }

    /// Of `configuration` the address, TLS, the feed and its time, the recording and the log count. Throws before anything listens where
    /// those will not do.
    public static func start(_ configuration: ServerConfiguration, key: NodeKey) async throws(Failure) -> QuoteNode {
        try configuration.checkAddresses()
        try CausewayServer.prepareDescriptors()
        let (feed, live) = try await ServerFeed.open(configuration, CausewayServer.shippedData(configuration))
        let metrics = Metrics()
        let entrance = Entrance()
        let recorder = try ServerFeed.recorder(configuration, feed)
        let listener = try CausewayServer.listen(CausewayServer.listening(configuration, entrance, metrics), or: recorder)
        let verifier = QuoteVerifier(
            key: key, now: { WallClock.live.now() / 1_000_000 }, monotonic: configuration.clock.now)
        let quotes = QuoteServer(
            permit: { verifier.verify(quoteCredential: $0).map { QuotePermit(principal: .ofNode, left: $0) } },
            board: QuoteBoard(
                facts: feed.facts, marketDate: feed.marketDate, heardFrom: feed.isLive ? feed.marketClock.now : nil,
                fed: Set(feed.ends.keys),
                history: { feed.recordings.history($0) }),
            marketClock: feed.marketClock, clock: configuration.clock, log: configuration.log, metrics: metrics)
        feed.register("quotes") { quotes.handle($0) }
        if let recorder { feed.register("recorder") { recorder.record($0) } }
        let counts = FeedCounts(metrics)
        let closing = ClosingNote(date: feed.marketDate, end: feed.end, log: configuration.log)
        feed.register("market-time") { events in
            guard let last = events.last else { return }
            counts.set(feed)
            closing.reached(last.time)
        }
        let readiness = Readiness { true }
        live?.report(metrics) {
            readiness.set(.feed, true)
            feed.markStopped()
        }
        readiness.set(.starting, true)
        let door = door(configuration, listener, readiness, metrics)
        entrance.open(door, sockets: nil, quotes: quotes)
        let (running, begun) = ServerFeed.run(feed, live, quotes, readiness)
        return QuoteNode(
            port: listener.port, hub: feed, listener: listener, readiness: readiness,
            running: running, recorder: recorder, begun: begun)
    }

    private static func door(
        _ configuration: ServerConfiguration, _ listener: LWSServer, _ readiness: Readiness, _ metrics: Metrics
    ) -> FrontDoor {
        let admission = Admission(configuration.rates, clock: configuration.clock)
        var router = Router(
            describe: { $0.text(in: .english) }, authenticate: { _ in .failure(Failure(.authInvalid)) },
            admit: { kind, key in admission.refusal(kind, key) })
        router.serveHealth(readiness, QueueWatch(metrics) { [weak listener] in await listener?.queuedBytes() ?? .init() }, metrics)
        return FrontDoor(
            hosts: HostRules(names: [configuration.host] + configuration.publicHosts), router: router, admission: admission,
            readiness: readiness, clock: configuration.clock, log: configuration.log, metrics: metrics)
    }

    /// Returns when what happened before the market time of the start is known and market time runs, or the node is stopped before that.
    public func hasBegun() async { for await _ in begun {} }

    /// As the server's own.
    public func reloadCertificate() async {
        do throws(LWSFailure) { try await listener.reloadCertificate() } catch { return }
    }

    /// Takes nobody in any more, closes connections with 1001 (5 s at most), ends the feed.
    public func stop() async {
        readiness.set(.draining, true)
        await listener.stop()
        running.forEach { $0.cancel() }
        for task in running { await task.value }
        recorder?.close()
    }
}

extension Principal {
    /// Whom a quote credential stands for is not known on a node; that it is for quotes is.
    fileprivate static let ofNode = Principal(accountID: "", deviceID: "", platform: "", scopes: [.quotes])
}

extension Router {
    /// Whether the process lives, whether it can serve, and its figures (O-3).
    mutating func serveHealth(_ readiness: Readiness, _ queues: QueueWatch, _ metrics: Metrics) {
        serveRaw(.get, "/healthz", authentication: .none) { _, _ in HTTPResponse(status: 200, body: Array("ok\n".utf8)) }
        serveRaw(.get, "/readyz", authentication: .none) { _, _ in
            let faults = readiness.current().map(\.rawValue)
            let text = faults.isEmpty ? "ready" : faults.joined(separator: " ")
            return HTTPResponse(status: faults.isEmpty ? 200 : 503, body: Array((text + "\n").utf8))
        }
        serveRaw(.get, "/metrics", authentication: .loopbackOr(.operate)) { _, _ in
            await queues.measure()
            return HTTPResponse(
                status: 200, headers: ["Content-Type": "text/plain; version=0.0.4"], body: Array(metrics.prometheusText().utf8))
        }
    }
}
