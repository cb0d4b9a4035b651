import Foundation
import Messages
import Streams

/// What the three tables say of one calendar, row by row.
struct CalendarRules: Sendable {
    enum DayType: String, Sendable { case full, short }

    /// From which date's midnight a row's minutes count.
    enum Base: String, Sendable {
        case day
        case previousCalendarDay = "previous_calendar_day"
        /// The trading day before, unless that one was short.
        case previousFullDay = "previous_full_day"
        /// The trading day before, unless a holiday lies between.
        case previousDayWithoutHoliday = "previous_day_without_holiday"
    }

    struct Row: Sendable {
        var dayType: DayType
        var phase: Phase
        var start: Int
        /// Nil: the early close of that day.
        var end: Int?
        var base: Base
        var from: Int
        var to: Int
        var actions: OrderActions?
        var isVerified: Bool
        var line: Int
    }

    /// A date that is not like the others.
    struct Special: Sendable {
        var kind: CalendarDay.Kind
        /// Minutes of the day; a late opening, an early close.
        var opens: Int?
        var closes: Int?
        var isVerified: Bool
    }

    var facts: CalendarFacts
    var zone: TimeZone
    var isVerified: Bool
    var rows: [Row] = []
    /// By days since 1970.
    var specials: [Int: Special] = [:]
    /// Line of `calendars.csv`.
    var line: Int
    /// What faults call `calendars.csv` and `sessions.csv`: a user's own by the whole path.
    var file: String
    var sessionsFile: String

    func fault(_ reason: String) -> DataFault { DataFault(file: file, line: line, reason: reason) }
}

/// Lays the rules of one calendar out in flat arrays: a mark a date, a template a trading day.
struct CalendarCompiler {
    private let rules: CalendarRules
    private let firstDay: Int
    private let lastDay: Int
    private let lastKnownDay: Int
    /// Where a short day ends at a time of its own (CME), nothing of it lasts longer, not even its night session.
    private let cutsAtEarlyClose: Bool
    private var marks: [CalendarIndex.DayMark] = []
    private var ordinals: [Int32] = [0]
    private var days: [Int32] = []
    private var templates: [UInt16] = []
    private var bounds: [Int32] = [0]
    private var segments: [CalendarIndex.Segment] = []
    private var known: [Int: UInt16] = [:]
    private var last: (key: Int, template: UInt16)?

    /// What decides the sessions of a trading day. Equal shapes share a template.
    private struct Shape {
        var era: Int
        var kind: CalendarDay.Kind
        var opens: Int?
        var closes: Int?
        /// Days back to the trading day before; 0: unknown.
        var gap: Int
        var previousIsFull: Bool
        var hasHolidayBefore: Bool

        /// The whole shape in one number: there are a hundred thousand days to lay out at each start.
        var key: Int {
            let minutes = ((opens ?? 2047) << 11) | (closes ?? 2047)
            let flags = (previousIsFull ? 2 : 0) | (hasHolidayBefore ? 1 : 0)
            return (((era << 4 | Int(kind.rawValue)) << 8 | min(gap, 255)) << 2 | flags) << 22 | minutes
        }
    }

    static func compile(_ rules: CalendarRules) throws(DataFault) -> CalendarIndex {
        var compiler = CalendarCompiler(rules)
        try compiler.checkCoverage()
        try compiler.layOut()
        let zone = rules.zone.offsets(from: compiler.firstDay, to: compiler.lastDay)
        let index = CalendarIndex(
            facts: rules.facts, zone: zone, firstDay: compiler.firstDay, marks: compiler.marks, ordinals: compiler.ordinals,
            days: compiler.days, templates: compiler.templates, bounds: compiler.bounds, segments: compiler.segments)
        try compiler.checkNeighbours(index)
        try compiler.checkClockChanges(index)
        return index
    }

    private init(_ rules: CalendarRules) {
        self.rules = rules
        firstDay = rules.facts.dataFrom.daysSince1970
        lastKnownDay = rules.facts.dataTo.daysSince1970
        lastDay = rules.facts.projectedTo.daysSince1970
        cutsAtEarlyClose = rules.rows.contains { $0.end == nil }
    }

    private func fault(_ row: CalendarRules.Row, _ reason: String) -> DataFault {
        DataFault(file: rules.sessionsFile, line: row.line, reason: reason)
    }

