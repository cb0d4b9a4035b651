import Foundation
import SQLite

extension AccountStore {
    /// Accounts in one SQLite file; `:memory:` for tests. A file that is damaged or of a newer version is refused untouched.
    public static func sqlite(path: String) throws(StoreError) -> AccountStore { try AccountFile(path: path).accounts }
}

/// The one file of the accounts and of what belongs to them, opened once: its stores share a connection and a lock.
public final class AccountFile: @unchecked Sendable {
    private let tables: AccountTables
    private let more: AlertTables
    private let lists: WatchlistTables
    private let lock = NSLock()

    /// `:memory:` for tests. A file that is damaged or of a newer version is refused untouched.
    public init(path: String) throws(StoreError) {
        (tables, more, lists) = try translated { () throws(SQLiteError) in
            let database = try Database(path: path)
            try database.quickCheck()
            try database.migrate([AccountTables.first, AccountTables.second, AlertTables.first, WatchlistTables.first, AlertTables.second])
            return (try AccountTables(database), try AlertTables(database), WatchlistTables(database))
        }
    }

    private func use<Value>(_ body: (AccountTables) throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try translated { () throws(SQLiteError) in try body(tables) }
    }

    private func useAlerts<Value>(_ body: (AlertTables) throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try translated { () throws(SQLiteError) in try body(more) }
    }

    public var alerts: AlertStore {
        AlertStore(
            alerts: { () throws(StoreError) in try self.useAlerts { tables throws(SQLiteError) in try tables.alerts() } },
            add: { record throws(StoreError) in try self.useAlerts { tables throws(SQLiteError) in try tables.add(record) } },
            remove: { id, account throws(StoreError) in
                try self.useAlerts { tables throws(SQLiteError) in try tables.remove(id, account) }
            },
            keep: { changes throws(StoreError) in try self.useAlerts { tables throws(SQLiteError) in try tables.keep(changes) } },
            firings: { account, after, count throws(StoreError) in
                try self.useAlerts { tables throws(SQLiteError) in try tables.firings(account, after, count) }
            },
            acknowledged: { account throws(StoreError) in
                try self.useAlerts { tables throws(SQLiteError) in try tables.acknowledged(account) }
            },
            acknowledge: { account, number throws(StoreError) in
                try self.useAlerts { tables throws(SQLiteError) in try tables.acknowledge(account, number) }
            })
    }

    public var watchlists: WatchlistStore {
        WatchlistStore(
            load: { account throws(StoreError) in
                try self.useLists { tables throws(SQLiteError) in try tables.load(account) }
            },
            save: { account, bytes throws(StoreError) in
                try self.useLists { tables throws(SQLiteError) in try tables.save(account, bytes) }
            })
    }

    private func useLists<Value>(_ body: (WatchlistTables) throws(SQLiteError) -> Value) throws(StoreError) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try translated { () throws(SQLiteError) in try body(lists) }
    }

    public var accounts: AccountStore {
        @Sendable func use<Value>(_ body: (AccountTables) throws(SQLiteError) -> Value) throws(StoreError) -> Value {
            try self.use(body)
        }
        return AccountStore(
            hasAccounts: { () throws(StoreError) in try use { tables throws(SQLiteError) in try tables.hasAccounts() } },
            add: { record throws(StoreError) in try use { tables throws(SQLiteError) in try tables.add(record) } },
            account: { id throws(StoreError) in try use { tables throws(SQLiteError) in try tables.account("id", id) } },
            accountNamed: { name throws(StoreError) in try use { tables throws(SQLiteError) in try tables.account("name", name) } },
            addFamily: { family throws(StoreError) in try use { tables throws(SQLiteError) in try tables.add(family) } },
            liveFamilies: { () throws(StoreError) in try use { tables throws(SQLiteError) in try tables.liveFamilies() } },
            replaceFamily: { new, generation throws(StoreError) in
                try use { tables throws(SQLiteError) in try tables.replace(new, generation) }
            },
            revokeFamily: { id, elsewhere throws(StoreError) in
                try use { tables throws(SQLiteError) in try tables.revoke(id, elsewhere) }
            },
            endedElsewhere: { id, device throws(StoreError) in
                try use { tables throws(SQLiteError) in try tables.endedElsewhere(id, device) }
            },
            frozenAccounts: { () throws(StoreError) in try use { tables throws(SQLiteError) in try tables.frozenAccounts() } },
            attempts: { () throws(StoreError) in try use { tables throws(SQLiteError) in try tables.attempts() } },
            saveAttempt: { record throws(StoreError) in try use { tables throws(SQLiteError) in try tables.save(record) } },
            removeAttempt: { kind, key throws(StoreError) in try use { tables throws(SQLiteError) in try tables.removeAttempt(kind, key) }
            },
            removeDrained: { now throws(StoreError) in try use { tables throws(SQLiteError) in try tables.removeDrained(now) } },
            secret: { name, make throws(StoreError) in try use { tables throws(SQLiteError) in try tables.secret(name, make) } })
    }
}

