import Accounts
import Exact
public import Messages
import Streams

/// What has to be known of an instrument beside the figures of an update.
public struct AlertStanding: Hashable, Sendable {
    /// Unspecified: not known, and nothing fires.
    public var phase: Phase
    public var previousClose: Int64?
    /// As in quotes; 0: not known.
    public var tradingDay: Int32

    public init(phase: Phase = .unspecified, previousClose: Int64? = nil, tradingDay: Int32 = 0) {
        self.phase = phase
        self.previousClose = previousClose
        self.tradingDay = tradingDay
    }

    public init(_ quote: Quote) {
        self.init(
            phase: quote.phase, previousClose: quote.hasPreviousClose ? quote.previousClose : nil, tradingDay: quote.tradingDay)
    }

    /// A close belongs to its trading day: another day without its own has none.
    mutating func take(_ quote: Quote) {
        if quote.phase != .unspecified { phase = quote.phase }
        if quote.tradingDay != 0 {
            if tradingDay != 0, quote.tradingDay != tradingDay { previousClose = nil }
            tradingDay = quote.tradingDay
        }
        if quote.hasPreviousClose { previousClose = quote.previousClose }
    }

    /// Whether a print may come now; that of an auction comes in its matching.
    var hasTrades: Bool {
        switch phase {
        case .continuous, .night, .preMarket, .postMarket, .auctionInput, .auctionNoCancel, .auctionMatching: true
        case .unspecified, .closed, .break, .halted, .UNRECOGNIZED: false
        }
    }

    /// Whether the book is one that can be traded on.
    var hasBook: Bool {
        switch phase {
        case .continuous, .night, .preMarket, .postMarket: true
        default: false
        }
    }
}

/// The alerts of one instrument and what is known of it.
struct AlertWatch: Sendable {
    /// What a figure did to a ladder.
    struct Finding {
        var figure: Int64
        var time: MarketInstant
        var isOfBook: Bool
        var rearmed: [AlertLadder.Rung]
        var met: [AlertLadder.Rung]
    }

    /// A figure older than this when it is told (beside the delay its source admits) is not of this moment.
    static let freshness: Int64 = 60_000_000_000

    var standing: AlertStanding
    private var ladders = [AlertLadder](repeating: AlertLadder(), count: AlertCondition.allCases.count - 1)
    /// Their price depends on the previous close; without one they are in no ladder.
    private var changes: [Int64: Alert] = [:]

    init(_ standing: AlertStanding) { self.standing = standing }

    var isEmpty: Bool { changes.isEmpty && ladders.allSatisfy(\.isEmpty) }

    mutating func insert(_ alert: Alert) {
        if alert.condition.isChange { changes[alert.id] = alert }
        place(alert)
    }

    private mutating func place(_ alert: Alert) {
        guard let price = level(of: alert) else { return }
        let threshold = alert.condition.isBelow ? ~price : price
        ladders[alert.condition.place].insert(
            .init(threshold: threshold, alert: alert.id, since: alert.since.nanoseconds), isArmed: alert.isArmed)
    }

    mutating func remove(_ alert: Alert) {
        changes[alert.id] = nil
        ladders[alert.condition.place].remove(alert.id)
    }

    /// The figure from which on it is met; nil: a change from no close.
    private func level(of alert: Alert) -> Int64? {
        guard alert.condition.isChange else { return alert.threshold }
        guard let close = standing.previousClose, close > 0,
            let share = try? Ratio(numerator: Int128(alert.threshold), denominator: 100 * AlertCondition.percentScale),
            // The first price that is so far away, not the last that is not.
            let distance = try? Price(nanos: close).multiplied(by: share, rounding: .ceiling),
            let price = try? alert.condition.isBelow
                ? Price(nanos: close).subtracting(distance) : Price(nanos: close).adding(distance)
        else { return nil }
        return price.nanos
    }

    /// `now`: market time at which it was told.
    mutating func meet(_ quote: Quote, at now: MarketInstant) -> [Finding] {
        let before = standing.previousClose
        standing.take(quote)
        if standing.previousClose != before { rebase() }
        var found: [Finding] = []
        if standing.hasTrades, quote.hasLast || quote.hasVolume {
            let time = quote.hasLastTimeNs ? quote.lastTimeNs : quote.timeNs
            if isFresh(quote, time, now) {
                if quote.hasLast {
                    meet(quote.last, .above, time, &found)
                    meet(quote.last, .below, time, &found)
                    meet(quote.last, .up, time, &found)
                    meet(quote.last, .down, time, &found)
                }
                if quote.hasVolume { meet(quote.volume, .volume, time, &found) }
            }
        }
        if standing.hasBook, isFresh(quote, quote.timeNs, now) {
            if quote.hasBid, !quote.hasBidSize || quote.bidSize > 0 {
                meet(quote.bid, .bidAbove, quote.timeNs, &found)
                meet(quote.bid, .bidBelow, quote.timeNs, &found)
            }
            if quote.hasAsk, !quote.hasAskSize || quote.askSize > 0 {
                meet(quote.ask, .askAbove, quote.timeNs, &found)
                meet(quote.ask, .askBelow, quote.timeNs, &found)
            }
        }
        return found
    }

    private mutating func meet(_ figure: Int64, _ condition: AlertCondition, _ time: Int64, _ found: inout [Finding]) {
        let (rearmed, met) = ladders[condition.place].meet(condition.isBelow ? ~figure : figure, at: time)
        guard !rearmed.isEmpty || !met.isEmpty else { return }
        for rung in rearmed {
            changes[rung.alert]?.isArmed = true
            changes[rung.alert]?.since = MarketInstant(nanoseconds: time)
        }
        for rung in met { changes[rung.alert] = nil }
        found.append(
            Finding(
                figure: figure, time: MarketInstant(nanoseconds: time), isOfBook: condition.isOfBook, rearmed: rearmed, met: met))
    }

    private func isFresh(_ quote: Quote, _ time: Int64, _ now: MarketInstant) -> Bool {
        let (age, isTooMuch) = now.nanoseconds.subtractingReportingOverflow(time)
        return !isTooMuch && age <= Self.freshness + Int64(quote.delaySeconds) * 1_000_000_000
    }

    /// Another previous close: changes in percent are other prices.
    private mutating func rebase() {
        for alert in changes.values {
            ladders[alert.condition.place].remove(alert.id)
            place(alert)
        }
    }
}

extension AlertCondition {
    /// Of percent, as of prices: × 10⁹.
    static let percentScale: Int128 = 1_000_000_000

    var isChange: Bool { self == .up || self == .down }
    var isOfBook: Bool { [.bidAbove, .bidBelow, .askAbove, .askBelow].contains(self) }

    /// Met by figures at or below.
    var isBelow: Bool {
        switch self {
        case .below, .down, .bidBelow, .askBelow: true
        case .above, .up, .volume, .bidAbove, .askAbove, .when: false
        }
    }

    /// Of its ladder; expressions have none.
    fileprivate var place: Int {
        switch self {
        case .above: 0
        case .below: 1
        case .up: 2
        case .down: 3
        case .volume: 4
        case .bidAbove: 5
        case .bidBelow: 6
        case .askAbove: 7
        case .askBelow: 8
        case .when: preconditionFailure("an expression is in no ladder")
        }
    }
}
