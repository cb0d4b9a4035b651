/// The fast average is seeded where the slow one is, as TA-Lib does: both begin at the same bar.
struct ConvergenceKernel: Kernel {
    var fast: Int
    var slow: Int
    var signal: Int

    struct State: Sendable {
        var seen = 0
        var fast = Smoothing()
        var slow = Smoothing()
        var signal = Smoothing()
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let close = bars.close[place]
        if close.isNaN { return SIMD4(.nan) }
        state.seen += 1
        let slow = state.slow.add(close, weight: 2 / Double(self.slow + 1), seed: self.slow)
        guard state.seen > self.slow - self.fast else { return SIMD4(.nan) }
        let fast = state.fast.add(close, weight: 2 / Double(self.fast + 1), seed: self.fast)
        let difference = fast - slow
        let signal = state.signal.add(difference, weight: 2 / Double(self.signal + 1), seed: self.signal)
        return SIMD4(difference, signal, 2 * (difference - signal))
    }
}

struct StrengthKernel: Kernel {
    var period: Int

    struct State: Sendable {
        var previous = Double.nan
        var rise = Smoothing()
        var fall = Smoothing()
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let close = bars.close[place]
        if close.isNaN { return SIMD4(.nan) }
        defer { state.previous = close }
        guard !state.previous.isNaN else { return SIMD4(.nan) }
        let change = close - state.previous
        let rise = state.rise.add(max(change, 0), weight: 1 / Double(period), seed: period)
        let fall = state.fall.add(max(-change, 0), weight: 1 / Double(period), seed: period)
        let all = rise + fall
        return SIMD4(all == 0 ? 50 : 100 * rise / all)
    }
}

/// Where a window's highest and lowest meet, the value before is kept.
struct StochasticKernel: Kernel {
    var period: Int
    var k: Int
    var d: Int

    struct State: Sendable {
        var high = RunningMaximum()
        var low = RunningMaximum()
        var raw = Double.nan
        var k = Smoothing()
        var d = Smoothing()
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let high = state.high.slide(place, period) { bars.high[$0] }
        let low = -state.low.slide(place, period) { -bars.low[$0] }
        let close = bars.close[place]
        if close.isNaN { return SIMD4(.nan) }
        if high > low { state.raw = (close - low) / (high - low) * 100 } else if state.raw.isNaN { state.raw = 50 }
        let k = state.k.add(state.raw, weight: 1 / Double(self.k), seed: 1)
        let d = state.d.add(k, weight: 1 / Double(self.d), seed: 1)
        return SIMD4(k, d, 3 * k - 2 * d)
    }
}

struct WilliamsKernel: Kernel {
    var period: Int

    struct State: Sendable {
        var high = RunningMaximum()
        var low = RunningMaximum()
        var value = Double.nan
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let high = state.high.slide(place, period) { bars.high[$0] }
        let low = -state.low.slide(place, period) { -bars.low[$0] }
        guard place >= period - 1, !bars.close[place].isNaN else { return SIMD4(.nan) }
        if high > low { state.value = (high - bars.close[place]) / (high - low) * 100 } else if state.value.isNaN { state.value = 50 }
        return SIMD4(state.value)
    }
}

/// The window is added up anew at each bar, as its mean deviation needs it all.
struct CommodityChannelKernel: Kernel {
    var period: Int
    var start: Void { () }

    func step(_ state: inout Void, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        guard place >= period - 1 else { return SIMD4(.nan) }
        func typical(_ place: Int) -> Double { (bars.high[place] + bars.low[place] + bars.close[place]) / 3 }
        var sum = 0.0
        for each in place - period + 1...place { sum += typical(each) }
        let mean = sum / Double(period)
        var deviation = 0.0
        for each in place - period + 1...place { deviation += abs(typical(each) - mean) }
        deviation /= Double(period)
        // What rounding leaves of a price that did not move is nothing.
        if deviation <= abs(mean) * 1e-14 { return SIMD4(0) }
        return SIMD4((typical(place) - mean) / (0.015 * deviation))
    }
}

struct ChangeKernel: Kernel {
    var period: Int
    /// In per cent of the older close instead of in price.
    var inPercent: Bool
    var start: Void { () }

    func step(_ state: inout Void, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        guard place >= period else { return SIMD4(.nan) }
        let old = bars.close[place - period]
        if !inPercent { return SIMD4(bars.close[place] - old) }
        return SIMD4(old == 0 ? .nan : (bars.close[place] / old - 1) * 100)
    }
}

struct TripleExponentialKernel: Kernel {
    var period: Int

    struct State: Sendable {
        var first = Smoothing()
        var second = Smoothing()
        var third = Smoothing()
        var previous = Double.nan
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let weight = 2 / Double(period + 1)
        let first = state.first.add(bars.close[place], weight: weight, seed: period)
        let second = state.second.add(first, weight: weight, seed: period)
        let third = state.third.add(second, weight: weight, seed: period)
        if third.isNaN { return SIMD4(.nan) }
        defer { state.previous = third }
        return SIMD4((third / state.previous - 1) * 100)
    }
}

/// Share of rises in per cent.
struct PsychologicalKernel: Kernel {
    var period: Int
    var start: RunningSum { RunningSum() }

    func step(_ sum: inout RunningSum, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let rises = sum.slide(place, period) {
            guard $0 > 0, !bars.close[$0].isNaN, !bars.close[$0 - 1].isNaN else { return .nan }
            return bars.close[$0] > bars.close[$0 - 1] ? 1 : 0
        }
        return SIMD4(rises / Double(period) * 100)
    }
}
