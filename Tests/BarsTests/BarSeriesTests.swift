import Exact
import Foundation
import Instruments
import Messages
import Streams
import Testing

@testable import Bars

let facts: Result<MarketFacts, any Error> = Result { try MarketFacts(DataFolder.locate()) }

func instrument(_ symbol: String, on day: String = "2026-11-30") throws -> Instrument {
    try facts.get().instruments.resolve(symbol, on: #require(TradingDay(day))).get()
}

func utc(_ text: String) throws -> MarketInstant {
    MarketInstant(nanoseconds: Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970) * 1_000_000_000)
}

func nanos(_ text: String) throws -> Int64 { try Price(text).nanos }

private struct Cases: Decodable {
    var cases: [Case]
    struct Case: Decodable {
        var id: String
        var ticks: [Tick]?
        var expect_bars_with_trades: [Row]?
        var expect_total_bars_when_filled: Int?
        var expect_filled_examples: [Row]?
        var table: [Grid]?
        var input_day_bars: [Day]?
        var expect_after_cleaning: [String]?
    }
    struct Tick: Decodable {
        var t: String
        var ms: Int64?
        var p: Value
        var v: Int64?
    }
    struct Row: Decodable {
        var t: String
        var o: Value
        var h: Value?
        var l: Value?
        var c: Value
        var v: Int64
    }
    struct Grid: Decodable {
        var market: String
        var minutes: Int64
        var per_segment: [[Value]]
    }
    struct Day: Decodable {
        var d: String
        var o: Value
        var h: Value
        var l: Value
        var c: Value
        var v: Int64
    }

    /// A number or a text; kept as text.
    struct Value: Decodable {
        var text: String
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            text = try (try? container.decode(String.self)) ?? container.decode(Decimal.self).description
        }
    }

    static func load() throws -> [String: Case] {
        let path = try DataFolder.locate().path + "/../Tests/Fixtures/kline/kline_cases.json"
        let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: URL(fileURLWithPath: path))).cases
        return Dictionary(uniqueKeysWithValues: cases.map { ($0.id, $0) })
    }
}

struct BarSeriesTests {
    private func series(_ symbol: String, _ period: BarPeriod, capacity: Int = 10_000) throws -> BarSeries {
        BarSeries(instrument: try instrument(symbol), period: period, calendar: try facts.get().calendar, capacity: capacity)
    }

    private func bar(_ series: BarSeries, _ start: MarketInstant, _ day: String, _ prices: [String], _ volume: Int64) throws -> Bar {
        var bar = Bar()
        bar.instrument = series.instrument.id.rawValue
        bar.period = series.period
        bar.startNs = start.nanoseconds
        bar.tradingDay = try #require(TradingDay(day)).yyyymmdd
        (bar.open, bar.high, bar.low, bar.close) = try (nanos(prices[0]), nanos(prices[1]), nanos(prices[2]), nanos(prices[3]))
        bar.volume = volume
        return bar
    }

