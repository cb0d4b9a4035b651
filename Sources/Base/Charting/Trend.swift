extension BarColumns {
    /// The largest of the bar's range and its distances from the close before.
    @inline(__always)
    borrowing func trueRange(_ place: Int) -> Double {
        let before = close[place - 1]
        return max(high[place] - low[place], max(abs(high[place] - before), abs(low[place] - before)))
    }
}

/// Wilder's mean of the true range, seeded with the plain mean of the first `period`.
struct TrueRangeKernel: Kernel {
    var period: Int
    var start: Smoothing { Smoothing() }

    func step(_ state: inout Smoothing, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        guard place > 0 else { return SIMD4(.nan) }
        return SIMD4(state.add(bars.trueRange(place), weight: 1 / Double(period), seed: period))
    }
}

/// Wilder's sums of movement and true range: +DI, −DI, and the mean of how far apart they are.
struct DirectionalKernel: Kernel {
    var period: Int

    struct State: Sendable {
        var seen = 0
        var plus = 0.0
        var minus = 0.0
        var range = 0.0
        var index = Smoothing()
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        guard place > 0 else { return SIMD4(.nan) }
        let up = bars.high[place] - bars.high[place - 1]
        let down = bars.low[place - 1] - bars.low[place]
        let range = bars.trueRange(place)
        if up.isNaN || down.isNaN || range.isNaN { return SIMD4(.nan) }
        state.seen += 1
        // The first `period - 1` are added up, each later one takes the place of one part of `period`.
        let keep = state.seen < period ? 1 : 1 - 1 / Double(period)
        state.plus = state.plus * keep + (up > 0 && up > down ? up : 0)
        state.minus = state.minus * keep + (down > 0 && down > up ? down : 0)
        state.range = state.range * keep + range
        guard state.seen >= period else { return SIMD4(.nan) }
        let plus = state.range == 0 ? 0 : 100 * state.plus / state.range
        let minus = state.range == 0 ? 0 : 100 * state.minus / state.range
        let apart = plus + minus == 0 ? 0 : 100 * abs(plus - minus) / (plus + minus)
        return SIMD4(plus, minus, state.index.add(apart, weight: 1 / Double(period), seed: period))
    }
}

/// Parabolic stop and reverse. The first direction is that of the second bar's movement.
struct ParabolicKernel: Kernel {
    var acceleration: Double
    var maximum: Double

    struct State: Sendable {
        var seen = 0
        var isLong = true
        var stop = 0.0
        var extreme = 0.0
        var factor = 0.0
        var high = 0.0
        var low = 0.0
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let (high, low) = (bars.high[place], bars.low[place])
        if high.isNaN || low.isNaN { return SIMD4(.nan) }
        defer {
            (state.high, state.low) = (high, low)
            state.seen += 1
        }
        if state.seen == 0 { return SIMD4(.nan) }
        if state.seen == 1 { begin(&state, high, low) }
        // On the first step the bar before is the bar itself, as in TA-Lib.
        let before = state.seen == 1 ? (high: high, low: low) : (high: state.high, low: state.low)
        let shown: Double
        if state.isLong {
            if low <= state.stop {
                shown = max(state.extreme, before.high, high)
                reverse(&state, shown, low)
                state.stop = max(state.stop, before.high, high)
            } else {
                shown = state.stop
                follow(&state, high, high > state.extreme)
                state.stop = min(state.stop, before.low, low)
            }
        } else if high >= state.stop {
            shown = min(state.extreme, before.low, low)
            reverse(&state, shown, high)
            state.stop = min(state.stop, before.low, low)
        } else {
            shown = state.stop
            follow(&state, low, low < state.extreme)
            state.stop = max(state.stop, before.high, high)
        }
        return SIMD4(shown)
    }

    private func begin(_ state: inout State, _ high: Double, _ low: Double) {
        let (up, down) = (high - state.high, state.low - low)
        state.isLong = !(down > 0 && up < down)
        state.extreme = state.isLong ? high : low
        state.stop = state.isLong ? state.low : state.high
        state.factor = min(acceleration, maximum)
    }

    private func reverse(_ state: inout State, _ stop: Double, _ extreme: Double) {
        state.isLong.toggle()
        state.factor = min(acceleration, maximum)
        state.extreme = extreme
        state.stop = stop + state.factor * (extreme - stop)
    }

    private func follow(_ state: inout State, _ price: Double, _ isExtreme: Bool) {
        if isExtreme {
            state.extreme = price
            state.factor = min(state.factor + acceleration, maximum)
        }
        state.stop += state.factor * (state.extreme - state.stop)
    }
}

