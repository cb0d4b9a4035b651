import Exact
import Testing
import Texts

@testable import Charting

/// What is written on charts.
struct LabelTests {
    private func content(_ rows: Int, minutes: Bool = false, price: Double = 10) -> ChartContent {
        let bars = BarColumns(
            (0..<rows).map { .init(open: price, high: price + 2, low: price - 1, close: price + Double($0 % 2), volume: 5) })
        let times = (0..<rows).map { ChartTime(day: 20_261_102 + ($0 < 5 ? Int32($0) : Int32($0) + 2), minute: minutes ? 570 + $0 : nil) }
        return ChartContent(bars: bars, times: times, decimals: 2, volumeTitle: "VOL", language: .english)
    }

    private func texts(_ marks: [Mark]) -> [(text: String, at: Point, style: TextStyle)] {
        marks.flatMap { mark -> [(text: String, at: Point, style: TextStyle)] in
            switch mark {
            case .text(let text, let at, let style): [(text, at, style)]
            case .clipped(_, let marks): texts(marks)
            default: []
            }
        }
    }

    // G-5: one minus sign beside prices and beside changes, per cent written alike.
    @Test func oneMinus() throws {
        var content = content(40, price: -20)
        content.lastPrice = -20
        content.previousClose = -19
        let anchors = [content.times[5], content.times[20]].enumerated()
        content.drawings = [
            try Drawing(id: 1, tool: .fibonacci, anchors: try anchors.map { .init($1, try Price("\(-18 - $0)")) }),
            try Drawing(id: 2, tool: .horizontal, anchors: [.init(content.times[3], try Price("-20.5"))]),
        ]
        let size = Size(width: 1_280, height: 700)
        let words = texts(CandleScene(content, Viewport(width: 1_280, count: 40), size: size, crosshair: (20, 200)).scene().marks).map(
            \.text)
        #expect(words.contains { $0.contains("−20.00") } && words.contains("−20.50"))
        #expect(words.allSatisfy { !$0.contains(" %") && !$0.hasPrefix("-") && !$0.contains(" -") }, "\(words)")
    }

    // G-3: numbers of TD do not run together; those that end a count stay.
    @Test(arguments: [6, 8, 14] as [Double]) func countsDoNotTouch(slot: Double) {
        var content = content(60)
        let line = (0..<60).map { Double($0 % 13 + 1) }
        content.indicators = [
            .init(title: "TD", outputs: [.init(name: "SELL SETUP", style: .counts, shift: 0)], pane: .price, lines: [line]),
            .init(title: "MA", outputs: [.init(name: "MA", style: .line, shift: 0)], pane: .price, lines: [content.bars.close]),
        ]
        let scene = CandleScene(content, Viewport(width: 1_280, count: 60, slot: slot), size: Size(width: 1_280, height: 700)).scene()
        guard case .clipped(_, let marks)? = scene.marks.first(where: { if case .clipped = $0 { true } else { false } }) else { return }
        let numbers = texts(marks)
        #expect(numbers.allSatisfy(\.style.hasHalo) && numbers.count { $0.text == "13" } == 4 && numbers.count { $0.text == "9" } >= 4)
        for (place, a) in numbers.enumerated() {
            for b in numbers[(place + 1)...] where abs(a.at.y - b.at.y) < 6 {
                #expect(abs(a.at.x - b.at.x) > (a.style.width(of: a.text) + b.style.width(of: b.text)) / 2 + 1)
            }
        }
        let lastLine = marks.lastIndex { if case .polyline = $0 { true } else { false } } ?? .max
        let firstText = marks.firstIndex { if case .text = $0 { true } else { false } } ?? -1
        #expect(firstText > lastLine)
    }

    // G-4, G-5: one bar stands at the right edge, and its date is whole.
    @Test(arguments: [false, true]) func oneBarHasItsDate(minutes: Bool) throws {
        let content = content(1, minutes: minutes)
        for width in [300.0, 640, 1_280] {
            let scene = CandleScene(content, Viewport(width: width, count: 1, slot: 20), size: Size(width: width, height: 360))
            #expect(abs(scene.layout.plotWidth - scene.viewport.x(0) - 50) < 1e-6)
            let label = try #require(texts(scene.scene().marks).first { $0.text.hasPrefix("2026-11-02") })
            let half = label.style.width(of: label.text) / 2
            #expect(label.at.x - half >= 0 && label.at.x + half <= scene.layout.plotWidth)
        }
    }

    // G-5: two days that one bar holds make no vertical stroke.
    @Test(arguments: [Drawing.Tool.trend, .ray]) func aLineInsideOneBarIsAMark(tool: Drawing.Tool) throws {
        var content = content(20)
        content.times = (0..<20).map { ChartTime(day: Int32(2007 + $0) * 10_000 + 102) }
        let anchors = [Drawing.Anchor(ChartTime(day: 20_260_302), try Price("9.5")), .init(ChartTime(day: 20_260_901), try Price("11"))]
        let scene = CandleScene(content, Viewport(width: 1_280, count: 20, slot: 20), size: Size(width: 1_280, height: 700))
        let shape = try #require(DrawingShape(try Drawing(id: 1, tool: tool, anchors: anchors), on: scene.plane(), decimals: 2))
        #expect(shape.lines.count == 1)
        #expect(shape.lines.allSatisfy { abs($0.from.y - $0.to.y) < 0.001 && abs($0.from.x - $0.to.x) < 7 })
    }
}
