#if os(Linux)
    import Foundation
#endif

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
    public final func update(_ bars: BarColumns, changed: Int) {
        let count = bars.count
        let first = rewind(to: count, changed: changed)
        if first < count { bars.withView { run($0, first..<count) } }
    }

    /// The same for all indicators of a chart, which is faster than one by one.
    public static func update(_ all: [IndicatorSeries], _ bars: BarColumns, changed: Int) {
        let count = bars.count
        guard count > 0 else {
            for series in all { _ = series.rewind(to: 0, changed: 0) }
            return
        }
        bars.withView { view in
            for series in all {
                let first = series.rewind(to: count, changed: changed)
                if first < count { series.run(view, first..<count) }
            }
        }
    }

    /// Takes back what no longer holds; gives the first bar to be computed.
    private func rewind(to bars: Int, changed: Int) -> Int {
        let known = count
        let first = max(min(changed, known), 0)
        if first < known - 1 || bars < known {
            for line in lines.indices { lines[line].removeAll(keepingCapacity: true) }
            restart()
            return 0
        }
        if first == known - 1 { stepBack() }
        return first
    }

    /// Makes lines as long as the bars; what is new is to be written.
    static func extend(_ column: inout [Double], to count: Int) {
        if column.count < count { column.append(contentsOf: repeatElement(.nan, count: count - column.count)) }
    }

    /// Forgets all bars.
    func restart() { preconditionFailure("a kind of series says how it restarts") }
    /// Takes the state before the last bar up again.
    func stepBack() { preconditionFailure("a kind of series says how it steps back") }
    /// Steps through bars, of which there is one at least, to the newest; the state before that one is kept.
    func run(_ bars: BarView, _ range: Range<Int>) { preconditionFailure("a kind of series says how it runs") }
}

/// Runs a kernel. It knows the kernel by two functions only, so that the loop within is compiled for that kernel: the methods of a generic
/// class would be shared by all of them, and every bar would be a call through a table.
final class KernelSeries: IndicatorSeries {
    /// Bars after which lines made from lines are computed, so that what they read is still near.
    private static let stretch = 1_024

    private var derived: [DerivedLine]
    private let primary: Int
    /// Two snapshots of equal size: after all bars but the last, and after all. Each is the kernel's state, then the derived lines' sums.
    private let memory: UnsafeMutableRawPointer
    private let scratch = Scratch()
    private let size: Int
    private let start: (UnsafeMutableRawPointer, Scratch) -> Void
    private let runKernel: (UnsafeMutableRawPointer, BarView, Range<Int>, Lines) -> Void
    private let sums: UnsafeMutablePointer<RunningSum<Double>>

    init<K: Kernel>(_ kernel: K, derived: [DerivedLine] = []) {
        self.derived = derived
        primary = K.Row.lines
        precondition(primary + derived.count <= Lines.most, "an indicator has five lines at most")
        let state = (MemoryLayout<K.State>.size + 15) & ~15
        size = state + MemoryLayout<RunningSum<Double>>.stride * derived.count
        memory = .allocate(byteCount: 2 * size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 2 * size)
        sums = (memory + size + state).bindMemory(to: RunningSum<Double>.self, capacity: derived.count)
        start = { $0.initializeMemory(as: K.State.self, to: kernel.start($1)) }
        runKernel = { memory, bars, range, lines in
            kernel.run(memory.assumingMemoryBound(to: K.State.self), bars, range, lines)
        }
        super.init(lines: primary + derived.count)
        restart()
    }

    /// Leaves out lines made from others that stand after so many; before the first run.
    func leaveOut(after outputs: Int) {
        derived.removeLast(min(derived.count, max(0, lines.count - outputs)))
        lines.removeLast(lines.count - primary - derived.count)
    }

    deinit { memory.deallocate() }

    override func restart() {
        scratch.giveBack()
        start(memory + size, scratch)
        for place in derived.indices {
            let period = if case .mean(_, let period, _) = derived[place] { period } else { 1 }
            sums[place] = RunningSum(period, scratch)
        }
    }

