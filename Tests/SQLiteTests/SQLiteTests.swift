import Foundation
import Testing

@testable import SQLite

@Suite struct DatabaseTests {
    private func scratch() -> String { NSTemporaryDirectory() + "causeway-sqlite-" + UUID().uuidString + ".sqlite" }

    private static let makeTable: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute("CREATE TABLE a (x INTEGER)")
    }
    private static let addColumn: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try database.execute("ALTER TABLE a ADD COLUMN y TEXT; INSERT INTO a VALUES (1, 'one')")
    }
    private static let addColumnOnAFullDisk: @Sendable (Database) throws(SQLiteError) -> Void = { database throws(SQLiteError) in
        try addColumn(database)
        throw .full
    }

    private func migrate(_ database: Database, failing: Bool = false) -> SQLiteError? {
        let second = failing ? Self.addColumnOnAFullDisk : Self.addColumn
        let steps: [(Database) throws(SQLiteError) -> Void] = [Self.makeTable, second]
        do throws(SQLiteError) { try database.migrate(steps) } catch { return error }
        return nil
    }

    @Test("DB-1: an interrupted migration leaves the old version whole and is finished later")
    func interruptedMigration() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let database = try Database(path: path)
        #expect(migrate(database, failing: true) == .full)
        #expect(try database.userVersion() == 1)
        #expect(try database.hasColumn("y", in: "a") == false)
        #expect(migrate(database) == nil)
        #expect(try database.userVersion() == 2)
        #expect(try database.query("SELECT x, y FROM a") { "\($0.integer(0)) \($0.text(1))" } == ["1 one"])
    }

    @Test("DB-1: a file of a newer version is refused untouched")
    func newer() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Database(path: path).execute("PRAGMA user_version = 7")
        let before = try #require(FileManager.default.contents(atPath: path))
        let database = try Database(path: path)
        #expect(migrate(database) == .newer(found: 7, known: 2))
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    private func insertAndFail(_ database: Database) -> SQLiteError? {
        do throws(SQLiteError) {
            try database.transaction { () throws(SQLiteError) -> Void in
                _ = try database.run("INSERT INTO t VALUES (1, 'x', x'00')")
                throw SQLiteError.full
            }
        } catch {
            return error
        }
        return nil
    }

    @Test("A transaction that throws leaves nothing; values come back as they went in")
    func transaction() throws {
        let database = try Database(path: ":memory:")
        try database.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB) STRICT")
        #expect(insertAndFail(database) == .full)
        _ = try database.run("INSERT INTO t VALUES (?, ?, ?)", [.integer(.min), .text("腾讯 '; DROP TABLE t"), .blob([0, 255])])
        let rows = try database.query("SELECT a, b, c FROM t") { ($0.integer(0), $0.text(1), $0.blob(2)) }
        #expect(rows.count == 1 && rows[0].0 == .min && rows[0].1 == "腾讯 '; DROP TABLE t" && rows[0].2 == [0, 255])
    }

    @Test("What is no database is said to be damaged")
    func notADatabase() throws {
        let path = scratch()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 0x41, count: 4096).write(to: URL(fileURLWithPath: path))
        #expect(throws: SQLiteError.self) { _ = try Database(path: path).userVersion() }
    }
}
