import CWebSockets
public import Diagnostics
import Glibc
public import HTTP
import Synchronization
public import Transport

/// Dials WebSockets on one service thread of its own.
public final class LWSClient: Sendable {
    private let loop: ServiceLoop
    private let log: Log

    public init(log: Log = .none) throws(LWSFailure) {
        self.log = log
        // The library's own connect timeout; a dial's is always shorter or ends it with a failure of its own.
        loop = try ServiceLoop(name: "lws-client", timeout: .seconds(60), tls: false) { core throws(LWSFailure) in
            core.owner = try ClientCore(core)
        }
    }

    deinit { loop.submit { $0.end() } }

    /// The port; its receivers are called on the service thread and must return at once.
    public var dialer: WebSocketDialer { WebSocketDialer { request, receive in self.dial(request, receive) } }

    /// Drops what is open and ends the thread.
    public func stop() async {
        loop.submit { $0.end() }
        await loop.waitUntilFinished()
    }

    private func dial(_ request: WebSocketDialRequest, _ receive: @escaping @Sendable (WebSocketEvent) -> Void) -> WebSocket {
        let id = loop.newID()
        let outbox = Outbox(maximumQueuedBytes: Self.maximumQueuedBytes, loop: loop, id: id)
        let isTaken = loop.submit { core in
            guard let client = core.owner as? ClientCore, !core.hasEnded else { return receive(.failed(.network("client stopped"))) }
            client.dial(request, id: id, outbox: outbox, receive: receive)
        }
        if !isTaken { Task { receive(.failed(.network("client stopped"))) } }
        return outbox.webSocket
    }

    /// What the server at `wss://HOST[:PORT]` shows, and whether the system's authorities vouch for it under that name. Nothing is sent but
    /// a handshake, which the server's key has to complete.
    public func certificate(of url: String, timeout: Duration = .seconds(8)) async throws(WebSocketDialFailure) -> OfferedCertificate {
        guard let parts = WebSocketURL(url), parts.isSecure else { throw .badURL("expected wss://HOST[:PORT]") }
        let id = loop.newID()
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<CertificateOutcome, Never>) in
            let isTaken = loop.submit { core in
                guard let client = core.owner as? ClientCore, !core.hasEnded else {
                    return continuation.resume(returning: .failure(.network("client stopped")))
                }
                client.probe(parts, id: id, timeout: timeout) { continuation.resume(returning: $0) }
            }
            if !isTaken { continuation.resume(returning: .failure(.network("client stopped"))) }
        }
        return try outcome.get()
    }

    /// Most bytes that may wait for a slow server.
    private static let maximumQueuedBytes = 8 << 20
}

typealias CertificateOutcome = Result<OfferedCertificate, WebSocketDialFailure>

/// A client's state on its service thread.
final class ClientCore {
    private unowned let core: LoopCore
    let vhost: OpaquePointer
    /// One per way to judge certificates.
    private var authorities: [String: TLSAuthorities] = [:]
    private static let mostAuthorities = 16

    init(_ core: LoopCore) throws(LWSFailure) {
        self.core = core
        guard let vhost = causeway_client_vhost(core.context, core.protocols) else {
            throw .unavailable("libwebsockets made no virtual host")
        }
        self.vhost = vhost
    }

    func dial(
        _ request: WebSocketDialRequest, id: UInt64, outbox: Outbox, receive: @escaping @Sendable (WebSocketEvent) -> Void
    ) {
        guard let url = WebSocketURL(request.url) else {
            return receive(.failed(.badURL("expected ws://HOST[:PORT]/… or wss://…")))
        }
        guard core.channels.count < 10_000 else { return receive(.failed(.network("too many connections"))) }
        let connection = ClientConnection(core: core, id: id, client: self, url: url, request: request, outbox: outbox, receive: receive)
        core.add(connection)
        connection.start()
    }

    func probe(_ url: WebSocketURL, id: UInt64, timeout: Duration, _ tell: @escaping @Sendable (CertificateOutcome) -> Void) {
        let probe = CertificateProbe(core: core, id: id, client: self, url: url, tell: tell)
        core.add(probe)
        probe.start(timeout: timeout)
    }

    func authorities(for trust: TLSTrust) throws(TLSFault) -> TLSAuthorities {
        let name =
            switch trust {
            case .system: "system"
            case .authorities(let file): "file:" + file
            case .pinned: "pinned"
            }
        if let known = authorities[name] { return known }
        if authorities.count >= Self.mostAuthorities { authorities = [:] }
        let made = try TLSAuthorities(trust)
        authorities[name] = made
        return made
    }
}

/// Looks a host name up on a thread of its own, for the C library's resolver blocks.
enum Resolver {
    private static let running = Atomic<Int>(0)
    private static let most = 16

    private final class Query {
        let host: String
        let found: @Sendable ([String]) -> Void
        init(_ host: String, _ found: @escaping @Sendable ([String]) -> Void) {
            self.host = host
            self.found = found
        }
    }

    /// Numeric addresses in order of preference; empty: none, or too many look-ups hang already.
    static func resolve(_ host: String, _ found: @escaping @Sendable ([String]) -> Void) {
        guard running.wrappingAdd(1, ordering: .relaxed).newValue <= most else {
            running.wrappingSubtract(1, ordering: .relaxed)
            return found([])
        }
        let query = Unmanaged.passRetained(Query(host, found))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let query = Unmanaged<Query>.fromOpaque(argument).takeRetainedValue()
                let addresses = Resolver.addresses(of: query.host)
                Resolver.running.wrappingSubtract(1, ordering: .relaxed)
                query.found(addresses)
                return nil
            }, query.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            query.release()
            running.wrappingSubtract(1, ordering: .relaxed)
            found([])
        }
    }

    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var out: [String] = []
        var next = list
        while let entry = next?.pointee {
            var name = [CChar](repeating: 0, count: 64)
            if getnameinfo(entry.ai_addr, entry.ai_addrlen, &name, 64, nil, 0, NI_NUMERICHOST) == 0 { out.append(text(name)) }
            next = entry.ai_next
        }
        return out
    }
}
