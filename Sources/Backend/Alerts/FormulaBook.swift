import Accounts
import Instruments
import Messages
import Streams

/// Which bars have to be looked at, and when. A value.
struct FormulaBook: Sendable {
    struct Key: Hashable, Sendable {
        var instrument: InstrumentID
        var period: AlertPeriod
    }

    /// A bar is judged this long after its end: what was under way by less is in it.
    static let grace = Duration.seconds(2)

    private struct Group {
        var alerts: Set<Int64> = []
        /// When a bar ends that was not looked at; nil: at once.
        var next: MarketInstant?

        func isDue(at settled: MarketInstant) -> Bool { next.map { $0 <= settled } ?? true }
    }

    private var groups: [Key: Group] = [:]
    private(set) var count = 0

    /// Looked at with the next clock: a bar may have ended while nobody looked.
    mutating func insert(_ alert: Int64, _ key: Key) {
        if groups[key, default: Group()].alerts.insert(alert).inserted { count += 1 }
        groups[key]?.next = nil
    }

    mutating func remove(_ alert: Int64, _ key: Key) {
        if groups[key]?.alerts.remove(alert) != nil { count -= 1 }
        if groups[key]?.alerts.isEmpty == true { groups[key] = nil }
    }

    /// The oldest first.
    func alerts(_ key: Key) -> [Int64] { groups[key]?.alerts.sorted() ?? [] }

    /// Bars that end up to here are finished at `now`.
    static func settled(at now: MarketInstant) -> MarketInstant { now.advanced(by: .zero - grace) }

    func isDue(at now: MarketInstant) -> Bool {
        let settled = Self.settled(at: now)
        return groups.values.contains { $0.isDue(at: settled) }
    }

    func due(at now: MarketInstant) -> [Key] {
        let settled = Self.settled(at: now)
        return groups.filter { $0.value.isDue(at: settled) }.keys.sorted {
            ($0.instrument, $0.period.rawValue) < ($1.instrument, $1.period.rawValue)
        }
    }

    mutating func looked(_ key: Key, next: MarketInstant) { groups[key]?.next = next }
}

/// What was found about the bars of one instrument and period, and when to look again.
struct FormulaVerdicts: Sendable {
    struct Verdict: Hashable, Sendable {
        var end: MarketInstant
        /// × 10⁻⁹.
        var close: Int64
        var source: AlertSource
        var isTrue: Bool
    }

    /// By alert; bars that ended after it was judged last, oldest first.
    var verdicts: [Int64: [Verdict]] = [:]
    var next: MarketInstant

    init(_ bars: FinishedBars, of alerts: [Alert], next: MarketInstant) {
        self.next = next
        var truths: [String: [Bool]] = [:]
        for alert in alerts {
            guard let formula = alert.formula, let last = bars.ends.last, last > alert.since else { continue }
            let known = truths[formula.text] ?? bars.truths(formula)
            truths[formula.text] = known
            verdicts[alert.id] = bars.bars.indices.filter { bars.ends[$0] > alert.since }.map { place in
                let bar = bars.bars[place]
                return Verdict(
                    end: bars.ends[place], close: bar.close,
                    source: AlertSource(provenance: bar.provenance.word, recordedOn: bar.recordedOn), isTrue: known[place])
            }
        }
    }
}
