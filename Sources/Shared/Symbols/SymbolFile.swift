import Foundation
import Instruments
import SQLite
import Sealed
public import Texts

/// Makes the database's bytes of its rows: the same rows and release give the same bytes, whoever makes them and when.
public enum SymbolFile {
    /// - Parameters:
    ///   - rows: in any order; ids are unique.
    ///   - version: a day and a number from 1 to 99.
    ///   - timestamp: RFC 3339.
    ///   - folder: where the work files lie while it runs.
    public static func bytes(_ rows: [SymbolRow], version: Int64, timestamp: String, workingIn folder: String) throws(Failure) -> [UInt8] {
        let work = folder + "/" + workPrefix + Base64URL.encode(randomBytes(9))
        let (draft, packed) = (work + "/draft", work + "/packed")
        do { try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true) } catch {
            throw Failure(.storageFailed, .init("reason", "folder"))
        }
        defer { try? FileManager.default.removeItem(atPath: work) }
        do throws(SQLiteError) { try write(rows, version, timestamp, draft, packed) } catch { throw error.failure(draft) }
        guard let data = FileManager.default.contents(atPath: packed), data.count >= 100 else {
            throw Failure(.storageFailed, .init("reason", "symbols"))
        }
        var bytes = [UInt8](data)
        // The file's change counter and the library's version number are no part of the contents (SQLite file format, 1.3).
        for (place, value) in [(24, 1), (92, 1), (96, 3_040_000)] {
            for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        return bytes
    }

    /// What the names of work folders begin with; one of a killed program stays behind.
    static let workPrefix = ".symbols-"

    static let headerBytes = 100

    /// Whether a file begins as SQLite's do.
    static func isDatabase(_ bytes: [UInt8]) -> Bool {
        bytes.count >= headerBytes && bytes.starts(with: Array("SQLite format 3".utf8) + [0])
    }

    /// The header's read and write versions (SQLite file format, 1.3).
    static func usesWriteAheadLog(_ bytes: [UInt8]) -> Bool { bytes[18] != 1 || bytes[19] != 1 }

    private static func write(_ rows: [SymbolRow], _ version: Int64, _ timestamp: String, _ draft: String, _ packed: String)
        throws(SQLiteError)
    {
        let database = try Database(path: draft)
        try database.execute("PRAGMA page_size = 4096")
        try database.execute("PRAGMA synchronous = OFF")
        try SymbolSchema.migrate(database)
        let release = SymbolRelease(version: version, timestamp: timestamp, rows: rows.count, blocks: SymbolBlocks(of: rows))
        precondition(release.isWellFormed, "no release: version \(version), timestamp \(timestamp)")
        let marks = [String](repeating: "?", count: SymbolRow.fieldCount).joined(separator: ", ")
        try database.transaction { () throws(SQLiteError) in
            for row in rows.sorted(by: { $0.instrument.id < $1.instrument.id }) {
                try database.run("INSERT INTO instruments VALUES (\(marks))", values(row))
            }
            for block in release.blocks.blocks {
                try database.run("INSERT INTO blocks VALUES (?, ?)", [.integer(Int64(block.number)), .text(block.hash)])
            }
            for (name, value) in [
                ("hash", release.hash), ("rows", String(rows.count)), ("timestamp", timestamp), ("version", String(version)),
            ] {
                try database.run("INSERT INTO meta VALUES (?, ?)", [.text(name), .text(value)])
            }
        }
        try database.run("VACUUM INTO ?", [.text(packed)])
    }

    private static func values(_ row: SymbolRow) -> [SQLiteValue] {
        let numeric: Set<Int> = [0, 9, 10, 11, 13, 14, 16, 17, 18, 19, 20, 22, 24]
        let fields = row.line.split(separator: "\t", omittingEmptySubsequences: false)
        return fields.enumerated().map { place, field in
            if numeric.contains(place) { return Int64(field).map { .integer($0) } ?? .null }
            return place == 15 && field.isEmpty ? .null : .text(String(field))
        }
    }
}
