public import Messages
public import Streams

/// What the calendar says of one instrument: its market's sessions within its listing.
extension MarketCalendar {
    /// The phase of an instrument: its market's, but closed before its listing and after its last trading moment.
    public func phase(_ instrument: Instrument, at instant: MarketInstant) throws(CalendarFault) -> Phase {
        let day = try tradingDay(instrument.calendar, at: instant)
        guard instrument.isListed(on: day) else { return .closed }
        if instrument.future?.expiry == day {
            return try sessions(of: instrument, on: day).first { $0.contains(instant) }?.phase ?? .closed
        }
        return try phase(instrument.calendar, at: instant)
    }

    /// The sessions of an instrument: its market's, cut at its last trading moment.
    public func sessions(of instrument: Instrument, on day: TradingDay) throws(CalendarFault) -> [Session] {
        guard instrument.isListed(on: day) else { return [] }
        var sessions = try sessions(instrument.calendar, of: day)
        if let future = instrument.future, future.expiry == day, let minute = future.lastMinute {
            let end = try instant(instrument.calendar, day, localNanoseconds: Int64(minute) * 60_000_000_000)
            sessions = sessions.filter { $0.start < end }.map { session in
                var session = session
                session.end = min(session.end, end)
                return session
            }
        }
        return sessions
    }

    /// The sessions in which trades happen, half-open: the time axis of an intraday chart.
    public func sessionAxis(_ instrument: Instrument, on day: TradingDay) throws(CalendarFault) -> [Session] {
        try sessions(of: instrument, on: day).filter(\.isTrading)
    }
}