    /// From the first day a day type has hours it has them to the end.
    private func checkCoverage() throws(DataFault) {
        for type in [CalendarRules.DayType.full, .short] {
            let rows = rules.rows.filter { $0.dayType == type }.sorted { $0.from < $1.from }
            guard let first = rows.first else { continue }
            var covered = first.from
            for row in rows {
                guard row.from <= covered else { throw fault(row, "leaves a gap between \(Self.text(covered)) and \(Self.text(row.from))") }
                covered = max(covered, row.to == .max ? .max : row.to + 1)
            }
            if let last = rows.last, covered != .max { throw fault(last, "leaves no hours after \(Self.text(covered - 1))") }
        }
    }

    private static func text(_ day: Int) -> String { TradingDay(daysSince1970: day)?.description ?? "the first day" }

    /// Written for a debug build too, where a hundred thousand days at each start are felt: no copies of the rules inside the loop.
    private mutating func layOut() throws(DataFault) {
        let changes = Set(rules.rows.flatMap { [$0.from, $0.to == .max ? .max : $0.to + 1] }).sorted()
        let count = lastDay - firstDay + 1
        // Where a date is special, its place in `list` counted from 1.
        var places = [UInt16](repeating: 0, count: count)
        let list = Array(rules.specials)
        for (place, entry) in list.enumerated() where (firstDay...lastDay).contains(entry.key) {
            places[entry.key - firstDay] = UInt16(place + 1)
        }
        let usual = CalendarRules.Special(kind: .full, isVerified: true)
        let listIsVerified = rules.isVerified
        let knownDays = lastKnownDay - firstDay
        marks.reserveCapacity(count)
        ordinals.reserveCapacity(count + 1)
        days.reserveCapacity(count)
        templates.reserveCapacity(count)
        var era = 0
        var nextChange = changes.first ?? .max
        var shape = Shape(era: 0, kind: .full, opens: nil, closes: nil, gap: 0, previousIsFull: false, hasHolidayBefore: false)
        var previous = Int.min
        var weekday = (firstDay + 4) % 7
        for place in 0..<count {
            let day = firstDay + place
            while nextChange <= day {
                era += 1
                nextChange = era < changes.count ? changes[era] : .max
            }
            let isWeekend = weekday == 0 || weekday == 6
            weekday = weekday == 6 ? 0 : weekday + 1
            let special = isWeekend || places[place] == 0 ? usual : list[Int(places[place]) - 1].value
            marks.append(
                .init(
                    isWeekend ? .weekend : special.kind, isVerified: listIsVerified && special.isVerified, isProjected: place > knownDays))
            if !isWeekend, special.kind.isTrading {
                shape.era = era
                shape.kind = special.kind
                shape.opens = special.opens
                shape.closes = special.closes
                shape.gap = previous == .min ? 0 : day - previous
                days.append(Int32(day))
                templates.append(try template(shape, day))
                previous = day
                shape.previousIsFull = special.kind != .short
                shape.hasHolidayBefore = false
            } else if !isWeekend {
                shape.hasHolidayBefore = true
            }
            ordinals.append(Int32(days.count))
        }
    }

    private mutating func template(_ shape: Shape, _ day: Int) throws(DataFault) -> UInt16 {
        let key = shape.key
        if let last, last.key == key { return last.template }
        let template = if let known = known[key] { known } else { try newTemplate(shape, day) }
        known[key] = template
        last = (key, template)
        return template
    }

    private mutating func newTemplate(_ shape: Shape, _ day: Int) throws(DataFault) -> UInt16 {
        let type: CalendarRules.DayType = shape.kind == .short ? .short : .full
        let rows = rules.rows.filter { $0.dayType == type && $0.from <= day && day <= $0.to }
        var result: [(segment: CalendarIndex.Segment, row: CalendarRules.Row)] = []
        for row in rows { if let segment = try segment(row, shape) { result.append((segment, row)) } }
        result.sort { $0.segment.start < $1.segment.start }
        for (one, next) in zip(result, result.dropFirst()) {
            guard one.segment.end <= next.segment.start else { throw fault(next.row, "overlaps line \(one.row.line)") }
            guard one.segment.end == next.segment.start || one.row.base != .day else {
                throw fault(next.row, "leaves a gap after line \(one.row.line)")
            }
        }
        guard let first = result.first else { return CalendarIndex.unknownTemplate }
        guard result.contains(where: { [.continuous, .night].contains($0.segment.phase) }) else {
            throw fault(first.row, "leaves a trading day without trading, \(Self.text(day))")
        }
        guard bounds.count < Int(CalendarIndex.unknownTemplate) else {
            throw rules.fault("has more kinds of days than can be held")
        }
        segments += result.map(\.segment)
        bounds.append(Int32(segments.count))
        return UInt16(bounds.count - 2)
    }

