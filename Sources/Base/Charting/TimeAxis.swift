import Texts

/// Where the calendar turns in a row of bars, and how it is written.
enum TimeAxis {
    struct Turn: Hashable {
        var place: Int
        var text: String
    }

    private enum Unit: Int, CaseIterable { case minutes15, minutes30, hour, hours2, day, week, month, quarter, year, years5 }

    /// Bars there are, and those to come.
    private struct Row {
        let known: [ChartTime]
        let coming: [ChartTime]
        subscript(_ place: Int) -> ChartTime { place < known.count ? known[place] : coming[place - known.count] }
    }

    /// At least 64 pixels apart on the average, from the smallest unit that allows it.
    /// - Parameter coming: After the last of `times`, in order; `range` may reach into them.
    static func turns(
        _ times: [ChartTime], coming: [ChartTime] = [], _ range: Range<Int>, slot: Double, language: Language
    ) -> [Turn] {
        let times = Row(known: times, coming: coming)
        guard range.count > 1 else { return range.first.map { [Turn(place: $0, text: whole(times[$0]))] } ?? [] }
        let least = 64.0
        for unit in Unit.allCases {
            let places = range.dropFirst().filter { turns(unit, times[$0 - 1], times[$0]) }
            guard let first = places.first, let last = places.last else { continue }
            let apart = places.count > 1 ? Double(last - first) / Double(places.count - 1) : Double(range.count)
            if apart * slot >= least { return spread(places, times, slot, unit, language, least) }
        }
        return []
    }

    private static func turns(_ unit: Unit, _ before: ChartTime, _ now: ChartTime) -> Bool {
        func every(_ minutes: Int) -> Bool {
            guard let a = before.minute, let b = now.minute else { return false }
            return before.day != now.day || a / minutes != b / minutes
        }
        switch unit {
        case .minutes15: return every(15)
        case .minutes30: return every(30)
        case .hour: return every(60)
        case .hours2: return every(120)
        case .day: return before.day != now.day
        case .week: return before.week != now.week
        case .month: return before.day / 100 != now.day / 100
        case .quarter: return before.year != now.year || (before.month - 1) / 3 != (now.month - 1) / 3
        case .year: return before.year != now.year
        case .years5: return before.year / 5 != now.year / 5
        }
    }

    /// Where two stand too close the later of them goes, unless a new day or year is told by it.
    private static func spread(
        _ places: [Int], _ times: Row, _ slot: Double, _ unit: Unit, _ language: Language, _ least: Double
    ) -> [Turn] {
        var turns: [Turn] = []
        for place in places {
            if let last = turns.last, Double(place - last.place) * slot < least * 0.7 {
                guard isGreater(times[place - 1], times[place], unit) else { continue }
                turns.removeLast()
            }
            turns.append(Turn(place: place, text: text(times[place - 1], times[place], unit, language)))
        }
        return turns
    }

    private static func isGreater(_ before: ChartTime, _ now: ChartTime, _ unit: Unit) -> Bool {
        switch unit {
        case .minutes15, .minutes30, .hour, .hours2: before.day != now.day
        case .day, .week, .month, .quarter: before.year != now.year
        case .year, .years5: false
        }
    }

    private static func text(_ before: ChartTime, _ now: ChartTime, _ unit: Unit, _ language: Language) -> String {
        switch unit {
        case .minutes15, .minutes30, .hour, .hours2:
            guard before.day == now.day, let minute = now.minute else { return date(now) }
            return clock(minute)
        case .day, .week: return before.year != now.year ? "\(now.year)" : date(now)
        case .month, .quarter: return before.year != now.year ? "\(now.year)" : month(now.month, language)
        case .year, .years5: return "\(now.year)"
        }
    }

    private static func date(_ time: ChartTime) -> String { two(time.month) + "-" + two(time.dayOfMonth) }

    private static func month(_ month: Int, _ language: Language) -> String {
        switch language {
        case .english: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][max(0, min(month - 1, 11))]
        case .simplifiedChinese, .traditionalChinese: "\(month)月"
        }
    }

    static func clock(_ minute: Int) -> String { two(minute / 60 % 24) + ":" + two(minute % 60) }

    /// `2026-11-30`, with the time where there is one.
    static func whole(_ time: ChartTime) -> String {
        let day = "\(time.year)-\(two(time.month))-\(two(time.dayOfMonth))"
        return time.minute.map { day + " " + clock($0) } ?? day
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
