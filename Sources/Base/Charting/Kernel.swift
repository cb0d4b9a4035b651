/// An indicator's formula, one bar at a time. Batch, append and replacement of the last bar all run this one step.
///
/// A step may look at any bar up to its own and changes nothing but its state, which holds a few numbers and is copied at each tick; so a
/// last bar that changes is simply stepped again from the state before it.
protocol Kernel: Sendable {
    associatedtype State: Sendable
    var start: State { get }
    /// Up to four values; NaN is undefined.
    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double>
}

/// A line made from another line of the same indicator.
enum DerivedLine: Hashable, Sendable {
    /// The plain mean of the last `period` values, `shift` bars ago.
    case mean(of: Int, period: Int, shift: Int = 0)
    /// The mean of a value and the one `lag` bars before.
    case midpoint(of: Int, lag: Int)
}

/// An indicator over bars that grow and whose last one changes.
public class IndicatorSeries {
    /// By output, then by bar; NaN is undefined.
    public internal(set) var lines: [[Double]]

    init(lines: Int) { self.lines = Array(repeating: [], count: lines) }

    public var count: Int { lines[0].count }

    /// Computes what `bars` has beyond what was computed. `changed`: the first bar that differs from the last call, `bars.count` where
    /// none does; the last bar known before, or any after it, costs one step, an earlier one a run from the start.
    public final func update(_ bars: borrowing BarColumns, changed: Int) {
        let known = count
        var first = min(changed, known)
        if first < known - 1 || bars.count < known {
            first = 0
            for line in lines.indices { lines[line].removeAll(keepingCapacity: true) }
            restart()
        } else if first == known - 1 {
            stepBack()
        }
        guard first < bars.count else { return }
        for line in lines.indices { Self.extend(&lines[line], to: bars.count) }
        run(bars, first..<bars.count - 1)
        settle()
        run(bars, bars.count - 1..<bars.count)
    }

    static func extend(_ column: inout [Double], to count: Int) {
        if column.count < count { column.append(contentsOf: repeatElement(.nan, count: count - column.count)) }
    }

    /// Forgets all bars.
    func restart() { preconditionFailure("a kind of series says how it restarts") }
    /// Takes the state before the last bar up again.
    func stepBack() { preconditionFailure("a kind of series says how it steps back") }
    /// All bars but the last are done.
    func settle() { preconditionFailure("a kind of series says how it settles") }
    /// Steps through bars; a range may be empty.
    func run(_ bars: borrowing BarColumns, _ range: Range<Int>) { preconditionFailure("a kind of series says how it runs") }
}

final class KernelSeries<K: Kernel>: IndicatorSeries {
    private let kernel: K
    private let derived: [DerivedLine]
    private let primary: Int
    /// After all bars but the last, and after all.
    private var before: Snapshot
    private var after: Snapshot

    private struct Snapshot {
        var state: K.State
        var sums: [RunningSum]
    }

    /// `lines`: how many of the kernel's values are lines.
    init(_ kernel: K, lines: Int, derived: [DerivedLine] = []) {
        self.kernel = kernel
        self.derived = derived
        primary = lines
        before = Snapshot(state: kernel.start, sums: Array(repeating: RunningSum(), count: derived.count))
        after = before
        super.init(lines: lines + derived.count)
    }

    override func restart() {
        after.state = kernel.start
        for place in derived.indices { after.sums[place] = RunningSum() }
    }

    override func stepBack() { Self.copy(before, to: &after) }
    override func settle() { Self.copy(after, to: &before) }

    /// Number by number: the array itself stays, so that a tick allocates nothing.
    private static func copy(_ source: Snapshot, to target: inout Snapshot) {
        target.state = source.state
        for place in source.sums.indices { target.sums[place] = source.sums[place] }
    }

    override func run(_ bars: borrowing BarColumns, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        var state = after.state
        switch primary {
        case 1: lines[0].withUnsafeMutableBufferPointer { line in for place in range { line[place] = kernel.step(&state, bars, place).x } }
        default:
            for place in range {
                let row = kernel.step(&state, bars, place)
                for line in 0..<primary { lines[line][place] = row[line] }
            }
        }
        after.state = state
        for (place, line) in derived.enumerated() { derive(place, line, range) }
    }

    private func derive(_ place: Int, _ line: DerivedLine, _ range: Range<Int>) {
        let target = primary + place
        switch line {
        case .mean(let source, let period, let shift):
            var sum = after.sums[place]
            for index in range {
                let value = sum.slide(index, period) { $0 < shift ? .nan : lines[source][$0 - shift] }
                lines[target][index] = value / Double(period)
            }
            after.sums[place] = sum
        case .midpoint(let source, let lag):
            for index in range { lines[target][index] = index < lag ? .nan : (lines[source][index] + lines[source][index - lag]) / 2 }
        }
    }
}
