import Streams
import Foundation
import Testing

@testable import Charting

private func fixture(_ name: String) throws -> Data {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return try Data(contentsOf: root.appendingPathComponent("Fixtures/indicators/\(name)"))
}

func appleBars() throws -> BarColumns {
    var bars = BarColumns()
    for line in String(decoding: try fixture("aapl_daily_300.csv"), as: UTF8.self).split(separator: "\n").dropFirst() {
        let numbers = line.split(separator: ",").dropFirst().compactMap { Double($0) }
        bars.append(
            .init(open: numbers[0], high: numbers[1], low: numbers[2], close: numbers[3], volume: numbers[4], day: Int32(bars.count)))
    }
    return bars
}

/// SeededRandom bars that walk, with even closes and flat bars among them.
func walk(_ seed: UInt64, _ count: Int) -> BarColumns {
    var random = SeededRandom(seed: seed)
    var bars = BarColumns()
    var price = 100.0
    for place in 0..<count {
        let open = price
        if random.next() % 6 > 0 { price = (price * (1 + (random.unit() - 0.5) * 0.04) * 100).rounded() / 100 }
        let flat = random.next() % 10 == 0
        let high = flat ? max(open, price) : max(open, price) + (random.unit() * 100).rounded() / 100
        let low = flat ? min(open, price) : min(open, price) - (random.unit() * 100).rounded() / 100
        bars.append(
            .init(open: open, high: high, low: low, close: price, volume: Double(random.next() % 100_000 + 1), day: Int32(place / 50)))
    }
    return bars
}

func expectEqual(_ ours: [Double], _ theirs: [Double?], within: Double, _ name: String) {
    #expect(ours.count == theirs.count, "\(name)")
    for (place, (a, b)) in zip(ours, theirs).enumerated() {
        guard let b else { continue }
        let close = abs(a - b) <= within * max(1, abs(b))
        #expect(close, "\(name) at \(place): \(a), not \(b)")
        if !close { return }
    }
}

struct IndicatorTests {
    private struct Expected: Decodable {
        var talib: [String: [Double?]]
        var cn: [String: [Double?]]
    }

