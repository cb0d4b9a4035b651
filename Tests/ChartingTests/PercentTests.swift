import Testing
import Texts

@testable import Charting

/// Several instruments' changes in per cent, from the first bar in view (G-5).
struct PercentTests {
    private func member(_ title: String, _ bars: [(day: Int32, close: Double)], joins: [ChartJoin] = []) -> PercentContent.Member {
        .init(
            title: title, keys: bars.map { Int64($0.day) }, times: bars.map { ChartTime(day: $0.day) }, closes: bars.map(\.close),
            joins: joins)
    }

    private func isClose(_ one: [Double], _ other: [Double]) -> Bool {
        one.count == other.count && zip(one, other).allSatisfy { $0.isNaN && $1.isNaN || abs($0 - $1) < 1e-9 }
    }

    /// A holiday of one of them is a gap in its line, and the day stands on the axis once; it begins where all have a bar.
    @Test func daysAreMatchedAndMissingOnesAreGaps() {
        let content = PercentContent(
            [
                member("A", [(20_261_123, 100), (20_261_124, 110), (20_261_126, 99), (20_261_127, 121)]),
                member("B", [(20_261_124, 50), (20_261_125, 55), (20_261_126, 60), (20_261_127, 30)]),
            ], .english)
        #expect(content.times.map(\.day) == [20_261_124, 20_261_125, 20_261_126, 20_261_127])
        #expect(isClose(content.changes(0, 0..<4), [0, .nan, -10, 10]))
        #expect(isClose(content.changes(1, 0..<4), [0, 10, 20, -40]))
        // From the first in view that all have, and nothing before it.
        #expect(content.base(1..<4) == 2 && content.base(1..<2) == nil)
        #expect(isClose(content.changes(1, 1..<4), [.nan, 0, -50]))
        #expect(content.common.count == 3 && content.common.newest == 3 && content.since == nil)
    }

    /// What is shown begins with a bar that all have, however few are asked for.
    @Test func whatIsKeptBeginsWithABarOfAll() {
        var content = PercentContent(
            [
                member("A", [(1, 100), (2, 110), (4, 99), (5, 121)], joins: [.init(place: 1, label: "2022")]),
                member("B", [(2, 50), (3, 55), (4, 60), (5, 30)]),
            ], .english)
        content.keep(newest: 9)
        #expect(content.times.map(\.day) == [2, 3, 4, 5] && content.since == ChartTime(day: 2))
        content.keep(newest: 3)
        #expect(content.times.map(\.day) == [2, 3, 4, 5] && content.since == ChartTime(day: 2))
        content.keep(newest: 2)
        #expect(content.times.map(\.day) == [4, 5] && content.since == nil && isClose(content.changes(1, 0..<2), [0, -50]))
    }

    /// Prices of two recordings do not join: only what goes on for all of them is compared, and said since when.
    @Test func onlyWhatGoesOnForAllIsCompared() throws {
        let days: [Int32] = [20_261_123, 20_261_124, 20_261_125, 20_261_126]
        let content = PercentContent(
            [
                member("A", zip(days, [100, 110, 400, 440]).map { ($0, $1) }, joins: [.init(place: 2, label: "Recorded 2022-04-11")]),
                member("B", zip(days, [10, 11, 12, 15]).map { ($0, $1) }, joins: [.init(place: 1, label: "Recorded 2022-04-11")]),
            ], .english)
        #expect(content.times.map(\.day) == [20_261_125, 20_261_126])
        #expect(isClose(content.changes(0, 0..<2), [0, 10]) && isClose(content.changes(1, 0..<2), [0, 25]))
        #expect(content.since == ChartTime(day: 20_261_125))
        let marks = PercentScene(content, Viewport(width: 600, count: 2), size: Size(width: 700, height: 400)).scene().marks
        #expect(runs(marks) == [2, 2])
        #expect(marks.contains { if case .text("2026-11-25 = 0%", _, _) = $0 { true } else { false } })
        // The newest bar of A alone goes on: there is nothing to compare, and A is in the way.
        let none = PercentContent(
            [
                member("A", zip(days, [100, 110, 400, 440]).map { ($0, $1) }, joins: [.init(place: 3, label: "Recorded 2022-04-11")]),
                member("B", zip(days, [10, 11, 12, 15]).map { ($0, $1) }),
            ], .english)
        let latest = try #require(none.latest)
        #expect(none.common.count == 1 && latest.title == "A" && latest.time == ChartTime(day: 20_261_126))
    }

