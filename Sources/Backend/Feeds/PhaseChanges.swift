import Instruments
import Messages
import Streams

/// When an instrument's phase changes, by the calendar.
enum PhaseChanges {
    /// Of trading day `date` and the `days` trading days after it, in order. Throws where the calendar does not cover them.
    static func of(
        _ instrument: Instrument, from date: TradingDay, days: Int, _ calendar: MarketCalendar
    ) throws(CalendarFault) -> [(time: Int64, phase: Phase)] {
        var changes: [(time: Int64, phase: Phase)] = []
        var day = date
        for count in 0...days {
            var end: MarketInstant?
            for session in try calendar.sessions(of: instrument, on: day) {
                if let end, end < session.start { changes.append((end.nanoseconds, .closed)) }
                // A phase in two parts (what may be done in it changes) is told once.
                if end != session.start || changes.last?.phase != session.phase {
                    changes.append((session.start.nanoseconds, session.phase))
                }
                end = session.end
            }
            if let end { changes.append((end.nanoseconds, .closed)) }
            if count < days { day = try calendar.tradingDay(1, from: day, instrument.calendar) }
        }
        return changes
    }
}
