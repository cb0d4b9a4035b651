public import Instruments
public import Messages
import Streams

extension Bar {
    /// Whether this bar's prices go on from those of `before`: as many trading days of the market lie between the days the two were recorded
    /// on as between the days they stand for (0 inside one day). Where not, another year's recording begins or days were left out, and
    /// nothing may be computed across. Without a calendar that knows those days, holidays cannot be told from gaps: four days more are let pass.
    public func goesOn(from before: Bar, of instrument: Instrument, calendar: MarketCalendar?) -> Bool {
        guard let from = TradingDay(yyyymmdd: before.recordedOn), let to = TradingDay(yyyymmdd: recordedOn) else {
            return before.recordedOn == recordedOn && before.provenance == provenance
        }
        guard let first = TradingDay(yyyymmdd: before.tradingDay), let last = TradingDay(yyyymmdd: tradingDay), from <= to, first <= last
        else { return false }
        let (recorded, told) = (to.daysSince1970 - from.daysSince1970, last.daysSince1970 - first.daysSince1970)
        // A year of trading days is a few calendar days longer or shorter than another: beyond that nothing needs counting.
        guard recorded <= told + 10 + told / 20 else { return false }
        if let calendar, let passed = try? calendar.tradingDays(after: from, through: to, instrument.calendar),
            let wanted = try? calendar.tradingDays(after: first, through: last, instrument.calendar)
        {
            return passed == wanted
        }
        return recorded <= told + 4
    }
}

extension MarketCalendar {
    /// How many trading days there are from the one after `first` to `last`.
    fileprivate func tradingDays(after first: TradingDay, through last: TradingDay, _ id: CalendarID) throws(CalendarFault) -> Int {
        var count = 0
        var day = first
        while day < last, let next = TradingDay(daysSince1970: day.daysSince1970 + 1) {
            day = next
            if try isTradingDay(day, id) { count += 1 }
        }
        return count
    }
}
