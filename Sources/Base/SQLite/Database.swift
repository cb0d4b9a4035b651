import CSQLite
import Glibc

/// What SQLite says, by what a caller can do about it. Messages name tables and columns, never values.
public enum SQLiteError: Error, Hashable, Sendable {
    /// The disk is full or the size limit is reached.
    case full
    /// Another process holds the file.
    case busy
    /// The file is no database or is damaged.
    case corrupt(String)
    case readOnly
    /// A unique, foreign-key or check rule.
    case constraint(String)
    /// Written by a newer version: its `user_version` and the newest known here.
    case newer(found: Int, known: Int)
    case other(code: Int32, String)

    /// For a reader, mostly in SQLite's words.
    public var reason: String {
        switch self {
        case .full: "No space left on device"
        case .busy: "database is locked"
        case .readOnly: "attempt to write a readonly database"
        case .newer: "was written by a newer version"
        case .corrupt(let text), .constraint(let text), .other(_, let text): text
        }
    }
}

/// A value in a column or parameter.
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// One connection and its prepared statements. Not thread-safe by itself: its owner is one actor or stands behind one lock.
public final class Database {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// `:memory:` makes one that is gone with this object. A new file gets mode 0600, which SQLite gives its journal too. Full
    /// synchronisation: what was committed survives a power cut.
    public init(path: String) throws(SQLiteError) {
        if path != ":memory:" {
            let made = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if made >= 0 { Glibc.close(made) }
        }
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            let error = Self.error(status, opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, 2_000)
        try execute("PRAGMA foreign_keys = ON")
    }

    /// Opens a file that is there, for reading only: nothing of it is changed, and no file is made beside it.
    public init(readingOnly path: String) throws(SQLiteError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard status == SQLITE_OK, let opened else {
            let error = Self.error(status, opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(handle, 2_000)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs statements that give no rows and take no parameters.
    public func execute(_ script: String) throws(SQLiteError) {
        try check(sqlite3_exec(handle, script, nil, nil, nil))
    }

    /// Runs one prepared statement; the rows it gives are read by `row`.
    @discardableResult
    public func query<Value>(_ sql: String, _ parameters: [SQLiteValue] = [], row: (Row) -> Value) throws(SQLiteError) -> [Value] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        precondition(Int(sqlite3_bind_parameter_count(statement)) == parameters.count, "parameters do not match: \(sql)")
        for (index, parameter) in parameters.enumerated() { try check(Self.bind(parameter, statement, Int32(index + 1))) }
        var values: [Value] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: values.append(row(Row(statement: statement)))
            case SQLITE_DONE: return values
            case let status: throw Self.error(status, handle)
            }
        }
    }

    /// Runs one prepared statement; answers how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ parameters: [SQLiteValue] = []) throws(SQLiteError) -> Int {
        try query(sql, parameters) { _ in }
        return Int(sqlite3_changes(handle))
    }

    /// All or nothing. Not nested.
    public func transaction<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// Brings the schema to version `steps.count`: step n leads from n to n + 1, each in a transaction with `user_version`, so an
    /// interrupted one starts again whole. A file of a newer version is refused untouched.
    public func migrate(_ steps: [(Database) throws(SQLiteError) -> Void]) throws(SQLiteError) {
        let found = try userVersion()
        guard found <= steps.count else { throw .newer(found: found, known: steps.count) }
        for version in found..<steps.count {
            try transaction { () throws(SQLiteError) in
                // Another process may have been faster.
                guard try userVersion() == version else { return }
                try steps[version](self)
                try execute("PRAGMA user_version = \(version + 1)")
            }
        }
    }

    /// As `quickCheck`, and that every index holds what its table does.
    public func fullCheck() throws(SQLiteError) {
        let found = try query("PRAGMA integrity_check(1)") { $0.text(0) }
        if found != ["ok"] { throw .corrupt(found.first ?? "no answer") }
    }

    /// Reads the whole file; throws `corrupt` with the first thing that is wrong.
    public func quickCheck() throws(SQLiteError) {
        let found = try query("PRAGMA quick_check(1)") { $0.text(0) }
        if found != ["ok"] { throw .corrupt(found.first ?? "no answer") }
    }

    public func userVersion() throws(SQLiteError) -> Int {
        Int(try query("PRAGMA user_version") { $0.integer(0) }.first ?? 0)
    }

    /// Whether the table has that column: for a step that may find its work half done by an older program.
    public func hasColumn(_ column: String, in table: String) throws(SQLiteError) -> Bool {
        try query("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", [.text(table), .text(column)]) { _ in true }.isEmpty == false
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { preconditionFailure("an empty statement: \(sql)") }
        statements[sql] = statement
        return statement
    }

    private func check(_ status: Int32) throws(SQLiteError) {
        if status != SQLITE_OK { throw Self.error(status, handle) }
    }

    private static func bind(_ value: SQLiteValue, _ statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .text(let text): causeway_sqlite_bind_text(statement, index, text, Int32(text.utf8.count))
        case .blob(let bytes): causeway_sqlite_bind_blob(statement, index, bytes, Int32(bytes.count))
        }
    }

    private static func error(_ status: Int32, _ handle: OpaquePointer?) -> SQLiteError {
        let message = handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(status))
        return switch status & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt(message)
        case SQLITE_READONLY: .readOnly
        case SQLITE_CONSTRAINT: .constraint(message)
        default: .other(code: status, message)
        }
    }
}

/// A row while it is read; not kept.
public struct Row {
    let statement: OpaquePointer

    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    public func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    public func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
