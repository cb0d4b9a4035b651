/// Which parts of a picture change from one scene to the next: everything outside of them is drawn by the same marks in the same order, so a
/// painter that draws the new scene inside of them only has the whole new picture (G-4).
public enum SceneDifference {
    /// Whole pixels; no more than `most`, which then cover more than they must. Empty where nothing changed.
    public static func touched(from old: Scene, to new: Scene, most: Int = 24) -> [Rect] {
        let all = Rect(0, 0, new.size.width, new.size.height)
        guard old.size == new.size else { return [all] }
        var rects: [Rect] = []
        compare(old.marks[...], new.marks[...], within: all, &rects)
        return merged(rects, most: most, within: all)
    }

    /// How far ahead the marks are looked through for where they go on alike.
    private static let window = 24

    private static func compare(_ old: ArraySlice<Mark>, _ new: ArraySlice<Mark>, within clip: Rect, _ rects: inout [Rect]) {
        var (a, b) = (old.startIndex, new.startIndex)
        func add(_ mark: Mark) {
            guard let box = mark.bounds.flatMap({ $0.intersection(clip) }) else { return }
            rects.append(box)
        }
        while a < old.endIndex, b < new.endIndex {
            if old[a] == new[b] {
                (a, b) = (a + 1, b + 1)
                continue
            }
            if case .clipped(let box, let before) = old[a], case .clipped(let other, let after) = new[b], box == other {
                if let inner = box.intersection(clip) { compare(before[...], after[...], within: inner, &rects) }
                (a, b) = (a + 1, b + 1)
                continue
            }
            // The nearest pair that is alike again; neither that mark nor any before it is left unmatched in both.
            var (skipOld, skipNew) = (1, 1)
            search: for sum in 1...window {
                for inNew in 0...sum {
                    let inOld = sum - inNew
                    if a + inOld < old.endIndex, b + inNew < new.endIndex, old[a + inOld] == new[b + inNew] {
                        (skipOld, skipNew) = (inOld, inNew)
                        break search
                    }
                }
            }
            for place in a..<a + skipOld { add(old[place]) }
            for place in b..<b + skipNew { add(new[place]) }
            (a, b) = (a + skipOld, b + skipNew)
        }
        for place in a..<old.endIndex { add(old[place]) }
        for place in b..<new.endIndex { add(new[place]) }
    }

    /// Two become one where that covers no more than they do; where there are still too many, those that waste least. They may overlap.
    private static func merged(_ rects: [Rect], most: Int, within all: Rect) -> [Rect] {
        var kept: [Rect] = []
        for rect in rects {
            guard var next = rect.wholePixels.intersection(all) else { continue }
            while let place = kept.firstIndex(where: { $0.union(next).area <= $0.area + next.area }) {
                next = kept.remove(at: place).union(next)
            }
            kept.append(next)
            // Of so many one box is as good.
            if kept.count > 4 * most { kept = [kept.dropFirst().reduce(kept[0]) { $0.union($1) }] }
        }
        while kept.count > most {
            var (least, first, second) = (Double.infinity, 0, 1)
            for a in kept.indices {
                for b in a + 1..<kept.count {
                    let waste = kept[a].union(kept[b]).area - kept[a].area - kept[b].area
                    if waste < least { (least, first, second) = (waste, a, b) }
                }
            }
            kept[first] = kept[first].union(kept.remove(at: second))
        }
        return kept.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    }
}

extension Mark {
    /// What it may colour, rather too much than too little; nil: nothing.
    var bounds: Rect? {
        switch self {
        case .line(let a, let b, let stroke): Self.bounds([a, b], stroke.width)
        case .polyline(let points, let stroke): Self.bounds(points, stroke.width * 2)
        case .polygon(let points, _, _): Self.bounds(points, 1)
        case .box(let box, _, let stroke, _, _):
            Self.bounds([Point(box.x, box.y), Point(box.maxX, box.maxY)], stroke?.width ?? 1)
        case .circle(let middle, let radius, _, _):
            Self.bounds([Point(middle.x - radius, middle.y - radius), Point(middle.x + radius, middle.y + radius)], 1)
        case .text(let text, let at, let style):
            Self.bounds(text, at, style)
        case .clipped(let box, let marks):
            marks.compactMap(\.bounds).reduce(nil as Rect?) { $0?.union($1) ?? $1 }.flatMap { $0.intersection(box) }
        }
    }

    private static func bounds(_ points: [Point], _ around: Double) -> Rect? {
        guard let first = points.first else { return nil }
        var (low, high) = (first, first)
        for point in points.dropFirst() {
            low = Point(min(low.x, point.x), min(low.y, point.y))
            high = Point(max(high.x, point.x), max(high.y, point.y))
        }
        return Rect(low.x - around, low.y - around, high.x - low.x + 2 * around, high.y - low.y + 2 * around)
    }

    /// A little wider than the widest font has it, halo included.
    private static func bounds(_ text: String, _ at: Point, _ style: TextStyle) -> Rect? {
        let width = style.width(of: text) * 1.1 + 8
        let left =
            switch style.anchor {
            case .start: at.x - 4
            case .middle: at.x - width / 2
            case .end: at.x - width + 4
            }
        return Rect(left, at.y - style.size * 1.3 - 3, width, style.size * 1.8 + 6)
    }
}

extension Rect {
    var area: Double { width * height }

    func union(_ other: Rect) -> Rect {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rect(left, top, max(maxX, other.maxX) - left, max(maxY, other.maxY) - top)
    }

    func intersection(_ other: Rect) -> Rect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(maxX, other.maxX), min(maxY, other.maxY))
        return right > left && bottom > top ? Rect(left, top, right - left, bottom - top) : nil
    }

    var wholePixels: Rect {
        let (left, top) = (x.rounded(.down), y.rounded(.down))
        return Rect(left, top, maxX.rounded(.up) - left, maxY.rounded(.up) - top)
    }
}
