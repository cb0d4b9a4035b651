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
        guard pane.holds(point) else { return nil }
        var anchor: (hit: DrawingHit, distance: Double)?
        var line: (hit: DrawingHit, distance: Double)?
        for drawing in drawings.reversed() {
            guard let shape = DrawingShape(drawing, on: self, decimals: decimals, texts: texts) else { continue }
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
    public func plane(tick: Price? = nil) -> ChartPlane {
        ChartPlane(
            pane: layout.panes[0].box, viewport: viewport, places: BarPlaces(content.times, comingDays: content.comingDays),
            scale: priceScale, tick: tick.flatMap { $0.isPositive ? $0 : nil } ?? content.finestStep)
    }

    /// The user's drawings: over the bars, under their labels.
    func drawings(_ marks: inout [Mark]) {
        guard !content.drawings.isEmpty else { return }
        let plane = plane()
        var (labels, handles): ([Mark], [Mark]) = ([], [])
        var obstacles = obstacles(plane.scale)
        for drawing in content.drawings {
            guard let shape = DrawingShape(drawing, on: plane, decimals: content.decimals, texts: texts) else { continue }
            marks += Self.lines(shape, drawing.style)
            for label in shape.labels {
                let places = ([label.at] + label.others).map { ($0, obstacles.cost(label.box($0))) }
                let at = places.min { $0.1 < $1.1 }?.0 ?? label.at
                obstacles.labels.append(label.box(at))
                labels.append(.text(label.text, at, label.style))
            }
            if drawing.id == content.selectedDrawing { handles += Self.handles(shape, drawing.style) }
        }
        // No line goes through a word.
        marks += labels + handles
    }

    /// What a label had better not cover: other labels least of all, then lines that lie over it, then bars.
    private struct Obstacles {
        var labels: [Rect]
        var lines: [Double]
        var bars: [Rect]

        func cost(_ box: Rect) -> Int {
            func count(_ rects: [Rect]) -> Int { rects.count { $0.intersection(box) != nil } }
            return 10_000 * count(labels) + 100 * lines.count { box.holds(y: $0) } + min(count(bars), 99)
        }
    }

    private func obstacles(_ scale: Scale) -> Obstacles {
        var marks: [Mark] = []
        extremes(scale, &marks)
        let labels = marks.compactMap { mark -> Rect? in if case .text = mark { mark.bounds(texts) } else { nil } }
        let lines = (content.orderLines.map(\.price) + (content.lastPrice.map { [$0] } ?? [])).map { scale.y($0) }
        var bars: [Rect] = []
        // Of merged bars there are too many to find a way between.
        for place in range where viewport.slot >= 4 && content.bars.high[place].isFinite && content.bars.low[place].isFinite {
            let (top, bottom) = (scale.y(content.bars.high[place]), scale.y(content.bars.low[place]))
            bars.append(Rect(viewport.x(place) - viewport.slot / 2, top, viewport.slot, max(bottom - top, 1)))
        }
        return Obstacles(labels: labels, lines: lines, bars: bars)
    }

    private static func lines(_ shape: DrawingShape, _ style: Drawing.Style) -> [Mark] {
        var marks: [Mark] = shape.areas.map { .polygon($0, style.ink, opacity: 0.08) }
        for line in shape.lines {
            let stroke = line.isGuide ? Stroke(style.ink, dash: [3, 3]) : style.stroke
            marks.append(.line(line.from, line.to, stroke))
        }
        return marks
    }

    private static func handles(_ shape: DrawingShape, _ style: Drawing.Style) -> [Mark] {
        shape.handles.map { handle in
            let box = Rect(handle.x.rounded(.down) - 3, handle.y.rounded(.down) - 3, 7, 7)
            return .box(box, fill: .view, stroke: Stroke(style.ink, width: 1.5))
        }
    }
}
