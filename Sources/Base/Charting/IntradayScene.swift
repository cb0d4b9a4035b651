import Texts

/// Builds the scene of one trading day: prices left, per cent right of a scale with the previous close in its middle (G-5, G-6).
public struct IntradayScene {
    let content: IntradayContent
    let size: Size
    let texts: TextMeasure
    let axis: IntradayAxis
    /// Of the price and of the volume.
    let pane: Rect
    let volumePane: Rect
    /// Nil where there is no room beside the plot: the labels lie in it.
    let axisWidth: Double?
    let scale: Scale
    /// The minute and the height the pointer is at.
    let crosshair: (place: Int, y: Double?)?

    public init(
        _ content: IntradayContent, size: Size, crosshair: (place: Int, y: Double?)? = nil, texts: TextMeasure = .guess
    ) {
        self.content = content
        self.size = size
        self.texts = texts
        let known = (content.prices + content.averages + [content.indication?.price ?? .nan]).filter(\.isFinite)
        let label = TextStyle(.text, isBold: true)
        let widest =
            [known.min(), known.max(), content.previousClose].compactMap { $0 }
            .map { texts.width(ChartContent.text($0, content.decimals), label) }.max() ?? 0
        axisWidth = size.width < 520 ? nil : max(64, (widest + 14).rounded(.up))
        let side = axisWidth ?? 0
        let top = content.title.isEmpty ? 0 : ChartLayout.header
        let bottom = max(size.height - ChartLayout.timeAxis, top + 60)
        let width = max(size.width - 2 * side, 10)
        let volumeHeight = content.hasVolume ? ((bottom - top) * 0.22).rounded() : 0
        pane = Rect(side, top, width, bottom - top - volumeHeight)
        volumePane = Rect(side, bottom - volumeHeight, width, volumeHeight)
        axis = IntradayAxis(content.stretches, left: side, width: width)
        scale = Self.scale(content, known, pane)
        self.crosshair = crosshair.flatMap { (0..<content.count).contains($0.place) ? $0 : nil }
    }

    /// As far up as down of the previous close; at least two steps of the last decimal, so that a flat day is a line in the middle.
    private static func scale(_ content: IntradayContent, _ known: [Double], _ pane: Rect) -> Scale {
        let (top, bottom) = (pane.y + ChartLayout.legend, pane.maxY - 6)
        guard let middle = content.previousClose else {
            return Scale(known.min().flatMap { low in known.max().map { low...$0 } }, top: top, bottom: bottom, margin: 0.05)
        }
        let least = (0..<content.decimals).reduce(2.0) { step, _ in step / 10 }
        let reach = max((known.map { abs($0 - middle) }.max() ?? abs(middle) * 0.01) * 1.05, least)
        return Scale(middle - reach...middle + reach, top: top, bottom: bottom)
    }

    public func scene() -> Scene {
        var scene = Scene(size: size)
        scene.marks += SceneParts.header(
            content.title, content.subtitle, last: content.lastPrice, before: content.previousClose, decimals: content.decimals,
            width: size.width, texts)
        shades(&scene)
        var area: [Mark] = []
        var lines: [Mark] = []
        price(&area, &lines)
        scene.marks.append(.clipped(pane, area))
        frame(&scene)
        // Of the frame its words only are in the way of others.
        let words = scene.marks.filter { if case .text = $0 { true } else { false } }
        priceGrid(&scene)
        let first = scene.marks.count
        previousClose(&scene)
        var shapes = shapes()
        for (drawing, shape) in shapes { lines += shape.marks(drawing.style) }
        lines += own
        scene.marks.append(.clipped(pane, lines))
        lastPoint(&scene)
        volume(&scene)
        lastLine(&scene)
        indication(&scene)
        scene.marks += SceneParts.orderLines(content.orderLines, scale, pane, decimals: content.decimals, texts)
        if shapes.contains(where: { !$0.shape.labels.isEmpty }) {
            var space = LabelSpace(words + scene.marks[first...], in: pane, texts)
            var labels: [Mark] = []
            for place in shapes.indices {
                space.place(&shapes[place].shape, stays: false)
                labels += shapes[place].shape.labelMarks
            }
            scene.marks.append(.clipped(pane, labels))
        }
        legends(&scene)
        priceLabels(&scene)
        crosshairMarks(&scene)
        return scene
    }