/// Accumulated swing: the sum of the last `period` swing indices.
struct SwingKernel: Kernel {
    var period: Int
    var start: RunningSum { RunningSum() }

    func step(_ sum: inout RunningSum, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        SIMD4(sum.slide(place, period) { swing(bars, $0) })
    }

    private func swing(_ bars: borrowing BarColumns, _ place: Int) -> Double {
        guard place > 0 else { return .nan }
        let (close, open) = (bars.close[place - 1], bars.open[place - 1])
        let up = abs(bars.high[place] - close)
        let down = abs(bars.low[place] - close)
        let across = abs(bars.high[place] - bars.low[place - 1])
        let body = abs(close - open)
        let range: Double
        if up > down && up > across {
            range = up + down / 2 + body / 4
        } else if down > across && down > up {
            range = down + up / 2 + body / 4
        } else {
            range = across + body / 4
        }
        let movement = bars.close[place] - close + (bars.close[place] - bars.open[place]) / 2 + close - open
        return range == 0 ? 0 : 16 * movement / range * max(up, down)
    }
}

/// Strength above yesterday's middle over weakness below it.
struct EnergyKernel: Kernel {
    var period: Int
    var start: (RunningSum, RunningSum) { (RunningSum(), RunningSum()) }

    func step(_ sums: inout (RunningSum, RunningSum), _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let above = sums.0.slide(place, period) { $0 == 0 ? .nan : max(0, bars.high[$0] - middle(bars, $0 - 1)) }
        let below = sums.1.slide(place, period) { $0 == 0 ? .nan : max(0, middle(bars, $0 - 1) - bars.low[$0]) }
        return SIMD4(below > 0 ? above / below * 100 : .nan)
    }

    private func middle(_ bars: borrowing BarColumns, _ place: Int) -> Double { (bars.high[place] + bars.low[place]) / 2 }
}

/// Middles of three windows; the leading lines are drawn ahead, the lagging one behind.
struct CloudKernel: Kernel {
    var conversion: Int
    var base: Int
    var span: Int

    struct State: Sendable {
        var highs = (RunningMaximum(), RunningMaximum(), RunningMaximum())
        var lows = (RunningMaximum(), RunningMaximum(), RunningMaximum())
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        func middle(_ high: inout RunningMaximum, _ low: inout RunningMaximum, _ period: Int) -> Double {
            let top = high.slide(place, period) { bars.high[$0] }
            let bottom = -low.slide(place, period) { -bars.low[$0] }
            return place >= period - 1 ? (top + bottom) / 2 : .nan
        }
        let conversion = middle(&state.highs.0, &state.lows.0, self.conversion)
        let base = middle(&state.highs.1, &state.lows.1, self.base)
        let span = middle(&state.highs.2, &state.lows.2, self.span)
        return SIMD4(conversion, base, (conversion + base) / 2, span)
    }
}

/// Tom DeMark's counts: a setup of nine closes beyond the close four bars before, then a countdown of thirteen closes beyond the low or
/// high two bars before. Sell side first; NaN where nothing is counted.
struct SequentialKernel: Kernel {
    struct State: Sendable {
        var sellSetup = 0
        var buySetup = 0
        /// Nil: no setup is complete.
        var sellCountdown: Int?
        var buyCountdown: Int?
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        guard place >= 4 else { return SIMD4(.nan) }
        let (close, before) = (bars.close[place], bars.close[place - 4])
        if close.isNaN || before.isNaN { return SIMD4(.nan) }
        state.sellSetup = close > before ? (state.sellSetup == 9 ? 1 : state.sellSetup + 1) : 0
        state.buySetup = close < before ? (state.buySetup == 9 ? 1 : state.buySetup + 1) : 0
        var row = SIMD4<Double>(.nan)
        if state.sellSetup > 0 { row.x = Double(state.sellSetup) }
        if state.buySetup > 0 { row.y = Double(state.buySetup) }
        if let count = state.sellCountdown, close >= bars.high[place - 2] {
            row.z = Double(count + 1)
            state.sellCountdown = count == 12 ? nil : count + 1
        }
        if let count = state.buyCountdown, close <= bars.low[place - 2] {
            row.w = Double(count + 1)
            state.buyCountdown = count == 12 ? nil : count + 1
        }
        // A complete setup begins its countdown at the next bar and ends the other side's.
        if state.sellSetup == 9 { (state.sellCountdown, state.buyCountdown) = (0, nil) }
        if state.buySetup == 9 { (state.buyCountdown, state.sellCountdown) = (0, nil) }
        return row
    }
}
