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
        content.indicators.append(
            ChartIndicator(
                title: choice.title, outputs: choice.indicator.outputs, pane: choice.indicator.pane,
                lines: try choice.indicator.lines(bars, choice.values)))
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
}
