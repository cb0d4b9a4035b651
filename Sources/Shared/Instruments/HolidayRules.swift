import Foundation
import Streams

/// The holidays of years that no list has yet, by the rules the lists of the years before follow. What comes of it is marked projected.
enum HolidayRule: String, Sendable {
    case hongKong = "hong-kong"
    case unitedStates = "united-states"
    case cmeEquity = "cme-equity"
    case cmeEnergy = "cme-energy"
    case cmeMetals = "cme-metals"
    case cmeRates = "cme-rates"
    case cmeFX = "cme-fx"
    case china

    /// By days since 1970; weekends are left out.
    func specials(after: TradingDay, to: TradingDay) -> [Int: CalendarRules.Special] {
        var result: [Int: CalendarRules.Special] = [:]
        for year in (after.daysSince1970 < to.daysSince1970 ? after.year...to.year : to.year...to.year) {
            for (day, special) in specials(year)
            where day > after.daysSince1970 && day <= to.daysSince1970 && !Civil.isWeekend(day) {
                result[day] = special
            }
        }
        return result
    }

    func specials(_ year: Int) -> [Int: CalendarRules.Special] {
        switch self {
        case .hongKong: HongKongHolidays.specials(year)
        case .unitedStates: UnitedStatesHolidays(year).stocks()
        case .cmeEquity, .cmeEnergy, .cmeMetals, .cmeRates, .cmeFX: UnitedStatesHolidays(year).futures(self)
        case .china: ChinaHolidays.specials(year)
        }
    }
}

extension CalendarRules.Special {
    static let closed = CalendarRules.Special(kind: .closed, isVerified: false)

    static func short(_ hour: Int, _ minute: Int) -> Self { .init(kind: .short, closes: hour * 60 + minute, isVerified: false) }
}

/// Days since 1970 from civil dates.
enum Civil {
    static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        guard let date = TradingDay(year: year, month: month, day: day) else { preconditionFailure("\(year)-\(month)-\(day) is no date") }
        return date.daysSince1970
    }

    /// 0: Sunday.
    static func weekday(_ day: Int) -> Int { (day + 4) % 7 }

    static func isWeekend(_ day: Int) -> Bool { weekday(day) == 0 || weekday(day) == 6 }

    /// The `count`th such weekday of a month, from 1; the last one where `count` is 0.
    static func nth(_ count: Int, _ weekday: Int, _ month: Int, _ year: Int) -> Int {
        if count == 0 {
            let last = day(year, month, 31)
            return last - (Self.weekday(last) - weekday + 7) % 7
        }
        let first = day(year, month, 1)
        return first + (weekday - Self.weekday(first) + 7) % 7 + (count - 1) * 7
    }

    /// Easter Sunday by the Gregorian computus (Meeus, Jones and Butcher).
    static func easter(_ year: Int) -> Int {
        let a = year % 19
        let (b, c) = (year / 100, year % 100)
        let h = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
        let l = (32 + 2 * (b % 4) + 2 * (c / 4) - h - c % 4) % 7
        let m = (a + 11 * h + 22 * l) / 451
        return day(year, (h + l - 7 * m + 114) / 31, (h + l - 7 * m + 114) % 31 + 1)
    }

    /// Ching Ming by the usual formula for 2000 to 2099: [0.2422 Y + 4.81] − [Y / 4] of April, Y the last two digits.
    static func chingMing(_ year: Int) -> Int {
        let y = year % 100
        return day(year, 4, (y * 2422 + 48_100) / 10_000 - y / 4)
    }
}

/// New Year's Day, Martin Luther King Day and so on, as the New York exchanges keep them, and what the CME groups make of them.
struct UnitedStatesHolidays {
    private let year: Int
    private let goodFriday: Int
    private let thanksgiving: Int
    /// Days that move to Friday or Monday when they fall on a weekend.
    private let independence: Int
    private let juneteenth: Int?
    private let christmas: Int
    /// Nil where 1 January is a Saturday: the year's end is a working day.
    private let newYear: Int?

    init(_ year: Int) {
        func observed(_ day: Int) -> Int { Civil.weekday(day) == 6 ? day - 1 : Civil.weekday(day) == 0 ? day + 1 : day }
        self.year = year
        goodFriday = Civil.easter(year) - 2
        thanksgiving = Civil.nth(4, 4, 11, year)
        independence = observed(Civil.day(year, 7, 4))
        juneteenth = year >= 2022 ? observed(Civil.day(year, 6, 19)) : nil
        christmas = observed(Civil.day(year, 12, 25))
        let first = Civil.day(year, 1, 1)
        newYear = Civil.weekday(first) == 6 ? nil : observed(first)
    }

    private var mondays: [Int] {
        [Civil.nth(3, 1, 1, year), Civil.nth(3, 1, 2, year), Civil.nth(0, 1, 5, year), Civil.nth(1, 1, 9, year)]
    }

    /// The day before Independence Day ends early when both are weekdays; in 2002 the Friday after it did, and until 2012 a Friday never.
    private var independenceEve: Int? {
        let eve = Civil.day(year, 7, 3)
        return Civil.isWeekend(eve) || Civil.isWeekend(eve + 1) ? nil : eve
    }

    private var christmasEve: Int? {
        let eve = Civil.day(year, 12, 24)
        return Civil.isWeekend(eve) || christmas == eve ? nil : eve
    }

