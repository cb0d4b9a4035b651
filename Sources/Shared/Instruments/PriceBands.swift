public import Exact

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

        func allows(_ price: Int64, _ reference: Int64) -> Bool {
            let (price, reference, bound, one) = (Int128(price), Int128(reference), Int128(self.bound), Int128(1_000_000_000))
            switch rule {
            case .times: return price * one < reference * bound && price * bound > reference * one
            case .percent: return (price - reference).magnitude * 100 * one.magnitude <= reference.magnitude * bound.magnitude
            case .points: return (price - reference).magnitude <= bound.magnitude
            }
        }
    }

    private var bands: [InstrumentID: Band] = [:]

    /// Every tradable instrument has one band.
    init(_ table: CSVTable, instruments: InstrumentTable) throws(DataFault) {
        var scopes: [String: Band] = [:]
        for row in table.rows {
            func field(_ column: String) -> Substring { row.fields[table.index(column)] }
            func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }
            guard let rule = Band.Rule(rawValue: String(field("rule"))) else { throw fault("rule is none of times, percent, points") }
            guard let bound = scaledDecimal(field("bound"), scale: 9), bound > 0, rule != .times || bound > 1_000_000_000 else {
                throw fault("bound is not a positive decimal, over 1 for times")
            }
            guard ["yes", "no"].contains(field("negative")) else { throw fault("negative is neither yes nor no") }
            let band = Band(rule: rule, bound: bound, negative: field("negative") == "yes")
            // A share of a price near zero would leave no room.
            guard !band.negative || rule == .points else { throw fault("a product that may be negative needs a bound in points") }
            guard scopes.updateValue(band, forKey: String(field("scope"))) == nil else { throw fault("scope stands there twice") }
        }
        for instrument in instruments.all where instrument.isTradable {
            guard let band = scopes[instrument.future?.product ?? instrument.market.rawValue] else {
                throw DataFault(file: table.file, line: 0, reason: "has no band for \(instrument.symbol)")
            }
            bands[instrument.id] = band
        }
    }

    /// Whether an order may carry that price. `reference`: the last price, before the first trade the previous close; nil where neither is
    /// known, then only the sign is judged.
    public func allows(_ price: Price, for instrument: Instrument, reference: Price?) -> Bool {
        guard let band = bands[instrument.id], band.negative || price.nanos > 0 else { return false }
        guard let reference, band.negative || reference.nanos > 0 else { return true }
        return band.allows(price.nanos, reference.nanos)
    }
}
