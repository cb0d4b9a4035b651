import Bars
import Feeds
import Instruments
import Messages
import Streams

/// Longer bars from shorter ones.
enum BarAggregation {
    /// Bars on whole multiples of the period's length, never across the edge of a session: the first of a session may start late
    /// (09:15 of an hour), a bar after the last session (a closing auction told late) joins what came before it. `bars` in order of start.
    static func minutes(_ bars: [Bar], _ period: BarPeriod, _ instrument: Instrument, _ calendar: MarketCalendar) -> [Bar] {
        guard let length = period.length?.nanoseconds, period != .minute1 else { return bars.filter { $0.period == .minute1 } }
        var result: [Bar] = []
        var session: Session?
        var day: Int32 = 0
        var sessions: [Session] = []
        for bar in bars {
            if bar.period == period {
                result.append(bar)
                continue
            }
            if bar.tradingDay != day {
                day = bar.tradingDay
                sessions = TradingDay(yyyymmdd: day).flatMap { try? calendar.sessions(of: instrument, on: $0) } ?? []
                session = nil
            }
            let moment = MarketInstant(nanoseconds: bar.startNs)
            if session.map({ !$0.contains(moment) }) ?? true { session = sessions.first { $0.contains(moment) } }
            let multiple = bar.startNs - ((bar.startNs % length) + length) % length
            let start = max(multiple, session?.start.nanoseconds ?? multiple)
            if let last = result.last, last.startNs == start, last.tradingDay == bar.tradingDay {
                result[result.count - 1] = join(last, bar)
            } else {
                var first = bar
                first.period = period
                first.startNs = start
                result.append(first)
            }
        }
        return result
    }

    /// Weeks start on Monday. A bar starts where its first day starts and carries its last day's date. Where another recording begins, or days
    /// were left out of one, another bar begins too: high and low of different years are nobody's week.
    static func days(_ bars: [Bar], _ period: BarPeriod, _ instrument: Instrument, _ calendar: MarketCalendar) -> [Bar] {
        var result: [Bar] = []
        var key = Int.min
        var before: Bar?
        for bar in bars {
            guard let day = TradingDay(yyyymmdd: bar.tradingDay) else { continue }
            let own = period.group(day)
            defer { before = bar }
            if own == key, let last = result.last, before.map({ bar.goesOn(from: $0, of: instrument, calendar: calendar) }) ?? false {
                result[result.count - 1] = join(last, bar)
                result[result.count - 1].tradingDay = bar.tradingDay
            } else {
                key = own
                var first = bar
                first.period = period
                result.append(first)
            }
        }
        return result
    }

    /// Provenance of the weaker; the recording's day of the later. Figures beyond what is carried stop at the most (volume) or are left out.
    private static func join(_ a: Bar, _ b: Bar) -> Bar {
        var bar = a
        bar.high = max(a.high, b.high)
        bar.low = min(a.low, b.low)
        bar.close = b.close
        bar.volume = Int64(clamping: Int128(a.volume) + Int128(b.volume))
        let turnover = a.turnover.addingReportingOverflow(b.turnover)
        if a.hasTurnover, b.hasTurnover, !turnover.overflow { bar.turnover = turnover.partialValue } else { bar.clearTurnover() }
        if b.provenance.rawValue > a.provenance.rawValue { bar.provenance = b.provenance }
        if b.recordedOn != 0 { bar.recordedOn = b.recordedOn }
        return bar
    }
}
