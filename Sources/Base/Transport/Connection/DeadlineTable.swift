public import Streams

/// Deadlines of a pure machine, one for each key. They fall due in order of time, then of setting; setting a key again replaces it, so a
/// late wake-up of an old deadline finds nothing.
public struct DeadlineTable<Key: Hashable & Sendable>: Sendable {
    private struct Entry: Sendable {
        var deadline: MonotonicInstant
        var order: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var nextOrder: UInt64 = 0

    public init() {}

    /// The earliest deadline; nil where none is set.
    public var next: MonotonicInstant? { entries.values.map(\.deadline).min() }

    public subscript(key: Key) -> MonotonicInstant? { entries[key]?.deadline }

    public mutating func set(_ key: Key, at deadline: MonotonicInstant) {
        entries[key] = Entry(deadline: deadline, order: nextOrder)
        nextOrder += 1
    }

    public mutating func cancel(_ key: Key) { entries[key] = nil }

    public mutating func cancel(where isOver: (Key) -> Bool) {
        for key in entries.keys.filter(isOver) { entries[key] = nil }
    }

    public mutating func cancelAll() { entries.removeAll() }

    /// Takes the first key that is due at `now`; nil where none is.
    public mutating func takeDue(at now: MonotonicInstant) -> Key? {
        let due = entries.filter { $0.value.deadline <= now }
        let first = due.min { ($0.value.deadline, $0.value.order) < ($1.value.deadline, $1.value.order) }
        guard let first else { return nil }
        entries[first.key] = nil
        return first.key
    }
}
