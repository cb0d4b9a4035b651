import Texts

/// Builds the scene of several instruments' changes on one axis of per cent (G-5).
public struct PercentScene {
    let content: PercentContent
    let viewport: Viewport
    let size: Size
    let texts: TextMeasure
    let range: Range<Int>
    let pane: Rect
    let axisWidth: Double
    /// By series, then by place in view.
    let changes: [[Double]]
    let scale: Scale
    let crosshair: (place: Int, y: Double?)?

    public init(
        _ content: PercentContent, _ viewport: Viewport, size: Size, crosshair: (place: Int, y: Double?)? = nil, texts: TextMeasure = .guess
    ) {
        self.content = content
        self.size = size
        self.texts = texts
        axisWidth = max(size.width < 520 ? 54 : 64, texts.width("+1,000.00%", TextStyle(.text, isBold: true)) + 8)
        let top = content.title.isEmpty ? 0 : ChartLayout.header
        let bottom = max(size.height - ChartLayout.timeAxis, top + 10)
        pane = Rect(0, top, max(size.width - axisWidth, 10), bottom - top)
        var viewport = viewport
        viewport.resize(width: pane.width, count: content.times.count)
        self.viewport = viewport
        let range = viewport.range(count: content.times.count)
        self.range = range
        let changes = content.series.indices.map { content.changes($0, range) }
        self.changes = changes
        let known = changes.joined().filter(\.isFinite) + [0]
        scale = Scale(
            (known.min() ?? 0)...(known.max() ?? 0), top: top + ChartLayout.legend, bottom: bottom - 6, margin: 0.05)
        self.crosshair = crosshair.flatMap { range.contains($0.place) ? $0 : nil }
    }

    public func scene() -> Scene {
        var scene = Scene(size: size)
        scene.marks += SceneParts.header(
            content.title, content.subtitle, last: nil, before: nil, decimals: 2, width: size.width, texts)
        if pane.y > 0 {
            scene.marks.append(.line(Point(0, SceneParts.crisp(pane.y)), Point(size.width, SceneParts.crisp(pane.y)), Stroke(.line)))
        }
        scene.marks += SceneParts.timeAxis(
            TimeAxis.turns(content.times, range, slot: viewport.slot, language: content.language), viewport, plot: pane, width: size.width,
            isOne: range.count == 1, texts)
        let tags = tags
        grid(tags, &scene)
        var lines: [Mark] = []
        for number in content.series.indices.reversed() { plot(number, &lines) }
        scene.marks.append(.clipped(pane, lines))
        legend(&scene)
        crosshairMarks(&scene)
        for tag in tags {
            if let leader = tag.leader(at: pane.maxX, to: 1) { scene.marks.append(leader) }
            scene.marks += SceneParts.tag(
                tag.text, Rect(pane.maxX + 2, (tag.y - tag.height / 2).rounded(), axisWidth - 4, tag.height), fill: tag.fill, ink: tag.ink)
        }
        return scene
    }

    /// Which cannot be told in per cent: the first price in view is not above zero.
    public var unmeasured: [String] { content.unmeasured(range) }

    /// By series, its newest change in view in per cent; NaN: none is known.
    public var newest: [Double] { content.series.indices.map(last) }

    /// How many places of the axis are in view.
    public var count: Int { range.count }

    static func text(_ change: Double) -> String {
        change.isFinite ? ChartContent.text(change, 2, sign: .always) + "%" : "—"
    }

    /// The newest change of a series in view.
    private func last(_ number: Int) -> Double { changes[number].last { $0.isFinite } ?? .nan }

    private var tags: [SceneParts.Tag] {
        SceneParts.spread(
            nil,
            content.series.indices.filter { last($0).isFinite }.map {
                SceneParts.Tag(y: scale.y(last($0)), text: Self.text(last($0)), fill: .series($0), ink: .onInk)
            })
    }

    private func grid(_ tags: [SceneParts.Tag], _ scene: inout Scene) {
        for value in scale.ticks(rows: size.width < 520 ? 4 : 6, decimals: 2) {
            let y = SceneParts.crisp(scale.y(value))
            guard y > pane.y + ChartLayout.legend, y < pane.maxY - 4 else { continue }
            let stroke = value == 0 ? Stroke(.faintText, dash: [3, 3]) : Stroke(.line)
            scene.marks.append(.line(Point(0, y), Point(pane.maxX, y), stroke))
            guard tags.allSatisfy({ abs($0.y - y) > 16 }) else { continue }
            let ink: Ink = value > 0 ? .up : value < 0 ? .down : .faintText
            scene.marks.append(.text(Self.text(value), Point(pane.maxX + axisWidth / 2, y + 4), TextStyle(ink, anchor: .middle)))
        }
    }

    /// Broken where it has no bar; a bar alone is a dot.
    private func plot(_ number: Int, _ marks: inout [Mark]) {
        var points: [Point] = []
        func end() {
            if points.count > 1 { marks.append(.polyline(points, Stroke(.series(number), width: 1.5))) }
            if let only = points.first, points.count == 1 { marks.append(.circle(only, radius: 2, .series(number))) }
            points = []
        }
        for place in range {
            let change = changes[number][place - range.lowerBound]
            if change.isFinite { points.append(Point(viewport.x(place), scale.y(change))) } else { end() }
        }
        end()
    }

    private func legend(_ scene: inout Scene) {
        // Of what it is per cent: the first bar that is drawn.
        var parts: [(String, Ink)] = content.base(range).map { [(TimeAxis.whole(content.times[$0]) + " = 0%", .softText)] } ?? []
        for number in content.series.indices {
            let change = crosshair.map { changes[number][$0.place - range.lowerBound] } ?? last(number)
            parts.append((content.series[number].title + " " + Self.text(change), .series(number)))
        }
        scene.marks += SceneParts.row(parts, x: 5, top: pane.y, end: pane.maxX, texts)
    }

    private func crosshairMarks(_ scene: inout Scene) {
        guard let crosshair else { return }
        let x = SceneParts.crisp(viewport.x(crosshair.place))
        let stroke = Stroke(.softText, dash: [3, 3])
        scene.marks.append(.line(Point(x, pane.y), Point(x, pane.maxY), stroke))
        let text = TimeAxis.whole(content.times[crosshair.place])
        let width = texts.width(text, TextStyle(.onInk, isBold: true)) + 12
        let left = min(max(x - width / 2, 0), max(pane.maxX - width, 0))
        scene.marks += SceneParts.tag(text, Rect(left, pane.maxY + 1, width, 18), fill: .ink, ink: .onInk)
        guard let y = crosshair.y, pane.holds(y: y) else { return }
        scene.marks.append(.line(Point(0, SceneParts.crisp(y)), Point(pane.maxX, SceneParts.crisp(y)), stroke))
        scene.marks += SceneParts.tag(
            Self.text(scale.value(y: y)), Rect(pane.maxX + 2, (y - 9).rounded(), axisWidth - 4, 18), fill: .ink, ink: .onInk)
    }
}
