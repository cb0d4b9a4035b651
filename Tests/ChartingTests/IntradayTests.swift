import Testing
import Texts

@testable import Charting

private typealias Stretch = IntradayContent.Stretch

/// The sessions of a day as the calendar has them.
private let hongKong = [Stretch(start: 570, length: 150), Stretch(start: 780, length: 180)]
private let halfDay = [Stretch(start: 570, length: 150)]
private let unitedStates = [
    Stretch(start: 240, length: 330, isExtended: true, label: "Pre"), Stretch(start: 570, length: 390),
    Stretch(start: 960, length: 240, isExtended: true, label: "Post"),
]
private let withNight = [
    Stretch(start: 1035, length: 585, isExtended: true, label: "Night"), Stretch(start: 555, length: 165), Stretch(start: 780, length: 210),
]

private func content(_ stretches: [Stretch], _ minutes: [IntradayContent.Minute], passed: Int = 0) -> IntradayContent {
    IntradayContent(stretches: stretches, minutes: minutes, passed: passed, decimals: 2, language: .english)
}

private func minute(_ place: Int, _ close: Double, _ volume: Double = 100, turnover: Double? = nil) -> IntradayContent.Minute {
    .init(place: place, high: close + 1, low: close - 1, close: close, volume: volume, turnover: turnover)
}

private func text(_ scene: Scene) -> [String] {
    func words(_ marks: [Mark]) -> [String] {
        marks.flatMap { (mark: Mark) -> [String] in
            switch mark {
            case .text(let words, _, _): [words]
            case .clipped(_, let inner): words(inner)
            default: []
            }
        }
    }
    return words(scene.marks)
}

struct IntradayTests {
    // G-1
    @Test func minutesWithoutTradesAreFlat() {
        let day = content(hongKong, [minute(2, 10), minute(5, 12, 300)], passed: 8)
        #expect(day.prices.count == 8 && day.prices[..<2].allSatisfy(\.isNaN))
        #expect(Array(day.prices[2...]) == [10, 10, 10, 12, 12, 12])
        #expect(day.volumes == [0, 0, 100, 0, 0, 300, 0, 0])
        #expect(Array(day.averages[2...]) == [10, 10, 10, 11.5, 11.5, 11.5])
        #expect(day.lastPrice == 12)
    }

    @Test func theAverageIsOfTheTurnoverWhereThatIsAPrice() {
        #expect(content(hongKong, [minute(0, 10, 100, turnover: 1_050)]).averages == [10.5])
        // A turnover that counts a multiplier is none.
        #expect(content(hongKong, [minute(0, 10, 100, turnover: 52_500)]).averages == [10])
        #expect(content(hongKong, [minute(0, 10, 0, turnover: 5)]).averages[0].isNaN)
    }

    @Test func anIndexHasNoVolumeAndNoAverage() {
        var day = content(hongKong, [minute(0, 10, 0), minute(1, 11, 0)], passed: 2)
        (day.averageTitle, day.volumeTitle) = ("Average", "Volume")
        let words = text(IntradayScene(day, size: Size(width: 900, height: 500)).scene())
        #expect(!words.contains { $0.hasPrefix("Average") || $0.hasPrefix("Volume") })
        var traded = content(hongKong, [minute(0, 10)], passed: 1)
        (traded.averageTitle, traded.volumeTitle) = ("Average", "Volume")
        #expect(text(IntradayScene(traded, size: Size(width: 900, height: 500)).scene()).contains("Average 10.00"))
    }

    @Test func whatDoesNotFitIsLeftOut() {
        let day = content(halfDay, [minute(3, 10), minute(2, 99), minute(-1, 99), minute(150, 99), minute(4, .nan)], passed: 10_000)
        #expect(day.prices.count == 150)
        #expect(day.prices.allSatisfy { $0.isNaN || $0 == 10 })
        #expect(content([], [minute(0, 1)], passed: 5).prices.isEmpty)
        #expect(!IntradayScene(content([], []), size: Size(width: 300, height: 200)).scene().marks.isEmpty)
    }

    // F-1, G-6: dotted, with what it is and a tag; the last price keeps its own.
    @Test func anAuctionSaysWhatItWouldTradeAt() {
        var day = content(hongKong, [minute(0, 10), minute(1, 11)], passed: 2)
        day.previousClose = 10
        day.indication = .init(price: 15, label: "Auction would trade 2M at 15.00")
        let scene = IntradayScene(day, size: Size(width: 800, height: 500))
        #expect(scene.scale.y(15) > scene.pane.y && scene.scale.y(15) < scene.scale.y(11))
        let marks = scene.scene().marks
        let dotted = marks.compactMap { if case .line(let from, _, let stroke) = $0, stroke.dash == [1.5, 3] { from.y } else { nil } }
        #expect(dotted == [SceneParts.crisp(scene.scale.y(15))])
        let words = text(scene.scene())
        #expect(words.contains("Auction would trade 2M at 15.00") && words.contains("15.00"))
        #expect(words.filter { $0 == "+10.00%" }.count == 1 && words.filter { $0 == "+50.00%" }.count == 1)
        // Before the first trade, too.
        var early = content(hongKong, [])
        early.indication = day.indication
        #expect(text(IntradayScene(early, size: Size(width: 800, height: 500)).scene()).contains("15.00"))
        early.indication?.price = .nan
        #expect(early.indication == nil)
    }

