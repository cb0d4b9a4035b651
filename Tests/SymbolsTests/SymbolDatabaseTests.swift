import Foundation
import Instruments
import SQLite
import Streams
import Testing
import Texts

@testable import Symbols

/// A folder of its own that goes with it.
final class Scratch {
    let path = NSTemporaryDirectory() + "symbols-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func file(_ name: String) -> String { path + "/" + name }
    func write(_ bytes: [UInt8], _ name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
    func read(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: file(name)))) }
}

private let shippedTable = Result { try MarketFacts(DataFolder.locate()).instruments }

/// Rows of every shape: shares in several blocks, contracts.
func sampleRows(_ count: Int = 700) throws -> [SymbolRow] {
    let table = try shippedTable.get()
    var rows = table.all.map { SymbolRow($0) }
    let tencent = try #require(rows.first { $0.instrument.symbol == "700.HK" })
    for number in 0..<count {
        var row = tencent
        row.instrument.id = InstrumentID(1_001 + UInt32(number))
        row.instrument.code = String(60_001 + number)
        row.instrument.symbol = "\(60_001 + number).HK"
        row.instrument.names.english = "COMPANY \(number)"
        row.isin = "HK" + String(1_000_000_000 + number)
        row.flags = [.stampDuty, .cleared]
        rows.append(row)
    }
    return rows
}

func databaseBytes(_ rows: [SymbolRow], version: Int64 = 2_026_032_301, _ scratch: Scratch) throws -> [UInt8] {
    try SymbolFile.bytes(rows, version: version, timestamp: "2026-03-23T00:00:00Z", workingIn: scratch.path)
}

struct SymbolDatabaseTests {
    let scratch: Scratch
    init() throws { scratch = try Scratch() }

    @Test func aLineReadsBack() throws {
        for row in try sampleRows(3) {
            #expect(try SymbolRow(line: row.line) == row)
            #expect(throws: SymbolRowFault.self) { try SymbolRow(line: row.line + "\t") }
        }
        let line = try #require(try sampleRows(1).last).line
        for (from, to) in [
            ("\tHKD\t", "\thkd\t"), ("\tXHKG\t", "\tXXXX\t"), ("\t10000000000\t", "\t0\t"), ("\t17\t", "\t017\t"), ("HK1", "1"),
        ] {
            #expect(throws: SymbolRowFault.self) { try SymbolRow(line: line.replacingOccurrences(of: from, with: to)) }
        }
    }

    @Test func theSameRowsGiveTheSameBytes() throws {  // H-4
        let rows = try sampleRows()
        let bytes = try databaseBytes(rows, scratch)
        #expect(try databaseBytes(rows.reversed(), scratch) == bytes)
        let path = try scratch.write(bytes, "symbols.sqlite")
        let database = try SymbolDatabase(path: path)
        try database.verify()
        #expect(try database.allRows() == rows.sorted { $0.instrument.id < $1.instrument.id })
        #expect(database.release.rows == rows.count)
        #expect(try database.instrument(id: InstrumentID(1))?.symbol == "700.HK")
        #expect(try database.instruments(code: "00700").map(\.symbol) == ["700.HK"])
        #expect(try database.instruments(symbol: "HSI2612.HKFE").count == 1)
        #expect(try database.instruments(product: "HSI").count == 4)
        let day = try #require(TradingDay(yyyymmdd: 20_261_130))
        #expect(try database.resolve("HSIZ6", on: day).get().symbol == "HSI2612.HKFE")
        #expect(
            database.resolve("600519", on: day) == .failure(Failure(.symbolNotCarried, .init("symbol", "600519"), .init("market", "SH"))))
        #expect(try scratch.read("symbols.sqlite") == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["symbols.sqlite"])
    }

    @Test func aChangedByteIsFound() throws {  // H-1
        let bytes = try databaseBytes(try sampleRows(40), scratch)
        let place = try #require(Data(bytes).range(of: Data("COMPANY 7".utf8))?.lowerBound)
        var damaged = bytes
        damaged[place] = 68
        let path = try scratch.write(damaged, "damaged.sqlite")
        let database = try SymbolDatabase(path: path)
        #expect(throws: Failure(.symbolsDamaged, .init("path", path))) { try database.verify() }
    }

    @Test(arguments: [0, 1, 100, 5_000, 20_000])
    func aCutFileIsRefused(length: Int) throws {
        let bytes = try databaseBytes(try sampleRows(100), scratch)
        let path = try scratch.write(Array(bytes.prefix(length)), "cut.sqlite")
        #expect(throws: Failure.self) { try SymbolDatabase(path: path).verify() }
    }

    @Test func aNewerFileIsRefusedUntouched() throws {  // DB-1
        let path = try scratch.write(try databaseBytes(try sampleRows(3), scratch), "newer.sqlite")
        try Database(path: path).execute("PRAGMA user_version = 99")
        let before = try scratch.read("newer.sqlite")
        #expect(throws: Failure(.dataNewer, .init("path", path))) { try SymbolDatabase(path: path, mayMigrate: true) }
        #expect(try scratch.read("newer.sqlite") == before)
        #expect(throws: Failure.self) { try SymbolDatabase(path: scratch.file("none.sqlite")) }
        #expect(!FileManager.default.fileExists(atPath: scratch.file("none.sqlite")))
    }
}

