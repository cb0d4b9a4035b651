import Instruments
import Portfolio
import Streams
import Texts

extension ClientContext {
    /// When the market of an instrument opens next, by its clock; nil while it is open, and where the tables do not say.
    func opening(_ instrument: Instrument) async -> String? {
        guard let calendar = await facts()?.calendar, let now = try? await marketTime() else { return nil }
        return Self.opening(instrument, calendar, at: now)
    }

    static func opening(_ instrument: Instrument, _ calendar: MarketCalendar, at now: MarketInstant) -> String? {
        guard let opens = try? calendar.nextOpen(instrument.calendar, after: now),
            let closes = try? calendar.nextClose(instrument.calendar, after: now), opens < closes
        else { return nil }
        let clock = Display.clock(of: instrument)
        return clock.minute(opens.nanoseconds) + " " + clock.tag
    }
}

extension ErrorCode {
    /// Nothing was traded yet: `symbol`, `opens` (by the exchange's clock).
    static let chartNoBarsYet = ErrorCode("chart.no-bars-yet")
}
