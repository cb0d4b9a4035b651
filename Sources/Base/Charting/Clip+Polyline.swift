extension Clip {
    /// Higher or lower no line is drawn: far outside of any pane, and near enough for a painter's numbers.
    static let farthest = 100_000.0

    /// A line of many points without what is too far above or below: cut there, in as many pieces as are left. A height is a number or
    /// infinite.
    static func polyline(_ points: [Point]) -> [[Point]] {
        if points.allSatisfy({ abs($0.y) <= farthest }) { return points.count > 1 ? [points] : [] }
        var pieces: [[Point]] = []
        var piece: [Point] = []
        func end() {
            if piece.count > 1 { pieces.append(piece) }
            piece = []
        }
        for (from, to) in zip(points, points.dropFirst()) {
            switch (isNear(from), isNear(to)) {
            case (true, true): piece += piece.isEmpty ? [from, to] : [to]
            case (true, false):
                piece += piece.isEmpty ? [from, cut(from, to)] : [cut(from, to)]
                end()
            case (false, true): piece = [cut(to, from), to]
            case (false, false):
                guard (from.y < 0) != (to.y < 0) else { continue }
                let middle = Point((from.x + to.x) / 2, 0)
                pieces.append([cut(middle, from), cut(middle, to)])
            }
        }
        end()
        return pieces
    }

    private static func isNear(_ point: Point) -> Bool { abs(point.y) <= farthest }

    /// Where the way from a near point to a far one leaves what is near.
    private static func cut(_ near: Point, _ far: Point) -> Point {
        let edge = far.y < 0 ? -farthest : farthest
        let share = (edge - near.y) / (far.y - near.y)
        return Point(near.x + share * (far.x - near.x), edge)
    }
}
