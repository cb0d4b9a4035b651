public import Instruments
public import Messages
public import Streams

/// Where the bars of one trading day begin and end (G-1).
///
/// Slots are anchored at the start of each stretch of trading, never at the clock's hour, and never reach over a break: an hour of the
/// Hong Kong day begins at 09:30, 10:30, 11:30 (30 minutes), 13:00 … Stretches that touch are one, except that hours outside the regular
/// session (US pre and post market) have slots of their own.
public struct BarGrid: Hashable, Sendable {
    /// Half-open `start..<end`.
    public struct Slot: Hashable, Sendable {
        public var start: MarketInstant
        public var end: MarketInstant
        public var isRegular: Bool
    }

    public let day: TradingDay
    /// In order of time; at most 1,440.
    public let slots: [Slot]
    /// Auctions and breaks, with the slot their prints belong to.
    private let gaps: [Gap]

    private struct Gap: Hashable, Sendable {
        var start: MarketInstant
        var end: MarketInstant
        var slot: Int
    }

    /// `sessions` of one trading day in order, as the calendar tells them.
    public init(day: TradingDay, sessions: [Session], length: Duration) {
        var slots: [Slot] = []
        var first: [Int: Int] = [:]
        var stretch: (start: MarketInstant, end: MarketInstant, isRegular: Bool)?
        func cut(_ stretch: (start: MarketInstant, end: MarketInstant, isRegular: Bool)) {
            var start = stretch.start
            while start < stretch.end, slots.count < 1_440 {
                let end = min(start.advanced(by: length), stretch.end)
                slots.append(Slot(start: start, end: end, isRegular: stretch.isRegular))
                start = end
            }
        }
        for (place, session) in sessions.enumerated() {
            guard let isRegular = session.phase.isRegularTrading else { continue }
            if let open = stretch, open.end == session.start, open.isRegular == isRegular {
                stretch?.end = session.end
                continue
            }
            if let stretch { cut(stretch) }
            first[place] = slots.count
            stretch = (session.start, session.end, isRegular)
        }
        if let stretch { cut(stretch) }
        self.day = day
        self.slots = slots
        gaps = Self.gaps(sessions, first, slots.count)
    }

    /// An auction belongs to the trading that follows it, the last of the day to the trading before; what is printed late in a break
    /// belongs to what came before the break.
    private static func gaps(_ sessions: [Session], _ first: [Int: Int], _ count: Int) -> [Gap] {
        guard count > 0 else { return [] }
        var gaps: [Gap] = []
        var auction = false
        for (place, session) in sessions.enumerated() {
            if session.phase.isRegularTrading != nil {
                auction = false
                continue
            }
            auction = auction || session.phase != .break
            guard auction else { continue }
            let next = sessions.indices.dropFirst(place).lazy.compactMap { first[$0] }.first
            gaps.append(Gap(start: session.start, end: session.end, slot: next ?? count - 1))
        }
        return gaps
    }

    /// The place in `slots` of the slot a print belongs to; nil on a day without trading. A print stamped exactly at the end of the
    /// regular session belongs to its last slot.
    public func place(of instant: MarketInstant) -> Int? {
        guard !slots.isEmpty else { return nil }
        if let gap = gaps.first(where: { $0.start <= instant && instant < $0.end }) {
            // The first moment of an auction that follows trading at once is the close.
            if let before = placeBefore(instant), slots[before].end == instant { return before }
            return gap.slot
        }
        guard let place = placeBefore(instant) else { return 0 }
        if place > 0, slots[place].start == instant, !slots[place].isRegular, slots[place - 1].isRegular, slots[place - 1].end == instant {
            return place - 1
        }
        return place
    }

    /// The last slot that has begun: where a shorter bar that starts there belongs.
    func placeBefore(_ instant: MarketInstant) -> Int? {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if slots[middle].start <= instant { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    /// When nothing more belongs to a slot: its end, or that of the auction whose prints it takes.
    public func settles(_ place: Int) -> MarketInstant {
        gaps.reduce(slots[place].end) { $1.slot == place ? max($0, $1.end) : $0 }
    }

    /// The place of the slot that starts exactly there.
    public func place(startingAt instant: MarketInstant) -> Int? {
        placeBefore(instant).flatMap { slots[$0].start == instant ? $0 : nil }
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
        case .week: (day.daysSince1970 + 3) / 7
        case .month: day.year * 12 + day.month
        case .quarter: day.year * 4 + (day.month - 1) / 3
        case .year: day.year
        default: day.daysSince1970
        }
    }
}
