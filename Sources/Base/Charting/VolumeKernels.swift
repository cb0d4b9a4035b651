/// Branches would be guessed wrong at every other bar, so there is none but for missing values.
struct OnBalanceKernel: Kernel {
    struct State: PlainState {
        /// Missing before the first bar, which counts as a rise.
        var previous = -Double.infinity
        var total = 0.0
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let (close, volume) = (bars.close[place], bars.volume[place])
        if (close + volume).isNaN { return .nan }
        let sign = (close > state.previous ? 1.0 : 0.0) - (close < state.previous ? 1.0 : 0.0)
        state.previous = close
        state.total += volume * sign
        return state.total
    }
}

/// Volume of rises over volume of falls, even closes counting half to each.
struct VolumeRatioKernel: Kernel {
    var period: Int

    func start(_ scratch: Scratch) -> TwoSums { TwoSums(period, period, scratch) }

    @inline(__always)
    func step(_ sums: inout TwoSums, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let rises = sums.first.slide(place) { share(bars, $0, ofRises: true) }
        let falls = sums.second.slide(place) { share(bars, $0, ofRises: false) }
        return falls > 0 ? rises / falls * 100 : .nan
    }

    @inline(__always)
    private func share(_ bars: BarView, _ place: Int, ofRises: Bool) -> Double {
        guard place > 0 else { return .nan }
        let (now, before) = (bars.close[place], bars.close[place &- 1])
        if now.isNaN || before.isNaN { return .nan }
        if now == before { return bars.volume[place] / 2 }
        return (now > before) == ofRises ? bars.volume[place] : 0
    }
}

/// From the first bar of each day.
struct VolumeWeightedKernel: Kernel {
    struct State: PlainState {
        var day: Int32?
        var value = 0.0
        var volume = 0.0
    }

    @inline(__always)
    func step(_ state: inout State, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        if state.day != bars.day[place] { state = State(day: bars.day[place]) }
        let typical = (bars.high[place] + bars.low[place] + bars.close[place]) / 3
        if !typical.isNaN, !bars.volume[place].isNaN {
            state.value += typical * bars.volume[place]
            state.volume += bars.volume[place]
        }
        return state.volume > 0 ? state.value / state.volume : .nan
    }
}

/// The raw value; its means are the indicator.
struct EaseOfMovementKernel: Kernel {
    var period: Int

    func start(_ scratch: Scratch) -> TwoSums { TwoSums(period, period, scratch) }

    @inline(__always)
    func step(_ sums: inout TwoSums, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let volume = sums.first.slide(place) { bars.volume[$0] } / Double(period)
        let range = sums.second.slide(place) { bars.high[$0] - bars.low[$0] } / Double(period)
        if range == 0 { return place >= period ? 0 : .nan }
        guard place > 0, range > 0, bars.volume[place] > 0 else { return .nan }
        let both = bars.high[place] + bars.low[place]
        guard both != 0 else { return .nan }
        let middle = 100 * (both - bars.high[place &- 1] - bars.low[place &- 1]) / both
        return middle * (volume / bars.volume[place]) * (bars.high[place] - bars.low[place]) / range
    }
}

/// Share of the money (typical price by volume) that moved on rises of the typical price, of all that moved on a change of it.
struct MoneyFlowKernel: Kernel {
    var period: Int

    func start(_ scratch: Scratch) -> TwoSums { TwoSums(period, period, scratch) }

    @inline(__always)
    func step(_ sums: inout TwoSums, _ bars: BarView, _ place: Int, sure: Bool) -> Double {
        let rises = sums.first.slide(place) { flow(bars, $0, ofRises: true) }
        let falls = sums.second.slide(place) { flow(bars, $0, ofRises: false) }
        let all = rises + falls
        if all.isNaN { return .nan }
        // As TA-Lib has it.
        return all < 1 ? 0 : min(100 * rises / all, 100)
    }

    @inline(__always)
    private func flow(_ bars: BarView, _ place: Int, ofRises: Bool) -> Double {
        guard place > 0 else { return .nan }
        let (now, before) = (bars.sum(place) / 3, bars.sum(place &- 1) / 3)
        let change = now - before
        if change.isNaN { return .nan }
        // A difference that adding decimals in another order makes is none.
        let isNone = abs(change) <= abs(now) * 1e-14
        return isNone || (change > 0) != ofRises ? 0 * bars.volume[place] : now * bars.volume[place]
    }
}
