import Bars
import Diagnostics
import Glibc
import Messages
import SQLite
import Streams

/// A minute as it is kept: ids may change between releases, symbols of a day do not.
struct StoredBar: Hashable, Sendable {
    var symbol: String
    /// `instrument` is not kept.
    var bar: Bar
}

/// The only SQL about bars: minutes by canonical symbol and start, in one file. Used under its owner's lock.
final class BarFile: @unchecked Sendable {
    let database: Database

    /// Throws where the file is damaged or of a newer version, and changes nothing then.
    init(path: String) throws(SQLiteError) {
        database = try Database(path: path)
        try database.quickCheck()
        try database.migrate([Self.first, Self.partial])
    }

    /// `start` in seconds since 1970: minutes begin on whole ones.
    private static let first: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute(
            """
            CREATE TABLE bar (
                symbol TEXT NOT NULL, start INTEGER NOT NULL, day INTEGER NOT NULL, open INTEGER NOT NULL, high INTEGER NOT NULL,
                low INTEGER NOT NULL, close INTEGER NOT NULL, volume INTEGER NOT NULL, turnover INTEGER, provenance INTEGER NOT NULL,
                recorded_on INTEGER NOT NULL, PRIMARY KEY (symbol, start)) STRICT, WITHOUT ROWID
            """)
    }

    /// Whether something of the minute was not heard: of those kept before nobody knows.
    private static let partial: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute("ALTER TABLE bar ADD COLUMN partial INTEGER NOT NULL DEFAULT 0")
    }

    /// How many steps lead to the newest form.
    fileprivate static let version = 2

    private static let second: Int64 = 1_000_000_000

    /// All of them or none; what was there of the same minute is replaced.
    func write(_ bars: [StoredBar]) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in for bar in bars { try insert(bar) } }
    }

    func insert(_ stored: StoredBar) throws(SQLiteError) {
        let bar = stored.bar
        try database.run(
            "INSERT OR REPLACE INTO bar VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(stored.symbol), .integer(bar.startNs / Self.second), .integer(Int64(bar.tradingDay)), .integer(bar.open),
                .integer(bar.high), .integer(bar.low), .integer(bar.close), .integer(bar.volume),
                bar.hasTurnover ? .integer(bar.turnover) : .null, .integer(Int64(bar.provenance.rawValue)),
                .integer(Int64(bar.recordedOn)), .integer(bar.partial ? 1 : 0),
            ])
    }

    /// Forgets what is of days before that one (yyyymmdd).
    func prune(before day: Int32) throws(SQLiteError) { try database.run("DELETE FROM bar WHERE day < ?", [.integer(Int64(day))]) }

    /// All, by symbol and time. `corrupt` where a row says what is never written: SQLite vouches for pages, not for what rows say.
    func bars() throws(SQLiteError) -> [StoredBar] {
        let rows = try database.query(
            """
            SELECT symbol, start, day, open, high, low, close, volume, turnover, provenance, recorded_on, partial FROM bar
            ORDER BY symbol, start
            """, row: Self.stored)
        let bars = rows.compactMap { $0 }
        guard bars.count == rows.count else { throw .corrupt("a number out of range in table bar") }
        return bars
    }

    private static func stored(_ row: Row) -> StoredBar? {
        var bar = Bar()
        bar.period = .minute1
        let (start, overflow) = row.integer(1).multipliedReportingOverflow(by: second)
        guard !overflow, let day = Int32(exactly: row.integer(2)), TradingDay(yyyymmdd: day) != nil,
            let recordedOn = Int32(exactly: row.integer(10)), recordedOn == 0 || TradingDay(yyyymmdd: recordedOn) != nil,
            (0...1).contains(row.integer(11)), let number = Int(exactly: row.integer(9)),
            (Provenance.live.rawValue...Provenance.simulated.rawValue).contains(number)
        else { return nil }
        let provenance = Provenance(rawValue: number)
        (bar.startNs, bar.tradingDay, bar.recordedOn, bar.provenance) = (start, day, recordedOn, provenance)
        (bar.open, bar.high, bar.low, bar.close) = (row.integer(3), row.integer(4), row.integer(5), row.integer(6))
        bar.volume = row.integer(7)
        bar.partial = row.integer(11) == 1
        if !row.isNull(8) { bar.turnover = row.integer(8) }
        return bar.isConsistent ? StoredBar(symbol: row.text(0), bar: bar) : nil
    }
}

extension BarFile {
    /// The file and what is in it. One that is damaged is put aside, which is logged, and a new one begun.
    static func open(_ path: String, log: Log) throws(SQLiteError) -> (file: BarFile, bars: [StoredBar]) {
        do throws(SQLiteError) { return try opened(path) } catch {
            guard error.isDamage else { throw error }
            log.write(.warning, "bars.put-aside", [(name: "file", value: try putAside(path)), (name: "reason", value: "\(error)")])
        }
        return try opened(path)
    }

    private static func opened(_ path: String) throws(SQLiteError) -> (file: BarFile, bars: [StoredBar]) {
        let file = try BarFile(path: path)
        return (file, try file.bars())
    }

    /// Its new path, the first of `PATH.damaged-1`, … that is free; its journal goes with it.
    private static func putAside(_ path: String) throws(SQLiteError) -> String {
        for number in 1...99_999 where access("\(path).damaged-\(number)", F_OK) != 0 {
            guard rename(path, "\(path).damaged-\(number)") == 0 else { throw .other(code: errno, "cannot be moved") }
            _ = rename("\(path)-journal", "\(path).damaged-\(number)-journal")
            return "\(path).damaged-\(number)"
        }
        throw .other(code: 0, "too many are kept beside it")
    }

    /// Throws `newer` where the file is of a newer version; changes nothing, and says nothing about damage.
    static func refuseNewer(_ path: String) throws(SQLiteError) {
        guard access(path, F_OK) == 0, let database = try? Database(readingOnly: path), let found = try? database.userVersion(),
            found > version
        else { return }
        throw .newer(found: found, known: version)
    }
}

extension SQLiteError {
    /// The file is not what was written; not that it cannot be read or written now. A wrong schema is a plain error to SQLite.
    fileprivate var isDamage: Bool {
        switch self {
        case .corrupt, .constraint: true
        case .other(let code, _): code & 0xFF == 1
        case .full, .busy, .readOnly, .newer: false
        }
    }
}
