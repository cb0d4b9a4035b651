import Streams

/// Where times lie among the bars of a chart. Drawings keep times, not numbers of bars, so they stay where they are when history is
/// prepended or the period changes.
///
/// Between bars a time belongs to the bar that contains it: bars of a week and longer carry the last day of theirs. Before the first bar
/// and after the last one it is counted on: in trading days where `comingDays` tells them, else in weekdays; in minutes as the fullest of
/// the newest days has them.
public struct BarPlaces: Sendable {
    private enum Unit { case minutes, day, week, month, quarter, year }

    private let times: [ChartTime]
    private let unit: Unit
    /// Minutes of the civil day at which bars begin, in the order of trading.
    private let pattern: [Int]
    private let comingDays: [Int32]

    /// `times`: of the bars, in order. `comingDays`: trading days after the last bar's, in order (year × 10,000 + month × 100 + day).
    public init(_ times: [ChartTime], comingDays: [Int32] = []) {
        self.times = times
        self.comingDays = times.last.map { last in comingDays.filter { $0 > last.day } } ?? []
        guard times.last?.minute == nil else {
            unit = .minutes
            pattern = Self.pattern(times)
            return
        }
        pattern = []
        let newest = times.suffix(21).map(\.dayNumber)
        let gaps = zip(newest, newest.dropFirst()).map { $1 - $0 }.sorted()
        unit =
            switch gaps.isEmpty ? 1 : gaps[gaps.count / 2] {
            case ..<5: .day
            case ..<12: .week
            case ..<46: .month
            case ..<140: .quarter
            default: .year
            }
    }

    /// The fullest of the three newest days.
    private static func pattern(_ times: [ChartTime]) -> [Int] {
        var days: [[Int]] = []
        var day: Int32?
        for time in times.reversed() {
            if time.day != day {
                guard days.count < 3 else { break }
                days.append([])
                day = time.day
            }
            if let minute = time.minute, days[days.count - 1].count < 1_440 { days[days.count - 1].append(minute) }
        }
        return days.max { $0.count < $1.count }?.reversed() ?? []
    }

    // MARK: From a time to a place

    /// The bar a time belongs to; below zero before the first, `count` and more after the last.
    public func place(of time: ChartTime) -> Int {
        guard let first = times.first, let last = times.last else { return 0 }
        guard unit == .minutes else { return placeByDay(time, first, last) }
        guard !pattern.isEmpty else { return 0 }
        if time.day > last.day {
            let left = rest(after: last.minute).count
            return times.count + left + (days(from: last.day, to: time.day) - 1) * pattern.count + slot(time.minute)
        }
        if time.day < first.day {
            return slot(time.minute) - slot(first.minute) - days(from: time.day, to: first.day) * pattern.count
        }
        let low = firstPlace { $0.day >= time.day }
        guard times[low].day == time.day, let minute = time.minute else { return low }
        let high = firstPlace { $0.day > time.day }
        let wanted = since(minute)
        let place = firstPlace(low..<high) { ($0.minute.map(since) ?? 0) > wanted } - 1
        // Before what is known of the day, or of all days.
        if place < low { return low == 0 ? slot(minute) - slot(times[0].minute) : low }
        guard high == times.count, place == high - 1, let index = rest(after: last.minute).lastIndex(where: { since($0) <= wanted }) else {
            return place
        }
        // After the newest bar, today.
        return times.count + index
    }

    private func placeByDay(_ time: ChartTime, _ first: ChartTime, _ last: ChartTime) -> Int {
        let wanted = group(time)
        if wanted > group(last) {
            return times.count - 1 + (unit == .day ? days(from: last.day, to: time.day) : wanted - group(last))
        }
        if wanted < group(first) { return unit == .day ? -days(from: time.day, to: first.day) : wanted - group(first) }
        return firstPlace { group($0) >= wanted }
    }

    /// A number that grows by one from one bar to the next, days apart.
    private func group(_ time: ChartTime) -> Int {
        switch unit {
        case .minutes, .day: time.dayNumber
        case .week: time.week
        case .month: time.year * 12 + time.month
        case .quarter: time.year * 4 + (time.month - 1) / 3
        case .year: time.year
        }
    }

    // MARK: From a place to a time