private func translated<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreError) -> Value {
    do throws(SQLiteError) {
        return try body()
    } catch {
        switch error {
        case .full: throw .full
        case .constraint: throw .taken
        case .newer(let found, let known): throw .newer(found: found, known: known)
        case .corrupt(let reason): throw .corrupt(reason)
        case .busy, .readOnly, .other: throw .failed(error.reason)
        }
    }
}

/// The only SQL about accounts. Used under its owner's lock.
final class AccountTables: @unchecked Sendable {
    private let database: Database

    init(_ database: Database) throws(SQLiteError) {
        self.database = database
        try refuseDamage()
    }

    /// `corrupt` where a number is none that is ever written: SQLite vouches for pages, not for what rows say.
    private func refuseDamage() throws(SQLiteError) {
        let (times, levels, generations) = (StoredRange.times, StoredRange.levels, StoredRange.generations)
        let bounds: [SQLiteValue] = [.integer(times.lowerBound), .integer(times.upperBound)]
        let found = try database.query(
            "SELECT 'account' FROM account WHERE created_at NOT BETWEEN ?1 AND ?2 OR frozen NOT IN (0, 1) LIMIT 1", bounds
        ) { $0.text(0) }
        let families = try database.query(
            """
            SELECT 'family' FROM family WHERE signed_in_at NOT BETWEEN ?1 AND ?2 OR issued_at NOT BETWEEN ?1 AND ?2
            OR previous_issued_at NOT BETWEEN ?1 AND ?2 OR generation NOT BETWEEN ?3 AND ?4 OR revoked NOT IN (0, 1, 2) LIMIT 1
            """, bounds + [.integer(generations.lowerBound), .integer(generations.upperBound)]
        ) { $0.text(0) }
        let attempts = try database.query(
            """
            SELECT 'attempt' FROM attempt WHERE time NOT BETWEEN ?1 AND ?2 OR level NOT BETWEEN ?3 AND ?4
            OR kind NOT IN ('name', 'trading') LIMIT 1
            """, bounds + [.integer(levels.lowerBound), .integer(levels.upperBound)]
        ) { $0.text(0) }
        if let table = (found + families + attempts).first { throw .corrupt("a number out of range in table \(table)") }
    }

