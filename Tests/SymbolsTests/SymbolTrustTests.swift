import Foundation
import Glibc
import Instruments
import SQLite
import Streams
import Testing
import Texts

@testable import Symbols

/// What someone who may write a file, or offer one, can make of it.
struct SymbolTrustTests {
    let scratch: Scratch
    let today: TradingDay
    let rows: [SymbolRow]
    let bytes: [UInt8]

    init() throws {
        scratch = try Scratch()
        today = try #require(TradingDay(yyyymmdd: 20_261_130))
        rows = try sampleRows(40)
        bytes = try databaseBytes(rows, scratch)
    }

    private func altered(_ statement: String, _ name: String = "altered.sqlite") throws -> String {
        let path = try scratch.write(bytes, name)
        try Database(path: path).execute(statement)
        return path
    }

    /// `meta` with another value and, as an attacker would, its hash made anew.
    private func forged(version: Int64, timestamp: String = "2026-03-23T00:00:00Z") throws -> String {
        let release = SymbolRelease(version: version, timestamp: timestamp, rows: rows.count, blocks: SymbolBlocks(of: rows))
        return try altered(
            "UPDATE meta SET value = '\(version)' WHERE name = 'version'; UPDATE meta SET value = '\(timestamp)' WHERE name = 'timestamp';"
                + "UPDATE meta SET value = '\(release.hash)' WHERE name = 'hash'")
    }

    @Test(arguments: [
        "UPDATE meta SET value = '9223372036854775807' WHERE name = 'version'",
        "UPDATE meta SET value = '2026032302' WHERE name = 'version'",
        "UPDATE meta SET value = '2026-03-24T00:00:00Z' WHERE name = 'timestamp'",
        "UPDATE meta SET value = '2026-03-23' || char(27) || '[2J' WHERE name = 'timestamp'",
        "UPDATE meta SET value = '60' WHERE name = 'rows'", "UPDATE meta SET value = '+2026032301' WHERE name = 'version'",
        "INSERT INTO meta VALUES ('note', 'x')", "DELETE FROM meta WHERE name = 'timestamp'",
    ])
    func allOfMetaIsUnderTheHash(statement: String) throws {  // H-1
        let path = try altered(statement)
        #expect(throws: Failure(.dataCorrupt, .init("path", path))) { try SymbolDatabase(path: path) }
        let target = scratch.file("own/symbols.sqlite")
        #expect(throws: Failure(.dataCorrupt, .init("path", path))) {
            try SymbolUpdate(path: target).run(fromFile: path, present: nil, today: today)
        }
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test(arguments: [
        (Int64.max, "2026-03-23T00:00:00Z"), (2_026_032_300, "2026-03-23T00:00:00Z"), (2_026_023_001, "2026-03-23T00:00:00Z"),
        (-2_026_032_301, "2026-03-23T00:00:00Z"), (2_026_032_301, "2026-03-23"), (2_026_032_301, "2026-03-23 00:00:00Z"),
        (2_026_032_301, "2026-03-23T00:00:00"), (2_026_032_301, "2026-03-23T24:00:00Z"), (2_026_032_301, "2026-02-30T00:00:00Z"),
        (2_026_032_301, "2026-03-23T00:00:00Z\u{1B}[2J"), (2_026_032_301, "2026-03-23T00:00:00.Z"),
        (2_026_032_301, "2026-03-23T00:00:00+8:00"), (2_026_032_301, "2026-03-23T00:00:00.0000000001Z"),
    ])
    func aReleaseOfNoDayOrTimeIsNone(version: Int64, timestamp: String) throws {  // H-1
        let path = try forged(version: version, timestamp: timestamp)
        #expect(throws: Failure(.dataCorrupt, .init("path", path))) { try SymbolDatabase(path: path) }
    }

    @Test(arguments: ["2026-03-23T00:00:00Z", "2026-03-23T08:00:00.5+08:00", "2026-03-23T23:59:59.123456789-11:30"])
    func timesAreRead(timestamp: String) throws {
        let path = try forged(version: 2_026_032_301, timestamp: timestamp)
        #expect(try SymbolDatabase(path: path).release.timestamp == timestamp)
    }

