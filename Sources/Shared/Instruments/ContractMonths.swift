public import Streams

/// A contract's month.
public struct ContractMonth: Hashable, Comparable, Sendable {
    /// Year × 12 + month − 1.
    private let index: Int

    public init?(year: Int, month: Int) {
        guard (1...9998).contains(year), (1...12).contains(month) else { return nil }
        index = year * 12 + month - 1
    }

    private init(index: Int) { self.index = index }

    public var year: Int { index / 12 }
    public var month: Int { index % 12 + 1 }
    public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
    func advanced(by months: Int) -> Self { Self(index: index + months) }
}

/// Which months are listed: one part of the rule of `futures.csv`.
///
/// `4/all`: the nearest four months not yet named; `3/HMUZ`: the nearest three of March, June, September, December not yet named (letters as
/// in contract codes); `23m/MZ`: each June and December within 23 months; `y10/all`: every month to December ten years on.
public struct MonthRule: Hashable, Sendable {
    enum Reach: Hashable {
        case nearest(Int)
        case within(months: Int)
        case years(Int)
    }

    var reach: Reach
    /// 1 to 12.
    var months: Set<Int>

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let letters = parts[1] == "all" ? "FGHJKMNQUVXZ" : String(parts[1])
        let places = letters.map { letter in Array("FGHJKMNQUVXZ").firstIndex(of: letter).map { $0 + 1 } }
        months = Set(places.compactMap(\.self))
        guard !places.isEmpty, !places.contains(nil), months.count == places.count else { return nil }
        if parts[0].hasPrefix("y"), let years = Int(parts[0].dropFirst()), (1...20).contains(years) {
            reach = .years(years)
        } else if parts[0].hasSuffix("m"), let count = Int(parts[0].dropLast()), (1...240).contains(count) {
            reach = .within(months: count)
        } else if let count = Int(parts[0]), (1...240).contains(count) {
            reach = .nearest(count)
        } else {
            return nil
        }
    }

    func add(to listed: inout Set<ContractMonth>, from spot: ContractMonth) {
        switch reach {
        case .nearest(let count):
            var left = count
            var month = spot
            while left > 0 {
                if months.contains(month.month), listed.insert(month).inserted { left -= 1 }
                month = month.advanced(by: 1)
            }
        case .within(let count):
            for month in (0...count).map(spot.advanced) where months.contains(month.month) { listed.insert(month) }
        case .years(let years):
            var month = spot
            while month.year <= spot.year + years {
                if months.contains(month.month) { listed.insert(month) }
                month = month.advanced(by: 1)
            }
        }
    }
}

/// The last trading day of a contract, counted in the exchange's trading days.
public enum LastDayRule: Hashable, Sendable {
    /// `end:N`: the N-th last trading day of the month.
    case fromEnd(Int)
    /// `previous-end:N`: the N-th last trading day of the month before.
    case fromEndOfPrevious(Int)
    /// `before-25th:N`: N trading days before the 25th of the month before; where the 25th is none, before the last one before it.
    case beforeThe25th(Int)
    /// `friday-or-before`, `friday-or-after`: the third Friday, else the trading day before or after it.
    case thirdFriday(orAfter: Bool)
    /// `wednesday:N`: N trading days before the third Wednesday.
    case beforeThirdWednesday(Int)
    /// `day:N`: that day of the month, else the trading day after it.
    case day(Int)
    /// `trading-day:N`: the N-th trading day of the month.
    case tradingDay(Int)

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let number = parts.count == 2 ? Int(parts[1]).flatMap { (1...25).contains($0) ? $0 : nil } : nil
        switch (String(parts.first ?? ""), number) {
        case ("end", let number?): self = .fromEnd(number)
        case ("previous-end", let number?): self = .fromEndOfPrevious(number)
        case ("before-25th", let number?): self = .beforeThe25th(number)
        case ("wednesday", let number?): self = .beforeThirdWednesday(number)
        case ("day", let number?): self = .day(number)
        case ("trading-day", let number?): self = .tradingDay(number)
        case ("friday-or-before", nil) where parts.count == 1: self = .thirdFriday(orAfter: false)
        case ("friday-or-after", nil) where parts.count == 1: self = .thirdFriday(orAfter: true)
        default: return nil
        }
    }
}

extension FutureProduct {
    /// The months listed while `spot` is the nearest, in order.
    public func months(from spot: ContractMonth) -> [ContractMonth] {
        var listed = Set<ContractMonth>()
        for rule in months { rule.add(to: &listed, from: spot) }
        return listed.sorted()
    }

    /// The last trading day of a month; nil where the calendar does not reach. `isTradingDay`: of the product's exchange.
    public func lastTradingDay<Fault: Error>(
        of month: ContractMonth, isTradingDay: (TradingDay) throws(Fault) -> Bool
    ) throws(Fault) -> TradingDay? {
        /// The N-th trading day at or after (before, where `step` is −1) a date; bounded.
        func nth(_ count: Int, from start: Int, step: Int) throws(Fault) -> TradingDay? {
            var left = count
            for offset in 0..<60 {
                guard let day = TradingDay(daysSince1970: start + offset * step) else { return nil }
                if try isTradingDay(day) { left -= 1 }
                if left == 0 { return day }
            }
            return nil
        }
        guard let first = TradingDay(year: month.year, month: month.month, day: 1)?.daysSince1970,
            let next = TradingDay(year: month.advanced(by: 1).year, month: month.advanced(by: 1).month, day: 1)?.daysSince1970,
            let previous = TradingDay(year: month.advanced(by: -1).year, month: month.advanced(by: -1).month, day: 25)?.daysSince1970
        else { return nil }
        /// The third such weekday of the month; 1970-01-01 was a Thursday, day 4 from Sunday.
        func third(_ weekday: Int) -> Int { first + (weekday - (first + 4) % 7 + 7) % 7 + 14 }
        switch lastDay {
        case .fromEnd(let count): return try nth(count, from: next - 1, step: -1)
        case .fromEndOfPrevious(let count): return try nth(count, from: first - 1, step: -1)
        case .beforeThe25th(let count):
            guard let last = try nth(1, from: previous, step: -1) else { return nil }
            return try nth(count, from: last.daysSince1970 - 1, step: -1)
        case .thirdFriday(let orAfter): return try nth(1, from: third(5), step: orAfter ? 1 : -1)
        case .beforeThirdWednesday(let count): return try nth(count, from: third(3) - 1, step: -1)
        case .day(let day): return try nth(1, from: first + day - 1, step: 1)
        case .tradingDay(let count): return try nth(count, from: first, step: 1)
        }
    }
}
