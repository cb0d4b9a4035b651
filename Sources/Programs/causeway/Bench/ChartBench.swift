import Cairo
import Charting
import Foundation
import HTTP
import Streams
import Texts

/// A chart as the app draws it: price, volume and MACD over 200,000 bars, 300 of them in view, at 1280 × 700.
struct ChartBench: Sendable {
    var bars: Int
    var rounds: Int
    var clock = MonotonicClock.live

    static let quick = ChartBench(bars: 5_000, rounds: 20)

    init(bars: Int = 200_000, rounds: Int = 300) {
        self.bars = bars
        self.rounds = rounds
    }

    private let painter = CairoPainter(Theme())
    private let texts = CairoPainter(Theme()).measure
    private static let size = Size(width: 1_280, height: 700)

    func run() throws -> BenchReport {
        let content = try content(["ma:5:10:20", "macd"], bars)
        let canvas = try CairoCanvas(Self.size)
        let viewport = Viewport(width: Self.size.width, count: bars, slot: 4)
        func scene(_ content: ChartContent, _ viewport: Viewport) -> Scene {
            CandleScene(content, viewport, size: Self.size, texts: texts).scene()
        }
        let drawn = scene(content, viewport)
        let build = try median { _ in _ = scene(content, viewport) }
        let paint = try median { _ in try canvas.draw(drawn, painter) }
        let png = try median { _ in _ = try canvas.png() }
        let four = try self.content(["ma:5:10:20", "macd", "kdj", "rsi"], min(2_000, bars))
        let whole = Viewport(width: Self.size.width, count: four.bars.count, slot: 0.6)
        let panes = try median { _ in _ = scene(four, whole) }
        let pan = try pan(content, viewport, canvas).sorted()
        return BenchReport(
            .chart,
            figures: [
                .init("bars", Double(bars), "count"), .init("marks", Double(drawn.marks.count), "count"),
                .init("scene_2000_four_panes", panes, "ms"), .init("png", png, "ms"),
                .init("pan_p50", Samples.percentile(0.5, of: pan), "ms"),
                .init("load_average", LoadAverage.now(), "count"),
            ],
            values: [
                "scene_300_of_200k": build, "paint_1280": paint, "tick_redraw": try tick(content, viewport, canvas),
                "pan_p99": Samples.percentile(0.99, of: pan),
            ])
    }

    private func content(_ choices: [String], _ count: Int) throws -> ChartContent {
        let columns = BenchBars.walk(count)
        let times = (0..<count).map { ChartTime(day: 20_200_101 + Int32($0 / 330 % 28), minute: 570 + $0 % 330) }
        var content = ChartContent(bars: columns, times: times, decimals: 2, volumeTitle: "Volume", language: .english)
        for text in choices {
            guard let found = try? IndicatorChoice.parse(text) else { throw Failure.invalid(text) }
            for choice in found {
                content.indicators.append(
                    ChartIndicator(choice, lines: try choice.indicator.lines(columns, choice.values)))
            }
        }
        content.title = "700.HK  Tencent"
        content.lastPrice = columns.close.last
        content.previousClose = columns.close.dropLast().last
        return content
    }

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let begin = clock.now()
        try body()
        return Double(begin.duration(to: clock.now()).nanoseconds) / 1e6
    }

    private func median(_ body: (Int) throws -> Void) throws -> Double {
        var samples: [Double] = []
        for round in 0...rounds { samples.append(try milliseconds { try body(round) }) }
        return Samples.median(Array(samples.dropFirst()))
    }

    /// A tick changes the last bar and its volume, the last price and the newest value of each indicator: the scene is made and what is other
    /// in it is drawn anew, with every text that tells a value.
    private func tick(_ content: ChartContent, _ viewport: Viewport, _ canvas: CairoCanvas) throws -> Double {
        var content = content
        let end = content.bars.count - 1
        let bar = content.bars[end]
        let lines = content.indicators.map { $0.lines.map { $0[end] } }
        try canvas.draw(CandleScene(content, viewport, size: Self.size, texts: texts).scene(), painter)
        return try median { round in
            let factor = 1 + Double(round % 97 - 48) * 1e-5
            content.bars[end].close = min(max(bar.close * factor, bar.low), bar.high)
            content.bars[end].volume = bar.volume * (1 + Double(round % 89) * 1e-4)
            content.lastPrice = content.bars.close[end]
            for (number, values) in lines.enumerated() {
                for (line, value) in values.enumerated() { content.indicators[number].lines[line][end] = value * factor }
            }
            try canvas.update(CandleScene(content, viewport, size: Self.size, texts: texts).scene(), painter)
        }
    }

    /// Dragging through the bars, a whole frame each step.
    private func pan(_ content: ChartContent, _ viewport: Viewport, _ canvas: CairoCanvas) throws -> [Double] {
        var viewport = viewport
        var samples: [Double] = []
        for _ in 0..<rounds {
            viewport.drag(by: 137, count: content.bars.count)
            samples.append(
                try milliseconds {
                    try canvas.draw(CandleScene(content, viewport, size: Self.size, texts: texts).scene(), painter)
                })
        }
        return samples
    }
}
