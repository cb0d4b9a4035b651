import CZlib

/// What is wrong with a zip file.
public enum ZipFault: Error, Hashable, Sendable {
    /// No zip file, or cut short.
    case notZip
    /// The directory or an entry contradicts itself.
    case damaged(String)
    /// No entry of that name.
    case missing(String)
    /// More than the caller allows: the entry's name.
    case tooLarge(String)
    /// Encrypted, in parts, or packed in another way than stored and deflate.
    case unsupported(String)
}

/// A zip file in memory, read by its central directory (APPNOTE 6.3 section 4.3.12). Entries are unpacked one at a time under a
/// bound, whatever sizes the file claims.
public struct ZipArchive: Sendable {
    private struct Entry: Sendable {
        var method: Int
        var flags: Int
        var checksum: UInt32
        var packed: Int
        var size: Int
        var header: Int
    }

    private let bytes: [UInt8]
    private var entries: [String: Entry] = [:]

    public static let maximumEntries = 4_096

    public init(_ bytes: [UInt8]) throws(ZipFault) {
        self.bytes = bytes
        let end = try Self.end(of: bytes)
        guard let count = bytes.little(end + 10, 2), let start = bytes.little(end + 16, 4), bytes.little(end + 8, 2) == count,
            bytes.little(end + 4, 2) == 0
        else { throw .unsupported("several disks") }
        guard count <= Self.maximumEntries, start <= end else { throw .damaged("directory") }
        var place = start
        for _ in 0..<count {
            guard bytes.little(place, 4) == 0x0201_4b50, let nameLength = bytes.little(place + 28, 2),
                let extra = bytes.little(place + 30, 2), let comment = bytes.little(place + 32, 2), place + 46 + nameLength <= end,
                let flags = bytes.little(place + 8, 2), let method = bytes.little(place + 10, 2), let sum = bytes.little(place + 16, 4),
                let packed = bytes.little(place + 20, 4), let size = bytes.little(place + 24, 4), let header = bytes.little(place + 42, 4)
            else { throw .damaged("directory") }
            let name = String(decoding: bytes[(place + 46)..<(place + 46 + nameLength)], as: UTF8.self)
            guard entries[name] == nil else { throw .damaged("directory: \(name.prefix(80)) twice") }
            entries[name] = Entry(
                method: method, flags: flags, checksum: UInt32(sum), packed: packed, size: size, header: header)
            place += 46 + nameLength + extra + comment
        }
    }

    public var names: [String] { entries.keys.sorted() }

    /// The entry's bytes, whole and with the right checksum.
    /// - Parameter limit: the most that is unpacked.
    public func contents(of name: String, limit: Int) throws(ZipFault) -> [UInt8] {
        guard let entry = entries[name] else { throw .missing(name) }
        guard entry.flags & 1 == 0 else { throw .unsupported("\(name) is encrypted") }
        guard entry.size <= limit else { throw .tooLarge(name) }
        guard bytes.little(entry.header, 4) == 0x0403_4b50, let nameLength = bytes.little(entry.header + 26, 2),
            let extra = bytes.little(entry.header + 28, 2)
        else { throw .damaged(name) }
        let start = entry.header + 30 + nameLength + extra
        guard start <= bytes.count, entry.packed <= bytes.count - start else { throw .damaged(name) }
        let packed = bytes[start..<(start + entry.packed)]
        let unpacked: [UInt8]
        switch entry.method {
        case 0: unpacked = Array(packed)
        case 8: unpacked = try Self.inflate(packed, size: entry.size, name)
        default: throw .unsupported("\(name) is packed by method \(entry.method)")
        }
        guard unpacked.count == entry.size, Self.checksum(unpacked) == entry.checksum else { throw .damaged(name) }
        return unpacked
    }

    /// The end of the central directory: the last record whose comment reaches the end of the file.
    private static func end(of bytes: [UInt8]) throws(ZipFault) -> Int {
        var place = bytes.count - 22
        let first = max(0, bytes.count - 22 - 65_535)
        while place >= first, place >= 0 {
            if bytes.little(place, 4) == 0x0605_4b50, let comment = bytes.little(place + 20, 2), place + 22 + comment == bytes.count {
                return place
            }
            place -= 1
        }
        throw .notZip
    }

    /// A raw deflate stream of exactly that many bytes; grows with what comes, not with what is claimed.
    private static func inflate(_ packed: ArraySlice<UInt8>, size: Int, _ name: String) throws(ZipFault) -> [UInt8] {
        var stream = z_stream()
        guard causeway_raw_inflate_begin(&stream) == Z_OK else { throw .damaged(name) }
        defer { inflateEnd(&stream) }
        var input = Array(packed)
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let capacity = buffer.count
        var status = Z_OK
        input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            while status == Z_OK, result.count <= size {
                let produced = buffer.withUnsafeMutableBufferPointer { target -> Int in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(capacity)
                    status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return capacity - Int(stream.avail_out)
                }
                result.append(contentsOf: buffer.prefix(produced))
            }
        }
        guard status == Z_STREAM_END, result.count == size, stream.avail_in == 0 else { throw .damaged(name) }
        return result
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count))) }
    }
}

extension [UInt8] {
    /// A little-endian number of up to four bytes; nil past the end.
    fileprivate func little(_ place: Int, _ count: Int) -> Int? {
        guard place >= 0, place <= self.count - count else { return nil }
        return (0..<count).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
    }
}
