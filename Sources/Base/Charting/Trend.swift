/// Wilder's mean of the true range, seeded with the plain mean of the first `period`.
struct TrueRangeKernel: Kernel {
    private let period: Int
    private let weight: Double

    init(period: Int) {
        self.period = period
        weight = 1 / Double(period)
    }

    var first: Int { 1 }

    @inline(__always)
    func isSure(_ state: Smoothing, _ bars: BarView, _ place: Int) -> Bool {
        let prices = BarView.four(bars.high, place) + BarView.four(bars.low, place) + BarView.four(bars.close, place)
        return !(state.value + bars.close[place &- 1] + prices).isNaN
    }

    @inline(__always)
    func step(_ state: inout Smoothing, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        state.add(bars.trueRange(place, sure: sure), place, weight: weight, seed: period, sure: sure)
    }
}

/// Wilder's sums of movement and true range: +DI, −DI, and the mean of how far apart they are.
struct DirectionalKernel: Kernel {
    private let period: Int
    private let weight: Double

    init(period: Int) {
        self.period = period
        weight = 1 / Double(period)
    }

    struct State: PlainState {
        var seen = 0
        var plus = 0.0
        var minus = 0.0
        var range = 0.0
        var index = Smoothing()
    }

    var first: Int { 1 }

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool {
        let prices = BarView.four(bars.high, place) + BarView.four(bars.low, place) + BarView.four(bars.close, place)
        let before = bars.high[place &- 1] + bars.low[place &- 1] + bars.close[place &- 1]
        return !(state.index.value + before + prices).isNaN
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Three {
        let up = bars.high[place] - bars.high[place &- 1]
        let down = bars.low[place &- 1] - bars.low[place]
        let range = bars.trueRange(place, sure: sure)
        if !sure {
            if up.isNaN || down.isNaN || range.isNaN { return .undefined }
            state.seen &+= 1
        }
        // The first `period - 1` are added up, each later one takes the place of one part of `period`.
        let keep = !sure && state.seen < period ? 1 : 1 - weight
        // What is up beyond down counts whole, or not at all; without a branch, which would be guessed wrong at every other bar.
        state.plus = state.plus * keep + (up > down ? 1 : 0) * (up > 0 ? up : 0)
        state.minus = state.minus * keep + (down > up ? 1 : 0) * (down > 0 ? down : 0)
        state.range = state.range * keep + range
        guard sure || state.seen >= period else { return .undefined }
        let plus = state.range == 0 ? 0 : 100 * state.plus / state.range
        let minus = state.range == 0 ? 0 : 100 * state.minus / state.range
        let apart = plus + minus == 0 ? 0 : 100 * abs(plus - minus) / (plus + minus)
        return Three(first: plus, second: minus, third: state.index.add(apart, place, weight: weight, seed: period, sure: sure))
    }
}

/// Parabolic stop and reverse. The first direction is that of the second bar's movement.
struct ParabolicKernel: Kernel {
    var acceleration: Double
    var maximum: Double

    struct State: PlainState {
        var seen = 0
        var isLong = true
        var stop = 0.0
        var extreme = 0.0
        var factor = 0.0
        var high = 0.0
        var low = 0.0
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let (high, low) = (bars.high[place], bars.low[place])
        if high.isNaN || low.isNaN { return .nan }
        var before = (high: state.high, low: state.low)
        (state.high, state.low) = (high, low)
        state.seen &+= 1
        if state.seen <= 2 {
            if state.seen == 1 { return .nan }
            begin(&state, before, high, low)
            // On the first step the bar before is the bar itself, as in TA-Lib.
            before = (high, low)
        }
        let shown: Double
        if state.isLong {
            let top = Self.larger(before.high, high)
            if low <= state.stop {
                shown = Self.larger(state.extreme, top)
                reverse(&state, shown, low)
                state.stop = Self.larger(state.stop, top)
            } else {
                shown = state.stop
                follow(&state, high, high > state.extreme)
                state.stop = Self.smaller(state.stop, Self.smaller(before.low, low))
            }
        } else {
            let bottom = Self.smaller(before.low, low)
            if high >= state.stop {
                shown = Self.smaller(state.extreme, bottom)
                reverse(&state, shown, high)
                state.stop = Self.smaller(state.stop, bottom)
            } else {
                shown = state.stop
                follow(&state, low, low < state.extreme)
                state.stop = Self.larger(state.stop, Self.larger(before.high, high))
            }
        }
        return shown
    }

    @inline(__always)
    private static func larger(_ a: Double, _ b: Double) -> Double { a > b ? a : b }
    @inline(__always)
    private static func smaller(_ a: Double, _ b: Double) -> Double { a < b ? a : b }

    private func begin(_ state: inout State, _ before: (high: Double, low: Double), _ high: Double, _ low: Double) {
        let (up, down) = (high - before.high, before.low - low)
        state.isLong = !(down > 0 && up < down)
        state.extreme = state.isLong ? high : low
        state.stop = state.isLong ? before.low : before.high
        state.factor = min(acceleration, maximum)
    }

