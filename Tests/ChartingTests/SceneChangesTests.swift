import Testing

@testable import Charting

/// Outside of what is said to have changed nothing has (G-4).
struct SceneChangesTests {
    private func changes(_ before: [Mark], _ now: [Mark]) -> [Rect]? {
        let size = Size(width: 400, height: 300)
        return Scene(size: size, marks: now).changes(from: Scene(size: size, marks: before), texts: .guess)
    }

    private func box(_ x: Double, _ ink: Ink = .ink) -> Mark { .box(Rect(x, 10, 4, 4), fill: ink, stroke: nil) }

    @Test func nothingChanged() {
        #expect(changes([box(1), box(50)], [box(1), box(50)]) == [])
        #expect(changes([], []) == [])
    }

    @Test func anotherSizeIsAllOther() {
        let scene = Scene(size: Size(width: 1, height: 2))
        #expect(Scene(size: Size(width: 2, height: 2)).changes(from: scene, texts: .guess) == nil)
    }

    @Test func whatCameAndWhatWent() {
        #expect(changes([box(1), box(300)], [box(1), box(150), box(300)]) == [Rect(149, 9, 6, 6)])
        #expect(changes([box(1), box(150), box(300)], [box(1), box(300)]) == [Rect(149, 9, 6, 6)])
        #expect(changes([box(1)], []) == [Rect(0, 9, 6, 6)])
    }

    /// One over the other: their order is part of how it looks.
    @Test func anotherOrderIsAChange() {
        let found = changes([box(100), box(101, .up)], [box(101, .up), box(100)]) ?? []
        #expect(found.contains { $0.meets(Rect(101, 10, 3, 4)) })
    }

    @Test func ofALineOnlyItsEnd() {
        let stroke = Stroke(.ink)
        let points = (0..<50).map { Point(Double($0) * 4, 100) }
        let found = changes([.polyline(points, stroke)], [.polyline(points.dropLast() + [Point(196, 120)], stroke)])
        #expect(found == [Rect(190, 98, 8, 24)])
        // A dash begins at the first point: all that comes after another is other.
        let dashed = Stroke(.ink, dash: [2, 2])
        let all = changes([.polyline(points, dashed)], [.polyline(points.dropLast() + [Point(196, 120)], dashed)])
        #expect(all?.reduce(Rect(200, 100, 0, 0)) { $0.union($1) }.x == 0)
    }

    @Test func ofManyBoxesOnlyTheOthers() {
        let boxes = (0..<60).map { Rect(Double($0) * 6, 50, 5, 20) }
        var changed = boxes
        changed[59].height = 30
        #expect(changes([.boxes(boxes, .upFill)], [.boxes(changed, .upFill)]) == [Rect(353, 49, 7, 32)])
        #expect(
            changes([.clipped(Rect(0, 0, 400, 60), [.boxes(boxes, .upFill)])], [.clipped(Rect(0, 0, 400, 60), [.boxes(changed, .upFill)])])
                == [Rect(353, 49, 7, 11)])
    }

    @Test func whatIsNoNumberIsNowhere() {
        let marks: [Mark] = [
            .box(Rect(.nan, 0, 4, 4), fill: .ink, stroke: nil), .boxes([Rect(0, 0, -1, 2), Rect(.infinity, 1, 1, 1)], .ink),
            .circle(Point(.nan, 2), radius: 2, .ink), .text("x", Point(1, .infinity), TextStyle(.ink)), .polyline([], Stroke(.ink)),
        ]
        #expect(marks.allSatisfy { $0.bounds(.guess) == nil })
        #expect(changes(marks, []) == [])
    }
}
