import Instruments
import Streams

/// Which id belongs to which listing, for ever: `Data/symbols/ids.csv`. A line is never changed or removed; new listings get the next
/// numbers. Ids below 1,001 are given by hand in `Data/symbols.csv`.
public struct SymbolLedger: Sendable {
    public static let first: UInt32 = 1_001
    static let columns = ["id", "market", "code", "listed_from", "isin"]

    /// What makes a listing another one than a former of the same code.
    struct Key: Hashable {
        var market: Market
        var code: String
        /// Of listings whose code was another's before or after.
        var listedFrom: TradingDay?
        /// Of products that end (`ListedSecurity.isReused`), else empty.
        var isin: String
    }

    private var ids: [Key: InstrumentID] = [:]
    private var keys: [(id: InstrumentID, key: Key)] = []
    private var next = first
    /// How many were added since it was read.
    public private(set) var added = 0

    public init() {}

    init(_ table: CSVTable) throws(DataFault) {
        for row in table.rows {
            func fault(_ column: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: "\(column) is not valid") }
            func text(_ column: String) -> String { String(row.fields[table.index(column)]) }
            guard let id = UInt32(text("id")), id >= next else { throw fault("id") }
            guard let market = Market(rawValue: text("market")) else { throw fault("market") }
            guard !text("code").isEmpty else { throw fault("code") }
            let from = text("listed_from").isEmpty ? nil : TradingDay(text("listed_from"))
            guard from != nil || text("listed_from").isEmpty else { throw fault("listed_from") }
            let key = Key(market: market, code: text("code"), listedFrom: from, isin: text("isin"))
            guard ids.updateValue(InstrumentID(id), forKey: key) == nil else {
                throw DataFault(file: table.file, line: row.line, reason: "gives the listing \(key.code) another id")
            }
            keys.append((InstrumentID(id), key))
            next = id + 1
        }
    }

    mutating func id(_ key: Key) -> InstrumentID {
        if let known = ids[key] { return known }
        let id = InstrumentID(next)
        next += 1
        added += 1
        ids[key] = id
        keys.append((id, key))
        return id
    }

    /// The file's text.
    public var text: String {
        var lines = [Self.columns.joined(separator: ",")]
        for (id, key) in keys {
            lines.append("\(id.rawValue),\(key.market.rawValue),\(key.code),\(key.listedFrom?.description ?? ""),\(key.isin)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
