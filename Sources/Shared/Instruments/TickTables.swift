public import Exact
public import Streams
public import Texts

extension ErrorCode {
    /// No table of price steps holds on that day. Arguments: `table`, `date`.
    public static let tickUnknown = ErrorCode("tick.unknown")
    /// The price is above the last band of its table. Arguments: `price`, `highest`.
    public static let tickAbove = ErrorCode("tick.above")
    /// The price is below the first band of its table. Arguments: `price`, `lowest`.
    public static let tickBelow = ErrorCode("tick.below")
}

/// Price steps by table, date and price band (`Data/tables/ticks.csv`; bands are "over, up to and including").
public struct TickTables: Sendable {
    let known: KnownDays

    private struct Edition: Sendable {
        var span: DaySpan
        var grid = PriceGrid()
    }

    private var tables: [String: [Edition]] = [:]

    package static let columns = ["table", "from", "to", "over", "up_to", "tick", "confidence", "note"]

    /// Rows of one table with the same days make one edition; its bands stand from the lowest to the highest.
    init(_ table: CSVTable, known: KnownDays = KnownDays()) throws(DataFault) {
        self.known = known
        var order: [String: [(span: DaySpan, row: DatedRow)]] = [:]
        for row in table.entries {
            let name = try row.name("table")
            let span = try row.span()
            let band = try Self.band(row)
            var editions = tables[name] ?? []
            if let place = editions.firstIndex(where: { $0.span == span }) {
                try Self.check(band, after: editions[place].grid.bands.last, row)
                editions[place].grid.bands.append(band)
            } else {
                editions.append(Edition(span: span, grid: PriceGrid(bands: [band])))
                order[name, default: []].append((span, row))
            }
            tables[name] = editions
        }
        for editions in order.values { try checkSeries(editions) }
    }

    private static func band(_ row: DatedRow) throws(DataFault) -> PriceGrid.Band {
        guard let tick = try row.decimal("tick", scale: 9), tick > 0 else { throw row.fault("tick is not a positive decimal") }
        let band = PriceGrid.Band(
            over: try row.decimal("over", scale: 9), upTo: try row.decimal("up_to", scale: 9), tick: tick, confidence: try row.confidence(),
            note: row.note())
        if let over = band.over, let upTo = band.upTo, over >= upTo { throw row.fault("the band is empty") }
        guard (band.upTo ?? 0) % tick == 0 else { throw row.fault("up_to is not on the tick") }
        return band
    }

    private static func check(_ band: PriceGrid.Band, after last: PriceGrid.Band?, _ row: DatedRow) throws(DataFault) {
        guard let last else { return }
        guard let upTo = last.upTo, let over = band.over, over >= upTo else { throw row.fault("overlaps the band before it") }
        guard over == upTo else { throw row.fault("leaves prices between itself and the band before it") }
    }

    package func has(_ table: String) -> Bool { tables[table] != nil }

    package var names: [String] { tables.keys.sorted() }

    /// The first day of each edition of a table; nil where it has no first day.
    package func editions(of table: String) -> [TradingDay?] { (tables[table] ?? []).map(\.span.from) }

    /// The days of the rows that hold on that day.
    func span(_ table: String, on day: TradingDay) -> DaySpan? { tables[table]?.last { $0.span.contains(day) }?.span }

    package func grid(_ table: String, on day: TradingDay) -> PriceGrid? { tables[table]?.last { $0.span.contains(day) }?.grid }

    /// Whether a table of price steps holds on that day at all.
    public func hasSteps(for instrument: Instrument, on day: TradingDay) -> Bool { grid(instrument.tickTable, on: day) != nil }

    /// The step of the band that holds `price`, the upper edge belonging to the lower band; nil outside the table.
    public func tick(for instrument: Instrument, at price: Price, on day: TradingDay) -> Price? {
        grid(instrument.tickTable, on: day)?.band(at: price.nanos).map { Price(nanos: $0.tick) }
    }

    /// Whether an order may carry that price.
    public func isOnTick(_ price: Price, for instrument: Instrument, on day: TradingDay) -> Bool {
        grid(instrument.tickTable, on: day)?.isValid(price.nanos) ?? false
    }

    /// The next price of the grid above; nil at the top of the table.
    public func above(_ price: Price, for instrument: Instrument, on day: TradingDay) -> Price? {
        grid(instrument.tickTable, on: day)?.above(price.nanos).map { Price(nanos: $0) }
    }

    /// The next price of the grid below; nil at the bottom of the table.
    public func below(_ price: Price, for instrument: Instrument, on day: TradingDay) -> Price? {
        grid(instrument.tickTable, on: day)?.below(price.nanos).map { Price(nanos: $0) }
    }

    public enum Direction: Hashable, Sendable, CaseIterable {
        case down, up
        /// A tie goes up.
        case nearest
    }

    /// The price of the grid in that direction, `price` itself where it is on the grid; nil outside the table.
    public func rounded(_ price: Price, _ direction: Direction, for instrument: Instrument, on day: TradingDay) -> Price? {
        guard let grid = grid(instrument.tickTable, on: day) else { return nil }
        return Self.rounded(price.nanos, direction, grid).map { Price(nanos: $0) }
    }

    package static func rounded(_ nanos: Int64, _ direction: Direction, _ grid: PriceGrid) -> Int64? {
        if grid.isValid(nanos) { return nanos }
        guard grid.band(at: nanos) != nil else { return nil }
        let low = grid.below(nanos)
        let high = grid.above(nanos)
        switch direction {
        case .down: return low
        case .up: return high
        case .nearest:
            guard let low, let high else { return low ?? high }
            return high - nanos <= nanos - low ? high : low
        }
    }
}
