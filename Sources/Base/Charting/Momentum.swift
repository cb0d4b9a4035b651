/// The fast average is seeded where the slow one is, as TA-Lib does: both begin at the same bar.
struct ConvergenceKernel: Kernel {
    private let fast: Int
    private let slow: Int
    private let signal: Int
    private let weights: (fast: Double, slow: Double, signal: Double)

    /// `fast` is not longer than `slow`.
    init(fast: Int, slow: Int, signal: Int) {
        (self.fast, self.slow, self.signal) = (fast, slow, signal)
        weights = (2 / Double(fast + 1), 2 / Double(slow + 1), 2 / Double(signal + 1))
    }

    struct State: PlainState {
        var seen = 0
        var fast = Smoothing()
        var slow = Smoothing()
        var signal = Smoothing()
    }

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool {
        !(state.signal.value + BarView.four(bars.close, place)).isNaN
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Three {
        let close = bars.close[place]
        if !sure {
            if close.isNaN { return .undefined }
            state.seen &+= 1
        }
        let slow = state.slow.add(close, place, weight: weights.slow, seed: self.slow, sure: sure)
        guard sure || state.seen > self.slow - self.fast else { return .undefined }
        let fast = state.fast.add(close, place, weight: weights.fast, seed: self.fast, sure: sure)
        let difference = fast - slow
        let signal = state.signal.add(difference, place, weight: weights.signal, seed: self.signal, sure: sure)
        return Three(first: difference, second: signal, third: 2 * (difference - signal))
    }
}

struct StrengthKernel: Kernel {
    private let period: Int
    private let weight: Double

    init(period: Int) {
        self.period = period
        weight = 1 / Double(period)
    }

    struct State: PlainState {
        var previous = Double.nan
        var rise = Smoothing()
        var fall = Smoothing()
    }

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool {
        !(state.fall.value + BarView.four(bars.close, place)).isNaN
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let close = bars.close[place]
        let change = close - state.previous
        if sure || !close.isNaN { state.previous = close }
        if !sure, change.isNaN { return .nan }
        // One of the two is 0, exactly; a branch would be guessed wrong at every other bar. Both stay doubled.
        let size = abs(change)
        let rise = state.rise.add(size + change, place, weight: weight, seed: period, sure: sure)
        let fall = state.fall.add(size - change, place, weight: weight, seed: period, sure: sure)
        let all = rise + fall
        return all == 0 ? 50 : 100 * rise / all
    }
}

/// Where a window's highest and lowest meet, the value before is kept.
struct StochasticKernel: Kernel {
    private let period: Int
    private let weights: (k: Double, d: Double)

    init(period: Int, k: Int, d: Int) {
        self.period = period
        weights = (1 / Double(k), 1 / Double(d))
    }

    struct State: BitwiseCopyable {
        var range: RunningRange
        var raw = Double.nan
        var k = Smoothing()
        var d = Smoothing()
    }

    func start(_ scratch: Scratch) -> State { State(range: RunningRange(period, scratch)) }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Three {
        let (high, low) = state.range.slide(bars, place)
        let close = bars.close[place]
        if close.isNaN { return .undefined }
        if high > low { state.raw = (close - low) / (high - low) * 100 } else if state.raw.isNaN { state.raw = 50 }
        let k = state.k.add(state.raw, place, weight: weights.k, seed: 1, sure: sure)
        let d = state.d.add(k, place, weight: weights.d, seed: 1, sure: sure)
        return Three(first: k, second: d, third: 3 * k - 2 * d)
    }
}

struct WilliamsKernel: Kernel {
    var period: Int

    struct State: BitwiseCopyable {
        var range: RunningRange
        var value = Double.nan
    }

    func start(_ scratch: Scratch) -> State { State(range: RunningRange(period, scratch)) }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let (high, low) = state.range.slide(bars, place)
        let close = bars.close[place]
        guard place >= period - 1, !close.isNaN else { return .nan }
        if high > low { state.value = (high - close) / (high - low) * 100 } else if state.value.isNaN { state.value = 50 }
        return state.value
    }
}

