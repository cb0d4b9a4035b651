import Foundation
import Messages
import Streams
import Testing

@testable import Instruments

/// The rules that project later years, held against the years that are known: what they miss is listed here with its reason.
struct HolidayRuleTests {
    /// What rule and data say differently: `2001-09-11 full≠closed`, the rule's first. Storms, which no rule can tell, are left out.
    private func differences(_ id: String, _ rule: HolidayRule, _ years: ClosedRange<Int>) throws -> [String] {
        let index = try shippedCalendar.get().index(CalendarID(id), "")
        var found: [String] = []
        for year in years {
            let ruled = rule.specials(year)
            for number in Civil.day(year, 1, 1)...Civil.day(year, 12, 31) where !Civil.isWeekend(number) {
                let date = try #require(TradingDay(daysSince1970: number))
                let kind = try index.mark(date).kind
                let projected = ruled[number]?.kind ?? .full
                if kind != projected, kind != .weather, kind != .late { found.append("\(date) \(projected)≠\(kind)") }
            }
        }
        return found
    }

    @Test func hongKong() throws {
        #expect(
            try differences("XHKG", .hongKong, 2000...2027) == [
                // Before 2011 a day of Lunar New Year on a Sunday moved to the eve, not to the fourth day.
                "2000-02-04 short≠closed", "2000-02-08 closed≠full",
                // Before 2012 Mid-Autumn itself, a Saturday, was the holiday where the day after it was a Sunday.
                "2002-09-23 closed≠full", "2003-01-31 short≠closed", "2003-02-04 closed≠full", "2006-02-01 closed≠full",
                "2007-02-21 closed≠full", "2009-10-05 closed≠full", "2010-02-17 closed≠full",
                // Seventy years after the war, once.
                "2015-09-03 full≠closed",
            ])
    }

    @Test func unitedStates() throws {
        #expect(
            try differences("XNYS", .unitedStates, 2000...2027) == [
                "2001-09-11 full≠closed", "2001-09-12 full≠closed", "2001-09-13 full≠closed", "2001-09-14 full≠closed",
                // A Thursday Independence Day of that year had its short day on the Friday after.
                "2002-07-03 short≠full", "2002-07-05 full≠short",
                // A Friday after a Thursday Christmas, once.
                "2003-12-26 full≠short",
                // Mourning for presidents.
                "2004-06-11 full≠closed", "2007-01-02 full≠closed", "2018-12-05 full≠closed", "2025-01-09 full≠closed",
            ])
    }

    @Test func chicagoAndNewYorkFutures() throws {
        // The morning of mourning for a president.
        #expect(try differences("XCME", .cmeEquity, 2022...2027) == ["2025-01-09 full≠short"])
        #expect(try differences("XCBT", .cmeRates, 2022...2027) == [])
        #expect(try differences("XCME-FX", .cmeFX, 2022...2027) == [])
        // The list has no short Christmas Eve in these two years, and one in 2026 from two sources.
        let eves = ["2024-12-24 short≠full", "2025-12-24 short≠full"]
        #expect(try differences("XNYM", .cmeEnergy, 2022...2027) == eves)
        #expect(try differences("XCEC", .cmeMetals, 2022...2027) == eves)
    }

    @Test func mainlandBridgeDaysAreAnnouncedYearByYear() throws {
        #expect(try differences("XSGE", .china, 2023...2026).count == 7)
        #expect(HolidayRule.china.specials(2027)[Civil.day(2027, 2, 8)]?.kind == .closed)
    }

    @Test func laterYearsAreProjected() throws {
        let calendar = try shippedCalendar.get()
        for (id, date, kind) in [
            ("XNYS", "2028-04-14", CalendarDay.Kind.closed), ("XNYS", "2028-07-03", .short), ("XNYS", "2027-12-31", .full),
            ("XHKG", "2029-02-13", .closed), ("XHKG", "2029-02-12", .short), ("XHKF", "2029-02-13", .closed),
            ("XHKG", "2028-01-26", .closed),
            ("XCEC", "2029-06-19", .short), ("XSGE", "2027-10-04", .closed), ("XHKG", "2028-01-03", .full),
        ] {
            let date = try day(date)
            #expect(try calendar.day(date, CalendarID(id)).kind == kind, "\(id) \(date)")
        }
        #expect(throws: CalendarFault.self) { try calendar.day(day("2041-01-01"), .hongKong) }
        #expect(throws: CalendarFault.self) { try calendar.phase(.hongKong, at: utc("1999-12-30T02:00:00Z")) }
        #expect(throws: CalendarFault.self) { try calendar.phase(CalendarID("XLON"), at: utc("2026-11-30T02:00:00Z")) }
    }

    @Test func theFormulasAgreeWithKnownDates() {
        #expect(Civil.easter(2026) == Civil.day(2026, 4, 5) && Civil.easter(2000) == Civil.day(2000, 4, 23))
        #expect(Civil.easter(2038) == Civil.day(2038, 4, 25) && Civil.easter(2035) == Civil.day(2035, 3, 25))
        #expect(LunarDates(2033).day(1, 1) == Civil.day(2033, 1, 31) && LunarDates(2033).day(8, 15) == Civil.day(2033, 9, 8))
        #expect(LunarDates(2025).day(9, 9) == Civil.day(2025, 10, 29))
    }
}

