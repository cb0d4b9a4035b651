struct MeanKernel: Kernel {
    var period: Int
    /// Of volume instead of close.
    var ofVolume = false
    var start: RunningSum { RunningSum() }

    func step(_ sum: inout RunningSum, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let factor = 1 / Double(period)
        if ofVolume { return SIMD4(sum.slide(place, period) { bars.volume[$0] } * factor) }
        return SIMD4(sum.slide(place, period) { bars.close[$0] } * factor)
    }
}

/// `seed` values make the first one: the period (TA-Lib), or one (EXPMA of Chinese programs).
struct ExponentialKernel: Kernel {
    var period: Int
    var seed: Int
    var start: Smoothing { Smoothing() }

    func step(_ state: inout Smoothing, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        SIMD4(state.add(bars.close[place], weight: 2 / Double(period + 1), seed: seed))
    }
}

/// Weights 1 (oldest) to `period` (newest).
struct WeightedKernel: Kernel {
    var period: Int

    struct State: Sendable {
        var sum = 0.0
        var weighted = 0.0
        var missing = 0
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        if place & 255 == 0 {
            state = State()
            for each in max(0, place - period + 1)...place { add(bars.close[each], 0, &state) }
        } else {
            add(bars.close[place], place >= period ? bars.close[place - period] : 0, &state)
        }
        guard place >= period - 1, state.missing == 0 else { return SIMD4(.nan) }
        return SIMD4(state.weighted / (Double(period) * Double(period + 1) / 2))
    }

    /// Every value in the window counts one less, the new one `period`; a missing one counts nothing and makes the mean undefined.
    private func add(_ new: Double, _ old: Double, _ state: inout State) {
        if new.isNaN { state.missing += 1 }
        if old.isNaN { state.missing -= 1 }
        let new = new.isNaN ? 0 : new
        state.weighted += new * Double(period) - state.sum
        state.sum += new - (old.isNaN ? 0 : old)
    }
}

/// Mean and population deviation; both from sums around a close of the last 256 bars, so that large prices lose nothing.
struct BollingerKernel: Kernel {
    var period: Int
    var width: Double

    struct State: Sendable {
        var anchor = 0.0
        var sum = RunningSum()
        var squares = RunningSum()
        var previous = Double.nan
        /// How many closes in a row are the same.
        var same = 0
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let close = bars.close[place]
        state.same = close == state.previous ? state.same + 1 : 1
        state.previous = close
        // Both sums are made anew here, too.
        if place & 255 == 0 { state.anchor = close.isNaN ? 0 : close }
        let anchor = state.anchor
        let mean = state.sum.slide(place, period) { bars.close[$0] - anchor } / Double(period)
        let square = state.squares.slide(place, period) { (bars.close[$0] - anchor) * (bars.close[$0] - anchor) } / Double(period)
        let variance = state.same >= period ? 0 : max(square - mean * mean, 0)
        let band = width * variance.squareRoot()
        let middle = state.same >= period ? close : mean + anchor
        return mean.isNaN ? SIMD4(.nan) : SIMD4(middle, middle + band, middle - band)
    }
}

/// Four means in one.
struct BullBearKernel: Kernel {
    var periods: (Int, Int, Int, Int)
    var start: (RunningSum, RunningSum, RunningSum, RunningSum) { (RunningSum(), RunningSum(), RunningSum(), RunningSum()) }

    typealias State = (RunningSum, RunningSum, RunningSum, RunningSum)

    func step(_ sums: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let a = sums.0.slide(place, periods.0) { bars.close[$0] } / Double(periods.0)
        let b = sums.1.slide(place, periods.1) { bars.close[$0] } / Double(periods.1)
        let c = sums.2.slide(place, periods.2) { bars.close[$0] } / Double(periods.2)
        let d = sums.3.slide(place, periods.3) { bars.close[$0] } / Double(periods.3)
        return SIMD4((a + b + c + d) / 4)
    }
}

/// Difference of two means.
struct MeanDifferenceKernel: Kernel {
    var short: Int
    var long: Int
    var start: (RunningSum, RunningSum) { (RunningSum(), RunningSum()) }

    func step(_ sums: inout (RunningSum, RunningSum), _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let a = sums.0.slide(place, short) { bars.close[$0] } / Double(short)
        let b = sums.1.slide(place, long) { bars.close[$0] } / Double(long)
        return SIMD4(a - b)
    }
}

/// Distance from the mean in per cent of it.
struct BiasKernel: Kernel {
    var period: Int
    var start: RunningSum { RunningSum() }

    func step(_ sum: inout RunningSum, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let mean = sum.slide(place, period) { bars.close[$0] } / Double(period)
        return SIMD4(mean == 0 ? .nan : (bars.close[place] - mean) / mean * 100)
    }
}
