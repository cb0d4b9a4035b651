/// Which bars are seen, and how wide each is (G-4).
public struct Viewport: Hashable, Sendable {
    /// Widths a bar with its gap can have, in pixels.
    public static let slots: [Double] = [2, 3, 4, 6, 8, 10, 14, 20]

    /// The bar at the left edge; a part of one where the user has dragged by less than a bar. Below zero where the bars are too few for the
    /// view: they stand at its right.
    public private(set) var first: Double
    public private(set) var slot: Double
    /// Of the panes, without the axis.
    public private(set) var width: Double
    /// Bars to come that have room after the newest one: half of the view at most.
    public private(set) var ahead: Int
    /// Whether the newest bar is in view and stays there when one is added.
    public private(set) var followsEnd: Bool

    /// The newest bars, `count` of them known, with the newest at the right however few they are.
    public init(width: Double, count: Int, slot: Double = 8, ahead: Int = 0) {
        self.width = max(width, 1)
        self.slot = slot
        self.ahead = max(ahead, 0)
        first = 0
        followsEnd = true
        moveToEnd(count)
    }

    /// Bars free at the right, so that the last one does not stick to the axis.
    static let marginBars = 2.0

    var visible: Double { width / slot }

    /// Where the view begins that shows the newest bar.
    private func end(_ count: Int) -> Double {
        Double(count) + min(Double(ahead), (visible / 2).rounded(.down)) + Self.marginBars - visible
    }

    private mutating func moveToEnd(_ count: Int) { first = end(count) }

    /// Bars were added or left out; a view that follows the end goes with it, another stays where it is (scale and place never jump).
    public mutating func bars(_ count: Int) {
        if followsEnd { moveToEnd(count) } else { clamp(count) }
    }

    /// Older bars came before those that were known; the same ones stay in view.
    public mutating func prepended(_ added: Int, count: Int) {
        first += Double(added)
        if followsEnd { moveToEnd(count) } else { clamp(count) }
    }

    /// More or fewer bars to come have room.
    public mutating func keep(ahead: Int, count: Int) {
        guard max(ahead, 0) != self.ahead else { return }
        self.ahead = max(ahead, 0)
        bars(count)
    }

    public mutating func resize(width: Double, count: Int) {
        let right = first + visible
        self.width = max(width, 1)
        first = right - visible
        if followsEnd { moveToEnd(count) } else { clamp(count) }
    }

    /// To the right with the pointer: older bars come into view.
    public mutating func drag(by pixels: Double, count: Int) {
        first -= pixels / slot
        clamp(count)
        followsEnd = first >= end(count) - 0.5
    }

    /// The next wider (`steps` above zero) or narrower slot; what is under `x` stays there.
    public mutating func zoom(by steps: Int, at x: Double, count: Int) {
        let place = Self.slots.indices.min { abs(Self.slots[$0] - slot) < abs(Self.slots[$1] - slot) } ?? 0
        let wanted = Self.slots[max(0, min(Self.slots.count - 1, place + steps))]
        let anchor = first + x / slot
        slot = wanted
        first = anchor - x / slot
        clamp(count)
        followsEnd = first >= end(count) - 0.5
    }

    private mutating func clamp(_ count: Int) {
        let end = end(count)
        first = min(max(first, min(0, end)), end)
    }

    /// The bars of which anything is seen.
    public func range(count: Int) -> Range<Int> {
        let low = max(0, min(count, Int(clamping: first.rounded(.down))))
        let high = max(low, min(count, Int(clamping: (first + visible).rounded(.up))))
        return low..<high
    }

    /// The middle of a bar.
    public func x(_ place: Int) -> Double { (Double(place) - first + 0.5) * slot }

    /// The bar under a pointer; nil beside all of them.
    public func place(x: Double, count: Int) -> Int? {
        let place = Int(clamping: (first + x / slot).rounded(.down))
        return (0..<count).contains(place) && x >= 0 && x <= width ? place : nil
    }

    /// The body of a bar: odd where it can be, so that its wick stands in the middle.
    static func body(_ slot: Double) -> Double {
        guard slot > 2 else { return 1 }
        var body = slot - max(1, (0.24 * slot).rounded())
        if body.truncatingRemainder(dividingBy: 2) == 0, body > 1 { body -= 1 }
        return body
    }
}
