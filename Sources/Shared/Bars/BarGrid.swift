public import Instruments
public import Messages
public import Streams

/// Where the bars of one trading day begin and end (G-1).
///
/// Slots are anchored at the start of each stretch of trading and never reach over a break: an hour of the Hong Kong day begins at 09:30,
/// 10:30, 11:30 (30 minutes), 13:00 … Stretches that touch are one, except that hours outside the regular session (US pre and post market)
/// have slots of their own. Slots are counted, not kept: a grid is as small as its day has sessions.
public struct BarGrid: Hashable, Sendable {
    /// Half-open `start..<end`.
    public struct Slot: Hashable, Sendable {
        public var start: MarketInstant
        public var end: MarketInstant
        public var isRegular: Bool
    }

    public let day: TradingDay
    /// How many slots the day has.
    public private(set) var count = 0
    private let length: Int64
    private var stretches: [Stretch] = []
    /// Auctions and the breaks after them, with the slot their prints belong to.
    private var gaps: [Gap] = []

    private struct Stretch: Hashable, Sendable {
        var start: MarketInstant
        var end: MarketInstant
        var isRegular: Bool
        /// Where its first slot would begin if nothing cut it.
        var origin: Int64 = 0
        /// The place of its first slot.
        var first = 0
    }

    private struct Gap: Hashable, Sendable {
        var start: MarketInstant
        var end: MarketInstant
        var slot: Int
    }

    /// `sessions` of one trading day in order, as the calendar tells them; `length` from a second on.
    public init(day: TradingDay, sessions: [Session], length: Duration, anchor: BarAnchor = .session) {
        self.day = day
        self.length = max(length.nanoseconds, 1_000_000_000)
        // The stretch each session of trading is part of.
        var members: [Int: Int] = [:]
        for (place, session) in sessions.enumerated() {
            guard let isRegular = session.phase.isRegularTrading, session.start < session.end else { continue }
            if let open = stretches.last, open.end == session.start, open.isRegular == isRegular {
                stretches[stretches.count - 1].end = session.end
            } else {
                stretches.append(Stretch(start: session.start, end: session.end, isRegular: isRegular))
            }
            members[place] = stretches.count - 1
        }
        for place in stretches.indices {
            let start = stretches[place].start.nanoseconds
            let past = ((start % self.length) + self.length) % self.length
            stretches[place].origin = anchor == .clock ? start - past : start
            stretches[place].first = count
            count += Int((stretches[place].end.nanoseconds - stretches[place].origin + self.length - 1) / self.length)
        }
        addGaps(sessions, members)
    }

    /// An auction belongs to the trading that follows it, the last of the day to the trading before; what is printed late in a break
    /// belongs to what came before the break.
    private mutating func addGaps(_ sessions: [Session], _ members: [Int: Int]) {
        guard count > 0 else { return }
        var auction = false
        for (place, session) in sessions.enumerated() {
            if session.phase.isRegularTrading != nil {
                auction = false
                continue
            }
            auction = auction || session.phase != .break
            guard auction else { continue }
            let next = sessions.indices.dropFirst(place).lazy.compactMap { members[$0] }.first
            gaps.append(Gap(start: session.start, end: session.end, slot: next.map { stretches[$0].first } ?? count - 1))
        }
    }

    /// All slots in order of time.
    public var slots: [Slot] { (0..<count).map(slot) }

    public func slot(_ place: Int) -> Slot {
        precondition(place >= 0 && place < count, "the day has \(count) slots, not \(place)")
        guard let stretch = stretches.last(where: { $0.first <= place }) else { preconditionFailure("a slot without a stretch") }
        let start = stretch.origin + Int64(place - stretch.first) * length
        return Slot(
            start: max(stretch.start, MarketInstant(nanoseconds: start)), end: min(stretch.end, MarketInstant(nanoseconds: start + length)),
            isRegular: stretch.isRegular)
    }

    /// Where the trading day's regular hours begin; nil on a day without.
    public var regularStart: MarketInstant? { (stretches.first { $0.isRegular } ?? stretches.first)?.start }

    /// The place in `slots` of the slot a print belongs to; nil on a day without trading. A print stamped exactly at the end of the
    /// regular session belongs to its last slot.
    public func place(of instant: MarketInstant) -> Int? {
        guard count > 0 else { return nil }
        if let gap = gap(at: instant) {
            // The first moment of an auction that follows trading at once is the close.
            if let before = placeBefore(instant), slot(before).end == instant { return before }
            return gap.slot
        }
        guard let place = placeBefore(instant) else { return 0 }
        guard place > 0 else { return place }
        let (own, before) = (slot(place), slot(place - 1))
        return own.start == instant && !own.isRegular && before.isRegular && before.end == instant ? place - 1 : place
    }

    /// The place of the slot a shorter bar that starts there belongs to; nil before the day's first.
    func place(ofBarAt instant: MarketInstant) -> Int? { gap(at: instant)?.slot ?? placeBefore(instant) }

    /// The slot that the prints of the auction under way then belong to, and when that auction ends; nil: there is none.
    func auction(at instant: MarketInstant) -> (place: Int, end: MarketInstant)? { gap(at: instant).map { ($0.slot, $0.end) } }

    private func gap(at instant: MarketInstant) -> Gap? { gaps.first { $0.start <= instant && instant < $0.end } }

    /// The last slot that has begun.
    private func placeBefore(_ instant: MarketInstant) -> Int? {
        guard let at = stretches.lastIndex(where: { $0.start <= instant }) else { return nil }
        let next = at + 1 < stretches.count ? stretches[at + 1].first : count
        return min(stretches[at].first + Int((instant.nanoseconds - stretches[at].origin) / length), next - 1)
    }

    /// When nothing more belongs to a slot: its end, or that of the auction whose prints it takes.
    public func settles(_ place: Int) -> MarketInstant {
        gaps.reduce(slot(place).end) { $1.slot == place ? max($0, $1.end) : $0 }
    }

    /// The place of the slot that starts exactly there.
    public func place(startingAt instant: MarketInstant) -> Int? {
        placeBefore(instant).flatMap { slot($0).start == instant ? $0 : nil }
    }
}

extension Phase {
    /// Whether trading in it is regular; nil where nothing trades continuously.
    var isRegularTrading: Bool? {
        switch self {
        case .continuous, .night: true
        case .preMarket, .postMarket: false
        default: nil
        }
    }
}

extension BarPeriod {
    /// Of a slot; nil for a day and longer.
    public var length: Duration? {
        switch self {
        case .minute1: .seconds(60)
        case .minute3: .seconds(180)
        case .minute5: .seconds(300)
        case .minute15: .seconds(900)
        case .minute30: .seconds(1_800)
        case .minute60: .seconds(3_600)
        case .day, .week, .month, .quarter, .year, .unspecified, .UNRECOGNIZED: nil
        }
    }

    /// What the days of one bar have in common: weeks from Monday, calendar months, quarters, years.
    public func group(_ day: TradingDay) -> Int {
        switch self {
        case .week: day.week
        case .month: day.year * 12 + day.month
        case .quarter: day.year * 4 + (day.month - 1) / 3
        case .year: day.year
        default: day.daysSince1970
        }
    }
}
