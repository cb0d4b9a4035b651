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

/// Sessions and trading days from `Data/tables/{calendars,sessions,holidays}.csv`. Trading days are known from 2000 to 2027 and
/// projected by rule to 2040, sessions from the dates in `sessions.csv`; a date outside throws `CalendarFault`. Answers are read from
/// flat arrays; changes of the clocks are those of the tz database.
public struct MarketCalendar: Sendable {
    private let indices: [CalendarID: CalendarIndex]
    /// Every calendar, in the order of the table.
    public let all: [CalendarFacts]

    init(_ list: [CalendarIndex]) {
        indices = Dictionary(list.map { ($0.id, $0) }) { first, _ in first }
        all = list.map(\.facts)
    }

    /// The calendar a user means: its id or another name of it, whatever the case (`HK`, `hkfe`, `XNAS`). Nil: none.
    public func named(_ text: String) -> CalendarFacts? {
        let name = text.uppercased()
        return all.first { $0.id.rawValue == name } ?? all.first { $0.also.contains(name) }
    }

    func index(_ calendar: CalendarID, _ date: @autoclosure () -> String) throws(CalendarFault) -> CalendarIndex {
        guard let index = indices[calendar] else { throw CalendarFault(calendar: calendar, date: date()) }
        return index
    }

    public func isTradingDay(_ day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> Bool {
        try index(calendar, day.description).mark(day).kind.isTrading
    }

    /// Whether it is a trading day that ends early or opens late.
    public func isShort(_ day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> Bool {
        let kind = try index(calendar, day.description).mark(day).kind
        return kind == .short || kind == .late
    }

    /// What a date is, its sessions, and how sure that is.
    public func day(_ day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> CalendarDay {
        let index = try index(calendar, day.description)
        let mark = try index.mark(day)
        let ordinal = try index.ordinal(day)
        var sessions: [Session]? = []
        var hoursAreVerified = true
        if let ordinal {
            let range = index.range(ordinal)
            sessions = range.map { $0.map { index.session(index.segments[$0], ordinal) } }
            hoursAreVerified = range.map { $0.allSatisfy { index.segments[$0].isVerified } } ?? true
        }
        return CalendarDay(
            date: day, kind: mark.kind,
            certainty: mark.isProjected ? .projected : mark.isVerified && hoursAreVerified ? .verified : .unverified, sessions: sessions)
    }

    /// The trading day `count` trading days after `day` (before it where negative); `day` itself need not be one.
    public func tradingDay(_ count: Int, from day: TradingDay, _ calendar: CalendarID) throws(CalendarFault) -> TradingDay {
        if count == 0 { return day }
        let index = try index(calendar, day.description)
        let place = try index.place(day)
        let (target, overflow) =
            count > 0
            ? Int(index.ordinals[place + 1]).addingReportingOverflow(count - 1)
            : Int(index.ordinals[place]).addingReportingOverflow(count)
        guard !overflow, let date = index.date(target) else {
            throw CalendarFault(calendar: calendar, date: day.description)
        }
        return date
    }

    /// The sessions of a trading day in order, the night session that belongs to it first; empty where it is none.
    public func sessions(_ calendar: CalendarID, of day: TradingDay) throws(CalendarFault) -> [Session] {
        let index = try index(calendar, day.description)
        guard let ordinal = try index.ordinal(day) else { return [] }
        return try index.sessions(ordinal)
    }

    /// The civil date in the market's zone.
    public func localDate(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> TradingDay {
        let index = try index(calendar, "\(instant.nanoseconds)")
        let days = index.zone.local(instant).flooredQuotient(by: .nanosecondsPerDay)
        guard let day = TradingDay(daysSince1970: Int(days)) else { throw index.fault(instant) }
        return day
    }

    /// Nanoseconds since local midnight of the market's zone.
    public func localTime(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> Int64 {
        let local = try index(calendar, "\(instant.nanoseconds)").zone.local(instant)
        return local - local.flooredQuotient(by: .nanosecondsPerDay) * .nanosecondsPerDay
    }

    /// The instant of a local wall-clock time; in the repeated hour of autumn the first, in the missing hour of spring the shifted one.
    public func instant(_ calendar: CalendarID, _ day: TradingDay, localNanoseconds: Int64) throws(CalendarFault) -> MarketInstant {
        let index = try index(calendar, day.description)
        // No later than 2260 (from 1680): what a zone adds still fits.
        guard abs(day.daysSince1970) < 106_000, abs(localNanoseconds) <= 2 * .nanosecondsPerDay else {
            throw CalendarFault(calendar: calendar, date: day.description)
        }
        return index.zone.instant(local: Int64(day.daysSince1970) * .nanosecondsPerDay + localNanoseconds)
    }

    /// The trading day whose figures stand at that moment: the one whose first session has begun last. A futures night session belongs
    /// to the next trading day.
    public func tradingDay(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> TradingDay {
        let index = try index(calendar, "\(instant.nanoseconds)")
        guard let day = index.date(try index.standing(at: instant).ordinal) else { throw index.fault(instant) }
        return day
    }

    /// The phase of a market; `closed` between the sessions of two days, `break` in a gap inside one.
    public func phase(_ calendar: CalendarID, at instant: MarketInstant) throws(CalendarFault) -> Phase {
        try index(calendar, "\(instant.nanoseconds)").phase(at: instant)
    }

    /// The sessions in which trades happen, half-open: the time axis of an intraday chart.
    public func sessionAxis(_ calendar: CalendarID, of day: TradingDay) throws(CalendarFault) -> [Session] {
        try sessions(calendar, of: day).filter(\.isTrading)
    }

    /// The start of the next continuous session (night included) after `instant`.
    public func nextOpen(_ calendar: CalendarID, after instant: MarketInstant) throws(CalendarFault) -> MarketInstant {
        let index = try index(calendar, "\(instant.nanoseconds)")
        for ordinal in try index.standing(at: instant).ordinal..<index.days.count {
            let open = try index.sessions(ordinal).first { $0.isTrading && $0.start > instant }
            if let open { return open.start }
        }
        throw index.fault(instant)
    }

    /// When trading next stops after `instant`: the end of the continuous sessions (night included) under way or coming, for lunch too.
    public func nextClose(_ calendar: CalendarID, after instant: MarketInstant) throws(CalendarFault) -> MarketInstant {
        let index = try index(calendar, "\(instant.nanoseconds)")
        for ordinal in try index.standing(at: instant).ordinal..<index.days.count {
            let sessions = try index.sessions(ordinal).filter(\.isTrading)
            for (place, session) in sessions.enumerated() where session.end > instant {
                let goesOn = place + 1 < sessions.count && sessions[place + 1].start == session.end
                if !goesOn { return session.end }
            }
        }
        throw index.fault(instant)
    }
}
