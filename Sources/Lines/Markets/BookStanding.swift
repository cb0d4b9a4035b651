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
    /// The session runs, but the replay has nothing of it. `opens`: the next session.
    case unrecorded(opens: MarketInstant?)
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
        guard !link.isTroubled, let now else {
            self = .lost
            return
        }
        func opens() -> MarketInstant? {
            guard let calendar, let next = try? calendar.nextOpen(instrument.calendar, after: now),
                let day = try? calendar.tradingDay(instrument.calendar, at: next), instrument.isListed(on: day)
            else { return nil }
            return next
        }
        let known = quote.map(\.phase).flatMap { $0 == .unspecified ? nil : $0 }
        let phase = known ?? calendar.flatMap { try? $0.phase(instrument, at: now) } ?? .unspecified
        switch phase {
        case .continuous: self = .live
        case .night: self = Self.isUnrecorded(instrument, quote, calendar, now) ? .unrecorded(opens: opens()) : .live
        default: self = .closed(phase, opens: opens())
        }
    }

    /// A replayed contract trades every minute: where its last trade is of before the night session, there is no recording of that.
    private static func isUnrecorded(
        _ instrument: Instrument, _ quote: Quote?, _ calendar: MarketCalendar?, _ now: MarketInstant
    ) -> Bool {
        guard let quote, [.recorded, .derived, .simulated].contains(quote.provenance), let calendar,
            let day = try? calendar.tradingDay(instrument.calendar, at: now),
            let session = try? calendar.sessions(of: instrument, on: day).first(where: { $0.contains(now) }), session.phase == .night,
            session.start.duration(to: now) > quietStart
        else { return false }
        return !quote.hasLastTimeNs || quote.lastTimeNs < session.start.nanoseconds
    }
}
