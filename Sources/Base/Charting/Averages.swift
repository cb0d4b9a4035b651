struct MeanKernel: Kernel {
    private let period: Int
    private let factor: Double
    /// Of volume instead of close.
    private let ofVolume: Bool

    init(period: Int, ofVolume: Bool = false) {
        self.period = period
        self.ofVolume = ofVolume
        factor = 1 / Double(period)
    }

    func start(_ scratch: Scratch) -> RunningSum<Double> { RunningSum(period, scratch) }

    @inline(__always)
    func isSure(_ sum: RunningSum<Double>, _ bars: BarView, _ place: Int) -> Bool { sum.isWhole }

    @inline(__always)
    func step(_ sum: inout RunningSum<Double>, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let column = ofVolume ? bars.volume : bars.close
        return sum.slide(place, sure: sure) { column[$0] } * factor
    }
}

/// `seed` values make the first one: the period (TA-Lib), or one (EXPMA of Chinese programs).
struct ExponentialKernel: Kernel {
    private let weight: Double
    private let seed: Int

    init(period: Int, seed: Int) {
        weight = 2 / Double(period + 1)
        self.seed = seed
    }

    @inline(__always)
    func isSure(_ state: Smoothing, _ bars: BarView, _ place: Int) -> Bool {
        !(state.value + BarView.four(bars.close, place)).isNaN
    }

    @inline(__always)
    func step(_ state: inout Smoothing, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        state.add(bars.close[place], place, weight: weight, seed: seed, sure: sure)
    }
}

/// Weights 1 (oldest) to `period` (newest).
struct WeightedKernel: Kernel {
    private let period: Int
    private let factor: Double

    init(period: Int) {
        self.period = period
        factor = 2 / (Double(period) * Double(period + 1))
    }

    func start(_ scratch: Scratch) -> WeightedSum { WeightedSum(period, scratch) }

    @inline(__always)
    func isSure(_ sum: WeightedSum, _ bars: BarView, _ place: Int) -> Bool { sum.isWhole }

    @inline(__always)
    func step(_ sum: inout WeightedSum, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        sum.slide(place, sure: sure) { bars.close[$0] } * factor
    }
}

/// Mean and population deviation; both from sums around a close of the last bars, so that large prices lose nothing.
struct BollingerKernel: Kernel {
    private let period: Int
    private let width: Double
    private let factor: Double

    init(period: Int, width: Double) {
        self.period = period
        self.width = width
        factor = 1 / Double(period)
    }

    struct State: BitwiseCopyable {
        /// Of the distances from the anchor, and of their squares.
        var sums: RunningSum<SIMD2<Double>>
        /// The close at the cut: in all windows that are told by it.
        var anchor = 0.0
        /// How many closes in a row are the same.
        var same = 0
    }

    func start(_ scratch: Scratch) -> State { State(sums: RunningSum(period, scratch)) }

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool { state.sums.isWhole }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Three {
        let close = bars.close[place]
        let isSame = (sure || place > 0) && close == bars.close[place &- 1]
        state.same = (isSame ? state.same : 0) &+ 1
        if !sure && state.sums.isAtCut { state.anchor = close }
        let anchor = state.anchor
        let sums = state.sums.slide(place, sure: sure) {
            let distance = bars.close[$0] - anchor
            return SIMD2(distance, distance * distance)
        }
        if state.same >= period { return Three(first: close, second: close, third: close) }
        let mean = sums.x * factor
        let variance = sums.y * factor - mean * mean
        // Not below 0; NaN stays.
        let band = width * (0 > variance ? 0 : variance).squareRoot()
        let middle = mean + anchor
        return Three(first: middle, second: middle + band, third: middle - band)
    }
}

/// Four means in one.
struct BullBearKernel: Kernel {
    var periods: (Int, Int, Int, Int)

    struct State: BitwiseCopyable {
        var a: RunningSum<Double>
        var b: RunningSum<Double>
        var c: RunningSum<Double>
        var d: RunningSum<Double>
    }

    func start(_ scratch: Scratch) -> State {
        State(
            a: RunningSum(periods.0, scratch), b: RunningSum(periods.1, scratch), c: RunningSum(periods.2, scratch),
            d: RunningSum(periods.3, scratch))
    }

    @inline(__always)
    func step(_ sums: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let a = sums.a.slide(place) { bars.close[$0] } / Double(periods.0)
        let b = sums.b.slide(place) { bars.close[$0] } / Double(periods.1)
        let c = sums.c.slide(place) { bars.close[$0] } / Double(periods.2)
        let d = sums.d.slide(place) { bars.close[$0] } / Double(periods.3)
        return (a + b + c + d) / 4
    }
}

/// Two sums over windows.
struct TwoSums: BitwiseCopyable {
    var first: RunningSum<Double>
    var second: RunningSum<Double>

    init(_ first: Int, _ second: Int, _ scratch: Scratch) {
        self.first = RunningSum(first, scratch)
        self.second = RunningSum(second, scratch)
    }
}

/// Difference of two means.
struct MeanDifferenceKernel: Kernel {
    var short: Int
    var long: Int

    func start(_ scratch: Scratch) -> TwoSums { TwoSums(short, long, scratch) }

    @inline(__always)
    func step(_ sums: inout TwoSums, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let a = sums.first.slide(place) { bars.close[$0] } / Double(short)
        let b = sums.second.slide(place) { bars.close[$0] } / Double(long)
        return a - b
    }
}

/// Distance from the mean in per cent of it.
struct BiasKernel: Kernel {
    var period: Int

    func start(_ scratch: Scratch) -> RunningSum<Double> { RunningSum(period, scratch) }

    @inline(__always)
    func step(_ sum: inout RunningSum<Double>, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let mean = sum.slide(place) { bars.close[$0] } / Double(period)
        return mean == 0 ? .nan : (bars.close[place] - mean) / mean * 100
    }
}
