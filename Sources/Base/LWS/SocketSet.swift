import CWebSockets
import Glibc

/// Connected sockets waited for with epoll. The set's one descriptor is readable while something is ready, so that libwebsockets, which
/// asks the kernel about every descriptor it knows in every round, knows only this one. Service thread only.
final class SocketSet {
    /// Closed by whom it is given to.
    let descriptor: Int32
    private let found: UnsafeMutableBufferPointer<causeway_event>
    private let buffer: UnsafeMutableRawBufferPointer

    init() throws(LWSFailure) {
        descriptor = causeway_epoll()
        guard descriptor >= 0 else { throw .unavailable("no set of sockets: \(errorText(errno))") }
        found = .allocate(capacity: 256)
        found.initialize(repeating: causeway_event())
        buffer = .allocate(byteCount: 64 << 10, alignment: 16)
    }

    deinit {
        found.deallocate()
        buffer.deallocate()
    }

    /// Adds a socket or changes what is looked for; a closed socket leaves by itself. False: the kernel refused.
    func watch(_ socket: Int32, id: UInt64, isKnown: Bool, reading: Bool, writing: Bool) -> Bool {
        causeway_epoll_watch(descriptor, socket, id, isKnown ? 1 : 0, reading ? 1 : 0, writing ? 1 : 0) == 0
    }

    /// Tells what is ready now; what is left over comes in the next round. An id may be of a socket that was closed meanwhile.
    func ready(_ tell: (causeway_event) -> Void) {
        let count = causeway_epoll_ready(descriptor, found.baseAddress, Int32(found.count))
        for index in 0..<max(0, Int(count)) { tell(found[index]) }
    }

    /// What has come, valid until the next call; empty: nothing yet; nil: the peer's end or a broken connection.
    func receive(_ socket: Int32) -> UnsafeRawBufferPointer? {
        let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 { return UnsafeRawBufferPointer(rebasing: buffer[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? UnsafeRawBufferPointer(rebasing: buffer[..<0]) : nil
    }

    /// How many bytes the kernel took; nil: the connection is broken.
    static func send(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int? {
        let count = Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }
}
