public import Texts

extension ErrorCode {
    /// More than a watchlist holds: `limit`.
    public static let watchlistFull = ErrorCode("watchlist.full")
    /// There is no such group: `group`.
    public static let watchlistGroupUnknown = ErrorCode("watchlist.group.unknown")
    /// The group every list has cannot be removed: `group`.
    public static let watchlistGroupStays = ErrorCode("watchlist.group-stays")
    /// No name that a group can have: `group`.
    public static let watchlistGroupName = ErrorCode("watchlist.group-name")
    /// The symbol is not in the group: `symbol`, `group`.
    public static let watchlistSymbolUnknown = ErrorCode("watchlist.symbol.unknown")
}

/// Who edits, and when.
public struct WatchlistWriter: Sendable {
    /// Milliseconds since 1970.
    public var now: Int64
    public var device: String

    public init(now: Int64, device: String) {
        self.now = now
        self.device = device
    }
}

extension Watchlist {
    public static let mostGroups = 20
    public static let mostSymbols = 300
    /// Removals remembered: the newest, for so long. A device that stays away longer may bring back what was removed.
    public static let mostRemoved = 150
    public static let removedKept: Int64 = 180 * 86_400_000

    /// After everything known, so that what a user does last counts whatever the clocks say.
    private func stamp(_ writer: WatchlistWriter) -> WatchlistStamp {
        let newest = entries.values.map(\.stamp.time).max() ?? 0
        return WatchlistStamp(time: max(writer.now, newest + 1), device: writer.device)
    }

    private var liveSymbols: Int { entries.count { $0.key.symbol != nil && !$0.value.isRemoved } }

    public mutating func add(_ symbol: String, to group: String, by writer: WatchlistWriter) throws(Failure) {
        try check(group)
        let key = Key(group: group, symbol: symbol)
        if let known = entries[key], !known.isRemoved { return }
        guard liveSymbols < Self.mostSymbols else { throw Failure(.watchlistFull, .init("limit", String(Self.mostSymbols))) }
        let last = entries.filter { $0.key.group == group && $0.key.symbol != nil }.values.map(\.position).max() ?? 0
        entries[key] = Entry(stamp: stamp(writer), position: last + 1)
    }

    public mutating func remove(_ symbol: String, from group: String, by writer: WatchlistWriter) throws(Failure) {
        // One that is shown in `main` because its group is gone goes from there.
        let keys = entries.keys.filter { $0.symbol == symbol && isShown($0, in: group) && entries[$0]?.isRemoved == false }
        guard !keys.isEmpty else { throw Failure(.watchlistSymbolUnknown, .init("symbol", symbol), .init("group", group)) }
        let stamp = stamp(writer)
        for key in keys { entries[key] = Entry(stamp: stamp, isRemoved: true) }
    }

    public mutating func pin(_ symbol: String, _ isPinned: Bool, in group: String, by writer: WatchlistWriter) throws(Failure) {
        let keys = entries.keys.filter { $0.symbol == symbol && isShown($0, in: group) && entries[$0]?.isRemoved == false }
        guard !keys.isEmpty else { throw Failure(.watchlistSymbolUnknown, .init("symbol", symbol), .init("group", group)) }
        let stamp = stamp(writer)
        for key in keys {
            entries[key]?.isPinned = isPinned
            entries[key]?.stamp = stamp
        }
    }

    public mutating func addGroup(_ group: String, by writer: WatchlistWriter) throws(Failure) {
        guard Self.isName(group) else { throw Failure(.watchlistGroupName, .init("group", String(group.prefix(64)))) }
        guard !groups.contains(group) else { return }
        guard groups.count < Self.mostGroups else { throw Failure(.watchlistFull, .init("limit", String(Self.mostGroups))) }
        let last = entries.filter { $0.key.symbol == nil }.values.map(\.position).max() ?? 0
        entries[Key(group: group)] = Entry(stamp: stamp(writer), position: last + 1)
    }

    /// With its symbols.
    public mutating func removeGroup(_ group: String, by writer: WatchlistWriter) throws(Failure) {
        guard group != Self.main else { throw Failure(.watchlistGroupStays, .init("group", group)) }
        guard groups.contains(group) else {
            throw Failure(.watchlistGroupUnknown, .init("group", String(group.prefix(64))))
        }
        let stamp = stamp(writer)
        for key in entries.keys where key.group == group { entries[key] = Entry(stamp: stamp, isRemoved: true) }
    }

    private func check(_ group: String) throws(Failure) {
        guard groups.contains(group) else { throw Failure(.watchlistGroupUnknown, .init("group", String(group.prefix(64)))) }
    }

    private func isShown(_ key: Key, in group: String) -> Bool {
        key.group == group || (group == Self.main && !groups.contains(key.group))
    }

    /// Neither controls nor what turns the direction of the text around it.
    static func isName(_ group: String) -> Bool {
        (1...48).contains(group.utf8.count)
            && group.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
            && group.first != " " && group.last != " "
    }

    /// As canonical symbols are written: `700.HK`, `BRK.B.US`, `HSI2612.HKFE`.
    package static func isSymbol(_ symbol: String) -> Bool {
        (3...32).contains(symbol.utf8.count) && symbol.contains(".")
            && symbol.utf8.allSatisfy { (65...90).contains($0) || (48...57).contains($0) || [45, 46, 36, 38].contains($0) }
    }

    /// Without removals that are older than they are remembered for, or beyond the newest that are.
    public mutating func forgetOld(now: Int64) {
        let removed = entries.filter(\.value.isRemoved).sorted { ($0.value.stamp, $0.key) > ($1.value.stamp, $1.key) }
        for (place, item) in removed.enumerated() where place >= Self.mostRemoved || item.value.stamp.time < now - Self.removedKept {
            entries[item.key] = nil
        }
    }

    /// What no copy may exceed: `watchlist.full`.
    public func checkSize() throws(Failure) {
        if liveSymbols > Self.mostSymbols { throw Failure(.watchlistFull, .init("limit", String(Self.mostSymbols))) }
        if groups.count > Self.mostGroups { throw Failure(.watchlistFull, .init("limit", String(Self.mostGroups))) }
    }
}
