import Diagnostics
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// `calendar`: the sessions of a day, from the tables beside the program; no server is asked.
/// `market status`: what each market does at market time, which the server tells, or at a time given.
enum CalendarCommands {
    static let calendar = Command(
        words: ["calendar"], summary: .helpCommandCalendar, arguments: "MARKET|SYMBOL DATE [TO]", count: 0...3
    ) { invocation in
        let shipped = try shipped()
        guard let name = invocation.positional.first else { throw Usage.missing("MARKET") }
        guard invocation.positional.count > 1 else { throw Usage.missing("DATE") }
        let days = try zip(["DATE", "TO"], invocation.positional.dropFirst()).map { argument, text throws -> TradingDay in
            guard let day = TradingDay(text) else { throw Usage.invalid(argument, text, .date) }
            return day
        }
        guard days[0] <= days[days.count - 1] else { throw Usage.invalid("TO", invocation.positional[2], .date(from: days[0].description)) }
        let subject = try CalendarSubject(name, shipped, on: days[0], invocation)
        do throws(CalendarFault) {
            if days.count == 1 {
                try show(days[0], subject, invocation)
            } else {
                try list(days[0], days[1], subject, invocation)
            }
        } catch { throw error.failure }
    }

    static func status(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["market", "status"], summary: .helpCommandMarketStatus, arguments: "[MARKET…]", count: 0...100,
            options: [.value("at", "TIME", .helpOptionAtMarket)]
        ) { invocation in
            let calendar = try shipped().calendar
            let asked = try invocation.positional.map { try named($0, calendar) }
            let moment = try await MarketMoment(invocation, open, .live)
            let now = moment.time
            let rows = try (asked.isEmpty ? calendar.all : asked).map { facts throws(Failure) in
                do throws(CalendarFault) { return try MarketStatus(facts, calendar, now) } catch { throw error.failure }
            }
            invocation.output.show(
                .object([
                    .init("time", .string(TimeFormat.utc.rfc3339(now.nanoseconds))), .init("clock", .string(moment.clock)),
                    .init("markets", .array(rows.map(\.json))),
                ]),
                text: MarketStatus.table(rows, invocation.language).lines(within: Output.width)
                    + MarketStatus.remarks(rows, moment, invocation.language))
        }
    }

    static func shipped() throws -> MarketFacts {
        do throws(DataFault) { return try MarketFacts(DataFolder.locate()) } catch {
            throw Failure(.dataCorrupt, .init("path", error.description))
        }
    }

    static func named(_ text: String, _ calendar: MarketCalendar) throws -> CalendarFacts {
        guard let facts = calendar.named(text) else {
            throw Failure(.marketUnknown, .init("market", String(text.prefix(32))), .init("known", known(calendar)))
        }
        return facts
    }

    /// Every market by its names.
    static func known(_ calendar: MarketCalendar) -> String {
        calendar.all.map { ([$0.id.rawValue] + $0.also).joined(separator: " ") }.joined(separator: ", ")
    }

    private static func show(
        _ day: TradingDay, _ subject: CalendarSubject, _ invocation: Invocation
    ) throws(CalendarFault) {
        let facts = subject.facts
        let found = try subject.day(day)
        let next = try? subject.calendar.tradingDay(1, from: day, facts.id)
        let language = invocation.language
        func words(_ text: Text) -> String { text.words(in: language) }
        var table = Table(
            in: language, (.fieldPhase, .left), (.fieldStart, .left), (.fieldEnd, .left), (.fieldStartUtc, .left), (.fieldEndUtc, .left),
            (.fieldTaken, .left))
        let clock = facts.clock
        func time(_ moment: MarketInstant, _ clock: TimeFormat) -> String {
            let text = clock.minute(moment.nanoseconds)
            return text.hasPrefix(day.description) ? String(text.suffix(5)) : String(text.dropFirst(5))
        }
        table.rows = (found.sessions ?? []).map { session in
            [
                words(session.phase.text), time(session.start, clock), time(session.end, clock), time(session.start, .utc),
                time(session.end, .utc), taken(session.actions, language),
            ]
        }
        var lines = subject.heading(on: day, language)
        lines += [
            "\(facts.name(language))  \(day)  \(facts.timeZone)", "\(words(subject.word(found)))  \(words(found.certainty.text))",
        ]
        if found.sessions == nil { lines.append(words(.calendarHoursUnknown)) }
        if !table.rows.isEmpty { lines += table.lines(within: Output.width) }
        if let next { lines.append(words(.calendarNext(day: next.description))) }
        invocation.output.show(json(found, subject, next), text: lines)
    }

    /// One line a date, weekends left out, which is said. Programs get every date, an object a line.
    private static func list(
        _ from: TradingDay, _ to: TradingDay, _ subject: CalendarSubject, _ invocation: Invocation
    ) throws(CalendarFault) {
        var days: [CalendarDay] = []
        for number in from.daysSince1970...max(from.daysSince1970, to.daysSince1970) {
            if let day = TradingDay(daysSince1970: number) { days.append(try subject.day(day)) }
        }
        if invocation.wantsJSON {
            for day in days { invocation.output.show(json(day, subject, nil), text: []) }
        } else {
            lines(days, subject, from, invocation.language).forEach(invocation.output.line)
        }
    }

    static func lines(_ days: [CalendarDay], _ subject: CalendarSubject, _ from: TradingDay, _ language: Language) -> [String] {
        let facts = subject.facts
        let clock = facts.clock
        var table = Table(in: language, (.fieldDate, .left), (.calendarDay, .left), (.fieldCertainty, .left), (.calendarHours, .left))
        let shown = days.filter { $0.kind != .weekend }
        table.rows = shown.map { day in
            guard subject.isListed(on: day.date) else {
                return [day.date.description, Text.calendarNotListed.words(in: language), "", ""]
            }
            let hours = day.sessions?.filter(\.isTrading).map {
                clock.clock($0.start.nanoseconds).prefix(5) + "–" + clock.clock($0.end.nanoseconds).prefix(5)
            }
            return [
                day.date.description, day.kind.text.words(in: language), day.certainty.text.words(in: language),
                hours?.joined(separator: " ") ?? Text.calendarHoursUnknown.words(in: language),
            ]
        }
        if shown.isEmpty {
            return subject.heading(on: from, language) + [
                "\(facts.name(language))  \(facts.timeZone)", Text.calendarOnlyWeekends.words(in: language),
            ]
        }
        let first = days.first { subject.isListed(on: $0.date) }?.date ?? from
        return subject.heading(on: first, language) + ["\(facts.name(language))  \(facts.timeZone)"]
            + table.lines(within: nil)
            + (shown.count < days.count ? [Text.calendarNoWeekends.words(in: language)] : [])
    }

    private static func taken(_ actions: OrderActions?, _ language: Language) -> String {
        guard let actions else { return Display.missing }
        var texts: [Text] = []
        if actions.contains(.entry) { texts.append(.calendarTakesNew) }
        if actions.contains(.auctionEntry) { texts.append(.calendarTakesAuction) }
        if actions.contains(.amend) { texts.append(.calendarTakesChange) }
        if actions.contains(.cancel) { texts.append(.calendarTakesCancel) }
        if texts.isEmpty { texts = [.calendarTakesNone] }
        return texts.map { $0.words(in: language) }.joined(separator: language == .english ? ", " : "、")
    }

    private static func json(_ day: CalendarDay, _ subject: CalendarSubject, _ next: TradingDay?) -> JSONValue {
        let facts = subject.facts
        func time(_ moment: MarketInstant, _ clock: TimeFormat) -> JSONValue { .string(clock.rfc3339(moment.nanoseconds)) }
        let sessions = day.sessions.map { sessions -> JSONValue in
            .array(
                sessions.map { session in
                    .object([
                        .init("phase", .string(session.phase.word)), .init("start", time(session.start, facts.clock)),
                        .init("end", time(session.end, facts.clock)), .init("startUTC", time(session.start, .utc)),
                        .init("endUTC", time(session.end, .utc)), .init("orders", session.actions.map(\.json) ?? .null),
                    ])
                })
        }
        var members: [JSONValue.Member] = [
            .init("calendar", .string(facts.id.rawValue)), .init("timeZone", .string(facts.timeZone)),
            .init("date", .string(day.date.description)), .init("kind", .string(day.kind.word)),
            .init("certainty", .string(day.certainty.rawValue)), .init("verified", .bool(day.certainty == .verified)),
            .init("sessions", sessions ?? .null),
        ]
        if let next { members.append(.init("nextTradingDay", .string(next.description))) }
        if let instrument = subject.instrument {
            members.insert(.init("symbol", .string(instrument.symbol)), at: 0)
            members.append(.init("listed", .bool(instrument.isListed(on: day.date))))
        }
        return .object(members)
    }
}

extension ErrorCode {
    /// No calendar has that name. Arguments: `market`, `known` (every name there is).
    static let marketUnknown = ErrorCode("market.unknown")
    /// The name of a market elsewhere, and the code of a share. Arguments: `market`, `symbol`, `name` (of the share), `known`.
    static let marketOrSymbol = ErrorCode("market.or-symbol")
}
