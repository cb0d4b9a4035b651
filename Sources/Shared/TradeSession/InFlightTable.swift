/// Requests without their end (C-3): each is resolved by exactly one of reply, time-out and loss. A command without an answer stays as
/// unknown until a query says what became of it.
struct InFlightTable<ID: Hashable & Sendable>: Sendable {
    enum Stage: Hashable, Sendable {
        /// Sent, an answer is awaited.
        case sent
        /// Unknown; the query of that number is out, or none where 0.
        case unknown(query: Int)
    }

    enum Purpose: Hashable, Sendable {
        case request(TradeRequestKind)
        case login(isSilent: Bool)

        var isCommand: Bool {
            switch self {
            case .request(let kind): kind.isCommand
            case .login: false
            }
        }
    }

    struct Entry: Sendable {
        var id: ID
        var purpose: Purpose
        var counter: TradeCounter
        var commandID: [UInt8]
        /// Epoch of the counter that it was sent on.
        var epoch: UInt64
        var order: UInt64
        var stage: Stage = .sent
        var queries = 0
    }

    private var entries: [ID: Entry] = [:]
    private var nextOrder: UInt64 = 0

    var count: Int { entries.count }
    /// Something that a rebuild of the connection would cut off.
    var isAnythingAwaited: Bool { entries.values.contains { $0.stage == .sent } }

    subscript(id: ID) -> Entry? { entries[id] }

    mutating func add(_ id: ID, _ purpose: Purpose, _ counter: TradeCounter, commandID: [UInt8] = [], epoch: UInt64) {
        entries[id] = Entry(id: id, purpose: purpose, counter: counter, commandID: commandID, epoch: epoch, order: nextOrder)
        nextOrder += 1
    }

    mutating func remove(_ id: ID) { entries[id] = nil }

    /// Begins the next query of an unknown command; its number.
    mutating func beginQuery(_ id: ID) -> Int {
        guard var entry = entries[id] else { return 0 }
        entry.queries += 1
        entry.stage = .unknown(query: entry.queries)
        entries[id] = entry
        return entry.queries
    }

    mutating func setUnknown(_ id: ID) { entries[id]?.stage = .unknown(query: 0) }

    /// In the order they were sent.
    func sorted(where fits: (Entry) -> Bool) -> [Entry] { entries.values.filter(fits).sorted { $0.order < $1.order } }
}

/// What of one trading account has been applied (C-9): n + 1 only; what came early is held until the gap is closed.
struct SequencedAccount<Item: Sendable>: Sendable {
    private(set) var applied: UInt64
    private var held: [UInt64: Item] = [:]
    /// `since` is out.
    var isAsking = false

    init(applied: UInt64) { self.applied = applied }

    enum Verdict: Sendable { case apply, old, gap }

    /// `apply`: the item is next and counts as applied; then take what follows with `takeNext`.
    mutating func take(_ sequence: UInt64, _ item: Item, maximumHeld: Int) -> Verdict {
        if sequence <= applied { return .old }
        guard sequence == applied + 1, !isAsking else {
            // Beyond the bound nothing is held: the answer to `since` brings it.
            if held.count < maximumHeld { held[sequence] = item }
            return .gap
        }
        applied = sequence
        return .apply
    }

    /// Takes an item of the answer to `since`; false: applied before, or not next.
    mutating func takeAnswered(_ sequence: UInt64) -> Bool {
        guard sequence == applied + 1 else { return false }
        applied = sequence
        return true
    }

    mutating func takeNext() -> (sequence: UInt64, item: Item)? {
        guard let item = held.removeValue(forKey: applied + 1) else { return nil }
        applied += 1
        return (applied, item)
    }

    /// Forgets what is not newer; true: something newer is still held, so a gap remains.
    mutating func hasGap() -> Bool {
        held = held.filter { $0.key > applied }
        return !held.isEmpty
    }

    mutating func forgetHeld() { held.removeAll() }
}
