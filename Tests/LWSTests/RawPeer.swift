import Foundation
import Transport

enum PeerError: Error { case cannot(String), timedOut }

/// Runs blocking code on a thread of its own, off Swift's pool.
func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// A plain TCP end that says exactly the bytes it is told to. Every read ends after five seconds.
final class RawSocket: Sendable {
    let fd: Int32
    init(_ fd: Int32) {
        self.fd = fd
        var time = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    convenience init(port: Int, receiveBuffer: Int32? = nil) throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer { setsockopt(made, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size)) }
        var address = loopback(port)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard code == 0 else { throw PeerError.cannot("connect: \(errno)") }
        self.init(made)
    }

    deinit { close(fd) }

    func say(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(fd, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw PeerError.cannot("send: \(errno)") }
            sent += count
        }
    }

    func say(_ text: String) throws { try say(Array(text.utf8)) }

    /// What has come, at most that many bytes; empty at the end of the stream or after a reset.
    func hear(_ most: Int = 65_536) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = recv(fd, &bytes, most, 0)
        if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { throw PeerError.timedOut }
        return Array(bytes.prefix(max(0, count)))
    }

    func hear(exactly count: Int) throws -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count {
            let piece = try hear(count - out.count)
            guard !piece.isEmpty else { throw PeerError.cannot("ended after \(out.count) of \(count) bytes") }
            out += piece
        }
        return out
    }

    /// Up to and with the blank line.
    func hearHead() throws -> String {
        var out: [UInt8] = []
        while !out.suffix(4).elementsEqual([13, 10, 13, 10]) { out += try hear(exactly: 1) }
        return String(decoding: out, as: UTF8.self)
    }

    func hearToEnd() throws -> [UInt8] {
        var out: [UInt8] = []
        while true {
            let piece = try hear()
            if piece.isEmpty { return out }
            out += piece
        }
    }

    func endWriting() { shutdown(fd, Int32(SHUT_WR)) }

    /// Makes `close` send a reset.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(fd, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }
}

final class RawListener: Sendable {
    let fd: Int32
    let port: Int
    init() throws {
        fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let fd = fd
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(fd, $0, length) == 0 && listen(fd, 16) == 0 && getsockname(fd, $0, &length) == 0
            }
        }
        guard code else { throw PeerError.cannot("listen: \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
    }
    deinit { close(fd) }

    func take() throws -> RawSocket {
        let taken = accept(fd, nil, nil)
        guard taken >= 0 else { throw PeerError.cannot("accept: \(errno)") }
        return RawSocket(taken)
    }

    /// Takes a WebSocket client and answers 101, followed by `glued` in the same write; the write is cut at `cut` bytes.
    func takeWebSocket(extensions: String? = nil, glued: [UInt8] = [], bytewise: Bool = false, subprotocol: String? = nil) throws
        -> RawSocket
    {
        let peer = try take()
        let head = try peer.hearHead()
        let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }
        let key = line.map { $0.dropFirst(18).trimmingCharacters(in: .whitespaces) } ?? ""
        var answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        answer += "Sec-WebSocket-Accept: \(acceptValue(key))\r\n"
        if let extensions { answer += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
        if let subprotocol { answer += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
        let bytes = Array((answer + "\r\n").utf8) + glued
        if bytewise { for byte in bytes { try peer.say([byte]) } } else { try peer.say(bytes) }
        return peer
    }
}

private func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
}

/// Events in order, awaited.
final class Events: Sendable {
    private let stream: AsyncStream<WebSocketEvent>
    let receive: @Sendable (WebSocketEvent) -> Void
    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: WebSocketEvent.self)
        self.stream = stream
        receive = { event in
            continuation.yield(event)
            switch event {
            case .closed, .failed: continuation.finish()
            case .opened, .message, .pong: break
            }
        }
    }

    /// All events up to the end, or up to and with the first that `isLast`.
    func collect(until isLast: @Sendable (WebSocketEvent) -> Bool = { _ in false }) async -> [WebSocketEvent] {
        var out: [WebSocketEvent] = []
        for await event in stream {
            out.append(event)
            if isLast(event) { break }
        }
        return out
    }
}

extension [WebSocketEvent] {
    var messages: [WebSocketMessage] { compactMap { if case .message(let message) = $0 { message } else { nil } } }
    var pongs: [[UInt8]] { compactMap { if case .pong(let bytes) = $0 { bytes } else { nil } } }
    var closure: WebSocketClosure? { compactMap { if case .closed(let closure) = $0 { closure } else { nil } }.first }
    var failure: WebSocketDialFailure? { compactMap { if case .failed(let failure) = $0 { failure } else { nil } }.first }
}

func hex(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    var rest = text[...]
    while rest.count >= 2 {
        out.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
    }
    return out
}

func fixture(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fixtures/\(name)")
}
