import Foundation
import Instruments
import SQLite
import Sealed
import Streams
import Synchronization
import Testing
import Texts

@testable import Symbols

/// A server of one release, whose line may end at any request.
final class Origin: Sendable {
    let release: SymbolRelease
    let lines: [UInt32: [String]]
    let asked = Mutex<Int>(0)

    init(_ rows: [SymbolRow], version: Int64 = 2_026_040_101) {
        release = SymbolRelease(version: version, timestamp: "2026-04-01T00:00:00Z", rows: rows.count, blocks: SymbolBlocks(of: rows))
        lines = Dictionary(grouping: rows.sorted { $0.instrument.id < $1.instrument.id }) { $0.instrument.id.rawValue / SymbolBlocks.size }
            .mapValues { rows in rows.map(\.line) }
    }

    /// - Parameter damage: what becomes of the lines of the n-th answer; nil: the connection is lost.
    func port(_ damage: @escaping @Sendable (Int, [String]) -> [String]? = { _, lines in lines }) -> SymbolOrigin {
        SymbolOrigin(
            release: { _ throws(Failure) in (self.release, self.release.hash) },
            block: { number throws(Failure) in
                let count = self.asked.withLock { count in
                    count += 1
                    return count
                }
                guard let lines = damage(count - 1, self.lines[number] ?? []) else { throw Failure(.connectionLost) }
                return lines
            })
    }
}

struct SymbolUpdateTests {
    let scratch: Scratch
    let today: TradingDay
    let old: [SymbolRow]
    let new: [SymbolRow]
    let path: String
    let before: [UInt8]

    init() throws {
        scratch = try Scratch()
        today = try #require(TradingDay(yyyymmdd: 20_261_130))
        let releases = try Self.releases.get()
        (old, new, before) = (releases.old, releases.new, releases.bytes)
        path = try scratch.write(before, "symbols.sqlite")
    }

    /// The newer has one row more, one less and one of another name, in three blocks of four.
    private static let releases = Result { () throws -> (old: [SymbolRow], new: [SymbolRow], bytes: [UInt8]) in
        let old = try sampleRows()
        var rows = old
        rows[30].instrument.names.english = "RENAMED"
        rows.removeAll { $0.instrument.id == InstrumentID(1_600) }
        var last = try #require(old.last)
        last.instrument.id = InstrumentID(9_000)
        (last.instrument.code, last.instrument.symbol) = ("99999", "99999.HK")
        return (old, rows + [last], try databaseBytes(old, Scratch()))
    }

    private func present() throws -> SymbolDatabase { try SymbolDatabase(path: path) }

    @Test func onlyWhatDiffersIsFetched() async throws {  // H-1
        let origin = Origin(new)
        let report = try await SymbolUpdate(path: path).run(from: origin.port(), present: try present(), today: today)
        #expect(report == .init(from: 2_026_032_301, version: 2_026_040_101, added: 1, changed: 1, removed: 1, fetched: 3))
        let database = try present()
        try database.verify()
        #expect(database.release == origin.release)
        let expected = try SymbolFile.bytes(new, version: 2_026_040_101, timestamp: "2026-04-01T00:00:00Z", workingIn: scratch.path)
        #expect(try scratch.read("symbols.sqlite") == expected)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [".symbols.lock", "symbols.sqlite"])
        let again = try await SymbolUpdate(path: path).run(from: origin.port(), present: database, today: today)
        #expect(again.isCurrent && again.fetched == 0)
    }

    @Test func withoutADatabaseAllIsFetched() async throws {
        let target = scratch.file("none/symbols.sqlite")
        let report = try await SymbolUpdate(path: target).run(from: Origin(new).port(), present: nil, today: today)
        #expect(report.added == new.count && report.from == nil)
        try SymbolDatabase(path: target).verify()
    }

