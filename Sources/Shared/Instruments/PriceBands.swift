public import Exact
public import Streams

/// How far from the market an order's price may be, by product (`Data/tables/price-bands.csv`): what an exchange's rule says, and where
/// there is none a bound of ours against a slip of the finger.
public struct PriceBands: Sendable {
    struct Band: Hashable, Sendable {
        enum Rule: String {
            /// More than reference ÷ bound and less than reference × bound.
            case times
            /// Within so many per cent of the reference.
            case percent
            /// Within so many points of the reference.
            case points
        }

        var rule: Rule
        /// × 10⁻⁹.
        var bound: Int64
        /// Whether it may trade at zero and below.
        var negative: Bool
        var confidence: Confidence

        /// Around a reference that is positive, or whose product may be negative.
        func bounds(_ reference: Int64) -> PriceBounds {
            switch rule {
            case .times: PriceBounds(times: bound, of: reference)
            case .percent: PriceBounds(percent: bound, of: reference)
            case .points: PriceBounds(points: bound, of: reference)
            }
        }
    }

    /// By product of futures, market, or `US`.
    private var scopes: [String: Band] = [:]
    private let known: KnownDays

    package static let columns = ["scope", "rule", "bound", "negative", "confidence", "note"]

    /// Every tradable instrument has one band.
    init(
        _ table: CSVTable, instruments: InstrumentTable, products: [String] = [], known: KnownDays = KnownDays()
    ) throws(DataFault) {
        self.known = known
        for row in table.entries {
            let rule = try row.choice("rule", Band.Rule.self)
            guard let bound = try row.decimal("bound", scale: 9), bound > 0, rule != .times || bound > 1_000_000_000 else {
                throw row.fault("bound is not a positive decimal, over 1 for times")
            }
            guard ["yes", "no"].contains(row.text("negative")) else { throw row.fault("negative is neither yes nor no") }
            let band = Band(rule: rule, bound: bound, negative: row.text("negative") == "yes", confidence: try row.confidence())
            // A share of a price near zero would leave no room.
            guard !band.negative || rule == .points else { throw row.fault("a product that may be negative needs a bound in points") }
            let scope = try row.name("scope")
            guard FuturesTable.isKnown(market: scope) || products.contains(scope) else {
                throw row.fault("scope is \(scope), which is no market or product")
            }
            guard scopes.updateValue(band, forKey: scope) == nil else { throw row.fault("scope stands there twice") }
        }
        for instrument in instruments.all where instrument.isTradable && band(instrument) == nil {
            throw DataFault(file: table.file, line: 0, reason: "has no band for \(instrument.symbol)")
        }
    }

    private func band(_ instrument: Instrument) -> Band? {
        if let product = instrument.future?.product { return scopes[product] }
        return scopes[instrument.market.rawValue] ?? (instrument.market.isUnitedStates ? scopes["US"] : nil)
    }

    /// How sure the bound of an instrument is of that day; nil: it has none.
    public func confidence(for instrument: Instrument, on day: TradingDay) -> Confidence? {
        band(instrument).map {
            known.confidence($0.confidence, of: DaySpan(), in: "price-bands.csv", scope: instrument.market.scope, on: day)
        }
    }

    private func bounds(_ instrument: Instrument, _ reference: Price?) -> PriceBounds? {
        guard instrument.isTradable, let band = band(instrument) else { return nil }
        var bounds = PriceBounds(lowest: band.negative ? nil : 1, highest: nil)
        guard let reference, band.negative || reference.nanos > 0 else { return bounds }
        let near = band.bounds(reference.nanos)
        bounds.lowest = max(near.lowest ?? .min, bounds.lowest ?? .min)
        bounds.highest = near.highest
        return bounds
    }

    /// Whether an order may carry that price. `reference`: the last price, before the first trade the previous close; nil where neither is
    /// known, then only the sign is judged.
    public func allows(_ price: Price, for instrument: Instrument, reference: Price?) -> Bool {
        bounds(instrument, reference)?.contains(price.nanos) ?? false
    }

    /// The lowest and the highest valid price an order may carry, as a reason for a refusal; nil where there is no end, or nothing is valid.
    public func range(
        for instrument: Instrument, reference: Price?, _ ticks: TickTables, on day: TradingDay
    ) -> (lowest: Price?, highest: Price?) {
        guard let bounds = bounds(instrument, reference) else { return (nil, nil) }
        func next(_ end: Int64?, _ step: Int64, _ find: (Price) -> Price?) -> Price? {
            guard let end else { return nil }
            let (beyond, overflow) = end.addingReportingOverflow(step)
            return overflow ? nil : find(Price(nanos: beyond))
        }
        return (
            next(bounds.lowest, -1) { ticks.above($0, for: instrument, on: day) },
            next(bounds.highest, 1) { ticks.below($0, for: instrument, on: day) }
        )
    }
}
