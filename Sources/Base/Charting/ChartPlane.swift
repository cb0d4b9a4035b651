public import Exact

/// The price pane of a chart with its two axes: from times and prices to pixels and back.
public struct ChartPlane: Sendable {
    public let pane: Rect
    public let viewport: Viewport
    public let places: BarPlaces
    let scale: Scale
    /// What prices read off the plane are whole multiples of; above zero.
    public let tick: Price

    init(pane: Rect, viewport: Viewport, places: BarPlaces, scale: Scale, tick: Price) {
        self.pane = pane
        self.viewport = viewport
        self.places = places
        self.scale = scale
        self.tick = tick
    }

    /// Beside the pane where it is out of view; nil where the axis has no such price (zero and below on a logarithmic one).
    public func point(_ anchor: Drawing.Anchor) -> Point? {
        y(anchor.price).map { Point(viewport.x(places.place(of: anchor.time)), $0) }
    }

    public func y(_ price: Price) -> Double? { y(Double(price.nanos) / 1e9) }

    func y(_ price: Double) -> Double? {
        guard scale.kind == .linear || price > 0 else { return nil }
        let y = scale.y(price)
        return y.isFinite ? y : nil
    }

    /// The bar, or the one to come, under a point, and its price on the tick: the first bar left of all; nil where no bar or no price is.
    public func anchor(at point: Point) -> Drawing.Anchor? {
        let place = (viewport.first + point.x / viewport.slot).rounded(.down)
        guard place.isFinite, abs(place) < 1e6, let time = places.time(at: max(Int(place), 0)), time.isValid,
            let price = price(y: point.y)
        else { return nil }
        return Drawing.Anchor(time, price)
    }

    /// On the tick.
    public func price(y: Double) -> Price? {
        let nanos = (scale.value(y: y) * 1e9).rounded()
        guard nanos.isFinite, abs(nanos) < 9e18, let exact = Int64(exactly: nanos) else { return nil }
        return try? Price(nanos: exact).rounded(toTick: tick, rounding: .halfUp)
    }
}

/// Lines cut at the edges of a box, so that no coordinate is far outside of it.
enum Clip {
    /// The part of the line through `a` (at 0) and `b` (at 1) that lies in a box, between two places on it (Liang and Barsky).
    static func line(_ a: Point, _ b: Point, in box: Rect, from: Double = 0, to: Double = 1) -> (Point, Point)? {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        guard dx != 0 || dy != 0, dx.isFinite, dy.isFinite else { return nil }
        var (low, high) = (from, to)
        for (step, room) in [(-dx, a.x - box.x), (dx, box.maxX - a.x), (-dy, a.y - box.y), (dy, box.maxY - a.y)] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                low = max(low, room / step)
            } else {
                high = min(high, room / step)
            }
        }
        guard low <= high, low.isFinite, high.isFinite else { return nil }
        func at(_ share: Double) -> Point {
            // What the edge says, not what rounding makes of it.
            Point(min(max(a.x + share * dx, box.x), box.maxX), min(max(a.y + share * dy, box.y), box.maxY))
        }
        return (at(low), at(high))
    }

    /// The part of a convex polygon in a box (Sutherland and Hodgman); empty where there is none.
    static func polygon(_ points: [Point], in box: Rect) -> [Point] {
        let edges: [(Point) -> Double] = [{ $0.x - box.x }, { box.maxX - $0.x }, { $0.y - box.y }, { box.maxY - $0.y }]
        var points = points
        for inside in edges {
            var kept: [Point] = []
            for (place, point) in points.enumerated() {
                let before = points[(place + points.count - 1) % points.count]
                let (now, then) = (inside(point), inside(before))
                if (now >= 0) != (then >= 0) {
                    let share = then / (then - now)
                    kept.append(Point(before.x + share * (point.x - before.x), before.y + share * (point.y - before.y)))
                }
                if now >= 0 { kept.append(point) }
            }
            points = kept
        }
        guard points.count > 2 else { return [] }
        return points.map { Point(min(max($0.x, box.x), box.maxX), min(max($0.y, box.y), box.maxY)) }
    }

    /// How far a point is from a piece of a line.
    static func distance(_ point: Point, _ a: Point, _ b: Point) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let share = length > 0 ? min(max(((point.x - a.x) * dx + (point.y - a.y) * dy) / length, 0), 1) : 0
        let (x, y) = (a.x + share * dx - point.x, a.y + share * dy - point.y)
        return (x * x + y * y).squareRoot()
    }
}