    @Test func olderAndConflictingOffersAreRefused() async throws {  // H-1
        await #expect(throws: Failure(.symbolsOlder, .init("offered", "2026010101"), .init("present", "2026032301"))) {
            try await SymbolUpdate(path: path).run(from: Origin(new, version: 2_026_010_101).port(), present: try present(), today: today)
        }
        await #expect(throws: Failure(.symbolsConflict, .init("version", "2026032301"))) {
            try await SymbolUpdate(path: path).run(from: Origin(new, version: 2_026_032_301).port(), present: try present(), today: today)
        }
        #expect(try scratch.read("symbols.sqlite") == before)
    }

    /// The line ends before an answer: the old one serves, and the next try asks only for the rest.
    @Test(arguments: 0..<3)
    func anUpdateGoesOnWhereItWasCut(answer: Int) async throws {  // H-1
        let origin = Origin(new)
        await #expect(throws: Failure(.connectionLost)) {
            try await SymbolUpdate(path: path).run(from: origin.port { $0 == answer ? nil : $1 }, present: try present(), today: today)
        }
        #expect(try scratch.read("symbols.sqlite") == before)
        let report = try await SymbolUpdate(path: path).run(from: origin.port(), present: try present(), today: today)
        #expect(report.fetched == 3 - answer)
        #expect(try present().release == origin.release)
    }

    /// An answer that ends at any byte, or has any byte changed, is refused by its hash.
    @Test(arguments: UInt64(0)..<60)
    func aDamagedAnswerIsRefused(seed: UInt64) async throws {  // H-1
        let origin = Origin(new)
        await #expect(throws: Failure(.symbolsHash)) {
            try await SymbolUpdate(path: path).run(
                from: origin.port { number, lines in
                    guard number == Int(seed % 3) else { return lines }
                    var bytes = Array(lines.joined(separator: "\n").utf8)
                    let place = Int((seed &* 0x9E37_79B9_7F4A_7C15) >> 20) % bytes.count
                    if seed.isMultiple(of: 2) { bytes.removeSubrange(place...) } else { bytes[place] ^= 1 }
                    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map {
                        String($0)
                    }
                }, present: try present(), today: today)
        }
        #expect(try scratch.read("symbols.sqlite") == before)
    }

    /// A part that a cut-off program left half written is fetched again.
    @Test(arguments: UInt64(0)..<20)
    func aHalfWrittenPartIsFetchedAgain(seed: UInt64) async throws {  // H-1
        let origin = Origin(new)
        await #expect(throws: Failure(.connectionLost)) {
            try await SymbolUpdate(path: path).run(from: origin.port { $0 == 2 ? nil : $1 }, present: try present(), today: today)
        }
        let parts = path + ".parts"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: parts).min())
        let bytes = try #require(FileManager.default.contents(atPath: parts + "/" + name))
        let length = Int((seed &* 0x9E37_79B9_7F4A_7C15) >> 20) % bytes.count
        try bytes.prefix(length).write(to: URL(fileURLWithPath: parts + "/" + name))
        let report = try await SymbolUpdate(path: path).run(from: origin.port(), present: try present(), today: today)
        #expect(report.fetched == 2)
        #expect(try present().release == origin.release)
    }

    /// A file that ends at any byte is refused; a whole one is taken as it is.
    @Test(arguments: UInt64(0)..<24)
    func aFileIsTakenWholeOrNotAtAll(seed: UInt64) throws {  // H-1
        let bytes = try SymbolFile.bytes(
            Array(new.dropLast(50)), version: 2_026_040_101, timestamp: "2026-04-01T00:00:00Z", workingIn: scratch.path)
        let cut = seed == 0 ? bytes.count : Int((seed &* 0x9E37_79B9_7F4A_7C15) >> 20) % bytes.count
        let file = try scratch.write(Array(bytes.prefix(cut)), "offer.sqlite")
        if cut == bytes.count {
            #expect(try SymbolUpdate(path: path).run(fromFile: file, present: try present(), today: today).version == 2_026_040_101)
            #expect(try scratch.read("symbols.sqlite") == bytes)
        } else {
            #expect(throws: Failure.self) { try SymbolUpdate(path: path).run(fromFile: file, present: try present(), today: today) }
            #expect(try scratch.read("symbols.sqlite") == before)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
                ".symbols.lock", "offer.sqlite", "symbols.sqlite",
            ])
    }

    @Test func theNewerThatIsWholeServes() async throws {  // H-1
        try FileManager.default.createDirectory(atPath: scratch.file("symbols"), withIntermediateDirectories: true)
        let own = scratch.file("own.sqlite")
        _ = try scratch.write(before, "symbols/symbols.sqlite")
        let shelf = SymbolShelf(user: own, shipped: DataFolder(path: scratch.path))
        #expect(try shelf.open(today: today).database.release.version == 2_026_032_301)
        _ = try await SymbolUpdate(path: own).run(from: Origin(new).port(), present: try shelf.open(today: today).database, today: today)
        #expect(try shelf.open(today: today).database.path == own)
        _ = try scratch.write(Array(try scratch.read("own.sqlite").prefix(3_000)), "own.sqlite")
        let choice = try shelf.open(today: today)
        #expect(choice.database.release.version == 2_026_032_301)
        #expect(choice.refused != nil)
    }

    /// Well hashed, and nearly nothing in it: the rows that are here stay.
    @Test func anOfferThatLacksATenthIsRefused() async throws {  // H-1
        let update = SymbolUpdate(path: path)
        let tenth = old.count / 10
        let shrunk = Failure(.symbolsShrunk, .init("removed", String(tenth + 1)), .init("present", String(old.count)))
        func file(_ rows: [SymbolRow]) throws -> String {
            try scratch.write(databaseBytes(rows, version: 2_026_040_101, scratch), "offer.sqlite")
        }
        #expect(throws: Failure(.symbolsEmpty)) { try update.run(fromFile: file([]), present: try present(), today: today) }
        #expect(throws: Failure(.symbolsEmpty)) { try update.run(fromFile: file([]), present: nil, today: today) }
        await #expect(throws: Failure(.symbolsEmpty)) { try await update.run(from: Origin([]).port(), present: nil, today: today) }
        #expect(throws: shrunk) { try update.run(fromFile: file(Array(old.dropLast(tenth + 1))), present: try present(), today: today) }
        await #expect(throws: shrunk) {
            try await update.run(from: Origin(Array(old.dropLast(tenth + 1))).port(), present: try present(), today: today)
        }
        #expect(try scratch.read("symbols.sqlite") == before)
        #expect(try update.run(fromFile: file(Array(old.dropLast(tenth))), present: try present(), today: today).removed == tenth)
    }

    /// Whatever came in, the release that was shipped is taken back; one that an earlier program took without its rows does not serve.
    @Test func theShippedIsAlwaysTakenBack() throws {  // H-1
        try FileManager.default.createDirectory(atPath: scratch.file("symbols"), withIntermediateDirectories: true)
        let offer = try scratch.write(before, "symbols/symbols.sqlite")
        let own = try scratch.write(databaseBytes(Array(old.dropLast(50)), version: 2_026_113_099, scratch), "own.sqlite")
        let shelf = SymbolShelf(user: own, shipped: DataFolder(path: scratch.path))
        let shipped = try shelf.openShipped().release
        let choice = try shelf.open(today: today)
        #expect(choice.database.path == own)
        let update = SymbolUpdate(path: own)
        #expect(throws: Failure(.symbolsOlder, .init("offered", "2026032301"), .init("present", "2026113099"))) {
            try update.run(fromFile: offer, present: choice.database, today: today)
        }
        let report = try update.run(fromFile: offer, present: choice.database, shipped: shipped, today: today)
        #expect(report.added == 50 && report.version == 2_026_032_301)
        #expect(try shelf.open(today: today).database.release == shipped)
        _ = try scratch.write(databaseBytes([], version: 2_026_113_099, scratch), "own.sqlite")
        let empty = try shelf.open(today: today)
        #expect(empty.database.path == shelf.shipped && empty.refused?.code == .symbolsShrunk)
        #expect(shelf.discard(empty.refused))
    }

    /// What killed updates left goes with the next one; while one runs, another neither sweeps nor begins.
    @Test func whatKilledUpdatesLeftIsSwept() throws {  // H-1
        let left = [".symbols-aaaa", ".symbols-trial-bbbb", "symbols.sqlite.new-cccc", "symbols.index.new-dddd"]
        for name in left where name.hasPrefix(".") {
            try FileManager.default.createDirectory(atPath: scratch.file(name), withIntermediateDirectories: true)
        }
        for name in left { _ = try scratch.write([1], name + (name.hasPrefix(".") ? "/draft" : "")) }
        _ = try scratch.write([1], "other")
        let update = SymbolUpdate(path: path)
        let offer = try scratch.write(databaseBytes(new, version: 2_026_040_101, scratch), "offer.sqlite")
        var running = try FileLock.tryAcquire(scratch.file(".symbols.lock"))
        #expect(running != nil)
        #expect(throws: Failure(.dataInUse, .init("path", scratch.path))) {
            try update.run(fromFile: offer, present: try present(), today: today)
        }
        #expect(FileManager.default.fileExists(atPath: scratch.file(left[0])))
        running = nil
        _ = try update.run(fromFile: offer, present: try present(), today: today)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
                ".symbols.lock", "offer.sqlite", "other", "symbols.sqlite",
            ])
    }
}
