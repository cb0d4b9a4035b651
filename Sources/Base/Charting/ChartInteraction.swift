public import Exact

/// A chart under a user's hand (G-4, G-5): what is in view, what the pointer does, what came in the meantime. A value; it draws nothing,
/// asks no clock and sends nothing: it says what is to be done.
///
/// Scale and place never jump under the finger: while a pointer is down, and while the newest bar is out of view, what is pushed is kept
/// back and comes in, in order, once the finger is up or the end is in view again. A last price does not wait: it moves a line and a tag
/// only.
public struct ChartInteraction: Sendable {
    public enum Event: Sendable {
        case pointerDown(Point)
        case pointerMoved(Point)
        case pointerUp(Point)
        /// The pointer left the chart, or the system took it away: what was under way is undone.
        case pointerLost
        /// Above zero: closer.
        case wheel(steps: Int, at: Point)
        case key(Key)
        /// A tool to draw with; nil: none.
        case choose(Drawing.Tool?)
        case push(ChartPush)
        case lastPrice(Double, previousClose: Double?)
        /// The user's orders and cost as they stand now.
        case orderLines([ChartOrderLine])
        /// The instrument's drawings as they are kept now.
        case drawings([Drawing])
        /// Nanoseconds since 1970 of market time, and when the newest bar ends; nil where nothing is traded.
        case time(Int64, barEnd: Int64?)
        case resized(Size)
    }

    public enum Key: Hashable, Sendable {
        /// By one bar; by ten.
        case left(isFast: Bool), right(isFast: Bool)
        case closer, farther
        case first, last
        case escape, delete
    }

    public enum Effect: Hashable, Sendable {
        /// Proposed, not sent: the user took the order's line to another price.
        case amend(order: UInt64, Price)
        /// A new drawing; a text's words are asked for.
        case draw(Drawing.Tool, [Drawing.Anchor])
        /// One that was moved.
        case keep(Drawing)
        case remove(Int)
        /// The oldest bar known came into view.
        case loadHistory
    }

    enum Gesture: Sendable {
        case none
        /// The bar, and the part of it, that stays under the pointer.
        case pan(bar: Double, from: Point)
        case order(UInt64, was: Double, from: Point, plane: ChartPlane)
        case drawing(DrawingHit, was: Drawing, from: Point, plane: ChartPlane)
        /// The pointer is down on the next anchor of a new drawing.
        case place(from: Point)
        /// Undone; nothing more until the pointer is up.
        case over
    }

    public internal(set) var content: ChartContent
    public internal(set) var viewport: Viewport
    public internal(set) var size: Size
    /// The bar and the height the pointer is at.
    public internal(set) var crosshair: (place: Int, y: Double?)?
    public internal(set) var tool: Drawing.Tool?
    /// Anchors of a new drawing so far.
    var placed: [Drawing.Anchor] = []
    var gesture = Gesture.none
    var waiting = WaitingPushes()
    /// As kept by whoever keeps them; what is on the chart may be on its way.
    var orders: [ChartOrderLine]
    var isHistoryAsked = false
    let texts: TextMeasure
    /// The nearest price an order may have; nil where none is near.
    let snap: @Sendable (Price) -> Price?
    private var shown: Scene?

    /// Pixels a pointer may tremble without dragging.
    static let tremble = 4.0
    /// How near to an order's line a pointer takes it.
    static let orderReach = 6.0
    /// Bars that are left before the oldest when more are asked for.
    static let historyMargin = 20.0

    public init(
        _ content: ChartContent, size: Size, slot: Double = 8, texts: TextMeasure = .guess, snap: @escaping @Sendable (Price) -> Price?
    ) {
        self.content = content
        self.size = size
        self.texts = texts
        self.snap = snap
        orders = content.orderLines
        let width = ChartLayout(size, content, texts).plotWidth
        viewport = Viewport(width: width, count: content.bars.count, slot: slot, ahead: content.ahead)
    }

    // MARK: One picture a frame

    /// The picture as it is now, and which parts of it changed since the last one that was asked for.
    public mutating func frame() -> (scene: Scene, touched: [Rect]) {
        let scene = CandleScene(content, viewport, size: size, crosshair: crosshair, texts: texts).scene()
        let touched = shown.map { scene.touched(since: $0, texts: texts) } ?? [Rect(0, 0, size.width, size.height)]
        shown = scene
        return (scene, touched)
    }

