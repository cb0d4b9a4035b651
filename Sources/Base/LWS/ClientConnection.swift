import HTTP
import Transport

/// A dialled connection: look-up, connect, TLS, upgrade, WebSocket.
final class ClientConnection: WebSocketChannel {
    private unowned let client: ClientCore
    private let url: WebSocketURL
    private let request: WebSocketDialRequest
    private let outbox: Outbox
    private let receive: @Sendable (WebSocketEvent) -> Void
    private var phase = Phase.resolving
    private var addresses: [String] = []
    private let key: String
    private var tls: TLSStream?

    private enum Phase {
        case resolving
        case connecting
        case securing
        case upgrading(WebSocketAnswerReader)
        case open
        /// `failed` or `closed` is told.
        case ended
    }

    init(
        core: LoopCore, id: UInt64, client: ClientCore, url: WebSocketURL, request: WebSocketDialRequest, outbox: Outbox,
        receive: @escaping @Sendable (WebSocketEvent) -> Void
    ) {
        self.client = client
        self.url = url
        self.request = request
        self.outbox = outbox
        self.receive = receive
        key = base64((0..<16).map { _ in UInt8.random(in: 0...255) })
        super.init(core: core, id: id)
    }

    private var isNumeric: Bool { withSocketAddress(url.host, url.port) { _, _ in true } ?? false }

    func start() {
        setDeadline(request.connectTimeout)
        if outbox.isCloseAsked { return fail(.network("closed before it opened")) }
        if isNumeric { return resolved([url.host]) }
        guard let loop = core.loop else { return }
        Resolver.resolve(url.host) { [id] addresses in
            loop.submit { core in (core.channels[id] as? ClientConnection)?.resolved(addresses) }
        }
    }

    private func resolved(_ found: [String]) {
        guard case .resolving = phase else { return }
        guard !found.isEmpty else { return fail(.network("no address for host")) }
        addresses = found
        phase = .connecting
        connectNext()
    }

    private func connectNext() {
        let address = addresses.removeFirst()
        connect(client.vhost, address: address, port: url.port, host: url.host)
    }

    override func connected() -> Bool {
        guard case .connecting = phase else { return false }
        guard url.isSecure else {
            askToUpgrade()
            return true
        }
        do {
            tls = try TLSStream(client.authorities(for: request.trust), host: url.host, isNumeric: isNumeric, trust: request.trust)
            phase = .securing
            wantToWrite()
            return true
        } catch {
            fail(error.failure)
            return false
        }
    }

    private func askToUpgrade() {
        phase = .upgrading(WebSocketAnswerReader(key: key, subprotocol: request.subprotocol, deflate: request.deflate))
        put(webSocketRequest(url, key: key, request))
    }

    // MARK: Bytes

    override func received(_ bytes: UnsafeRawBufferPointer) {
        if isLeaving { return }
        guard let tls else { return receivedPlain(bytes) }
        do {
            tls.feed(bytes)
            if case .securing = phase, try tls.handshake() { askToUpgrade() }
            if tls.hasOutput { wantToWrite() }
            if case .securing = phase { return }
            while let plain = try tls.read(), !isLeaving { plain.withUnsafeBytes { receivedPlain($0) } }
            if tls.hasEnded { kill() }
        } catch {
            if case .securing = phase { fail(error.failure) } else { kill() }
        }
    }

    override func fill(_ out: inout [UInt8], upTo limit: Int) {
        guard let tls else { return super.fill(&out, upTo: limit) }
        do {
            if case .securing = phase {
                _ = try tls.handshake()
            } else {
                var plain = out
                super.fill(&plain, upTo: limit)
                try tls.write(plain[out.count...])
            }
            tls.drain(into: &out)
        } catch {
            if case .securing = phase { fail(error.failure) } else { kill() }
        }
    }

    override var hasMore: Bool { super.hasMore || tls?.hasOutput == true }

    private func receivedPlain(_ bytes: UnsafeRawBufferPointer) {
        switch phase {
        case .upgrading(var reader):
            let outcome = reader.read(bytes)
            phase = .upgrading(reader)
            switch outcome {
            case nil: break
            case .failed(let failure): fail(failure)
            case .opened(let deflate, let rest): open(deflate, rest)
            }
        case .open: receivedFrames(bytes)
        case .resolving, .connecting, .securing, .ended: break
        }
    }

    private func open(_ deflate: DeflateAgreement?, _ rest: [UInt8]) {
        phase = .open
        setDeadline(nil)
        outbox.open()
        session = WebSocketSession(
            side: .client, maximumMessageSize: request.maximumMessageSize, deflate: deflate, inflater: deflate.map { _ in Inflater() },
            outbox: outbox, receive: receive)
        receive(.opened)
        if !rest.isEmpty { rest.withUnsafeBytes { receivedFrames($0) } }
        touched()
        wantToWrite()
    }

    override func touched() {
        switch phase {
        case .resolving, .connecting, .securing, .upgrading: if outbox.isCloseAsked { fail(.network("closed before it opened")) }
        case .open: super.touched()
        case .ended: break
        }
    }

    override func expired() {
        switch phase {
        case .resolving, .connecting, .securing, .upgrading: fail(.timedOut)
        case .open:
            session?.lost()
            kill()
        case .ended: kill()
        }
    }

    private func fail(_ failure: WebSocketDialFailure) {
        phase = .ended
        outbox.end()
        if wsi == nil { core.remove(self) } else { kill() }
        receive(.failed(failure))
    }

    override func lost(_ reason: String) {
        switch phase {
        case .connecting where !addresses.isEmpty && core.context != nil: return connectNext()
        case .resolving, .connecting, .securing: fail(.network(reason.isEmpty ? "connection failed" : reason))
        case .upgrading(let reader): fail(reader.ended())
        case .open:
            phase = .ended
            session?.lost()
        case .ended: break
        }
        session = nil
        core.remove(self)
    }
}
