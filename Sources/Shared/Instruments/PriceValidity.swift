public import Exact
public import Messages
public import Streams

/// What exchanges say of the price an order may carry and of halts (`Data/tables/price-validity.csv`). `PriceBands` is what the paper exchange
/// enforces; this is the whole of the rules, to be read and to judge a quotation by.
public struct PriceValidity: Sendable {
    public enum Unit: String, Hashable, Sendable { case times, spreads, percent, minutes, seconds, snapshots, points }

    public struct Rule: Hashable, Sendable {
        public var market: String
        /// `nine-times`, `luld-band`, …
        public var name: String
        /// Which securities, orders or events, in words; nil: all.
        public var scope: String?
        /// When, in words; nil: always.
        public var phase: String?
        /// × 10⁻⁹ of `unit`; several levels stand in order.
        public var values: [Int64]
        public var unit: Unit
        public var span: DaySpan
        public var confidence: Confidence
        public var note: String?
    }

    private var rules: [Rule] = []
    private let known: KnownDays

    package static let columns = ["market", "rule", "scope", "phase", "value", "unit", "from", "to", "confidence", "note"]

    init(_ table: CSVTable, known: KnownDays = KnownDays()) throws(DataFault) {
        self.known = known
        var series: [[String]: [(span: DaySpan, row: DatedRow)]] = [:]
        for row in table.entries {
            let market = try row.name("market")
            guard FuturesTable.isKnown(market: market) else { throw row.fault("market is \(market), which is unknown") }
            var values: [Int64] = []
            for text in row.list("value") {
                guard let value = scaledDecimal(text, scale: 9), value >= 0, value > values.last ?? -1 else {
                    throw row.fault("value is not a list of growing decimals")
                }
                values.append(value)
            }
            func words(_ column: String) -> String? { row.text(column).isEmpty ? nil : String(row.text(column)) }
            let rule = Rule(
                market: market, name: try row.name("rule"), scope: words("scope"), phase: words("phase"), values: values,
                unit: try row.choice("unit", Unit.self), span: try row.span(), confidence: try row.confidence(), note: row.note())
            series[[market, rule.name, rule.scope ?? "", rule.phase ?? ""], default: []].append((rule.span, row))
            rules.append(rule)
        }
        for rows in series.values { try checkSeries(rows) }
    }

    /// Every rule of a market on a day, in the table's order.
    public func rules(market: String, on day: TradingDay) -> [Rule] {
        rules.filter { $0.market == market && $0.span.contains(day) }.map { dated($0, day) }
    }

    private func dated(_ rule: Rule, _ day: TradingDay) -> Rule {
        var rule = rule
        rule.confidence = known.confidence(rule.confidence, of: rule.span, in: "price-validity.csv", scope: rule.market, on: day)
        return rule
    }

    /// Nil where the table has none that day. `phase` nil: the only one.
    public func rule(_ name: String, market: String, phase: String? = nil, on day: TradingDay) -> Rule? {
        rules.first { $0.market == market && $0.name == name && (phase == nil || $0.phase == phase) && $0.span.contains(day) }
            .map { dated($0, day) }
    }
}

/// The market a Hong Kong quotation is judged against; what is not known is nil and its rule is not applied.
public struct QuotationView: Hashable, Sendable {
    public enum Session: Hashable, Sendable { case openingAuction, continuous, closingAuction }

    public var session: Session
    public var bestBid: Price?
    public var bestAsk: Price?
    /// The last trade, before it the previous close.
    public var nominal: Price?
    public var previousClose: Price?
    /// Of the closing auction.
    public var closingReference: Price?

    public init(
        session: Session, bestBid: Price? = nil, bestAsk: Price? = nil, nominal: Price? = nil, previousClose: Price? = nil,
        closingReference: Price? = nil
    ) {
        self.session = session
        self.bestBid = bestBid
        self.bestAsk = bestAsk
        self.nominal = nominal
        self.previousClose = previousClose
        self.closingReference = closingReference
    }
}

