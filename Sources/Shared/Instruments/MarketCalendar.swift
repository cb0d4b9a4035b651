import Foundation
public import Messages
public import Streams
public import Texts

extension ErrorCode {
    /// The dated tables say nothing about that day. Arguments: `calendar`, `date`.
    public static let calendarNotCovered = ErrorCode("calendar.not-covered")
}

/// The tables do not reach that date; nothing is guessed.
public struct CalendarFault: Error, Hashable, Sendable {
    public var calendar: CalendarID
    public var date: String

    public init(calendar: CalendarID, date: String) {
        self.calendar = calendar
        self.date = date
    }

    public var failure: Failure { Failure(.calendarNotCovered, .init("calendar", calendar.rawValue), .init("date", date)) }
}

/// A part of a trading day: half-open `start..<end`.
public struct Session: Hashable, Sendable {
    public var phase: Phase
    public var start: MarketInstant
    public var end: MarketInstant
    public func contains(_ instant: MarketInstant) -> Bool { start <= instant && instant < end }
}

/// Sessions and trading days from `Data/tables/{calendars,sessions,holidays}.csv`. Trading days are known from 2000 to 2027, sessions
/// from the dates in `sessions.csv`; a date outside throws `CalendarFault`.
public struct MarketCalendar: Sendable {
    package struct Rules: Sendable {
        var zone: TimeZone
        var from: TradingDay
        var to: TradingDay
        var holidays: [TradingDay: Holiday] = [:]
        var rows: [Row] = []
    }

    struct Holiday: Sendable {
        /// Minute of the day at which it closes early; nil: closed all day.
        var closeMinute: Int?
    }

    enum DayType: String { case full, short }

    struct Row: Sendable {
        enum Base: String { case day, previousFullDay = "previous_full_day", previousCalendarDay = "previous_calendar_day" }
        var dayType: DayType
        var phase: Phase
        var start: Int
        /// Nil: the early close of that day.
        var end: Int?
        var base: Base
        var from: TradingDay?
        var to: TradingDay?
    }

    private let rules: [CalendarID: Rules]

    package init(rules: [CalendarID: Rules]) { self.rules = rules }

    private func rules(_ calendar: CalendarID, _ date: String) throws(CalendarFault) -> Rules {
        guard let rules = rules[calendar] else { throw CalendarFault(calendar: calendar, date: date) }
        return rules
    }

    private func dayType(_ rules: Rules, _ calendar: CalendarID, _ day: TradingDay) throws(CalendarFault) -> DayType? {
        guard rules.from <= day, day <= rules.to else { throw CalendarFault(calendar: calendar, date: day.description) }
        let weekday = (day.daysSince1970 + 4) % 7
        if weekday == 0 || weekday == 6 { return nil }
        guard let holiday = rules.holidays[day] else { return .full }
        return holiday.closeMinute == nil ? nil : .short
    }

