public import Streams

/// After how many settlement days a trade is settled (`Data/tables/settlement.csv`). A settlement day is not every trading day (banks may
/// be closed), so that a date is not reckoned here.
public struct SettlementCycles: Sendable {
    public struct Cycle: Hashable, Sendable {
        /// 2 is T+2.
        public var days: Int
        public var confidence: Confidence
    }

    private let known: KnownDays
    private var cycles: [String: [(span: DaySpan, cycle: Cycle)]] = [:]

    package static let columns = ["market", "days", "from", "to", "confidence", "note"]

    init(_ table: CSVTable, known: KnownDays = KnownDays()) throws(DataFault) {
        self.known = known
        var series: [String: [(span: DaySpan, row: DatedRow)]] = [:]
        for row in table.entries {
            let market = try row.name("market")
            guard Market(rawValue: market) != nil || market == "US" else { throw row.fault("market is \(market), which is unknown") }
            guard let days = Int(row.text("days")), (0...10).contains(days) else { throw row.fault("days is not 0 to 10") }
            let span = try row.span()
            cycles[market, default: []].append((span, Cycle(days: days, confidence: try row.confidence())))
            series[market, default: []].append((span, row))
        }
        for rows in series.values { try checkSeries(rows) }
    }

    /// Nil where nothing is known for that day.
    public func cycle(for instrument: Instrument, on day: TradingDay) -> Cycle? {
        guard instrument.isTradable else { return nil }
        let scope = instrument.market.scope
        guard let (span, cycle) = cycles[scope]?.first(where: { $0.span.contains(day) }) else { return nil }
        return Cycle(
            days: cycle.days, confidence: known.confidence(cycle.confidence, of: span, in: "settlement.csv", scope: scope, on: day))
    }
}
