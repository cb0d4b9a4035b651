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

    let folder: FileFolder
    let limits: Limits
    private var segment: File
    private var segmentName: String
    private var segmentEnd: Int
    /// The last record written, and the last one synced.
    private(set) var written: UInt64
    package private(set) var durable: UInt64
    private var durableEnd: Int
    private var state = State.open

    private enum State { case open, halted, broken(String), closed }

    /// Opens the journal, cuts a torn tail off and makes the rest durable.
    package init(folder: FileFolder, limits: Limits = Limits()) throws(JournalError) {
        self.folder = folder
        self.limits = limits
        do throws(FileError) {
            for name in try folder.list() where name.hasSuffix(".tmp") { try folder.remove(name) }
        } catch { throw JournalError(error) }
        let snapshot = try JournalSnapshots(folder: folder, limit: limits.snapshotBytes).newestSequence()
        var segments = try Self.segments(in: folder)
        while true {
            guard let last = segments.last else { break }
            let scan = try Self.scan(last.name, in: folder, expecting: last.after, limits: limits, atLeast: snapshot)
            if scan.headTorn {
                // The crash came while the segment was being made: nothing durable can be in it.
                segments.removeLast()
                do throws(FileError) {
                    try folder.remove(last.name)
                    try folder.sync()
                } catch { throw JournalError(error) }
                continue
            }
            do throws(FileError) {
                let file = try folder.open(last.name)
                if try file.size() != scan.end { try file.truncate(scan.end) }
                try file.sync()
                segment = file
            } catch { throw JournalError(error) }
            segmentName = last.name
            segmentEnd = scan.end
            durableEnd = scan.end
            written = scan.last
            durable = scan.last
            guard durable >= snapshot else { throw .corrupt(file: last.name, offset: scan.end) }
            return
        }
        guard snapshot == 0 else { throw .corrupt(file: SegmentHead.name(after: 0), offset: 0) }
        let made = try Self.makeSegment(after: 0, in: folder)
        segment = made.file
        segmentName = made.name
        segmentEnd = SegmentHead.bytes
        durableEnd = segmentEnd
        written = 0
        durable = 0
    }

    /// Writes the records without syncing. On a full disk nothing of them remains and the log halts until `resume`.
    package mutating func write(_ payloads: [[UInt8]]) throws(JournalError) {
        try check()
        guard !payloads.isEmpty else { return }
        for payload in payloads where payload.count > limits.recordBytes {
            throw .tooLarge(bytes: payload.count, limit: limits.recordBytes)
        }
        do throws(JournalError) {
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
        durable = written
        durableEnd = segmentEnd
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
        durable = written
        durableEnd = segmentEnd
    }

    /// After a halt: cuts what is not durable off, so that the log ends where it was last acknowledged.
    package mutating func resume() throws(JournalError) {
        switch state {
        case .open: return
        case .closed: throw .closed
        case .broken(let reason): throw .failed(reason: reason)
        case .halted: break
        }
        do throws(FileError) {
            try segment.truncate(durableEnd)
            try segment.sync()
        } catch { throw JournalError(error) }
        segmentEnd = durableEnd
        written = durable
        state = .open
    }

    package mutating func close() {
        segment.close()
        state = .closed
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