    /// Of the bar under the pointer.
    public var readout: ChartReadout? {
        crosshair.flatMap { content.bars.count > $0.place ? ChartReadout(content, $0.place) : nil }
    }

    public var isPointerDown: Bool {
        if case .none = gesture { return false }
        return true
    }

    var isEndInView: Bool { viewport.range(count: content.bars.count).upperBound == content.bars.count }

    // MARK: What happens

    public mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .pointerDown(let point): return down(point)
        case .pointerMoved(let point): return moved(to: point)
        case .pointerUp(let point): return up(point)
        case .pointerLost:
            undo()
            gesture = .none
            crosshair = nil
            return settled()
        case .wheel(let steps, let point):
            // What is held stays where it is.
            guard !isPointerDown else { return [] }
            viewport.zoom(by: max(-8, min(8, steps)), at: min(max(point.x, 0), viewport.width), count: content.bars.count)
            hover(point)
            return settled()
        case .key(let key): return pressed(key)
        case .choose(let tool):
            undo()
            if isPointerDown { gesture = .over }
            placed = []
            self.tool = tool
            content.selectedDrawing = nil
            return []
        case .push(let push):
            waiting.add(push)
            return settled()
        case .lastPrice(let price, let previousClose):
            content.lastPrice = price
            content.previousClose = previousClose
            return []
        case .orderLines(let lines):
            take(lines)
            return []
        case .drawings(let drawings):
            take(drawings)
            return []
        case .time(let now, let barEnd):
            content.countdown = barEnd.flatMap { BarCountdown.text(now: now, end: $0) }
            return []
        case .resized(let size):
            undo()
            if isPointerDown { gesture = .over }
            self.size = size
            fit()
            return settled()
        }
    }

    /// Lets in what waited, where it may, and asks for older bars where the view has come near the oldest.
    mutating func settled() -> [Effect] {
        if !isPointerDown {
            while let push = waiting.next(isEndInView: isEndInView) { apply(push) }
        }
        guard viewport.first < Self.historyMargin, !isHistoryAsked, content.bars.count > 0, !isPointerDown else { return [] }
        isHistoryAsked = true
        return [.loadHistory]
    }

    /// The plot's width depends on how long the prices are, the room at its end on what is drawn ahead.
    mutating func fit() {
        viewport.keep(ahead: content.ahead, count: content.bars.count)
        let width = ChartLayout(size, content, texts).plotWidth
        if width != viewport.width { viewport.resize(width: width, count: content.bars.count) }
    }

    mutating func hover(_ point: Point) {
        let isInside = point.x >= 0 && point.y >= 0 && point.y <= size.height
        crosshair = isInside ? viewport.place(x: point.x, count: content.bars.count).map { ($0, point.y) } : nil
    }

    private mutating func pressed(_ key: Key) -> [Effect] {
        let count = content.bars.count
        if isPointerDown, key != .escape { return [] }
        switch key {
        case .left(let isFast): viewport.drag(by: viewport.slot * (isFast ? 10 : 1), count: count)
        case .right(let isFast): viewport.drag(by: -viewport.slot * (isFast ? 10 : 1), count: count)
        case .closer, .farther:
            let x = crosshair.map { viewport.x($0.place) } ?? viewport.width
            viewport.zoom(by: key == .closer ? 1 : -1, at: min(max(x, 0), viewport.width), count: count)
        case .first: viewport.drag(by: Double(count) * viewport.slot + viewport.width, count: count)
        case .last: viewport.drag(by: -Double(count) * viewport.slot - viewport.width, count: count)
        case .escape:
            undo()
            if isPointerDown { gesture = .over }
            if placed.isEmpty, tool != nil { tool = nil } else { content.selectedDrawing = nil }
            placed = []
            return []
        case .delete:
            guard let id = content.selectedDrawing else { return [] }
            content.selectedDrawing = nil
            content.drawings.removeAll { $0.id == id }
            return [.remove(id)]
        }
        // The bar under the pointer is another now, or none.
        if let place = crosshair?.place, !viewport.range(count: count).contains(place) { crosshair = nil }
        return settled()
    }
}
