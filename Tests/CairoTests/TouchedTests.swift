import CCairo
import Charting
import Exact
import Testing
import Texts

@testable import Cairo

/// Numbers that look random and are the same each time.
private struct Numbers {
    var state: UInt64
    mutating func next(_ below: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % below
    }
}

/// Red, green and blue of each pixel, row by row.
private func pixels(_ scene: Scene, _ painter: CairoPainter) -> [UInt32] {
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(scene.size.width), Int32(scene.size.height))
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    if let context { painter.draw(scene, on: context) }
    cairo_surface_flush(surface)
    let count = Int(cairo_image_surface_get_stride(surface)) / 4 * Int(scene.size.height)
    return cairo_image_surface_get_data(surface).map { start in
        start.withMemoryRebound(to: UInt32.self, capacity: count) { Array(UnsafeBufferPointer(start: $0, count: count)) }
    } ?? []
}

/// The largest difference of a colour of two pixels.
private func difference(_ a: UInt32, _ b: UInt32) -> Int {
    [0, 8, 16].map { abs(Int(a >> $0 & 255) - Int(b >> $0 & 255)) }.max() ?? 0
}

struct TouchedTests {
    private func bar(_ place: Int, _ numbers: inout Numbers) -> BarColumns.Bar {
        let open = 400 + Double(place % 37)
        let close = open + Double(numbers.next(21) - 10)
        return .init(
            open: open, high: max(open, close) + 3, low: min(open, close) - 3, close: close, volume: Double(numbers.next(9_000)),
            day: Int32(place))
    }

    // G-4: painted anew inside of what was touched only, the picture is the whole new picture, pixel for pixel.
    @Test(arguments: [Language.english, .simplifiedChinese], [UInt64(1), 2])
    func thePartThatWasTouchedIsEnough(language: Language, seed: UInt64) throws {
        var numbers = Numbers(state: seed)
        let bars = BarColumns((0..<300).map { bar($0, &numbers) })
        var content = ChartContent(
            bars: bars, times: (0..<300).map { ChartTime(day: 20_260_101, minute: $0) }, decimals: 2, volumeTitle: "成交量",
            language: language)
        content.title = "700.HK  騰訊控股"
        content.indicators = [
            ChartIndicator(
                title: "MA(1)", outputs: [.init(name: "MA", style: .line, shift: 0)], pane: .price, lines: [bars.close]),
            ChartIndicator(
                title: "X", outputs: [.init(name: "X", style: .columns, shift: 0)], pane: .own, lines: [bars.volume]),
        ]
        let size = Size(width: 420, height: 300)
        let painter = CairoPainter(Theme(.light, .redUp), language: language)
        var chart = ChartInteraction(content, size: size, texts: painter.measure) { $0 }
        _ = chart.handle(.orderLines([ChartOrderLine(price: 410, label: "买 100", kind: .working, order: 1)]))
        let anchors = [Drawing.Anchor(ChartTime(day: 20_260_101, minute: 240), Price(nanos: 400_000_000_000))]
        _ = chart.handle(.drawings([try Drawing(id: 1, tool: .text, anchors: anchors, text: "支撑 gjpqy WMÅ")]))
        var before = chart.frame().scene
        for step in 0..<14 {
            let point = Point(Double(numbers.next(360)), Double(40 + numbers.next(240)))
            switch step % 7 {
            case 0: _ = chart.handle(.push(.replaced(bar(299, &numbers), values: [[410], [50]])))
            case 1: _ = chart.handle(.lastPrice(Double(400 + numbers.next(20)), previousClose: 405))
            case 2: _ = chart.handle(.time(0, barEnd: Int64(1 + numbers.next(9_000)) * 1_000_000_000))
            case 3, 4: _ = chart.handle(.pointerMoved(point))
            case 5: _ = chart.handle(.pointerDown(point))
            default: _ = chart.handle(.pointerUp(Point(point.x + 40, point.y)))
            }
            let (after, touched) = chart.frame()
            let parts = touched.map { Mark.clipped($0, [.box($0, fill: .view, stroke: nil)] + after.marks) }
            let repainted = pixels(Scene(size: size, marks: before.marks + parts), painter)
            let whole = pixels(after, painter)
            #expect(whole.count == Int(size.width * size.height) && repainted.count == whole.count)
            // A path cut at a clip is rounded a little differently where it is smooth.
            var most = 0
            if repainted != whole {
                for place in whole.indices where repainted[place] != whole[place] {
                    most = max(most, difference(repainted[place], whole[place]))
                }
            }
            #expect(most <= 16, "step \(step) of \(touched)")
            before = after
        }
    }
}
