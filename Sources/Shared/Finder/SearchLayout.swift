/// The file of a search index, all little-endian: a header, a directory of tables, the tables. Each begins at a multiple of eight.
///
///     0   8  magic
///     8   4  format
///     12  4  rows
///     16  8  version of the symbol table it was made from
///     24  8  hash of everything from byte 32 on
///     32  16 × tables: offset, bytes
enum SearchLayout {
    static let magic = Array("CWSEARCH".utf8)
    static let format: UInt32 = 1
    static let hashed = 32
    static let directory = 32
    static let tables = 9 + TextKind.allCases.count * tablesInText + 2
    static let header = directory + tables * 16
    static let tablesInText = 9

    /// Positions of a suffix table whose smallest is kept.
    static let block = 64
    /// Bytes of a text for which one row is kept.
    static let stride = 256

    /// The texts rows are found in. In each, a row's keys stand one after the other, each ended by a zero byte, rows in order.
    enum TextKind: Int, CaseIterable { case codes, names, pinyin, pinyinOther, initials, initialsOther }

    enum Table {
        static let ids = 0
        static let foldFrom = 1
        static let foldTo = 2
        static let readingCharacters = 3
        static let readingOffsets = 4
        static let readingText = 5
        static let rowOffsets = 6
        static let rowText = 7
        static let venues = 8
        static func text(_ kind: TextKind) -> Int { 9 + kind.rawValue * tablesInText }
        static let words = 9 + TextKind.allCases.count * tablesInText
        static let wordStarts = words + 1
    }
}

/// FNV-1a over words of eight bytes in four lanes, folded together: notices damage, proves no origin.
struct SearchHash {
    private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
        0xcbf2_9ce4_8422_2325, 0x9ce4_8422_2325_cbf2, 0x8422_2325_cbf2_9ce4, 0x2325_cbf2_9ce4_8422
    )
    private static let prime: UInt64 = 0x100_0000_01b3

    /// Of the bytes from an offset on; what does not fill 32 bytes counts as filled with zeros.
    static func of(_ bytes: borrowing RawSpan, from start: Int) -> UInt64 {
        var hash = SearchHash()
        var offset = start
        let whole = bytes.byteCount - 31
        while offset < whole {
            hash.add(
                bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self),
                bytes.unsafeLoadUnaligned(fromByteOffset: offset + 8, as: UInt64.self),
                bytes.unsafeLoadUnaligned(fromByteOffset: offset + 16, as: UInt64.self),
                bytes.unsafeLoadUnaligned(fromByteOffset: offset + 24, as: UInt64.self))
            offset += 32
        }
        var rest: [UInt64] = [0, 0, 0, 0]
        for place in 0..<max(0, bytes.byteCount - offset) {
            let byte = bytes.unsafeLoadUnaligned(fromByteOffset: offset + place, as: UInt8.self)
            rest[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
        }
        hash.add(rest[0].littleEndian, rest[1].littleEndian, rest[2].littleEndian, rest[3].littleEndian)
        return hash.value ^ UInt64(bytes.byteCount)
    }

    private mutating func add(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        lanes.0 = Self.mix(lanes.0, UInt64(littleEndian: a))
        lanes.1 = Self.mix(lanes.1, UInt64(littleEndian: b))
        lanes.2 = Self.mix(lanes.2, UInt64(littleEndian: c))
        lanes.3 = Self.mix(lanes.3, UInt64(littleEndian: d))
    }

    /// Turned, so that the upper bits of a word count as much as the lower ones.
    private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        let mixed = (lane ^ word) &* prime
        return mixed << 29 | mixed >> 35
    }

    private var value: UInt64 {
        [lanes.1, lanes.2, lanes.3].reduce(lanes.0) { Self.mix($0, $1) }
    }
}
