struct OnBalanceKernel: Kernel {
    struct State: Sendable {
        var previous = Double.nan
        var total = 0.0
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let (close, volume) = (bars.close[place], bars.volume[place])
        if close.isNaN || volume.isNaN { return SIMD4(.nan) }
        defer { state.previous = close }
        if state.previous.isNaN || close > state.previous {
            state.total += volume
        } else if close < state.previous {
            state.total -= volume
        }
        return SIMD4(state.total)
    }
}

/// Volume of rises over volume of falls, even closes counting half to each.
struct VolumeRatioKernel: Kernel {
    var period: Int
    var start: (RunningSum, RunningSum) { (RunningSum(), RunningSum()) }

    func step(_ sums: inout (RunningSum, RunningSum), _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        func share(_ place: Int, ofRises: Bool) -> Double {
            guard place > 0 else { return .nan }
            let (now, before) = (bars.close[place], bars.close[place - 1])
            if now.isNaN || before.isNaN { return .nan }
            if now == before { return bars.volume[place] / 2 }
            return (now > before) == ofRises ? bars.volume[place] : 0
        }
        let rises = sums.0.slide(place, period) { share($0, ofRises: true) }
        let falls = sums.1.slide(place, period) { share($0, ofRises: false) }
        return SIMD4(falls > 0 ? rises / falls * 100 : .nan)
    }
}

/// From the first bar of each day.
struct VolumeWeightedKernel: Kernel {
    struct State: Sendable {
        var day: Int32?
        var value = 0.0
        var volume = 0.0
    }

    var start: State { State() }

    func step(_ state: inout State, _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        if state.day != bars.day[place] { state = State(day: bars.day[place]) }
        let typical = (bars.high[place] + bars.low[place] + bars.close[place]) / 3
        if !typical.isNaN, !bars.volume[place].isNaN {
            state.value += typical * bars.volume[place]
            state.volume += bars.volume[place]
        }
        return SIMD4(state.volume > 0 ? state.value / state.volume : .nan)
    }
}

/// The raw value; its means are the indicator.
struct EaseOfMovementKernel: Kernel {
    var period: Int
    var start: (RunningSum, RunningSum) { (RunningSum(), RunningSum()) }

    func step(_ sums: inout (RunningSum, RunningSum), _ bars: borrowing BarColumns, _ place: Int) -> SIMD4<Double> {
        let volume = sums.0.slide(place, period) { bars.volume[$0] } / Double(period)
        let range = sums.1.slide(place, period) { bars.high[$0] - bars.low[$0] } / Double(period)
        guard place > 0, range > 0, bars.volume[place] > 0 else { return SIMD4(place >= period && range == 0 ? 0 : .nan) }
        let both = bars.high[place] + bars.low[place]
        guard both != 0 else { return SIMD4(.nan) }
        let middle = 100 * (both - bars.high[place - 1] - bars.low[place - 1]) / both
        return SIMD4(middle * (volume / bars.volume[place]) * (bars.high[place] - bars.low[place]) / range)
    }
}
