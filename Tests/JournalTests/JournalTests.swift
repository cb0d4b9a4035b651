import Streams
import Foundation
import Synchronization
import Testing

@testable import Journal

/// N-5: acknowledged means on the disk.
struct JournalTests {
    private func limits(segment: Int = 600) -> JournalLog.Limits {
        var limits = JournalLog.Limits()
        limits.segmentBytes = segment
        limits.recordBytes = 4096
        return limits
    }

    private func contents(_ log: JournalLog, from position: UInt64 = 0) throws -> [[UInt8]] {
        var all: [[UInt8]] = []
        try log.replay(from: JournalPosition(sequence: position)) { at, payload in
            #expect(at.sequence == position + UInt64(all.count) + 1)
            all.append(Array(payload))
        }
        return all
    }

    @Test func checksumIsCastagnoli() {  // RFC 3720 B.4
        #expect(CRC32C.checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(CRC32C.checksum([UInt8](0..<32)) == 0x46DD_794E)
        #expect(CRC32C.checksum(Array("123456789".utf8)) == 0xE306_9283)
    }

    /// After any crash: every synced record is there, what follows is a prefix of what was written, and the log goes on.
    @Test(arguments: UInt64(0)..<300) func survivesCrashes(seed: UInt64) throws {  // N-5
        var dice = SeededRandom(seed: seed)
        let folder = CrashingFolder()
        var written: [[UInt8]] = []
        var synced = 0
        for _ in 0..<5 {
            var log = try JournalLog(folder: folder.port, limits: limits())
            let found = try contents(log)
            #expect(found.count >= synced)
            #expect(found == Array(written.prefix(found.count)))
            written = found
            synced = found.count
            for _ in 0..<dice.below(12) {
                let batch = (0..<dice.below(4)).map { _ in (0..<dice.below(80)).map { _ in UInt8(truncatingIfNeeded: dice.next()) } }
                try log.write(batch)
                written += batch
                if dice.below(2) == 0 {
                    try log.sync()
                    synced = written.count
                }
                synced = max(synced, Int(log.durable))
            }
            folder.crash(&dice)
        }
    }

    @Test(arguments: UInt64(0)..<100) func damageInTheMiddleIsSaid(seed: UInt64) throws {  // N-5
        var dice = SeededRandom(seed: seed)
        let folder = CrashingFolder()
        var log = try JournalLog(folder: folder.port, limits: limits(segment: 1 << 20))
        for number in 0..<10 {
            try log.write([[UInt8](repeating: UInt8(number), count: 20)])
            try log.sync()
        }
        let name = SegmentHead.name(after: 0)
        let victim = dice.below(9) * 48 + SegmentHead.bytes
        let offset = victim + dice.below(48)
        folder.disk.withLock { $0.seen[name]?[offset] ^= UInt8(1 + dice.below(255)) }
        let before = folder.disk.withLock { $0.seen }
        #expect(throws: JournalError.corrupt(file: name, offset: victim)) { try JournalLog(folder: folder.port, limits: limits()) }
        #expect(folder.disk.withLock { $0.seen } == before)
    }

    @Test func missingSegmentIsSaid() throws {  // N-5
        let folder = CrashingFolder()
        var log = try JournalLog(folder: folder.port, limits: limits(segment: 100))
        for number in 0..<9 {
            try log.write([[UInt8](repeating: UInt8(number), count: 40)])
            try log.sync()
        }
        let names = folder.disk.withLock { $0.seen.keys.sorted() }
        #expect(names.count > 3)
        try folder.port.remove(names[1])
        #expect(throws: JournalError.self) { try contents(log) }
    }