    @inline(__always)
    private func reverse(_ state: inout State, _ stop: Double, _ extreme: Double) {
        state.isLong.toggle()
        state.factor = Self.smaller(acceleration, maximum)
        state.extreme = extreme
        state.stop = stop + state.factor * (extreme - stop)
    }

    @inline(__always)
    private func follow(_ state: inout State, _ price: Double, _ isExtreme: Bool) {
        // Without a branch, which would be guessed wrong often; what is at most `maximum` stays as it is.
        state.factor = Self.smaller(state.factor + (isExtreme ? 1 : 0) * acceleration, maximum)
        state.extreme = state.isLong ? Self.larger(state.extreme, price) : Self.smaller(state.extreme, price)
        state.stop += state.factor * (state.extreme - state.stop)
    }
}

/// Accumulated swing: the sum of the last `period` swing indices.
struct SwingKernel: Kernel {
    var period: Int

    func start(_ scratch: Scratch) -> RunningSum<Double> { RunningSum(period, scratch) }

    @inline(__always)
    func step(_ sum: inout RunningSum<Double>, _ bars: BarView, _ place: Int, sure: Bool) -> Double { sum.slide(place) { swing(bars, $0) } }

    private func swing(_ bars: BarView, _ place: Int) -> Double {
        guard place > 0 else { return .nan }
        let (close, open) = (bars.close[place &- 1], bars.open[place &- 1])
        let up = abs(bars.high[place] - close)
        let down = abs(bars.low[place] - close)
        let across = abs(bars.high[place] - bars.low[place &- 1])
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

    func start(_ scratch: Scratch) -> TwoSums { TwoSums(period, period, scratch) }

    @inline(__always)
    func step(_ sums: inout TwoSums, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let above = sums.first.slide(place) { $0 == 0 ? .nan : excess(bars.high[$0] - middle(bars, $0 - 1)) }
        let below = sums.second.slide(place) { $0 == 0 ? .nan : excess(middle(bars, $0 - 1) - bars.low[$0]) }
        return below > 0 ? above / below * 100 : .nan
    }

    /// Missing stays missing.
    @inline(__always)
    private func excess(_ value: Double) -> Double { value < 0 ? 0 : value }
    @inline(__always)
    private func middle(_ bars: BarView, _ place: Int) -> Double { (bars.high[place] + bars.low[place]) / 2 }
}

/// Middles of three windows; the leading lines are drawn ahead, the lagging one behind.
struct CloudKernel: Kernel {
    var conversion: Int
    var base: Int
    var span: Int

    struct State: BitwiseCopyable {
        var conversion: RunningRange
        var base: RunningRange
        var span: RunningRange
    }

    func start(_ scratch: Scratch) -> State {
        State(
            conversion: RunningRange(conversion, scratch), base: RunningRange(base, scratch), span: RunningRange(span, scratch))
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Four {
        let conversion = middle(state.conversion.slide(bars, place), place, conversion)
        let base = middle(state.base.slide(bars, place), place, base)
        let span = middle(state.span.slide(bars, place), place, span)
        return Four(first: conversion, second: base, third: (conversion + base) / 2, fourth: span)
    }

    @inline(__always)
    private func middle(_ range: (high: Double, low: Double), _ place: Int, _ period: Int) -> Double {
        place >= period - 1 ? (range.high + range.low) / 2 : .nan
    }
}

/// Tom DeMark's counts: a setup of nine closes beyond the close four bars before, then a countdown of thirteen closes beyond the low or
/// high two bars before. Sell side first; NaN where nothing is counted.
struct SequentialKernel: Kernel {
    struct State: PlainState {
        var sellSetup = 0
        var buySetup = 0
        /// Nil: no setup is complete.
        var sellCountdown: Int?
        var buyCountdown: Int?
    }

    var first: Int { 4 }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Four {
        let (close, before) = (bars.close[place], bars.close[place &- 4])
        if close.isNaN || before.isNaN { return .undefined }
        state.sellSetup = close > before ? (state.sellSetup == 9 ? 1 : state.sellSetup + 1) : 0
        state.buySetup = close < before ? (state.buySetup == 9 ? 1 : state.buySetup + 1) : 0
        var row = Four.undefined
        if state.sellSetup > 0 { row.first = Double(state.sellSetup) }
        if state.buySetup > 0 { row.second = Double(state.buySetup) }
        if let count = state.sellCountdown, close >= bars.high[place - 2] {
            row.third = Double(count + 1)
            state.sellCountdown = count == 12 ? nil : count + 1
        }
        if let count = state.buyCountdown, close <= bars.low[place - 2] {
            row.fourth = Double(count + 1)
            state.buyCountdown = count == 12 ? nil : count + 1
        }
        // A complete setup begins its countdown at the next bar and ends the other side's.
        if state.sellSetup == 9 { (state.sellCountdown, state.buyCountdown) = (0, nil) }
        if state.buySetup == 9 { (state.buyCountdown, state.sellCountdown) = (0, nil) }
        return row
    }
}
