import Exchange
import Streams
import Texts

/// Who is connected and who is in, as a value: decides intake, epochs, sessions and who is put out (C-9, D-3…D-5).
struct GatewayBook {
    typealias LinkID = String

    struct Link {
        var account: String
        var device: String
        var platform: String
        /// The client's process: a later connection of the same one takes over from this.
        var process: String
        var token: String
        var counters: Set<TradingCounter> = []
        /// Of authentication: a later connection has a higher one.
        var order: UInt64 = 0
        /// A later connection of the process came: nothing more is taken from this one.
        var isClosedToCommands = false
    }

    private(set) var links: [LinkID: Link] = [:]
    private(set) var sessions: [String: TradingSession] = [:]
    private var epoch: UInt64
    private var lastOrder: UInt64 = 0
    private var lastLogin: [String: MonotonicInstant] = [:]

    /// `firstEpoch`: above every epoch of earlier runs.
    init(sessions: [TradingSession], firstEpoch: UInt64) {
        self.sessions = Dictionary(sessions.map { ($0.tradingAccount, $0) }) { _, newer in newer }
        epoch = firstEpoch
    }

    mutating func authenticated(_ id: LinkID, _ link: Link) {
        lastOrder += 1
        var link = link
        link.order = lastOrder
        links[id] = link
    }

    mutating func renewed(_ id: LinkID, token: String) { links[id]?.token = token }
    mutating func gone(_ id: LinkID) { links[id] = nil }

    /// The link joined a counter: whose intake ends, and the epoch it is told once those have finished.
    mutating func joined(_ id: LinkID, _ counter: TradingCounter) -> (older: [LinkID], epoch: UInt64)? {
        // A link that was taken over from takes over nothing itself.
        guard let link = links[id], !link.isClosedToCommands else { return nil }
        let older = links.filter { other in
            other.value.order < link.order && other.value.account == link.account && other.value.device == link.device
                && other.value.process == link.process
        }.map(\.key).sorted()
        for other in older { links[other]?.isClosedToCommands = true }
        links[id]?.counters.insert(counter)
        epoch += 1
        return (older, epoch)
    }

    mutating func left(_ id: LinkID, _ counter: TradingCounter) { links[id]?.counters.remove(counter) }

    /// Whether a login may be tried now; one a second (D-3).
    mutating func admitsLogin(_ tradingAccount: String, at now: MonotonicInstant) -> Bool {
        if let last = lastLogin[tradingAccount], last.duration(to: now) < .seconds(1) { return false }
        lastLogin[tradingAccount] = now
        return true
    }

    /// The link's device is in. Returns the links of the device that was in before, where it was another one.
    mutating func loggedIn(_ id: LinkID, _ counter: TradingCounter, tradingAccount: String, digest: String) -> [LinkID] {
        guard let link = links[id] else { return [] }
        let before = sessions[tradingAccount]
        sessions[tradingAccount] = TradingSession(
            tradingAccount: tradingAccount, account: link.account, device: link.device, platform: link.platform, digest: digest)
        guard let before, before.device != link.device else { return [] }
        return listeners(account: before.account, device: before.device, counter)
    }

    mutating func loggedOut(tradingAccount: String) { sessions[tradingAccount] = nil }

    /// A device was signed out: its trading sessions end. Returns its links.
    mutating func revoked(account: String, device: String) -> [LinkID] {
        sessions = sessions.filter { $0.value.account != account || $0.value.device != device }
        return links.filter { $0.value.account == account && $0.value.device == device }.map(\.key).sorted()
    }

    /// Whether that session id (as its digest) is the account's, from that link's device.
    func isIn(_ id: LinkID, tradingAccount: String, digest: String) -> Bool {
        guard let link = links[id], let session = sessions[tradingAccount] else { return false }
        return session.account == link.account && session.device == link.device && session.digest == digest
    }

    /// The links that get the pushes of a trading account (C-5).
    func listeners(tradingAccount: String, _ counter: TradingCounter) -> [LinkID] {
        guard let session = sessions[tradingAccount] else { return [] }
        return listeners(account: session.account, device: session.device, counter)
    }

    private func listeners(account: String, device: String, _ counter: TradingCounter) -> [LinkID] {
        links.filter { $0.value.account == account && $0.value.device == device && $0.value.counters.contains(counter) }.map(\.key).sorted()
    }
}
