import Texts

/// Parts that the scenes of all charts have alike.
enum SceneParts {
    /// In the middle of a pixel, where a line of one pixel is sharp.
    static func crisp(_ value: Double) -> Double { value.rounded(.down) + 0.5 }

    /// Up, down or neither of a price against the one before it.
    static func direction(_ price: Double?, _ before: Double?) -> Ink {
        guard let price, let before else { return .flat }
        return price > before ? .up : price < before ? .down : .flat
    }

    /// What a chart is of; how the last price stands against the close before it. What has no room is left out.
    static func header(
        _ title: String, _ subtitle: String, last: Double?, before: Double?, decimals: Int, width: Double, _ texts: TextMeasure
    ) -> [Mark] {
        guard !title.isEmpty else { return [] }
        var marks: [Mark] = []
        var x = 8.0
        func put(_ text: String, _ style: TextStyle) -> Bool {
            guard x + texts.width(text, style) <= width - 8 else { return false }
            marks.append(.text(text, Point(x, 18), style))
            x += texts.width(text, style) + 14
            return true
        }
        let style = TextStyle(.text, size: 14, isBold: true)
        if !put(title, style) {
            // The symbol, which is first, is never cut; the name is.
            var short = title
            while !short.isEmpty, texts.width(short + "…", style) > width - 16 { short.removeLast() }
            _ = put(short + "…", style)
            return marks
        }
        if let last {
            var text = ChartContent.text(last, decimals)
            if let before {
                text += "  " + ChartContent.text(last - before, decimals, sign: .always)
                if before > 0 { text += "  " + ChartContent.text((last / before - 1) * 100, 2, sign: .always) + "%" }
            }
            guard put(text, TextStyle(direction(last, before), size: 13, isBold: true)) else { return marks }
        }
        if !subtitle.isEmpty { _ = put(subtitle, TextStyle(.softText, size: 12)) }
        return marks
    }

    /// Words in one row from the left, as far as there is room.
    static func row(_ parts: [(String, Ink)], x: Double, top: Double, end: Double, _ texts: TextMeasure) -> [Mark] {
        var marks: [Mark] = []
        var x = x
        for (text, ink) in parts {
            let style = TextStyle(ink, hasHalo: true)
            let width = texts.width(text, style)
            guard x + width <= end else { break }
            marks.append(.text(text, Point(x, top + 13), style))
            x += width + 10
        }
        return marks
    }

    /// The user's orders and cost: a line through the plot, a label at its left; labels closer than 20 pixels step right.
    /// Those above or below what is in view are named at that edge with an arrow.
    static func orderLines(
        _ lines: [ChartOrderLine], _ scale: Scale, _ plot: Rect, decimals: Int, _ texts: TextMeasure
    ) -> [Mark] {
        var through: [Mark] = []
        var labels: [Mark] = []
        var taken: [(y: Double, right: Double)] = []
        for line in lines.sorted(by: { $0.price > $1.price }) {
            let y = crisp(scale.y(line.price))
            guard plot.holds(y: y), y >= plot.y + ChartLayout.legend else { continue }
            let stroke = line.isDragged ? Stroke(.mine, width: 2) : Stroke(.mine, dash: line.kind == .working ? [6, 4] : [2, 3])
            through.append(.line(Point(plot.x, y), Point(plot.maxX, y), stroke))
            let style = TextStyle(.mine, isBold: true)
            let width = (texts.width(line.label, style) + 14).rounded(.up)
            let left = taken.filter { abs($0.y - y) < 20 }.map { $0.right + 4 }.max() ?? plot.x + 10.5
            taken.append((y, left + width))
            labels.append(.box(Rect(left, y - 9, width, 18), fill: .mineTint, stroke: Stroke(.mine), radius: 4))
            labels.append(.text(line.label, Point(left + 7, y + 4), style))
        }
        // No line goes through a label.
        return through + labels + beyond(lines, scale, plot, decimals, texts)
    }

    /// Orders out of view: boxes at the right of the plot's top and bottom, the nearest outermost; the fourth says how many more there are.
    private static func beyond(
        _ lines: [ChartOrderLine], _ scale: Scale, _ plot: Rect, _ decimals: Int, _ texts: TextMeasure
    ) -> [Mark] {
        var marks: [Mark] = []
        let above = lines.filter { scale.y($0.price) < plot.y }.sorted { $0.price < $1.price }
        let below = lines.filter { scale.y($0.price) > plot.maxY }.sorted { $0.price > $1.price }
        for (arrow, lines, start, step) in [("▲", above, plot.y + ChartLayout.legend + 1, 20.0), ("▼", below, plot.maxY - 20, -20)] {
            let told = lines.count > 4 ? 3 : lines.count
            var words = lines.prefix(told).map { "\(arrow) \(ChartContent.text($0.price, decimals))  \($0.label)" }
            if lines.count > told { words.append("\(arrow) +\(lines.count - told)") }
            for (row, text) in words.enumerated() {
                let style = TextStyle(.mine, isBold: true)
                let width = (texts.width(text, style) + 14).rounded(.up)
                let box = Rect(max(plot.maxX - width - 6.5, plot.x + 0.5), (start + Double(row) * step).rounded() + 0.5, width, 18)
                marks.append(.box(box, fill: .mineTint, stroke: Stroke(.mine), radius: 4))
                marks.append(.text(text, Point(box.x + 7, box.y + 13), style))
            }
        }
        return marks
    }

