public import Exact
public import Streams
public import Texts

/// Exchange rates with the days they were fixed on: a converted sum is no better than its rates, and these may be a month old.
public struct ReferenceRates: Hashable, Sendable {
    public private(set) var table = FXTable()
    /// From the oldest fixing to the newest; nil without rates.
    public private(set) var fixed: ClosedRange<TradingDay>?

    public init() {}

    public mutating func add(_ rate: FXRate, fixedOn day: TradingDay) {
        table.set(rate)
        fixed = fixed.map { min($0.lowerBound, day)...max($0.upperBound, day) } ?? day...day
    }

    /// Where they come from and of which day.
    public var source: Text {
        guard let fixed else { return .pnlRateSource(day: Display.missing) }
        let days = fixed.lowerBound == fixed.upperBound ? "" : "\(fixed.lowerBound) – "
        return .pnlRateSource(day: days + fixed.upperBound.description)
    }
}