    static let first: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute(
            """
            CREATE TABLE account (
                id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, password TEXT NOT NULL, trading_password TEXT NOT NULL,
                frozen INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT;
            CREATE TABLE family (
                id TEXT PRIMARY KEY, account TEXT NOT NULL REFERENCES account(id), device TEXT NOT NULL, device_name TEXT NOT NULL,
                platform TEXT NOT NULL, generation INTEGER NOT NULL, signed_in_at INTEGER NOT NULL, issued_at INTEGER NOT NULL,
                previous_issued_at INTEGER NOT NULL, revoked INTEGER NOT NULL) STRICT;
            CREATE INDEX family_account ON family(account);
            CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
            """)
    }

    static let second: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute(
            """
            CREATE TABLE attempt (
                kind TEXT NOT NULL, key TEXT NOT NULL, level INTEGER NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (kind, key)) STRICT;
            """)
    }

    func add(_ record: AccountRecord) throws(SQLiteError) {
        _ = try database.run(
            "INSERT INTO account VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(record.id), .text(record.name), .text(record.passwordHash), .text(record.tradingPasswordHash),
                .integer(record.isFrozen ? 1 : 0), .integer(record.createdAt),
            ])
    }

    func hasAccounts() throws(SQLiteError) -> Bool {
        try database.query("SELECT 1 FROM account LIMIT 1") { _ in true }.isEmpty == false
    }

    /// `column`: a literal of this file.
    func account(_ column: String, _ value: String) throws(SQLiteError) -> AccountRecord? {
        try database.query(
            "SELECT id, name, password, trading_password, frozen, created_at FROM account WHERE \(column) = ?", [.text(value)]
        ) { row in
            AccountRecord(
                id: row.text(0), name: row.text(1), passwordHash: row.text(2), tradingPasswordHash: row.text(3),
                isFrozen: row.integer(4) != 0, createdAt: row.integer(5))
        }.first
    }

    func add(_ family: FamilyRecord) throws(SQLiteError) {
        _ = try database.run(
            "INSERT INTO family VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(family.id), .text(family.accountID), .text(family.deviceID), .text(family.deviceName), .text(family.platform),
                .integer(family.generation), .integer(family.signedInAt), .integer(family.issuedAt), .integer(family.previousIssuedAt),
                .integer(family.isRevoked ? 1 : 0),
            ])
    }

    func liveFamilies() throws(SQLiteError) -> [FamilyRecord] {
        try database.query(
            """
            SELECT id, account, device, device_name, platform, generation, signed_in_at, issued_at, previous_issued_at
            FROM family WHERE revoked = 0 ORDER BY signed_in_at, id
            """
        ) { row in
            FamilyRecord(
                id: row.text(0), accountID: row.text(1), deviceID: row.text(2), deviceName: row.text(3), platform: row.text(4),
                generation: row.integer(5), signedInAt: row.integer(6), issuedAt: row.integer(7), previousIssuedAt: row.integer(8))
        }
    }

    func replace(_ new: FamilyRecord, _ generation: Int64) throws(SQLiteError) -> Bool {
        try database.run(
            """
            UPDATE family SET generation = ?, issued_at = ?, previous_issued_at = ? WHERE id = ? AND generation = ? AND revoked = 0
            """,
            [.integer(new.generation), .integer(new.issuedAt), .integer(new.previousIssuedAt), .text(new.id), .integer(generation)]) == 1
    }

    /// `revoked`: 0 live, 1 ended, 2 ended by another device.
    func revoke(_ id: String, _ elsewhere: Bool) throws(SQLiteError) {
        _ = try database.run("UPDATE family SET revoked = ? WHERE id = ? AND revoked = 0", [.integer(elsewhere ? 2 : 1), .text(id)])
    }

    func endedElsewhere(_ id: String, _ device: String) throws(SQLiteError) -> Bool {
        try !database.query("SELECT 1 FROM family WHERE id = ? AND device = ? AND revoked = 2", [.text(id), .text(device)]) { _ in true }
            .isEmpty
    }

    func frozenAccounts() throws(SQLiteError) -> [String] {
        try database.query(
            """
            SELECT DISTINCT family.account FROM family LEFT JOIN account ON account.id = family.account
            WHERE family.revoked = 0 AND coalesce(account.frozen, 1) <> 0
            """
        ) { $0.text(0) }
    }

    func attempts() throws(SQLiteError) -> [AttemptRecord] {
        try database.query("SELECT kind, key, level, time FROM attempt") { row in
            AttemptRecord.Kind(rawValue: row.text(0)).map {
                AttemptRecord(kind: $0, key: row.text(1), level: row.integer(2), time: row.integer(3))
            }
        }.compactMap { $0 }
    }

    func save(_ record: AttemptRecord) throws(SQLiteError) {
        _ = try database.run(
            "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?)",
            [.text(record.kind.rawValue), .text(record.key), .integer(record.level), .integer(record.time)])
    }

    func removeAttempt(_ kind: AttemptRecord.Kind, _ key: String) throws(SQLiteError) {
        _ = try database.run("DELETE FROM attempt WHERE kind = ? AND key = ?", [.text(kind.rawValue), .text(key)])
    }

    func removeDrained(_ now: Int64) throws(SQLiteError) {
        _ = try database.run("DELETE FROM attempt WHERE kind = 'name' AND time + level <= ?", [.integer(now)])
    }

    func secret(_ name: String, _ make: () -> [UInt8]) throws(SQLiteError) -> [UInt8] {
        try database.transaction { () throws(SQLiteError) in
            if let known = try database.query("SELECT value FROM secret WHERE name = ?", [.text(name)], row: { $0.blob(0) }).first {
                return known
            }
            let fresh = make()
            _ = try database.run("INSERT INTO secret VALUES (?, ?)", [.text(name), .blob(fresh)])
            return fresh
        }
    }
}
