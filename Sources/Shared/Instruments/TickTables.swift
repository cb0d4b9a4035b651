public import Exact
public import Streams

/// Price steps by table, date and price band (`Data/tables/ticks.csv`; bands are "over, up to and including").
public struct TickTables: Sendable {
    private var tables: [String: [Band]] = [:]

    private struct Band: Sendable {
        var from: TradingDay?
        var to: TradingDay?
        var over: Int64?
        var upTo: Int64?
        var tick: Int64

        func holds(on day: TradingDay) -> Bool { (from.map { $0 <= day } ?? true) && (to.map { day <= $0 } ?? true) }
    }

    package init(_ table: CSVTable) throws(DataFault) {
        let columns = ["table", "effective_from", "effective_to", "over", "up_to", "tick"].map(table.index)
        for row in table.rows {
            func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }
            let fields = columns.map { row.fields[$0] }
            guard let tick = scaledDecimal(fields[5], scale: 9), tick > 0 else {
                throw fault("tick \(fields[5]) is not a positive decimal")
            }
            let band = Band(
                from: TradingDay(fields[1]), to: TradingDay(fields[2]), over: scaledDecimal(fields[3], scale: 9),
                upTo: scaledDecimal(fields[4], scale: 9), tick: tick)
            guard fields[1].isEmpty || band.from != nil, fields[2].isEmpty || band.to != nil else {
                throw fault("a date is not YYYY-MM-DD")
            }
            guard fields[3].isEmpty || band.over != nil, fields[4].isEmpty || band.upTo != nil else {
                throw fault("a price is not a decimal")
            }
            guard (band.over ?? 0) % tick == 0, (band.upTo ?? 0) % tick == 0 else { throw fault("a band's edge is not on its tick") }
            if let over = band.over, let upTo = band.upTo, over >= upTo { throw fault("the band is empty") }
            tables[String(fields[0]), default: []].append(band)
        }
    }

    package func has(_ table: String) -> Bool { tables[table] != nil }

    private func band(_ table: String, _ nanos: Int64, on day: TradingDay) -> Band? {
        tables[table]?.first { $0.holds(on: day) && ($0.over.map { $0 < nanos } ?? true) && ($0.upTo.map { nanos <= $0 } ?? true) }
    }

    /// The step of the band that holds `price`, the upper edge belonging to the lower band; nil outside the table.
    public func tick(for instrument: Instrument, at price: Price, on day: TradingDay) -> Price? {
        band(instrument.tickTable, price.nanos, on: day).map { Price(nanos: $0.tick) }
    }

    /// Whether an order may carry that price.
    public func isOnTick(_ price: Price, for instrument: Instrument, on day: TradingDay) -> Bool {
        guard let band = band(instrument.tickTable, price.nanos, on: day) else { return false }
        return price.nanos % band.tick == 0
    }

    /// The next price of the grid above; nil at the top of the table.
    public func above(_ price: Price, for instrument: Instrument, on day: TradingDay) -> Price? {
        let (next, overflow) = price.nanos.addingReportingOverflow(1)
        guard !overflow, let band = band(instrument.tickTable, next, on: day) else { return nil }
        let result = Self.floor(price.nanos, band.tick).addingReportingOverflow(band.tick)
        guard !result.overflow, band.upTo.map({ result.partialValue <= $0 }) ?? true else { return nil }
        return Price(nanos: result.partialValue)
    }

    /// The next price of the grid below; nil at the bottom of the table.
    public func below(_ price: Price, for instrument: Instrument, on day: TradingDay) -> Price? {
        guard let band = band(instrument.tickTable, price.nanos, on: day) else { return nil }
        let floor = Self.floor(price.nanos, band.tick)
        if floor != price.nanos { return Price(nanos: floor) }
        let result = floor.subtractingReportingOverflow(band.tick)
        guard !result.overflow, self.band(instrument.tickTable, result.partialValue, on: day) != nil else { return nil }
        return Price(nanos: result.partialValue)
    }

    public enum Direction: Hashable, Sendable {
        case down, up
        /// A tie goes up.
        case nearest
    }

    /// The price of the grid in that direction, `price` itself where it is on the grid; nil outside the table.
    public func rounded(_ price: Price, _ direction: Direction, for instrument: Instrument, on day: TradingDay) -> Price? {
        if isOnTick(price, for: instrument, on: day) { return price }
        let low = below(price, for: instrument, on: day)
        let high = above(price, for: instrument, on: day)
        switch direction {
        case .down: return low
        case .up: return high
        case .nearest:
            guard let low, let high else { return low ?? high }
            return high.nanos - price.nanos <= price.nanos - low.nanos ? high : low
        }
    }

    private static func floor(_ value: Int64, _ step: Int64) -> Int64 {
        let rest = value % step
        return rest < 0 ? value - rest - step : value - rest
    }
}
