import Exact
import Foundation
import Messages
import Streams

/// Everything dated the product ships: instruments, ticks, calendar. Read once at start; a value.
public struct MarketFacts: Sendable {
    public var instruments: InstrumentTable
    public var ticks: TickTables
    public var calendar: MarketCalendar
    public var bands: PriceBands
    public var futures: FuturesTable
    public var lots: LotRules
    public var orderTypes: OrderTypeTable
    public var settlement: SettlementCycles
    public var validity: PriceValidity
    public var corporateActions: CorporateActions

    /// Reads and checks `symbols.csv` and `tables/*.csv`.
    public init(_ folder: DataFolder) throws(DataFault) {
        let known = try KnownDays(folder)
        ticks = try TickTables(folder.table("ticks.csv", TickTables.columns), known: known)
        futures = try FuturesTable(folder.table("futures.csv", FuturesTable.columns))
        lots = try LotRules(folder.table("lots.csv", LotRules.columns), known: known)
        orderTypes = try OrderTypeTable(folder.table("order-types.csv", OrderTypeTable.columns), known: known)
        settlement = try SettlementCycles(folder.table("settlement.csv", SettlementCycles.columns), known: known)
        calendar = try CalendarReader.read(folder)
        instruments = try SymbolReader.read(CSVTable(path: folder.file("symbols.csv"), required: SymbolReader.columns), ticks: ticks)
        validity = try PriceValidity(folder.table("price-validity.csv", PriceValidity.columns), known: known)
        bands = try PriceBands(
            folder.table("price-bands.csv", PriceBands.columns), instruments: instruments, products: futures.all.map(\.product),
            known: known)
        corporateActions = try CorporateActions(
            folder.table("corporate-actions.csv", CorporateActions.columns), instruments: instruments)
    }

    /// Adds instruments that no table has; every table finds them by market and kind. The symbol table gets another version, so that clients
    /// ask for it.
    package mutating func add(_ rows: [Instrument]) {
        guard !rows.isEmpty else { return }
        let fingerprint = rows.reduce(UInt64(0)) { ($0 &* 31 &+ UInt64($1.id.rawValue)) &* 31 &+ UInt64(bitPattern: $1.lot.units) }
        let version = instruments.version + 1_000_000 * (1 + fingerprint % 1_000_000)
        instruments = InstrumentTable(version: version, instruments: instruments.all + rows)
    }
}