/// What is wrong with the tables is told with file and line.
struct CalendarTableFaultTests {
    private static let hours = "XHKG,full,continuous,09:30,12:00,day,,,yes,yes,yes,yes\n"

    private func fault(
        calendars: String = "XHKG,Asia/Hong_Kong,XHKG,2000-01-01,2027-12-31,,yes,HK,a,b,c\n", holidays: String = "",
        sessions: String = hours
    ) -> String {
        func table(_ file: String, _ columns: [String], _ rows: String) throws(DataFault) -> CSVTable {
            try CSVTable(text: columns.joined(separator: ",") + "\n" + rows, file: file, required: columns)
        }
        do throws(DataFault) {
            _ = try CalendarReader.read(
                calendars: table("calendars.csv", CalendarReader.calendarColumns, calendars),
                holidays: table("holidays.csv", CalendarReader.holidayColumns, holidays),
                sessions: table("sessions.csv", CalendarReader.sessionColumns, sessions))
            return ""
        } catch { return "\(error)" }
    }

    /// A closed day in each year.
    private static let holidays = (2000...2027).map { "XHKG,\($0)-10-\(Civil.isWeekend(Civil.day($0, 10, 10)) ? 13 : 10),closed,,,yes\n" }

    @Test func aSoundTableIsRead() { #expect(fault(holidays: Self.holidays.joined()) == "") }

    /// Christmas would be a full day, and verified.
    @Test func aListWithoutAClosedDayIsNoList() {  // issue 4.1
        #expect(fault() == "calendars.csv:2: has no closed day from 2000-01-01 to 2027-12-31 in holidays.csv")
        let gap = Self.holidays.filter { !$0.hasPrefix("XHKG,2026") }.joined()
        #expect(fault(holidays: gap) == "calendars.csv:2: has no closed day of 2026 in holidays.csv")
        let short = gap + "XHKG,2026-12-24,short,,12:00,yes\n"
        let hours = Self.hours + Self.hours.replacing("full", with: "short")
        #expect(fault(holidays: short, sessions: hours) == "calendars.csv:2: has no closed day of 2026 in holidays.csv")
        let unnamed = "XHKG,Asia/Hong_Kong,,2000-01-01,2027-12-31,,yes,HK,a,b,c\n"
        #expect(fault(calendars: unnamed, holidays: Self.holidays.joined()) == "calendars.csv:2: names no list of holidays")
    }

    @Test func aTradingDayHasTrading() {
        let auction = Self.hours.replacing("continuous", with: "auction_input")
        #expect(
            fault(holidays: Self.holidays.joined(), sessions: auction)
                == "sessions.csv:2: leaves a trading day without trading, 2000-01-03")
    }

