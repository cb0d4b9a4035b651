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
        static let mostBars = 19
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
            let first = label.at
            if !stays, !label.others.isEmpty {
                var best = (at: first, cost: cost(label.box(first)))
                for at in label.others {
                    if best.cost == 0 { break }
                    let distance = shape.isText ? max(abs(at.x - first.x), abs(at.y - first.y)) : 0
                    let cost = cost(label.box(at)) + distance * Cost.pixel
                    if cost < best.cost { best = (at, cost) }
                }
                shape.labels[number].at = best.at
            }
            words.append(shape.labels[number].box)
        }
    }

    private func cost(_ box: Rect) -> Double {
        var cost = Cost.word * Double(words.count { $0.meets(box) })
        if box.x < pane.x || box.maxX > pane.maxX || box.y < pane.y || box.maxY > pane.maxY { cost += Cost.outside }
        cost += Cost.line * Double(lines.count { Clip.line($0.from, $0.to, in: box) != nil })
        cost += Cost.curve * Double(curves.count { crosses($0, box) })
        return cost + Double(min(bars.count { $0.meets(box) }, Cost.mostBars))
    }

    private func crosses(_ points: [Point], _ box: Rect) -> Bool {
        zip(points, points.dropFirst()).contains { from, to in
            max(from.x, to.x) >= box.x && min(from.x, to.x) <= box.maxX && Clip.line(from, to, in: box) != nil
        }
    }
}
