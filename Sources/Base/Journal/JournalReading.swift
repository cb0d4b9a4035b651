extension JournalLog {
    /// The segments in order of sequence.
    static func segments(in folder: FileFolder) throws(JournalError) -> [(name: String, after: UInt64)] {
        let names: [String]
        do throws(FileError) { names = try folder.list() } catch { throw JournalError(error) }
        return names.compactMap { name in
            guard name.hasSuffix(".journal"), let after = UInt64(name.dropLast(".journal".count)) else { return nil }
            return (name, after)
        }.sorted { $0.after < $1.after }
    }

    struct Scan {
        /// The offset after the last sound record, and that record's sequence.
        var end: Int
        var last: UInt64
        /// The segment's own head never reached the disk.
        var headTorn = false
    }

    /// Reads one segment to its last sound record. Throws `corrupt` where something that must be durable is damaged:
    /// sequences up to `atLeast`, or up to what a later sound record calls durable.
    static func scan(
        _ name: String, in folder: FileFolder, expecting after: UInt64, limits: Limits, atLeast: UInt64, isLast: Bool = true,
        visit: (UInt64, ArraySlice<UInt8>) throws -> Void = { _, _ in }
    ) throws(JournalError) -> Scan {
        let bytes: [UInt8]
        do throws(FileError) {
            let file = try folder.open(name)
            defer { file.close() }
            bytes = try file.read(0, try file.size())
        } catch { throw JournalError(error) }
        guard let head = SegmentHead.read(bytes) else {
            guard isLast, atLeast <= after, nextSound(in: bytes, from: 0, limit: limits.recordBytes) == nil else {
                throw .corrupt(file: name, offset: 0)
            }
            return Scan(end: 0, last: after, headTorn: true)
        }
        guard head.version <= SegmentHead.version else { throw .newer(file: name) }
        guard head.after == after else { throw .corrupt(file: name, offset: 8) }
        var offset = SegmentHead.bytes
        var last = after
        while let record = Record.read(bytes, at: offset, limit: limits.recordBytes), record.sequence == last + 1 {
            do { try visit(record.sequence, bytes[record.payload]) } catch { throw .corrupt(file: name, offset: offset) }
            last = record.sequence
            offset = record.payload.upperBound
        }
        guard offset < bytes.count else { return Scan(end: offset, last: last) }
        if !isLast || last < atLeast { throw .corrupt(file: name, offset: offset) }
        var search = offset
        while let next = nextSound(in: bytes, from: search, limit: limits.recordBytes) {
            if next.header.durableThrough > last { throw .corrupt(file: name, offset: offset) }
            search = next.header.payload.upperBound
        }
        return Scan(end: offset, last: last)
    }

    private static func nextSound(in bytes: [UInt8], from start: Int, limit: Int) -> (offset: Int, header: Record.Header)? {
        var offset = start
        let first = UInt8(truncatingIfNeeded: Record.mark)
        while offset + Record.headerBytes <= bytes.count {
            if bytes[offset] == first, let header = Record.read(bytes, at: offset, limit: limit) { return (offset, header) }
            offset += 1
        }
        return nil
    }

    /// Every durable record after `position`, in order. What `visit` throws is reported as damage at that record.
    package func replay(from position: JournalPosition, visit: (JournalPosition, ArraySlice<UInt8>) throws -> Void) throws(JournalError) {
        try Self.replay(try Self.segments(in: folder), in: folder, limits, from: position, through: durable, visit: visit)
    }

    static func replay(
        _ segments: [(name: String, after: UInt64)], in folder: FileFolder, _ limits: Limits, from position: JournalPosition,
        through durable: UInt64, visit: (JournalPosition, ArraySlice<UInt8>) throws -> Void
    ) throws(JournalError) {
        var reached: UInt64?
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if !isLast, segments[index + 1].after <= position.sequence { continue }
            if reached == nil, segment.after > position.sequence { throw .corrupt(file: segment.name, offset: 0) }
            if let reached, reached != segment.after { throw .corrupt(file: segment.name, offset: 0) }
            let scan = try scan(
                segment.name, in: folder, expecting: segment.after, limits: limits, atLeast: isLast ? durable : segments[index + 1].after,
                isLast: isLast
            ) { sequence, payload in
                guard sequence > position.sequence, sequence <= durable else { return }
                try visit(JournalPosition(sequence: sequence), payload)
            }
            reached = scan.last
        }
        if let reached, reached < durable { throw .corrupt(file: segments[segments.count - 1].name, offset: 0) }
    }
}

/// Snapshots: the state as of a record, written beside the segments and renamed into place once durable.
struct JournalSnapshots {
    let folder: FileFolder
    let limit: Int
    /// How many are kept: the newest, and one to fall back on.
    private static let kept = 2

    private func names() throws(JournalError) -> [(name: String, sequence: UInt64)] {
        let names: [String]
        do throws(FileError) { names = try folder.list() } catch { throw JournalError(error) }
        return names.compactMap { name in
            guard name.hasSuffix(".snapshot"), let sequence = UInt64(name.dropLast(".snapshot".count)) else { return nil }
            return (name, sequence)
        }.sorted { $0.sequence > $1.sequence }
    }

    func newestName() throws(JournalError) -> (name: String, sequence: UInt64)? { try names().first }

    func write(_ payload: [UInt8], at sequence: UInt64) throws(JournalError) {
        guard payload.count <= limit else { throw .tooLarge(bytes: payload.count, limit: limit) }
        let name = "\(SegmentHead.padded(sequence)).snapshot"
        var bytes = SegmentHead.make(after: sequence)
        bytes.append(littleEndian: UInt64(payload.count))
        bytes.append(littleEndian: CRC32C.checksum(payload))
        bytes.append(contentsOf: payload)
        do throws(FileError) {
            let file = try folder.open(name + ".tmp")
            defer { file.close() }
            try file.truncate(0)
            try file.write(bytes, 0)
            try file.sync()
            try folder.rename(name + ".tmp", name)
            try folder.sync()
        } catch { throw JournalError(error) }
        for old in try names().dropFirst(Self.kept) {
            do throws(FileError) { try folder.remove(old.name) } catch { throw JournalError(error) }
        }
    }

    /// The newest sound snapshot; a damaged one is passed over for the one before, for the log can rebuild what it held.
    func newest() throws(JournalError) -> (position: JournalPosition, payload: ArraySlice<UInt8>)? {
        for candidate in try names() {
            let bytes: [UInt8]
            do throws(FileError) {
                let file = try folder.open(candidate.name)
                defer { file.close() }
                bytes = try file.read(0, try file.size())
            } catch { throw JournalError(error) }
            guard let head = SegmentHead.read(bytes) else { continue }
            guard head.version <= SegmentHead.version else { throw .newer(file: candidate.name) }
            let start = SegmentHead.bytes + 12
            guard head.after == candidate.sequence, bytes.count >= start,
                bytes.littleEndian(UInt64.self, at: SegmentHead.bytes) == UInt64(bytes.count - start),
                bytes.littleEndian(UInt32.self, at: SegmentHead.bytes + 8) == CRC32C.checksum(bytes[start...])
            else { continue }
            return (JournalPosition(sequence: candidate.sequence), bytes[start...])
        }
        return nil
    }
}