    override func stepBack() { (memory + size).copyMemory(from: memory, byteCount: size) }

    override func run(_ bars: BarView, _ range: Range<Int>) {
        guard count > 0 else {
            lines = make(0, nil, bars, range)
            return
        }
        lines.withUnsafeMutableBufferPointer { lines in
            if range.upperBound > lines[0].count {
                for line in lines.indices { Self.extend(&lines[line], to: range.upperBound) }
            }
            lines[0].withUnsafeMutableBufferPointer { first in
                guard let first = first.baseAddress else { return }
                run(bars, range, Lines(first), in: lines, 1)
            }
        }
    }

    /// Once each line's place is known, runs.
    private func run(_ bars: BarView, _ range: Range<Int>, _ known: Lines, in all: UnsafeMutableBufferPointer<[Double]>, _ line: Int) {
        guard line < all.count else { return run(bars, range, known) }
        all[line].withUnsafeMutableBufferPointer { values in
            guard let start = values.baseAddress else { return }
            var known = known
            known[line] = start
            run(bars, range, known, in: all, line + 1)
        }
    }

    /// New lines, from `line` on, written once only. `range` begins at 0.
    private func make(_ line: Int, _ known: Lines?, _ bars: BarView, _ range: Range<Int>) -> [[Double]] {
        var further: [[Double]] = []
        let made = [Double](unsafeUninitializedCapacity: range.count) { values, written in
            guard let start = values.baseAddress else { return }
            Self.askForPages(UnsafeMutableRawPointer(start), bytes: range.count * MemoryLayout<Double>.stride)
            var known = known ?? Lines(start)
            known[line] = start
            if line + 1 < lines.count { further = make(line + 1, known, bars, range) } else { run(bars, range, known) }
            written = range.count
        }
        return [made] + further
    }

    /// Of a million numbers that are written for the first time, half the time would go into giving pages of 4 kB out one by one: large ones
    /// where they fit, and all at once. Advice: nothing depends on what comes of it.
    private static func askForPages(_ start: UnsafeMutableRawPointer, bytes: Int) {
        #if os(Linux)
            guard bytes >= 4 << 20 else { return }
            let page = 4_096
            let first = start.alignedUp(toMultipleOf: page)
            let length = (bytes - (first - start)) / page * page
            _ = madvise(first, length, 14 /* MADV_HUGEPAGE */)
            _ = madvise(first, length, 23 /* MADV_POPULATE_WRITE */)
        #endif
    }

    private func run(_ bars: BarView, _ range: Range<Int>, _ lines: Lines) {
        let last = range.upperBound - 1
        var first = range.lowerBound
        let stretch = derived.isEmpty ? Int.max : Self.stretch
        while first < last {
            let end = last - first > stretch ? first + stretch : last
            runOnce(bars, first..<end, lines)
            first = end
        }
        memory.copyMemory(from: memory + size, byteCount: size)
        runOnce(bars, last..<last + 1, lines)
    }

    @inline(__always)
    private func runOnce(_ bars: BarView, _ range: Range<Int>, _ lines: Lines) {
        runKernel(memory + size, bars, range, lines)
        for place in derived.indices { Self.derive(derived[place], &sums[place], lines[primary + place], lines, range) }
    }

    private static func derive(
        _ line: DerivedLine, _ sums: inout RunningSum<Double>, _ target: UnsafeMutablePointer<Double>, _ lines: Lines, _ range: Range<Int>
    ) {
        switch line {
        case .mean(let source, let period, let shift):
            let source = lines[source]
            let factor = 1 / Double(period)
            var sum = sums
            for index in range { target[index] = sum.slide(index) { $0 < shift ? .nan : source[$0 - shift] } * factor }
            sums = sum
        case .midpoint(let source, let lag):
            let source = lines[source]
            for index in range { target[index] = index < lag ? .nan : (source[index] + source[index - lag]) / 2 }
        }
    }
}
