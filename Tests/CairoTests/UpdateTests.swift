import Streams
import CCairo
import Charting
import Foundation
import Testing
import Texts

@testable import Cairo

/// What a tick touched is drawn anew and nothing else, and nobody can tell (G-4).
struct UpdateTests {
    private static let size = Size(width: 640, height: 360)

    private static func walk(_ count: Int, _ random: inout SeededRandom) -> BarColumns {
        var price = 400.0
        return BarColumns(
            (0..<count).map { _ in
                let open = price
                price += Double.random(in: -4...4, using: &random)
                let (high, low) = (max(open, price) + 1, min(open, price) - 1)
                return .init(open: open, high: high, low: low, close: price, volume: .random(in: 1e3...9e5, using: &random))
            })
    }

    private static func content(_ count: Int, _ random: inout SeededRandom) throws -> ChartContent {
        let bars = walk(count, &random)
        let times = (0..<count).map { ChartTime(day: 20_261_130, minute: 570 + $0) }
        var content = ChartContent(bars: bars, times: times, decimals: 2, volumeTitle: "Volume", language: .english)
        content.title = "700.HK  Tencent"
        content.previousClose = 400
        try compute(&content)
        return content
    }

    private static func compute(_ content: inout ChartContent) throws {
        content.lastPrice = content.bars.close.last
        content.indicators = try ["ma:5", "boll", "ichimoku:3:9:18", "macd", "rsi"].flatMap { try IndicatorChoice.parse($0) }.map {
            ChartIndicator($0, lines: try $0.indicator.lines(content.bars, $0.values))
        }
    }

    /// As a market and its user would: ticks most of the time, now and then a bar, an order, a trade, the pointer.
    private static func change(_ content: inout ChartContent, _ pointer: inout (Int, Double?)?, _ random: inout SeededRandom) throws {
        let end = content.bars.count - 1
        switch Int.random(in: 0..<10, using: &random) {
        case 0: pointer = pointer == nil ? (Int.random(in: 0...end, using: &random), 120) : nil
        case 1: content.orderLines = content.orderLines.isEmpty ? [.init(price: 399, label: "Buy 200", kind: .working)] : []
        case 2: content.trades.append(.init(place: end - 3, isBuy: Bool.random(using: &random)))
        case 3: content.countdown = "0:\(Int.random(in: 10...59, using: &random))"
        default:
            var bar = content.bars[end]
            bar.close += Double.random(in: -2...2, using: &random)
            (bar.high, bar.low) = (max(bar.high, bar.close), min(bar.low, bar.close))
            bar.volume += 100
            content.bars[end] = bar
        }
        try compute(&content)
    }

    /// Where, at most so many pixels of each row.
    private static func different(_ one: CairoCanvas, _ other: CairoCanvas) -> [String] {
        let (width, height) = (Int(cairo_image_surface_get_width(one.surface)), Int(cairo_image_surface_get_height(one.surface)))
        let stride = Int(cairo_image_surface_get_stride(one.surface))
        cairo_surface_flush(one.surface)
        cairo_surface_flush(other.surface)
        guard let left = cairo_image_surface_get_data(one.surface), let right = cairo_image_surface_get_data(other.surface) else {
            return ["no pixels"]
        }
        return (0..<height).filter { memcmp(left + $0 * stride, right + $0 * stride, width * 4) != 0 }.map { y in
            let x = (0..<width).first { memcmp(left + y * stride + $0 * 4, right + y * stride + $0 * 4, 4) != 0 }
            return "\(x ?? -1) \(y)"
        }
    }

    @Test(arguments: UInt64(0)..<24)
    func anUpdatedPictureIsAWholeOne(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let painter = CairoPainter(Theme(seed % 2 == 0 ? .light : .dark))
        let scale = [1.0, 1.5, 2][Int(seed % 3)]
        var content = try Self.content(90, &random)
        content.hollowRises = seed % 5 == 0
        let viewport = Viewport(width: 580, count: 90, slot: [6, 8, 3][Int(seed % 3)])
        var pointer: (Int, Double?)?
        let canvas = try CairoCanvas(Self.size, scale: scale)
        for _ in 0..<6 {
            let scene = CandleScene(content, viewport, size: Self.size, crosshair: pointer, texts: painter.measure).scene()
            try canvas.update(scene, painter)
            let whole = try CairoCanvas(Self.size, scale: scale)
            try whole.draw(scene, painter)
            #expect(Self.different(canvas, whole) == [])
            try Self.change(&content, &pointer, &random)
        }
    }

    @Test func aTickIsASmallPartOfThePicture() throws {
        var random = SeededRandom(seed: 7)
        let painter = CairoPainter(Theme())
        var content = try Self.content(90, &random)
        let viewport = Viewport(width: 580, count: 90, slot: 6)
        let canvas = try CairoCanvas(Self.size)
        try canvas.draw(CandleScene(content, viewport, size: Self.size, texts: painter.measure).scene(), painter)
        let bar = content.bars[89]
        content.bars[89].close = (bar.low + bar.high) / 2
        try Self.compute(&content)
        let parts = try canvas.update(CandleScene(content, viewport, size: Self.size, texts: painter.measure).scene(), painter)
        let area = parts.reduce(0) { $0 + $1.width * $1.height }
        #expect(!parts.isEmpty && area < 0.15 * 640 * 360, "\(area) of \(parts)")
        #expect(try canvas.update(CandleScene(content, viewport, size: Self.size, texts: painter.measure).scene(), painter) == [])
    }

    /// Another theme, other words' shapes or another size: all is other.
    @Test func anotherThemeIsDrawnWhole() throws {
        let whole = Rect(0, 0, 30, 20)
        let scene = Scene(size: Size(width: 30, height: 20), marks: [.box(Rect(3, 3, 5, 5), fill: .ink, stroke: nil)])
        var painter = CairoPainter(Theme(.light))
        let canvas = try CairoCanvas(scene.size)
        #expect(try canvas.update(scene, painter) == [whole])
        #expect(try canvas.update(scene, painter) == [])
        painter.theme = Theme(.dark)
        #expect(try canvas.update(scene, painter) == [whole])
        #expect(try canvas.update(scene, CairoPainter(Theme(.dark), language: .traditionalChinese)) == [whole])
    }

    @Test func textsAreKeptAndForgotten() {
        let texts = TypeCase(family: CairoPainter.usualFonts, .english, most: 8)
        let style = TextStyle(.text)
        let first = texts.width("0", style)
        for number in 0..<100 { _ = texts.width("\(number)", style) }
        #expect(texts.count <= 16)
        #expect(texts.width("0", style) == first)
        #expect(texts.width("0", TextStyle(.text, size: 22)) > first && texts.count <= 16)
    }
}