/// A database as the first version of the schema wrote it.
struct SymbolMigrationTests {
    let scratch: Scratch
    let rows: [SymbolRow]

    init() throws {
        scratch = try Scratch()
        rows = try sampleRows(5).map { SymbolRow($0.instrument) }
    }

    private func firstVersion(_ name: String) throws -> String {
        let path = scratch.file(name)
        let database = try Database(path: path)
        try SymbolSchema.migrate(database, to: 1)
        for row in rows {
            let fields = row.line.split(separator: "\t", omittingEmptySubsequences: false).prefix(21).map { field -> SQLiteValue in
                field.isEmpty ? .null : .text(String(field))
            }
            try database.run("INSERT INTO instruments VALUES (\([String](repeating: "?", count: 21).joined(separator: ",")))", fields)
        }
        for (name, value) in [
            ("version", "2026010101"), ("timestamp", "2026-01-01T00:00:00Z"), ("rows", String(rows.count)), ("hash", "old"),
        ] {
            try database.run("INSERT INTO meta VALUES (?, ?)", [.text(name), .text(value)])
        }
        return path
    }

    private func isWhole(_ path: String) throws {
        let database = try SymbolDatabase(path: path, mayMigrate: true)
        try database.verify()
        #expect(try database.allRows() == rows.sorted { $0.instrument.id < $1.instrument.id })
        #expect(database.release.version == 2_026_010_101)
    }

    @Test func anOlderSchemaIsBroughtUpToDate() throws {  // H-1
        let path = try firstVersion("old.sqlite")
        #expect(throws: Failure(.dataCorrupt, .init("path", path))) { try SymbolDatabase(path: path) }
        try isWhole(path)
    }

    @Test func aColumnThatIsThereAlreadyIsNoFault() throws {  // DB-1
        let path = try firstVersion("half.sqlite")
        try Database(path: path).execute("ALTER TABLE instruments ADD COLUMN isin TEXT NOT NULL DEFAULT ''")
        try isWhole(path)
    }

    /// At every statement the program ends: what lies on the disk then, with its journal, is the old version or a newer one, whole.
    @Test func aMigrationMayEndAtAnyStatement() throws {  // H-1, DB-1
        struct Stop: Error {}
        var statement = 0
        var reached = true
        while reached {
            reached = false
            let path = try firstVersion("stop-\(statement).sqlite")
            let copy = scratch.file("copy-\(statement).sqlite")
            let database = try Database(path: path)
            do throws(SQLiteError) {
                try SymbolSchema.migrate(database) { number throws(SQLiteError) in
                    guard number == statement else { return }
                    for end in ["", "-journal"] { try? FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
                    throw .full
                }
            } catch {
                reached = true
                #expect(error == .full)
                let version = try database.userVersion()
                #expect((1..<SymbolSchema.newest).contains(version))
                #expect(try database.query("SELECT count(*) FROM instruments") { Int($0.integer(0)) } == [rows.count])
                let copied = try Database(path: copy)
                try copied.quickCheck()
                #expect(try copied.userVersion() == version)
                try isWhole(copy)
                try isWhole(path)
            }
            statement += 1
        }
        #expect(statement > 8)
    }
}
