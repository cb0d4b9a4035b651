import Exact
import Foundation
import Messages
import Streams
import Testing

@testable import Instruments

private func vectors(_ name: String) throws -> [String: Any] {
    let url = URL(fileURLWithPath: try DataFolder.locate().path + "/../Tests/Fixtures/calendar/\(name).json")
    return try #require(JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
}

/// Read once for all tests of this file: they only ask.
let shippedCalendar = Result { try shippedFacts().calendar }

struct CalendarVectorTests {
    let calendar: MarketCalendar
    init() throws { calendar = try shippedCalendar.get() }

    @Test func hongKongAgreesWithEveryVector() throws {  // CAL-1, CAL-2, CAL-11
        let root = try vectors("hkex_2007_2027")
        let closed = Set(try #require(root["closed_weekdays"] as? [String]))
        let half = Set(try #require(root["half_days"] as? [String]))
        let late = try #require(root["late_opens"] as? [String: String])
        try each(.hongKong) { day, kind in
            guard day.year >= 2007, day.year % 3 != 0 else { return }
            let text = day.description
            let expected: CalendarDay.Kind =
                closed.contains(text) ? .closed : half.contains(text) ? .short : late[text] != nil ? .late : .full
            // The vectors leave two half days out; ours say that they are not verified.
            if text != "2008-02-06", text != "2011-02-02" {
                #expect(kind == expected || kind == .weather && expected == .closed, "\(text) is \(kind)")
            }
        }
        for vector in try #require(root["days"] as? [[String: Any]]) {
            let date = try day(#require(vector["date"] as? String))
            let sessions = try calendar.sessions(.hongKong, of: date)
            let expected = try (vector["continuous_utc"] as? [[String]] ?? []).map { try $0.map { try utc($0) } }
            #expect(sessions.filter(\.isTrading).map { [$0.start, $0.end] } == expected, "\(date)")
            if let auction = try (vector["closing_auction_utc"] as? [String])?.map({ try utc($0) }) {
                #expect(sessions.contains { $0.start == auction[0] } && sessions.last?.end == auction[1], "\(date)")
            }
        }
    }

    @Test func newYorkAgreesWithEveryVector() throws {  // CAL-4, CAL-5, CAL-7
        let root = try vectors("nyse_2007_2027")
        let closed = Set(try #require(root["closed_weekdays"] as? [String]))
        let early = Set(try #require(root["early_closes"] as? [String]))
        try each(.unitedStates) { day, kind in
            guard day.year >= 2007, day.year % 3 != 0 else { return }
            let text = day.description
            let expected: CalendarDay.Kind = closed.contains(text) ? .closed : early.contains(text) ? .short : .full
            // The vectors do not tell a storm from a holiday.
            #expect(kind == expected || kind == .weather && expected == .closed, "\(text) is \(kind)")
        }
        for vector in try #require(root["days"] as? [[String: Any]]) {
            let date = try day(#require(vector["date"] as? String))
            let sessions = try calendar.sessions(.unitedStates, of: date)
            guard vector["open"] as? Bool == true else {
                #expect(sessions.isEmpty, "\(date)")
                continue
            }
            let regular = try #require(sessions.first { $0.phase == .continuous })
            #expect(try regular.start == utc(#require(vector["open_utc"] as? String)), "\(date)")
            #expect(try regular.end == utc(#require(vector["close_utc"] as? String)), "\(date)")
            #expect(try sessions.first?.start == utc(#require(vector["pre_market_start_utc"] as? String)), "\(date)")
            #expect(try sessions.last?.end == utc(#require(vector["post_market_end_utc"] as? String)), "\(date)")
        }
    }

    @Test func futuresAgreeWithEveryVector() throws {  // CAL-10, C-1
        let calendars = ["CME ES": "XCME", "HKFE HSI": "XHKF", "SHFE rb": "XSGE", "SHFE ag": "XSGE-0230"]
        for vector in try #require(vectors("futures_trade_date")["cases"] as? [[String: Any]]) {
            let product = try #require(vector["product"] as? String)
            let id = CalendarID(try #require(calendars[product]))
            let moment = try utc(#require(vector["utc"] as? String))
            let phase = try calendar.phase(id, at: moment)
            #expect((phase == .continuous || phase == .night) == (vector["state"] as? String == "open"), "\(product) \(moment)")
            guard let date = vector["trade_date"] as? String else { continue }
            #expect(try calendar.tradingDay(id, at: moment) == day(date), "\(product) \(moment)")
        }
    }

    private func each(_ id: CalendarID, _ body: (TradingDay, CalendarDay.Kind) throws -> Void) throws {
        let last = try day("2027-12-31").daysSince1970
        for number in try day("2000-01-01").daysSince1970...last {
            let date = try #require(TradingDay(daysSince1970: number))
            let kind = try calendar.index(id, "").mark(date).kind
            if kind != .weekend { try body(date, kind) }
        }
    }
}

struct CalendarHistoryTests {
    let calendar: MarketCalendar
    init() throws { calendar = try shippedCalendar.get() }

    private func hours(_ id: String, _ date: String) throws -> String {
        let id = CalendarID(id)
        let zone = try calendar.index(id, "").zone
        func clock(_ moment: MarketInstant) -> String {
            let minutes = Int(zone.local(moment) / .nanosecondsPerMinute) % 1440
            return "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)"
        }
        return try calendar.sessionAxis(id, of: day(date)).map { clock($0.start) + "-" + clock($0.end) }.joined(separator: " ")
    }

    @Test(arguments: [
        ("XHKG", "2010-06-01", "10:00-12:30 14:30-16:00"), ("XHKG", "2011-06-01", "09:30-12:00 13:30-16:00"),
        ("XHKG", "2012-03-02", "09:30-12:00 13:30-16:00"), ("XHKG", "2012-03-05", "09:30-12:00 13:00-16:00"),
        ("XHKG", "2007-12-24", "10:00-12:30"), ("XHKG", "2023-10-09", "14:00-16:00"), ("XHKG", "2008-06-25", "14:30-16:00"),
        ("XHKF", "2013-04-08", "09:15-12:00 13:00-16:15"), ("XHKF", "2013-04-09", "17:00-23:00 09:15-12:00 13:00-16:15"),
        ("XHKF", "2016-07-25", "17:15-23:45 09:15-12:00 13:00-16:30"), ("XHKF", "2018-03-01", "17:15-01:00 09:15-12:00 13:00-16:30"),
        ("XHKF", "2026-12-24", "17:15-03:00 09:15-12:30"), ("XHKF", "2026-12-28", "09:15-12:00 13:00-16:30"),
        ("XNYS", "2005-03-01", "09:30-16:00"), ("XNYS", "2026-11-27", "09:30-13:00"),
        ("XCME", "2026-11-27", "17:00-08:30 08:30-12:15"), ("XCME", "2023-04-07", "17:00-08:15"), ("XCME", "2025-01-09", "17:00-08:30"),
        ("XCME", "2025-07-03", "17:00-08:30 08:30-12:15"),
        ("XCME", "2021-06-25", "17:00-08:30 08:30-15:15 15:30-16:00"), ("XCEC", "2026-11-27", "17:00-07:20 07:20-13:45"),
        ("XNYM", "2026-06-19", "17:00-08:00 08:00-12:00"), ("XCBT", "2026-11-27", "17:00-07:20 07:20-12:15"),
        ("XCME-FX", "2026-11-30", "17:00-07:20 07:20-16:00"), ("XSGE", "2026-11-30", "21:00-23:00 09:00-10:15 10:30-11:30 13:30-15:00"),
        ("XSGE", "2026-10-08", "09:00-10:15 10:30-11:30 13:30-15:00"),
        ("XSGE-0100", "2026-11-27", "21:00-01:00 09:00-10:15 10:30-11:30 13:30-15:00"),
        ("XSGE", "2020-03-02", "09:00-10:15 10:30-11:30 13:30-15:00"), ("CCFX", "2015-06-01", "09:15-11:30 13:00-15:15"),
        ("CCFX", "2026-11-30", "09:30-11:30 13:00-15:00"),
    ])
    func hoursOfTheirTime(id: String, date: String, expected: String) throws {  // CAL-11, K-4, G-6
        #expect(try hours(id, date) == expected)
    }

    @Test(arguments: [
        ("rb", "XSGE"), ("cu", "XSGE-0100"), ("CU", "XSGE-0100"), ("ni", "XSGE-0100"), ("au", "XSGE-0230"), ("ag", "XSGE-0230"),
    ])
    func theNightOfAMetalIsThatOfItsProduct(product: String, expected: String) throws {  // CAL-11
        let contract = Instrument(
            id: InstrumentID(1), market: .xsge, code: product + "2612", symbol: product.uppercased() + "2612.SHFE", kind: .future,
            currency: .hkd, names: .init(english: product, simplified: "", traditional: ""), lot: .one, multiplier: 5, decimals: 0,
            tickTable: product,
            future: .init(
                product: product, expiry: try day("2026-12-15"), lastMinute: nil, initialMargin: Money(micros: 1, currency: .hkd),
                maintenanceMargin: Money(micros: 1, currency: .hkd)))
        #expect(contract.calendar.rawValue == expected)
        #expect(calendar.all.contains { $0.id == contract.calendar })
    }

    @Test func aDaySaysHowSureItIs() throws {
        func certainty(_ id: String, _ date: String) throws -> CalendarDay.Certainty {
            try calendar.day(day(date), CalendarID(id)).certainty
        }
        #expect(try certainty("XHKG", "2026-11-30") == .verified)
        #expect(try certainty("XHKG", "2008-02-06") == .unverified && certainty("XHKG", "2011-02-02") == .unverified)
        #expect(try certainty("XHKF", "2026-12-24") == .unverified)
        #expect(try certainty("XNYS", "2028-01-03") == .projected)
        #expect(try calendar.day(day("2021-10-13"), .hongKong).kind == .weather)
        #expect(try calendar.day(day("2026-11-29"), .hongKong).kind == .weekend)
    }

    @Test func permissionsStandWithThePhase() throws {
        func actions(_ moment: String) throws -> OrderActions? {
            try calendar.sessions(.hongKong, of: day("2026-11-30")).first { try $0.contains(utc(moment)) }?.actions
        }
        #expect(try actions("2026-11-30T01:05:00Z") == [.entry, .amend, .cancel])
        #expect(try actions("2026-11-30T01:16:00Z") == .auctionEntry)
        #expect(try actions("2026-11-30T04:15:00Z") == [] && actions("2026-11-30T04:30:00Z") == .cancel)
        #expect(try calendar.sessions(.hongKongFutures, of: day("2026-11-30")).last?.actions == [.entry, .amendUnknown, .cancel])
    }

    @Test func theNextCloseIsTheEndOfWhatRuns() throws {  // K-4
        #expect(try calendar.nextClose(.hongKong, after: utc("2026-11-30T02:00:00Z")) == utc("2026-11-30T04:00:00Z"))
        #expect(try calendar.nextClose(.hongKong, after: utc("2026-11-30T04:00:00Z")) == utc("2026-11-30T08:00:00Z"))
        #expect(try calendar.nextClose(CalendarID("XCME"), after: utc("2026-11-30T02:00:00Z")) == utc("2026-11-30T22:00:00Z"))
        #expect(try calendar.nextClose(.unitedStates, after: utc("2026-11-25T23:00:00Z")) == utc("2026-11-27T18:00:00Z"))
    }

    @Test func namesOfAMarketLeadToItsCalendar() {
        #expect(calendar.named("hk")?.id == .hongKong && calendar.named("XNAS")?.id == .unitedStates)
        #expect(calendar.named("HKFE")?.id == .hongKongFutures && calendar.named("shfe")?.id.rawValue == "XSGE")
        #expect(calendar.named("LSE") == nil)
    }

    @Test(arguments: UInt64(0)..<200)
    func thePhaseIsThatOfTheSession(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        for facts in calendar.all {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // 2016 to 2040, to the second; every fourth at the edge of a session.
            var moment = MarketInstant(nanoseconds: 1_460_000_000_000_000_000 + Int64(state >> 35) * 1_000_000_000)
            let day = try calendar.tradingDay(facts.id, at: moment)
            let sessions = try calendar.sessions(facts.id, of: day)
            if seed % 4 == 0 { moment = sessions[Int(seed / 4) % sessions.count].end }
            let expected = try calendar.sessions(facts.id, of: calendar.tradingDay(facts.id, at: moment)).first { $0.contains(moment) }
            #expect(try calendar.phase(facts.id, at: moment) == expected?.phase ?? .closed)
            #expect(zip(sessions, sessions.dropFirst()).allSatisfy { one, next in one.end <= next.start })
            #expect(try calendar.nextOpen(facts.id, after: moment) > moment && calendar.nextClose(facts.id, after: moment) > moment)
            let local = try calendar.localDate(facts.id, at: moment)
            let clock = try calendar.localTime(facts.id, at: moment)
            let zone = try #require(TimeZone(identifier: facts.timeZone))
            let seconds = moment.nanoseconds / 1_000_000_000
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(seconds)))
            #expect(Int64(local.daysSince1970) * 86_400 + clock / 1_000_000_000 == seconds + Int64(offset))
        }
    }

    /// Days that no instant can be of are refused, as those are which the calendar does not have.
    @Test(arguments: ["9999-12-31", "2263-01-01"]) func aDayBeyondAllInstantsIsRefused(date: String) throws {
        let far = try day(date)
        #expect(throws: CalendarFault.self) { try calendar.instant(.hongKong, far, localNanoseconds: 36_000_000_000_000) }
    }

    @Test func midnightsAreOfTheirDay() throws {  // CAL-8
        func hours(_ date: String) throws -> Int64 {
            let from = try day(date)
            let to = try #require(TradingDay(daysSince1970: from.daysSince1970 + 1))
            let start = try calendar.instant(.unitedStates, from, localNanoseconds: 0)
            return try start.duration(to: calendar.instant(.unitedStates, to, localNanoseconds: 0)).nanoseconds / 3_600_000_000_000
        }
        #expect(try hours("2025-03-09") == 23 && hours("2025-11-02") == 25 && hours("2025-03-10") == 24)
    }
}
