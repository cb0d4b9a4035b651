public import Exact

/// The part of a drawing that is under a pointer.
public struct DrawingHit: Hashable, Sendable {
    public enum Part: Hashable, Sendable {
        case anchor(Int)
        case whole
    }

    public var id: Int
    public var part: Part
    public init(id: Int, part: Part) {
        self.id = id
        self.part = part
    }
}

extension ChartPlane {
    /// Hit radii in pixels.
    public static let mouseRadius = 10.0
    public static let touchRadius = 22.0

    /// The drawing nearest to a point of the pane; an anchor within reach comes before a line, of equals what lies on top.
    public func hit(
        _ drawings: [Drawing], at point: Point, radius: Double = ChartPlane.mouseRadius, decimals: Int, texts: TextMeasure = .guess
    ) -> DrawingHit? {
        hit(
            drawings.compactMap { drawing in
                DrawingShape(drawing, on: self, decimals: decimals, texts: texts).map { (drawing, $0) }
            }, at: point, radius: radius)
    }

    func hit(_ shapes: [(drawing: Drawing, shape: DrawingShape)], at point: Point, radius: Double = ChartPlane.mouseRadius) -> DrawingHit? {
        guard pane.holds(point) else { return nil }
        var anchor: (hit: DrawingHit, distance: Double)?
        var line: (hit: DrawingHit, distance: Double)?
        for (drawing, shape) in shapes.reversed() {
            // A horizontal line has no end to take, a text is taken as a whole.
            for (place, handle) in shape.handles.enumerated() where drawing.tool.anchors > 1 {
                let distance = ((handle.x - point.x) * (handle.x - point.x) + (handle.y - point.y) * (handle.y - point.y)).squareRoot()
                if distance <= radius, distance < anchor?.distance ?? .infinity {
                    anchor = (DrawingHit(id: drawing.id, part: .anchor(place)), distance)
                }
            }
            let distance = shape.distance(point)
            if distance <= radius, distance < line?.distance ?? .infinity {
                line = (DrawingHit(id: drawing.id, part: .whole), distance)
            }
        }
        return anchor?.hit ?? line?.hit
    }

    /// The drawing after a pointer took a part of it from one point to another. An anchor goes to the bar and the tick under the pointer; a
    /// whole one keeps its shape: its times move by whole bars, its prices by one difference (on a logarithmic axis by one distance). As it
    /// was where a part would leave the axes.
    public func moved(_ drawing: Drawing, _ part: DrawingHit.Part, from start: Point, to end: Point) -> Drawing {
        var moved = drawing
        switch part {
        case .anchor(let place):
            guard let anchor = anchor(at: end) else { return drawing }
            moved.move(place, to: anchor)
        case .whole:
            let bars = Int(clamping: min(max(((end.x - start.x) / viewport.slot).rounded(), -1e6), 1e6))
            guard let from = price(y: start.y), let to = price(y: end.y), let step = try? to.subtracting(from) else { return drawing }
            for (number, old) in drawing.anchors.enumerated() {
                let place = places.place(of: old.time)
                var new = old
                if bars != 0, drawing.tool != .horizontal {
                    guard let time = places.time(at: place + bars), time.isValid else { return drawing }
                    new.time = time
                }
                if scale.kind == .linear {
                    guard let price = try? old.price.adding(step) else { return drawing }
                    new.price = price
                } else if start.y != end.y {
                    guard let y = y(old.price), let price = price(y: y + end.y - start.y) else { return drawing }
                    new.price = price
                }
                moved.move(number, to: new)
            }
        }
        return moved
    }
}

extension Rect {
    func holds(_ point: Point) -> Bool { point.x >= x && point.x <= maxX && holds(y: point.y) }
}

extension ChartContent {
    /// Prices on the chart are read off in steps of the last decimal, where no tick is told.
    var finestStep: Price { Price(nanos: (0..<min(max(9 - decimals, 0), 9)).reduce(Int64(1)) { step, _ in step * 10 }) }
}

extension CandleScene {
    /// The price pane, for what is drawn on it. `tick`: what prices snap to, else the last decimal shown.
    public func plane(tick: Price? = nil) -> ChartPlane { plane(priceScale, tick: tick) }

    private func plane(_ scale: Scale, tick: Price? = nil) -> ChartPlane {
        ChartPlane(
            pane: layout.panes[0].box, viewport: viewport, places: BarPlaces(content.times, comingDays: content.comingDays),
            scale: scale, tick: tick.flatMap { $0.isPositive ? $0 : nil } ?? content.finestStep)
    }

    /// The user's drawings on the chart's axes; those that have no place there are left out.
    func shapes(_ scale: Scale) -> [(drawing: Drawing, shape: DrawingShape)] {
        guard !content.drawings.isEmpty else { return [] }
        let plane = plane(scale)
        return content.drawings.compactMap { drawing in
            DrawingShape(drawing, on: plane, decimals: content.decimals, texts: texts).map { (drawing, $0) }
        }
    }

    /// The part of a drawing under a pointer; words are where they are shown.
    public func hit(at point: Point, radius: Double = ChartPlane.mouseRadius) -> DrawingHit? {
        let scale = priceScale
        return plane(scale).hit(priceMarks(scale).shapes, at: point, radius: radius)
    }
}

extension DrawingShape {
    /// Tints and lines; labels come later, so that no line goes through a word.
    func marks(_ style: Drawing.Style) -> [Mark] {
        areas.map { .polygon($0, style.ink, opacity: 0.08) }
            + lines.map { .line($0.from, $0.to, $0.isGuide ? Stroke(style.ink, dash: [3, 3]) : style.stroke) }
    }

    /// The anchors of the selected one.
    func handleMarks(_ style: Drawing.Style) -> [Mark] {
        handles.map { handle in
            let box = Rect(handle.x.rounded(.down) - 3, handle.y.rounded(.down) - 3, 7, 7)
            return .box(box, fill: .view, stroke: Stroke(style.ink, width: 1.5))
        }
    }

    var labelMarks: [Mark] {
        labels.flatMap { label -> [Mark] in
            let text = Mark.text(label.text, label.at, label.style)
            guard label.hasPlate else { return [text] }
            // Beside its own line.
            let box = Rect(label.box.x - 2, label.box.y - 1, label.width + 4, label.box.height + 1.5)
            return [.box(box, fill: .view, stroke: nil, radius: 2, opacity: 0.75), text]
        }
    }
}
