public import Exact
public import Streams

/// What a quantity has to be a multiple of, and at most, by market, price and date (`Data/tables/lots.csv`). The board lot of a Hong Kong
/// security stands in the symbol table.
public struct LotRules: Sendable {
    enum Rule: String {
        /// Shares in one round lot; by price.
        case roundLot = "round-lot"
        /// Board lots in one order at most.
        case maximum
        /// What one board lot should be worth at least and, where it is over 100 shares, at most: guidance to issuers.
        case valueFloor = "value-floor"
        case valueCeiling = "value-ceiling"
        /// A board lot an issuer may choose.
        case unit
    }

    private struct Row: Sendable {
        var market: String
        var rule: Rule
        var over: Int64?
        var upTo: Int64?
        var value: Int64
        var span: DaySpan
        var confidence: Confidence
        var line: Int
    }

    private var rows: [Row] = []
    private let known: KnownDays

    package static let columns = ["market", "rule", "over", "up_to", "value", "from", "to", "confidence", "note"]

    init(_ table: CSVTable, known: KnownDays = KnownDays()) throws(DataFault) {
        self.known = known
        var series: [[String]: [(span: DaySpan, row: DatedRow)]] = [:]
        for row in table.entries {
            let market = try row.name("market")
            guard Market(rawValue: market) != nil || market == "US" else { throw row.fault("market is \(market), which is unknown") }
            let rule = try row.choice("rule", Rule.self)
            guard let value = try row.decimal("value", scale: 8), value > 0 else { throw row.fault("value is not a positive decimal") }
            let (over, upTo) = (try row.decimal("over", scale: 9), try row.decimal("up_to", scale: 9))
            if let over, let upTo, over >= upTo { throw row.fault("the band is empty") }
            let span = try row.span()
            let band = PriceGrid.Band(over: over, upTo: upTo, tick: 1, confidence: .ours)
            for other in rows where other.market == market && other.rule == rule && other.span.overlaps(span) {
                // Units may stand side by side; of the others one holds for each price and day.
                let first = PriceGrid.Band(over: other.over, upTo: other.upTo, tick: 1, confidence: .ours)
                if rule == .unit ? other.value == value : first.meets(band) {
                    throw row.fault("speaks of what line \(other.line) speaks of")
                }
            }
            // Bands of one rule and the same days stand from the lowest to the highest, the next where the last one ended.
            if let last = rows.last(where: { $0.market == market && $0.rule == rule && $0.span == span }) {
                guard rule == .unit || last.upTo == over else { throw row.fault("leaves prices between itself and line \(last.line)") }
            } else {
                series[[market, rule.rawValue], default: []].append((span, row))
            }
            rows.append(
                Row(
                    market: market, rule: rule, over: over, upTo: upTo, value: value, span: span, confidence: try row.confidence(),
                    line: row.line))
        }
        for rows in series.values { try checkSeries(rows) }
    }

    private func row(_ rule: Rule, _ instrument: Instrument, at price: Int64? = nil, on day: TradingDay) -> Row? {
        let scope = instrument.market.scope
        let found = rows.first { row in
            guard row.rule == rule, row.market == scope, row.span.contains(day) else { return false }
            guard let price else { return true }
            return (row.over.map { $0 < price } ?? true) && (row.upTo.map { price <= $0 } ?? true)
        }
        return found.map { row in
            var row = row
            row.confidence = known.confidence(row.confidence, of: row.span, in: "lots.csv", scope: scope, on: day)
            return row
        }
    }

    /// Shares of a round lot in the US at that price. The exchange assigns it from a month's mean close: near an edge it may differ.
    /// Nil elsewhere.
    public func roundLot(for instrument: Instrument, at price: Price, on day: TradingDay) -> (lot: Quantity, confidence: Confidence)? {
        guard instrument.future == nil, instrument.isTradable else { return nil }
        return row(.roundLot, instrument, at: price.nanos, on: day).map { (Quantity(units: $0.value), $0.confidence) }
    }

    public enum Refusal: Hashable, Sendable {
        case notPositive
        /// Not whole board lots.
        case oddLot(lot: Quantity)
        case tooLarge(maximum: Quantity)
    }

    /// Why the order book does not take that quantity; nil: it does.
    public func refusal(of quantity: Quantity, for instrument: Instrument, on day: TradingDay) -> Refusal? {
        guard quantity.isPositive else { return .notPositive }
        guard quantity.isMultiple(ofLot: instrument.lot) else { return .oddLot(lot: instrument.lot) }
        guard let lots = row(.maximum, instrument, on: day)?.value else { return nil }
        let maximum = Int128(lots) / 100_000_000 * Int128(instrument.lot.units)
        return Int128(quantity.units) > maximum ? .tooLarge(maximum: Quantity(units: Int64(clamping: maximum))) : nil
    }

    public enum Guidance: Hashable, Sendable { case belowFloor, aboveCeiling }

    /// Whether a board lot worth that much is outside what the exchange asks of issuers; nil: it is not, or nothing is asked.
    public func guidance(for instrument: Instrument, worth: Money, on day: TradingDay) -> (Guidance, Confidence)? {
        // Values of the table × 10⁻⁸, money × 10⁻⁶.
        let value = Int128(worth.micros) * 100
        guard worth.currency == .hkd, instrument.future == nil else { return nil }
        if let floor = row(.valueFloor, instrument, on: day), value < Int128(floor.value) { return (.belowFloor, floor.confidence) }
        guard instrument.lot.units > 100 * 100_000_000, let ceiling = row(.valueCeiling, instrument, on: day) else { return nil }
        return value > Int128(ceiling.value) ? (.aboveCeiling, ceiling.confidence) : nil
    }
}
