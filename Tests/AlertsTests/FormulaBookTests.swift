import Accounts
import Bars
import Exact
import Feeds
import Instruments
import Messages
import Streams
import Testing
import Texts

@testable import Alerts

private let facts: Result<MarketFacts, any Error> = Result { try MarketFacts(DataFolder.locate()) }

/// F-5: expressions over finished bars, one example each way, and against looking at everything.
@Suite struct FormulaBookTests {
    private let stock: Instrument
    private let calendar: MarketCalendar
    private let day: TradingDay

    init() throws {
        let facts = try facts.get()
        day = try #require(TradingDay("2026-11-30"))
        stock = try facts.instruments.resolve("700.HK", on: day).get()
        calendar = facts.calendar
    }

    private func at(_ hour: Int64, _ minute: Int64, _ second: Int64 = 0) throws -> MarketInstant {
        try calendar.instant(stock.calendar, day, localNanoseconds: ((hour * 60 + minute) * 60 + second) * 1_000_000_000)
    }

    private func bar(_ start: MarketInstant, _ close: Int64, recordedOn: Int32 = 0, period: BarPeriod = .minute5) -> Bar {
        var bar = Bar()
        bar.instrument = stock.id.rawValue
        bar.period = period
        bar.startNs = start.nanoseconds
        bar.tradingDay = day.yyyymmdd
        (bar.open, bar.high, bar.low, bar.close) = (close, close, close, close)
        bar.provenance = .derived
        bar.recordedOn = recordedOn
        return bar
    }

    private func finished(_ bars: [Bar], _ period: BarPeriod = .minute5, at moment: MarketInstant) -> FinishedBars {
        FinishedBars(bars, of: stock, period, calendar, at: moment)
    }

    private func alert(_ id: Int64 = 1, _ text: String, repeats: Bool = false, since: Int64 = 0) throws -> Alert {
        Alert(
            id: id, account: "a", symbol: stock.symbol, instrument: stock.id, condition: .when, threshold: 0,
            formula: try AlertFormula(text, .minute5), repeats: repeats, since: MarketInstant(nanoseconds: since))
    }

    @Test("A bar is finished when nothing more belongs to it: not while it lasts, the last of the day after the closing auction")
    func ends() throws {
        let bars = [bar(try at(9, 30), 1), bar(try at(9, 35), 2), bar(try at(11, 55), 3), bar(try at(15, 55), 4)]
        #expect(finished(bars, at: try at(9, 34, 59)).bars == [])
        #expect(finished(bars, at: try at(9, 35)).bars.map(\.close) == [1])
        #expect(finished(bars, at: try at(9, 39, 59)).bars.map(\.close) == [1])
        #expect(finished(bars, at: try at(12, 0)).ends == [try at(9, 35), try at(9, 40), try at(12, 0)])
        #expect(finished(bars, at: try at(16, 9, 59)).bars.count == 3)
        #expect(finished(bars, at: try at(16, 10)).bars.count == 4)
    }

    @Test("The clock wakes at the end of the next bar: over lunch, and from the close to the next morning")
    func nextEnd() throws {
        let bars = AlertBars(calendar: calendar) { _, _, _, _ in [] }
        func next(_ moment: MarketInstant, _ period: BarPeriod = .minute5) -> MarketInstant? {
            bars.nextEnd(stock, period, anchor: .session, after: moment)
        }
        #expect(next(try at(9, 30)) == (try at(9, 35)))
        #expect(next(try at(9, 35)) == (try at(9, 40)))
        #expect(next(try at(12, 0)) == (try at(13, 5)))
        #expect(next(try at(15, 57)) == (try at(16, 10)))
        #expect(next(try at(16, 10)) == (try at(24 + 9, 35)))
        #expect(next(try at(10, 0), .day) == (try at(16, 10)))
        #expect(next(try at(16, 10), .day) == (try at(24 + 16, 10)))
    }

    @Test("An average does not run from one recording into another")
    func recordings() throws {
        let formula = try AlertFormula("CROSS(CLOSE, REF(CLOSE, 1))", .minute5)
        let one = [bar(try at(9, 30), 5, recordedOn: 20_130_301), bar(try at(9, 35), 4, recordedOn: 20_130_301)]
        let rising = bar(try at(9, 40), 9, recordedOn: 20_130_301)
        let other = bar(try at(9, 40), 9, recordedOn: 20_220_413)
        #expect(finished(one + [rising], at: try at(10, 0)).truths(formula) == [false, false, true])
        #expect(finished(one + [other], at: try at(10, 0)).truths(formula) == [false, false, false])
    }

