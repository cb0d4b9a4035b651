import Messages
import Streams
import Foundation

/// Reads and checks `calendars.csv`, `sessions.csv` and `holidays.csv`. What is wrong is told with file and line.
enum CalendarReader {
    static let calendarColumns = [
        "calendar", "time_zone", "holidays", "days_from", "days_to", "rule", "verified", "also", "name_en", "name_zh_hans", "name_zh_hant",
    ]
    static let holidayColumns = ["calendar", "date", "kind", "open_local", "close_local", "verified"]
    static let sessionColumns = [
        "calendar", "day_type", "phase", "start_local", "end_local", "base", "effective_from", "effective_to", "entry", "amend", "cancel",
        "verified",
    ]

    static func read(_ folder: DataFolder) throws(DataFault) -> MarketCalendar {
        try read(
            calendars: folder.table("calendars.csv", calendarColumns),
            holidays: folder.table("holidays.csv", holidayColumns),
            sessions: folder.table("sessions.csv", sessionColumns))
    }

    static func read(calendars: CSVTable, holidays: CSVTable, sessions: CSVTable) throws(DataFault) -> MarketCalendar {
        var lists = try readHolidays(holidays)
        var rows = try readSessions(sessions)
        var used: Set<String> = []
        var projections: [String: [Int: CalendarRules.Special]] = [:]
        var indices: [CalendarIndex] = []
        var names: Set<String> = []
        var emptiness: DataFault?
        for row in calendars.rows {
            let fields = calendarColumns.map { row.fields[calendars.index($0)] }
            func fault(_ reason: String) -> DataFault { DataFault(file: calendars.file, line: row.line, reason: reason) }
            var rules = try head(fields, row.line, calendars.file, sessions.file)
            for name in [rules.facts.id.rawValue] + rules.facts.also where !names.insert(name).inserted {
                throw fault("names \(name) twice")
            }
            let list = String(fields[2])
            guard !list.isEmpty else { throw fault("names no list of holidays") }
            rules.specials = lists[list]?.days ?? [:]
            if !fields[5].isEmpty {
                guard let rule = HolidayRule(rawValue: String(fields[5])) else { throw fault("names an unknown rule \(fields[5])") }
                let key = "\(list) \(rule.rawValue) \(rules.facts.dataTo)"
                let projected = projections[key] ?? rule.specials(after: rules.facts.dataTo, to: rules.facts.projectedTo)
                projections[key] = projected
                rules.specials.merge(projected) { known, _ in known }
            }
            used.insert(list)
            if emptiness == nil {
                emptiness = checkYears(rules.facts, lists[list]?.days ?? [:]).map { rules.fault("\($0) in \(holidays.file)") }
            }
            rules.rows = rows.removeValue(forKey: rules.facts.id.rawValue) ?? []
            guard !rules.rows.isEmpty else { throw fault("has no sessions") }
            if let line = lists[list]?.shortLine, !rules.rows.contains(where: { $0.dayType == .short }) {
                throw DataFault(
                    file: holidays.file, line: line, reason: "is a short day, for which \(rules.facts.id.rawValue) has no hours")
            }
            indices.append(try CalendarCompiler.compile(rules))
        }
        for name in used { lists[name] = nil }
        if let stray = lists.values.min(by: { $0.line < $1.line }) {
            throw DataFault(file: holidays.file, line: stray.line, reason: "is of a list that no calendar follows")
        }
        if let stray = rows.values.compactMap(\.first).min(by: { $0.line < $1.line }) {
            throw DataFault(file: sessions.file, line: stray.line, reason: "is of an unknown calendar")
        }
        if let emptiness { throw emptiness }
        return MarketCalendar(indices)
    }

    /// No market trades on every weekday of a year: a list without a closed day in a year it is said to know is not a list of that year, and
    /// Christmas would be a full day. Nil: each year has one; else what is missing.
    private static func checkYears(_ facts: CalendarFacts, _ days: [Int: CalendarRules.Special]) -> String? {
        let closed = days.filter { !$0.value.kind.isTrading }.keys
        let known = facts.dataFrom.daysSince1970...facts.dataTo.daysSince1970
        guard closed.contains(where: known.contains) else { return "has no closed day from \(facts.dataFrom) to \(facts.dataTo)" }
        let years = Set(closed.compactMap { TradingDay(daysSince1970: $0)?.year })
        let whole = (facts.dataFrom.year...facts.dataTo.year).filter { year in
            known.contains(Civil.day(year, 1, 1)) && known.contains(Civil.day(year, 12, 31))
        }
        return whole.first { !years.contains($0) }.map { "has no closed day of \($0)" }
    }

    private static func head(
        _ fields: [Substring], _ line: Int, _ file: String, _ sessionsFile: String
    ) throws(DataFault) -> CalendarRules {
        guard let zone = TimeZone(identifier: String(fields[1])), zone.identifier == String(fields[1]) || fields[1] == "UTC" else {
            throw DataFault(file: file, line: line, reason: "names an unknown time zone")
        }
        guard let from = TradingDay(fields[3]), let to = TradingDay(fields[4]), from < to, from.year >= 1990, to <= projectedTo,
            let isVerified = flag(fields[6])
        else { throw DataFault(file: file, line: line, reason: "has wrong dates or is neither verified nor not") }
        let facts = CalendarFacts(
            id: CalendarID(String(fields[0])), also: fields[7].split(separator: " ").map(String.init),
            names: .init(english: String(fields[8]), simplified: String(fields[9]), traditional: String(fields[10])),
            timeZone: String(fields[1]), dataFrom: from, dataTo: to, projectedTo: fields[5].isEmpty ? to : projectedTo)
        return CalendarRules(facts: facts, zone: zone, isVerified: isVerified, line: line, file: file, sessionsFile: sessionsFile)
    }

