import SQLite

/// Port: the watchlists of an account as one text, which whoever writes it understands. Durable when a call returns.
public struct WatchlistStore: Sendable {
    public var load: @Sendable (_ account: String) throws(StoreError) -> [UInt8]?
    /// `taken`: no such account.
    public var save: @Sendable (_ account: String, [UInt8]) throws(StoreError) -> Void

    public init(
        load: @escaping @Sendable (_ account: String) throws(StoreError) -> [UInt8]?,
        save: @escaping @Sendable (_ account: String, [UInt8]) throws(StoreError) -> Void
    ) {
        self.load = load
        self.save = save
    }
}

/// The only SQL about watchlists. Used under its owner's lock.
final class WatchlistTables {
    private let database: Database

    init(_ database: Database) { self.database = database }

    static let first: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute("CREATE TABLE watchlist (account TEXT PRIMARY KEY REFERENCES account(id), content BLOB NOT NULL) STRICT")
    }

    func load(_ account: String) throws(SQLiteError) -> [UInt8]? {
        try database.query("SELECT content FROM watchlist WHERE account = ?", [.text(account)]) { $0.blob(0) }.first
    }

    func save(_ account: String, _ bytes: [UInt8]) throws(SQLiteError) {
        _ = try database.run("INSERT OR REPLACE INTO watchlist VALUES (?, ?)", [.text(account), .blob(bytes)])
    }
}
