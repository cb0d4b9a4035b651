import Streams
import Exact
import Testing
import Texts

@testable import Charting

/// Weekdays from 2026-01-05 on.
func weekdayTimes(_ count: Int) -> [ChartTime] {
    let start = ChartTime(day: 20_260_105).dayNumber
    return (0..<count).map { ChartTime(day: ChartTime.day(number: start + $0 / 5 * 7 + $0 % 5)) }
}

/// Five minutes of a day that begins in the evening before, has a break and ends in the afternoon.
func nightTimes(days: Int) -> [ChartTime] {
    weekdayTimes(days).flatMap { day in
        (stride(from: 1_035, to: 1_440, by: 5).map { $0 } + stride(from: 0, to: 180, by: 5).map { $0 }
            + stride(from: 555, to: 720, by: 5).map { $0 } + stride(from: 780, to: 990, by: 5).map { $0 }).map {
                ChartTime(day: day.day, minute: $0)
            }
    }
}

func price(_ text: String) -> Price { (try? Price(text)) ?? .zero }

func drawing(_ tool: Drawing.Tool, _ anchors: [(ChartTime, String)], id: Int = 1, text: String = "") throws -> Drawing {
    try Drawing(id: id, tool: tool, anchors: anchors.map { .init($0.0, price($0.1)) }, text: text)
}

struct BarPlacesTests {
    // G-4 G-5: against a calendar that is only counted on, from Monday 1900-01-01.
    @Test func daysAndWeeksAreCountedFrom1900To2100() {
        var (year, month, day) = (1_900, 1, 1)
        var places: [(day: Int32, number: Int, week: Int)] = []
        while year <= 2_100 {
            let count = places.count
            places.append((Int32(year * 10_000 + month * 100 + day), count, count / 7))
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
            (day, month, year) = day < length ? (day + 1, month, year) : month < 12 ? (1, month + 1, year) : (1, 1, year + 1)
        }
        // 1970-01-01 is the 25,567th day after, a Thursday.
        let first = (number: 25_567, week: 25_567 / 7)
        #expect(places[first.number].day == 19_700_101)
        let wrong = places.filter { place in
            let (time, number) = (ChartTime(day: place.day), place.number - first.number)
            return time.dayNumber != number || time.week != place.week - first.week || ChartTime.day(number: number) != place.day
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(3))")
    }

    // G-4: weeks begin on Mondays before 1970 as well.
    @Test func weeksOnTheAxisBefore1970() {
        let days = (-20...20).map { ChartTime(day: ChartTime.day(number: $0)) }
        let turns = TimeAxis.turns(days, 0..<days.count, slot: 12, language: .english)
        #expect(turns.map(\.text) == ["12-15", "12-22", "12-29", "01-05", "01-12", "01-19"])
    }

    @Test func daysThatAreNoneDoNotTrap() {
        for day in [0, -1, .min, .max, 20_261_399, 20_260_230, 99_999_999] as [Int32] {
            let times = [ChartTime(day: day), ChartTime(day: 20_260_105)]
            _ = BarPlaces(times).place(of: ChartTime(day: day))
            _ = BarPlaces(times.reversed()).time(at: 5)
            _ = TimeAxis.turns(times, 0..<2, slot: 12, language: .english)
        }
        #expect(ChartTime.day(number: .max) == 99_991_231 && ChartTime.day(number: .min) == 10_101)
    }

    // G-5: a place has a time, and the time that place, in the time to come as well.
    @Test(arguments: [weekdayTimes(40), weekdayTimes(1), nightTimes(days: 4), Array(nightTimes(days: 4).dropFirst(100).dropLast(70))])
    func placesAndTimesAreInverse(times: [ChartTime]) throws {
        for comingDays in [[], [20_260_216, 20_260_220, 20_260_305] as [Int32]] {
            let places = BarPlaces(times, comingDays: comingDays)
            for place in 0..<times.count + 400 {
                let time = try #require(places.time(at: place))
                #expect(places.place(of: time) == place, "\(time) at \(place)")
            }
        }
    }

    // G-5
    @Test func longBarsHoldTheDaysUpToTheirLast() throws {
        // Fridays, the last one a week under way.
        let weeks = [20_260_109, 20_260_116, 20_260_123, 20_260_128].map { ChartTime(day: $0) }
        let places = BarPlaces(weeks)
        for (day, place) in [
            (20_260_105, 0), (20_260_109, 0), (20_260_110, 0), (20_260_112, 1), (20_260_126, 3), (20_260_130, 3), (20_260_202, 4),
            (20_260_102, -1), (20_251_226, -2),
        ] as [(Int32, Int)] {
            #expect(places.place(of: ChartTime(day: day, minute: 600)) == place, "\(day)")
        }
        let months = [20_260_130, 20_260_227, 20_260_331].map { ChartTime(day: $0) }
        #expect(BarPlaces(months).place(of: ChartTime(day: 20_260_615)) == 5)
        #expect(BarPlaces(months).time(at: 5) == ChartTime(day: 20_260_628))
    }

    // G-5: between bars, in the night and across midnight.
    @Test func minutesBelongToTheBarThatHoldsThem() throws {
        let times = nightTimes(days: 3)
        let places = BarPlaces(times)
        func place(_ minute: Int) throws -> Int { try #require(times.lastIndex { $0.day == 20_260_106 && $0.minute == minute }) }
        for (minute, bar) in [(1_037, 1_035), (1_439, 1_435), (3, 0), (200, 175), (557, 555), (740, 715), (989, 985), (1_000, 985)] {
            #expect(try places.place(of: ChartTime(day: 20_260_106, minute: minute)) == place(bar), "\(minute)")
        }
        #expect(try places.place(of: ChartTime(day: 20_260_106)) == place(1_035))
        #expect(places.place(of: ChartTime(day: 20_260_102, minute: 985)) == -1)
        #expect(BarPlaces([]).place(of: ChartTime(day: 20_260_106)) == 0)
    }

    // G-5: what a drawing is tied to stays over the same bar when history comes or a week becomes days.
    @Test(arguments: UInt64(0)..<100)
    func anchorsStayOverTheirBars(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let times = seed % 2 == 0 ? weekdayTimes(300) : nightTimes(days: 5)
        let known = times[Int(random.next() % 250)...]
        let time = known[known.startIndex + Int(random.next() % UInt64(known.count))]
        let all = BarPlaces(times)
        let some = BarPlaces(Array(known))
        #expect(times[all.place(of: time)] == time && known[known.startIndex + some.place(of: time)] == time)
    }
}
