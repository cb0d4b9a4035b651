import Exact
import Texts

/// A drawing in pixels: what of it is in the pane.
public struct DrawingShape: Hashable, Sendable {
    struct Line: Hashable, Sendable {
        var from: Point
        var to: Point
        /// A faint one that only shows how others came about.
        var isGuide = false
    }

    struct Label: Hashable, Sendable {
        var text: String
        /// Of the baseline.
        var at: Point
        var style: TextStyle
        var width: Double
        /// Whether something lies under it wherever it stands.
        var hasPlate = false
        /// Where it may stand instead, best first.
        var others: [Point] = []

        /// About what its letters cover.
        var box: Rect { box(at) }
        func box(_ at: Point) -> Rect { Rect(at.x, at.y - style.size * 0.85, width, style.size) }
    }

    var lines: [Line] = []
    /// What is tinted.
    var areas: [[Point]] = []
    var labels: [Label] = []
    /// Anchors, as many as the drawing has; beside the pane where they are out of view.
    public internal(set) var handles: [Point] = []
    /// Text that is the drawing itself, not a note beside it.
    var isText = false

    static let fibonacciLevels: [(share: Double, name: String)] = [
        (0, "0%"), (0.236, "23.6%"), (0.382, "38.2%"), (0.5, "50%"), (0.618, "61.8%"), (0.786, "78.6%"), (1, "100%"),
    ]

    /// Nil where an anchor has no place on the axis: zero and below on a logarithmic one.
    public init?(_ drawing: Drawing, on plane: ChartPlane, decimals: Int, texts: TextMeasure = .guess) {
        self.init(
            drawing, in: plane.pane, x: { plane.viewport.x(plane.places.place(of: $0)) }, y: plane.y, decimals: decimals, texts: texts)
    }