    /// Under the plot, and through it where the calendar turns; what has no room is not written.
    static func timeAxis(
        _ turns: [TimeAxis.Turn], _ viewport: Viewport, plot: Rect, width: Double, isOne: Bool, _ texts: TextMeasure
    ) -> [Mark] {
        let y = plot.maxY
        var marks: [Mark] = [.line(Point(0, crisp(y)), Point(width, crisp(y)), Stroke(.line))]
        var free = 0.0
        for turn in turns {
            let x = crisp(viewport.x(turn.place))
            marks.append(.line(Point(x, plot.y), Point(x, y), Stroke(.line)))
            let style = TextStyle(.faintText, anchor: .middle)
            let half = texts.width(turn.text, style) / 2
            // One bar alone, at an edge, keeps its date.
            let middle = isOne ? max(min(x, plot.maxX - half - 1), half + 3) : x
            guard middle - half >= free, middle + half <= plot.maxX else { continue }
            free = x + half + 8
            marks.append(.text(turn.text, Point(middle, y + 14), style))
        }
        return marks
    }

    /// What is filled on an axis.
    struct Tag: Hashable {
        var y: Double
        var text: String
        var second: String?
        var fill: Ink
        var ink: Ink
        /// Where what it tells is, if it was moved from there.
        var origin: Double?
        var height: Double { second == nil ? 18 : 32 }

        mutating func move(to place: Double) {
            if abs(place - y) >= 1 { origin = origin ?? y }
            y = place
        }

        /// From the true place at an edge of the plot to the tag outside of it, so that a moved one is not read at the wrong level.
        func leader(at edge: Double, to side: Double) -> Mark? {
            guard let origin else { return nil }
            let ink: Ink = fill == .shade ? .softText : fill
            let points = [(-18.0, origin), (-12, origin), (2, y)].map { Point(edge + $0 * side, $1) }
            return .polyline(points, Stroke(ink))
        }
    }

    /// The last price where it is, the others moved away from it so that none covers another.
    static func spread(_ last: Tag?, _ others: [Tag]) -> [Tag] {
        guard let last else {
            var edge = -Double.infinity
            return others.sorted { $0.y < $1.y }.map { tag in
                var tag = tag
                tag.move(to: max(tag.y, edge + 1 + tag.height / 2))
                edge = tag.y + tag.height / 2
                return tag
            }
        }
        var tags = [last]
        var edge = last.y - last.height / 2
        for var tag in others.filter({ $0.y <= last.y }).sorted(by: { $0.y > $1.y }) {
            tag.move(to: min(tag.y, edge - 1 - tag.height / 2))
            edge = tag.y - tag.height / 2
            tags.append(tag)
        }
        edge = last.y + last.height / 2
        for var tag in others.filter({ $0.y > last.y }).sorted(by: { $0.y < $1.y }) {
            tag.move(to: max(tag.y, edge + 1 + tag.height / 2))
            edge = tag.y + tag.height / 2
            tags.append(tag)
        }
        return tags
    }

    /// A flag of 14 × 19 that points at a price; on the other side of it where the pane ends.
    static func flag(x: Double, low: Double, high: Double, isBuy: Bool, _ letter: String, _ pane: Rect) -> [Mark] {
        let isBelow = isBuy ? low + 22 <= pane.maxY : high - 22 < pane.y + ChartLayout.legend
        let tip = isBelow ? low + 3 : high - 3
        let way: Double = isBelow ? 1 : -1
        let shape = [
            Point(x, tip), Point(x + 7, tip + 5 * way), Point(x + 7, tip + 19 * way), Point(x - 7, tip + 19 * way),
            Point(x - 7, tip + 5 * way),
        ]
        return [
            .polygon(shape, .mine),
            .text(letter, Point(x, tip + 12 * way + 4), TextStyle(.onMine, size: 10, isBold: true, anchor: .middle)),
        ]
    }

    /// A filled tag on an axis.
    static func tag(_ text: String, second: String? = nil, _ box: Rect, fill: Ink, ink: Ink) -> [Mark] {
        let x = box.x + box.width / 2
        var marks: [Mark] = [
            .box(box, fill: fill, stroke: nil, radius: 3),
            .text(text, Point(x, box.y + 13), TextStyle(ink, isBold: true, anchor: .middle)),
        ]
        if let second { marks.append(.text(second, Point(x, box.y + 26), TextStyle(ink, size: 10, anchor: .middle))) }
        return marks
    }
}
