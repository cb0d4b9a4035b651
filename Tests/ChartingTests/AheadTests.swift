import Testing
import Texts

@testable import Charting

/// What is drawn of bars to come (G-3, G-5).
struct AheadTests {
    private let size = Size(width: 1_280, height: 700)

    private func inside(_ scene: Scene) -> [Mark] {
        for case .clipped(_, let marks) in scene.marks { return marks }
        return []
    }

    private func lines(_ marks: [Mark], series: Int) -> [[Point]] {
        marks.compactMap { mark in
            if case .polyline(let points, let stroke) = mark, stroke.ink == .series(series) { points } else { nil }
        }
    }

    private func words(_ scene: Scene) -> [String] { scene.marks.compactMap { if case .text(let text, _, _) = $0 { text } else { nil } } }

    // G-3: both leading spans have their 26 bars to come, CHIKOU its 26 before; each value over the right bar.
    @Test(arguments: [120, 300]) func spansHaveRoom(count: Int) throws {
        let content = try appleContent(["ichimoku"], count: count)
        #expect(content.ahead == 26)
        let scene = CandleScene(content, Viewport(width: 1_280, count: count, slot: 6), size: size)
        let (viewport, scale) = (scene.viewport, scene.priceScale)
        #expect(scene.range.upperBound == count && scene.coming.count == 26)
        #expect(abs(scene.layout.plotWidth - viewport.x(count - 1) - 28.5 * 6) < 1e-9)
        let marks = inside(scene.scene())
        for (series, line, shift) in [
            (2, content.indicators[0].lines[2], 26), (3, content.indicators[0].lines[3], 26), (4, content.bars.close, -26),
        ] {
            let points = lines(marks, series: series).flatMap { $0 }
            let last = try #require(points.last)
            #expect(abs(last.x - viewport.x(count - 1 + shift)) < 1e-9 && last.y == scale.y(line[count - 1]))
            for point in points where point.x > 0 {
                let place = Int(((point.x / viewport.slot) + viewport.first - 0.5).rounded())
                #expect(abs(point.y - scale.y(line[place - shift])) < 1e-9)
            }
        }
        #expect(words(scene.scene()).contains("CHIKOU —"))
        #expect(words(scene.scene()).contains("SENKOU-A \(content.price(content.indicators[0].lines[2][count - 27]))"))
    }

    // G-3: what is ahead is in the scale, and the cloud is in the colour of the span that is above.
    @Test func theCloudIsShaded() throws {
        var content = try appleContent([], count: 60)
        let (a, b) = ((0..<60).map { 300 - Double($0) * 2 }, (0..<60).map { 200 + Double($0) * 2 })
        content.indicators = [
            ChartIndicator(
                title: "I", outputs: ["A", "B"].map { .init(name: $0, style: .line, shift: 10) }, pane: .price, lines: [a, b],
                cloud: .init(first: 0, second: 1))
        ]
        content.indicators[0].lines[1][59] = 1_000
        let scene = CandleScene(content, Viewport(width: 1_280, count: 60, slot: 14), size: size)
        #expect(scene.priceScale.highest > 1_000)
        let shapes = inside(scene.scene()).compactMap { mark -> (points: [Point], ink: Ink)? in
            if case .polygon(let points, let ink, _) = mark { (points, ink) } else { nil }
        }
        // They cross at 25; what a tick changes is a shape of its own.
        #expect(shapes.map(\.ink) == [.upFill, .downFill, .downFill])
        let crossing = scene.viewport.x(35)
        #expect(shapes[0].points.map(\.x).max() == crossing && shapes[1].points.map(\.x).min() == crossing)
        #expect(shapes[2].points.count == 4 && shapes[2].points.map(\.x).min() == scene.viewport.x(68))
        // Nothing is shaded across what is missing.
        content.indicators[0].lines[0][40] = .nan
        let cut = inside(CandleScene(content, Viewport(width: 1_280, count: 60, slot: 14), size: size).scene())
        #expect(cut.count { if case .polygon = $0 { true } else { false } } == 4)
    }

    // G-5: days to come are those of the market calendar.
    @Test func theAxisGoesOn() throws {
        var content = try appleContent([], count: 160)
        let weekdays = weekdayTimes(160)
        content.times = weekdays
        let last = try #require(weekdays.last).dayNumber
        // Two weeks without a day of trading.
        content.comingDays = (0..<26).map { ChartTime.day(number: last + 15 + $0) }
        content.indicators = [
            ChartIndicator(
                title: "S", outputs: [.init(name: "S", style: .line, shift: 26)], pane: .own, lines: [content.bars.close])
        ]
        let scene = CandleScene(content, Viewport(width: 1_280, count: 160, slot: 14), size: size)
        #expect(scene.coming.map(\.day) == content.comingDays)
        let labels = scene.scene().marks.filter { mark in
            if case .text(_, let at, _) = mark { at.y == scene.layout.axisTop + 14 && at.x > scene.viewport.x(160) } else { false }
        }
        #expect(labels.count > 1)
        // Whoever looks at the past sees no room for what is not there.
        var viewport = scene.viewport
        viewport.drag(by: 14 * 30, count: 160)
        #expect(CandleScene(content, viewport, size: size).coming.isEmpty)
    }

    // G-4: room for what is ahead never takes the bars out of view, and there is none where nothing is ahead.
    @Test(arguments: [200.0, 400, 1_280], [4.0, 8, 20])
    func roomIsHalfAtMost(width: Double, slot: Double) throws {
        let content = try appleContent(["ichimoku"], count: 300)
        let scene = CandleScene(content, Viewport(width: width, count: 300, slot: slot), size: Size(width: width, height: 500))
        #expect(scene.range.upperBound == 300 && Double(scene.coming.count) <= scene.viewport.visible / 2 + 3)
        #expect(Double(scene.range.count) > scene.viewport.visible / 2 - 3)
        let few = try appleContent(["ichimoku"], count: 20)
        #expect(few.ahead == 0 && CandleScene(few, Viewport(width: width, count: 20), size: size).coming.isEmpty)
        // What another recording told says nothing of the days to come.
        var joined = content
        joined.joins = [.init(place: 297, label: "Recorded")]
        for line in 0..<4 { for place in 297..<300 { joined.indicators[0].lines[line][place] = .nan } }
        #expect(joined.ahead == 0)
        joined.joins = []
        #expect(joined.ahead == 23)
        let plain = try appleContent(["ma:5", "macd"], count: 100)
        #expect(plain.ahead == 0)
    }

    // G-4: a view that follows the newest bar makes room when the first value ahead comes; one of the past stays.
    @Test func roomComesWithTheFirstValue() throws {
        let all = try appleContent(["ichimoku"], count: 300)
        var content = ChartContent(
            bars: BarColumns((0..<51).map { all.bars[$0] }), times: Array(all.times[..<51]), decimals: 2, volumeTitle: "VOL",
            language: .english)
        content.indicators = [all.indicators[0]]
        content.indicators[0].lines = all.indicators[0].lines.map { Array($0[..<51].map { _ in .nan }) }
        var chart = ChartInteraction(content, size: size) { $0 }
        #expect(chart.viewport.ahead == 0)
        _ = chart.handle(.push(.appended(all.bars[51], all.times[51], values: [all.indicators[0].lines.map { $0[51] }])))
        #expect(chart.viewport.ahead == 26 && chart.viewport.followsEnd)
        #expect(CandleScene(chart.content, chart.viewport, size: size).viewport == chart.viewport)
    }
}