    /// With all hashes right, the day is what is left to look at.
    @Test func aReleaseOfFarDaysIsRefused() async throws {  // H-1
        let target = scratch.file("own/symbols.sqlite")
        let ahead = Failure(.symbolsAhead, .init("version", "2026120801"), .init("today", "2026-11-30"))
        let far = try forged(version: 2_026_120_801)
        #expect(throws: ahead) { try SymbolUpdate(path: target).run(fromFile: far, present: nil, today: today) }
        await #expect(throws: ahead) {
            try await SymbolUpdate(path: target).run(from: Origin(rows, version: 2_026_120_801).port(), present: nil, today: today)
        }
        let near = try forged(version: 2_026_120_701)
        #expect(try SymbolUpdate(path: target).run(fromFile: near, present: nil, today: today).version == 2_026_120_701)
        // One that came in all the same does not keep good ones out.
        _ = try scratch.write(bytes, "symbols.sqlite")
        try FileManager.default.createDirectory(atPath: scratch.file("symbols"), withIntermediateDirectories: true)
        _ = try scratch.write(bytes, "symbols/symbols.sqlite")
        let shelf = SymbolShelf(user: try forged(version: 2_026_120_801), shipped: DataFolder(path: scratch.path))
        let choice = try shelf.open(today: today)
        #expect(choice.refused == ahead && choice.database.path == shelf.shipped)
    }

    /// An origin that says another hash, time or number of rows than its blocks have; and the same version with another time.
    @Test func anOriginIsHeldToItsHash() async throws {  // H-1
        let target = scratch.file("own/symbols.sqlite")
        let right = Origin(rows).release
        func origin(_ release: SymbolRelease, _ hash: String) -> SymbolOrigin {
            var port = Origin(rows).port()
            port.release = { _ throws(Failure) in (release, hash) }
            return port
        }
        var other = right
        other.timestamp = "2026-04-02T00:00:00Z"
        for offer in [origin(other, right.hash), origin(right, other.hash)] {
            await #expect(throws: Failure(.symbolsHash)) {
                try await SymbolUpdate(path: target).run(from: offer, present: nil, today: today)
            }
        }
        let present = try SymbolDatabase(path: try scratch.write(bytes, "present.sqlite"))
        var same = present.release
        same.blocks = SymbolBlocks([])
        let current = origin(same, present.release.hash)
        #expect(try await SymbolUpdate(path: target).run(from: current, present: present, today: today).isCurrent)
        await #expect(throws: Failure(.symbolsConflict, .init("version", "2026032301"))) {
            try await SymbolUpdate(path: target).run(from: origin(same, right.hash), present: present, today: today)
        }
    }

    @Test(arguments: [
        "UPDATE instruments SET lot = 7 WHERE id = 1010", "UPDATE instruments SET lot = 'x' WHERE id = 1010",
        "UPDATE instruments SET decimals = -1 WHERE id = 1010", "UPDATE instruments SET decimals = 99 WHERE id = 1010",
        "UPDATE instruments SET name_en = '' WHERE id = 1010", "UPDATE instruments SET name_en = 'A' || char(27) || '[2J' WHERE id = 1010",
        "UPDATE instruments SET name_en = 'OTHER' WHERE id = 1010", "UPDATE instruments SET tick_table = '' WHERE id = 1010",
        "DELETE FROM instruments WHERE id = 1010", "DELETE FROM blocks", "DROP TABLE blocks", "DROP TABLE instruments",
        "UPDATE blocks SET hash = 'x'", "PRAGMA journal_mode = WAL", "PRAGMA application_id = 1; DELETE FROM meta",
    ])
    func aDamagedDatabaseGivesWayToTheShipped(statement: String) throws {  // H-1
        try FileManager.default.createDirectory(atPath: scratch.file("symbols"), withIntermediateDirectories: true)
        _ = try scratch.write(bytes, "symbols/symbols.sqlite")
        let own = try scratch.write(bytes, "own.sqlite")
        let verified = VerifiedFiles(folder: scratch.file("verified"))
        let shelf = SymbolShelf(user: own, shipped: DataFolder(path: scratch.path), verified: verified)
        #expect(try shelf.open(today: today).database.path == own)
        try Database(path: own).execute(statement)
        let choice = try shelf.open(today: today)
        #expect(choice.database.path == shelf.shipped)
        #expect(choice.refused != nil)
        #expect(shelf.discard(choice.refused))
        #expect(try shelf.open(today: today).refused == nil)
    }

    /// An index of SQLite's that does not hold what the table does would find nothing, or another.
    @Test func aWrongIndexIsDamage() throws {  // H-1
        let path = try altered(
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX instruments_by_symbol ON instruments (code)' "
                + "WHERE name = 'instruments_by_symbol'")
        let database = try SymbolDatabase(path: path)
        #expect(throws: Failure(.symbolsDamaged, .init("path", path))) { try database.verify() }
    }

    @Test func aFileIsReadWholeOnceAndAgainWhenItChanged() throws {  // H-1
        let verified = VerifiedFiles(folder: scratch.file("verified"))
        try FileManager.default.createDirectory(atPath: scratch.file("symbols"), withIntermediateDirectories: true)
        _ = try scratch.write(bytes, "symbols/symbols.sqlite")
        let shelf = SymbolShelf(user: nil, shipped: DataFolder(path: scratch.path), verified: verified)
        _ = try shelf.open(today: today)
        let marks = try FileManager.default.contentsOfDirectory(atPath: verified.folder)
        #expect(marks.count == 1)
        // Damage with the time of change set back: the file system's own time tells.
        let before = try FileManager.default.attributesOfItem(atPath: shelf.shipped)
        let handle = try #require(FileHandle(forWritingAtPath: shelf.shipped))
        try handle.seek(toOffset: UInt64(try #require(Data(bytes).range(of: Data("COMPANY 7".utf8))?.lowerBound)))
        try handle.write(contentsOf: Data("D".utf8))
        try handle.close()
        try FileManager.default.setAttributes([.modificationDate: before[.modificationDate] as Any], ofItemAtPath: shelf.shipped)
        #expect(throws: Failure(.symbolsDamaged, .init("path", shelf.shipped))) { try shelf.open(today: today) }
        // A mark that is none is not believed.
        try Data("causeway-verified 1\n".utf8).write(to: URL(fileURLWithPath: verified.folder + "/" + (try #require(marks.first))))
        #expect(throws: Failure(.symbolsDamaged, .init("path", shelf.shipped))) { try shelf.open(today: today) }
    }

    @Test func whatIsNoFileIsRefusedAtOnce() async throws {  // H-1
        let pipe = scratch.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, scratch.path, "/dev/zero"] {
            let corrupt = Failure(.dataCorrupt, .init("path", path))
            #expect(throws: corrupt) { try SymbolDatabase(path: path) }
            #expect(throws: corrupt) {
                try SymbolUpdate(path: scratch.file("own.sqlite")).run(fromFile: path, present: nil, today: today)
            }
        }
        // As a part that an earlier update left.
        let target = scratch.file("own.sqlite")
        let origin = Origin(rows)
        try FileManager.default.createDirectory(atPath: target + ".parts", withIntermediateDirectories: true)
        for block in origin.release.blocks.blocks { try #require(mkfifo(target + ".parts/" + block.hash, 0o600) == 0) }
        let report = try await SymbolUpdate(path: target).run(from: origin.port(), present: nil, today: today)
        #expect(report.fetched == origin.release.blocks.blocks.count)
    }

    /// A write-ahead log, a trigger, another table: the rows are taken and nothing else; nothing is left beside the database.
    @Test func aFileGivesItsRowsOnly() throws {  // H-1
        let offer = try altered(
            "CREATE TABLE more (x); CREATE TRIGGER t AFTER DELETE ON more BEGIN SELECT 1; END; PRAGMA journal_mode = WAL")
        let target = scratch.file("own/symbols.sqlite")
        #expect(try SymbolUpdate(path: target).run(fromFile: offer, present: nil, today: today).added == rows.count)
        #expect(try scratch.read("own/symbols.sqlite") == bytes)
        _ = try SymbolDatabase(path: target).allRows()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.file("own")).sorted() == [".symbols.lock", "symbols.sqlite"])
    }

    @Test func aBlockIsGivenOutWithItsHashOnly() throws {  // H-1
        let whole = try SymbolDatabase(path: try scratch.write(bytes, "whole.sqlite"))
        #expect(try whole.lines(block: 0).count == rows.count { $0.instrument.id.rawValue < 512 })
        #expect(try whole.lines(block: 77).isEmpty)
        let path = try altered("UPDATE instruments SET name_en = 'OTHER' WHERE id = 1010")
        #expect(throws: Failure(.symbolsDamaged, .init("path", path))) { try SymbolDatabase(path: path).lines(block: 1) }
    }
}
