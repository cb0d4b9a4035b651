import Streams
import Testing
import Texts

@testable import Charting

struct ViewportTests {
    @Test(arguments: UInt64(0)..<100)
    func draggedAndZoomedItNeverLosesTheBars(seed: UInt64) {  // G-4
        var random = SeededRandom(seed: seed)
        var count = Int(random.next() % 3_000)
        var viewport = Viewport(width: 200 + Double(random.next() % 1_500), count: count)
        for _ in 0..<200 {
            switch random.next() % 4 {
            case 0: viewport.drag(by: (random.unit() - 0.5) * 4_000, count: count)
            case 1: viewport.zoom(by: Int(random.next() % 5) - 2, at: random.unit() * viewport.width, count: count)
            case 2: viewport.resize(width: 100 + random.unit() * 1_500, count: count)
            default:
                count += Int(random.next() % 5)
                viewport.bars(count)
            }
            let range = viewport.range(count: count)
            #expect(count == 0 || !range.isEmpty)
            #expect(range.lowerBound >= 0 && range.upperBound <= count)
            if Double(count) >= viewport.width / viewport.slot + 2 { #expect(viewport.first >= 0) }
            if viewport.followsEnd, count > 0 { #expect(range.upperBound == count) }
            // Few bars stand at the right, with the usual gap.
            let room = viewport.visible - Double(count) - 2
            if room >= 0 { #expect(abs(viewport.first + room) < 1e-6) }
        }
    }

    @Test func zoomKeepsWhatIsUnderThePointer() {  // G-4
        var viewport = Viewport(width: 1_000, count: 5_000)
        viewport.drag(by: 8_000, count: 5_000)
        let before = viewport.first + 400 / viewport.slot
        viewport.zoom(by: 2, at: 400, count: 5_000)
        #expect(abs(viewport.first + 400 / viewport.slot - before) < 1e-9)
        #expect(viewport.slot == 14)
    }

    // G-4: the newest bar is at the right edge however few there are; the empty room is at the left.
    @Test(arguments: [1, 2, 30, 123] as [Int]) func fewBarsStandAtTheRight(count: Int) {
        var viewport = Viewport(width: 1_000, count: count)
        func gap() -> Double { viewport.width - viewport.x(count - 1) }
        #expect(abs(gap() - 2.5 * viewport.slot) < 1e-9 && viewport.range(count: count) == 0..<count)
        viewport.drag(by: 300, count: count)
        viewport.drag(by: -70, count: count)
        viewport.resize(width: 1_200, count: count)
        viewport.zoom(by: -1, at: 100, count: count)
        #expect(abs(gap() - 2.5 * viewport.slot) < 1e-9 && viewport.followsEnd)
    }

    @Test func aViewOfThePastStaysWhenBarsAreAdded() {  // G-4
        var viewport = Viewport(width: 1_000, count: 5_000)
        viewport.bars(5_010)
        #expect(viewport.range(count: 5_010).upperBound == 5_010)
        viewport.drag(by: 2_000, count: 5_010)
        let first = viewport.first
        viewport.bars(5_020)
        #expect(viewport.first == first)
    }
}

struct ScaleTests {
    @Test(arguments: UInt64(0)..<200)
    func ticksAreRoundFewAndInside(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let low = (random.unit() - 0.3) * 10.0.power(Int(random.next() % 8))
        let high = low + random.unit() * 10.0.power(Int(random.next() % 8) - 2)
        let scale = Scale(low...max(low, high), top: 18, bottom: 400, margin: 0.05)
        let ticks = scale.ticks(rows: 6, decimals: 2)
        #expect(ticks.count <= 7)
        for (a, b) in zip(ticks, ticks.dropFirst()) { #expect(b > a) }
        for tick in ticks {
            #expect((18 - 1e-6...400 + 1e-6).contains(scale.y(tick)))
            #expect(abs(tick * 100 - (tick * 100).rounded()) < 1e-3)
        }
    }

    @Test func valuesAndHeightsAreInverse() {
        for kind in [Scale.Kind.linear, .logarithmic] {
            let scale = Scale(3...700, top: 10, bottom: 500, kind: kind, margin: 0.1)
            for value in [3.0, 10, 99.5, 700] { #expect(abs(scale.value(y: scale.y(value)) - value) < 1e-9) }
        }
        #expect(Scale(-5...5, top: 0, bottom: 1, kind: .logarithmic).kind == .linear)
        #expect(Scale(5...5, top: 0, bottom: 100).y(5) == 50)
        #expect(Scale(nil, top: 0, bottom: 100).ticks(rows: 4, decimals: 2) == [0, 0.25, 0.5, 0.75, 1])
    }
}

struct TimeAxisTests {
    @Test func calendarTurnsByZoom() {
        let days = (0..<400).map { place in
            let month = place / 20 % 12 + 1
            return ChartTime(day: Int32((2_025 + place / 240) * 10_000 + month * 100 + place % 20 + 1))
        }
        #expect(TimeAxis.turns(days, 0..<60, slot: 8, language: .english).map(\.text) == ["Feb", "Mar"])
        #expect(TimeAxis.turns(days, 0..<60, slot: 8, language: .simplifiedChinese).map(\.text) == ["2月", "3月"])
        #expect(TimeAxis.turns(days, 0..<400, slot: 2, language: .english).map(\.text).contains("2026"))
        let minutes = (0..<240).map { ChartTime(day: 20_261_130, minute: 570 + $0) }
        #expect(TimeAxis.turns(minutes, 0..<120, slot: 4, language: .english).map(\.text) == ["10:00", "10:30", "11:00"])
        #expect(TimeAxis.turns(minutes, 0..<1, slot: 4, language: .english).map(\.text) == ["2026-11-30 09:30"])
    }
}

extension Double {
    fileprivate func power(_ n: Int) -> Double { (0..<abs(n)).reduce(1) { result, _ in n < 0 ? result / self : result * self } }
}