    func stocks() -> [Int: CalendarRules.Special] {
        var days: [Int: CalendarRules.Special] = [:]
        for eve in [thanksgiving + 1, independenceEve, christmasEve].compactMap({ $0 }) { days[eve] = .short(13, 0) }
        for day in mondays + [goodFriday, thanksgiving, independence, christmas] + [newYear, juneteenth].compactMap({ $0 }) {
            days[day] = .closed
        }
        return days
    }

    /// Globex as since 2022. On Good Friday it opens only where the employment report comes out, the first Friday of a month.
    func futures(_ group: HolidayRule) -> [Int: CalendarRules.Special] {
        var days: [Int: CalendarRules.Special] = [:]
        let isCommodity = group == .cmeEnergy || group == .cmeMetals
        if let christmasEve { days[christmasEve] = isCommodity ? .short(12, 45) : .short(12, 15) }
        days[thanksgiving + 1] = isCommodity ? .short(13, 45) : .short(12, 15)
        if group == .cmeEquity, let independenceEve { days[independenceEve] = .short(12, 15) }
        if group != .cmeFX {
            for day in mondays + [thanksgiving, independence] + [juneteenth].compactMap({ $0 }) {
                days[day] = isCommodity && Civil.weekday(day) != 5 ? .short(13, 30) : .short(12, 0)
            }
        }
        let hasReport = goodFriday == Civil.nth(1, 5, 4, year)
        days[goodFriday] = isCommodity || !hasReport ? .closed : group == .cmeEquity ? .short(8, 15) : .short(10, 15)
        for day in [christmas, newYear].compactMap({ $0 }) { days[day] = .closed }
        return days
    }
}

/// The general holidays of Hong Kong and the three half days of its exchange.
enum HongKongHolidays {
    static func specials(_ year: Int) -> [Int: CalendarRules.Special] {
        let easter = Civil.easter(year)
        let lunar = LunarDates(year)
        let newYear = lunar.day(1, 1)
        // In the order in which a holiday that falls on a Sunday, or on another holiday, moves to the next day that is neither.
        var wanted = [
            Civil.day(year, 1, 1), easter - 2, easter - 1, easter + 1, Civil.day(year, 5, 1), Civil.day(year, 7, 1),
            Civil.day(year, 10, 1), Civil.day(year, 12, 25), Civil.day(year, 12, 26), Civil.chingMing(year),
        ]
        wanted += [newYear, newYear + 1, newYear + 2, lunar.day(4, 8), lunar.day(5, 5), lunar.day(8, 15) + 1, lunar.day(9, 9)]
        var holidays = Set(wanted.filter { Civil.weekday($0) != 0 })
        var taken: Set<Int> = []
        for day in wanted where Civil.weekday(day) == 0 || !taken.insert(day).inserted {
            var moved = day + 1
            while Civil.weekday(moved) == 0 || holidays.contains(moved) { moved += 1 }
            holidays.insert(moved)
        }
        var days: [Int: CalendarRules.Special] = [:]
        for eve in [Civil.day(year, 12, 24), Civil.day(year, 12, 31), newYear - 1] { days[eve] = .short(12, 0) }
        for day in holidays { days[day] = .closed }
        return days
    }
}

/// The statutory holidays of the mainland with the weeks the markets have closed since 2025. Which weekdays join them is announced
/// year by year and is not known.
enum ChinaHolidays {
    static func specials(_ year: Int) -> [Int: CalendarRules.Special] {
        let lunar = LunarDates(year)
        let newYear = lunar.day(1, 1)
        let national = Civil.day(year, 10, 1)
        let labour = Civil.day(year, 5, 1)
        var days = [Civil.day(year, 1, 1), Civil.chingMing(year), lunar.day(5, 5), lunar.day(8, 15)]
        for (place, day) in days.enumerated() where Civil.isWeekend(day) {
            days[place] = Civil.weekday(day) == 0 ? day + 1 : day + 2
        }
        days += Array(newYear - 1...newYear + 6) + Array(labour...labour + 4) + Array(national...national + 6)
        return Dictionary(days.map { ($0, .closed) }) { first, _ in first }
    }
}

/// Dates of the Chinese calendar, as Foundation reckons it.
struct LunarDates {
    private let calendar: Calendar
    private let era: Int
    private let cycleYear: Int

    /// The lunar year that begins in that Gregorian year.
    init(_ year: Int) {
        var calendar = Calendar(identifier: .chinese)
        calendar.timeZone = TimeZone(secondsFromGMT: 8 * 3600) ?? .gmt
        self.calendar = calendar
        let summer = Date(timeIntervalSince1970: TimeInterval(Civil.day(year, 7, 1) * 86_400))
        let parts = calendar.dateComponents([.era, .year], from: summer)
        era = parts.era ?? 0
        cycleYear = parts.year ?? 0
    }

    /// Days since 1970 of a date of a month that is no leap month.
    func day(_ month: Int, _ day: Int) -> Int {
        var parts = DateComponents(era: era, year: cycleYear, month: month, day: day, hour: 12)
        parts.isLeapMonth = false
        guard let date = calendar.date(from: parts) else { preconditionFailure("the Chinese calendar has no \(month)/\(day)") }
        return Int((date.timeIntervalSince1970 + 8 * 3600) / 86_400)
    }
}
