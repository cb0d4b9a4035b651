import Streams
import Testing

@testable import Charting

struct ChipTests {
    private func bars(_ rows: [(low: Double, high: Double, close: Double, volume: Double)]) -> BarColumns {
        BarColumns(rows.map { .init(open: $0.close, high: $0.high, low: $0.low, close: $0.close, volume: $0.volume) })
    }

    @Test func aBarIsATriangleAndOlderCostsFade() throws {  // G-3
        // 20 % at exactly 10; then half of all changes hands at exactly 20.
        let chips = try #require(ChipSeries.of(bars([(10, 10, 10, 20), (20, 20, 20, 50)]), float: 100))
        #expect(abs(chips.known - 0.6) < 1e-12 && abs(chips.averageCost - (0.1 * 10 + 0.5 * 20) / 0.6) < 1e-12)
        #expect(abs(chips.share(upTo: 15) - 1 / 6.0) < 1e-12 && chips.share(upTo: 9.9) == 0)
        #expect(abs(chips.cost(0.1) - 10) < chips.step && abs(chips.cost(0.5) - 20) < chips.step)
        // From 0 to 12 with its top at 6 (close 6): symmetric; a quarter of the way holds an eighth.
        let triangle = try #require(ChipSeries.of(bars([(0, 12, 6, 100)]), float: 100))
        #expect(abs(triangle.share(upTo: 3) - 0.125) < 1e-12 && abs(triangle.share(upTo: 6) - 0.5) < 1e-12)
        #expect(triangle.profitShare == triangle.share(upTo: 6) && abs(triangle.cost(0.125) - 3) < 1e-9)
        let (low, high) = triangle.range(0.9)
        // The first twentieth ends at 6 × sqrt(2 × 0.05), but for bins.
        #expect(abs(low - 6 * 0.1.squareRoot()) < triangle.step && abs(high - (12 - low)) < 1e-9)
        #expect(abs(triangle.concentration(0.9) - (high - low) / 12) < 1e-12)
    }

    @Test func whatIsMissingOrTooMuch() throws {  // G-3
        // More than the float: all of it, and nothing older stays.
        let all = try #require(ChipSeries.of(bars([(10, 11, 10, 50), (30, 31, 30, 500)]), float: 100))
        #expect(all.known == 1 && all.share(upTo: 29) == 0)
        // No volume, no prices, a close outside: nothing changes but what is known.
        let rows: [(Double, Double, Double, Double)] = [
            (10, 11, 10, 50), (.nan, .nan, .nan, .nan), (12, 13, 12, .nan), (12, 13, 14, 10), (12, 13, 12, 0),
        ]
        let some = try #require(ChipSeries.of(bars(rows), float: 100))
        #expect(some.known == 0.5 && some.close == 12 && some.profitShare == 1)
        let speck = try #require(ChipSeries.of(bars([(9, 12, 11, .leastNonzeroMagnitude)]), float: 1))
        #expect(speck.known == 0 && speck.averageCost.isNaN && speck.profitShare.isNaN)
        let none = try #require(ChipSeries.of(BarColumns(), float: 100))
        #expect(none.known == 0 && none.averageCost.isNaN && none.cost(0.5).isNaN && none.profitShare.isNaN)
        for float in [0, -1, .nan, .infinity] as [Double] { #expect(ChipSeries.of(BarColumns(), float: float) == nil) }
    }

    // G-3: a tick at a time, with the last bar replaced again and again, is the same to the last bit as all at once.
    @Test(arguments: UInt64(0)..<60)
    func incrementalIsBatch(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let all = walk(seed, 120)
        var bars = BarColumns()
        var series = try #require(ChipSeries(float: 400_000))
        for place in 0..<all.count {
            bars.append(all[place])
            series.update(bars, changed: place)
            for _ in 0..<Int(random.next() % 3) {
                var bar = all[place]
                // Now and then far out, so that bins become wider and narrower again.
                if random.next() % 6 == 0 { bar.high *= 1 + random.unit() * 3 }
                bar.volume *= random.unit() * 3
                if random.next() % 12 == 0 { bar.low = .nan }
                bars[place] = bar
                series.update(bars, changed: place)
                #expect(series.now == ChipSeries.of(bars, float: 400_000))
            }
            #expect(series.now == ChipSeries.of(bars, float: 400_000))
            #expect(series.now.masses.count <= ChipDistribution.mostBins)
            let sum = series.now.masses.reduce(0, +)
            #expect(abs(sum - series.now.known) < 1e-9)
        }
        // An older bar changes, bars go.
        bars[40] = all[41]
        series.update(bars, changed: 40)
        #expect(series.now == ChipSeries.of(bars, float: 400_000))
        let fewer = BarColumns((0..<30).map { all[$0] })
        series.update(fewer, changed: 30)
        #expect(series.now == ChipSeries.of(fewer, float: 400_000))
    }

    // G-3: shares and costs are inverse, and in order.
    @Test(arguments: UInt64(0)..<60)
    func sharesAndCostsAreInverse(seed: UInt64) throws {
        let chips = try #require(ChipSeries.of(walk(seed, 200), float: 1_000_000))
        var before = -Double.infinity
        for share in stride(from: 0.01, to: 1, by: 0.01) {
            let cost = chips.cost(share)
            #expect(abs(chips.share(upTo: cost) - share) < 1e-9 && cost >= before)
            before = cost
        }
        #expect(chips.range(0.7).low >= chips.range(0.9).low && chips.range(0.7).high <= chips.range(0.9).high)
        #expect(
            abs(
                chips.averageCost - chips.masses.indices.reduce(0) { $0 + chips.masses[$1] * (chips.price($1) + chips.step / 2) }
                    / chips.known) < chips.step)
    }
}