    @Test func newerVersionIsLeftUntouched() throws {
        let folder = CrashingFolder()
        var log = try JournalLog(folder: folder.port, limits: limits())
        try log.write([[1]])
        try log.sync()
        let name = SegmentHead.name(after: 0)
        folder.disk.withLock { disk in
            guard var bytes = disk.seen[name] else { return }
            bytes[4] = 2
            let crc = CRC32C.checksum(bytes[0..<16])
            for shift in 0..<4 { bytes[16 + shift] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(shift))) }
            disk.seen[name] = bytes
        }
        #expect(throws: JournalError.newer(file: name)) { try JournalLog(folder: folder.port, limits: limits()) }
    }

    @Test func fullDiskAcknowledgesNothingAndGoesOnAfterwards() async throws {  // N-5
        let folder = CrashingFolder()
        let journal = try Journal(folder: folder.port, limits: limits())
        #expect(try await journal.append([[1], [2]]) == JournalPosition(sequence: 2))
        folder.disk.withLock { $0.room = 10 }
        await #expect(throws: JournalError.full) { try await journal.append([[3]]) }
        await #expect(throws: JournalError.halted) { try await journal.append([[4]]) }
        #expect(throws: JournalError.full) { try journal.resume() }
        await #expect(throws: JournalError.halted) { try await journal.append([[4]]) }
        folder.disk.withLock { $0.room = 1 << 20 }
        try journal.resume()
        #expect(try await journal.append([[5]]) == JournalPosition(sequence: 3))
        journal.close()
        #expect(try contents(try JournalLog(folder: folder.port, limits: limits())) == [[1], [2], [5]])
    }

    @Test func failedSyncBreaksTheJournal() async throws {  // N-5
        let folder = CrashingFolder()
        let journal = try Journal(folder: folder.port, limits: limits())
        folder.disk.withLock { $0.failSync = true }
        await #expect(throws: JournalError.self) { try await journal.append([[1]]) }
        folder.disk.withLock { $0.failSync = false }
        #expect(throws: JournalError.self) { try journal.resume() }
        await #expect(throws: JournalError.self) { try await journal.append([[2]]) }
    }

    @Test func snapshotsShortenReplayAndADamagedOneIsPassedOver() async throws {  // N-5
        let folder = CrashingFolder()
        let journal = try Journal(folder: folder.port, limits: limits(segment: 100))
        for number in 1...6 { _ = try await journal.append([[UInt8](repeating: UInt8(number), count: 30)]) }
        try journal.writeSnapshot([42], at: JournalPosition(sequence: 2))
        try journal.writeSnapshot([43], at: JournalPosition(sequence: 5))
        #expect(throws: JournalError.self) { try journal.writeSnapshot([44], at: JournalPosition(sequence: 7)) }
        #expect(try journal.snapshot()?.payload == [43])
        var seen: [UInt64] = []
        try journal.replay(from: JournalPosition(sequence: 5)) { at, _ in seen.append(at.sequence) }
        #expect(seen == [6])
        let name = "\(SegmentHead.padded(5)).snapshot"
        folder.disk.withLock { $0.seen[name]?[30] ^= 1 }
        #expect(try journal.snapshot()?.position.sequence == 2)
    }

    @Test func tooLargeIsRefusedWhole() async throws {
        let journal = try Journal(folder: CrashingFolder().port, limits: limits())
        await #expect(throws: JournalError.tooLarge(bytes: 5000, limit: 4096)) {
            try await journal.append([[1], [UInt8](repeating: 0, count: 5000)])
        }
        // What was enqueued behind it may rest on it.
        await #expect(throws: JournalError.halted) { try await journal.append([[1]]) }
        try journal.resume()
        #expect(try await journal.append([[1]]) == JournalPosition(sequence: 1))
    }

    @Test func liveFilesKeepWhatWasAppended() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("causeway-journal-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let journal = try Journal(folder: .live(path: path))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { _ = try? await journal.append([[UInt8(number)]]) } }
        }
        journal.close()
        let log = try JournalLog(folder: .live(path: path), limits: JournalLog.Limits())
        #expect(Set(try contents(log).flatMap { $0 }) == Set(0..<100))
    }
}
