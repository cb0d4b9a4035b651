import SQLite

/// The only SQL about alerts. Used under its owner's lock.
final class AlertTables {
    private let database: Database

    init(_ database: Database) throws(SQLiteError) {
        self.database = database
        try refuseDamage()
    }

    static let first: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute(
            """
            CREATE TABLE alert (
                id INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL REFERENCES account(id), symbol TEXT NOT NULL,
                condition TEXT NOT NULL, threshold INTEGER NOT NULL, repeats INTEGER NOT NULL, armed INTEGER NOT NULL,
                since INTEGER NOT NULL) STRICT;
            CREATE TABLE firing (
                account TEXT NOT NULL REFERENCES account(id), number INTEGER NOT NULL, alert INTEGER NOT NULL, symbol TEXT NOT NULL,
                condition TEXT NOT NULL, threshold INTEGER NOT NULL, value INTEGER NOT NULL, time INTEGER NOT NULL,
                provenance TEXT NOT NULL, recorded_on INTEGER NOT NULL, PRIMARY KEY (account, number)) STRICT, WITHOUT ROWID;
            CREATE TABLE firing_mark (account TEXT PRIMARY KEY REFERENCES account(id), number INTEGER NOT NULL) STRICT;
            """)
    }

    /// Formulas beside figures.
    static let second: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute(
            """
            ALTER TABLE alert ADD COLUMN formula TEXT;
            ALTER TABLE alert ADD COLUMN period TEXT;
            ALTER TABLE firing ADD COLUMN formula TEXT;
            ALTER TABLE firing ADD COLUMN period TEXT;
            """)
    }

    private func refuseDamage() throws(SQLiteError) {
        let alerts = try database.query(
            """
            SELECT 'alert' FROM alert WHERE repeats NOT IN (0, 1) OR armed NOT IN (0, 1) OR since < 0
            OR (formula IS NULL) <> (period IS NULL) OR (formula IS NULL AND (threshold <= 0 OR (repeats = 0 AND armed = 0))) LIMIT 1
            """
        ) { $0.text(0) }
        let firings = try database.query(
            """
            SELECT 'firing' FROM firing WHERE number < 1 OR time < 0 OR (formula IS NULL) <> (period IS NULL)
            OR (formula IS NULL AND threshold <= 0) LIMIT 1
            """
        ) { $0.text(0) }
        let marks = try database.query(
            """
            SELECT 'firing_mark' FROM firing_mark WHERE number < 0
            OR number > coalesce((SELECT max(number) FROM firing WHERE firing.account = firing_mark.account), 0) LIMIT 1
            """
        ) { $0.text(0) }
        if let table = (alerts + firings + marks).first { throw .corrupt("a number out of range in table \(table)") }
    }

    func alerts() throws(SQLiteError) -> [AlertRecord] {
        try database.query(
            "SELECT id, account, symbol, condition, threshold, repeats, armed, since, formula, period FROM alert ORDER BY id"
        ) { row in
            AlertRecord(
                id: row.integer(0), account: row.text(1), symbol: row.text(2), condition: row.text(3), threshold: row.integer(4),
                formula: Self.formula(row, 8), repeats: row.integer(5) != 0, isArmed: row.integer(6) != 0, since: row.integer(7))
        }
    }

    private static func formula(_ row: Row, _ column: Int) -> FormulaRecord? {
        row.isNull(column) ? nil : FormulaRecord(text: row.text(column), period: row.text(column + 1))
    }

    private static func values(_ formula: FormulaRecord?) -> [SQLiteValue] {
        formula.map { [.text($0.text), .text($0.period)] } ?? [.null, .null]
    }

    func add(_ record: AlertRecord) throws(SQLiteError) -> Int64 {
        let ids = try database.query(
            """
            INSERT INTO alert (account, symbol, condition, threshold, repeats, armed, since, formula, period)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """,
            [
                .text(record.account), .text(record.symbol), .text(record.condition), .integer(record.threshold),
                .integer(record.repeats ? 1 : 0), .integer(record.isArmed ? 1 : 0), .integer(record.since),
            ] + Self.values(record.formula)
        ) { $0.integer(0) }
        guard let id = ids.first else { throw .other(code: 0, "an insert without its id") }
        return id
    }

    func remove(_ id: Int64, _ account: String) throws(SQLiteError) -> Bool {
        try database.run("DELETE FROM alert WHERE id = ? AND account = ?", [.integer(id), .text(account)]) == 1
    }

    func keep(_ changes: [AlertChange]) throws(SQLiteError) -> [FiringRecord] {
        try database.transaction { () throws(SQLiteError) in
            var new: [FiringRecord] = []
            for change in changes {
                switch change {
                case .rearmed(let alert, let time):
                    _ = try database.run(
                        "UPDATE alert SET armed = 1, since = ? WHERE id = ? AND repeats = 1", [.integer(time), .integer(alert)])
                case .judged(let alert, let time, let isTrue):
                    _ = try database.run(
                        "UPDATE alert SET armed = ?, since = ? WHERE id = ? AND formula IS NOT NULL",
                        [.integer(isTrue ? 0 : 1), .integer(time), .integer(alert)])
                case .fired(let firing): if let kept = try keep(firing) { new.append(kept) }
                }
            }
            return new
        }
    }

    private func keep(_ firing: FiringRecord) throws(SQLiteError) -> FiringRecord? {
        let rests = try database.run(
            "UPDATE alert SET armed = 0, since = ? WHERE id = ? AND account = ? AND repeats = 1 AND armed = 1",
            [.integer(firing.time), .integer(firing.alert), .text(firing.account)])
        let gone = try database.run(
            "DELETE FROM alert WHERE id = ? AND account = ? AND repeats = 0", [.integer(firing.alert), .text(firing.account)])
        guard rests + gone == 1 else { return nil }
        var firing = firing
        firing.number = try newest(firing.account) + 1
        _ = try database.run(
            "INSERT INTO firing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(firing.account), .integer(firing.number), .integer(firing.alert), .text(firing.symbol), .text(firing.condition),
                .integer(firing.threshold), .integer(firing.value), .integer(firing.time), .text(firing.provenance),
                .integer(firing.recordedOn),
            ] + Self.values(firing.formula))
        _ = try database.run(
            "DELETE FROM firing WHERE account = ? AND number <= ?",
            [.text(firing.account), .integer(firing.number - AlertStore.firingsKept)])
        return firing
    }

    private func newest(_ account: String) throws(SQLiteError) -> Int64 {
        try database.query("SELECT coalesce(max(number), 0) FROM firing WHERE account = ?", [.text(account)]) { $0.integer(0) }.first ?? 0
    }

    func firings(_ account: String, _ after: Int64, _ count: Int) throws(SQLiteError) -> [FiringRecord] {
        try database.query(
            """
            SELECT number, alert, symbol, condition, threshold, value, time, provenance, recorded_on, formula, period FROM firing
            WHERE account = ? AND number > ? ORDER BY number LIMIT ?
            """, [.text(account), .integer(after), .integer(Int64(count))]
        ) { row in
            FiringRecord(
                account: account, number: row.integer(0), alert: row.integer(1), symbol: row.text(2), condition: row.text(3),
                threshold: row.integer(4), formula: Self.formula(row, 9), value: row.integer(5), time: row.integer(6),
                provenance: row.text(7),
                recordedOn: row.integer(8))
        }
    }

    func acknowledged(_ account: String) throws(SQLiteError) -> Int64 {
        try database.query("SELECT number FROM firing_mark WHERE account = ?", [.text(account)]) { $0.integer(0) }.first ?? 0
    }

    func acknowledge(_ account: String, _ number: Int64) throws(SQLiteError) -> Int64 {
        try database.transaction { () throws(SQLiteError) in
            let known = try acknowledged(account)
            let reached = min(number, try newest(account))
            guard reached > known else { return known }
            _ = try database.run("INSERT OR REPLACE INTO firing_mark VALUES (?, ?)", [.text(account), .integer(reached)])
            return reached
        }
    }
}
