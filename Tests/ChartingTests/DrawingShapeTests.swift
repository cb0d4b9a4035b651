import Streams
import Exact
import Testing
import Texts

@testable import Charting

/// Forty days at 100 to 200, ten pixels each; `isLogarithmic`: from 100 to 400.
func plane(isLogarithmic: Bool = false, times: [ChartTime] = weekdayTimes(40), width: Double = 400) -> ChartPlane {
    let scale = Scale(isLogarithmic ? 100...400 : 100...200, top: 0, bottom: 200, kind: isLogarithmic ? .logarithmic : .linear)
    var viewport = Viewport(width: width, count: times.count, slot: 10)
    viewport.drag(by: 10_000, count: times.count)
    return ChartPlane(
        pane: Rect(0, 0, width, 200), viewport: viewport, places: BarPlaces(times), scale: scale, tick: price("0.05"))
}

struct DrawingShapeTests {
    private let days = weekdayTimes(60)

    private func shape(_ tool: Drawing.Tool, _ anchors: [(Int, String)], isLogarithmic: Bool = false) throws -> DrawingShape {
        let drawing = try drawing(tool, anchors.map { (days[$0.0], $0.1) }, text: tool == .text ? "support" : "")
        return try #require(DrawingShape(drawing, on: plane(isLogarithmic: isLogarithmic), decimals: 2))
    }

    @Test func eachToolHasItsLines() throws {  // G-5
        let trend = try shape(.trend, [(5, "120"), (25, "160")])
        #expect(trend.lines == [.init(from: Point(55, 160), to: Point(255, 80))])
        #expect(trend.handles == [Point(55, 160), Point(255, 80)])
        // On, up to the edge: four pixels down for ten across.
        #expect(try shape(.ray, [(5, "120"), (25, "160")]).lines == [.init(from: Point(55, 160), to: Point(400, 22))])
        // Backwards, to the left edge.
        let back = try #require(try shape(.ray, [(25, "160"), (5, "120")]).lines.first)
        #expect(back.from == Point(255, 80) && abs(back.to.x) < 1e-9 && abs(back.to.y - 182) < 1e-9)
        let level = try shape(.horizontal, [(5, "150.125")])
        #expect(level.lines == [.init(from: Point(0, 99.5), to: Point(400, 99.5))] && level.labels.map(\.text) == ["150.125"])
        let channel = try shape(.channel, [(5, "120"), (25, "160"), (15, "160")])
        #expect(channel.lines.map(\.isGuide) == [false, false, true] && channel.areas.count == 1)
        #expect(channel.lines[1] == .init(from: Point(55, 120), to: Point(255, 40)))
        let box = try shape(.rectangle, [(5, "120"), (25, "160")])
        #expect(box.lines.count == 4 && box.areas == [[Point(55, 160), Point(255, 160), Point(255, 80), Point(55, 80)]])
        let text = try shape(.text, [(5, "120")])
        #expect(text.labels.map(\.text) == ["support"] && text.labels[0].at == Point(55, 160))
    }

