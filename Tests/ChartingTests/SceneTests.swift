import Foundation
import Testing
import Texts

@testable import Charting

func appleContent(_ choices: [String], count: Int = 300) throws -> ChartContent {
    let all = try appleBars()
    let bars = BarColumns((all.count - count..<all.count).map { all[$0] })
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let lines = try String(contentsOf: root.appendingPathComponent("Fixtures/indicators/aapl_daily_300.csv"), encoding: .utf8)
    let times = lines.split(separator: "\n").dropFirst().map { ChartTime(day: Int32($0.prefix(10).filter { $0 != "-" }) ?? 0) }
    var content = ChartContent(bars: bars, times: times.suffix(count), decimals: 2, volumeTitle: "VOL", language: .english)
    for choice in try choices.flatMap({ try IndicatorChoice.parse($0) }) {
        content.indicators.append(ChartIndicator(choice, lines: try choice.indicator.lines(bars, choice.values)))
    }
    content.lastPrice = bars.close.last
    content.previousClose = bars.close.dropLast().last
    return content
}

struct SceneTests {
    @Test func picture() throws {
        var content = try appleContent(["ma:5:10:20", "macd", "kdj"])
        content.trades = [.init(place: 250, isBuy: true), .init(place: 280, isBuy: false)]
        content.orderLines = [
            .init(price: 500, label: "Buy 200 limit", kind: .working), .init(price: 470, label: "Cost 470.00 · 400", kind: .cost),
        ]
        content.countdown = "1:23:52"
        let size = Size(width: 1_280, height: 700)
        let scene = CandleScene(content, Viewport(width: 1_200, count: 300), size: size, crosshair: (260, 200)).scene()
        if let path = ProcessInfo.processInfo.environment["CAUSEWAY_PICTURE"] {
            try SVGPainter(Theme(.light)).svg(scene).write(toFile: path + "-light.svg", atomically: true, encoding: .utf8)
            try SVGPainter(Theme(.dark, .greenUp)).svg(scene).write(toFile: path + "-dark.svg", atomically: true, encoding: .utf8)
        }
        #expect(scene.marks.count > 20)
    }

    // G-3: nothing is computed or drawn across a join.
    @Test func joinsAreMarkedAndNothingGoesAcross() throws {
        var content = try appleContent([], count: 100)
        content.joins = [.init(place: 60, label: "Recorded 2022-04-11")]
        let choice = try #require(IndicatorChoice.parse("ma:5").first)
        let lines = try #require(content.parts { try? choice.indicator.lines($0, choice.values) })
        let parts = try [0..<60, 60..<100].map { range in
            try choice.indicator.lines(BarColumns(range.map { content.bars[$0] }), choice.values)[0]
        }
        #expect(lines[0].count == 100 && lines[0].map(\.bitPattern) == (parts[0] + parts[1]).map(\.bitPattern))
        #expect(lines[0][60..<64].allSatisfy(\.isNaN) && lines[0][64].isFinite)
        content.indicators = [.init(title: "MA", outputs: choice.indicator.outputs, pane: .price, lines: [content.bars.close])]
        let scene = CandleScene(content, Viewport(width: 1_200, count: 100), size: Size(width: 1_280, height: 700)).scene()
        var runs: [Int] = []
        for case .clipped(_, let marks) in scene.marks { for case .polyline(let points, _) in marks { runs.append(points.count) } }
        #expect(runs == [60, 40])
        #expect(scene.marks.contains { if case .text("Recorded 2022-04-11", _, _) = $0 { true } else { false } })
    }

    private func words(_ scene: Scene) -> [String] { scene.marks.compactMap { if case .text(let text, _, _) = $0 { text } else { nil } } }

    /// Of a day without a trade the close before is the last bar's: never told against itself.
    @Test func aClosedDayTellsTheLastBarsChange() throws {
        var content = try appleContent([], count: 100)
        let (before, last) = (content.bars.close[98], content.bars.close[99])
        content.stand(traded: nil, against: last, isIntraday: false)
        #expect(content.lastPrice == last && content.previousClose == before)
        content.stand(traded: nil, against: last, isIntraday: true)
        #expect(content.lastPrice == last && content.previousClose == nil)
        content.stand(traded: last + 1, against: last, isIntraday: false)
        #expect(content.lastPrice == last + 1 && content.previousClose == last)
        content.joins = [.init(place: 99, label: "Recorded 2022-04-11")]
        content.stand(traded: nil, against: last, isIntraday: false)
        #expect(content.previousClose == nil)
    }

    /// An order out of view is named at the edge it lies beyond.
    @Test func ordersOutOfViewAreNamedAtTheEdge() throws {
        var content = try appleContent([], count: 100)
        let (top, bottom) = (content.highest * 2, content.lowest / 2)
        content.orderLines = [
            .init(price: top, label: "Sell 100", kind: .working), .init(price: bottom, label: "Buy 100", kind: .working),
        ]
        let scene = CandleScene(content, Viewport(width: 1_200, count: 100), size: Size(width: 1_280, height: 700)).scene()
        #expect(words(scene).contains("▲ \(content.price(top))  Sell 100") && words(scene).contains("▼ \(content.price(bottom))  Buy 100"))
        content.orderLines = (1...6).map { .init(price: top + Double($0), label: "S", kind: .working) }
        let many = CandleScene(content, Viewport(width: 1_200, count: 100), size: Size(width: 1_280, height: 700)).scene()
        #expect(words(many).contains("▲ +3"))
    }