    @Test func appleAsTALibAndTheChineseProgramsHaveIt() throws {  // G-3, IND-1, IND-4, IND-5
        let expected = try JSONDecoder().decode(Expected.self, from: fixture("aapl_expected.json"))
        let bars = try appleBars()
        let rows: [(key: String, choice: String, line: Int, scale: Double)] = [
            ("MA5", "ma:5", 0, 1), ("MA10", "ma:10", 0, 1), ("MA20", "ma:20", 0, 1), ("EMA12", "ema:12", 0, 1), ("EMA26", "ema:26", 0, 1),
            ("BOLL_UP", "boll", 1, 1), ("BOLL_LOW", "boll", 2, 1), ("MACD_DIF", "macd", 0, 1), ("MACD_DEA", "macd", 1, 1),
            ("RSI6", "rsi:6", 0, 1), ("RSI12", "rsi:12", 0, 1), ("RSI14", "rsi", 0, 1), ("WILLR14", "wr:14", 0, -1), ("CCI14", "cci", 0, 1),
            ("OBV", "obv", 0, 1), ("PLUS_DI14", "dmi", 0, 1), ("MINUS_DI14", "dmi", 1, 1), ("ADX14", "dmi", 2, 1), ("SAR", "sar", 0, 1),
            ("TRIX12", "trix", 0, 1), ("ROC12", "roc", 0, 1), ("MOM10", "mtm:10", 0, 1),
            ("MFI14", "mfi", 0, 1),
        ]
        for row in rows {
            let choice = try #require(try IndicatorChoice.parse(row.choice).first)
            let line = try choice.indicator.lines(bars, choice.values)[row.line].map { $0 * row.scale }
            let theirs = try #require(expected.talib[row.key])
            expectEqual(line, theirs, within: 1e-9, row.key)
            if row.key != "MACD_DIF" { #expect(line.firstIndex { !$0.isNaN } == theirs.firstIndex { $0 != nil }, "\(row.key)") }
        }
        for (key, text, place) in [
            ("EMA12", "expma:12", 0), ("EMA26", "expma:26", 0), ("KDJ_K_seedfirst", "kdj", 0), ("KDJ_D_seedfirst", "kdj", 1),
            ("KDJ_J_seedfirst", "kdj", 2), ("WR10", "wr:10", 0),
        ] {
            let choice = try #require(try IndicatorChoice.parse(text).first)
            expectEqual(try choice.indicator.lines(bars, choice.values)[place], try #require(expected.cn[key]), within: 1e-9, key)
        }
    }

    private struct Edges: Decodable {
        var cases: [Edge]
        struct Edge: Decodable {
            var id: String
            var close: [Double?]?
            var high: [Double?]?
            var low: [Double?]?
            var volume: [Double?]?
        }
    }

    private func edge(_ id: String) throws -> BarColumns {
        let edge = try #require(try JSONDecoder().decode(Edges.self, from: fixture("edge_cases.json")).cases.first { $0.id == id })
        var bars = BarColumns()
        let closes = try #require(edge.close)
        for (place, close) in closes.enumerated() {
            func value(_ column: [Double?]?) -> Double { (column.map { $0[place] } ?? close) ?? .nan }
            bars.append(
                .init(
                    open: close ?? .nan, high: value(edge.high), low: value(edge.low), close: close ?? .nan,
                    volume: edge.volume?[place] ?? 100))
        }
        return bars
    }

    private func line(_ text: String, _ bars: BarColumns) throws -> [Double] {
        let choice = try #require(try IndicatorChoice.parse(text).first)
        return try choice.indicator.lines(bars, choice.values)[0]
    }

    @Test func whereNothingRisesOrFallsOrMoves() throws {  // IND-2, IND-8
        #expect(try line("rsi", edge("ind-e1")).dropFirst(14).allSatisfy { $0 == 100 })
        #expect(try line("rsi", edge("ind-e2")).dropFirst(14).allSatisfy { $0 == 0 })
        let flat = BarColumns((0..<30).map { _ in .init(open: 1.1, high: 1.1, low: 1.1, close: 1.1, volume: 100) })
        #expect(try line("rsi", flat).dropFirst(14).allSatisfy { $0 == 50 })
        #expect(try line("cci:8", flat).dropFirst(7).allSatisfy { $0 == 0 })
        #expect(try line("cci", flat).dropFirst(13).allSatisfy { $0 == 0 })
        let bands = try #require(Indicator.all.first { $0.name == "BOLL" }).lines(flat)
        #expect(bands.allSatisfy { $0.dropFirst(19).allSatisfy { $0 == 1.1 } })
    }

    @Test func aFlatStretchLeavesNothingBehind() throws {  // IND-3
        let bars = try edge("ind-e4")
        for text in ["kdj", "wr:9"] {
            let line = try line(text, bars)
            #expect(line.suffix(5).allSatisfy { $0.isFinite && (0...100).contains($0) }, "\(text)")
        }
    }

    @Test func oneMissingValueIsMissedOnlyInItsWindow() throws {  // IND-7
        let bars = try edge("ind-e5")
        let line = try line("ma:5", bars)
        #expect((12...16).allSatisfy { line[$0].isNaN } && (17..<30).allSatisfy { !line[$0].isNaN })
        for place in 17..<30 {
            let mean = bars.close[place - 4...place].reduce(0, +) / 5
            #expect(abs(line[place] - mean) < 1e-12)
        }
        for indicator in Indicator.all where !["TD", "EMV", "VR", "CR"].contains(indicator.name) {
            var gap = walk(7, 400)
            gap[200] = .init(open: .nan, high: .nan, low: .nan, close: .nan, volume: .nan)
            let lines = try indicator.lines(gap)
            #expect(lines.allSatisfy { !($0.last ?? .nan).isNaN }, "\(indicator.name)")
        }
    }

    @Test func onBalanceVolumeOfEvenCloses() throws {  // IND-10
        let closes = [10.0, 11, 11, 10, 10, 12]
        let volumes = [5.0, 7, 3, 11, 2, 17]
        let bars = BarColumns(zip(closes, volumes).map { .init(open: $0, high: $0, low: $0, close: $0, volume: $1) })
        #expect(try line("obv", bars) == [5, 12, 12, 1, 1, 18])
    }

    @Test func aLastBarThatChanges() throws {  // IND-11
        let choice = try #require(try IndicatorChoice.parse("ema:5").first)
        let series = try choice.indicator.series(choice.values)
        var bars = BarColumns(
            [100, 101, 102, 101, 103, 104, 103, 105, 104, 105].map {
                .init(open: $0, high: $0 + 1, low: $0 - 1, close: $0, volume: 10)
            })
        series.update(bars, changed: 0)
        bars[9] = .init(open: 105, high: 109, low: 104, close: 108, volume: 12)
        series.update(bars, changed: 9)
        #expect(try series.lines[0].last == choice.indicator.lines(bars, choice.values)[0].last)
    }

    @Test(arguments: Indicator.all.map(\.name), [UInt64(1), 2])
    func ticksAppendsAndCorrectionsEqualAFreshRun(name: String, seed: UInt64) throws {  // G-3
        let indicator = try #require(Indicator.all.first { $0.name == name })
        let whole = walk(seed, 700)
        var random = SeededRandom(seed: seed &+ 99)
        var bars = BarColumns()
        let series = try indicator.series()
        var changed = 0
        func update() {
            series.update(bars, changed: changed)
            changed = bars.count
        }
        for place in 0..<whole.count {
            bars.append(whole[place])
            for _ in 0..<Int(random.next() % 3) {
                var last = whole[place]
                last.close = (last.low + last.high) / 2
                bars[place] = last
                changed = min(changed, place)
                update()
            }
            bars[place] = whole[place]
            changed = min(changed, place)
            if random.next() % 97 == 0, place > 10 { changed = place - 5 }
            if random.next() % 4 > 0 { update() }
        }
        update()
        let fresh = try indicator.lines(whole)
        for (a, b) in zip(series.lines, fresh) { #expect(a.map(\.bitPattern) == b.map(\.bitPattern)) }
    }

    /// Four bars at a time where nothing is missing, one at a time where something is: the same to the last bit. Ticks go one at a time.
    @Test(arguments: Indicator.all.map(\.name), UInt64(0)..<4)
    func gapsAnywhereAreTheSameInBatchAndByTicks(name: String, seed: UInt64) throws {  // G-3, IND-7
        let indicator = try #require(Indicator.all.first { $0.name == name })
        var bars = walk(seed, 1_200)
        var random = SeededRandom(seed: seed &+ 5)
        for _ in 0..<12 {
            let first = Int(random.next() % 1_200)
            for place in first..<min(1_200, first + Int(random.next() % 5)) {
                bars[place] = .init(open: .nan, high: .nan, low: .nan, close: .nan, volume: .nan)
            }
        }
        let series = try indicator.series()
        var known = BarColumns()
        for place in 0..<bars.count {
            known.append(bars[place])
            series.update(known, changed: place)
        }
        for (a, b) in zip(series.lines, try indicator.lines(bars)) { #expect(a.map(\.bitPattern) == b.map(\.bitPattern)) }
    }

    @Test func linesMadeFromLinesCanBeLeftOut() throws {
        let bars = walk(4, 300)
        for indicator in Indicator.all {
            let whole = try indicator.lines(bars)
            for outputs in 1...indicator.outputs.count {
                let some = try indicator.lines(bars, outputs: outputs)
                #expect(some.count >= outputs && some.count <= whole.count)
                for (a, b) in zip(some, whole) { #expect(a.map(\.bitPattern) == b.map(\.bitPattern)) }
            }
        }
        #expect(try Indicator.all.first { $0.name == "MTM" }?.lines(bars, outputs: 1).count == 1)
        #expect(try Indicator.all.first { $0.name == "DMI" }?.lines(bars, outputs: 3).count == 3)
    }

    @Test func severalTogetherAreAsEachAlone() throws {
        var bars = walk(5, 100)
        let together = try Indicator.all.map { try $0.series() }
        IndicatorSeries.update(together, bars, changed: 0)
        bars[99].close = bars[99].high
        bars.append(walk(6, 1)[0])
        IndicatorSeries.update(together, bars, changed: 99)
        for (series, indicator) in zip(together, Indicator.all) {
            for (a, b) in zip(series.lines, try indicator.lines(bars)) { #expect(a.map(\.bitPattern) == b.map(\.bitPattern)) }
        }
        IndicatorSeries.update(together, BarColumns(), changed: 0)
        #expect(together.allSatisfy { $0.count == 0 })
    }

    @Test(arguments: Indicator.all.map(\.name))
    func linesBeginWhereDeclared(name: String) throws {
        let indicator = try #require(Indicator.all.first { $0.name == name })
        let bars = walk(3, 600)
        let lines = try indicator.lines(bars)
        #expect(lines.count == indicator.outputs.count)
        for (line, first) in zip(lines, try indicator.firstDefined()) {
            let begins = line.firstIndex { !$0.isNaN }
            #expect(begins == first)
            #expect(line.dropFirst(first).allSatisfy { $0.isFinite })
        }
    }

    @Test func oneBarAndNoneAreNoFault() throws {
        for indicator in Indicator.all {
            #expect(try indicator.lines(BarColumns()).allSatisfy(\.isEmpty))
            #expect(try indicator.lines(walk(1, 1)).allSatisfy { $0.count == 1 })
        }
    }

    @Test func whatUsersWrite() throws {
        #expect(try IndicatorChoice.parse("ma:5:10:20").map(\.title) == ["MA(5)", "MA(10)", "MA(20)"])
        #expect(try IndicatorChoice.parse("Boll: 20, 2.5").map(\.title) == ["BOLL(20,2.5)"])
        #expect(try IndicatorChoice.parse("macd").map(\.title) == ["MACD(12,26,9)"])
        #expect(throws: IndicatorFault.unknown("magic")) { try IndicatorChoice.parse("magic") }
        #expect(throws: IndicatorFault.notANumber("x")) { try IndicatorChoice.parse("ma:x") }
        #expect(throws: IndicatorFault.self) { try IndicatorChoice.parse("ma:0") }
        #expect(throws: IndicatorFault.self) { try IndicatorChoice.parse("ma:2.5") }
        #expect(throws: IndicatorFault.self) { try IndicatorChoice.parse("ma:1e999") }
        #expect(throws: IndicatorFault.tooManyParameters("MACD", most: 3)) { try IndicatorChoice.parse("macd:1:2:3:4") }
    }
}

extension SeededRandom {
    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