    @Test("Not understood, of too many bars, of too much work, unprintable: refused with what is wrong")
    func refused() throws {
        func code(_ text: String) -> [String?] {
            do throws(Failure) {
                _ = try AlertFormula(text, .day)
                return []
            } catch { return [error.code.rawValue] + error.arguments.dropFirst(error.code == .alertFormula ? 1 : 0).map(\.value) }
        }
        #expect(code("CROSS(EMA(CLOSE,12), EMA(CLOSE,26))") == [])
        #expect(code("金叉:CROSS(C,MA(C,5))") == [])
        #expect(code("CROSS(CLOSE,FOO)") == ["alert.formula", "formula-unknown-name", "FOO", "13"])
        #expect(code("CROSS(CLOSE") == ["alert.formula", "formula-unfinished", "…", "12"])
        #expect(code("") == ["alert.formula", "formula-empty", "\"\"", "1"])
        #expect(code("CLOSE\n>5") == ["alert.formula", "formula-unexpected", "U+A", "6"])
        #expect(code("CLOSE\u{202e}>5") == ["alert.formula", "formula-unexpected", "U+202E", "6"])
        #expect(code("C" + String(repeating: "+1", count: 600)) == ["alert.formula", "formula-too-long", "1024", "1025"])
        #expect(code("CLOSE>MA(CLOSE,2001)") == ["alert.formula-heavy", "2001", "formula-bars", "2000"])
        #expect(code("CLOSE>REF(MA(CLOSE,1500),1000)") == ["alert.formula-heavy", "2500", "formula-bars", "2000"])
        #expect(code("STD(CLOSE,600)>STD(OPEN,600)") == ["alert.formula-heavy", "1206", "formula-steps", "1024"])
        let heavy = Failure(
            .alertFormulaHeavy, .init("needed", "2500"), .init("unit", "formula-bars"), .init("limit", "2000"))
        #expect(heavy.text(in: .english) == "This expression needs 2,500 bars; an alert may need 2,000")
        #expect(heavy.text(in: .simplifiedChinese) == "此表达式需要 2,500 根 K 线，提醒最多 2,000")
    }

    /// A book with one alert, and what one look at bars with these closes does to it.
    private struct Bench {
        var book = AlertBook()
        var key: FormulaBook.Key
        var fired: [String] = []

        mutating func look(_ bars: FinishedBars, next: MarketInstant) {
            let alerts = book.alerts(of: "a")
            for news in book.judge(key, FormulaVerdicts(bars, of: alerts, next: next)) {
                if case .fired(let alert, let figure, _, _) = news { fired.append("\(alert.id):\(figure)") }
            }
        }
    }

    private func bench(_ alerts: Alert...) throws -> Bench {
        var bench = Bench(key: FormulaBook.Key(instrument: stock.id, period: .minute5))
        for alert in alerts { bench.book.add(alert) }
        return bench
    }

    private func bars(_ closes: [Int64]) throws -> [Bar] {
        let start = try at(9, 30)
        return closes.enumerated().map { bar(start.advanced(by: .seconds(300 * $0.offset)), $0.element * 1_000_000_000) }
    }

    @Test("It fires where it becomes true, once; a repeating one again after it was false; bars that were judged are not judged again")
    func becomesTrue() throws {
        var bench = try bench(alert(1, "CLOSE>5"), alert(2, "CLOSE>5", repeats: true))
        let all = try bars([1, 6, 7, 2, 8])
        for count in 1...all.count {
            for _ in 0..<2 { bench.look(finished(Array(all.prefix(count)), at: try at(11, 0)), next: try at(11, 0)) }
        }
        #expect(bench.fired == ["1:6000000000", "2:6000000000", "2:8000000000"])
        #expect(bench.book.alerts(of: "a").map(\.id) == [2])
    }

    @Test("What a late trade makes of a judged bar neither fires nor takes back; the next bar is judged against what was judged")
    func lateTrade() throws {
        var bench = try bench(alert(1, "CLOSE>5", repeats: true))
        bench.look(finished(try bars([1, 2]), at: try at(11, 0)), next: try at(11, 0))
        // Corrected to true after it was judged false: nothing; the next, true, is the news.
        bench.look(finished(try bars([1, 9]), at: try at(11, 0)), next: try at(11, 0))
        #expect(bench.fired == [])
        bench.look(finished(try bars([1, 9, 7]), at: try at(11, 0)), next: try at(11, 0))
        #expect(bench.fired == ["1:7000000000"])
        // Corrected to false after it fired: the next true one is none.
        bench.look(finished(try bars([1, 9, 2, 8]), at: try at(11, 0)), next: try at(11, 0))
        #expect(bench.fired == ["1:7000000000"])
    }

    @Test("Bars that ended before the alert do not count; what ended while nobody looked is judged at once, each bar once")
    func missed() throws {
        var alert = try alert(1, "CROSS(CLOSE,5)", repeats: true)
        alert.since = try at(9, 40)
        var bench = try bench(alert)
        #expect(bench.book.isDue(at: try at(9, 41)))
        bench.look(finished(try bars([1, 9, 2, 8, 3, 7]), at: try at(9, 57)), next: try at(10, 0))
        #expect(bench.fired == ["1:8000000000"])
        #expect(bench.book.isDue(at: try at(10, 0, 1)) == false)
        #expect(bench.book.isDue(at: try at(10, 0, 2)))
        bench.look(finished(try bars([1, 9, 2, 8, 3, 7]), at: try at(10, 0)), next: try at(10, 5))
        #expect(bench.fired == ["1:8000000000", "1:7000000000"])
    }

    @Test("However looks and restarts fall, each change to true fires once, in order", arguments: UInt64(0)..<200)
    func model(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let closes = (0..<24).map { _ in Int64.random(in: 1...9, using: &random) }
        let all = try bars(closes)
        let end = try at(11, 30)
        var bench = try bench(alert(1, "CLOSE>5", repeats: true))
        var shown = 0
        while shown < all.count {
            shown = Int.random(in: shown...all.count, using: &random)
            bench.look(finished(Array(all.prefix(shown)), at: end), next: end)
            if Bool.random(using: &random) {
                // A restart takes up what was kept.
                let kept = bench.book.alerts(of: "a")
                bench.book = AlertBook()
                for alert in kept { bench.book.add(alert) }
            }
        }
        let expected = closes.indices.filter { closes[$0] > 5 && ($0 == 0 || closes[$0 - 1] <= 5) }
        #expect(bench.fired == expected.map { "1:\(closes[$0] * 1_000_000_000)" })
    }
}
