import Diagnostics
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// The time markets are asked for: a given one, the server's, or where no server can be asked this computer's. Calendars are dated
/// data: they need no server.
struct MarketMoment {
    var time: MarketInstant
    /// `given`, `server`, `computer`.
    var clock: String
    /// Why no server was asked.
    var unasked: Failure?

    init(_ invocation: Invocation, _ open: @escaping ClientOpener, _ wall: WallClock) async throws {
        if let text = invocation["at"] {
            guard let given = Timestamp.read(text) else { throw Usage.invalid("--at", text, .time) }
            (time, clock) = (given, "given")
            return
        }
        do {
            (time, clock) = (try await open(invocation).marketTime(), "server")
        } catch let failure as Failure where [.notSignedIn, .noConnection].contains(ExitStatus(failure.code)) {
            (time, clock, unasked) = (MarketInstant(nanoseconds: wall.now()), "computer", failure)
        }
    }
}

/// What a market does at a moment.
struct MarketStatus {
    var facts: CalendarFacts
    var now: MarketInstant
    var day: CalendarDay
    var phase: Phase
    var opens: MarketInstant?
    /// When trading that runs or comes next stops, for lunch too.
    var closes: MarketInstant?

    init(_ facts: CalendarFacts, _ calendar: MarketCalendar, _ now: MarketInstant) throws(CalendarFault) {
        self.facts = facts
        self.now = now
        phase = try calendar.phase(facts.id, at: now)
        day = try calendar.day(calendar.tradingDay(facts.id, at: now), facts.id)
        // At the very end of the tables nothing follows.
        closes = try? calendar.nextClose(facts.id, after: now)
        // While it trades, the next opening is the one after it stops: a night session that turns into the day does not open again.
        opens = try? calendar.nextOpen(facts.id, after: phase == .continuous || phase == .night ? closes ?? now : now)
    }

    private var isOpen: Bool { phase == .continuous || phase == .night }

    static func table(_ rows: [Self], _ language: Language) -> Table {
        var table = Table(
            in: language, (.fieldMarket, .left), (.fieldPhase, .left), (.fieldLocalTime, .left), (.fieldNextOpen, .left),
            (.fieldNextClose, .left), (.fieldCertainty, .left), (.fieldName, .left))
        table.rows = rows.map { row in
            func time(_ moment: MarketInstant?) -> String { moment.map { row.facts.clock.minute($0.nanoseconds) } ?? Display.missing }
            return [
                row.facts.id.rawValue, row.phase.text.words(in: language), time(row.now) + " " + row.facts.clock.tag, time(row.opens),
                time(row.closes), row.day.certainty.text.words(in: language), row.facts.name(language),
            ]
        }
        return table
    }

    /// Which clock it was, and that a day is projected.
    static func remarks(_ rows: [Self], _ moment: MarketMoment, _ language: Language) -> [String] {
        var remarks: [Text] = []
        if let failure = moment.unasked { remarks.append(.marketByWallClock(reason: failure.text(in: language))) }
        let ends = rows.filter { $0.day.certainty == .projected }.map(\.facts.dataTo)
        if let last = ends.max() { remarks.append(.marketProjected(date: last.description)) }
        return remarks.map { $0.words(in: language) }
    }

    var json: JSONValue {
        func time(_ moment: MarketInstant?) -> JSONValue { moment.map { .string(facts.clock.rfc3339($0.nanoseconds)) } ?? .null }
        return .object([
            .init("calendar", .string(facts.id.rawValue)), .init("phase", .string(phase.word)), .init("open", .bool(isOpen)),
            .init("localTime", time(now)), .init("timeZone", .string(facts.timeZone)), .init("tradingDay", .string(day.date.description)),
            .init("kind", .string(day.kind.word)), .init("nextOpen", time(opens)), .init("nextClose", time(closes)),
            .init("certainty", .string(day.certainty.rawValue)), .init("verified", .bool(day.certainty == .verified)),
        ])
    }
}

extension CalendarFacts {
    func name(_ language: Language) -> String {
        switch language {
        case .english: names.english
        case .simplifiedChinese: names.simplified
        case .traditionalChinese: names.traditional
        }
    }

    /// Its own zone, named.
    var clock: TimeFormat {
        switch timeZone {
        case "Asia/Hong_Kong": .hongKong
        case "America/New_York": .newYork
        case "America/Chicago": .chicago
        case "Asia/Shanghai": .beijing
        default: TimeFormat(zone: timeZone, tag: timeZone) ?? .utc
        }
    }
}

extension CalendarDay.Kind {
    var text: Text {
        switch self {
        case .full: .calendarFull
        case .short: .calendarShort
        case .late: .calendarLate
        case .weekend: .calendarWeekend
        case .closed: .calendarClosed
        case .weather: .calendarWeather
        }
    }

    var word: String { "\(self)" }
}

extension CalendarDay.Certainty {
    var text: Text {
        switch self {
        case .verified: .calendarVerified
        case .unverified: .calendarUnverified
        case .projected: .calendarProjected
        }
    }
}

extension Phase {
    /// As the sessions table names it: `auction_input`.
    var word: String {
        switch self {
        case .closed: "closed"
        case .auctionInput: "auction_input"
        case .auctionNoCancel: "auction_no_cancel"
        case .auctionMatching: "auction_matching"
        case .continuous: "continuous"
        case .break: "break"
        case .preMarket: "pre_market"
        case .postMarket: "post_market"
        case .night: "night"
        case .halted: "halted"
        default: "unknown"
        }
    }
}

extension OrderActions {
    var json: JSONValue {
        let named: [(Self, String)] = [
            (.entry, "entry"), (.auctionEntry, "auction-entry"), (.amend, "amend"), (.cancel, "cancel"), (.amendUnknown, "amend-unknown"),
        ]
        return .array(named.filter { contains($0.0) }.map { .string($0.1) })
    }
}
