public import Instruments
public import Messages

/// What the starts of bars shorter than a day are counted from.
public enum BarAnchor: String, Hashable, Sendable, CaseIterable {
    /// The start of each stretch of trading: an hour of the Hong Kong day begins at 09:30.
    case session
    /// The clock's hour: 09:30 to 10:00, then 10:00. Some recordings are so; bars of one period never stand on both.
    case clock

    /// What recorded bars of one period stand on: the clock, where one of them stands on no slot of its session.
    public init(of bars: [Bar], _ period: BarPeriod, _ instrument: Instrument, _ calendar: MarketCalendar) {
        var series = BarSeries(instrument: instrument, period: period, calendar: calendar, capacity: 1)
        self = bars.contains { series.take($0) == .refused(.offGrid) } ? .clock : .session
    }
}