    private func segment(_ row: CalendarRules.Row, _ shape: Shape) throws(DataFault) -> CalendarIndex.Segment? {
        let back: Int
        switch row.base {
        case .day: back = 0
        case .previousCalendarDay: back = 1
        case .previousFullDay: back = shape.previousIsFull ? shape.gap : 0
        case .previousDayWithoutHoliday: back = shape.hasHolidayBefore ? 0 : shape.gap
        }
        if row.base != .day, back == 0 { return nil }
        guard let minute = row.end ?? shape.closes else { throw fault(row, "ends at a close that no holiday row gives") }
        let crosses = row.base == .previousCalendarDay || minute <= row.start
        var start = row.start - back * 1440
        var end = minute - (back - (crosses ? 1 : 0)) * 1440
        if cutsAtEarlyClose, let closes = shape.closes { end = min(end, closes) }
        if let opens = shape.opens, row.base == .day { start = max(start, opens) }
        guard start < end else { return nil }
        return .init(
            start: Int64(start) * .nanosecondsPerMinute, end: Int64(end) * .nanosecondsPerMinute, phase: row.phase, actions: row.actions,
            isVerified: row.isVerified)
    }

    /// The first session of a day begins after the last of the day before.
    private func checkNeighbours(_ index: CalendarIndex) throws(DataFault) {
        let templates = (0..<bounds.count - 1).map { (Int(bounds[$0]), Int(bounds[$0 + 1]) - 1) }
        let edges = templates.map { (first: segments[$0.0].start, last: segments[$0.1].end) }
        var end = Int64.min
        for place in days.indices {
            let template = self.templates[place]
            if template == CalendarIndex.unknownTemplate { continue }
            let midnight = Int64(days[place]) * .nanosecondsPerDay
            guard end <= midnight + edges[Int(template)].first else {
                throw rules.fault("has overlapping days, on \(Self.text(Int(days[place])))")
            }
            end = midnight + edges[Int(template)].last
        }
    }

    /// Sessions are compared as local time: none may touch a change of the clocks, nor the hour beside it.
    private func checkClockChanges(_ index: CalendarIndex) throws(DataFault) {
        for transition in index.zone.transitions {
            let day = Int(transition.flooredQuotient(by: 86_400)) - firstDay
            guard index.marks.indices.contains(day) else { continue }
            let ordinal = Int(index.ordinals[day])
            for near in max(0, ordinal - 1)..<min(index.days.count, ordinal + 2) {
                guard let range = index.range(near) else { continue }
                for session in range.map({ index.session(index.segments[$0], near) })
                where session.start.nanoseconds < (transition + 3600) * 1_000_000_000
                    && session.end.nanoseconds > (transition - 3600) * 1_000_000_000
                {
                    throw rules.fault("has a session across a change of the clocks, on \(Self.text(day + firstDay))")
                }
            }
        }
    }
}

extension TimeZone {
    /// The offsets that hold from a day before to a day after those days since 1970.
    fileprivate func offsets(from first: Int, to last: Int) -> ZoneOffsets {
        let end = Date(timeIntervalSince1970: TimeInterval((last + 2) * 86_400))
        var moment = Date(timeIntervalSince1970: TimeInterval((first - 2) * 86_400))
        var transitions: [Int64] = []
        var offsets = [Int64(secondsFromGMT(for: moment)) * 1_000_000_000]
        while let next = nextDaylightSavingTimeTransition(after: moment), next > moment, next < end {
            let offset = Int64(secondsFromGMT(for: next)) * 1_000_000_000
            if offset != offsets.last {
                transitions.append(Int64(next.timeIntervalSince1970.rounded()))
                offsets.append(offset)
            }
            moment = next
        }
        return ZoneOffsets(transitions: transitions, offsets: offsets)
    }
}