    /// A tag moved off its price is joined to it.
    @Test func aMovedTagHasALeader() throws {
        let tags = SceneParts.spread(
            .init(y: 100, text: "1", fill: .ink, ink: .onInk), [.init(y: 98, text: "2", fill: .mine, ink: .onMine)])
        #expect(tags[0].leader(at: 50, to: 1) == nil && tags[1].y == 81)
        let leader = try #require(tags[1].leader(at: 50, to: 1))
        guard case .polyline(let points, _) = leader else {
            Issue.record("\(leader)")
            return
        }
        #expect(points.first == Point(32, 98) && points.last == Point(52, 81))
    }

    @Test func whatHasNoVolumeHasNoPaneForIt() throws {
        let all = try appleContent([], count: 100)
        var bars = all.bars
        #expect(ChartLayout(Size(width: 900, height: 500), all, .guess).panes.map(\.kind) == [.price, .volume])
        bars = BarColumns(
            (0..<100).map {
                var bar = bars[$0]
                bar.volume = 0
                return bar
            })
        let content = ChartContent(bars: bars, times: all.times, decimals: 2, volumeTitle: "VOL", language: .english)
        #expect(ChartLayout(Size(width: 900, height: 500), content, .guess).panes.map(\.kind) == [.price])
        let scene = CandleScene(content, Viewport(width: 900, count: 100), size: Size(width: 900, height: 500)).scene()
        #expect(!words(scene).contains { $0.hasPrefix("VOL") })
    }

    /// Lines first, labels over them.
    @Test func noLineGoesThroughALabelOfAnOrder() throws {
        var content = try appleContent([], count: 100)
        let price = content.bars.close[99]
        content.orderLines = [
            .init(price: price, label: "Buy 100", kind: .working), .init(price: price * 0.999, label: "Cost", kind: .cost),
        ]
        let marks = CandleScene(content, Viewport(width: 1_200, count: 100), size: Size(width: 1_280, height: 700)).scene().marks
        let lastLine = marks.lastIndex { if case .line(_, _, let stroke) = $0 { !stroke.dash.isEmpty } else { false } }
        let firstLabel = marks.firstIndex { if case .box(_, .mineTint?, _, _, _) = $0 { true } else { false } }
        #expect(try #require(lastLine) < #require(firstLabel))
    }

    // A logarithm of what is not above zero is none: the axis is linear then, and says so.
    @Test func aLogarithmicAxisIsLinearBelowZero() throws {
        var content = try appleContent([], count: 100)
        let viewport = Viewport(width: 1_200, count: 100)
        let size = Size(width: 1_280, height: 700)
        #expect(!CandleScene(content, viewport, size: size).isLogarithmic)
        content.isLogarithmic = true
        #expect(CandleScene(content, viewport, size: size).isLogarithmic)
        content.bars[50].low = -37.63
        #expect(!CandleScene(content, viewport, size: size).isLogarithmic)
    }

    @Test(arguments: [(0.0, 0.0), (1, 1), (60, 500), (900, 20), (200, 150), (8_000, 8_000)])
    func anySizeMakesAScene(width: Double, height: Double) throws {
        var content = try appleContent(["ma:5", "macd", "kdj", "rsi"], count: 50)
        content.title = "AAPL.US  Apple Inc."
        content.orderLines = [.init(price: 500, label: "Buy", kind: .working)]
        content.trades = [.init(place: 49, isBuy: true), .init(place: 0, isBuy: false)]
        let scene = CandleScene(content, Viewport(width: width, count: 50), size: Size(width: width, height: height), crosshair: (3, 9))
        #expect(!scene.scene().marks.isEmpty)
    }

    // Narrower than two pixels: a column a pixel, with the whole range of what falls on it.
    @Test func narrowBarsAreMerged() throws {
        var bars = BarColumns()
        for place in 0..<2_000 {
            let odd = Double(place % 2)
            bars.append(.init(open: 10, high: 20 + odd, low: 5 - odd, close: 11, volume: odd))
        }
        let content = ChartContent(
            bars: bars, times: (0..<2_000).map { ChartTime(day: 20_260_101, minute: $0 % 1_440) }, decimals: 2, volumeTitle: "V",
            language: .english)
        let scene = CandleScene(content, Viewport(width: 1_001, count: 2_000, slot: 0.5), size: Size(width: 1_065, height: 600))
        let columns = MergedBars(content.bars, scene.range, scene.viewport).columns
        #expect((999...1_001).contains(columns.count) && columns.allSatisfy { $0.high == 21 && $0.low == 4 && $0.volume == 1 })
        #expect(Set(columns.map(\.x)).count == columns.count)
        #expect(scene.scene().marks.count < 200)
    }
}
