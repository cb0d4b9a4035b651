import Instruments
import Messages
import Streams

/// What an instrument without a recording starts from (`synthetic.csv`).
struct SyntheticSpecification: Hashable, Sendable {
    var instrument: InstrumentID
    /// × 10⁻⁹.
    var previousClose: Int64
    /// About the deviation of a day's last price from its first, in millionths.
    var rangeMillionths: Int64
    /// Whole shares or contracts a day.
    var volume: Int64
}

/// One-minute bars of a seeded random walk over the sessions of a day. Everything made from it is marked simulated.
enum SyntheticTape {
    static func bars(_ specification: SyntheticSpecification, grid: PriceGrid, sessions: [Session], seed: UInt64) -> [TapeBar] {
        let minute: Int64 = 60_000_000_000
        let spans = sessions.filter { $0.phase == .continuous || $0.phase == .night }
        let minutes = spans.reduce(Int64(0)) { $0 + ($1.end.nanoseconds - $1.start.nanoseconds) / minute }
        guard minutes > 0 else { return [] }
        var random = SeededRandom(seed: seed, UInt64(specification.instrument.rawValue), UInt64(grid.day.yyyymmdd))
        let day = Int64(Int128(specification.previousClose) * Int128(specification.rangeMillionths) / 1_000_000)
        let deviation = max(1, abs(day) / max(1, integerSquareRoot(minutes * 4)))
        var exact = specification.previousClose
        var bars: [TapeBar] = []
        for span in spans {
            var start = span.start.nanoseconds
            while start < span.end.nanoseconds {
                var visited: [Int64] = []
                for step in 0..<5 {
                    if step > 0 { exact += deviation * random.normal16() / 65_536 }
                    // Pulled back where it strays more than five times its range.
                    if abs(exact - specification.previousClose) > 5 * abs(day) { exact = (exact + specification.previousClose) / 2 }
                    if let price = grid.nearest(exact) { visited.append(price) }
                }
                let share = specification.volume / minutes
                let volume = max(0, share / 2 + random.below(max(1, share) + 1)) * 100_000_000
                if let open = visited.first, let close = visited.last, let high = visited.max(), let low = visited.min(), volume > 0 {
                    bars.append(
                        TapeBar(
                            start: start, end: start + minute, open: open, high: high, low: low, close: close, volume: volume,
                            turnover: nil,
                            period: .minute1, recordedOn: nil))
                }
                start += minute
            }
        }
        return bars
    }
}
