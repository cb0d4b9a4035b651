import Diagnostics
import Exact
import Feeds
import Foundation
import Instruments
import Messages
import SQLite
import Streams
import Synchronization
import Testing
import Texts

@testable import BarStore

/// Shipped tables, read once for all tests.
enum Shipped {
    static let facts = Result { () throws -> MarketFacts in try MarketFacts(DataFolder.locate()) }
}

/// A folder that goes away with the test.
final class TestFolder: Sendable {
    let path = NSTemporaryDirectory() + "causeway-bars-" + UUID().uuidString
    let lines = Mutex<[String]>([])
    var file: String { path + "/bars.sqlite" }
    var log: Log {
        Log { _, event, fields in
            self.lines.withLock { $0.append(event + fields.map { " \($0.name)=\($0.value)" }.joined()) }
        }
    }

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted() ?? [] }
}

/// The regular session of Monday 2026-11-30 in New York begins at 14:30 in UTC.
let opening: Int64 = 1_796_049_000_000_000_000
let second: Int64 = 1_000_000_000
let minute = 60 * second
let day = 86_400 * second

func trade(_ id: InstrumentID, _ time: Int64, _ price: Int64, _ size: Int64) -> FeedEvent {
    var tick = Tick()
    (tick.instrument, tick.timeNs, tick.price, tick.size) = (id.rawValue, time, price, size)
    tick.provenance = .live
    return FeedEvent(sequence: 1, time: MarketInstant(nanoseconds: time), body: .trade(tick))
}

func clock(_ time: Int64) -> FeedEvent {
    let reading = MarketClockReading(time: MarketInstant(nanoseconds: time), speedMicros: 1_000_000, epoch: 1)
    return FeedEvent(sequence: 1, time: reading.time, body: .clock(reading))
}

func bar(_ id: UInt32, _ start: Int64, _ close: Int64, day: Int32 = 20_261_130, volume: Int64 = 100) -> Bar {
    var bar = Bar()
    (bar.instrument, bar.period, bar.startNs, bar.tradingDay) = (id, .minute1, start, day)
    (bar.open, bar.high, bar.low, bar.close) = (close - 2, close + 3, close - 5, close)
    (bar.volume, bar.provenance) = (volume, .live)
    return bar
}

/// Issue 5.2, Q-5: what is kept of a live feed's minutes.
@Suite(.timeLimit(.minutes(5))) struct BarFileTests {
    private func stored(_ count: Int, from start: Int64 = opening) -> [StoredBar] {
        (0..<count).map { StoredBar(symbol: "AAPL.US", bar: bar(0, start + Int64($0) * minute, 150_000_000_000 + Int64($0))) }
    }

    private func read(_ path: String) throws -> [StoredBar] { try BarFile(path: path).bars() }

    @Test func whatIsWrittenIsReadAndReplaced() throws {
        let folder = try TestFolder()
        var bars = stored(3)
        bars[1].bar.turnover = 7
        (bars[2].bar.provenance, bars[2].bar.recordedOn) = (.delayed, 20_261_127)
        let file = try BarFile(path: folder.file)
        try file.write(bars)
        #expect(try file.bars() == bars)
        bars[1].bar.close += 1
        bars[1].bar.clearTurnover()
        try file.write([bars[1]])
        #expect(try read(folder.file) == bars)
        try file.prune(before: 20_261_201)
        #expect(try read(folder.file).isEmpty)
    }

    /// What a killed process leaves is what the files hold at that moment: after each row, with pages that spill into the file.
    @Test func aKillAtAnyWriteLeavesWholeBatches() throws {
        let folder = try TestFolder()
        let file = try BarFile(path: folder.file)
        try file.database.execute("PRAGMA cache_size = 1")
        let batches = (0..<4).map { stored(60, from: opening + Int64($0) * 60 * minute) }
        var spilled = 0
        for (number, batch) in batches.enumerated() {
            try file.database.transaction { () throws(SQLiteError) in
                for (row, bar) in batch.enumerated() {
                    try file.insert(bar)
                    let copy = folder.path + "/copy-\(number)-\(row)"
                    for suffix in ["", "-journal"] where access(folder.file + suffix, F_OK) == 0 {
                        try? FileManager.default.copyItem(atPath: folder.file + suffix, toPath: copy + suffix)
                    }
                    if access(copy + "-journal", F_OK) == 0 { spilled += 1 }
                }
            }
        }
        for number in batches.indices {
            let expected = batches.prefix(number).flatMap { $0 }
            for row in batches[number].indices {
                #expect(try read(folder.path + "/copy-\(number)-\(row)") == expected, "batch \(number) row \(row)")
            }
        }
        #expect(spilled > 0)
        #expect(try read(folder.file) == batches.flatMap { $0 })
    }

    @Test func aNewerFileIsRefusedUntouched() throws {
        let folder = try TestFolder()
        try BarFile(path: folder.file).database.execute("PRAGMA user_version = 3")
        let before = FileManager.default.contents(atPath: folder.file)
        let facts = try Shipped.facts.get()
        for step in 0..<2 {
            do throws(Failure) {
                if step == 0 {
                    try BarRecorder.refuseNewer(folder.file)
                } else {
                    _ = try BarRecorder(folder.file, facts: facts, days: 30, begin: MarketInstant(nanoseconds: opening), log: folder.log)
                }
                Issue.record("a newer file was taken")
            } catch {
                #expect(error.code.rawValue == "data.newer")
                #expect(error.arguments.map(\.value) == [folder.file, "3", "2"])
            }
        }
        #expect(FileManager.default.contents(atPath: folder.file) == before && folder.names == ["bars.sqlite"])
    }

    private enum Damage: CaseIterable { case text, page, row, schema, provenance }

    @Test(arguments: 0..<5) func aDamagedFileIsPutAside(number: Int) throws {
        let folder = try TestFolder()
        let file = try BarFile(path: folder.file)
        try file.write(stored(400))
        switch Damage.allCases[number] {
        case .text: try Data("no database, but long enough to look like one".utf8).write(to: URL(fileURLWithPath: folder.file))
        case .page:
            let handle = try #require(FileHandle(forWritingAtPath: folder.file))
            try handle.seek(toOffset: 8_192)
            try handle.write(contentsOf: Data(repeating: 0x5A, count: 4_096))
            try handle.close()
        case .row: try file.database.execute("UPDATE bar SET high = low - 1 WHERE start = \(opening / second)")
        case .schema: try file.database.execute("ALTER TABLE bar RENAME COLUMN volume TO other")
        case .provenance: try file.database.execute("UPDATE bar SET provenance = 9 WHERE start = \(opening / second)")
        }
        let damaged = FileManager.default.contents(atPath: folder.file)
        let opened = try BarFile.open(folder.file, log: folder.log)
        #expect(opened.bars.isEmpty)
        try opened.file.write(stored(1))
        #expect(try read(folder.file) == stored(1))
        #expect(FileManager.default.contents(atPath: folder.file + ".damaged-1") == damaged)
        let lines = folder.lines.withLock { $0 }
        #expect(lines.count == 1 && lines[0].hasPrefix("bars.put-aside file=\(folder.file).damaged-1 reason="), "\(lines)")
    }
}