    /// The last day that is projected.
    private static let projectedTo = TradingDay("2040-12-31") ?? unreachableDay
    private static var unreachableDay: TradingDay { preconditionFailure("2040-12-31 is a date") }

    private static func flag(_ text: Substring) -> Bool? { text == "yes" ? true : text == "no" ? false : nil }

    private struct List {
        var line: Int
        /// Line of its first short day.
        var shortLine: Int?
        var days: [Int: CalendarRules.Special] = [:]
    }

    private static func readHolidays(_ table: CSVTable) throws(DataFault) -> [String: List] {
        let columns = holidayColumns.map(table.index)
        var lists: [String: List] = [:]
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let day = TradingDay(fields[1])?.daysSince1970 else {
                throw DataFault(file: table.file, line: row.line, reason: "date is not YYYY-MM-DD")
            }
            let opens = minute(fields[3])
            let closes = minute(fields[4])
            let kind: CalendarDay.Kind? =
                switch (fields[2], opens, closes) {
                case ("closed", nil, nil): .closed
                case ("closed_weather", nil, nil): .weather
                case ("short", nil, .some): .short
                case ("late", .some, nil): .late
                default: nil
                }
            guard let kind, let isVerified = flag(fields[5]), fields[3].isEmpty == (opens == nil), fields[4].isEmpty == (closes == nil)
            else {
                throw DataFault(
                    file: table.file, line: row.line, reason: "is neither closed, short with a closing time nor late with an opening time")
            }
            let special = CalendarRules.Special(kind: kind, opens: opens, closes: closes, isVerified: isVerified)
            var list = lists[String(fields[0])] ?? List(line: row.line)
            if kind == .short, list.shortLine == nil { list.shortLine = row.line }
            lists[String(fields[0])] = nil
            guard list.days.updateValue(special, forKey: day) == nil else {
                throw DataFault(file: table.file, line: row.line, reason: "names a date twice")
            }
            guard (day + 4) % 7 != 0, (day + 4) % 7 != 6 else {
                throw DataFault(file: table.file, line: row.line, reason: "is a weekend, which needs no row")
            }
            lists[String(fields[0])] = list
        }
        return lists
    }

    private static let phases: [Substring: Phase] = [
        "auction_input": .auctionInput, "auction_no_cancel": .auctionNoCancel, "auction_matching": .auctionMatching,
        "continuous": .continuous, "break": .break, "pre_market": .preMarket, "post_market": .postMarket, "night": .night,
    ]

    private static func readSessions(_ table: CSVTable) throws(DataFault) -> [String: [CalendarRules.Row]] {
        let columns = sessionColumns.map(table.index)
        var sessions: [String: [CalendarRules.Row]] = [:]
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let type = CalendarRules.DayType(rawValue: String(fields[1])), let phase = phases[fields[2]],
                let start = minute(fields[3]), let end = fields[4] == "close" ? .some(nil) : minute(fields[4]).map(Optional.some),
                let base = CalendarRules.Base(rawValue: String(fields[5])),
                fields[6].isEmpty || TradingDay(fields[6]) != nil, fields[7].isEmpty || TradingDay(fields[7]) != nil,
                let isVerified = flag(fields[11]), base != .day || end.map({ $0 > start }) ?? true
            else {
                throw DataFault(file: table.file, line: row.line, reason: "has an unknown day type, phase, time, base, date or mark")
            }
            sessions[String(fields[0]), default: []].append(
                .init(
                    dayType: type, phase: phase, start: start, end: end, base: base, from: TradingDay(fields[6])?.daysSince1970 ?? .min,
                    to: TradingDay(fields[7])?.daysSince1970 ?? .max,
                    actions: try actions(fields[8], fields[9], fields[10], row.line, table.file), isVerified: isVerified, line: row.line))
        }
        return sessions
    }

    private static func actions(
        _ entry: Substring, _ amend: Substring, _ cancel: Substring, _ line: Int, _ file: String
    ) throws(DataFault) -> OrderActions? {
        if entry.isEmpty, amend.isEmpty, cancel.isEmpty { return nil }
        guard ["yes", "no", "auction"].contains(entry), ["yes", "no", ""].contains(amend), ["yes", "no"].contains(cancel) else {
            throw DataFault(file: file, line: line, reason: "has an unknown permission")
        }
        var actions: OrderActions = entry == "yes" ? .entry : entry == "auction" ? .auctionEntry : []
        if amend == "yes" { actions.insert(.amend) }
        if amend.isEmpty { actions.insert(.amendUnknown) }
        if cancel == "yes" { actions.insert(.cancel) }
        return actions
    }

    /// `HH:MM` as minutes of the day.
    static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0...24).contains(hour), (0..<60).contains(minute), hour < 24 || minute == 0
        else { return nil }
        return hour * 60 + minute
    }
}
