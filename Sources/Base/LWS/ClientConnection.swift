import CWebSockets
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

    private enum Phase {
        case resolving
        case connecting
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
        guard let vhost = client.vhost(for: request.trust) else { return fail(.untrusted("the authorities' file cannot be used")) }
        let address = addresses.removeFirst()
        let trust =
            if case .pinned = request.trust { causeway_trust_nothing } else {
                isNumeric ? causeway_trust_chain : causeway_trust_chain_and_name
            }
        connect(vhost, address: address, port: url.port, host: url.host, tls: url.isSecure, trust: trust)
    }

    override func connected() -> Bool {
        guard case .connecting = phase else { return false }
        if let wsi, url.isSecure, let fault = distrust(wsi) {
            fail(.untrusted(fault))
            return false
        }
        phase = .upgrading(WebSocketAnswerReader(key: key, subprotocol: request.subprotocol, deflate: request.deflate))
        put(webSocketRequest(url, key: key, request))
        return true
    }

    /// What the library did not judge: a pinned key, a numeric address.
    private func distrust(_ wsi: OpaquePointer) -> String? {
        if case .pinned(let sha256) = request.trust {
            var digest = [UInt8](repeating: 0, count: 32)
            guard causeway_peer_key_sha256(wsi, &digest) == 1 else { return "the server shows no certificate" }
            let (shown, wanted) = (Array(base64(digest).utf8), Array(sha256.utf8))
            guard shown.count == wanted.count, isSame(shown, wanted) else {
                return "the server's key is not the pinned one; it shows \(base64(digest))"
            }
            return nil
        }
        return isNumeric && causeway_peer_has_address(wsi, url.host) != 1 ? "the certificate does not name \(url.host)" : nil
    }

    /// In the same time wherever they differ.
    private func isSame(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        var difference: UInt8 = 0
        for index in a.indices { difference |= a[index] ^ b[index] }
        return difference == 0
    }

    override func received(_ bytes: UnsafeRawBufferPointer) {
        if isLeaving { return }
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
        case .resolving, .connecting, .ended: break
        }
    }

    private func open(_ deflate: Bool, _ rest: [UInt8]) {
        phase = .open
        setDeadline(nil)
        outbox.open()
        session = WebSocketSession(
            side: .client, maximumMessageSize: request.maximumMessageSize, deflates: deflate, outbox: outbox, receive: receive)
        receive(.opened)
        if !rest.isEmpty { rest.withUnsafeBytes { receivedFrames($0) } }
        touched()
    }

    override func touched() {
        switch phase {
        case .resolving, .connecting, .upgrading: if outbox.isCloseAsked { fail(.network("closed before it opened")) }
        case .open: super.touched()
        case .ended: break
        }
    }

    override func expired() {
        switch phase {
        case .resolving, .connecting, .upgrading: fail(.timedOut)
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
        case .connecting where Self.isAboutTrust(reason): fail(.untrusted(reason))
        case .connecting where !addresses.isEmpty && core.context != nil: return connectNext()
        case .resolving, .connecting: fail(.network(reason.isEmpty ? "connection failed" : reason))
        case .upgrading(let reader): fail(reader.ended())
        case .open:
            phase = .ended
            session?.lost()
        case .ended: break
        }
        session = nil
        core.remove(self)
    }

    private static func isAboutTrust(_ reason: String) -> Bool {
        reason.contains("cert") || reason.contains("X509") || reason.contains("hostname")
    }
}