    @Test func aHongKongDayWithBothAuctions() throws {  // G-1, KL-8
        let kl1 = try #require(Cases.load()["kl-1"])
        var minutes = try series("700.HK", .minute1)
        var day = try series("700.HK", .day)
        for tick in try #require(kl1.ticks) {
            let print = Print(
                time: MarketInstant(nanoseconds: try #require(tick.ms) * 1_000_000), price: try nanos(tick.p.text),
                size: try #require(tick.v))
            _ = minutes.add(print)
            _ = day.add(print)
        }
        let expected = try #require(kl1.expect_bars_with_trades)
        #expect(minutes.bars.count == expected.count)
        for (bar, row) in zip(minutes.bars, expected) { try same(bar, row) }
        let today = try #require(TradingDay("2025-08-05"))
        let filled = minutes.filled(today, through: try utc("2025-08-05T08:10:00Z"))
        #expect(filled.count == kl1.expect_total_bars_when_filled)
        #expect(filled.map(\.volume).reduce(0, +) == 833_200)
        for row in try #require(kl1.expect_filled_examples) {
            try same(#require(filled.first { $0.startNs == (try? utc(row.t + "+08:00"))?.nanoseconds }), row)
        }
        let whole = try #require(day.bars.first)
        #expect(day.bars.count == 1 && whole.volume == 833_200)
        #expect(try whole.open == nanos("550") && whole.high == nanos("556") && whole.low == nanos("549.5") && whole.close == nanos("556"))
    }

    private func same(_ bar: Bar, _ row: Cases.Row) throws {
        #expect(try bar.startNs == utc(row.t + "+08:00").nanoseconds)
        #expect(try bar.open == nanos(row.o.text) && bar.close == nanos(row.c.text) && bar.volume == row.v)
        if let high = row.h { #expect(try bar.high == nanos(high.text)) }
        if let low = row.l { #expect(try bar.low == nanos(low.text)) }
    }

    @Test func slotsBeginWhereTradingBegins() throws {  // G-2, KL-2
        let days = [
            "HK full day": ("700.HK", "2026-11-30"), "HK half day": ("700.HK", "2026-12-24"), "NYSE full day": ("AAPL.US", "2026-11-30"),
            "NYSE early close": ("AAPL.US", "2026-11-27"), "HSI futures day": ("HSI2612", "2026-11-30"),
        ]
        var checked = 0
        for grid in try #require(Cases.load()["kl-2"]?.table) {
            guard let (symbol, date) = days[grid.market] else { continue }
            let instrument = try instrument(symbol)
            let day = try #require(TradingDay(date))
            let calendar = try facts.get().calendar
            let sessions = try calendar.sessions(of: instrument, on: day)
            let slots = BarGrid(day: day, sessions: sessions, length: .seconds(grid.minutes * 60)).slots
            let regular = try slots.filter { slot in
                let night = try calendar.localDate(instrument.calendar, at: slot.start) != day || slot.start < sessions[0].end
                return slot.isRegular && !(instrument.future != nil && night)
            }
            let local = try regular.map { slot in
                try [slot.start, slot.end].map { try calendar.localTime(instrument.calendar, at: $0) / 60_000_000_000 }
            }
            let expected = grid.per_segment.map { row in
                row.prefix(2).map { Int64($0.text.prefix(2))! * 60 + Int64($0.text.suffix(2))! }  // swift-format-ignore: NeverForceUnwrap
            }
            #expect(local == expected, "\(grid.market) \(grid.minutes)")
            checked += 1
        }
        #expect(checked == 30)
    }

    @Test func historyMeetsTheLiveStreamOnce() throws {  // G-1, KL-11
        var series = try series("700.HK", .minute1)
        let start = try utc("2025-08-05T10:15:00+08:00")
        #expect(series.load([try bar(series, start, "2025-08-05", ["551", "552", "551", "552"], 1_200)], through: 41).isEmpty)
        #expect(series.add(Print(time: try utc("2025-08-05T10:15:29+08:00"), price: try nanos("553"), size: 100, sequence: 41)) == .ignored)
        #expect(series.add(Print(time: try utc("2025-08-05T10:15:31+08:00"), price: try nanos("550"), size: 300, sequence: 42)) == .updated)
        #expect(series.add(Print(time: try utc("2025-08-05T10:16:00+08:00"), price: try nanos("551"), size: 50, sequence: 43)) == .appended)
        #expect(series.bars.map(\.volume) == [1_500, 50])
        #expect(try series.bars[0].low == nanos("550") && series.bars[0].high == nanos("552") && series.bars[0].close == nanos("550"))
    }

    @Test func theSameStartReplacesAnEarlierOneGoesToItsPlace() throws {  // G-1, KL-1
        var series = try series("700.HK", .minute1)
        let starts = try ["10:15", "10:17", "10:16"].map { try utc("2025-08-05T\($0):00+08:00") }
        #expect(series.take(try bar(series, starts[0], "2025-08-05", ["1", "2", "1", "2"], 5)) == .appended)
        #expect(series.take(try bar(series, starts[0], "2025-08-05", ["1", "3", "1", "3"], 6)) == .updated)
        #expect(series.take(try bar(series, starts[1], "2025-08-05", ["3", "3", "3", "3"], 7)) == .appended)
        #expect(series.take(try bar(series, starts[2], "2025-08-05", ["2", "2", "2", "2"], 8)) == .corrected)
        #expect(series.bars.map(\.volume) == [6, 8, 7])
        let half = starts[0].advanced(by: .seconds(30))
        #expect(series.take(try bar(series, half, "2025-08-05", ["1", "1", "1", "1"], 1)) == .refused(.offGrid))
        let unit = MarketInstant(nanoseconds: starts[0].nanoseconds / 1_000)
        #expect(series.take(try bar(series, unit, "2025-08-05", ["1", "1", "1", "1"], 1)) == .refused(.offGrid))
        #expect(series.take(try bar(series, starts[0], "2025-08-05", ["1", "1", "2", "1"], 1)) == .refused(.inconsistent))
        #expect(series.take(try bar(series, starts[0], "2025-08-03", ["1", "1", "1", "1"], 1)) == .refused(.closedDay))
        #expect(series.bars.map(\.volume) == [6, 8, 7])
    }

    @Test func aLatePrintChangesTheBarOfItsOwnTime() throws {  // G-1
        var series = try series("700.HK", .minute1)
        func add(_ time: String, _ price: String) throws -> BarOutcome {
            series.add(Print(time: try utc("2025-08-05T\(time)+08:00"), price: try nanos(price), size: 1))
        }
        #expect(try add("10:15:10", "10") == .appended)
        #expect(try add("10:16:10", "20") == .appended)
        #expect(try add("10:15:05", "9") == .corrected)
        #expect(try add("10:15:20", "11") == .corrected)
        #expect(try add("10:15:15", "12") == .corrected)
        #expect(try series.bars[0].open == nanos("9") && series.bars[0].close == nanos("11") && series.bars[0].high == nanos("12"))
        #expect(series.bars.map(\.volume) == [4, 1])
    }

    @Test func daysTheExchangeNeverOpenedAreLeftOut() throws {  // KL-10
        let kl8 = try #require(Cases.load()["kl-8"])
        var series = try series("700.HK", .day)
        for row in try #require(kl8.input_day_bars) {
            let day = try #require(TradingDay(row.d))
            let start = try utc("\(row.d)T09:30:00+08:00")
            let bar = try bar(series, start, day.description, [row.o.text, row.h.text, row.l.text, row.c.text], row.v)
            let kept = kl8.expect_after_cleaning?.contains(row.d) == true
            #expect(series.take(bar) == (kept ? .appended : .refused(.closedDay)))
        }
        #expect(series.bars.count == 2)
    }

    @Test func aBarClosesByTheCalendarOnce() throws {  // KL-7
        var minutes = try series("700.HK", .minute1)
        var days = try series("700.HK", .day)
        let print = Print(time: try utc("2025-08-05T15:41:10+08:00"), price: try nanos("551"), size: 100)
        _ = minutes.add(print)
        _ = days.add(print)
        #expect(minutes.close(at: try utc("2025-08-05T15:41:59+08:00")).isEmpty)
        #expect(minutes.close(at: try utc("2025-08-05T15:42:00+08:00")).count == 1)
        #expect(minutes.close(at: try utc("2025-08-05T15:43:00+08:00")).isEmpty)
        #expect(days.close(at: try utc("2025-08-05T16:09:59+08:00")).isEmpty)
        #expect(days.close(at: try utc("2025-08-05T16:10:00+08:00")).map(\.close) == [try nanos("551")])
        _ = days.add(Print(time: try utc("2025-08-06T09:30:00+08:00"), price: try nanos("552"), size: 100))
        #expect(days.close(at: try utc("2025-08-06T10:00:00+08:00")).isEmpty)
    }

    @Test(arguments: [BarPeriod.minute3, .minute5, .minute15, .minute30, .minute60, .day, .week, .month], UInt64(0)..<4)
    func fromPrintsAndFromMinutesAlike(period: BarPeriod, seed: UInt64) throws {  // G-1: one rule for live and history
        var random = SeededRandom(seed: seed)
        let symbol = ["700.HK", "AAPL.US", "HSI2612", "ES2612"][Int(seed % 4)]
        var minutes = try series(symbol, .minute1, capacity: 100_000)
        var live = try series(symbol, period, capacity: 100_000)
        var time = try utc("2026-11-20T00:00:00Z")
        for _ in 0..<1_000 {
            time = time.advanced(by: .seconds(Int64(random.next() % 1_500)))
            let print = Print(
                time: time, price: 100_000_000_000 + Int64(random.next() % 1_000) * 1_000_000, size: Int64(random.next() % 50) * 100_000_000
            )
            _ = minutes.add(print)
            _ = live.add(print)
        }
        var joined = try series(symbol, period, capacity: 100_000)
        for bar in minutes.bars { _ = joined.join(bar) }
        #expect(joined.bars == live.bars)
        #expect(!live.bars.isEmpty)
    }

    @Test func theOldestGoesWhereItIsFull() throws {
        var series = try series("700.HK", .minute1, capacity: 2)
        let starts = try ["10:15", "10:16", "10:17", "10:14"].map { try utc("2025-08-05T\($0):00+08:00") }
        let outcomes = try starts.map { series.take(try bar(series, $0, "2025-08-05", ["1", "1", "1", "1"], 1)) }
        #expect(outcomes == [.appended, .appended, .appended, .ignored])
        #expect(series.bars.map(\.startNs) == [starts[1].nanoseconds, starts[2].nanoseconds])
    }
}
