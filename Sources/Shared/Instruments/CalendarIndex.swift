import Messages
import Streams

/// The UTC offsets of a time zone as two flat arrays, taken from the tz database when the tables are read.
struct ZoneOffsets: Sendable {
    /// Seconds since 1970 at which `offsets[i + 1]` begins to hold; ascending.
    let transitions: [Int64]
    /// Nanoseconds east of UTC; one more than `transitions`.
    let offsets: [Int64]

    func offset(at instant: MarketInstant) -> Int64 {
        let seconds = instant.nanoseconds.flooredQuotient(by: 1_000_000_000)
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) >> 1
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }

    func local(_ instant: MarketInstant) -> Int64 { instant.nanoseconds + offset(at: instant) }

    /// In the repeated hour of autumn the first moment, in the missing hour of spring the shifted one.
    func instant(local: Int64) -> MarketInstant {
        let guess = MarketInstant(nanoseconds: local - offset(at: MarketInstant(nanoseconds: local)))
        return MarketInstant(nanoseconds: local - offset(at: guess))
    }
}

extension Int64 {
    static let nanosecondsPerMinute: Int64 = 60_000_000_000
    static let nanosecondsPerDay: Int64 = 86_400_000_000_000

    func flooredQuotient(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

/// One calendar in flat arrays, so that a question costs a few array reads. Made once when the tables are read, never changed.
///
/// Sessions are compared as local wall-clock time: the compiler refuses a table in which a session touches a change of the clocks.
final class CalendarIndex: Sendable {
    /// A part of a trading day, nanoseconds from the local midnight that begins the day; a night session starts before it.
    struct Segment: Hashable, Sendable {
        var start: Int64
        var end: Int64
        var phase: Phase
        var actions: OrderActions?
        var isVerified: Bool
    }

    /// What kind of date it is, in a byte.
    struct DayMark: Hashable, Sendable {
        var rawValue: UInt8

        static let projectedBit: UInt8 = 0x80
        static let unverifiedBit: UInt8 = 0x40

        init(_ kind: CalendarDay.Kind, isVerified: Bool, isProjected: Bool) {
            rawValue = kind.rawValue | (isVerified ? 0 : Self.unverifiedBit) | (isProjected ? Self.projectedBit : 0)
        }

        var kind: CalendarDay.Kind { CalendarDay.Kind(rawValue: rawValue & 0x0F) ?? .closed }
        var isProjected: Bool { rawValue & Self.projectedBit != 0 }
        var isVerified: Bool { rawValue & Self.unverifiedBit == 0 }
    }

    let facts: CalendarFacts
    let zone: ZoneOffsets
    /// Days since 1970 of `marks[0]`.
    let firstDay: Int
    /// A mark for each civil date.
    let marks: [DayMark]
    /// For each civil date, and one past the last, how many trading days lie before it.
    let ordinals: [Int32]
    /// Days since 1970 of each trading day.
    let days: [Int32]
    /// The template of each trading day; `unknownTemplate` where the tables have no sessions for it.
    let templates: [UInt16]
    /// Where each template's segments begin in `segments`; one more at the end.
    let bounds: [Int32]
    let segments: [Segment]

    static let unknownTemplate = UInt16.max

    init(
        facts: CalendarFacts, zone: ZoneOffsets, firstDay: Int, marks: [DayMark], ordinals: [Int32], days: [Int32], templates: [UInt16],
        bounds: [Int32], segments: [Segment]
    ) {
        self.facts = facts
        self.zone = zone
        self.firstDay = firstDay
        self.marks = marks
        self.ordinals = ordinals
        self.days = days
        self.templates = templates
        self.bounds = bounds
        self.segments = segments
    }

    var id: CalendarID { facts.id }

    func fault(_ day: TradingDay) -> CalendarFault { CalendarFault(calendar: id, date: day.description) }

    func fault(_ instant: MarketInstant) -> CalendarFault {
        let day = TradingDay(daysSince1970: Int(instant.nanoseconds.flooredQuotient(by: .nanosecondsPerDay)))
        return CalendarFault(calendar: id, date: day?.description ?? "\(instant.nanoseconds)")
    }

    /// The place of a date in `marks`.
    func place(_ day: TradingDay) throws(CalendarFault) -> Int {
        let place = day.daysSince1970 - firstDay
        guard marks.indices.contains(place) else { throw fault(day) }
        return place
    }

    func mark(_ day: TradingDay) throws(CalendarFault) -> DayMark { marks[try place(day)] }

    /// The place of a trading day in `days`; nil where the date is none.
    func ordinal(_ day: TradingDay) throws(CalendarFault) -> Int? {
        let place = try place(day)
        return marks[place].kind.isTrading ? Int(ordinals[place]) : nil
    }

    func date(_ ordinal: Int) -> TradingDay? { days.indices.contains(ordinal) ? TradingDay(daysSince1970: Int(days[ordinal])) : nil }

    /// The segments of the trading day at that place; nil where the tables have none.
    @inline(__always)
    func range(_ ordinal: Int) -> Range<Int>? {
        let template = templates[ordinal]
        if template == Self.unknownTemplate { return nil }
        return Int(bounds[Int(template)])..<Int(bounds[Int(template) + 1])
    }

    /// The trading day whose first session has begun last, and the nanoseconds since its local midnight.
    @inline(__always)
    func standing(at instant: MarketInstant) throws(CalendarFault) -> (ordinal: Int, clock: Int64, range: Range<Int>) {
        let local = zone.local(instant)
        let civil = Int(local.flooredQuotient(by: .nanosecondsPerDay)) - firstDay
        guard civil >= 0, civil < marks.count else { throw fault(instant) }
        // The first trading day after this date may have begun tonight; the one before that may not have begun yet.
        var ordinal = min(Int(ordinals[civil + 1]), days.count - 1)
        while ordinal >= 0, let range = range(ordinal) {
            let clock = local - Int64(days[ordinal]) * .nanosecondsPerDay
            if segments[range.lowerBound].start <= clock { return (ordinal, clock, range) }
            ordinal -= 1
        }
        throw fault(instant)
    }

    func phase(at instant: MarketInstant) throws(CalendarFault) -> Phase {
        let (_, clock, range) = try standing(at: instant)
        for place in range where clock < segments[place].end { return segments[place].start <= clock ? segments[place].phase : .closed }
        return .closed
    }

    func session(_ segment: Segment, _ ordinal: Int) -> Session {
        let midnight = Int64(days[ordinal]) * .nanosecondsPerDay
        return Session(
            phase: segment.phase, start: zone.instant(local: midnight + segment.start), end: zone.instant(local: midnight + segment.end),
            actions: segment.actions)
    }

    func sessions(_ ordinal: Int) throws(CalendarFault) -> [Session] {
        guard let range = range(ordinal) else {
            throw CalendarFault(calendar: id, date: date(ordinal)?.description ?? "")
        }
        return range.map { session(segments[$0], ordinal) }
    }
}
