public import Diagnostics
public import HTTP
public import Transport

/// Why a server did not start or a connection context could not be made.
public enum LWSFailure: Error, Hashable, Sendable {
    /// Another process listens there (`port.in-use`).
    case portInUse(host: String, port: Int)
    case cannotListen(host: String, port: Int, reason: String)
    /// The certificate or its key cannot be read, or do not belong together.
    case badCertificate(String)
    /// The operating system or the library refused; the text says what.
    case unavailable(String)
    /// The process may open too few files to begin with.
    case tooFewDescriptors(available: Int, needed: Int)

    /// For a reader.
    public var reason: String {
        switch self {
        case .portInUse(let host, let port): "\(host):\(port) is in use"
        case .cannotListen(let host, let port, let reason): "\(host):\(port): \(reason)"
        case .badCertificate(let reason), .unavailable(let reason): reason
        case .tooFewDescriptors(let available, let needed): "\(available) files of \(needed)"
        }
    }
}

/// Where a server listens and what it allows a peer (O-3). Every bound has a default that suits a desktop server.
public struct LWSServerConfiguration: Sendable {
    /// A numeric address, e.g. `127.0.0.1` or `::1`.
    public var host: String
    /// 0: the kernel chooses; `LWSServer.port` tells.
    public var port: Int
    /// Nil: plain HTTP. TLS is at least 1.2.
    public var tls: TLSFiles?
    public var limits: Limits
    public var http: HTTPHandler
    public var webSocket: WebSocketAcceptor
    public var log: Log
    /// Told how many connections there are whenever one comes or goes; on the service thread, must return at once.
    public var observe: @Sendable (_ connections: Int) -> Void = { _ in }

    /// PEM files: certificate chain and private key.
    public struct TLSFiles: Hashable, Sendable {
        public var certificate: String
        public var key: String
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// What one peer may cost. A peer beyond a bound gets 408, 413, 431 or 503 where HTTP can still say so, and is dropped.
    public struct Limits: Hashable, Sendable {
        public var headerBytes = 16 << 10
        public var bodyBytes = 1 << 20
        /// From the connection's first moment (or the end of the answer before) to the end of the header.
        public var headerDeadline: Duration = .seconds(10)
        /// From the end of the header to the end of the body.
        public var bodyDeadline: Duration = .seconds(30)
        /// How long a kept-alive connection may wait for its next request.
        public var idleDeadline: Duration = .seconds(60)
        /// How long a handler may take, and a peer may take nothing of an answer.
        public var answerDeadline: Duration = .seconds(60)
        /// More than any one service takes; less where the process may not open that many files (`Descriptors.reserve` stay free).
        public var connections = 16_384
        /// Of one IPv4 address, or one IPv6 /64.
        public var connectionsPerAddress = 256
        /// Whether `connectionsPerAddress` holds for this machine itself too, where all users share one address.
        public var countsLoopback = false
        /// How long `stop()` waits for answers and closing handshakes.
        public var drainDeadline: Duration = .seconds(5)
        public init() {}
    }

    public init(
        host: String = "127.0.0.1", port: Int, tls: TLSFiles? = nil, limits: Limits = .init(), http: @escaping HTTPHandler,
        webSocket: @escaping WebSocketAcceptor, log: Log = .none
    ) {
        self.host = host
        self.port = port
        self.tls = tls
        self.limits = limits
        self.http = http
        self.webSocket = webSocket
        self.log = log
    }
}

/// HTTP/1.1 and WebSocket on one port, on one service thread of its own. Handlers run in tasks off that thread; the acceptor and
/// WebSocket receivers run on it and must return at once.
public final class LWSServer: Sendable {
    /// Where it listens.
    public let port: Int
    /// Of the certificate shown at the start; nil: plain HTTP.
    public let certificate: CertificateFingerprint?
    private let loop: ServiceLoop
    private let tls: LWSServerConfiguration.TLSFiles?
    private let log: Log

    /// Listens on return.
    public init(_ configuration: LWSServerConfiguration) throws(LWSFailure) {
        var identity: TLSIdentity?
        if let files = configuration.tls { identity = try TLSIdentity(files) }
        let shown = identity
        certificate = shown?.fingerprint
        tls = configuration.tls
        log = configuration.log
        let (listener, port) = try listeningSocket(host: configuration.host, port: configuration.port)
        self.port = port
        Descriptors.raise(to: configuration.limits.connections + Descriptors.reserve)
        loop = try ServiceLoop(name: "lws-server", timeout: .seconds(2), tls: configuration.tls != nil) { core throws(LWSFailure) in
            core.owner = try ServerCore(configuration, identity: shown, listener: listener, core: core)
        }
        let told = shown.map { [("certificate", $0.fingerprint.description)] } ?? []
        log.write(.info, "server.listening", [("host", configuration.host), ("port", String(port))] + told)
        if let shown, !shown.isValid(at: Self.now) { log.write(.warning, "server.certificate-dates", told) }
    }

    private static var now: Int64 { WallClock.live.now() / 1_000_000_000 }

    /// Reads certificate and key anew. Handshakes that begin after the return show them; connections that stand go on. Where they cannot be
    /// read, do not belong together or are out of their dates, the old ones stay.
    ///
    /// - Parameter now: seconds since 1970; nil: of the wall clock.
    /// - Throws: `.badCertificate`; `.unavailable` without TLS or after the end.
    @discardableResult
    public func reloadCertificate(now: Int64? = nil) async throws(LWSFailure) -> CertificateFingerprint {
        do throws(LWSFailure) {
            guard let tls else { throw .unavailable("no TLS") }
            let identity = try TLSIdentity(tls)
            guard identity.isValid(at: now ?? Self.now) else {
                throw .badCertificate("\(tls.certificate): \(identity.fingerprint) is not valid today")
            }
            try await show(identity)
            log.write(.info, "server.certificate-reloaded", [("certificate", identity.fingerprint.description)])
            return identity.fingerprint
        } catch {
            log.write(.error, "server.certificate-refused", [("reason", error.reason)])
            throw error
        }
    }

    private func show(_ identity: TLSIdentity) async throws(LWSFailure) {
        let isShown = await withCheckedContinuation { continuation in
            let isTaken = loop.submit { core in
                let server = core.hasEnded ? nil : core.owner as? ServerCore
                server?.show(identity)
                continuation.resume(returning: server != nil)
            }
            if !isTaken { continuation.resume(returning: false) }
        }
        if !isShown { throw .unavailable("the server has ended") }
    }

    /// Bytes that wait for peers to take them, without what the kernel holds already.
    public struct QueuedBytes: Hashable, Sendable {
        /// Of all connections.
        public var total = 0
        /// Of the connection with the most.
        public var largest = 0
        public init() {}

        init(total: Int, largest: Int) {
            self.total = total
            self.largest = largest
        }
    }

    /// Looks at all connections, on the service thread: for who watches the server, not for each message.
    public func queuedBytes() async -> QueuedBytes {
        await withCheckedContinuation { continuation in
            let isTaken = loop.submit { core in continuation.resume(returning: core.queuedBytes) }
            if !isTaken { continuation.resume(returning: .init()) }
        }
    }

    deinit { loop.submit { $0.end() } }

    /// Stops accepting, answers what was asked, closes WebSockets with 1001, then drops what is left. Bounded by `drainDeadline`.
    public func stop() async {
        loop.submit { core in (core.owner as? ServerCore)?.drain() }
        await loop.waitUntilFinished()
    }
}
