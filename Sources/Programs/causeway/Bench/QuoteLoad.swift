// Where `timespec` belongs to: the compiler finds it in this module or in Glibc, by the order in which they are loaded.
import CDispatch
import Glibc
import Messages
import Texts
import WireCodec

/// Many quote clients on one thread: raw sockets under poll, so that a load costs its machine as little as may be. Each logs in with a
/// real credential, subscribes and accounts for every update by its number, which the bench's feed puts into the volume.
struct QuoteLoad {
    struct Plan: Hashable, Sendable {
        var port: Int
        var credential: String
        var symbolsVersion: UInt64
        var clients: Int
        /// Subscriptions of each client; 0: it only logs in.
        var topics = 0
        /// Instruments from `firstSymbol` on; a multiple of `topics`.
        var symbols = 0
        var firstSymbol: UInt32 = 0
        /// Updates of each instrument; the load ends when all have come.
        var updates: Int64 = 0

        var stride: Int { max(1, symbols / max(1, topics)) }
    }

    struct Result: Hashable, Sendable {
        var received = 0
        var lost = 0
        /// Updates that came twice or out of order, and snapshots or replies that should not have come.
        var wrong = 0
        var messages = 0
        var ended = 0
        /// Milliseconds.
        var p50 = 0.0
        var p99 = 0.0
        var longest = 0.0
    }

    private enum Phase { case upgrading, loggingIn, subscribing(snapshots: Int), live, ended }

    private struct Client {
        var socket: Int32
        var phase = Phase.upgrading
        /// The beginning of a frame whose rest has not come.
        var rest: [UInt8] = []
    }

    private let plan: Plan
    private var waiting: [pollfd] = [pollfd(fd: 0, events: Int16(POLLIN), revents: 0)]
    private var clients: [Client] = []
    /// The newest update's number, by client and topic.
    private var numbers: [Int64]
    private var result = Result()
    private var latencies = [Int](repeating: 0, count: 40_000)
    private var ready = 0
    private var buffer = [UInt8](repeating: 0, count: 256 << 10)
    private var beatDue: Int64 = 0
    private var beatNext = 0

    /// Latencies are counted in steps of that many nanoseconds.
    private static let step: Int64 = 50_000
    /// Handshakes under way at once.
    private static let opening = 200

    init(_ plan: Plan) throws {
        self.plan = plan
        numbers = [Int64](repeating: -1, count: plan.clients * plan.topics)
        clients.reserveCapacity(plan.clients)
        raiseDescriptorLimit()
    }

    /// Nanoseconds of the machine's monotonic clock: the same for all its processes.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func failure(_ reason: String) -> Failure { Failure(ErrorCode("internal"), .init("reason", reason)) }

    /// `isReady` is called once all are logged in and subscribed; ends when every update has come, standard input ends, or nothing has
    /// come for five seconds while updates are awaited.
    mutating func run(isReady: () -> Void) throws -> Result {
        defer { for client in clients where client.socket >= 0 { close(client.socket) } }
        var heard = Self.now()
        let wanted = plan.clients * plan.topics * Int(plan.updates)
        var isTold = false
        while true {
            while clients.count < plan.clients, clients.count - ready < Self.opening { try open() }
            if ready == plan.clients, !isTold {
                isTold = true
                isReady()
            }
            if wanted > 0, result.received + result.lost >= wanted { break }
            let count = poll(&waiting, nfds_t(waiting.count), 100)
            let now = Self.now()
            if count > 0 { heard = now }
            if now - heard > 5_000_000_000, !isTold || wanted > 0 { break }
            // The first is standard input.
            if waiting[0].revents != 0 { break }
            if count > 0 { for index in clients.indices where waiting[index + 1].revents != 0 { try serve(index) } }
            try beat(now)
        }
        return finished()
    }

