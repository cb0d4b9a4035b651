import HTTP
import Transport

/// Looks at a server's certificate: connect, handshake, no byte more.
final class CertificateProbe: Channel {
    private unowned let client: ClientCore
    private let url: WebSocketURL
    private let isNumeric: Bool
    private let tell: @Sendable (CertificateOutcome) -> Void
    private var phase = Phase.resolving
    private var addresses: [String] = []
    private var tls: TLSStream?

    private enum Phase {
        case resolving, connecting, securing
        /// The outcome is told.
        case ended
    }

    init(
        core: LoopCore, id: UInt64, client: ClientCore, url: WebSocketURL,
        tell: @escaping @Sendable (CertificateOutcome) -> Void
    ) {
        self.client = client
        self.url = url
        self.tell = tell
        isNumeric = withSocketAddress(url.host, url.port) { _, _ in true } ?? false
        super.init(core: core, id: id)
    }

    func start(timeout: Duration) {
        setDeadline(timeout)
        if isNumeric { return resolved([url.host]) }
        guard let loop = core.loop else { return }
        Resolver.resolve(url.host) { [id] addresses in
            loop.submit { core in (core.channels[id] as? CertificateProbe)?.resolved(addresses) }
        }
    }

    private func resolved(_ found: [String]) {
        guard phase == .resolving else { return }
        guard !found.isEmpty else { return end(.failure(.network("no address for host"))) }
        addresses = found
        phase = .connecting
        connectNext()
    }

    private func connectNext() {
        connect(client.vhost, address: addresses.removeFirst(), port: url.port, host: url.host)
    }

    override func connected() -> Bool {
        guard phase == .connecting else { return false }
        do {
            tls = try TLSStream(
                client.authorities(for: .system), host: url.host, isNumeric: isNumeric, trust: .system, isInspection: true)
            phase = .securing
            wantToWrite()
            return true
        } catch {
            end(.failure(error.failure))
            return false
        }
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        guard phase == .securing, let tls else { return }
        tls.feed(bytes)
        shake(tls)
        if tls.hasOutput { wantToWrite() }
    }

    override func fill(_ out: inout [UInt8], upTo limit: Int) {
        guard phase == .securing, let tls else { return }
        shake(tls)
        tls.drain(into: &out)
    }

    override var hasMore: Bool { phase == .securing && tls?.hasOutput == true }

    private func shake(_ tls: TLSStream) {
        do {
            if try tls.handshake() { end(.success(try tls.certificate())) }
        } catch {
            end(.failure(error.failure))
        }
    }

    override func expired() {
        if phase == .ended { kill() } else { end(.failure(.timedOut)) }
    }

    private func end(_ outcome: CertificateOutcome) {
        guard phase != .ended else { return }
        phase = .ended
        if wsi == nil { core.remove(self) } else { kill() }
        tell(outcome)
    }

    override func lost(_ reason: String) {
        if phase == .connecting, !addresses.isEmpty, core.context != nil { return connectNext() }
        end(.failure(.network(reason.isEmpty ? "connection failed" : reason)))
        core.remove(self)
    }
}
