import SQLite
import Streams

/// The database's tables by version. Each step is one transaction with `user_version`; a program that ends inside one finds the version
/// before it.
enum SymbolSchema {
    /// What SQLite shows of the file's owner: `CWsy`.
    static let applicationID = 0x4357_7379

    /// - Parameter before: called before each statement of a step, counted over all steps; what it throws ends the step.
    static func migrate(
        _ database: Database, to version: Int = newest, before: (Int) throws(SQLiteError) -> Void = { _ in }
    ) throws(SQLiteError) {
        let found = try database.userVersion()
        guard found <= version else { throw .newer(found: found, known: version) }
        var count = 0
        for next in found..<version {
            try database.transaction { () throws(SQLiteError) in
                // Another process may have been faster.
                guard try database.userVersion() == next else { return }
                for statement in try statements(next, database) + ["PRAGMA user_version = \(next + 1)"] {
                    try before(count)
                    count += 1
                    try database.execute(statement)
                }
                try before(count)
                count += 1
            }
        }
    }

    static let newest = 4

    /// What leads from a version to the next.
    private static func statements(_ version: Int, _ database: Database) throws(SQLiteError) -> [String] {
        switch version {
        case 0: first
        case 1: try second(database)
        case 2: try third(database)
        default: try fourth(database)
        }
    }

    private static let first = [
        "PRAGMA application_id = \(applicationID)",
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE instruments (
            id INTEGER PRIMARY KEY, market TEXT NOT NULL, code TEXT NOT NULL, symbol TEXT NOT NULL, kind TEXT NOT NULL,
            currency TEXT NOT NULL, name_en TEXT NOT NULL, name_zh_hans TEXT NOT NULL, name_zh_hant TEXT NOT NULL,
            lot INTEGER NOT NULL CHECK (lot > 0), multiplier INTEGER NOT NULL, decimals INTEGER NOT NULL, tick_table TEXT NOT NULL,
            listed_from INTEGER, listed_to INTEGER, product TEXT, expiry INTEGER, last_minute INTEGER, successor INTEGER,
            initial_margin INTEGER, maintenance_margin INTEGER)
        """,
        "CREATE INDEX instruments_by_code ON instruments (upper(code))",
        "CREATE INDEX instruments_by_symbol ON instruments (symbol)",
    ]

    private static func second(_ database: Database) throws(SQLiteError) -> [String] {
        // A column may be there already: an older program put it in outside a transaction.
        var statements: [String] = []
        for (name, type) in [
            ("isin", "TEXT NOT NULL DEFAULT ''"), ("flags", "INTEGER NOT NULL DEFAULT 0"), ("counter", "TEXT NOT NULL DEFAULT ''"),
            ("round_lot", "INTEGER NOT NULL DEFAULT 0"),
        ] where try !database.hasColumn(name, in: "instruments") {
            statements.append("ALTER TABLE instruments ADD COLUMN \(name) \(type)")
        }
        return statements
    }

    /// The blocks of what the file holds go in with their table.
    private static func third(_ database: Database) throws(SQLiteError) -> [String] {
        let blocks = SymbolBlocks(of: try SymbolDatabase.rows(database, "", []))
        return [
            "CREATE INDEX instruments_by_product ON instruments (upper(product)) WHERE product IS NOT NULL",
            "CREATE TABLE blocks (number INTEGER PRIMARY KEY, hash TEXT NOT NULL)",
        ] + blocks.blocks.map { "INSERT INTO blocks VALUES (\($0.number), '\($0.hash)')" }
    }

    /// The hash is of all that `meta` says; until then it was of the blocks alone, and the timestamp was a day.
    private static func fourth(_ database: Database) throws(SQLiteError) -> [String] {
        var meta = try SymbolDatabase.meta(database)
        if let day = meta["timestamp"].flatMap({ TradingDay($0) }) { meta["timestamp"] = "\(day)T00:00:00Z" }
        // What says no release is refused at opening.
        guard let release = try SymbolDatabase.release(meta, SymbolDatabase.blocks(database)) else { return [] }
        return [
            "UPDATE meta SET value = '\(release.timestamp)' WHERE name = 'timestamp'",
            "INSERT OR REPLACE INTO meta VALUES ('hash', '\(release.hash)')",
        ]
    }
}
