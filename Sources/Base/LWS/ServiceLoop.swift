import CWebSockets
import Glibc
import Synchronization

/// One libwebsockets context and its service thread. Other threads only enqueue: jobs, and ids of channels that have something to
/// write; both wake the thread with `lws_cancel_service`.
final class ServiceLoop: Sendable {
    typealias Job = @Sendable (LoopCore) -> Void

    private struct Shared {
        var jobs: [Job] = []
        var touched: [UInt64] = []
        var isSignalled = false
        /// Address of the context; 0 once the loop ends.
        var context: UInt
        var finished: [CheckedContinuation<Void, Never>] = []
        var hasFinished = false
    }

    private let shared: Mutex<Shared>
    private let lastID = Atomic<UInt64>(0)

    /// The context exists, `prepare` has run and the thread runs on return. `timeout` bounds how long the library waits for a peer's FIN.
    init(name: String, timeout: Duration, tls: Bool, prepare: (LoopCore) throws(LWSFailure) -> Void) throws(LWSFailure) {
        _ = Self.quiet
        let core = try LoopCore(timeoutSeconds: UInt32(timeout.components.seconds), tls: tls)
        shared = Mutex(Shared(context: UInt(bitPattern: core.context)))
        core.loop = self
        do {
            try prepare(core)
        } catch {
            core.destroy()
            throw error
        }
        let start = Unmanaged.passRetained(core)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<LoopCore>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, start.toOpaque())
        guard code == 0 else {
            start.takeRetainedValue().destroy()
            throw .unavailable("no thread: \(errorText(code))")
        }
        causeway_name_thread(thread, name)
        pthread_detach(thread)
    }

    /// The library writes to standard error by itself; ours is the only log. A peer that is gone must not end the process.
    private static let quiet: Void = {
        lws_set_log_level(0, nil)
        signal(SIGPIPE, SIG_IGN)
    }()

    func newID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// False: the loop has ended and the job will not run.
    @discardableResult
    func submit(_ job: @escaping Job) -> Bool {
        shared.withLock { shared in
            guard shared.context != 0 else { return false }
            shared.jobs.append(job)
            Self.wake(&shared)
            return true
        }
    }

    /// The channel of that id has something new to write or to do. Not `atOnce`: it is looked at with others, at the latest after `wake`.
    func touch(_ id: UInt64, atOnce: Bool = true) {
        shared.withLock { shared in
            guard shared.context != 0 else { return }
            shared.touched.append(id)
            if atOnce { Self.wake(&shared) }
        }
    }

    /// Wakes the thread where something waits for it.
    func wake() {
        shared.withLock { shared in
            guard shared.context != 0, !shared.touched.isEmpty else { return }
            Self.wake(&shared)
        }
    }

    private static func wake(_ shared: inout Shared) {
        guard !shared.isSignalled, let context = OpaquePointer(bitPattern: shared.context) else { return }
        shared.isSignalled = true
        lws_cancel_service(context)
    }

    /// What other threads left since the last call. Service thread only.
    fileprivate func take() -> (jobs: [Job], touched: [UInt64]) {
        shared.withLock { shared in
            shared.isSignalled = false
            defer {
                shared.jobs = []
                shared.touched = []
            }
            return (shared.jobs, shared.touched)
        }
    }

    /// No other thread touches the context from here on. Service thread only.
    fileprivate func retire() { shared.withLock { $0.context = 0 } }

    fileprivate func finish() {
        let waiting = shared.withLock { shared in
            shared.hasFinished = true
            defer { shared.finished = [] }
            return shared.finished
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the thread has destroyed the context.
    func waitUntilFinished() async {
        await withCheckedContinuation { continuation in
            let isOver = shared.withLock { shared in
                if !shared.hasFinished { shared.finished.append(continuation) }
                return shared.hasFinished
            }
            if isOver { continuation.resume() }
        }
    }
}

/// The service thread's own state. Everything here happens on that thread.
final class LoopCore {
    fileprivate(set) var context: OpaquePointer?
    fileprivate(set) weak var loop: ServiceLoop?
    let protocols: UnsafeMutablePointer<lws_protocols>
    private(set) var channels: [UInt64: Channel] = [:]
    /// Called when the listening socket is readable.
    var acceptable: (() -> Void)?
    /// Sockets of a server, which libwebsockets does not see; nil: it looks after all.
    private(set) var sockets: SocketSet?
    private var socketsWSI: OpaquePointer?
    private var doomed: [Channel] = []
    /// What lives as long as the loop.
    var owner: AnyObject?
    /// OpenSSL's context of the virtual host that was made last, where it serves TLS.
    fileprivate(set) var serverTLS: OpaquePointer?
    private var ending = false
    private let timer: UnsafeMutablePointer<causeway_timer>
    private var armed = Int64.max
    let padding = causeway_write_padding()
    private var scratch: [UInt8] = []
    /// Shared by all connections: messages are packed each on its own.
    lazy var deflater = Deflater()
    /// Shared by a server's connections, whose clients are asked to pack each message on its own too.
    let inflater = Inflater(keepsContext: false)

    /// Most bytes handed to the kernel per writable event.
    static let batch = 32 << 10

    init(timeoutSeconds: UInt32, tls: Bool) throws(LWSFailure) {
        guard let protocols = causeway_protocols(serviceCallback) else { throw .unavailable("out of memory") }
        self.protocols = protocols
        timer = .allocate(capacity: 1)
        timer.initialize(to: causeway_timer())
        timer.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        scratch.reserveCapacity(2 * Self.batch)
        context = causeway_context(Unmanaged.passUnretained(self).toOpaque(), timeoutSeconds, tls ? 1 : 0)
        guard context != nil else { throw .unavailable("libwebsockets made no context") }
    }

    deinit {
        free(protocols)
        timer.deinitialize(count: 1)
        timer.deallocate()
    }

    /// Microseconds on the machine's monotonic clock.
    var now: Int64 { Int64(lws_now_usecs()) }

    fileprivate func run() {
        // The loop lives as long as its thread.
        guard let loop else { return destroy() }
        while !ending {
            if lws_service(context, 0) < 0 { break }
            drain(loop)
            reap()
        }
        loop.retire()
        destroy()
        // Jobs that came too late still own continuations.
        for job in loop.take().jobs { job(self) }
        loop.finish()
    }

    private func drain(_ loop: ServiceLoop) {
        let (jobs, touched) = loop.take()
        for job in jobs { job(self) }
        for id in touched {
            guard let channel = channels[id] else { continue }
            channel.touched()
            writeNow(channel)
        }
    }

    /// The thread leaves its loop after this round.
    func end() {
        ending = true
        // Timers run before the library goes to sleep, so it must be woken to come back.
        if let context { lws_cancel_service(context) }
    }

    var hasEnded: Bool { context == nil }

    fileprivate func destroy() {
        guard let context else { return }
        lws_sul_cancel(&timer.pointee.sul)
        lws_context_destroy(context)
        self.context = nil
        sockets = nil
        for channel in Array(channels.values) {
            channel.closeSocket()
            channel.lost("the loop ended")
        }
        channels = [:]
    }

    // MARK: Channels

    func add(_ channel: Channel) { channels[channel.id] = channel }
    func remove(_ channel: Channel) { channels[channel.id] = nil }

    /// Keeps sockets in a set of epoll: what a round costs is then what is ready in it, and not how many there are.
    func makeSockets(_ vhost: OpaquePointer) throws(LWSFailure) {
        let made = try SocketSet()
        guard let wsi = causeway_adopt_file(vhost, made.descriptor) else {
            close(made.descriptor)
            throw .unavailable("libwebsockets did not take the set of sockets")
        }
        sockets = made
        socketsWSI = wsi
    }

    /// Something is ready, by the library's word: the listening socket or some of ours.
    fileprivate func ready(_ wsi: OpaquePointer) {
        guard wsi == socketsWSI else {
            acceptable?()
            return
        }
        sockets?.ready { event in
            guard let channel = channels[event.id] else { return }
            serve(channel, event)
        }
    }

    private func serve(_ channel: Channel, _ event: causeway_event) {
        guard let sockets, !channel.isDoomed else { return }
        if event.writable != 0 {
            channel.isWriteAsked = false
            guard send(channel) else { return drop(channel) }
            if channel.hasMore || channel.heldBack > 0 { channel.isWriteAsked = true }
        }
        if channel.isReading && !channel.isDoomed && (event.readable != 0 || event.broken != 0) {
            guard let socket = channel.socket, let bytes = sockets.receive(socket) else { return drop(channel) }
            if !bytes.isEmpty { channel.received(bytes) }
        } else if event.broken != 0 {
            return drop(channel)
        }
        channel.watch()
    }

    /// Hands one batch of the channel's bytes to the kernel, or what it did not take of the last. False: the connection is broken.
    private func send(_ channel: Channel) -> Bool {
        guard let socket = channel.socket else { return false }
        if channel.heldBack > 0 { return channel.sendHeldBack() }
        scratch.removeAll(keepingCapacity: true)
        for _ in 0..<padding { scratch.append(0) }
        channel.fill(&scratch, upTo: padding + Self.batch)
        guard scratch.count > padding else { return true }
        guard let sent = scratch[padding...].withUnsafeBytes({ SocketSet.send(socket, $0) }) else { return false }
        if padding + sent < scratch.count { channel.holdBack(scratch[(padding + sent)...]) }
        return true
    }

    private func drop(_ channel: Channel) {
        guard channel.socket != nil else { return }
        channel.closeSocket()
        channel.lost("")
    }

    /// The connection ends after this round.
    func doom(_ channel: Channel) { doomed.append(channel) }

    fileprivate func reap() {
        while let channel = doomed.popLast() { drop(channel) }
    }

    /// Writes without waiting for the socket to be writable, where nothing is held back: it mostly is, and a round of the
    /// loop for each message is what fan-out would pay for.
    private func writeNow(_ channel: Channel) {
        if channel.socket != nil {
            guard !channel.isDoomed else { return }
            guard channel.mayWriteNow, channel.heldBack == 0 else { return channel.wantToWrite() }
            guard send(channel) else { return channel.kill() }
            if channel.hasMore || channel.heldBack > 0 { channel.wantToWrite() }
            return
        }
        guard channel.mayWriteNow, let wsi = channel.wsi, lws_partial_buffered(wsi) == 0 else { return channel.wantToWrite() }
        guard write(channel, wsi) else { return channel.kill() }
        if channel.hasMore || lws_partial_buffered(wsi) != 0 { channel.wantToWrite() }
    }

    /// Hands one batch of the channel's bytes to the library. False: the connection is broken.
    fileprivate func write(_ channel: Channel, _ wsi: OpaquePointer) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        for _ in 0..<padding { scratch.append(0) }
        channel.fill(&scratch, upTo: padding + Self.batch)
        let count = scratch.count - padding
        guard count > 0 else { return true }
        return scratch.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            return causeway_write(wsi, base + padding, count) >= 0
        }
    }

    // MARK: Deadlines

    /// Makes sure a round looks at deadlines at that time. Rounds are at least 20 ms apart.
    func arm(_ deadline: Int64) {
        guard deadline < armed, context != nil else { return }
        armed = max(deadline, now + 20_000)
        lws_sul_schedule(context, 0, &timer.pointee.sul, timerCallback, armed - now)
    }

    fileprivate func timerFired() {
        armed = .max
        let now = self.now
        var next = Int64.max
        for channel in Array(channels.values) {
            if channel.deadline <= now {
                channel.deadline = .max
                channel.expired()
            }
            next = min(next, channel.deadline)
        }
        reap()
        if next != .max { arm(next) }
    }
}

