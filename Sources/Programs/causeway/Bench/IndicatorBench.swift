import Charting
import Foundation
import HTTP
import Streams
import Texts

/// Indicators over a million bars beside TA-Lib on the same bars, and all of them on one tick.
struct IndicatorBench: Sendable {
    var bars = 1_000_000
    var turns = 5
    var rounds = 7
    var ticks = 20_000
    var clock = MonotonicClock.live

    static let quick = IndicatorBench(bars: 20_000, turns: 1, rounds: 2, ticks: 500)

    /// By TA-Lib's names, and how many lines TA-Lib gives: ours have a mean beside MOM, ROC and TRIX and ADXR beside DMI, which are left out.
    /// DMI gives three lines at once: TA-Lib is called three times for them.
    static let shared: [(name: String, choice: String, outputs: Int)] = [
        ("SMA", "ma:20", 1), ("EMA", "ema:20", 1), ("WMA", "wma:20", 1), ("BBANDS", "boll:20:2", 3), ("MACD", "macd", 3),
        ("RSI", "rsi:14", 1), ("WILLR", "wr:14", 1), ("CCI", "cci:14", 1), ("OBV", "obv", 1), ("DMI", "dmi:14", 3), ("SAR", "sar", 1),
        ("TRIX", "trix:12", 1), ("ATR", "atr:14", 1), ("ROC", "roc:12", 1), ("MOM", "mtm:10", 1),
    ]

    func run() throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let columns = BenchBars.walk(bars)
        let file = folder.path + "/bars"
        try BenchBars.write(columns, to: file)
        // In turn, so that what else the machine does meets both; the least disturbed round of each counts.
        var theirs: [String: Double] = [:]
        var ours: [String: Double] = [:]
        for _ in 0..<turns {
            theirs.merge(try TALibPeer.times(file, rounds: rounds), uniquingKeysWith: min)
            for row in Self.shared { ours[row.name] = min(try batch(row.choice, row.outputs, columns), ours[row.name] ?? .infinity) }
        }
        let ratios = Self.shared.compactMap { row in ours[row.name].flatMap { mine in theirs[row.name].map { (row.name, mine / $0) } } }
        guard ratios.count == Self.shared.count else {
            throw Failure(ErrorCode("internal"), .init("reason", "the peer did not time all indicators"))
        }
        let tick = try tickTime()
        let allocations = try AllocationCounter(folder).count(["bench", "indicators-loop", "--times", "\(ticks)"])
        var figures = Self.shared.flatMap { row in
            [
                BenchFigure(row.name.lowercased(), ours[row.name] ?? 0, "ms"),
                BenchFigure(row.name.lowercased() + "_talib", theirs[row.name] ?? 0, "ms"),
            ]
        }
        let append = try appendTime(columns)
        figures += [
            .init("bars", Double(bars), "count"), .init("indicators_a_tick", Double(Indicator.all.count), "count"),
            .init("append_ten_after_100k", append, "us"), .init("load_average", LoadAverage.now(), "count"),
        ]
        return BenchReport(
            .indicators, figures: figures,
            values: [
                "median_vs_talib": Samples.median(ratios.map(\.1)), "worst_vs_talib": ratios.map(\.1).max() ?? 0, "tick_all": tick,
                "tick_allocations": Double(allocations) / Double(ticks),
            ])
    }

    private func timed(_ body: () throws -> Void) rethrows -> Double {
        let begin = clock.now()
        try body()
        return Double(begin.duration(to: clock.now()).nanoseconds)
    }

    /// Milliseconds over all bars, the shortest of the rounds; the first warms up.
    private func batch(_ text: String, _ outputs: Int, _ columns: BarColumns) throws -> Double {
        guard let choice = try? IndicatorChoice.parse(text).first else { throw Failure.invalid(text) }
        var samples: [Double] = []
        for _ in 0...rounds {
            samples.append(try timed { try consume(choice.indicator.lines(columns, choice.values, outputs: outputs)) } / 1e6)
        }
        return samples.dropFirst().min() ?? 0
    }

    private func consume(_ lines: [[Double]]) throws {
        guard lines.first?.count == bars else { throw Failure(ErrorCode("internal"), .init("reason", "a line is too short")) }
    }

    /// Microseconds in which all indicators take a last bar that changed.
    private func tickTime() throws -> Double {
        var loop = try IndicatorLoop()
        loop.run(times: ticks / 10 + 1)
        return (0..<5).map { _ in timed { loop.run(times: ticks) } / Double(ticks) / 1_000 }.min() ?? 0
    }

    /// Microseconds in which ten indicators take one more bar after 100,000.
    private func appendTime(_ columns: BarColumns) throws -> Double {
        let known = min(100_000, columns.count - 1_000)
        var bars = BarColumns((0..<known).map { columns[$0] })
        let series = try Self.shared.prefix(10).compactMap { try? IndicatorChoice.parse($0.choice).first }.map {
            try $0.indicator.series($0.values)
        }
        IndicatorSeries.update(series, bars, changed: 0)
        let times = 1_000
        return timed {
            for place in known..<known + times {
                bars.append(columns[place])
                IndicatorSeries.update(series, bars, changed: place)
            }
        } / Double(times) / 1_000
    }
}

/// All indicators over 2,000 bars, the last of which changes.
struct IndicatorLoop {
    private var bars = BenchBars.walk(2_000)
    private let series: [IndicatorSeries]

    init() throws {
        series = try Indicator.all.map { try $0.series() }
        IndicatorSeries.update(series, bars, changed: 0)
    }

    mutating func run(times: Int) {
        let last = bars.count - 1
        for number in 0..<times {
            var bar = bars[last]
            bar.close = number % 2 == 0 ? bar.high : bar.low
            bar.volume += 100
            bars[last] = bar
            IndicatorSeries.update(series, bars, changed: last)
        }
    }
}

/// Bars that walk, the same each time.
enum BenchBars {
    static func walk(_ count: Int) -> BarColumns {
        var state: UInt64 = 2_026_11_30
        func unit() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        var bars = BarColumns()
        var price = 100.0
        for place in 0..<count {
            let open = price
            price *= 1 + (unit() - 0.5) * 0.004
            let (high, low) = (max(open, price) * (1 + unit() * 0.001), min(open, price) * (1 - unit() * 0.001))
            let volume = (1 + unit() * 10_000).rounded()
            bars.append(.init(open: open, high: high, low: low, close: price, volume: volume, day: Int32(place / 330)))
        }
        return bars
    }

    /// Five columns of doubles, one after the other.
    static func write(_ bars: BarColumns, to path: String) throws {
        var data = Data()
        for column in [bars.open, bars.high, bars.low, bars.close, bars.volume] { column.withUnsafeBytes { data.append(contentsOf: $0) } }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
