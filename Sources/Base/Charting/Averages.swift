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

    @inline(__always)
    func isSure(_ sum: RunningSum, _ bars: BarView, _ place: Int) -> Bool {
        sum.isFull && !BarView.four(ofVolume ? bars.volume : bars.close, place).isNaN
    }

    @inline(__always)
    func step(_ sum: inout RunningSum, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let column = ofVolume ? bars.volume : bars.close
        return sum.slide(place, period, sure: sure) { column[$0] } * factor
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

    struct State: PlainState {
        var sum = RunningSum()
        /// What `sum` was a bar ago.
        var before = Double.nan
        /// NaN where the sum is.
        var weighted = Double.nan
        /// The largest it was since it was made anew.
        var peak = 0.0
    }

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool {
        !(state.weighted + BarView.four(bars.close, place)).isNaN
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let sum = state.sum.slide(place, period, sure: sure) { bars.close[$0] }
        if !sure && state.weighted.isNaN || RunningSum.isAnew(place) {
            state.weighted = sum.isNaN ? .nan : anew(bars, place)
            state.peak = abs(state.weighted)
        } else {
            // Every value in the window counts one less, the new one `period`.
            state.weighted += bars.close[place] * Double(period) - state.before
            state.peak = max(state.peak, abs(state.weighted))
            if RunningSum.isWorn(state.weighted, state.peak) {
                state.weighted = anew(bars, place)
                state.peak = abs(state.weighted)
            }
        }
        state.before = sum
        return state.weighted * factor
    }

    private func anew(_ bars: BarView, _ place: Int) -> Double {
        var sum = 0.0
        for weight in 1...period { sum += bars.close[place - period + weight] * Double(weight) }
        return sum
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

    struct State: PlainState {
        var anchor = 0.0
        var sum = RunningSum()
        var squares = RunningSum()
        /// How many closes in a row are the same.
        var same = 0
    }

    /// Prices wander from the anchor, which costs the deviation digits.
    private static let every = 256

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool {
        state.sum.isFull && state.squares.isFull && !BarView.four(bars.close, place).isNaN
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Three {
        let close = bars.close[place]
        let isSame = (sure || place > 0) && close == bars.close[place &- 1]
        state.same = (isSame ? state.same : 0) &+ 1
        // Both sums are made anew here, too.
        if RunningSum.isAnew(place, every: Self.every) { state.anchor = close.isNaN ? 0 : close }
        let anchor = state.anchor
        let mean = state.sum.slide(place, period, every: Self.every, sure: sure) { bars.close[$0] - anchor } * factor
        let square =
            state.squares.slide(place, period, every: Self.every, sure: sure) { (bars.close[$0] - anchor) * (bars.close[$0] - anchor) }
            * factor
        if state.same >= period { return Three(first: close, second: close, third: close) }
        let variance = square - mean * mean
        // Not below 0; NaN stays.
        let band = width * (0 > variance ? 0 : variance).squareRoot()
        let middle = mean + anchor
        return Three(first: middle, second: middle + band, third: middle - band)
    }
}

/// Four means in one.
struct BullBearKernel: Kernel {
    var periods: (Int, Int, Int, Int)

    struct State: PlainState {
        var a = RunningSum()
        var b = RunningSum()
        var c = RunningSum()
        var d = RunningSum()
    }

    @inline(__always)
    func step(_ sums: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let a = sums.a.slide(place, periods.0) { bars.close[$0] } / Double(periods.0)
        let b = sums.b.slide(place, periods.1) { bars.close[$0] } / Double(periods.1)
        let c = sums.c.slide(place, periods.2) { bars.close[$0] } / Double(periods.2)
        let d = sums.d.slide(place, periods.3) { bars.close[$0] } / Double(periods.3)
        return (a + b + c + d) / 4
    }
}

/// Two sums over windows.
struct TwoSums: PlainState {
    var first = RunningSum()
    var second = RunningSum()
}

/// Difference of two means.
struct MeanDifferenceKernel: Kernel {
    var short: Int
    var long: Int

    @inline(__always)
    func step(_ sums: inout TwoSums, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let a = sums.first.slide(place, short) { bars.close[$0] } / Double(short)
        let b = sums.second.slide(place, long) { bars.close[$0] } / Double(long)
        return a - b
    }
}

/// Distance from the mean in per cent of it.
struct BiasKernel: Kernel {
    var period: Int

    @inline(__always)
    func step(_ sum: inout RunningSum, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let mean = sum.slide(place, period) { bars.close[$0] } / Double(period)
        return mean == 0 ? .nan : (bars.close[place] - mean) / mean * 100
    }
}