/// Why a price may not be quoted: the rule, and the valid prices it allows; nil is unbounded on that side.
public struct QuotationRefusal: Hashable, Sendable {
    public var rule: String
    public var lowest: Price?
    public var highest: Price?
    public var confidence: Confidence
}

extension PriceValidity {
    /// The first rule that a limit price in Hong Kong breaks; nil: none. The step is judged by `TickTables`.
    public func refusal(
        of price: Price, _ side: OrderSide, _ view: QuotationView, for instrument: Instrument, _ ticks: TickTables, on day: TradingDay
    ) -> QuotationRefusal? {
        guard instrument.market == .xhkg, let grid = ticks.grid(instrument.tickTable, on: day) else { return nil }
        var checks: [(name: String, phase: String?, bounds: (Rule) -> PriceBounds?)] = [
            ("nine-times", nil, { rule in view.nominal.map { PriceBounds(times: rule.values[0], of: $0.nanos) } })
        ]
        switch view.session {
        case .openingAuction:
            checks.append(
                (
                    "auction-limit", "opening auction",
                    { rule in view.previousClose.map { PriceBounds(percent: rule.values[0], of: $0.nanos) } }
                ))
        case .closingAuction:
            checks.append(
                (
                    "auction-limit", "closing auction",
                    { rule in view.closingReference.map { PriceBounds(percent: rule.values[0], of: $0.nanos) } }
                ))
        case .continuous:
            checks.append(
                ("quotation-spreads", "continuous", { rule in PriceBounds(spreads: Int(rule.values[0] / 1_000_000_000), side, view, grid) })
            )
        }
        for check in checks {
            guard let rule = rule(check.name, market: "XHKG", phase: check.phase, on: day), let bounds = check.bounds(rule),
                !bounds.contains(price.nanos)
            else { continue }
            return QuotationRefusal(
                rule: rule.name, lowest: bounds.lowest.flatMap { grid.above($0 &- 1) }.map { Price(nanos: $0) },
                highest: bounds.highest.flatMap { grid.below($0 &+ 1) }.map { Price(nanos: $0) }, confidence: rule.confidence)
        }
        return nil
    }
}

/// Prices between two ends, both included; nil is open. × 10⁻⁹.
struct PriceBounds: Hashable, Sendable {
    var lowest: Int64?
    var highest: Int64?

    init(lowest: Int64?, highest: Int64?) {
        self.lowest = lowest
        self.highest = highest
    }

    func contains(_ nanos: Int64) -> Bool { (lowest.map { $0 <= nanos } ?? true) && (highest.map { nanos <= $0 } ?? true) }

    /// More than `reference` ÷ `times` and less than `reference` × `times`; both × 10⁻⁹, positive.
    init(times: Int64, of reference: Int64) {
        let (reference, times, one) = (Int128(reference), Int128(max(times, 1)), Int128(1_000_000_000))
        lowest = Int64(clamping: reference * one / times + 1)
        highest = Int64(clamping: (reference * times + one - 1) / one - 1)
    }

    /// Within so many per cent, × 10⁻⁹.
    init(percent: Int64, of reference: Int64) {
        let room = Int128(reference.magnitude) * Int128(percent) / 100_000_000_000
        self.init(points: Int64(clamping: room), of: reference)
    }

    /// Within so many points, × 10⁻⁹.
    init(points: Int64, of reference: Int64) {
        lowest = Int64(clamping: Int128(reference) - Int128(points))
        highest = Int64(clamping: Int128(reference) + Int128(points))
    }

    /// A buyer not lower than so many steps below the best bid, a seller not higher than so many above the best ask; the end of the table
    /// where it comes first. Nil where the side has no best price.
    init?(spreads: Int, _ side: OrderSide, _ view: QuotationView, _ grid: PriceGrid) {
        guard let best = side == .sell ? view.bestAsk : view.bestBid, grid.isValid(best.nanos) else { return nil }
        var place = best.nanos
        for _ in 0..<min(max(spreads, 0), 10_000) { place = (side == .sell ? grid.above(place) : grid.below(place)) ?? place }
        (lowest, highest) = side == .sell ? (nil, place) : (place, nil)
    }
}
