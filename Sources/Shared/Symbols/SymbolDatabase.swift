import Files
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
    /// Told when a row does not read.
    var whenDamaged: () -> Void = {}
    public let release: SymbolRelease

    /// Opens for reading. A file of an older schema is brought up to date first where `mayMigrate`. What rows say is not looked at: see
    /// `verify`.
    /// - Throws: `data.missing`, `data.newer`, `data.corrupt` with `path`; `storage.full`.
    public init(path: String, mayMigrate: Bool = false) throws(Failure) {
        self.path = path
        try Self.header(path)
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
            let meta = try Self.meta(opened)
            guard Set(meta.keys) == ["hash", "rows", "timestamp", "version"], let release = try Self.release(meta, Self.blocks(opened)),
                release.hash == meta["hash"]
            else { throw .corrupt("no release") }
            self.release = release
        } catch {
            throw error.failure(path)
        }
    }

    /// A pipe would be waited for; a write-ahead log would be made beside a file that is only read.
    private static func header(_ path: String) throws(Failure) {
        let head: [UInt8]
        do throws(RegularFile.Fault) { head = try RegularFile.head(path, bytes: SymbolFile.headerBytes) } catch {
            throw error == .missing ? Failure(ErrorCode("data.missing"), .init("path", path)) : Failure(.dataCorrupt, .init("path", path))
        }
        guard SymbolFile.isDatabase(head), !SymbolFile.usesWriteAheadLog(head) else { throw Failure(.dataCorrupt, .init("path", path)) }
    }

    static func meta(_ database: Database) throws(SQLiteError) -> [String: String] {
        Dictionary(try database.query("SELECT name, value FROM meta") { ($0.text(0), $0.text(1)) }, uniquingKeysWith: { first, _ in first })
    }

    static func blocks(_ database: Database) throws(SQLiteError) -> SymbolBlocks {
        SymbolBlocks(
            try database.query("SELECT number, hash FROM blocks ORDER BY number LIMIT \(SymbolRelease.mostBlocks + 1)") {
                SymbolBlocks.Block(number: UInt32(truncatingIfNeeded: $0.integer(0)), hash: $0.text(1))
            })
    }

    /// Nil where version, timestamp or number of rows can be of no release.
    static func release(_ meta: [String: String], _ blocks: SymbolBlocks) -> SymbolRelease? {
        guard let version = meta["version"].flatMap({ Int64($0) }), let timestamp = meta["timestamp"],
            let rows = meta["rows"].flatMap({ Int($0) }), String(version) == meta["version"], String(rows) == meta["rows"]
        else { return nil }
        let release = SymbolRelease(version: version, timestamp: timestamp, rows: rows, blocks: blocks)
        return release.isWellFormed && blocks.blocks.count <= SymbolRelease.mostBlocks ? release : nil
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
        do throws(SQLiteError) { return try Self.rows(database, condition, values) } catch {
            let failure = error.failure(path)
            if failure.code == .dataCorrupt { whenDamaged() }
            throw failure
        }
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

    /// The lines of one block, by id, which have its hash; none of a block that is not there.
    /// - Throws: `symbols.damaged`.
    public func lines(block: UInt32) throws(Failure) -> [String] {
        let start = Int64(block) * Int64(SymbolBlocks.size)
        let lines = try rows("WHERE id >= ? AND id < ?", .integer(start), .integer(start + Int64(SymbolBlocks.size))).map(\.line)
        let known = release.blocks.blocks.first { $0.number == block }
        guard known.map({ $0.hash == SymbolBlocks.hash(lines) }) ?? lines.isEmpty else {
            throw Failure(.symbolsDamaged, .init("path", path))
        }
        return lines
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

    /// Reads all of it: SQLite's own structure and indexes, every row, every block's hash. Throws `symbols.damaged` where anything differs.
    public func verify() throws(Failure) {
        do throws(SQLiteError) { try database.fullCheck() } catch { throw Failure(.symbolsDamaged, .init("path", path)) }
        let rows: [SymbolRow]
        do throws(Failure) { rows = try allRows() } catch { throw Failure(.symbolsDamaged, .init("path", path)) }
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
        // A table or column that is not there: what is asked is always the same.
        case .other(let code, _) where code & 0xFF == 1: Failure(.dataCorrupt, .init("path", path))
        case .readOnly, .constraint, .other: Failure(.storageFailed, .init("reason", "symbols"))
        }
    }
}