    @Test(arguments: [
        ("XHKG,Mars/Base,XHKG,2000-01-01,2027-12-31,,yes,HK,a,b,c\n", "calendars.csv:2: names an unknown time zone"),
        (
            "XHKG,Asia/Hong_Kong,XHKG,2027-01-01,2000-12-31,,yes,HK,a,b,c\n",
            "calendars.csv:2: has wrong dates or is neither verified nor not"
        ),
        ("XHKG,Asia/Hong_Kong,XHKG,2000-01-01,2027-12-31,moon,yes,HK,a,b,c\n", "calendars.csv:2: names an unknown rule moon"),
        ("XHKG,Asia/Hong_Kong,XHKG,2000-01-01,2027-12-31,,yes,XHKG,a,b,c\n", "calendars.csv:2: names XHKG twice"),
        ("XLON,Europe/London,XHKG,2000-01-01,2027-12-31,,yes,UK,a,b,c\n", "calendars.csv:2: has no sessions"),
    ])
    func ofCalendars(rows: String, text: String) { #expect(fault(calendars: rows) == text) }

    @Test(arguments: [
        ("XHKG,2026-12-32,closed,,,yes\n", "holidays.csv:2: date is not YYYY-MM-DD"),
        (
            "XHKG,2026-12-25,closed,,12:00,yes\n",
            "holidays.csv:2: is neither closed, short with a closing time nor late with an opening time"
        ),
        ("XHKG,2026-12-25,closed,,,yes\nXHKG,2026-12-25,closed,,,yes\n", "holidays.csv:3: names a date twice"),
        ("XHKG,2026-12-26,closed,,,yes\n", "holidays.csv:2: is a weekend, which needs no row"),
        ("XLON,2026-12-25,closed,,,yes\n", "holidays.csv:2: is of a list that no calendar follows"),
        ("XHKG,2026-12-24,short,,12:00,yes\n", "holidays.csv:2: is a short day, for which XHKG has no hours"),
    ])
    func ofHolidays(rows: String, text: String) { #expect(fault(holidays: rows) == text) }

    @Test(arguments: [
        ("XHKG,full,continuous,11:00,16:00,day,,,yes,yes,yes,yes\n", "sessions.csv:3: overlaps line 2"),
        ("XHKG,full,continuous,13:00,16:00,day,,,yes,yes,yes,yes\n", "sessions.csv:3: leaves a gap after line 2"),
        ("XLON,full,continuous,13:00,16:00,day,,,yes,yes,yes,yes\n", "sessions.csv:3: is of an unknown calendar"),
        ("XHKG,full,lunch,12:00,13:00,day,,,no,no,no,yes\n", "sessions.csv:3: has an unknown day type, phase, time, base, date or mark"),
        ("XHKG,full,break,13:00,12:00,day,,,no,no,no,yes\n", "sessions.csv:3: has an unknown day type, phase, time, base, date or mark"),
        ("XHKG,full,break,12:00,13:00,day,,,maybe,no,no,yes\n", "sessions.csv:3: has an unknown permission"),
        ("XHKG,full,break,12:00,close,day,,,no,no,no,yes\n", "sessions.csv:3: ends at a close that no holiday row gives"),
    ])
    func ofSessions(rows: String, text: String) { #expect(fault(sessions: Self.hours + rows) == text) }

    @Test func hoursWithoutAnEndOrWithAGapBetweenYears() {
        let first = "XHKG,full,continuous,09:30,12:00,day,,2011-03-06,yes,yes,yes,yes\n"
        #expect(fault(sessions: first) == "sessions.csv:2: leaves no hours after 2011-03-06")
        let second = "XHKG,full,continuous,09:30,12:00,day,2011-03-09,,yes,yes,yes,yes\n"
        #expect(fault(sessions: first + second) == "sessions.csv:3: leaves a gap between 2011-03-07 and 2011-03-09")
    }

    @Test func aSessionAcrossAChangeOfTheClocks() {
        let night = "XNYS,full,night,20:00,04:00,previous_calendar_day,,,yes,yes,yes,yes\n"
        let zone = "XNYS,America/New_York,XNYS,2000-01-01,2027-12-31,,yes,US,a,b,c\n"
        #expect(fault(calendars: zone, holidays: Self.holidays.joined().replacing("XHKG", with: "XNYS"), sessions: night) == "")
        let tehran = zone.replacing("America/New_York", with: "Asia/Tehran")
        #expect(fault(calendars: tehran, sessions: night).hasPrefix("calendars.csv:2: has a session across a change of the clocks, on 20"))
    }

    @Test func aNightThatRunsIntoTheDayBefore() {
        let night = "XHKG,full,night,11:00,09:00,previous_calendar_day,,,yes,yes,yes,yes\n"
        #expect(fault(sessions: Self.hours + night) == "calendars.csv:2: has overlapping days, on 2000-01-04")
    }
}
