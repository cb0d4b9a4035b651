import Streams
import Exact
import Testing
import Texts

@testable import Charting

/// Marks of a scene by themselves, each with the boxes around it; lines by their pieces, boxes one by one.
private func flat(_ marks: [Mark], within clip: Rect) -> [(mark: Mark, clip: Rect)] {
    marks.flatMap { mark -> [(mark: Mark, clip: Rect)] in
        switch mark {
        case .clipped(let box, let inner): box.intersection(clip).map { flat(inner, within: $0) } ?? []
        case .polyline(let points, let stroke) where stroke.dash.isEmpty:
            zip(points, points.dropFirst()).map { (.polyline([$0, $1], stroke), clip) }
        case .boxes(let boxes, let ink, let opacity): boxes.map { (.boxes([$0], ink, opacity: opacity), clip) }
        default: [(mark, clip)]
        }
    }
}

/// What is drawn outside of some boxes: marks no part of which lies in them are the same, in the same order, before and after.
private func outside(_ scene: Scene, _ rects: [Rect]) -> [Mark] {
    flat(scene.marks, within: Rect(0, 0, scene.size.width, scene.size.height)).filter { mark, clip in
        guard let box = mark.bounds(.guess)?.intersection(clip) else { return false }
        return !rects.contains { $0.x <= box.x && $0.y <= box.y && $0.maxX >= box.maxX && $0.maxY >= box.maxY }
    }.map(\.mark)
}

struct TouchedPartsTests {
    // G-4: what an event touched, drawn anew, is all that has to be drawn anew.
    @Test(arguments: UInt64(0)..<24)
    func nothingElseChanged(seed: UInt64) throws {
        var market = Market(seed, known: 1_000..<1_150)
        let size = Size(width: 900, height: 600)
        var chart = ChartInteraction(market.content, size: size) { $0 }
        var line = ChartOrderLine(price: market.content.bars.close[100], label: "Buy 100", kind: .working)
        line.order = 1
        _ = chart.handle(.orderLines([line]))
        let plane = chart.plane
        let anchors = try [Point(200, 120), Point(420, 200)].map { try #require(plane.anchor(at: $0)) }
        _ = chart.handle(.drawings([try Drawing(id: 1, tool: .fibonacci, anchors: anchors)]))
        var before = chart.frame().scene
        var random = SeededRandom(seed: seed &+ 7)
        for _ in 0..<40 {
            let point = Point(random.unit() * 830, random.unit() * 560)
            switch random.next() % 10 {
            case 0: _ = chart.handle(.push(market.replace()))
            case 1: _ = chart.handle(.push(market.append()))
            case 2: _ = chart.handle(.lastPrice(100 + random.unit() * 10, previousClose: 100))
            case 3: _ = chart.handle(.time(0, barEnd: Int64(random.next() % 9_000_000_000_000)))
            case 4: _ = chart.handle(.pointerDown(point))
            case 5: _ = chart.handle(.pointerUp(point))
            case 6: _ = chart.handle(.wheel(steps: Int(random.next() % 3) - 1, at: point))
            case 7: _ = chart.handle(.choose(random.next() % 2 == 0 ? .rectangle : nil))
            default: _ = chart.handle(.pointerMoved(point))
            }
            let (after, touched) = chart.frame()
            #expect(touched.count <= 24)
            #expect(outside(before, touched) == outside(after, touched))
            for rect in touched { #expect(rect.x >= 0 && rect.y >= 0 && rect.maxX <= 900 && rect.maxY <= 600 && rect == rect.wholePixels) }
            before = after
        }
    }

    @Test func aTickTouchesLittle() throws {  // G-4
        var market = Market(5, known: 1_000..<1_150)
        var content = market.content
        content.lastPrice = nil
        let size = Size(width: 900, height: 600)
        var chart = ChartInteraction(content, size: size) { $0 }
        #expect(chart.frame().touched == [Rect(0, 0, 900, 600)])
        #expect(chart.frame().touched.isEmpty)
        // Inside the range of what is seen: the scale stays.
        var bar = market.bars[1_149]
        bar.close = (bar.open + bar.close) / 2
        _ = chart.handle(.push(.replaced(bar, values: [[content.indicators[0].lines[0][149]]])))
        let touched = chart.frame().touched
        #expect(!touched.isEmpty && touched.reduce(0) { $0 + $1.area } < 900 * 600 / 20, "\(touched)")
        _ = market.append()
        // A crosshair that moves by a bar: two columns, two rows and the words.
        _ = chart.handle(.pointerMoved(Point(400, 200)))
        _ = chart.frame()
        _ = chart.handle(.pointerMoved(Point(408, 200)))
        let moved = chart.frame().touched
        #expect(!moved.isEmpty && moved.reduce(0) { $0 + $1.area } < 900 * 600 / 6, "\(moved)")
        #expect(chart.handle(.resized(Size(width: 800, height: 600))).isEmpty)
        #expect(chart.frame().touched == [Rect(0, 0, 800, 600)])
    }
}