    public func isTradingDay(_ day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> Bool {
        try dayType(rules(calendar, day.description), calendar, day) != nil
    }

    /// Whether it is a trading day that ends early.
    public func isShort(_ day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> Bool {
        try dayType(rules(calendar, day.description), calendar, day) == .short
    }

    /// The trading day `count` trading days after `day` (before it where negative); `day` itself need not be one.
    public func tradingDay(_ count: Int, from day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> TradingDay {
        let rules = try rules(calendar, day.description)
        var left = abs(count)
        var date = day
        while left > 0 {
            guard let next = TradingDay(daysSince1970: date.daysSince1970 + (count < 0 ? -1 : 1)) else {
                throw CalendarFault(calendar: calendar, date: date.description)
            }
            date = next
            if try dayType(rules, calendar, date) != nil { left -= 1 }
        }
        return date
    }

    /// The sessions of a trading day in order, the night session that belongs to it first; empty where it is none.
    public func sessions(_ calendar: CalendarID, of day: TradingDay) throws(CalendarFault) -> [Session] {
        let rules = try rules(calendar, day.description)
        guard let type = try dayType(rules, calendar, day) else { return [] }
        let rows = rules.rows.filter { $0.dayType == type && ($0.from.map { $0 <= day } ?? true) && ($0.to.map { day <= $0 } ?? true) }
        guard !rows.isEmpty else { throw CalendarFault(calendar: calendar, date: day.description) }
        let cut = type == .short ? rules.holidays[day]?.closeMinute : nil
        var sessions: [Session] = []
        for row in rows {
            guard let base = try base(row.base, day, rules, calendar) else { continue }
            guard var end = row.end ?? cut else { throw CalendarFault(calendar: calendar, date: day.description) }
            let crosses = row.base == .previousCalendarDay || end <= row.start
            let endDay = crosses ? TradingDay(daysSince1970: base.daysSince1970 + 1) ?? base : base
            if let cut, endDay == day, rules.cutsAtEarlyClose {
                if !crosses, row.start >= cut { continue }
                end = min(end, cut)
            }
            sessions.append(
                Session(phase: row.phase, start: rules.instant(base, minute: row.start), end: rules.instant(endDay, minute: end)))
        }
        return sessions.sorted { $0.start < $1.start }
    }

    private func base(_ base: Row.Base, _ day: TradingDay, _ rules: Rules, _ calendar: CalendarID) throws(CalendarFault) -> TradingDay? {
        switch base {
        case .day: return day
        case .previousCalendarDay: return TradingDay(daysSince1970: day.daysSince1970 - 1)
        case .previousFullDay:
            let previous = try tradingDay(-1, from: day, calendar)
            return try dayType(rules, calendar, previous) == .full ? previous : nil
        }
    }

    /// The civil date in the market's zone.
    public func localDate(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> TradingDay {
        let rules = try rules(calendar, "\(instant.nanoseconds)")
        guard let day = rules.localDate(instant) else { throw CalendarFault(calendar: calendar, date: "\(instant.nanoseconds)") }
        return day
    }

    /// Nanoseconds since local midnight of the market's zone.
    public func localTime(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> Int64 {
        let rules = try rules(calendar, "\(instant.nanoseconds)")
        let local = instant.nanoseconds + rules.offset(instant)
        return local - Int64(floorDivide(local, 86_400_000_000_000)) * 86_400_000_000_000
    }

    /// The instant of a local wall-clock time; in the repeated hour of autumn the first, in the missing hour of spring the shifted one.
    public func instant(_ calendar: CalendarID, _ day: TradingDay, localNanoseconds: Int64) throws(CalendarFault) -> MarketInstant {
        let rules = try rules(calendar, day.description)
        return rules.instant(day, nanoseconds: localNanoseconds)
    }

    /// The trading day whose figures stand at that moment: the one whose first session has begun last. A futures night session belongs
    /// to the next trading day.
    public func tradingDay(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> TradingDay {
        let local = try localDate(calendar, at: instant)
        let rules = try rules(calendar, local.description)
        // A night session may belong to a day several holidays ahead.
        var candidate = try dayType(rules, calendar, local) == nil ? tradingDay(1, from: local, calendar) : local
        if let next = try? tradingDay(1, from: candidate, calendar), let first = try sessions(calendar, of: next).first,
            first.start <= instant
        {
            return next
        }
        while true {
            if let first = try sessions(calendar, of: candidate).first, first.start <= instant { return candidate }
            candidate = try tradingDay(-1, from: candidate, calendar)
        }
    }

    /// The phase of a market; `closed` between the sessions of two days, `break` in a gap inside one.
    public func phase(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> Phase {
        let sessions = try sessions(calendar, of: tradingDay(calendar, at: instant))
        if let session = sessions.first(where: { $0.contains(instant) }) { return session.phase }
        return .closed
    }

    /// The phase of an instrument: its market's, but closed before its listing and after its last trading moment.
    public func phase(_ instrument: Instrument, at instant: MarketInstant) throws(CalendarFault) -> Phase {
        let day = try tradingDay(instrument.calendar, at: instant)
        guard instrument.isListed(on: day) else { return .closed }
        return try sessions(of: instrument, on: day).first { $0.contains(instant) }?.phase ?? .closed
    }

    /// The sessions of an instrument: its market's, cut at its last trading moment.
    public func sessions(of instrument: Instrument, on day: TradingDay) throws(CalendarFault) -> [Session] {
        guard instrument.isListed(on: day) else { return [] }
        var sessions = try sessions(instrument.calendar, of: day)
        if let future = instrument.future, future.expiry == day, let minute = future.lastMinute {
            let end = try instant(instrument.calendar, day, localNanoseconds: Int64(minute) * 60_000_000_000)
            sessions = sessions.filter { $0.start < end }.map { Session(phase: $0.phase, start: $0.start, end: min($0.end, end)) }
        }
        return sessions
    }

    /// The sessions in which trades happen, half-open: the time axis of an intraday chart.
    public func sessionAxis(_ instrument: Instrument, on day: TradingDay) throws(CalendarFault) -> [Session] {
        try sessions(of: instrument, on: day).filter { $0.phase == .continuous || $0.phase == .night }
    }

    /// The start of the next continuous session (night included) after `instant`.
    public func nextOpen(_ calendar: CalendarID, after instant: MarketInstant) throws(CalendarFault) -> MarketInstant {
        var day = try tradingDay(calendar, at: instant)
        while true {
            let open = try sessions(calendar, of: day).first { ($0.phase == .continuous || $0.phase == .night) && $0.start > instant }
            if let open { return open.start }
            day = try tradingDay(1, from: day, calendar)
        }
    }
}

private func floorDivide(_ a: Int64, _ b: Int64) -> Int { Int(a >= 0 ? a / b : -((b - 1 - a) / b)) }

extension MarketCalendar.Rules {
    /// Where a short day ends at a time of its own (CME), nothing of it lasts longer, not even its night session.
    var cutsAtEarlyClose: Bool { rows.contains { $0.end == nil } }

    func offset(_ instant: MarketInstant) -> Int64 {
        let seconds = floorDivide(instant.nanoseconds, 1_000_000_000)
        return Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))) * 1_000_000_000
    }

    func localDate(_ instant: MarketInstant) -> TradingDay? {
        TradingDay(daysSince1970: floorDivide(instant.nanoseconds + offset(instant), 86_400_000_000_000))
    }

    func instant(_ day: TradingDay, minute: Int) -> MarketInstant { instant(day, nanoseconds: Int64(minute) * 60_000_000_000) }

    func instant(_ day: TradingDay, nanoseconds: Int64) -> MarketInstant {
        let local = Int64(day.daysSince1970) * 86_400_000_000_000 + nanoseconds
        let guess = MarketInstant(nanoseconds: local - offset(MarketInstant(nanoseconds: local)))
        return MarketInstant(nanoseconds: local - offset(guess))
    }
}
