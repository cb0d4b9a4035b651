/// A place in the journal: the sequence of a record, from 1. Zero is before the first.
public struct JournalPosition: Hashable, Comparable, Sendable {
    public var sequence: UInt64
    public init(sequence: UInt64) { self.sequence = sequence }
    public static func < (a: Self, b: Self) -> Bool { a.sequence < b.sequence }
    public static let start = JournalPosition(sequence: 0)
}

/// Why the journal cannot do what was asked.
public enum JournalError: Error, Hashable, Sendable {
    /// No room: nothing of the batch is in the journal. Appends are refused until `resume`.
    case full
    /// Reading or writing failed. After a failed sync the journal is unusable until it is opened again.
    case failed(reason: String)
    /// Damage before the last durable record; nothing was changed.
    case corrupt(file: String, offset: Int)
    /// The records end at `offset` of `file`, `missing` fewer than were acknowledged by what `witness` says; nothing was changed.
    case incomplete(file: String, offset: Int, missing: UInt64, witness: String)
    /// There is no journal where there must be one; nothing was changed.
    case absent
    /// Written by a newer version; nothing was changed.
    case newer(file: String)
    case tooLarge(bytes: Int, limit: Int)
    /// An earlier batch failed; nothing of this one was written.
    case halted
    case closed

    init(_ error: FileError) {
        switch error {
        case .full: self = .full
        case .missing, .failed: self = .failed(reason: error.reason)
        }
    }
}

/// What happened without harm to what was acknowledged, for a log.
public enum JournalNotice: Hashable, Sendable {
    /// Bytes after the last sound record, never acknowledged, went into `copy`.
    case setAside(file: String, offset: Int, bytes: Int, copy: String)
    /// The mark of what is acknowledged could not be written; it says less than is on the disk.
    case markLags(file: String, reason: String)
    /// Records are there and the mark is not: nothing said how many there must be.
    case markMissing(file: String)
}

/// The record form, little endian:
/// mark (4) · length of payload (4) · CRC-32C of all that follows (4) · sequence (8) · durable through (8) · payload.
/// *Durable through* is the last sequence known synced when this record was written: a damaged record whose sequence a later
/// record calls durable is corruption; one that nobody calls durable is a torn tail.
enum Record {
    static let mark: UInt32 = 0x4A57_43A7
    static let headerBytes = 28

    struct Header {
        var sequence: UInt64
        var durableThrough: UInt64
        var payload: Range<Int>
    }

    static func append(_ payload: [UInt8], sequence: UInt64, durableThrough: UInt64, to bytes: inout [UInt8]) {
        bytes.append(littleEndian: mark)
        bytes.append(littleEndian: UInt32(payload.count))
        let sum = bytes.count
        bytes.append(littleEndian: UInt32(0))
        bytes.append(littleEndian: sequence)
        bytes.append(littleEndian: durableThrough)
        bytes.append(contentsOf: payload)
        let crc = CRC32C.checksum(bytes[(sum + 4)...])
        for shift in 0..<4 { bytes[sum + shift] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(shift))) }
    }

    /// The record at `offset`, nil where there is none that is whole and sound.
    static func read(_ bytes: [UInt8], at offset: Int, limit: Int) -> Header? {
        guard offset >= 0, bytes.count - offset >= headerBytes, bytes.littleEndian(UInt32.self, at: offset) == mark else { return nil }
        let length = Int(bytes.littleEndian(UInt32.self, at: offset + 4))
        guard length <= limit, bytes.count - offset - headerBytes >= length else { return nil }
        let end = offset + headerBytes + length
        guard CRC32C.checksum(bytes[(offset + 12)..<end]) == bytes.littleEndian(UInt32.self, at: offset + 8) else { return nil }
        return Header(
            sequence: bytes.littleEndian(UInt64.self, at: offset + 12), durableThrough: bytes.littleEndian(UInt64.self, at: offset + 20),
            payload: offset + headerBytes..<end)
    }
}

/// The head of a segment file: magic (4) · version (4) · sequence before its first record (8) · CRC-32C of these (4).
enum SegmentHead {
    static let magic: UInt32 = 0x314A_5743  // "CWJ1"
    static let version: UInt32 = 1
    static let bytes = 20

    static func make(after sequence: UInt64) -> [UInt8] {
        var head: [UInt8] = []
        head.append(littleEndian: magic)
        head.append(littleEndian: version)
        head.append(littleEndian: sequence)
        head.append(littleEndian: CRC32C.checksum(head))
        return head
    }

    /// Nil where the head is torn or damaged.
    static func read(_ bytes: [UInt8]) -> (version: UInt32, after: UInt64)? {
        guard bytes.count >= Self.bytes, bytes.littleEndian(UInt32.self, at: 0) == magic,
            CRC32C.checksum(bytes[0..<16]) == bytes.littleEndian(UInt32.self, at: 16)
        else { return nil }
        return (bytes.littleEndian(UInt32.self, at: 4), bytes.littleEndian(UInt64.self, at: 8))
    }

    static func name(after sequence: UInt64) -> String { "\(padded(sequence)).journal" }

    static func padded(_ number: UInt64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 20 - digits.count) + digits
    }
}

extension [UInt8] {
    mutating func append(littleEndian value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<(value.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest = rest >> 8
        }
    }

    func littleEndian<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type, at offset: Int) -> T {
        var value: T = 0
        for index in (0..<(T.bitWidth / 8)).reversed() { value = value << 8 | T(self[offset + index]) }
        return value
    }
}