private func timerCallback(_ sul: UnsafeMutablePointer<lws_sorted_usec_list_t>?) {
    guard let sul else { return }
    let owner = UnsafeMutableRawPointer(sul).assumingMemoryBound(to: causeway_timer.self).pointee.owner
    guard let owner else { return }
    Unmanaged<LoopCore>.fromOpaque(owner).takeUnretainedValue().timerFired()
}

/// Every event of every connection of every context. Returning −1 closes the connection.
private func serviceCallback(
    _ wsi: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?, _ bytes: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
    guard let wsi, let context = lws_get_context(wsi), let owner = lws_context_user(context) else { return 0 }
    let core = Unmanaged<LoopCore>.fromOpaque(owner).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_RAW_RX_FILE:
        core.ready(wsi)
        return 0
    case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS:
        // Told once, while the virtual host is made, with its SSL_CTX as the user.
        core.serverTLS = user.map { OpaquePointer($0) }
        return 0
    default: break
    }
    guard let opaque = lws_get_opaque_user_data(wsi) else { return 0 }
    let channel = Unmanaged<Channel>.fromOpaque(opaque).takeUnretainedValue()
    switch reason {
    case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_CONNECTED:
        channel.wsi = wsi
        causeway_no_timeout(wsi)
        return channel.connected() ? 0 : -1
    case LWS_CALLBACK_RAW_RX:
        channel.received(UnsafeRawBufferPointer(start: bytes, count: count))
        return 0
    case LWS_CALLBACK_RAW_WRITEABLE:
        guard core.write(channel, wsi) else { return -1 }
        if channel.hasMore { lws_callback_on_writable(wsi) }
        return 0
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR, LWS_CALLBACK_RAW_CLOSE:
        lws_set_opaque_user_data(wsi, nil)
        channel.wsi = nil
        let text = bytes.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: min(count, 300)), as: UTF8.self) } ?? ""
        channel.lost(text)
        return 0
    default: return 0
    }
}
