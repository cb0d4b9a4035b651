import HTTP
import Instruments
import Messages
import Streams
import Texts

/// Runs the calendar vectors over the shipped tables: a case for each date of a list, for each listed day, for each moment.
enum CalendarCases {
    @Sendable static func recognisesDays(_ json: JSONValue) -> Bool { json["closed_weekdays"] != nil && json["days"] != nil }
    @Sendable static func recognisesMoments(_ json: JSONValue) -> Bool { json["cases"]?[0]?["trade_date"] != nil }

    private static func calendar() throws -> MarketCalendar { try MarketFacts(DataFolder.locate()).calendar }

    private static func day(_ text: String) throws -> TradingDay {
        guard let day = TradingDay(text) else { throw ScenarioFailure("\(text) is no date") }
        return day
    }

    /// The vectors' moments: whole seconds, `2026-11-30T01:30:00Z`.
    private static func instant(_ text: String) throws -> MarketInstant {
        let clock = text.dropFirst(11).dropLast().split(separator: ":").compactMap { Int64($0) }
        guard text.utf8.count == 20, text.hasSuffix("Z"), clock.count == 3 else {
            throw ScenarioFailure("\(text) is no date")
        }
        let seconds = Int64(try day(String(text.prefix(10))).daysSince1970) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        return MarketInstant(nanoseconds: seconds * 1_000_000_000)
    }

    private static func attempt(_ id: String, _ run: () throws -> (passes: Bool, got: String)) -> CaseResult {
        do {
            let outcome = try run()
            return CaseResult(id, passes: outcome.passes, got: outcome.got)
        } catch {
            return CaseResult(id, passes: false, got: "\(error)")
        }
    }

    @Sendable static func days(_ json: JSONValue) throws -> [CaseResult] {
        let calendar = try calendar()
        let isHongKong = try json.string("timezone") == "Asia/Hong_Kong"
        let id: CalendarID = isHongKong ? .hongKong : .unitedStates
        let lists: [(String, [CalendarDay.Kind])] = [
            ("closed_weekdays", [.closed, .weather]), ("half_days", [.short]), ("early_closes", [.short]),
        ]
        var listed: [String: [CalendarDay.Kind]] = [:]
        for (name, kinds) in lists { for date in json[name]?.arrayValue ?? [] { listed[date.stringValue ?? "?"] = kinds } }
        for member in json["late_opens"]?.members ?? [] { listed[member.name] = [.late] }
        // Every weekday of the years the file speaks of: those not divisible by three. It leaves out two half days nobody could verify.
        let range = try json.elements("range").map { try day($0.stringValue ?? "") }
        guard range.count == 2 else { throw ScenarioFailure("range is not two days") }
        var results: [CaseResult] = []
        for number in range[0].daysSince1970...range[1].daysSince1970 {
            guard let date = TradingDay(daysSince1970: number), date.year % 3 != 0 else { continue }
            let found = try calendar.day(date, id)
            let text = date.description
            if found.kind == .weekend || isHongKong && ["2008-02-06", "2011-02-02"].contains(text) { continue }
            results.append(
                CaseResult("\(id.rawValue)-\(text)", passes: (listed[text] ?? [.full]).contains(found.kind), got: "\(found.kind)"))
        }
        for test in try json.elements("days") {
            let name = "\(id.rawValue)-hours-" + (try test.string("date"))
            results.append(attempt(name) { try isHongKong ? hongKong(test, calendar) : newYork(test, calendar) })
        }
        return results
    }

    private static func text(_ sessions: [Session]) -> String {
        sessions.map { "\($0.phase) \($0.start.nanoseconds)–\($0.end.nanoseconds)" }.joined(separator: ", ")
    }

    private static func hongKong(_ test: JSONValue, _ calendar: MarketCalendar) throws -> (passes: Bool, got: String) {
        let sessions = try calendar.sessions(.hongKong, of: day(test.string("date")))
        let axis = sessions.filter(\.isTrading)
        var passes = sessions.isEmpty != (test["open"]?.boolValue ?? false)
        if let expected = test["continuous_utc"]?.arrayValue {
            let wanted = try expected.map { try ($0.arrayValue ?? []).map { try instant($0.stringValue ?? "") } }
            passes = passes && axis.map { [$0.start, $0.end] } == wanted
        }
        if let auction = try test["closing_auction_utc"]?.arrayValue?.map({ try instant($0.stringValue ?? "") }), auction.count == 2 {
            passes = passes && axis.last?.end == auction[0] && sessions.last?.end == auction[1]
        }
        return (passes, text(sessions))
    }

    private static func newYork(_ test: JSONValue, _ calendar: MarketCalendar) throws -> (passes: Bool, got: String) {
        let sessions = try calendar.sessions(.unitedStates, of: day(test.string("date")))
        var passes = sessions.isEmpty != (test["open"]?.boolValue ?? false)
        let regular = sessions.first { $0.phase == .continuous }
        for (name, got) in [
            ("open_utc", regular?.start), ("close_utc", regular?.end), ("pre_market_start_utc", sessions.first?.start),
            ("post_market_end_utc", sessions.last?.end),
        ] {
            if let expected = test[name]?.stringValue { passes = try passes && got == instant(expected) }
        }
        return (passes, text(sessions))
    }

    @Sendable static func moments(_ json: JSONValue) throws -> [CaseResult] {
        let calendar = try calendar()
        let products = ["CME ES": "XCME", "HKFE HSI": "XHKF", "SHFE rb": "XSGE", "SHFE ag": "XSGE-0230"]
        var results: [CaseResult] = []
        for test in try json.elements("cases") {
            let product = try test.string("product")
            let text = try test.string("utc")
            results.append(
                attempt("\(product)-\(text)".replacing(" ", with: "-")) {
                    guard let name = products[product] else { return (false, "unknown product") }
                    let id = CalendarID(name)
                    let moment = try instant(text)
                    let phase = try calendar.phase(id, at: moment)
                    let isOpen = phase == .continuous || phase == .night
                    var passes = try isOpen == (test.string("state") == "open")
                    let date = try calendar.tradingDay(id, at: moment)
                    if let expected = test["trade_date"]?.stringValue { passes = try passes && date == day(expected) }
                    return (passes, "\(phase) of \(date)")
                })
        }
        return results
    }
}