    /// The time of a bar, or of one to come; nil before the first, of which nothing is known, and where there is no bar.
    public func time(at place: Int) -> ChartTime? {
        guard let last = times.last, place >= 0 else { return nil }
        if place < times.count { return times[place] }
        var ahead = min(place - times.count + 1, 1_000_000)
        switch unit {
        case .minutes:
            guard !pattern.isEmpty else { return nil }
            let today = rest(after: last.minute)
            if ahead <= today.count { return ChartTime(day: last.day, minute: today[ahead - 1]) }
            ahead -= today.count
            return ChartTime(day: day(last.day, plus: (ahead - 1) / pattern.count + 1), minute: pattern[(ahead - 1) % pattern.count])
        case .day: return ChartTime(day: day(last.day, plus: ahead))
        case .week: return ChartTime(day: ChartTime.day(number: last.dayNumber + 7 * ahead))
        case .month: return month(last, plus: ahead)
        case .quarter: return month(last, plus: 3 * ahead)
        case .year: return month(last, plus: 12 * ahead)
        }
    }

    /// On the 28th at the latest, which every month has.
    private func month(_ time: ChartTime, plus months: Int) -> ChartTime {
        let number = time.year * 12 + time.month - 1 + months
        return ChartTime(day: Int32(min(number / 12, 9_999) * 10_000 + (number % 12 + 1) * 100 + min(time.dayOfMonth, 28)))
    }

    // MARK: Counting

    private func firstPlace(_ range: Range<Int>? = nil, _ isReached: (ChartTime) -> Bool) -> Int {
        var (low, high) = (range?.lowerBound ?? 0, range?.upperBound ?? times.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(times[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Trading days from one to a later one.
    private func days(from: Int32, to: Int32) -> Int {
        let known = from == times.last?.day ? comingDays : []
        guard let last = known.last else { return max(Self.weekdays(to) - Self.weekdays(from), 1) }
        if to <= last { return (known.firstIndex { $0 >= to } ?? 0) + 1 }
        return known.count + max(Self.weekdays(to) - Self.weekdays(last), 1)
    }

    private func day(_ from: Int32, plus count: Int) -> Int32 {
        if count <= comingDays.count { return comingDays[count - 1] }
        let start = comingDays.last ?? from
        let wanted = Self.weekdays(start) + count - comingDays.count
        // The `wanted`th weekday: five in each week.
        let week = Int((Double(wanted - 1) / 5).rounded(.down))
        return ChartTime.day(number: week * 7 + (wanted - 1 - week * 5) - 3)
    }

    /// Mondays to Fridays from the first week of 1970 to a day, itself included.
    static func weekdays(_ day: Int32) -> Int {
        let time = ChartTime(day: day)
        return time.week * 5 + min(time.dayNumber + 3 - time.week * 7 + 1, 5)
    }

    /// Minutes from where the day begins; below zero just before it, not a whole day later.
    private func since(_ minute: Int) -> Int {
        func after(_ minute: Int) -> Int { (minute - (pattern.first ?? 0) + 1_440) % 1_440 }
        let passed = after(minute)
        return passed > (1_440 + after(pattern.last ?? 0)) / 2 ? passed - 1_440 : passed
    }

    /// The bar of the pattern a minute belongs to; the first for a whole day.
    private func slot(_ minute: Int?) -> Int {
        guard let minute else { return 0 }
        let wanted = since(minute)
        return max((pattern.firstIndex { since($0) > wanted } ?? pattern.count) - 1, 0)
    }

    private func rest(after minute: Int?) -> [Int] { Array(pattern[(slot(minute) + 1)...]) }
}

extension ChartTime {
    /// Its trading day. Days come in checked; where a server told one that is none, the first of the nearest month there is.
    private var known: TradingDay? {
        TradingDay(yyyymmdd: day) ?? TradingDay(year: max(1, min(year, 9_999)), month: max(1, min(month, 12)), day: 1)
    }

    /// Days since 1970-01-01.
    var dayNumber: Int { known?.daysSince1970 ?? 0 }

    /// Weeks from Monday to Sunday since that of 1970-01-01.
    var week: Int { known?.week ?? 0 }

    /// Year × 10,000 + month × 100 + day of a day since 1970-01-01, brought into the years 1 to 9999.
    static func day(number: Int) -> Int32 { TradingDay(daysSince1970: max(-719_162, min(number, 2_932_896)))?.yyyymmdd ?? 19_700_101 }
}
