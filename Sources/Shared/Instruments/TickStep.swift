public import Exact
public import Streams
public import Texts

/// What the table of price steps says of one price on one day.
public struct TickStep: Hashable, Sendable {
    public var table: String
    public var tick: Price
    /// The band: over this price, up to and including `upTo`; nil is open.
    public var over: Price?
    public var upTo: Price?
    public var isValid: Bool
    /// The next valid prices; nil at an end of the table.
    public var below: Price?
    public var above: Price?
    public var confidence: Confidence
    /// The days the table is known, where this is none of them.
    public var projectedFrom: DaySpan?
    public var note: String?
}

extension TickTables {
    /// Throws `tick.unknown`, `tick.above`, `tick.below`: a price outside the table has no step.
    public func step(for instrument: Instrument, at price: Price, on day: TradingDay) throws(Failure) -> TickStep {
        guard let grid = grid(instrument.tickTable, on: day) else {
            throw Failure(.tickUnknown, .init("table", instrument.tickTable), .init("date", day.description))
        }
        guard let band = grid.band(at: price.nanos) else { throw outside(grid, price, instrument) }
        let (days, known) = (span(instrument.tickTable, on: day) ?? DaySpan(), known.span("ticks.csv", scope: instrument.market.scope))
        let isProjected = known.projects(days, to: day)
        func exact(_ nanos: Int64?) -> Price? { nanos.map { Price(nanos: $0) } }
        return TickStep(
            table: instrument.tickTable, tick: Price(nanos: band.tick), over: exact(band.over), upTo: exact(band.upTo),
            isValid: price.nanos % band.tick == 0, below: exact(grid.below(price.nanos)), above: exact(grid.above(price.nanos)),
            confidence: isProjected ? .projected : band.confidence, projectedFrom: isProjected ? known : nil, note: band.note)
    }

    private func outside(_ grid: PriceGrid, _ price: Price, _ instrument: Instrument) -> Failure {
        if let over = grid.bands.first?.over, price.nanos <= over {
            let lowest = grid.above(over).map { Price(nanos: $0) }
            return Failure(.tickBelow, .init("price", instrument.plain(price)), .init("lowest", instrument.plain(lowest)))
        }
        let highest = grid.bands.last?.upTo.map { Price(nanos: $0) }
        return Failure(.tickAbove, .init("price", instrument.plain(price)), .init("highest", instrument.plain(highest)))
    }

    /// The price so many steps above (below where `count` is negative), across bands; nil where `price` is not valid or the table ends
    /// before. At most 10,000 steps.
    public func spreads(from price: Price, count: Int, for instrument: Instrument, on day: TradingDay) -> Price? {
        guard let grid = grid(instrument.tickTable, on: day), count.magnitude <= 10_000 else { return nil }
        return Self.spreads(from: price.nanos, count: count, grid).map { Price(nanos: $0) }
    }

    package static func spreads(from nanos: Int64, count: Int, _ grid: PriceGrid) -> Int64? {
        guard grid.isValid(nanos) else { return nil }
        var place = nanos
        for _ in 0..<count.magnitude {
            guard let next = count > 0 ? grid.above(place) : grid.below(place) else { return nil }
            place = next
        }
        return place
    }

    /// Every price an order may carry that is at most so many steps away, as the lowest and the highest; the table's ends bound it.
    public func range(around price: Price, steps: Int, for instrument: Instrument, on day: TradingDay) -> (lowest: Price, highest: Price)? {
        guard let grid = grid(instrument.tickTable, on: day), grid.isValid(price.nanos) else { return nil }
        var (low, high) = (price.nanos, price.nanos)
        for _ in 0..<min(steps.magnitude, 10_000) {
            low = grid.below(low) ?? low
            high = grid.above(high) ?? high
        }
        return (Price(nanos: low), Price(nanos: high))
    }
}
