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
    public fileprivate(set) var lines: [[Double]]

    init(lines: Int) { self.lines = Array(repeating: [], count: lines) }

    public var count: Int { lines[0].count }

    /// Takes a line's values from `first` on.
    func replaceLine(_ line: Int, from first: Int, with values: [Double]) {
        lines[line].replaceSubrange(first..<lines[line].count, with: values[first...])
    }

    /// Computes what `bars` has beyond what was computed. `changed`: the first bar that differs from the last call, `bars.count` where
    /// none does; the last bar known before, or any after it, costs one step, an earlier one a run from the start.
    public func update(_ bars: borrowing BarColumns, changed: Int) {}
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

    override func update(_ bars: borrowing BarColumns, changed: Int) {
        let known = count
        var first = min(changed, known)
        if first < known - 1 || bars.count < known {
            first = 0
            for line in lines.indices { lines[line].removeAll(keepingCapacity: true) }
            restore(kernel.start)
        } else if first == known - 1 {
            after.state = before.state
            for place in derived.indices { after.sums[place] = before.sums[place] }
        }
        let total = bars.count
        guard first < total else { return }
        for line in lines.indices where lines[line].count < total {
            lines[line].append(contentsOf: repeatElement(.nan, count: total - lines[line].count))
        }
        run(bars, first..<total - 1)
        before.state = after.state
        for place in derived.indices { before.sums[place] = after.sums[place] }
        run(bars, total - 1..<total)
    }

    private func restore(_ state: K.State) {
        after.state = state
        for place in derived.indices { after.sums[place] = RunningSum() }
    }

    private func run(_ bars: borrowing BarColumns, _ range: Range<Int>) {
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
