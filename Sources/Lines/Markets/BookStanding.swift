public import Instruments
public import Messages
public import Streams

/// Whether the book and prices of an instrument are of this moment, and if not, why. A book that nobody can trade on is not shown.
public enum BookStanding: Hashable, Sendable {
    /// Trading goes on and quotes come.
    case live
    /// The quote connection is away: what is known is of before.
    case lost
    /// An index is only computed.
    case index
    /// The session runs, but the replay has nothing of it. `opens`: the next session; nil where nothing of that is recorded either.
    case unrecorded(opens: MarketInstant?)
    /// A night session has just begun and nothing was traded in it: what is known is of the session before.
    case untraded
    /// No continuous trading now. `opens`: when it starts; nil where the calendar does not reach or the listing has ended.
    case closed(Phase, opens: MarketInstant?)

    /// Long enough after the start of a night session that a recording of it would have traded.
    static let quietStart = Duration.seconds(120)

    /// `now`: market time, nil before the server has told it. The phase is the server's; without a quote the calendar's.
    public init(_ instrument: Instrument, _ quote: Quote?, calendar: MarketCalendar?, now: MarketInstant?, link: LinkState) {
        guard instrument.isTradable else {
            self = .index
            return
        }
        // Of a replay that is over the calendar still tells what is closed; nothing opens any more.
        let isOver = link == .degraded(.ended)
        guard !link.isTroubled || isOver, let now else {
            self = .lost
            return
        }
        func opens() -> MarketInstant? {
            guard !isOver, let calendar, let next = try? calendar.nextOpen(instrument.calendar, after: now),
                let day = try? calendar.tradingDay(instrument.calendar, at: next), instrument.isListed(on: day)
            else { return nil }
            return next
        }
        let known = quote.map(\.phase).flatMap { $0 == .unspecified ? nil : $0 }
        let phase = known ?? calendar.flatMap { try? $0.phase(instrument, at: now) } ?? .unspecified
        switch phase {
        case .continuous: self = Self.isOfAnEarlierDay(instrument, quote, calendar, now) ? .unrecorded(opens: nil) : isOver ? .lost : .live
        case .night where Self.isOfAnEarlierDay(instrument, quote, calendar, now): self = .unrecorded(opens: nil)
        case .night:
            switch Self.untraded(instrument, quote, calendar, now) {
            case nil: self = isOver ? .lost : .live
            case let since? where since > Self.quietStart: self = .unrecorded(opens: opens())
            case _?: self = isOver ? .lost : .untraded
            }
        default: self = .closed(phase, opens: opens())
        }
    }

    /// Whether a replay's day is over: it has one market date, so that what it told last stays of that day, and no opening brings more.
    private static func isOfAnEarlierDay(
        _ instrument: Instrument, _ quote: Quote?, _ calendar: MarketCalendar?, _ now: MarketInstant
    ) -> Bool {
        guard let quote, quote.isReplayed, let told = TradingDay(yyyymmdd: quote.tradingDay),
            let day = try? calendar?.tradingDay(instrument.calendar, at: now)
        else { return false }
        return told < day
    }

    /// How long a replayed night session has run without a trade of its own; nil where it has one. A replayed contract trades every
    /// minute, so that after a while there is no recording of it.
    private static func untraded(
        _ instrument: Instrument, _ quote: Quote?, _ calendar: MarketCalendar?, _ now: MarketInstant
    ) -> Duration? {
        guard let quote, quote.isReplayed, let calendar,
            let day = try? calendar.tradingDay(instrument.calendar, at: now),
            let session = try? calendar.sessions(of: instrument, on: day).first(where: { $0.contains(now) }), session.phase == .night,
            !quote.hasLastTimeNs || quote.lastTimeNs < session.start.nanoseconds
        else { return nil }
        return session.start.duration(to: now)
    }
}

extension Quote {
    fileprivate var isReplayed: Bool { [.recorded, .derived, .simulated].contains(provenance) }

    /// What it says of the session under way. Of one that was not recorded that is nothing: the last price is the close before it, and change,
    /// volume and the book's touch are of a day that is over (C-6).
    public func shown(in standing: BookStanding) -> Quote {
        guard case .unrecorded = standing else { return self }
        var quote = self
        if hasLast { quote.previousClose = last }
        quote.clearLast()
        quote.clearBid()
        quote.clearBidSize()
        quote.clearAsk()
        quote.clearAskSize()
        quote.clearOpen()
        quote.clearHigh()
        quote.clearLow()
        quote.clearVolume()
        quote.clearTurnover()
        return quote
    }
}
