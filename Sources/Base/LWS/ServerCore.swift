import CWebSockets
import Diagnostics
import Glibc

/// A server's state on its service thread.
final class ServerCore {
    let configuration: LWSServerConfiguration
    private unowned let core: LoopCore
    private let vhost: OpaquePointer
    private let listener: Int32
    /// Nil: plain HTTP.
    private let display: TLSDisplay?
    private var listenerWSI: OpaquePointer?
    private var connections = 0 { didSet { configuration.observe(connections) } }
    private let mostConnections: Int
    private var isFull = false
    private var addresses: AddressCounts
    private(set) var isDraining = false
    /// Nothing is accepted: the process or the machine has no descriptor left.
    private var isPaused = false

    /// How long accepting rests where nothing else ends the pause.
    private static let pause: Duration = .seconds(1)

    /// Takes ownership of the listening socket.
    init(_ configuration: LWSServerConfiguration, identity: TLSIdentity?, listener: Int32, core: LoopCore) throws(LWSFailure) {
        self.configuration = configuration
        self.core = core
        self.listener = listener
        let made = causeway_server_vhost(core.context, core.protocols, configuration.tls?.certificate, configuration.tls?.key)
        guard let made else {
            close(listener)
            throw configuration.tls.map { .badCertificate($0.certificate) } ?? .unavailable("libwebsockets made no virtual host")
        }
        vhost = made
        display = identity.map { TLSDisplay($0) }
        if let display {
            guard let serverTLS = core.serverTLS else { throw .unavailable("libwebsockets made no TLS context") }
            display.show(in: serverTLS)
        }
        mostConnections = Descriptors.connections(configuration.limits.connections)
        addresses = AddressCounts(most: configuration.limits.connectionsPerAddress, countsLoopback: configuration.limits.countsLoopback)
        listenerWSI = causeway_adopt_file(made, listener)
        guard listenerWSI != nil else { throw .unavailable("libwebsockets did not take the listening socket") }
        // TLS is the library's, and so are its sockets.
        if configuration.tls == nil { try core.makeSockets(made) }
        core.acceptable = { [unowned self] in accept() }
    }

    /// Handshakes that begin from now on show that one; what stands goes on.
    func show(_ identity: TLSIdentity) { display?.replace(with: identity) }

    private func accept() {
        for _ in 0..<64 {
            let socket = causeway_accept(listener)
            if socket < 0 {
                switch errno {
                case ECONNABORTED, EINTR, EPROTO, EPERM: continue
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause(errno)
                default: return
                }
            }
            if isPaused {
                isPaused = false
                configuration.log.write(.info, "server.accepting-again", [("connections", String(connections))])
            }
            take(socket)
        }
    }

    /// Out of descriptors: who comes waits in the kernel's queue, for else the listening socket would stay readable and the thread would
    /// spin. Told once until something is accepted again.
    private func pause(_ code: Int32) {
        if !isPaused {
            configuration.log.write(
                .warning, "server.descriptors-exhausted", [("reason", errorText(code)), ("connections", String(connections))])
        }
        isPaused = true
        guard let listenerWSI, let loop = core.loop else { return }
        lws_rx_flow_control(listenerWSI, 0)
        let alarm = Alarm(core: core, id: loop.newID()) { [weak self] in self?.listen() }
        core.add(alarm)
        alarm.setDeadline(Self.pause)
    }

    private func listen() {
        guard let listenerWSI, !isDraining else { return }
        lws_rx_flow_control(listenerWSI, 1)
    }

    private func take(_ socket: Int32) {
        guard connections < mostConnections, !isDraining, let loop = core.loop else {
            if !isFull { configuration.log.write(.warning, "server.full", [("connections", String(connections))]) }
            isFull = true
            close(socket)
            return
        }
        isFull = false
        let address = peerAddress(of: socket)
        guard addresses.add(address) else {
            // The first of many; a peer that tries on must not fill the log.
            if addresses.isNews(address) { configuration.log.write(.warning, "server.address-full", [("address", address)]) }
            close(socket)
            return
        }
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        let connection = ServerConnection(core: core, id: loop.newID(), server: self, remoteAddress: address)
        core.add(connection)
        connections += 1
        let isAdopted =
            core.sockets.map { connection.adopt(socket, into: $0) } ?? connection.adopt(socket, vhost: vhost, tls: configuration.tls != nil)
        if !isAdopted && core.channels[connection.id] != nil { lost(connection) }
    }

