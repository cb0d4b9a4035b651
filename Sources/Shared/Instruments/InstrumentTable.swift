public import Streams

/// The symbol table of this run: every instrument by id, and what people type resolved for a date (H-5).
public struct InstrumentTable: Sendable, InstrumentLookup {
    /// Grows with every change of the shipped table; what logins exchange.
    public let version: UInt64
    public private(set) var all: [Instrument] = []
    private var byID: [InstrumentID: Int] = [:]
    private var byCode: [String: [Int]] = [:]
    private var byProduct: [String: [Int]] = [:]

    /// Rows in the table's order; ids are unique (checked by the reader).
    public init(version: UInt64, instruments: [Instrument]) {
        self.version = version
        for instrument in instruments { append(instrument) }
    }

    private mutating func append(_ instrument: Instrument) {
        let place = all.count
        all.append(instrument)
        byID[instrument.id] = place
        byCode[instrument.code.uppercased(), default: []].append(place)
        if let future = instrument.future { byProduct[future.product.uppercased(), default: []].append(place) }
    }

    /// Adds or replaces rows a server sent in band.
    public mutating func merge(_ rows: [Instrument]) {
        for row in rows {
            if let place = byID[row.id], all[place].symbol == row.symbol, all[place].code == row.code {
                all[place] = row
            } else if byID[row.id] == nil {
                append(row)
            } else {
                let kept = all.filter { $0.id != row.id } + [row]
                self = InstrumentTable(version: version, instruments: kept)
            }
        }
    }

    public func instrument(id: InstrumentID) -> Instrument? { self[id] }

    public subscript(id: InstrumentID) -> Instrument? { byID[id].map { all[$0] } }

    public func instruments(code: String) -> [Instrument] { (byCode[code] ?? []).map { all[$0] } }

    public func instruments(product: String) -> [Instrument] { (byProduct[product] ?? []).map { all[$0] } }

    /// The contract of a product with the earliest expiry that is still listed on that day.
    public func front(product: String, on day: TradingDay) -> Instrument? { instruments(product: product).front(on: day) }
}
