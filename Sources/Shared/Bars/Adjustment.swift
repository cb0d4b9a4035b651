public import Exact
public import Instruments
public import Messages
public import Streams

public enum PriceAdjustment: String, Hashable, Sendable, CaseIterable { case none, forward, backward }

/// Prices before and after corporate actions on one scale (G-2). A price `p` of before is `(p − cash) ÷ ratio` of after: what the exchange
/// takes as the previous close on the ex day, and what is called 前复权 and 后复权 in Chinese programs. Forward keeps the newest prices as
/// printed, backward the oldest. Kept exact, rounded once to a billionth; long histories of high dividends may come below zero forward.
/// Volume follows the ratio, turnover stays.
public struct PriceScale: Sendable {
    private var steps: [Step] = []

    /// From the action before up to `until`, exclusive: `price × factor + shift`.
    private struct Step: Sendable {
        var until: TradingDay?
        var factor: Ratio
        var shift: Ratio
    }

    /// `actions` in any order; two on one day hold together, cash counting before the ratio.
    public init(_ actions: [CorporateAction], _ adjustment: PriceAdjustment) throws(ArithmeticError) {
        let actions = actions.sorted { $0.exDay < $1.exDay }
        steps = [Step(until: nil, factor: .one, shift: .zero)]
        guard adjustment != .none else { return }
        // Forward: each step is the one after it, of what the action makes of a price.
        for action in actions.reversed() {
            let after = steps[steps.count - 1]
            let factor = try after.factor.divided(by: action.ratio)
            let shift = try after.shift.subtracting(factor.multiplied(by: try Ratio(numerator: Int128(action.cash), denominator: 1)))
            steps.append(Step(until: action.exDay, factor: factor, shift: shift))
        }
        steps.reverse()
        guard adjustment == .backward, let first = steps.first else { return }
        // Backward: undo for all what forward does to the oldest.
        for place in steps.indices {
            let step = steps[place]
            steps[place].factor = try step.factor.divided(by: first.factor)
            steps[place].shift = try step.shift.subtracting(first.shift).divided(by: first.factor)
        }
    }

    private func step(_ day: TradingDay) -> Step? { steps.first { $0.until.map { day < $0 } ?? true } }

    public func price(_ nanos: Int64, on day: TradingDay) throws(ArithmeticError) -> Int64 {
        guard let step = step(day) else { return nanos }
        let exact = try step.factor.multiplied(by: try Ratio(numerator: Int128(nanos), denominator: 1)).adding(step.shift)
        return try exact.scaled(places: 0, .halfEven)
    }

    public func bar(_ bar: Bar) throws(ArithmeticError) -> Bar {
        guard let day = TradingDay(yyyymmdd: bar.tradingDay) else { return bar }
        return try self.bar(bar, on: day)
    }

    /// As of another day than the one it stands for: that of its recording.
    func bar(_ bar: Bar, on day: TradingDay) throws(ArithmeticError) -> Bar {
        guard let step = step(day) else { return bar }
        var adjusted = bar
        adjusted.open = try price(bar.open, on: day)
        adjusted.high = try price(bar.high, on: day)
        adjusted.low = try price(bar.low, on: day)
        adjusted.close = try price(bar.close, on: day)
        adjusted.volume = try Ratio(numerator: Int128(bar.volume), denominator: 1).divided(by: step.factor).scaled(places: 0, .halfEven)
        return adjusted
    }
}

/// One instrument's bars on one scale: those of days of which all actions are known, by the day they were recorded on; others stay as
/// printed, and simulated ones too.
public struct BarAdjuster: Sendable {
    public let known: ClosedRange<TradingDay>
    /// How many splits and dividends are in the scale.
    public let actions: Int
    private let scale: PriceScale

    /// Forward: the newest of `bars` that is known stays as printed; actions to come change nothing. Backward: the first known day stays.
    public init(
        _ history: CorporateActions.History, _ adjustment: PriceAdjustment, newest bars: some Sequence<Bar>
    ) throws(ArithmeticError) {
        known = history.known
        let newest = bars.compactMap { Self.day($0) }.filter { history.known.contains($0) }.max()
        let happened = history.actions.filter { action in newest.map { action.exDay <= $0 } ?? false }
        actions = happened.count
        scale = try PriceScale(happened, adjustment)
    }

    /// The day the prices were made on; nil where no market made them.
    private static func day(_ bar: Bar) -> TradingDay? {
        guard bar.provenance != .simulated else { return nil }
        return TradingDay(yyyymmdd: bar.recordedOn != 0 ? bar.recordedOn : bar.tradingDay)
    }

    public func bar(_ bar: Bar) throws(ArithmeticError) -> Bar {
        guard let day = Self.day(bar), known.contains(day) else { return bar }
        return try scale.bar(bar, on: day)
    }
}