/// The window is added up anew at each bar, as its mean deviation needs it all. Typical prices stay times three: it makes no difference.
struct CommodityChannelKernel: Kernel {
    private let period: Int
    private let factor: Double

    init(period: Int) {
        self.period = period
        factor = 1 / Double(period)
    }

    /// The window's prices stand twice in a row in the scratch, so that from each place on they are there without a break. A bar that comes
    /// again is written over itself.
    struct State: BitwiseCopyable {
        var prices: UnsafeMutablePointer<Double>
        var next = 0
    }

    func start(_ scratch: Scratch) -> State { State(prices: scratch.take(2 * period, of: 0)) }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let price = bars.sum(place)
        state.prices[state.next] = price
        state.prices[state.next &+ period] = price
        state.next = state.next &+ 1 == period ? 0 : state.next &+ 1
        guard place >= period &- 1 else { return .nan }
        let window = UnsafePointer(state.prices + state.next)
        let mean = total(window) { $0 } * factor
        let deviation = total(window) { abs($0 - mean) } * factor
        // What rounding leaves of a price that did not move is nothing.
        if deviation <= abs(mean) * 1e-14 { return 0 }
        return (price - mean) / (0.015 * deviation)
    }

    /// Both halves at once: an addition waits for the one before. Not neighbours, which the compiler would read in pairs: what was written
    /// one by one a moment ago is slow to read so.
    @inline(__always)
    private func total(_ window: UnsafePointer<Double>, _ value: (Double) -> Double) -> Double {
        let half = period >> 1
        var (a, b) = (0.0, 0.0)
        for each in 0..<half {
            a += value(window[each])
            b += value(window[half &+ each])
        }
        return period & 1 == 1 ? a + b + value(window[period &- 1]) : a + b
    }
}

/// The difference from an older close.
struct ChangeKernel: Kernel {
    var period: Int
    var first: Int { period }

    @inline(__always)
    func step(_ state: inout NoState, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        bars.close[place] - bars.close[place &- period]
    }
}

/// The same in per cent of the older close.
struct RateKernel: Kernel {
    var period: Int
    var first: Int { period }

    @inline(__always)
    func step(_ state: inout NoState, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let old = bars.close[place &- period]
        let rate = (bars.close[place] / old - 1) * 100
        return old == 0 ? .nan : rate
    }
}

struct TripleExponentialKernel: Kernel {
    private let period: Int
    private let weight: Double

    init(period: Int) {
        self.period = period
        weight = 2 / Double(period + 1)
    }

    struct State: PlainState {
        var first = Smoothing()
        var second = Smoothing()
        var third = Smoothing()
        var previous = Double.nan
    }

    @inline(__always)
    func isSure(_ state: State, _ bars: BarView, _ place: Int) -> Bool {
        !(state.previous + BarView.four(bars.close, place)).isNaN
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let first = state.first.add(bars.close[place], place, weight: weight, seed: period, sure: sure)
        let second = state.second.add(first, place, weight: weight, seed: period, sure: sure)
        let third = state.third.add(second, place, weight: weight, seed: period, sure: sure)
        if !sure, third.isNaN { return .nan }
        let before = state.previous
        state.previous = third
        return before == 0 ? .nan : (third / before - 1) * 100
    }
}

/// Share of rises in per cent.
struct PsychologicalKernel: Kernel {
    var period: Int

    func start(_ scratch: Scratch) -> RunningSum<Double> { RunningSum(period, scratch) }

    @inline(__always)
    func step(_ sum: inout RunningSum<Double>, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let rises = sum.slide(place) {
            guard $0 > 0, !bars.close[$0].isNaN, !bars.close[$0 - 1].isNaN else { return .nan }
            return bars.close[$0] > bars.close[$0 - 1] ? 1 : 0
        }
        return rises / Double(period) * 100
    }
}