    private mutating func open() throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw Self.failure("\(clients.count) sockets opened, then error \(errno)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(plan.port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard code == 0, fcntl(made, F_SETFL, O_NONBLOCK) == 0 else { throw Self.failure("connect: error \(errno)") }
        var one: Int32 = 1
        setsockopt(made, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        clients.append(Client(socket: made))
        waiting.append(pollfd(fd: made, events: Int16(POLLIN), revents: 0))
        let text =
            "GET /quotes HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: causeway.quotes.v1\r\n\r\n"
        try put(Array(text.utf8), clients.count - 1)
    }

    private func put(_ bytes: [UInt8], _ index: Int) throws {
        guard send(clients[index].socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw Self.failure("send: error \(errno)")
        }
    }

    private func put(_ type: QuoteMessageType, _ payload: some Message, _ index: Int) throws {
        var envelope = QuoteEnvelope()
        envelope.type = type
        envelope.sequence = 1
        envelope.payload = try payload.serializedBytes()
        envelope.version = 1
        let bytes = try envelope.serializedBytes()
        // A mask of zeros: a load has nothing to hide from proxies.
        let length: [UInt8] = bytes.count < 126 ? [0x80 | UInt8(bytes.count)] : [0xFE, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
        try put([0x82] + length + [0, 0, 0, 0] + bytes, index)
    }

    /// Ten seconds between two heartbeats of a client; a few clients at a time.
    private mutating func beat(_ now: Int64) throws {
        guard ready == plan.clients else { return }
        if beatDue == 0 { beatDue = now }
        while beatDue <= now {
            if case .live = clients[beatNext].phase { try put(.heartbeat, QuoteHeartbeat(), beatNext) }
            beatNext = (beatNext + 1) % clients.count
            beatDue += 10_000_000_000 / Int64(clients.count)
        }
    }
}

// MARK: What comes

extension QuoteLoad {
    private mutating func serve(_ index: Int) throws {
        let start = clients[index].rest.count
        if start > 0 { buffer.replaceSubrange(..<start, with: clients[index].rest) }
        let socket = clients[index].socket
        let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress?.advanced(by: start), $0.count - start, 0) }
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            return end(index)
        }
        let end = start + count
        var at = 0
        if case .upgrading = clients[index].phase {
            guard let past = try upgraded(end) else {
                clients[index].rest = Array(buffer[..<end])
                return
            }
            at = past
            try logIn(index)
        }
        while let (payload, next) = frame(at, end) {
            if buffer[at] & 0x0F == 2 { try message(payload, index) } else if buffer[at] & 0x0F == 8 { return self.end(index) }
            at = next
        }
        clients[index].rest = at == end ? [] : Array(buffer[at..<end])
    }

    private mutating func end(_ index: Int) {
        result.ended += 1
        close(clients[index].socket)
        clients[index].socket = -1
        clients[index].phase = .ended
        waiting[index + 1].fd = -1
    }

    private func upgraded(_ end: Int) throws -> Int? {
        let blank: [UInt8] = [13, 10, 13, 10]
        guard end >= 4, let last = (0...(end - 4)).first(where: { buffer[$0..<$0 + 4].elementsEqual(blank) }) else { return nil }
        guard buffer.starts(with: Array("HTTP/1.1 101".utf8)) else { throw Self.failure("the server refused a connection") }
        return last + 4
    }

    /// Where a whole frame's payload lies, and what follows it.
    private func frame(_ at: Int, _ end: Int) -> (Range<Int>, Int)? {
        guard end - at >= 2 else { return nil }
        var length = Int(buffer[at + 1] & 0x7F)
        var start = at + 2
        if length >= 126 {
            let size = length == 126 ? 2 : 8
            guard end - start >= size else { return nil }
            length = buffer[start..<start + size].reduce(0) { $0 << 8 | Int($1) }
            start += size
        }
        return end - start >= length ? (start..<start + length, start + length) : nil
    }

    private mutating func logIn(_ index: Int) throws {
        clients[index].phase = .loggingIn
        var login = QuoteLogin()
        login.credential = plan.credential
        login.protocol.minimum = 1
        login.protocol.maximum = 1
        login.symbolsVersion = plan.symbolsVersion
        try put(.login, login, index)
    }

    private mutating func message(_ payload: Range<Int>, _ index: Int) throws {
        result.messages += 1
        let envelope = try QuoteEnvelope(serializedBytes: buffer.span.bytes.extracting(payload))
        switch envelope.type {
        case .loginReply:
            guard try QuoteLoginReply(serializedBytes: envelope.payload).code == .ok else { throw Self.failure("a login was refused") }
            if plan.topics == 0 { return live(index) }
            clients[index].phase = .subscribing(snapshots: plan.topics)
            var request = SubscriptionRequest()
            request.topics = (0..<plan.topics).map { place in
                var topic = Topic()
                topic.instrument = plan.firstSymbol + UInt32(place * plan.stride + index % plan.stride)
                topic.kind = .snapshot
                return topic
            }
            try put(.subscribe, request, index)
        case .snapshotPush:
            for quote in try QuoteBatch(serializedBytes: envelope.payload).quotes {
                numbers[place(quote, index)] = quote.volume
                guard case .subscribing(let left) = clients[index].phase else {
                    result.wrong += 1
                    continue
                }
                clients[index].phase = .subscribing(snapshots: left - 1)
                if left == 1 { live(index) }
            }
        case .quotePush:
            let now = Self.now()
            for quote in try QuoteBatch(serializedBytes: envelope.payload).quotes { take(quote, index, now) }
        case .subscriptionReply, .heartbeatReply, .clockChanged, .feedChanged: break
        default: result.wrong += 1
        }
    }

    private mutating func live(_ index: Int) {
        clients[index].phase = .live
        ready += 1
    }

    private func place(_ quote: Quote, _ index: Int) -> Int {
        index * plan.topics + Int(quote.instrument - plan.firstSymbol) / plan.stride
    }

    private mutating func take(_ quote: Quote, _ index: Int, _ now: Int64) {
        let place = place(quote, index)
        let number = quote.volume
        guard number > numbers[place] else {
            result.wrong += 1
            return
        }
        result.lost += Int(number - numbers[place] - 1)
        result.received += 1
        numbers[place] = number
        let latency = max(0, now - quote.timeNs)
        latencies[min(Int(latency / Self.step), latencies.count - 1)] += 1
        result.longest = max(result.longest, Double(latency) / 1e6)
    }

    /// Adds what never came.
    private func finished() -> Result {
        var result = result
        for number in numbers where plan.updates > 0 { result.lost += Int(plan.updates - max(0, number)) }
        func percentile(_ share: Double) -> Double {
            var left = Int((share * Double(result.received)).rounded(.up))
            for (place, count) in latencies.enumerated() {
                left -= count
                if left <= 0 { return Double(Int64(place + 1) * Self.step) / 1e6 }
            }
            return result.longest
        }
        if result.received > 0 { (result.p50, result.p99) = (percentile(0.5), percentile(0.99)) }
        return result
    }
}

/// Raises this process's soft limit of open files to the hard one; never lowers it.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}
