extension Scene {
    /// Where it looks other than a scene before it (G-4): outside of these boxes both are the same to the pixel. What a tick touched is a few
    /// small ones; boxes that nearly lie together are one.
    ///
    /// - Parameter texts: How the painter sets them.
    /// - Returns: Nil where all is other, as the size is.
    public func changes(from before: Scene, texts: TextMeasure) -> [Rect]? {
        guard size == before.size else { return nil }
        var changes = SceneChanges(texts: texts)
        changes.compare(before.marks, marks, inside: Rect(0, 0, size.width, size.height))
        return changes.boxes
    }
}

extension Scene {
    /// The same in whole pixels, no more than `most` boxes, which then cover more than they must; all where the size is another.
    public func touched(since before: Scene, texts: TextMeasure, most: Int = 24) -> [Rect] {
        let all = Rect(0, 0, size.width, size.height)
        guard let changes = changes(from: before, texts: texts) else { return [all] }
        var boxes = changes.compactMap { $0.wholePixels.intersection(all) }
        while boxes.count > most {
            var (least, first, second) = (Double.infinity, 0, 1)
            for one in boxes.indices {
                for other in one + 1..<boxes.count {
                    let waste = boxes[one].union(boxes[other]).area - boxes[one].area - boxes[other].area
                    if waste < least { (least, first, second) = (waste, one, other) }
                }
            }
            boxes[first] = boxes[first].union(boxes.remove(at: second))
        }
        return boxes.sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    }

    /// A part and all of each small shape with slanting edges that it cuts: where Cairo cuts those it may be off by one step of a colour.
    package func whole(_ part: Rect) -> Rect {
        let shapes = Self.shapes(marks)
        var part = part
        // Each that is taken in may meet others.
        while let cut = shapes.first(where: { $0.meets(part) && part.union($0) != part }) { part = part.union(cut) }
        return part
    }

    private static func shapes(_ marks: [Mark]) -> [Rect] {
        marks.flatMap { mark -> [Rect] in
            switch mark {
            case .clipped(_, let marks): return shapes(marks)
            case .polygon, .circle: break
            case .box(_, _, _, let radius, _): if radius <= 0 { return [] }
            case .line, .polyline, .boxes, .text: return []
            }
            // No text is among these.
            return mark.bounds(.guess).map { $0.area <= 10_000 ? [$0] : [] } ?? []
        }
    }
}

private struct SceneChanges {
    let texts: TextMeasure
    private(set) var boxes: [Rect] = []
    /// How many marks may have come in or gone between two that stay.
    private static let lookAhead = 8

    init(texts: TextMeasure) { self.texts = texts }

    /// Both in order; a mark that stays is never paired with one before another that stays, so that what lies over what is the same.
    mutating func compare(_ before: [Mark], _ now: [Mark], inside clip: Rect) {
        var (old, new) = (0, 0)
        while old < before.count, new < now.count {
            if before[old] == now[new] {
                (old, new) = (old + 1, new + 1)
            } else if let came = (1...Self.lookAhead).first(where: { new + $0 < now.count && now[new + $0] == before[old] }) {
                for mark in now[new..<new + came] { add(mark, clip) }
                new += came
            } else if let went = (1...Self.lookAhead).first(where: { old + $0 < before.count && before[old + $0] == now[new] }) {
                for mark in before[old..<old + went] { add(mark, clip) }
                old += went
            } else {
                compare(before[old], now[new], clip)
                (old, new) = (old + 1, new + 1)
            }
        }
        for mark in before[old...] { add(mark, clip) }
        for mark in now[new...] { add(mark, clip) }
    }

    private mutating func compare(_ before: Mark, _ now: Mark, _ clip: Rect) {
        switch (before, now) {
        case (.clipped(let old, let marks), .clipped(let new, let others)) where old == new:
            if let inside = clip.intersection(new) { compare(marks, others, inside: inside) }
        case (.polyline(let points, let stroke), .polyline(let others, let same)) where stroke == same && stroke.dash.isEmpty:
            // The line from the last point that is alike to the first that is alike again.
            let alike = Self.ends(points, others)
            for part in [points, others] {
                let end = max(alike.head, part.count - alike.tail)
                add(Rect(around: part[max(alike.head - 1, 0)..<min(end + 1, part.count)])?.grown(stroke.reach), clip)
            }
        case (.boxes(let boxes, let ink, let opacity), .boxes(let others, let same, let equal)) where ink == same && opacity == equal:
            let alike = Self.ends(boxes, others)
            for part in [boxes, others] {
                let end = max(alike.head, part.count - alike.tail)
                for box in part[alike.head..<end] { add(box.sound?.grown(1), clip) }
            }
        default:
            add(before, clip)
            add(now, clip)
        }
    }

    /// How many are alike from the start and from the end.
    private static func ends<Element: Equatable>(_ one: [Element], _ other: [Element]) -> (head: Int, tail: Int) {
        let least = min(one.count, other.count)
        var (head, tail) = (0, 0)
        while head < least, one[head] == other[head] { head += 1 }
        while tail < least - head, one[one.count - 1 - tail] == other[other.count - 1 - tail] { tail += 1 }
        return (head, tail)
    }

    private mutating func add(_ mark: Mark, _ clip: Rect) { add(mark.bounds(texts), clip) }

    private mutating func add(_ box: Rect?, _ clip: Rect) {
        guard var box = box?.intersection(clip) else { return }
        // Each that goes with it makes it larger, so that others may go with it as well.
        while let place = boxes.firstIndex(where: { Self.isOne($0, box) }) { box = boxes.remove(at: place).union(box) }
        boxes.append(box)
    }

    /// Whether painting both at once is hardly more to paint.
    private static func isOne(_ one: Rect, _ other: Rect) -> Bool {
        one.union(other).area <= (one.area + other.area) * 1.25 + 400
    }
}