    func lost(_ connection: ServerConnection) {
        guard core.channels[connection.id] != nil else { return }
        core.remove(connection)
        connections -= 1
        addresses.remove(connection.remoteAddress)
        if isDraining && connections == 0 { core.end() }
    }

    func drain() {
        guard !isDraining else { return }
        isDraining = true
        if let listenerWSI { causeway_kill(listenerWSI) }
        listenerWSI = nil
        core.acceptable = nil
        guard connections > 0, let loop = core.loop else { return core.end() }
        let alarm = Alarm(core: core, id: loop.newID()) { [unowned core] in core.end() }
        core.add(alarm)
        alarm.setDeadline(configuration.limits.drainDeadline)
        for channel in Array(core.channels.values) { (channel as? ServerConnection)?.drain() }
    }
}

extension LoopCore {
    var queuedBytes: LWSServer.QueuedBytes {
        channels.values.reduce(into: .init()) { sum, channel in
            let bytes = (channel as? WebSocketChannel)?.queuedBytes ?? 0
            sum.total += bytes
            sum.largest = max(sum.largest, bytes)
        }
    }
}

/// A deadline without a connection.
final class Alarm: Channel {
    private let ring: () -> Void
    init(core: LoopCore, id: UInt64, ring: @escaping () -> Void) {
        self.ring = ring
        super.init(core: core, id: id)
    }
    override func expired() {
        core.remove(self)
        ring()
    }
}

// MARK: Sockets

/// The address as a number and its family: an IPv4 or IPv6 address.
func withSocketAddress<R>(_ host: String, _ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R? {
    guard (0...65_535).contains(port) else { return nil }
    var four = sockaddr_in()
    if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: &four) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
    var six = sockaddr_in6()
    if inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: &six) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in6>.size)) }
        }
    }
    return nil
}

/// A listening, non-blocking socket and its port.
func listeningSocket(host: String, port: Int) throws(LWSFailure) -> (socket: Int32, port: Int) {
    func failure(_ reason: String) -> LWSFailure { .cannotListen(host: host, port: port, reason: reason) }
    let family = host.contains(":") ? AF_INET6 : AF_INET
    let made = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard made >= 0 else { throw failure(errorText(errno)) }
    var one: Int32 = 1
    setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    let code = withSocketAddress(host, port) { address, length in
        bind(made, address, length) == 0 && listen(made, 1024) == 0 ? 0 : errno
    }
    guard code == 0 else {
        close(made)
        guard let code else { throw failure("not a numeric address and port") }
        throw code == EADDRINUSE ? .portInUse(host: host, port: port) : failure(errorText(code))
    }
    var storage = sockaddr_storage()
    guard let (_, found) = nameOf(made, &storage, getsockname) else {
        close(made)
        throw failure("the kernel did not tell the port")
    }
    return (made, found)
}

/// The peer's numeric address; empty where the kernel does not know it.
func peerAddress(of socket: Int32) -> String {
    var storage = sockaddr_storage()
    return nameOf(socket, &storage, getpeername)?.address ?? ""
}

private func nameOf(
    _ socket: Int32, _ storage: inout sockaddr_storage,
    _ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
) -> (address: String, port: Int)? {
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> (address: String, port: Int)? in
            guard ask(socket, address, &length) == 0 else { return nil }
            var host = [CChar](repeating: 0, count: 64)
            var service = [CChar](repeating: 0, count: 16)
            let code = getnameinfo(address, length, &host, 64, &service, 16, NI_NUMERICHOST | NI_NUMERICSERV)
            guard code == 0 else { return nil }
            return (text(host), Int(text(service)) ?? 0)
        }
    }
}

func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func errorText(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    return strerror_r(code, &buffer, 128) == 0 ? text(buffer) : "error \(code)"
}
