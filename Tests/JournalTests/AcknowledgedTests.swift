import Streams
import Synchronization
import Testing

@testable import Journal

/// N-5: what was acknowledged is all there, or opening says what is missing.
struct AcknowledgedTests {
    private let first = SegmentHead.name(after: 0)
    private static let record = Record.headerBytes + 20

    private func limits(segment: Int = 1 << 20) -> JournalLog.Limits {
        var limits = JournalLog.Limits()
        limits.segmentBytes = segment
        limits.recordBytes = 4096
        return limits
    }

    /// `count` acknowledged records of 20 bytes.
    private func filled(_ folder: CrashingFolder, _ count: Int, segment: Int = 1 << 20) throws {
        var log = try JournalLog(folder: folder.port, limits: limits(segment: segment))
        for number in 0..<count {
            try log.write([[UInt8](repeating: UInt8(number), count: 20)])
            try log.sync()
        }
        log.close()
    }

    private func contents(_ folder: CrashingFolder, segment: Int = 1 << 20) throws -> [[UInt8]] {
        let log = try JournalLog(folder: folder.port, limits: limits(segment: segment))
        var all: [[UInt8]] = []
        try log.replay(from: .start) { _, payload in all.append(Array(payload)) }
        return all
    }

    private func refused(_ folder: CrashingFolder, mustExist: Bool = false, _ error: JournalError) {
        let before = folder.disk.withLock { $0.seen }
        #expect(throws: error) { try JournalLog(folder: folder.port, limits: limits(), mustExist: mustExist) }
        #expect(folder.disk.withLock { $0.seen } == before)
    }

    @Test func aCutTailIsSaid() throws {
        let folder = CrashingFolder()
        try filled(folder, 5)
        let end = SegmentHead.bytes + 4 * Self.record
        folder.disk.withLock { $0.seen[first]?.removeLast(Self.record) }
        refused(folder, .incomplete(file: first, offset: end, missing: 1, witness: JournalLog.markName))
        folder.disk.withLock { $0.seen[first]?.removeLast(7) }
        refused(folder, .incomplete(file: first, offset: end - Self.record, missing: 2, witness: JournalLog.markName))
        try folder.port.remove(JournalLog.markName)
        #expect(try contents(folder).count == 3)  // The loss was accepted.
        #expect(folder.disk.withLock { $0.seen[JournalLog.markName] } != nil)
    }

    @Test func aFlippedTailIsSaid() throws {
        let folder = CrashingFolder()
        try filled(folder, 5)
        folder.disk.withLock { disk in disk.seen[first]?[SegmentHead.bytes + 5 * Self.record - 1] ^= 1 }
        refused(folder, .incomplete(file: first, offset: SegmentHead.bytes + 4 * Self.record, missing: 1, witness: JournalLog.markName))
    }

    @Test func anEmptiedOrMissingJournalIsSaid() throws {
        let folder = CrashingFolder()
        try filled(folder, 2)
        folder.disk.withLock { $0.seen[first] = [] }
        refused(folder, .incomplete(file: first, offset: 0, missing: 2, witness: JournalLog.markName))
        try folder.port.remove(first)
        refused(folder, .incomplete(file: first, offset: 0, missing: 2, witness: JournalLog.markName))
        try folder.port.remove(JournalLog.markName)
        refused(folder, mustExist: true, .absent)
        folder.disk.withLock { $0.seen[first] = [] }
        refused(folder, mustExist: true, .absent)
        #expect(try contents(folder).isEmpty)
    }

    @Test func aSnapshotAheadOfTheJournalIsSaid() throws {
        let folder = CrashingFolder()
        try filled(folder, 2)
        let journal = try Journal(folder: folder.port, limits: limits())
        try journal.writeSnapshot([1], at: JournalPosition(sequence: 2))
        journal.close()
        try folder.port.remove(JournalLog.markName)
        folder.disk.withLock { $0.seen[first]?.removeLast(Self.record) }
        let snapshot = "\(SegmentHead.padded(2)).snapshot"
        refused(folder, .incomplete(file: first, offset: SegmentHead.bytes + Self.record, missing: 1, witness: snapshot))
    }

    @Test func aTornTailIsSetAside() throws {
        let folder = CrashingFolder()
        try filled(folder, 2)
        let end = SegmentHead.bytes + 2 * Self.record
        let notices = Mutex<[JournalNotice]>([])
        for (tail, copy) in [([9, 8, 7], "\(first).torn-\(end)"), ([6], "\(first).torn-\(end).2")] as [([UInt8], String)] {
            folder.disk.withLock { $0.seen[first]? += tail }
            _ = try JournalLog(folder: folder.port, limits: limits()) { notice in notices.withLock { $0.append(notice) } }
            #expect(folder.disk.withLock { $0.seen[copy] } == tail)
            #expect(notices.withLock { $0.last } == .setAside(file: first, offset: end, bytes: tail.count, copy: copy))
        }
        #expect(try contents(folder).count == 2)
        #expect(notices.withLock { $0.count } == 2)
    }

    /// One piece of damage to a journal that was killed, not cut from power: all acknowledged records are there, or it is said.
    @Test(arguments: UInt64(0)..<400) func neverSilentlyFewer(seed: UInt64) throws {
        var dice = SeededRandom(seed: seed)
        let folder = CrashingFolder()
        var acknowledged = 0
        for _ in 0...dice.below(3) {
            var log = try JournalLog(folder: folder.port, limits: limits(segment: 300))
            for _ in 0..<dice.below(12) {
                let batch = (0..<dice.below(4)).map { _ in (0..<dice.below(60)).map { _ in UInt8(truncatingIfNeeded: dice.next()) } }
                try log.write(batch)
                if dice.below(3) != 0 { try log.sync() }
                acknowledged = Int(log.durable)
            }
        }
        damage(folder, &dice)
        do {
            let found = try contents(folder, segment: 300).count
            #expect(found >= acknowledged)
        } catch let error as JournalError {
            switch error {
            case .corrupt, .incomplete: break
            default: Issue.record(error)
            }
        }
    }

    private func damage(_ folder: CrashingFolder, _ dice: inout SeededRandom) {
        folder.disk.withLock { disk in
            let names = disk.seen.keys.sorted()
            let name = names[dice.below(names.count)]
            let count = disk.seen[name]?.count ?? 0
            switch dice.below(name == JournalLog.markName ? 2 : 4) {
            case 0 where count > 0: disk.seen[name]?[dice.below(count)] ^= UInt8(1 + dice.below(255))
            case 1 where count > 0: disk.seen[name]?.removeLast(1 + dice.below(count))
            case 2: disk.seen[name] = []
            case 3: disk.seen[name] = nil
            default: break
            }
        }
    }

    /// After power cuts a mark says no more than was promised, and no less than was durably.
    @Test(arguments: UInt64(0)..<200) func aMarkNeverLeads(seed: UInt64) throws {
        var dice = SeededRandom(seed: seed)
        let folder = CrashingFolder()
        var (promised, durable) = (UInt64(0), UInt64(0))
        let made = try HighWater.make("mark", in: folder.port, at: 0)
        made.close()
        for _ in 0..<6 {
            let mark = try #require(try HighWater.open("mark", in: folder.port))
            #expect(mark.value <= promised && mark.value >= durable)
            for _ in 0..<dice.below(8) {
                promised = max(promised, mark.value + UInt64(dice.below(50)))
                if dice.below(3) == 0 {
                    try mark.raiseDurably(to: promised)
                    durable = promised
                } else {
                    try mark.raise(to: promised)
                }
                #expect(mark.value == promised)
            }
            folder.crash(&dice)
        }
    }
}