    /// On any two axes.
    init?(
        _ drawing: Drawing, in pane: Rect, x: (ChartTime) -> Double, y: (Double) -> Double?, decimals: Int, texts: TextMeasure
    ) {
        for anchor in drawing.anchors {
            guard let height = y(Double(anchor.price.nanos) / 1e9) else { return nil }
            handles.append(Point(x(anchor.time), height))
        }
        let label = TextStyle(drawing.style.ink, hasHalo: true)
        // Days that one bar of this period holds have no direction: only where it is.
        if [.trend, .ray, .channel].contains(drawing.tool), handles[0].x == handles[1].x, drawing.anchors[0].time != drawing.anchors[1].time
        {
            add(Point(handles[0].x - 3, handles[0].y), Point(handles[0].x + 3, handles[0].y), pane)
            return
        }
        switch drawing.tool {
        case .trend: add(handles[0], handles[1], pane)
        case .ray: add(handles[0], handles[1], pane, to: .infinity)
        case .horizontal:
            let y = SceneParts.crisp(handles[0].y)
            handles[0].x = pane.x + pane.width / 2
            add(Point(pane.x, y), Point(pane.maxX, y), pane)
            let price = drawing.anchors[0].price
            // A finer price is not hidden.
            let own = price.description.split(separator: ".").dropFirst().first?.count ?? 0
            let text = ChartContent.minus(NumberFormat.fixed(price.nanos, scale: Price.places, decimals: max(decimals, own)))
            let width = texts.width(text, label)
            let ends = ends(pane.x, pane.maxX, y, width)
            if !lines.isEmpty { add(text, ends[2], label, width, others: [ends[3], ends[0], ends[1]] + ends[4...]) }
        case .channel: channel(pane)
        case .fibonacci: fibonacci(drawing, pane, y, decimals, label, texts)
        case .rectangle:
            let corners = [handles[0], Point(handles[1].x, handles[0].y), handles[1], Point(handles[0].x, handles[1].y)]
            for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) { add(a, b, pane) }
            tint(corners, pane)
        case .text:
            isText = true
            let at = handles[0]
            let style = TextStyle(drawing.style.ink, size: 12, isBold: drawing.style.width > 1, hasHalo: true)
            let width = texts.width(drawing.text, style)
            guard at.x < pane.maxX, at.x + width > pane.x, at.y > pane.y, at.y < pane.maxY else { return }
            // Whole, where there is room for all of it.
            func start(_ x: Double) -> Double { at.x >= pane.x ? max(pane.x + 2, min(x, pane.maxX - width - 4)) : x }
            let others = Self.nearby.map { share, rows in Point(start(at.x - share * width), at.y + rows * 14) }
            add(drawing.text, Point(start(at.x), at.y), style, width, others: others)
        }
    }

    /// Where words may stand instead of at their place: by shares of their width to the left, by rows down.
    private static let nearby: [(Double, Double)] = [
        (0, -1), (0, 1), (0, -2), (0, 2), (1, 0), (1, -1), (1, 1), (0, -3), (0, 3), (1, -2), (1, 2), (1, -3), (1, 3),
    ]

    private mutating func add(_ a: Point, _ b: Point, _ pane: Rect, from: Double = 0, to: Double = 1, isGuide: Bool = false) {
        guard let (from, to) = Clip.line(a, b, in: pane, from: from, to: to) else { return }
        lines.append(Line(from: from, to: to, isGuide: isGuide))
    }

    private mutating func tint(_ points: [Point], _ pane: Rect) {
        let area = Clip.polygon(points, in: pane)
        if !area.isEmpty { areas.append(area) }
    }

    private mutating func add(_ text: String, _ at: Point, _ style: TextStyle, _ width: Double, others: [Point] = []) {
        labels.append(Label(text: text, at: at, style: style, width: width, others: others))
    }

    /// Places of a label of a level: over and under its line at either end, then farther in from the right.
    private func ends(_ left: Double, _ right: Double, _ y: Double, _ width: Double) -> [Point] {
        let step = max(width * 0.75, 20)
        let inner = (1...32).map { right - 6 - width - Double($0) * step }.filter { $0 > left + 4 + width }
        return ([left + 4, right - 6 - width] + inner).flatMap { [Point($0, y - 3), Point($0, y + 12)] }
    }

    /// Both lines end where the anchors of the first one do.
    private mutating func channel(_ pane: Rect) {
        let (a, b, c) = (handles[0], handles[1], handles[2])
        guard b.x != a.x else {
            let dx = c.x - a.x
            for x in [0, dx] { add(Point(a.x + x, a.y), Point(b.x + x, b.y), pane) }
            return tint([a, b, Point(b.x + dx, b.y), Point(a.x + dx, a.y)], pane)
        }
        let dy = c.y - (a.y + (c.x - a.x) / (b.x - a.x) * (b.y - a.y))
        for y in [0, dy] { add(Point(a.x, a.y + y), Point(b.x, b.y + y), pane) }
        add(Point(a.x, a.y + dy / 2), Point(b.x, b.y + dy / 2), pane, isGuide: true)
        tint([a, b, Point(b.x, b.y + dy), Point(a.x, a.y + dy)], pane)
    }

    /// Levels are shares of the difference of the two prices, on any axis; from the older anchor to the right edge.
    private mutating func fibonacci(
        _ drawing: Drawing, _ pane: Rect, _ height: (Double) -> Double?, _ decimals: Int, _ style: TextStyle, _ texts: TextMeasure
    ) {
        let (start, end) = (Double(drawing.anchors[0].price.nanos) / 1e9, Double(drawing.anchors[1].price.nanos) / 1e9)
        add(handles[0], handles[1], pane, isGuide: true)
        let left = min(handles[0].x, handles[1].x)
        guard left < pane.maxX else { return }
        var taken: [Double] = []
        for (share, name) in Self.fibonacciLevels {
            let price = end + (start - end) * share
            guard let y = height(price).map(SceneParts.crisp), pane.holds(y: y) else { continue }
            add(Point(left, y), Point(pane.maxX, y), pane)
            guard taken.allSatisfy({ abs($0 - y) >= 13 }) else { continue }
            taken.append(y)
            let text = name + "  " + ChartContent.text(price, decimals)
            let width = texts.width(text, style)
            let ends = ends(max(left, pane.x), pane.maxX, y, width)
            add(text, ends[0], style, width, others: Array(ends.dropFirst()))
        }
    }

    // MARK: Under the pointer

    /// How far a point is from what is drawn; tinted areas do not count, the chart is dragged there.
    public func distance(_ point: Point) -> Double {
        var least = lines.map { Clip.distance(point, $0.from, $0.to) }.min() ?? .infinity
        if isText {
            for box in labels.map(\.box) {
                let (x, y) = (max(box.x - point.x, 0, point.x - box.maxX), max(box.y - point.y, 0, point.y - box.maxY))
                least = min(least, (x * x + y * y).squareRoot())
            }
        }
        return least
    }
}
