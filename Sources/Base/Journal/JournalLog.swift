/// The append-only log itself, one caller at a time. `Journal` gives it a thread and groups its syncs.
///
/// A folder holds segments (`N.journal`, N = the sequence before its first record) and snapshots (`N.snapshot`).
package struct JournalLog {
    package struct Limits: Sendable {
        /// Largest payload of one record.
        package var recordBytes = 1 << 20
        /// A segment that has reached this is followed by a new one.
        package var segmentBytes = 64 << 20
        package var snapshotBytes = 1 << 30
        package init() {}
    }

    /// The file beside the segments that says how far records were acknowledged.
    package static let markName = "acknowledged"

    let folder: FileFolder
    let limits: Limits
    private let mark: HighWater
    private let notice: @Sendable (JournalNotice) -> Void
    private var markFails = false
    private var segment: File
    private var segmentName: String
    private var segmentEnd: Int
    /// The last record written, and the last one synced.
    private(set) var written: UInt64
    package private(set) var durable: UInt64
    private var durableEnd: Int
    private var state = State.open

    private static let roomBytes = 1 << 16

    private enum State { case open, halted, broken(String), closed }

    /// Opens the journal, sets a torn tail aside and makes the rest durable. Where acknowledged records are missing, or all of it is
    /// and `mustExist`, it throws and changes nothing.
    package init(
        folder: FileFolder, limits: Limits = Limits(), mustExist: Bool = false,
        notice: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws(JournalError) {
        try self.init(JournalContents(folder: folder, limits: limits, mustExist: mustExist, witness: nil), notice: notice)
    }

    /// Goes on from what was found, setting a torn tail aside and making the rest durable.
    init(_ contents: JournalContents, notice: @escaping @Sendable (JournalNotice) -> Void) throws(JournalError) {
        let (folder, found) = (contents.folder, contents.found)
        self.folder = folder
        limits = contents.limits
        self.notice = notice
        do throws(FileError) {
            for name in try folder.list() where name.hasSuffix(".tmp") { try folder.remove(name) }
        } catch { throw JournalError(error) }
        for name in found.torn { try Self.setHeadAside(name, in: folder, notice) }
        if let last = found.last {
            segment = try Self.trim(last.name, to: last.scan.end, in: folder, notice)
            segmentName = last.name
            segmentEnd = last.scan.end
        } else {
            (segment, segmentName) = try Self.makeSegment(after: 0, in: folder)
            segmentEnd = SegmentHead.bytes
        }
        durableEnd = segmentEnd
        written = found.last?.scan.last ?? 0
        durable = written
        if let known = found.mark {
            mark = known
            try mark.raiseDurably(to: durable)
        } else {
            if durable > 0 { notice(.markMissing(file: Self.markName)) }
            mark = try HighWater.make(Self.markName, in: folder, at: durable)
        }
    }

    /// Writes the records without syncing. Where they cannot be written nothing of them remains and the log halts until `resume`: what
    /// is enqueued behind them may rest on them.
    package mutating func write(_ payloads: [[UInt8]]) throws(JournalError) {
        try check()
        guard !payloads.isEmpty else { return }
        do throws(JournalError) {
            for payload in payloads where payload.count > limits.recordBytes {
                throw .tooLarge(bytes: payload.count, limit: limits.recordBytes)
            }
            if segmentEnd >= limits.segmentBytes { try turnOver() }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(payloads.reduce(0) { $0 + $1.count + Record.headerBytes })
            var sequence = written
            for payload in payloads {
                sequence += 1
                Record.append(payload, sequence: sequence, durableThrough: durable, to: &bytes)
            }
            do throws(FileError) { try segment.write(bytes, segmentEnd) } catch { throw JournalError(error) }
            segmentEnd += bytes.count
            written = sequence
        } catch {
            state = .halted
            throw error
        }
    }

    /// Makes everything written durable. A failed sync leaves the system's pages unknown, so the log is broken until opened anew.
    package mutating func sync() throws(JournalError) {
        try check()
        guard durable < written else { return }
        do throws(FileError) { try segment.sync() } catch {
            let reason = JournalError(error)
            state = .broken("\(reason)")
            throw reason
        }
        acknowledge()
    }

    /// Ends a group of writes: syncs the ones that succeeded, also where a later one of the group halted the log.
    mutating func syncWhatWasWritten() throws(JournalError) {
        guard case .halted = state, durable < written else {
            if case .open = state { try sync() }
            return
        }
        do throws(FileError) {
            try segment.truncate(segmentEnd)
            try segment.sync()
        } catch {
            let reason = JournalError(error)
            state = .broken("\(reason)")
            throw reason
        }
        acknowledge()
    }

    /// After a halt: cuts what is not durable off, so that the log ends where it was last acknowledged. Throws where there is still no room,
    /// which a write of `roomBytes` finds out.
    package mutating func resume() throws(JournalError) {
        switch state {
        case .open: return
        case .closed: throw .closed
        case .broken(let reason): throw .failed(reason: reason)
        case .halted: break
        }
        do throws(FileError) {
            try segment.truncate(durableEnd)
            do throws(FileError) {
                try segment.write([UInt8](repeating: 0, count: Self.roomBytes), durableEnd)
                try segment.sync()
            } catch {
                try? segment.truncate(durableEnd)
                throw error
            }
            try segment.truncate(durableEnd)
            try segment.sync()
        } catch { throw JournalError(error) }
        segmentEnd = durableEnd
        written = durable
        state = .open
    }

    package mutating func close() {
        segment.close()
        mark.close()
        state = .closed
    }

    /// What was written is on the disk: the mark follows. Where it cannot, it only lags.
    private mutating func acknowledge() {
        durable = written
        durableEnd = segmentEnd
        do throws(JournalError) {
            try mark.raise(to: durable)
            markFails = false
        } catch {
            if !markFails { notice(.markLags(file: Self.markName, reason: "\(error)")) }
            markFails = true
        }
    }

    private func check() throws(JournalError) {
        switch state {
        case .open: return
        case .halted: throw .halted
        case .broken(let reason): throw .failed(reason: reason)
        case .closed: throw .closed
        }
    }

    private mutating func turnOver() throws(JournalError) {
        // A segment is complete on disk before the next begins, so a tail is only ever torn in the last one.
        try sync()
        let made = try Self.makeSegment(after: written, in: folder)
        segment.close()
        segment = made.file
        segmentName = made.name
        segmentEnd = SegmentHead.bytes
        durableEnd = segmentEnd
    }

    private static func makeSegment(after sequence: UInt64, in folder: FileFolder) throws(JournalError) -> (file: File, name: String) {
        let name = SegmentHead.name(after: sequence)
        do throws(FileError) {
            let file = try folder.open(name)
            try file.truncate(0)
            try file.write(SegmentHead.make(after: sequence), 0)
            try file.sync()
            try folder.sync()
            return (file, name)
        } catch { throw JournalError(error) }
    }
}
