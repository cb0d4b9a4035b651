/// Alerts of one instrument on one figure in one direction, by threshold, so that a figure is compared with the nearest one only.
/// What shall fire at or below goes in with all bits turned over: the order is the other way round then, and nothing overflows.
struct AlertLadder: Sendable {
    struct Rung: Hashable, Sendable {
        /// Met by figures from here on.
        var threshold: Int64
        var alert: Int64
        /// Figures up to this market time do not count.
        var since: Int64

        /// In order of threshold; of equal ones, in that of age.
        static func precedes(_ a: Rung, _ b: Rung) -> Bool { (a.threshold, a.alert) < (b.threshold, b.alert) }
    }

    /// What wait, lowest first.
    private(set) var armed: [Rung] = []
    /// What fired and has to be missed once before it is armed again, lowest first.
    private(set) var resting: [Rung] = []

    var isEmpty: Bool { armed.isEmpty && resting.isEmpty }

    mutating func insert(_ rung: Rung, isArmed: Bool) {
        if isArmed { Self.insert(rung, &armed) } else { Self.insert(rung, &resting) }
    }

    mutating func remove(_ alert: Int64) {
        armed.removeAll { $0.alert == alert }
        resting.removeAll { $0.alert == alert }
    }

    /// What the figure armed again and what it met, both in order of threshold; what it met is out of the ladder, and rests only once it
    /// is put back.
    mutating func meet(_ figure: Int64, at time: Int64) -> (rearmed: [Rung], met: [Rung]) {
        // The usual case: nothing.
        let isMissed = resting.last.map { $0.threshold > figure } ?? false
        let isMet = armed.first.map { $0.threshold <= figure } ?? false
        guard isMissed || isMet else { return ([], []) }
        let rearmed = Self.take(resting.partition(above: figure)..<resting.count, of: &resting, after: time)
        let met = Self.take(0..<armed.partition(above: figure), of: &armed, after: time)
        for var rung in rearmed {
            rung.since = time
            Self.insert(rung, &armed)
        }
        return (rearmed, met)
    }

    private static func insert(_ rung: Rung, _ rungs: inout [Rung]) {
        var (low, high) = (0, rungs.count)
        while low < high {
            let middle = (low + high) / 2
            if Rung.precedes(rungs[middle], rung) { low = middle + 1 } else { high = middle }
        }
        rungs.insert(rung, at: low)
    }

    /// Those of the range for which `time` counts.
    private static func take(_ range: Range<Int>, of rungs: inout [Rung], after time: Int64) -> [Rung] {
        let taken = rungs[range].filter { $0.since < time }
        if !taken.isEmpty { rungs.replaceSubrange(range, with: rungs[range].filter { $0.since >= time }) }
        return taken
    }
}

extension [AlertLadder.Rung] {
    /// How many have their threshold at or below the figure.
    fileprivate func partition(above figure: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].threshold <= figure { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
