import Foundation

/// Runs an expression bar by bar: each node keeps its values, and a few numbers of its own.
final class ExpressionSeries: IndicatorSeries {
    private let expression: Expression
    private var columns: [[Double]]
    private var before: [State]
    private var after: [State]
    /// What the nodes that look for extremes keep beside their states, one after the other.
    private let scratch = Scratch()

    private struct State {
        var sum: RunningSum<Double>
        var smoothing = Smoothing()
        var extreme: RunningRange
        var since = Double.nan
    }

    init(_ expression: Expression) {
        self.expression = expression
        columns = Array(repeating: [], count: expression.nodes.count)
        before = Self.start(expression, scratch)
        after = before
        super.init(lines: expression.results.count)
    }

    private static func start(_ expression: Expression, _ scratch: Scratch) -> [State] {
        expression.nodes.map { node in
            var (summed, searched) = (1, 1)
            switch node {
            case .windowed(.sum, _, let period), .windowed(.mean, _, let period): summed = period
            case .windowed(.highest, _, let period), .windowed(.lowest, _, let period): searched = period
            default: break
            }
            return State(sum: RunningSum(summed, scratch), extreme: RunningRange(searched, scratch))
        }
    }

    override func restart() {
        for node in columns.indices { columns[node].removeAll(keepingCapacity: true) }
        scratch.giveBack()
        after = Self.start(expression, scratch)
    }

    override func stepBack() { for node in after.indices { after[node] = before[node] } }

    override func run(_ bars: BarView, _ range: Range<Int>) {
        for line in lines.indices { Self.extend(&lines[line], to: range.upperBound) }
        step(bars, range.lowerBound..<range.upperBound - 1)
        for node in after.indices { before[node] = after[node] }
        step(bars, range.upperBound - 1..<range.upperBound)
    }

    /// A node at a time, so that each runs through its own column.
    private func step(_ bars: BarView, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        for node in expression.nodes.indices {
            var column: [Double] = []
            swap(&column, &columns[node])
            Self.extend(&column, to: range.upperBound)
            var state = after[node]
            for place in range { column[place] = value(expression.nodes[node], place, bars, &state) }
            after[node] = state
            swap(&column, &columns[node])
        }
        for (line, node) in expression.results.enumerated() { lines[line].replaceSubrange(range, with: columns[node][range]) }
    }

    @inline(__always)
    private func value(_ node: Expression.Node, _ place: Int, _ bars: BarView, _ state: inout State) -> Double {
        switch node {
        case .number(let value): return value
        case .column(.open): return bars.open[place]
        case .column(.high): return bars.high[place]
        case .column(.low): return bars.low[place]
        case .column(.close): return bars.close[place]
        case .column(.volume): return bars.volume[place]
        case .negated(let a): return -columns[a][place]
        case .not(let a): return columns[a][place].isNaN ? .nan : columns[a][place] == 0 ? 1 : 0
        case .binary(let kind, let a, let b): return Self.binary(kind, columns[a][place], columns[b][place])
        case .windowed(let kind, let a, let period): return windowed(kind, columns[a], period, place, &state)
        case .shifted(let a, let by): return place < by ? .nan : columns[a][place - by]
        case .smoothed(let a, let weight): return state.smoothing.add(columns[a][place], place, weight: weight, seed: 1)
        case .mapped(let kind, let a): return Self.mapped(kind, columns[a][place])
        case .choice(let a, let b, let c):
            let truth = columns[a][place]
            return truth.isNaN ? .nan : truth != 0 ? columns[b][place] : columns[c][place]
        case .crosses(let a, let b):
            guard place > 0 else { return .nan }
            let (now, before) = (columns[a][place] - columns[b][place], columns[a][place - 1] - columns[b][place - 1])
            return now.isNaN || before.isNaN ? .nan : now > 0 && before <= 0 ? 1 : 0
        case .sinceTrue(let a):
            let truth = columns[a][place]
            state.since = !truth.isNaN && truth != 0 ? 0 : state.since + 1
            return state.since
        }
    }

    private static func binary(_ kind: Expression.Operator, _ a: Double, _ b: Double) -> Double {
        if a.isNaN || b.isNaN { return .nan }
        switch kind {
        case .add: return finite(a + b)
        case .subtract: return finite(a - b)
        case .multiply: return finite(a * b)
        case .divide: return b == 0 ? .nan : finite(a / b)
        case .greater: return a > b ? 1 : 0
        case .less: return a < b ? 1 : 0
        case .greaterOrEqual: return a >= b ? 1 : 0
        case .lessOrEqual: return a <= b ? 1 : 0
        case .equal: return a == b ? 1 : 0
        case .unequal: return a != b ? 1 : 0
        case .and: return a != 0 && b != 0 ? 1 : 0
        case .or: return a != 0 || b != 0 ? 1 : 0
        case .maximum: return max(a, b)
        case .minimum: return min(a, b)
        }
    }

    private static func finite(_ value: Double) -> Double { value.isFinite ? value : .nan }

    private static func mapped(_ kind: Expression.Map, _ a: Double) -> Double {
        switch kind {
        case .absolute: abs(a)
        case .root: a < 0 ? .nan : a.squareRoot()
        case .logarithm: a > 0 ? finite(log(a)) : .nan
        case .exponential: finite(exp(a))
        case .floor: a.rounded(.down)
        case .ceiling: a.rounded(.up)
        }
    }

    private func windowed(_ kind: Expression.Window, _ values: [Double], _ period: Int, _ place: Int, _ state: inout State) -> Double {
        switch kind {
        case .sum: return state.sum.slide(place) { values[$0] }
        case .mean: return state.sum.slide(place) { values[$0] } / Double(period)
        case .highest:
            let value = state.extreme.slide(place) { SIMD2(values[$0], values[$0]) }.x
            return place >= period - 1 && value > -.infinity ? value : .nan
        case .lowest:
            let value = state.extreme.slide(place) { SIMD2(-values[$0], -values[$0]) }.x
            return place >= period - 1 && value > -.infinity ? -value : .nan
        case .sample, .population, .deviation, .weighted:
            guard place >= period - 1 else { return .nan }
            return Self.whole(kind, values[place - period + 1...place])
        }
    }

    /// From the whole window each time: at most 10,000 values.
    private static func whole(_ kind: Expression.Window, _ window: ArraySlice<Double>) -> Double {
        let count = Double(window.count)
        if kind == .weighted {
            var sum = 0.0
            for (place, value) in window.enumerated() { sum += value * Double(place + 1) }
            return sum / (count * (count + 1) / 2)
        }
        let mean = window.reduce(0, +) / count
        if kind == .deviation { return window.reduce(0) { $0 + abs($1 - mean) } / count }
        let squares = window.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        if kind == .population { return (squares / count).squareRoot() }
        return count > 1 ? (squares / (count - 1)).squareRoot() : .nan
    }
}