    /// What is at or below zero has no per cent: no number is better than one that says nothing.
    @Test func aFirstPriceThatIsNotAboveZeroHasNone() {
        let content = PercentContent(
            [member("A", [(1, -37.6), (2, 10)]), member("B", [(1, 10), (2, -5)]), member("C", [(1, 0), (2, 1)])], .english)
        #expect(content.unmeasured(0..<2) == ["A", "C"])
        #expect(isClose(content.changes(0, 0..<2), [.nan, .nan]))
        #expect(isClose(content.changes(1, 0..<2), [0, -150]))
        #expect(content.unmeasured(1..<2) == ["B"])
    }

    private func runs(_ marks: [Mark]) -> [Int] {
        var runs: [Int] = []
        for case .clipped(_, let inside) in marks { for case .polyline(let points, _) in inside { runs.append(points.count) } }
        return runs
    }

    @Test func theSceneHasALineALegendAndATagForEach() {
        let content = PercentContent(
            [
                member("700.HK", (1...9).map { (20_261_100 + $0, 100 + Double($0)) }),
                member("AAPL.US", [(20_261_101, 50), (20_261_102, 51), (20_261_104, 49), (20_261_106, 48), (20_261_107, 40)]),
            ], .english)
        let size = Size(width: 800, height: 400)
        let scene = PercentScene(content, Viewport(width: 730, count: 9), size: size).scene()
        // The second first, so that the first lies over it; its bar alone is a dot.
        #expect(runs(scene.marks) == [2, 2, 9])
        let words = scene.marks.compactMap { if case .text(let text, _, _) = $0 { text } else { nil } }
        #expect(words.contains("2026-11-01 = 0%") && words.contains("700.HK +7.92%") && words.contains("AAPL.US −20.00%"))
        #expect(words.contains("+7.92%") && words.contains("−20.00%"))
        let pointed = PercentScene(content, Viewport(width: 730, count: 9), size: size, crosshair: (2, 100)).scene()
        let then = pointed.marks.compactMap { if case .text(let text, _, _) = $0 { text } else { nil } }
        #expect(then.contains("AAPL.US —") && then.contains("700.HK +1.98%") && then.contains("2026-11-03"))
    }

    /// One base for all: it is the first bar drawn, and named.
    @Test func theBaseIsTheFirstBarAllHave() {
        let content = PercentContent(
            [member("A", [(20_261_123, 100), (20_261_124, 110), (20_261_125, 121)]), member("B", [(20_261_124, 50), (20_261_125, 40)])],
            .english)
        let scene = PercentScene(content, Viewport(width: 730, count: 2), size: Size(width: 800, height: 400)).scene()
        let words = scene.marks.compactMap { if case .text(let text, _, _) = $0 { text } else { nil } }
        #expect(words.contains("2026-11-24 = 0%") && words.contains("A +10.00%") && words.contains("B −20.00%"))
    }

    @Test(arguments: [(0.0, 0.0), (1, 1), (200, 150), (900, 20), (8_000, 8_000)])
    func anySizeAndAnythingMakesAScene(width: Double, height: Double) {
        for members in [
            [], [member("A", [])], [member("A", [(1, .nan)])], [member("A", [(1, 5)]), member("B", [(2, .infinity), (3, 1e300)])],
        ] {
            let content = PercentContent(members, .simplifiedChinese)
            let scene = PercentScene(content, Viewport(width: width, count: content.times.count), size: Size(width: width, height: height))
            #expect(!scene.scene().marks.isEmpty)
        }
    }
}
