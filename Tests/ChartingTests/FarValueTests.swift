import Testing
import Texts

@testable import Charting

/// Numbers no chart was made for.
struct FarValueTests {
    // G-5: a value far outside, of the bar beside the view, is cut and not written.
    @Test(arguments: [1e19, 1e22, 1e300, -1e25, .greatestFiniteMagnitude])
    func aLineToAFarValueIsCut(far: Double) throws {
        var content = try appleContent([], count: 300)
        var line = content.bars.close
        let viewport = Viewport(width: 1_200, count: 300)
        let size = Size(width: 1_280, height: 700)
        let first = CandleScene(content, viewport, size: size).range.lowerBound
        try #require(first > 0)
        line[first - 1] = far
        content.indicators = [
            .init(title: "A", outputs: [.init(name: "A", style: .line, shift: 0)], pane: .price, lines: [line]),
            .init(title: "B", outputs: [.init(name: "B", style: .line, shift: 0)], pane: .own, lines: [line]),
        ]
        let scene = CandleScene(content, viewport, size: size).scene()
        #expect(SVGPainter(Theme(.light)).svg(scene).hasSuffix("</svg>\n"))
        var lines = 0
        for case .clipped(_, let marks) in scene.marks {
            for case .polyline(let points, _) in marks {
                lines += 1
                #expect(points.allSatisfy { abs($0.y) <= Clip.farthest && $0.x.isFinite })
                #expect(points.count == 300 - first + 1)
            }
        }
        #expect(lines == 2)
    }

    @Test func linesAreCutWhereTheyLeave() {
        let far = Clip.farthest
        let points = [Point(0, 0), Point(1, 3 * far), Point(2, -.infinity), Point(3, -.infinity), Point(4, 0), Point(5, 1)]
        let pieces = Clip.polyline(points)
        #expect(pieces.count == 3)
        #expect(pieces.first == [Point(0, 0), Point(1 / 3.0, far)])
        #expect(pieces.last == [Point(4, -far), Point(4, 0), Point(5, 1)])
        #expect(Clip.polyline([Point(0, 0)]) == [] && Clip.polyline([]) == [])
    }

    @Test func painterTakesAnyNumber() {
        for value in [1e300, -1e19, .infinity, -.infinity, .nan, 1e17] as [Double] {
            let scene = Scene(size: Size(width: 10, height: 10), marks: [.line(Point(0, value), Point(value, 1), Stroke(.ink))])
            let text = SVGPainter(Theme(.light)).svg(scene)
            #expect(!text.contains("e+") && !text.contains("inf") && !text.contains("nan"))
        }
    }

    @Test func wholeNumbersAsNearAsTheyCome() {
        #expect(Int(clamping: 1e300) == .max && Int(clamping: -.infinity) == .min && Int(clamping: Double.nan) == 0)
        #expect(Int(clamping: 0x1p63) == .max && Int(clamping: -0x1p63) == .min && Int(clamping: -2.9) == -2 && Int(clamping: 7.9) == 7)
    }

    @Test func aPointerAnywhereIsNoCrash() throws {  // G-4
        var viewport = Viewport(width: 1_000, count: 500)
        for x in [1e300, -1e300, .infinity, -.infinity, .nan] as [Double] { #expect(viewport.place(x: x, count: 500) == nil) }
        viewport.drag(by: 1e300, count: 500)
        #expect(viewport.range(count: 500).lowerBound == 0)
    }

    // G-5: what XML has no character for is not written as one.
    @Test func noCharactersAreReplaced() {
        let scene = Scene(
            size: Size(width: 10, height: 10), marks: [.text("a\u{FFFE}b\u{FFFF}c\u{1}\u{1FFFE}", Point(0, 0), TextStyle(.text))])
        #expect(SVGPainter(Theme(.light)).svg(scene).contains(">a\u{FFFD}b\u{FFFD}c \u{FFFD}</text>"))
    }
}
