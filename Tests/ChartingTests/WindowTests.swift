import Streams
import Testing

@testable import Charting

/// Sums and extremes of moving windows (G-3).
@Suite struct WindowTests {
    /// A sum from which old values were taken away would keep what rounding left of them: here a line is the same to the bit with one wrong
    /// bar and without, once that bar is out of the window.
    @Test(
        arguments: [
            "ma:5", "wma:5", "boll:20:2", "bias:6", "bbi", "mfi:14", "vol-ma:5", "dma", "vr", "cr", "emv", "asi", "psy", "mtm", "roc",
            "cci",
        ], [1e17, 1e6, 1e300, .infinity, .nan])
    func anOutlierLeavesNoTrace(text: String, outlier: Double) throws {  // G-3
        var random = SeededRandom(seed: 5)
        let plain = (0..<400).map { _ in
            let close = 1 + random.unit() / 10
            return BarColumns.Bar(open: close, high: close + 0.01, low: close - 0.01, close: close, volume: 1 + random.unit())
        }
        let choice = try #require(try IndicatorChoice.parse(text).first)
        let right = try choice.indicator.lines(BarColumns(plain), choice.values)
        let sum = try Expression("SUM(CLOSE,5);MA(VOL,5);HHV(CLOSE,7);WMA(CLOSE,9)")
        let rightSums = try #require(sum.lines(BarColumns(plain)))
        for place in [20, 25, 39] {
            var odd = plain
            odd[place] = .init(open: outlier, high: outlier, low: outlier, close: outlier, volume: outlier)
            let ours = try choice.indicator.lines(BarColumns(odd), choice.values)
            for (right, ours) in zip(right + rightSums, ours + (try #require(sum.lines(BarColumns(odd))))) {
                #expect(right[200...].map(\.bitPattern) == ours[200...].map(\.bitPattern))
            }
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func sumsOfAWindow(seed: UInt64) throws {  // G-3
        var random = SeededRandom(seed: seed)
        var bars = walk(seed, 300)
        for place in 0..<300 where random.next() % 60 == 0 {
            bars[place] = .init(open: .nan, high: .nan, low: .nan, close: .nan, volume: .nan)
        }
        let period = seed < 4 ? Int(seed) + 1 : Int(random.next() % 40) + 1
        let named = { (name: String, values: [Double]) in
            try #require(Indicator.all.first { $0.name == name }).lines(bars, values)
        }
        let mean = try named("MA", [Double(period)])[0]
        let weighted = try named("WMA", [Double(period)])[0]
        let bands = try named("BOLL", [Double(max(period, 2)), 2])
        for place in 0..<300 {
            let window = place >= period - 1 ? Array(bars.close[place - period + 1...place]) : [.nan]
            let right = window.reduce(0, +) / Double(window.count)
            expect(mean[place], right)
            let weights = zip(1...window.count, window).reduce(0) { $0 + Double($1.0) * $1.1 }
            expect(weighted[place], weights / Double(window.count * (window.count + 1) / 2))
            guard period > 1 else { continue }
            let squares = window.reduce(0) { $0 + ($1 - right) * ($1 - right) }
            expect(bands[0][place], right)
            expect(bands[1][place], right + 2 * (squares / Double(window.count)).squareRoot())
        }
    }

    private func expect(_ ours: Double, _ right: Double) {
        #expect(right.isNaN ? ours.isNaN : abs(ours - right) <= 1e-12 * abs(right), "\(ours), \(right)")
    }

    @Test func whatRoundingLeavesIsNoWeakness() throws {
        var random = SeededRandom(seed: 77)
        var bars = BarColumns()
        for place in 0..<400 {
            let middle = 100 + random.unit()
            let rises = place > 60
            let low = rises ? 200 + Double(place) : middle - random.unit()
            let high = rises ? low : middle + random.unit()
            bars.append(.init(open: low, high: high, low: low, close: rises ? low : middle, volume: random.unit()))
        }
        let named = { (name: String) in try #require(Indicator.all.first { $0.name == name }).lines(bars)[0] }
        // From 60 + 26 on nothing was below, nothing fell; from 60 + 14 on nothing had a range.
        #expect(try named("CR").dropFirst(90).allSatisfy(\.isNaN))
        #expect(try named("VR").dropFirst(90).allSatisfy(\.isNaN))
        #expect(try named("EMV").dropFirst(80).allSatisfy { $0 == 0 })
    }

    @Test(arguments: UInt64(0)..<20)
    func extremesOfAWindow(seed: UInt64) throws {  // G-3
        var bars = walk(seed, 400)
        var random = SeededRandom(seed: seed)
        for place in 0..<400 where random.next() % 20 == 0 {
            bars[place] = .init(open: .nan, high: .nan, low: .nan, close: .nan, volume: .nan)
        }
        let period = Int(random.next() % 40) + 1
        let line = try #require(Indicator.all.first { $0.name == "ICHIMOKU" }).lines(bars, [Double(period), 1, 1])[0]
        for place in 0..<400 {
            let window = max(0, place - period + 1)...place
            let high = window.map { bars.high[$0] }.filter { !$0.isNaN }.max()
            let low = window.map { bars.low[$0] }.filter { !$0.isNaN }.min()
            if place >= period - 1, let high, let low { #expect(line[place] == (high + low) / 2) } else { #expect(line[place].isNaN) }
        }
    }
}
