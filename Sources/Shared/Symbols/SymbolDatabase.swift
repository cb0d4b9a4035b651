public import Instruments
import SQLite
public import Texts

extension ErrorCode {
    /// The symbol database is not what its hash says: `path`.
    public static let symbolsDamaged = ErrorCode("symbols.damaged")
}

/// The symbol database of one file (H-1): every instrument by id, code, symbol and product. Rows are read when asked for, nothing is
/// loaded at opening. Not thread-safe: its owner is one actor or stands behind one lock.
public final class SymbolDatabase: InstrumentLookup {
    public let path: String
    private let database: Database
    public let release: SymbolRelease

    /// Opens for reading. A file of an older schema is brought up to date first where `mayMigrate`.
    /// - Throws: `data.missing`, `data.newer`, `data.corrupt` with `path`; `storage.full`.
    public init(path: String, mayMigrate: Bool = false) throws(Failure) {
        self.path = path
        do throws(SQLiteError) {
            var opened = try Database(readingOnly: path)
            let version = try opened.userVersion()
            if version > SymbolSchema.newest { throw .newer(found: version, known: SymbolSchema.newest) }
            guard version > 0 else { throw .corrupt("no symbol database") }
            if version < SymbolSchema.newest {
                guard mayMigrate else { throw .corrupt("an older schema") }
                let writer = try Database(path: path)
                try SymbolSchema.migrate(writer)
                opened = try Database(readingOnly: path)
            }
            database = opened
            release = try Self.release(opened)
        } catch {
            throw error.failure(path)
        }
    }

    private static func release(_ database: Database) throws(SQLiteError) -> SymbolRelease {
        let meta = Dictionary(
            try database.query("SELECT name, value FROM meta") { ($0.text(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
        let blocks = try database.query("SELECT number, hash FROM blocks ORDER BY number") {
            SymbolBlocks.Block(number: UInt32(truncatingIfNeeded: $0.integer(0)), hash: $0.text(1))
        }
        guard let version = meta["version"].flatMap({ Int64($0) }), let timestamp = meta["timestamp"],
            let rows = meta["rows"].flatMap({ Int($0) }), let hash = meta["hash"], SymbolBlocks(blocks).hash == hash
        else { throw .corrupt("no release") }
        return SymbolRelease(version: version, timestamp: timestamp, rows: rows, blocks: SymbolBlocks(blocks))
    }

    private static let columns = """
        id, market, code, symbol, kind, currency, name_en, name_zh_hans, name_zh_hant, lot, multiplier, decimals, tick_table, listed_from, \
        listed_to, product, expiry, last_minute, successor, initial_margin, maintenance_margin, isin, flags, counter, round_lot
        """

    static func rows(_ database: Database, _ condition: String, _ values: [SQLiteValue]) throws(SQLiteError) -> [SymbolRow] {
        let found = try database.query("SELECT \(columns) FROM instruments \(condition) ORDER BY id", values) { row -> SymbolRow? in
            // Every column reads as the text its line has; an absent one as nothing.
            do throws(SymbolRowFault) { return try SymbolRow(fields: (0..<SymbolRow.fieldCount).map { row.text($0) }) } catch { return nil }
        }
        let rows = found.compactMap(\.self)
        guard rows.count == found.count else { throw .corrupt("a row that does not read") }
        return rows
    }

    private func rows(_ condition: String, _ values: SQLiteValue...) throws(Failure) -> [SymbolRow] {
        do throws(SQLiteError) { return try Self.rows(database, condition, values) } catch { throw error.failure(path) }
    }

    public func row(id: InstrumentID) throws(Failure) -> SymbolRow? { try rows("WHERE id = ?", .integer(Int64(id.rawValue))).first }

    public func instrument(id: InstrumentID) throws(Failure) -> Instrument? { try row(id: id)?.instrument }

    public func instruments(code: String) throws(Failure) -> [Instrument] {
        try rows("WHERE upper(code) = ?", .text(code)).map(\.instrument)
    }

    /// Of that canonical text, of any time.
    public func instruments(symbol: String) throws(Failure) -> [Instrument] {
        try rows("WHERE symbol = ?", .text(symbol)).map(\.instrument)
    }

    public func instruments(product: String) throws(Failure) -> [Instrument] {
        try rows("WHERE product IS NOT NULL AND upper(product) = ?", .text(product)).map(\.instrument)
    }

    /// The rows of one block, by id.
    public func rows(block: UInt32) throws(Failure) -> [SymbolRow] {
        let start = Int64(block) * Int64(SymbolBlocks.size)
        return try rows("WHERE id >= ? AND id < ?", .integer(start), .integer(start + Int64(SymbolBlocks.size)))
    }

    /// Everything, by id. Tens of thousands of rows: for the building of indexes and databases.
    public func allRows() throws(Failure) -> [SymbolRow] { try rows("") }

    /// How many rows each market has.
    public func counts() throws(Failure) -> [(market: Market, rows: Int)] {
        do throws(SQLiteError) {
            let counts = try database.query("SELECT market, count(*) FROM instruments GROUP BY market") { ($0.text(0), Int($0.integer(1))) }
            return Market.allCases.compactMap { market in counts.first { $0.0 == market.rawValue }.map { (market, $0.1) } }
        } catch {
            throw error.failure(path)
        }
    }

    /// Reads all of it: SQLite's own structure, every row, every block's hash. Throws `symbols.damaged` where anything differs.
    public func verify() throws(Failure) {
        do throws(SQLiteError) { try database.quickCheck() } catch { throw Failure(.symbolsDamaged, .init("path", path)) }
        let rows = try allRows()
        guard rows.count == release.rows, SymbolBlocks(of: rows) == release.blocks else {
            throw Failure(.symbolsDamaged, .init("path", path))
        }
    }
}

extension SQLiteError {
    func failure(_ path: String) -> Failure {
        switch self {
        case .newer: Failure(.dataNewer, .init("path", path))
        case .corrupt: Failure(.dataCorrupt, .init("path", path))
        case .full: Failure(.storageFull)
        case .busy: Failure(.dataInUse, .init("path", path))
        case .other(let code, _) where code & 0xFF == 14: Failure(ErrorCode("data.missing"), .init("path", path))
        case .readOnly, .constraint, .other: Failure(.storageFailed, .init("reason", "symbols"))
        }
    }
}
