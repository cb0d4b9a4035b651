import Glibc
import HTTP

/// Connections by peer, bounded by the connections themselves. Pure. An IPv6 peer has a whole /64 to come from, so that is what counts.
struct AddressCounts {
    let most: Int
    /// Everybody on this machine has one address: programs, proxies, benches.
    let countsLoopback: Bool
    private var counts: [String: Int] = [:]
    private var told: Set<String> = []

    init(most: Int, countsLoopback: Bool) {
        self.most = most
        self.countsLoopback = countsLoopback
    }

    /// False: there are enough of them.
    mutating func add(_ address: String) -> Bool {
        let key = Self.key(address)
        guard countsLoopback || !HTTPServerRequest.isLoopback(address) else { return true }
        guard counts[key, default: 0] < most else { return false }
        counts[key, default: 0] += 1
        return true
    }

    mutating func remove(_ address: String) {
        let key = Self.key(address)
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
        if count == 1 { told.remove(key) }
    }

    /// Whether this refusal is the first since the peer had no connection.
    mutating func isNews(_ address: String) -> Bool { told.insert(Self.key(address)).inserted }

    /// An IPv4 address as it is, also one in IPv6 dress; of an IPv6 address its first 64 bits.
    static func key(_ address: String) -> String {
        if address.hasPrefix("::ffff:") { return String(address.dropFirst(7)) }
        var six = in6_addr()
        let plain = address.prefix { $0 != "%" }
        guard inet_pton(AF_INET6, String(plain), &six) == 1 else { return address }
        return withUnsafeBytes(of: six) { bytes in bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ".") }
    }
}
