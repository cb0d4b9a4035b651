import Testing
import Texts

@testable import Charting

private typealias Stretch = IntradayContent.Stretch

private let hongKong = [Stretch(start: 570, length: 150), Stretch(start: 780, length: 180)]
private let withNight = [
    Stretch(start: 1_035, length: 585, isExtended: true, label: "Night"), Stretch(start: 555, length: 165),
    Stretch(start: 780, length: 210),
]
private let size = Size(width: 900, height: 500)

/// Monday 2026-11-30 from 10 to 12 and back, at the middle 10.
private func day(_ stretches: [Stretch], _ drawings: [Drawing]) -> IntradayContent {
    let minutes = (0..<200).map { place -> IntradayContent.Minute in
        let price = 10 + 2 * (1 - abs(Double(place) - 100) / 100)
        return .init(place: place, high: price, low: price, close: price, volume: 100)
    }
    var content = IntradayContent(stretches: stretches, minutes: minutes, passed: 200, decimals: 2, language: .english)
    content.previousClose = 10
    content.day = 20_261_130
    content.drawings = drawings
    return content
}

private func at(_ day: Int32, _ minute: Int? = nil) -> ChartTime { ChartTime(day: day, minute: minute) }

/// What the user drew lies on the intraday chart too (G-5, G-6).
struct IntradayDrawingTests {
    @Test func placesLieOnTheAxis() {
        let axis = IntradayAxis(hongKong, left: 70, width: 670)
        let cases: [(Int?, Int)] = [
            (nil, 0), (570, 0), (600, 30), (719, 149), (720, 149), (779, 149), (780, 150), (959, 329), (965, 329), (540, 0), (100, 0),
        ]
        for (minute, place) in cases { #expect(axis.x(minute, days: 0) == axis.x(place), "\(String(describing: minute))") }
        #expect(axis.x(600, days: -2) == axis.x(30) - 2 * 670 && axis.x(nil, days: 1) == axis.x(0) + 670)
        let night = IntradayAxis(withNight, left: 0, width: 1_000)
        for (minute, place) in [(1_035, 0), (0, 405), (179, 584), (200, 584), (555, 585), (989, 959), (1_000, 959), (1_030, 0)] {
            #expect(night.x(minute, days: 0) == night.x(place), "\(minute)")
        }
        #expect(IntradayAxis([], left: 0, width: 100).x(600, days: 0) == 0)
    }

    private func lines(_ content: IntradayContent) -> [(Point, Point)] {
        IntradayScene(content, size: size).shapes().flatMap(\.shape.lines).map { ($0.from, $0.to) }
    }

    // A level of any day; what touches the day; nothing of what ended before or begins later.
    @Test func whatReachesIntoTheDayIsShown() throws {
        let pane = IntradayScene(day(hongKong, []), size: size).pane
        let level = lines(day(hongKong, [try drawing(.horizontal, [(at(20_200_102), "11")])]))
        #expect(level.count == 1 && level[0].0.x == pane.x && level[0].1.x == pane.maxX)
        let before = (at(20_261_126), "10.5"), friday = (at(20_261_127), "10"), today = (at(20_261_130, 840), "11"),
            later = (at(20_261_201), "11")
        #expect(lines(day(hongKong, [try drawing(.trend, [before, friday])])).isEmpty)
        #expect(lines(day(hongKong, [try drawing(.rectangle, [before, friday])])).isEmpty)
        #expect(lines(day(hongKong, [try drawing(.rectangle, [later, (at(20_261_202), "10")])])).isEmpty)
        #expect(lines(day(hongKong, [try drawing(.trend, [before, today])])).count == 1)
        #expect(lines(day(hongKong, [try drawing(.trend, [friday, later])])).count == 1)
        #expect(lines(day(hongKong, [try drawing(.rectangle, [friday, today])])).count == 3)
        #expect(lines(day(hongKong, [try drawing(.ray, [(at(20_261_126), "10"), (at(20_261_127), "10.2")])])).count == 1)
        #expect(lines(day(hongKong, [try drawing(.fibonacci, [before, (at(20_261_127), "11.5")])])).count >= 7)
        let words = try ["yesterday", "now"].enumerated().map { number, text in
            try drawing(.text, [(number == 0 ? at(20_261_127, 600) : at(20_261_130, 600), "11")], id: number + 1, text: text)
        }
        #expect(IntradayScene(day(hongKong, words), size: size).shapes().flatMap(\.shape.labels).map(\.text) == ["now"])
        var nameless = day(hongKong, words)
        nameless.day = 0
        #expect(IntradayScene(nameless, size: size).shapes().isEmpty)
    }

    // A line over days that nothing is traded on is as steep as those between allow.
    @Test func daysBetweenAreThoseOfTheCalendar() throws {
        var content = day(hongKong, [try drawing(.trend, [(at(20_261_124), "10"), (at(20_261_130), "12")])])
        func x() -> Double { IntradayScene(content, size: size).shapes()[0].shape.handles[0].x }
        let scene = IntradayScene(content, size: size)
        let (now, width) = (scene.axis.x(0), scene.pane.width)
        #expect(x() == now - 4 * width)
        content.knownDays = [20_261_124, 20_261_127, 20_261_130, 20_261_201]
        #expect(x() == now - 2 * width)
        content.drawings = [try drawing(.trend, [(at(20_261_120), "10"), (at(20_261_203), "12")])]
        #expect(x() == now - 4 * width)
        #expect(IntradayScene(content, size: size).shapes()[0].shape.handles[1].x == now + 3 * width)
        // Saturday is the beginning of Monday.
        content.drawings = [try drawing(.trend, [(at(20_261_128, 800), "10"), (at(20_261_130, 800), "12")])]
        #expect(x() == now)
    }

    // Labels keep clear of the price, of levels' own lines and of orders.
    @Test func labelsKeepClear() throws {
        var content = day(hongKong, [])
        content.drawings = [
            try drawing(.text, [(at(20_261_130, 629), "11.2")], id: 1, text: "breakout"),
            try drawing(.horizontal, [(at(20_261_130), "11.2")], id: 2),
        ]
        content.orderLines = [.init(price: 11.25, label: "Buy 100", kind: .working)]
        let scene = IntradayScene(content, size: size).scene()
        var (labels, lines): ([Rect], [(Point, Point)]) = ([], [])
        func look(_ marks: [Mark]) {
            for mark in marks {
                switch mark {
                case .clipped(_, let inner): look(inner)
                case .text(let text, let at, let style) where style.ink == .series(7):
                    labels.append(Rect(at.x, at.y - 9, style.width(of: text), 10))
                case .line(let from, let to, let stroke) where stroke.ink != .line: lines.append((from, to))
                case .polyline(let points, _): lines += Array(zip(points, points.dropFirst()))
                default: break
                }
            }
        }
        look(scene.marks)
        #expect(labels.count == 2 && lines.count > 100)
        for label in labels { #expect(lines.allSatisfy { Clip.line($0, $1, in: label) == nil }, "\(label)") }
    }
}