    // G-6
    @Test func theAxisIsTheWholeSessionWithBreaksJoined() {
        let axis = IntradayAxis(hongKong, left: 0, width: 670)
        #expect(axis.count == 330 && axis.slot == 2)
        #expect(axis.x(0) == 1 && axis.x(149) == 299 && axis.x(150) == 311 && axis.x(329) == 669)
        #expect(axis.minute(149) == 719 && axis.minute(150) == 780)
        #expect((0..<330).allSatisfy { axis.place(x: axis.x($0)) == $0 })
        #expect(axis.place(x: 305) == 149 && axis.place(x: -1) == nil && axis.place(x: 671) == nil)
    }

    @Test(arguments: [
        (hongKong, ["09:30", "12:00/13:00", "16:00"]), (halfDay, ["09:30", "12:00"]), (unitedStates, ["04:00", "09:30", "16:00", "20:00"]),
        (withNight, ["17:15", "03:00/09:15", "12:00/13:00", "16:30"]),
    ])
    fileprivate func theEdgesOfAllSessionsAreNamed(stretches: [Stretch], edges: [String]) {
        let axis = IntradayAxis(stretches, left: 0, width: 1_152)
        let style = TextStyle(.text)
        let turns = axis.turns { style.width(of: $0) }
        #expect(Set(edges).isSubset(of: turns.map(\.text)))
        let ends = turns.map { turn -> ClosedRange<Double> in
            let wide = style.width(of: turn.text)
            let from = turn.anchor == .start ? turn.x : turn.anchor == .end ? turn.x - wide : turn.x - wide / 2
            return from...from + wide
        }
        #expect(zip(ends, ends.dropFirst()).allSatisfy { $0.upperBound + 12 <= $1.lowerBound })
        #expect(ends.allSatisfy { $0.lowerBound >= -1 && $0.upperBound <= 1_153 })
    }

    @Test func nightGoesOverMidnight() {
        let axis = IntradayAxis(withNight, left: 0, width: 980)
        #expect(axis.minute(404) == 1_439 && axis.minute(405) == 0 && axis.minute(584) == 179 && axis.minute(585) == 555)
    }

    @Test func thePreviousCloseIsTheMiddle() {
        var day = content(hongKong, [minute(0, 103), minute(1, 99)])
        day.previousClose = 100
        let scene = IntradayScene(day, size: Size(width: 800, height: 400))
        #expect(abs(scene.scale.highest - 100 - (100 - scene.scale.lowest)) < 1e-9)
        #expect(scene.scale.highest > 103)
        let labels = text(scene.scene())
        #expect(labels.contains("100.00") && labels.contains("0.00%"))
        #expect(labels.contains("+2.00%") && labels.contains("−2.00%") && labels.contains("102.00") && labels.contains("98.00"))
    }

    @Test func aPreviousCloseBelowZeroHasNoPercent() {
        var day = content(hongKong, [minute(0, -37.63)])
        day.previousClose = -10
        let labels = text(IntradayScene(day, size: Size(width: 800, height: 400)).scene())
        #expect(labels.contains("−27.63") && !labels.contains { $0.hasSuffix("%") })
    }

    @Test func withoutAPreviousCloseThereIsNoPercent() {
        let labels = text(IntradayScene(content(hongKong, [minute(0, 10), minute(9, 12)]), size: Size(width: 800, height: 400)).scene())
        #expect(!labels.contains { $0.contains("%") })
    }

    @Test func linesBreakAtLunch() {
        let day = content(hongKong, (0..<330).map { minute($0, 100 + Double($0 % 7)) })
        var runs: [[Point]] = []
        for case .clipped(_, let marks) in IntradayScene(day, size: Size(width: 800, height: 400)).scene().marks {
            for case .polyline(let points, _) in marks { runs.append(points) }
        }
        #expect(runs.map(\.count) == [150, 180, 150, 180])
    }

    /// Hostile and odd numbers make a picture, not an end of the program.
    @Test(arguments: UInt64(0)..<200)
    func anyNumbersMakeAPicture(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        func next(_ below: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % below
        }
        let odd = [Double.nan, .infinity, -.infinity, 0, -0.0, 1e300, -1e300, 1e-300, 37, -5]
        let stretches = (0..<next(4)).map { _ in
            Stretch(start: next(3_000) - 100, length: next(400) - 20, isExtended: next(2) == 0, label: "x")
        }
        var day = IntradayContent(
            stretches: stretches,
            minutes: (0..<next(50)).map { _ in
                .init(
                    place: next(900) - 50, high: odd[next(10)], low: odd[next(10)], close: odd[next(10)], volume: odd[next(10)],
                    turnover: next(2) == 0 ? nil : odd[next(10)])
            }, passed: next(2_000) - 100, decimals: next(7), language: .simplifiedChinese)
        day.previousClose = next(3) == 0 ? nil : odd[next(10)]
        day.title = "T"
        day.trades = [.init(place: next(900) - 50, isBuy: next(2) == 0)]
        day.orderLines = [.init(price: odd[next(10)], label: "o", kind: .working)]
        let size = Size(width: Double(next(900)), height: Double(next(500)))
        let scene = IntradayScene(day, size: size, crosshair: (next(900) - 50, odd[next(10)])).scene()
        #expect(scene.size == size)
    }
}
