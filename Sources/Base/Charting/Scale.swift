import Foundation

/// From values to heights of a pane, and where its lines stand.
struct Scale: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case linear
        /// Only where all values are above zero.
        case logarithmic
    }

    let lowest: Double
    let highest: Double
    let top: Double
    let bottom: Double
    let kind: Kind

    /// `range` needs not be proper: one value gets room around it, none is 0 to 1.
    init(_ range: ClosedRange<Double>?, top: Double, bottom: Double, kind: Kind = .linear, margin: Double = 0) {
        var (low, high) = (range?.lowerBound ?? 0, range?.upperBound ?? 1)
        if !(high > low) {
            let room = max(abs(low) * 0.01, 1e-9)
            (low, high) = (low - room, high + room)
        }
        let isLogarithmic = kind == .logarithmic && low > 0
        if isLogarithmic {
            let room = pow(high / low, margin)
            (low, high) = (low / room, high * room)
        } else {
            let room = (high - low) * margin
            (low, high) = (low - room, high + room)
        }
        lowest = low
        highest = high
        self.top = top
        self.bottom = bottom
        self.kind = isLogarithmic ? .logarithmic : .linear
    }

    func y(_ value: Double) -> Double {
        let share: Double
        switch kind {
        case .linear: share = (value - lowest) / (highest - lowest)
        case .logarithmic: share = value > 0 ? log(value / lowest) / log(highest / lowest) : -1
        }
        return bottom - share * (bottom - top)
    }

    func value(y: Double) -> Double {
        let share = (bottom - y) / (bottom - top)
        switch kind {
        case .linear: return lowest + share * (highest - lowest)
        case .logarithmic: return lowest * pow(highest / lowest, share)
        }
    }

    /// At most `rows` values at steps of 1, 2, 2.5 or 5 × 10ⁿ, never finer than the price's own last decimal.
    func ticks(rows: Int, decimals: Int) -> [Double] {
        let span = highest - lowest
        guard span.isFinite, span > 0, rows > 0 else { return [] }
        let finest = pow(10, Double(-decimals))
        let raw = max(span / Double(rows), finest)
        let power = pow(10, floor(log10(raw)))
        let steps = [1, 2, 2.5, 5, 10].map { $0 * power }
        let step = steps.first { $0 >= raw * (1 - 1e-9) && (abs($0 / finest - ($0 / finest).rounded()) < 1e-6) } ?? 10 * power
        let first = (lowest / step).rounded(.up)
        let last = (highest / step).rounded(.down)
        guard last >= first, last - first < 1_000 else { return [] }
        // Zero, not what rounding makes of it.
        return (0...Int(last - first)).map { (first + Double($0)) * step }.map { abs($0) < step / 1e6 ? 0 : $0 }
    }
}
