import CWebSockets
import Glibc

/// One connection of the loop, without its meaning. Subclasses are servers' and clients' connections. Service thread only.
class Channel {
    let id: UInt64
    unowned let core: LoopCore
    /// The library's connection: of clients, and of servers with TLS.
    final var wsi: OpaquePointer?
    /// The socket, where the loop's own set looks after it.
    final private(set) var socket: Int32?
    /// Bytes of a batch that the kernel did not take yet.
    private var unsent: [UInt8] = []
    final private(set) var isReading = true
    /// Whether a turn to write is wanted, and whether the set knows that.
    final var isWriteAsked = false
    private var isWriteWatched = false
    private var isReadWatched = true
    final private(set) var isDoomed = false
    /// Monotonic microseconds at which `expired` is called.
    final var deadline = Int64.max

    init(core: LoopCore, id: UInt64) {
        self.core = core
        self.id = id
    }

    final func setDeadline(_ after: Duration?) {
        guard let after else {
            deadline = .max
            return
        }
        let (seconds, attoseconds) = after.components
        deadline = core.now + seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        core.arm(deadline)
    }

    final func wantToWrite() {
        if let wsi { lws_callback_on_writable(wsi) }
        guard socket != nil else { return }
        isWriteAsked = true
        watch()
    }

    /// Tells the set what is to be looked for.
    final func watch() {
        guard let socket, !isDoomed, isReadWatched != isReading || isWriteWatched != isWriteAsked else { return }
        (isReadWatched, isWriteWatched) = (isReading, isWriteAsked)
        if core.sockets?.watch(socket, id: id, isKnown: true, reading: isReading, writing: isWriteAsked) != true { kill() }
    }

    /// Bytes that wait for the kernel to take them.
    final var heldBack: Int { unsent.count }

    final func holdBack(_ bytes: ArraySlice<UInt8>) { unsent = Array(bytes) }

    /// False: the connection is broken.
    final func sendHeldBack() -> Bool {
        guard let socket, let sent = unsent.withUnsafeBytes({ SocketSet.send(socket, $0) }) else { return false }
        if sent == unsent.count { unsent = [] } else { unsent.removeFirst(sent) }
        return true
    }

    final func closeSocket() {
        guard let socket else { return }
        self.socket = nil
        unsent = []
        close(socket)
    }

    /// Gives an accepted socket to the loop's set. False: it is closed already.
    final func adopt(_ socket: Int32, into sockets: SocketSet) -> Bool {
        guard sockets.watch(socket, id: id, isKnown: false, reading: true, writing: false) else {
            close(socket)
            return false
        }
        self.socket = socket
        return true
    }

    /// Gives the server's end of an accepted socket to the library, which owns it from here on. False: it is closed already.
    final func adopt(_ socket: Int32, vhost: OpaquePointer, tls: Bool) -> Bool {
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        guard let made = causeway_adopt_socket(vhost, socket, tls ? 1 : 0, opaque) else { return false }
        wsi = made
        return true
    }

    /// Starts a connection; `lost` follows where it does not come about.
    final func connect(_ vhost: OpaquePointer, address: String, port: Int, host: String) {
        let opaque = Unmanaged.passUnretained(self).toOpaque()
        let made = causeway_connect(core.context, vhost, address, Int32(port), host, opaque)
        if let made, lws_get_opaque_user_data(made) != nil { wsi = made }
    }

    /// No more bytes go out; the peer sees the end and may still send.
    final func shutDownWriting() { if let descriptor { shutdown(descriptor, Int32(SHUT_WR)) } }
    private var descriptor: Int32? { socket ?? wsi.map { lws_get_socket_fd($0) } }

    final func allowReading(_ isAllowed: Bool) {
        if let wsi { lws_rx_flow_control(wsi, isAllowed ? 1 : 0) }
        isReading = isAllowed
        watch()
    }

    /// Drops the connection without waiting for the peer; `lost` follows.
    final func kill() {
        guard let descriptor, !isDoomed else { return }
        // Without this the library would shut down its half and wait for the peer's.
        shutdown(descriptor, Int32(SHUT_RDWR))
        if let wsi { return causeway_kill(wsi) }
        isDoomed = true
        core.doom(self)
    }

    /// Ready for bytes. False: not wanted after all.
    func connected() -> Bool { true }
    func received(_ bytes: UnsafeRawBufferPointer) {}
    /// Appends bytes to send until `out` holds about `limit`.
    func fill(_ out: inout [UInt8], upTo limit: Int) {}
    /// Whether `fill` has more to give.
    var hasMore: Bool { false }
    /// Another thread called `touch`; writing follows.
    func touched() {}
    /// Whether bytes may be written outside of the library's round: the connection stands and is not about to end.
    var mayWriteNow: Bool { false }
    func expired() {}
    /// The connection is gone (or never came); the last call.
    func lost(_ reason: String) {}
}
