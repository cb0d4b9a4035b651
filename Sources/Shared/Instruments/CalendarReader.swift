import Foundation
import Messages
import Streams

enum CalendarReader {
    static func read(_ folder: DataFolder) throws(DataFault) -> MarketCalendar {
        let calendars = try CSVTable(
            path: folder.file("tables/calendars.csv"), required: ["calendar", "time_zone", "holidays", "days_from", "days_to"])
        let holidays = try readHolidays(
            CSVTable(path: folder.file("tables/holidays.csv"), required: ["calendar", "date", "kind", "close_local"]))
        let sessions = try readSessions(
            CSVTable(
                path: folder.file("tables/sessions.csv"),
                required: ["calendar", "day_type", "phase", "start_local", "end_local", "base", "effective_from", "effective_to"]))
        var rules: [CalendarID: MarketCalendar.Rules] = [:]
        for row in calendars.rows {
            let fields = ["calendar", "time_zone", "holidays", "days_from", "days_to"].map { row.fields[calendars.index($0)] }
            guard let zone = TimeZone(identifier: String(fields[1])), let from = TradingDay(fields[3]), let to = TradingDay(fields[4])
            else {
                throw DataFault(file: calendars.file, line: row.line, reason: "names an unknown time zone or a wrong date")
            }
            var rule = MarketCalendar.Rules(zone: zone, from: from, to: to)
            rule.holidays = holidays[String(fields[2])] ?? [:]
            rule.rows = sessions[String(fields[0])] ?? []
            guard !rule.rows.isEmpty else { throw DataFault(file: calendars.file, line: row.line, reason: "has no sessions") }
            rules[CalendarID(String(fields[0]))] = rule
        }
        return MarketCalendar(rules: rules)
    }

    private static func readHolidays(_ table: CSVTable) throws(DataFault) -> [String: [TradingDay: MarketCalendar.Holiday]] {
        let columns = ["calendar", "date", "kind", "close_local"].map(table.index)
        var holidays: [String: [TradingDay: MarketCalendar.Holiday]] = [:]
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let day = TradingDay(fields[1]) else {
                throw DataFault(file: table.file, line: row.line, reason: "date is not YYYY-MM-DD")
            }
            let close = minute(fields[3])
            guard fields[2] == "closed" ? fields[3].isEmpty : fields[2] == "short" && close != nil else {
                throw DataFault(file: table.file, line: row.line, reason: "is neither closed nor short with a closing time")
            }
            guard holidays[String(fields[0]), default: [:]].updateValue(.init(closeMinute: close), forKey: day) == nil else {
                throw DataFault(file: table.file, line: row.line, reason: "names a date twice")
            }
        }
        return holidays
    }

    private static let phases: [Substring: Phase] = [
        "auction_input": .auctionInput, "auction_no_cancel": .auctionNoCancel, "auction_matching": .auctionMatching,
        "continuous": .continuous, "break": .break, "pre_market": .preMarket, "post_market": .postMarket, "night": .night,
    ]

    private static func readSessions(_ table: CSVTable) throws(DataFault) -> [String: [MarketCalendar.Row]] {
        let columns = ["calendar", "day_type", "phase", "start_local", "end_local", "base", "effective_from", "effective_to"].map(
            table.index)
        var sessions: [String: [MarketCalendar.Row]] = [:]
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let type = MarketCalendar.DayType(rawValue: String(fields[1])), let phase = phases[fields[2]],
                let start = minute(fields[3]),
                let end = fields[4] == "close" ? .some(nil) : minute(fields[4]).map(Optional.some),
                let base = MarketCalendar.Row.Base(rawValue: String(fields[5])),
                fields[6].isEmpty || TradingDay(fields[6]) != nil, fields[7].isEmpty || TradingDay(fields[7]) != nil
            else { throw DataFault(file: table.file, line: row.line, reason: "has an unknown day type, phase, time, base or date") }
            sessions[String(fields[0]), default: []].append(
                .init(
                    dayType: type, phase: phase, start: start, end: end, base: base, from: TradingDay(fields[6]), to: TradingDay(fields[7]))
            )
        }
        return sessions
    }

    /// `HH:MM` as minutes of the day.
    static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0...24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
