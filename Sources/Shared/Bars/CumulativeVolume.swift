public import Streams

/// The volume of each update of a feed that tells only the day's total so far.
public struct CumulativeVolume: Hashable, Sendable {
    private var day: TradingDay?
    private var total: Int64 = 0

    public init() {}

    /// What was traded since the update before. The first total of a new trading day counts whole; the first of all counts nothing, for
    /// it may have been traded at any time before; a total that repeats or falls inside a day is noise and changes nothing.
    public mutating func increment(total: Int64, day: TradingDay) -> Int64 {
        guard let known = self.day else {
            (self.day, self.total) = (day, max(total, 0))
            return 0
        }
        if day < known { return 0 }
        if day > known {
            (self.day, self.total) = (day, max(total, 0))
            return self.total
        }
        guard total > self.total else { return 0 }
        defer { self.total = total }
        return total - self.total
    }
}
