import Foundation

/// A plain TCP end that says exactly the bytes it is told to; every call ends after five seconds.
final class RawTCP {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var time = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Connects on loopback.
    static func connecting(to port: Int) throws -> RawTCP {
        let made = RawTCP(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        try withLoopback(port) { guard connect(made.descriptor, $0, $1) == 0 else { throw RawTCPError("connect: \(errno)") } }
        return made
    }

    /// Listens on loopback at a port of the kernel's choice.
    static func listening() throws -> (listener: RawTCP, port: Int) {
        let made = RawTCP(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        try withLoopback(0) {
            guard bind(made.descriptor, $0, $1) == 0, listen(made.descriptor, 16) == 0 else { throw RawTCPError("listen: \(errno)") }
        }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(made.descriptor, $0, &length) }
        }
        guard code == 0 else { throw RawTCPError("getsockname: \(errno)") }
        return (made, Int(UInt16(bigEndian: address.sin_port)))
    }

    func accepting() throws -> RawTCP {
        let taken = accept(descriptor, nil, nil)
        guard taken >= 0 else { throw RawTCPError("accept: \(errno)") }
        return RawTCP(taken)
    }

    private static func withLoopback(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Void) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        try withUnsafePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    /// One write (more where the kernel's buffer is full). False: the peer has gone, which a vector that breaks the protocol may bring about.
    @discardableResult
    func say(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Everything until the stream has `count` bytes or ends.
    func hear(_ count: Int) throws -> [UInt8] {
        var out: [UInt8] = []
        while out.count < count {
            let piece = try hearPiece(min(65_536, count - out.count))
            if piece.isEmpty { break }
            out += piece
        }
        return out
    }

    /// An HTTP head up to and with its blank line.
    func hearHead() throws -> String {
        var out: [UInt8] = []
        while !out.suffix(4).elementsEqual([13, 10, 13, 10]) {
            let byte = try hearPiece(1)
            guard !byte.isEmpty, out.count < 65_536 else { throw RawTCPError("no HTTP head: \(String(decoding: out, as: UTF8.self))") }
            out += byte
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Empty: the end of the stream, or a reset.
    private func hearPiece(_ most: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &bytes, most, 0)
        if count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) { throw RawTCPError("nothing came in five seconds") }
        return Array(bytes.prefix(max(0, count)))
    }
}

struct RawTCPError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