    // MARK: Ground

    /// Breaks are a narrow band, extended stretches are shaded as a whole and named.
    private func shades(_ scene: inout Scene) {
        let height = volumePane.maxY - pane.y
        for (number, part) in axis.parts.enumerated() {
            if axis.hasBreak(before: number) {
                scene.marks.append(.box(Rect(part.x - IntradayAxis.band, pane.y, IntradayAxis.band, height), fill: .shade, stroke: nil))
            }
            guard part.stretch.isExtended else { continue }
            scene.marks.append(.box(Rect(part.x, pane.y, axis.end(part) - part.x, height), fill: .shade, stroke: nil))
        }
    }

    private func frame(_ scene: inout Scene) {
        for y in [pane.y, volumePane.y, volumePane.maxY] where y > 0 {
            scene.marks.append(.line(Point(0, SceneParts.crisp(y)), Point(size.width, SceneParts.crisp(y)), Stroke(.line)))
        }
        let style = TextStyle(.faintText)
        for turn in axis.turns({ texts.width($0, style) }) {
            if turn.anchor == .middle {
                let x = SceneParts.crisp(turn.x)
                // In a break the band is the line.
                if !isInBreak(turn.x) { scene.marks.append(.line(Point(x, pane.y), Point(x, volumePane.maxY), Stroke(.line))) }
            }
            scene.marks.append(.text(turn.text, Point(turn.x, volumePane.maxY + 14), TextStyle(.faintText, anchor: turn.anchor)))
        }
        if axisWidth != nil {
            for x in [pane.x, pane.maxX] {
                scene.marks.append(
                    .line(Point(SceneParts.crisp(x), pane.y), Point(SceneParts.crisp(x), volumePane.maxY), Stroke(.line)))
            }
        }
        for part in axis.parts where part.stretch.isExtended && !part.stretch.label.isEmpty {
            let style = TextStyle(.faintText, size: 10)
            guard texts.width(part.stretch.label, style) + 8 <= axis.end(part) - part.x else { continue }
            scene.marks.append(.text(part.stretch.label, Point(part.x + 5, pane.maxY - 6), style))
        }
    }

    private func isInBreak(_ x: Double) -> Bool {
        axis.parts.indices.contains { axis.hasBreak(before: $0) && abs(axis.parts[$0].x - IntradayAxis.band / 2 - x) < 1 }
    }

    private func priceGrid(_ scene: inout Scene) {
        for value in rows {
            let y = SceneParts.crisp(scale.y(value))
            scene.marks.append(.line(Point(pane.x, y), Point(pane.maxX, y), Stroke(.line)))
        }
    }

    /// Where the grid's lines are: the previous close and the same steps from it up and down.
    var rows: [Double] {
        guard let middle = content.previousClose else {
            return scale.ticks(rows: size.width < 520 ? 4 : 6, decimals: content.decimals)
                .filter { scale.y($0) > pane.y + ChartLayout.legend && scale.y($0) < pane.maxY - 6 }
        }
        let half = Scale(0...(scale.highest - middle), top: 0, bottom: 1)
        let steps = half.ticks(rows: size.width < 520 ? 2 : 3, decimals: content.decimals).filter { $0 > 0 }
        return steps.reversed().map { middle + $0 } + [middle] + steps.map { middle - $0 }
    }

    private func previousClose(_ scene: inout Scene) {
        guard let middle = content.previousClose else { return }
        let y = SceneParts.crisp(scale.y(middle))
        scene.marks.append(.line(Point(pane.x, y), Point(pane.maxX, y), Stroke(.faintText, dash: [3, 3])))
    }
}
