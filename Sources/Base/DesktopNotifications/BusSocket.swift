import Glibc
import Streams

/// A stream socket of this machine. Every call ends when the clock says `until`, with `noAnswer`.
final class BusSocket {
    private let descriptor: Int32
    private let clock: MonotonicClock

    /// `place`: as `SessionBus.Place` has it.
    init(_ place: SessionBus.Place, clock: MonotonicClock, until: MonotonicInstant) throws(BusFault) {
        self.clock = clock
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw Self.fault() }
        descriptor = made
        try connect(place, until)
    }

    deinit { close(descriptor) }

    private func connect(_ place: SessionBus.Place, _ until: MonotonicInstant) throws(BusFault) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = place.socketName
        guard !name.isEmpty, name.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .address }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        // A listener whose queue is full lets wait; the system's own limit of time ends that.
        let left = max(1, clock.now().duration(to: until).nanoseconds / 1_000)
        var limit = timeval(tv_sec: Int(left / 1_000_000), tv_usec: Int(left % 1_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, length) }
        }
        guard code == 0 else { throw errno == EAGAIN || errno == EINPROGRESS ? .noAnswer : Self.fault() }
    }

    /// All of it.
    func write(_ bytes: [UInt8], until: MonotonicInstant) throws(BusFault) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(POLLOUT, until)
            } else if errno == EPIPE || errno == ECONNRESET {
                throw .closed
            } else if errno != EINTR {
                throw Self.fault()
            }
        }
    }

    /// What is there, some thousand bytes at most; empty: nothing is.
    func read() throws(BusFault) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = piece.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
            if count > 0 { return Array(piece[..<count]) }
            if count == 0 || errno == ECONNRESET { throw .closed }
            if errno == EAGAIN { return [] }
            if errno != EINTR { throw Self.fault() }
        }
    }

    /// Until there is something to read.
    func wait(until: MonotonicInstant) throws(BusFault) { try wait(POLLIN, until) }

    private func wait(_ event: Int32, _ until: MonotonicInstant) throws(BusFault) {
        while true {
            let left = clock.now().duration(to: until).nanoseconds
            guard left > 0 else { throw .noAnswer }
            var wanted = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let found = poll(&wanted, 1, Int32(clamping: left / 1_000_000 + 1))
            if found > 0 { return }
            if found < 0, errno != EINTR { throw Self.fault() }
        }
    }

    private static func fault() -> BusFault { .system(String(cString: strerror(errno))) }
}
