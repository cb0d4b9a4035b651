/// When something was written and by which device: the later one wins, of the same moment that of the greater device.
public struct WatchlistStamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970 by the device's clock, but after everything it had seen.
    public var time: Int64
    /// Tells devices of one account apart.
    public var device: String

    public init(time: Int64, device: String) {
        self.time = time
        self.device = device
    }

    public static func < (a: Self, b: Self) -> Bool { (a.time, a.device) < (b.time, b.device) }
}

/// The watchlists of an account (F-3): ordered groups of symbols, some pinned. A value that merges with any other copy of itself in any order
/// and any number of times with the same result: each entry is the last one written, and what was removed is remembered as removed.
public struct Watchlist: Hashable, Sendable {
    public struct Key: Hashable, Comparable, Sendable {
        public var group: String
        /// Nil: the group itself.
        public var symbol: String?

        public init(group: String, symbol: String? = nil) {
            self.group = group
            self.symbol = symbol
        }

        public static func < (a: Self, b: Self) -> Bool { (a.group, a.symbol ?? "") < (b.group, b.symbol ?? "") }
    }

    public struct Entry: Hashable, Comparable, Sendable {
        public var stamp: WatchlistStamp
        public var isRemoved: Bool
        /// Of groups among groups, of symbols in their group; equal ones go by name.
        public var position: Int64
        /// Of symbols only.
        public var isPinned: Bool

        public init(stamp: WatchlistStamp, isRemoved: Bool = false, position: Int64 = 0, isPinned: Bool = false) {
            self.stamp = stamp
            self.isRemoved = isRemoved
            self.position = position
            self.isPinned = isPinned
        }

        /// By stamp. No device writes twice with one stamp; where one did, the order of contents decides, the same everywhere.
        public static func < (a: Self, b: Self) -> Bool {
            if a.stamp != b.stamp { return a.stamp < b.stamp }
            return (a.isRemoved ? 1 : 0, a.position, a.isPinned ? 1 : 0) < (b.isRemoved ? 1 : 0, b.position, b.isPinned ? 1 : 0)
        }
    }

    /// The group that is always there.
    public static let main = "main"

    public internal(set) var entries: [Key: Entry] = [:]

    public init(entries: [Key: Entry] = [:]) { self.entries = entries }

    /// Everything of both.
    public mutating func merge(_ other: Watchlist) {
        entries.merge(other.entries) { max($0, $1) }
    }

    public func merged(_ other: Watchlist) -> Watchlist {
        var both = self
        both.merge(other)
        return both
    }

    // MARK: What is shown

    /// `main` first, the others in order.
    public var groups: [String] {
        let named = entries.filter { $0.key.symbol == nil && !$0.value.isRemoved && $0.key.group != Self.main }
        return [Self.main] + named.sorted { ($0.value.position, $0.key.group) < ($1.value.position, $1.key.group) }.map(\.key.group)
    }

    /// Of a group: pinned ones first. A symbol that was put into a group while another device removed the group is shown in `main`.
    public func symbols(_ group: String) -> [(symbol: String, isPinned: Bool)] {
        let known = Set(groups)
        var best: [String: Entry] = [:]
        for (key, entry) in entries where !entry.isRemoved {
            guard let symbol = key.symbol, (known.contains(key.group) ? key.group : Self.main) == group else { continue }
            best[symbol] = best[symbol].map { max($0, entry) } ?? entry
        }
        return best.sorted { a, b in
            if a.value.isPinned != b.value.isPinned { return a.value.isPinned }
            return (a.value.position, a.key) < (b.value.position, b.key)
        }.map { ($0.key, $0.value.isPinned) }
    }
}