    @Test func retracementIsWhatWasGivenBack() throws {  // G-5: 0 % at the second anchor
        let up = try shape(.fibonacci, [(5, "110"), (25, "190")])
        #expect(
            up.labels.map(\.text) == [
                "0%  190.00", "23.6%  171.12", "38.2%  159.44", "50%  150.00", "61.8%  140.56", "78.6%  127.12", "100%  110.00",
            ])
        #expect(up.lines.count == 8 && up.lines.dropFirst().allSatisfy { $0.from.x == 55 && $0.to.x == 400 })
        let down = try shape(.fibonacci, [(25, "190"), (5, "110")])
        #expect(down.labels[2].text == "38.2%  140.56")
        // On a logarithmic axis the prices are the same, only elsewhere.
        let logarithmic = try shape(.fibonacci, [(5, "110"), (25, "190")], isLogarithmic: true)
        #expect(logarithmic.labels.first?.text == "0%  190.00" && logarithmic.labels.last?.text == "100%  110.00")
        #expect(Set(logarithmic.labels.map(\.text)).isSubset(of: Set(up.labels.map(\.text))))
    }

    @Test func logarithmicAxisIsRespected() throws {  // G-5
        let trend = try shape(.trend, [(5, "100"), (25, "200")], isLogarithmic: true)
        #expect(abs(trend.handles[0].y - 200) < 1e-9 && abs(trend.handles[1].y - 100) < 1e-9)
        let below = try drawing(.trend, [(days[5], "-1"), (days[25], "200")])
        #expect(DrawingShape(below, on: plane(isLogarithmic: true), decimals: 2) == nil)
        #expect(DrawingShape(below, on: plane(), decimals: 2) != nil)
    }

    @Test func anchorsBesideThePaneKeepTheSlope() throws {  // G-5: in the time to come
        let trend = try shape(.trend, [(30, "120"), (50, "160")])
        #expect(trend.handles[1].x == 505 && trend.lines.count == 1)
        let line = trend.lines[0]
        #expect(line.to.x == 400 && abs((line.to.y - line.from.y) / (line.to.x - line.from.x) + 0.4) < 1e-9)
        #expect(try shape(.trend, [(45, "120"), (50, "160")]).lines.isEmpty)
        // Upright, and no length at all.
        #expect(try shape(.ray, [(5, "120"), (5, "160")]).lines == [.init(from: Point(55, 160), to: Point(55, 0))])
        #expect(try shape(.trend, [(5, "120"), (5, "120")]).lines.isEmpty)
        #expect(try shape(.ray, [(5, "120"), (5, "120")]).lines.isEmpty)
    }

    // G-5: whatever is drawn, no coordinate leaves the pane, and none is missing.
    @Test(arguments: UInt64(0)..<200)
    func nothingLeavesThePane(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let plane = plane(isLogarithmic: seed % 3 == 0)
        func inside(_ point: Point) -> Bool {
            (-1e-6...400 + 1e-6).contains(point.x) && (-1e-6...200 + 1e-6).contains(point.y)
        }
        for tool in Drawing.Tool.allCases {
            let anchors = (0..<tool.anchors).map { _ in
                Drawing.Anchor(
                    ChartTime(day: ChartTime.day(number: Int(random.next() % 40_000))),
                    Price(nanos: Int64(bitPattern: random.next()) >> Int64(random.next() % 40)))
            }
            let drawing = try Drawing(id: 1, tool: tool, anchors: anchors, text: tool == .text ? "x" : "")
            guard let shape = DrawingShape(drawing, on: plane, decimals: 2) else { continue }
            for line in shape.lines { #expect(inside(line.from) && inside(line.to)) }
            for area in shape.areas { #expect(area.allSatisfy(inside)) }
        }
    }

    @Test func whatIsUnderThePointer() throws {  // G-5
        let plane = plane()
        let all = [
            try drawing(.trend, [(days[5], "120"), (days[25], "160")], id: 1),
            try drawing(.horizontal, [(days[0], "140")], id: 2),
            try drawing(.rectangle, [(days[30], "110"), (days[35], "190")], id: 3),
            try drawing(.text, [(days[10], "195")], id: 4, text: "here"),
        ]
        func hit(_ x: Double, _ y: Double, radius: Double = 10) -> DrawingHit? {
            plane.hit(all, at: Point(x, y), radius: radius, decimals: 2)
        }
        #expect(hit(57, 158) == .init(id: 1, part: .anchor(0)))
        #expect(hit(255, 88) == .init(id: 1, part: .anchor(1)))
        #expect(hit(105, 143) == .init(id: 1, part: .whole))
        // Both are near: the nearer one.
        #expect(hit(155, 120.4)?.id == 2 && hit(160, 117)?.id == 1)
        #expect(hit(10, 128) == .init(id: 2, part: .whole) && hit(10, 132) == nil && hit(10, 132, radius: 22)?.id == 2)
        // Inside a box the chart is dragged.
        #expect(hit(330, 60) == nil && hit(308, 60)?.id == 3)
        #expect(hit(110, 5)?.id == 4 && hit(110, -1) == nil)
    }

    @Test func partsAreMoved() throws {  // G-5
        let plane = plane()
        let trend = try drawing(.trend, [(days[5], "120"), (days[25], "160.01")])
        let end = plane.moved(trend, .anchor(1), from: Point(255, 80), to: Point(308, 61))
        #expect(end.anchors == [trend.anchors[0], .init(days[30], price("169.5"))])
        // A whole one keeps its shape, off the tick as it was.
        let whole = plane.moved(trend, .whole, from: Point(105, 140), to: Point(134, 119.9))
        #expect(whole.anchors == [.init(days[8], price("130.05")), .init(days[28], price("170.06"))])
        // Into the time to come, and not before the first bar.
        #expect(plane.moved(trend, .anchor(1), from: Point(255, 80), to: Point(455, 80)).anchors[1].time == days[45])
        #expect(plane.moved(trend, .whole, from: Point(105, 140), to: Point(5, 140)) == trend)
        let level = try drawing(.horizontal, [(days[5], "120")])
        let moved = plane.moved(level, .whole, from: Point(0, 160), to: Point(300, 150))
        #expect(moved.anchors == [.init(days[5], price("125"))])
        // On a logarithmic axis by one distance: a factor of two each.
        let doubled = Self.moved(trend)
        #expect(doubled.map { $0.price } == [price("240"), price("320")])
    }

    private static func moved(_ drawing: Drawing) -> [Drawing.Anchor] {
        plane(isLogarithmic: true).moved(drawing, .whole, from: Point(105, 150), to: Point(105, 50)).anchors
    }

    @Test func badDrawingsAreRefused() throws {  // G-5
        typealias Case = (tool: Drawing.Tool, anchors: Int, day: Int32, text: String, fault: DrawingFault)
        let cases: [Case] = [
            (.trend, 1, 20_260_105, "", .anchors(.trend, wanted: 2)), (.channel, 2, 20_260_105, "", .anchors(.channel, wanted: 3)),
            (.trend, 2, 20_260_230, "", .time), (.trend, 2, 18_991_231, "", .time), (.trend, 2, 0, "", .time),
            (.trend, 2, 20_260_105, "x", .textNotTaken(.trend)), (.text, 1, 20_260_105, " ", .textEmpty),
            (.text, 1, 20_260_105, String(repeating: "字", count: 201), .textTooLong), (.text, 1, 20_260_105, "a\nb", .textControl),
            (.text, 1, 20_260_105, "a\u{202E}b", .textControl), (.text, 1, 20_260_105, "a\u{FFFE}b", .textControl),
            (.text, 1, 20_260_105, "a\u{FFFF}", .textControl),
        ]
        for bad in cases {
            let anchors = Array(repeating: Drawing.Anchor(ChartTime(day: bad.day), price("1")), count: bad.anchors)
            #expect(throws: bad.fault) { try Drawing(id: 1, tool: bad.tool, anchors: anchors, text: bad.text) }
        }
        #expect(throws: DrawingFault.colour) { try Drawing.Style(colour: 9) }
        #expect(throws: DrawingFault.width) { try Drawing.Style(width: 0) }
    }

    // G-5: over the bars and under their labels; none where there is none.
    @Test func drawingsAreInTheScene() throws {
        var content = try appleContent([], count: 100)
        let size = Size(width: 1_280, height: 700)
        let viewport = Viewport(width: 1_200, count: 100)
        let plain = CandleScene(content, viewport, size: size).scene()
        let anchors = [Drawing.Anchor(content.times[60], price("500")), .init(content.times[90], price("450"))]
        content.drawings = [try Drawing(id: 7, tool: .trend, anchors: anchors)]
        let drawn = CandleScene(content, viewport, size: size).scene()
        #expect(drawn.marks.count == plain.marks.count)
        func inside(_ scene: Scene) -> [Mark] {
            for case .clipped(_, let marks) in scene.marks { return marks }
            return []
        }
        #expect(inside(drawn).dropLast() == inside(plain)[...])
        content.selectedDrawing = 7
        #expect(inside(CandleScene(content, viewport, size: size).scene()).count == inside(drawn).count + 2)
    }

    // G-5: labels keep clear of the highest and the lowest price and of one another; no line goes through one.
    @Test func labelsKeepClear() throws {
        var content = try appleContent([], count: 100)
        let size = Size(width: 1_280, height: 700)
        let scene = CandleScene(content, Viewport(width: 1_200, count: 100), size: size)
        let high = try #require((scene.range.max { content.bars.high[$0] < content.bars.high[$1] }))
        let low = try #require((scene.range.min { content.bars.low[$0] < content.bars.low[$1] }))
        let anchors = [high, low].map { place in
            let value = place == high ? content.bars.high[place] : content.bars.low[place]
            return Drawing.Anchor(content.times[place], Price(nanos: Int64((value * 1e9).rounded())))
        }
        content.drawings = [
            try Drawing(id: 1, tool: .fibonacci, anchors: anchors), try Drawing(id: 2, tool: .horizontal, anchors: [anchors[0]]),
            try Drawing(id: 3, tool: .trend, anchors: anchors),
        ]
        let made = CandleScene(content, Viewport(width: 1_200, count: 100), size: size)
        let boxes = made.priceMarks(made.priceScale).labels.compactMap { mark -> Rect? in
            guard case .text(let text, let at, let style) = mark else { return nil }
            let width = style.width(of: text)
            return Rect(style.anchor == .end ? at.x - width : at.x, at.y - style.size * 0.8, width, style.size * 0.8)
        }
        #expect(boxes.count == 10)
        for (a, b) in boxes.indices.flatMap({ a in boxes.indices.filter { $0 > a }.map { (a, $0) } }) {
            #expect(boxes[a].intersection(boxes[b]) == nil, "\(boxes[a]) and \(boxes[b])")
        }
    }

    // G-5: a level whose label has bars or lines under it wherever it stands is read from a plate.
    @Test func aLabelWithoutAFreePlaceHasAPlate() throws {
        let size = Size(width: 1_280, height: 700)
        for isFull in [false, true] {
            let bars = BarColumns((0..<100).map { _ in .init(open: 91, high: 110, low: 90, close: 109, volume: 1) })
            var content = ChartContent(bars: bars, times: weekdayTimes(100), decimals: 2, volumeTitle: "VOL", language: .english)
            content.drawings = [try drawing(.horizontal, [(content.times[0], isFull ? "100.123456789" : "110.5")])]
            let scene = CandleScene(content, Viewport(width: 1_280, count: 100, slot: 20), size: size)
            let labels = scene.priceMarks(scene.priceScale).labels
            let plates = labels.compactMap { mark -> Rect? in
                if case .box(let box, .view?, nil, _, _) = mark { box } else { nil }
            }
            #expect(plates.count == (isFull ? 1 : 0))
            if case .text(_, let at, _)? = labels.last, let plate = plates.first { #expect(plate.holds(at)) }
        }
    }

    // G-5: the highest and the lowest price are not struck through by levels, orders or the last price.
    @Test func extremesStandBesideLines() throws {
        var content = try appleContent([], count: 100)
        let viewport = Viewport(width: 1_200, count: 100)
        let size = Size(width: 1_280, height: 700)
        let seen = CandleScene(content, viewport, size: size).range
        let (high, low) = (seen.map { content.bars.high[$0] }.max() ?? 0, seen.map { content.bars.low[$0] }.min() ?? 0)
        content.drawings = [
            try drawing(.fibonacci, [(content.times[20], content.price(high)), (content.times[60], content.price(low))], id: 1)
        ]
        content.orderLines = [.init(price: low, label: "Buy", kind: .working)]
        content.lastPrice = high
        let scene = CandleScene(content, viewport, size: size)
        let marks = scene.priceMarks(scene.priceScale)
        var found = 0
        for case .text(let text, let at, let style) in marks.labels where style.ink == .softText {
            found += 1
            let width = style.width(of: text)
            let box = Rect(style.anchor == .end ? at.x - width : at.x, at.y - 9, width, 9)
            for line in (marks.inside + marks.orders).straightLines { #expect(Clip.line(line.from, line.to, in: box) == nil, "\(text)") }
        }
        #expect(found == 2)
    }

    /// Pieces of straight lines of a scene, whatever they lie in.
    private func lines(_ marks: [Mark]) -> [(Point, Point)] {
        marks.flatMap { mark -> [(Point, Point)] in
            switch mark {
            case .line(let from, let to, _): [(from, to)]
            case .clipped(_, let inner): lines(inner)
            default: []
            }
        }
    }

    private func label(_ text: String, _ marks: [Mark]) -> (at: Point, style: TextStyle, after: [Mark])? {
        for (number, mark) in marks.enumerated() {
            if case .text(text, let at, let style) = mark { return (at, style, Array(marks[(number + 1)...])) }
            if case .clipped(_, let inner) = mark, let found = label(text, inner) {
                return (found.at, found.style, found.after + Array(marks[(number + 1)...]))
            }
        }
        return nil
    }

    // G-5: words put onto a ray, a level or the last price stand beside it, not far off, and are found there; selected they stand where they
    // were put, and no line is drawn over them.
    @Test(arguments: [Drawing.Tool.ray, .trend, .horizontal, .channel])
    func wordsStandBesideLines(tool: Drawing.Tool) throws {
        var content = try appleContent(["ma:5:10:20"], count: 100)
        let viewport = Viewport(width: 1_200, count: 100)
        let size = Size(width: 1_280, height: 700)
        let plane = CandleScene(content, viewport, size: size).plane()
        let ends = [Point(300, 200), Point(900, 330), Point(500, 420)]
        let anchors = try ends.prefix(tool.anchors).map { try #require(plane.anchor(at: $0)) }
        let on = try #require(plane.anchor(at: Point(420, tool == .horizontal ? 200 : 226)))
        content.drawings = [
            try Drawing(id: 1, tool: tool, anchors: Array(anchors)), try Drawing(id: 2, tool: .text, anchors: [on], text: "results"),
        ]
        content.orderLines = [.init(price: Double(on.price.nanos) / 1e9, label: "Buy", kind: .working)]
        let scene = CandleScene(content, viewport, size: size)
        let found = try #require(label("results", scene.scene().marks))
        let box = Rect(found.at.x, found.at.y - 9, found.style.width(of: "results"), 10)
        let marks = scene.priceMarks(scene.priceScale)
        for (from, to) in lines(marks.inside + marks.orders) {
            #expect(Clip.line(from, to, in: box) == nil, "\(box) on \(from) \(to)")
        }
        let put = try #require(plane.point(on))
        #expect(abs(found.at.x - put.x) <= box.width + 1 && abs(found.at.y - put.y) <= 43)
        #expect(scene.hit(at: Point(box.x + box.width / 2, box.y + 5)) == .init(id: 2, part: .whole))
        content.selectedDrawing = 2
        let selected = try #require(label("results", CandleScene(content, viewport, size: size).scene().marks))
        #expect(selected.at == put)
        #expect(lines(found.after).allSatisfy { Clip.line($0, $1, in: box) == nil })
    }

    // G-5: the label of a level stands off other lines that reach both its ends.
    @Test func levelsOnLinesHaveTheirLabelsFartherIn() throws {
        var content = try appleContent([], count: 100)
        let viewport = Viewport(width: 1_200, count: 100)
        let size = Size(width: 1_280, height: 700)
        let plane = CandleScene(content, viewport, size: size).plane()
        let anchors = try [Point(10, 120), Point(700, 200), Point(1_100, 110), Point(1_190, 128)].map { try #require(plane.anchor(at: $0)) }
        content.drawings = [
            try Drawing(id: 1, tool: .horizontal, anchors: [anchors[0]]),
            try Drawing(id: 2, tool: .rectangle, anchors: [anchors[2], anchors[3]]),
        ]
        let scene = CandleScene(content, viewport, size: size)
        let marks = scene.priceMarks(scene.priceScale)
        for case .text(let text, let at, let style) in marks.labels where style.ink == .series(7) {
            let box = Rect(at.x, at.y - 9, style.width(of: text), 10)
            #expect(lines(marks.inside).allSatisfy { Clip.line($0, $1, in: box) == nil })
        }
    }
}
