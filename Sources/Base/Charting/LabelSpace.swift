extension [Mark] {
    /// Without those in boxes of their own.
    var straightLines: [(from: Point, to: Point)] {
        compactMap { mark in
            if case .line(let from, let to, _) = mark { (from, to) } else { nil }
        }
    }
}

/// What the labels of drawings had better not cover: words and boxes least of all, then straight lines, then curves, then bars.
struct LabelSpace {
    private let pane: Rect
    private var words: [Rect] = []
    private var lines: [(from: Point, to: Point)] = []
    private var curves: [[Point]] = []
    private var bars: [Rect] = []

    private enum Cost {
        static let word = 10_000.0
        static let outside = 5_000.0
        static let line = 100.0
        static let curve = 20.0
        /// Of a label all of which lies on bars.
        static let bars = 60.0
        /// From here on letters are hard to read without a plate behind them.
        static let plate = 8.0
        /// Of a pixel that words stand off their place.
        static let pixel = 0.3
    }

    /// `marks`: what is drawn in the pane but its grid. Its first row is the legend's.
    init(_ marks: [Mark], in pane: Rect, _ texts: TextMeasure) {
        self.pane = pane
        words = [Rect(pane.x, pane.y, pane.width, ChartLayout.legend)]
        add(marks, texts)
    }

    private mutating func add(_ marks: [Mark], _ texts: TextMeasure) {
        for mark in marks {
            switch mark {
            case .text, .box: if let box = mark.bounds(texts) { words.append(box) }
            case .line(let from, let to, _): lines.append((from, to))
            case .polyline(let points, _): curves.append(points)
            case .boxes(let boxes, _, _): bars += boxes
            case .circle(let centre, let radius, _, _): bars.append(Rect(centre.x, centre.y, 0, 0).grown(radius))
            // A tint is behind all of them.
            case .polygon(_, _, let opacity): if opacity == 1, let box = mark.bounds(texts) { words.append(box) }
            case .clipped(_, let marks): add(marks, texts)
            }
        }
    }

    /// Puts the labels of a drawing where they cover least; the next ones keep clear of them.
    mutating func place(_ shape: inout DrawingShape, stays: Bool) {
        for number in shape.labels.indices {
            let label = shape.labels[number]
            if !stays {
                let best = best(label, isNear: shape.isText)
                shape.labels[number].at = best.at
                shape.labels[number].hasPlate = best.cost >= Cost.plate
            }
            words.append(shape.labels[number].box)
        }
    }

    private func best(_ label: DrawingShape.Label, isNear: Bool) -> (at: Point, cost: Double) {
        let (first, all) = (label.at, label.others.reduce(label.box) { $0.union(label.box($1)) })
        let near = inside(all)
        var best = (at: first, cost: near.cost(label.box))
        for at in label.others {
            if best.cost == 0 { break }
            let distance = isNear ? max(abs(at.x - first.x), abs(at.y - first.y)) : 0
            let cost = near.cost(label.box(at)) + distance * Cost.pixel
            if cost < best.cost { best = (at, cost) }
        }
        return best
    }

    /// What of it may be in the way of a label somewhere in a box.
    private func inside(_ box: Rect) -> LabelSpace {
        var part = self
        part.words.removeAll { !$0.meets(box) }
        part.lines.removeAll { Clip.line($0.from, $0.to, in: box) == nil }
        part.bars.removeAll { !$0.meets(box) }
        return part
    }

    private func cost(_ box: Rect) -> Double {
        var cost = Cost.word * Double(words.count { $0.meets(box) })
        if box.x < pane.x || box.maxX > pane.maxX || box.y < pane.y || box.maxY > pane.maxY { cost += Cost.outside }
        for line in lines where Clip.line(line.from, line.to, in: box) != nil {
            // An upright line leaves most letters as they are.
            cost += line.from.x == line.to.x ? Cost.curve : Cost.line
        }
        cost += Cost.curve * Double(curves.count { crosses($0, box) })
        let covered = bars.reduce(0.0) { $0 + ($1.intersection(box)?.area ?? 0) }
        return cost + Cost.bars * min(covered / max(box.area, 1), 1)
    }

    private func crosses(_ points: [Point], _ box: Rect) -> Bool {
        zip(points, points.dropFirst()).contains { from, to in
            max(from.x, to.x) >= box.x && min(from.x, to.x) <= box.maxX && Clip.line(from, to, in: box) != nil
        }
    }
}
