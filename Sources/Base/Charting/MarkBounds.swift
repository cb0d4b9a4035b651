extension Rect {
    /// The smallest that holds both.
    package func union(_ other: Rect) -> Rect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rect(left, top, max(maxX, other.maxX) - left, max(maxY, other.maxY) - top)
    }

    /// Whether they have any point in common that is not on an edge.
    package func meets(_ other: Rect) -> Bool { x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY }

    /// What they have in common; nil: nothing.
    package func intersection(_ other: Rect) -> Rect? {
        guard meets(other) else { return nil }
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rect(left, top, min(maxX, other.maxX) - left, min(maxY, other.maxY) - top)
    }

    package var area: Double { width * height }

    /// The smallest of whole pixels that holds it.
    package var wholePixels: Rect {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        return Rect(left, top, maxX.rounded(.up) - left, maxY.rounded(.up) - top)
    }

    /// Farther out by so much on each side.
    package func grown(_ by: Double) -> Rect { Rect(x - by, y - by, width + 2 * by, height + 2 * by) }

    /// The smallest that holds all points that are numbers; nil: there are none.
    package init?(around points: some Sequence<Point>) {
        var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for point in points where point.x.isFinite && point.y.isFinite {
            (left, right) = (min(left, point.x), max(right, point.x))
            (top, bottom) = (min(top, point.y), max(bottom, point.y))
        }
        guard left <= right else { return nil }
        self.init(left, top, right - left, bottom - top)
    }
}

extension TextMeasure {
    /// Of a text that stands at a place: what its glyphs and its halo cover, and a pixel around for the edges being soft.
    package func cover(_ text: String, _ place: Point, _ style: TextStyle) -> Rect? {
        guard place.x.isFinite, place.y.isFinite else { return nil }
        let ink = ink(text, style)
        let shift: Double =
            switch style.anchor {
            case .start: 0
            case .middle: width(text, style) / 2
            case .end: width(text, style)
            }
        return Rect(place.x - shift + ink.x, place.y + ink.y, ink.width, ink.height).grown(style.hasHalo ? 3 : 1)
    }
}

extension Mark {
    /// Nothing of it is drawn outside of this; nil: nothing at all is.
    package func bounds(_ texts: TextMeasure) -> Rect? {
        switch self {
        case .line(let from, let to, let stroke): return Rect(around: [from, to])?.grown(stroke.reach)
        case .polyline(let points, let stroke): return Rect(around: points)?.grown(stroke.reach)
        case .polygon(let points, _, _): return Rect(around: points)?.grown(1)
        case .box(let box, _, let stroke, _, _): return box.sound?.grown(stroke.map(\.reach) ?? 1)
        case .boxes(let boxes, _, _):
            var all: Rect?
            for box in boxes.lazy.compactMap(\.sound) { all = all?.union(box) ?? box }
            return all?.grown(1)
        case .circle(let centre, let radius, _, _): return Rect(around: CollectionOfOne(centre))?.grown(radius + 1)
        case .text(let words, let place, let style): return texts.cover(words, place, style)
        case .clipped(let box, let marks):
            var all: Rect?
            for bounds in marks.lazy.compactMap({ $0.bounds(texts) }) { all = all?.union(bounds) ?? bounds }
            return all?.intersection(box)
        }
    }
}

extension Stroke {
    /// How far from its points anything of it is drawn: corners are at right angles, or round.
    package var reach: Double { width + 1 }
}

extension Rect {
    /// Itself where all of it are numbers and none is below zero in size.
    package var sound: Rect? {
        x.isFinite && y.isFinite && width.isFinite && height.isFinite && width >= 0 && height >= 0 ? self : nil
    }
}
