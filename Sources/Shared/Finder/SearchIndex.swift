import Files
public import Foundation
import Instruments
public import Texts

/// A search index as a file mapped into memory: nothing is parsed or copied at opening. Opening reads the file once to know that it is
/// whole, so that no search meets a number that leads out of it; one that was read so before and has not changed since is believed. The file must not be changed in place while it is open: replace it by name.
public struct SearchIndex: Sendable {
    /// Of the symbol table it was made from.
    public let version: UInt64
    /// Instruments in it.
    public let count: Int
    /// Bytes of the file.
    public var size: Int { data.count }

    private let data: Data
    let tables: [SearchTable]
    let texts: [SearchText]
    let vocabulary: (positions: SearchTable, starts: SearchTable)

    /// Fails with `search.damaged` or `search.newer`, and with the fault or Foundation's error where the file cannot be read.
    /// - Parameter isVerified: it was opened without this before, and is that very file still.
    public init(contentsOf file: URL, isVerified: Bool = false) throws {
        // A pipe would be waited for.
        _ = try RegularFile.identity(file.path)
        try self.init(try Data(contentsOf: file, options: .alwaysMapped), isVerified: isVerified)
    }

    public init(_ data: Data) throws(Failure) { try self.init(data, isVerified: false) }

    private init(_ data: Data, isVerified: Bool) throws(Failure) {
        self.data = data
        let (version, count, tables) = try Self.directory(data.bytes, isVerified: isVerified)
        self.version = version
        self.count = count
        self.tables = tables
        texts = SearchLayout.TextKind.allCases.map { kind in
            let first = SearchLayout.Table.text(kind)
            return SearchText(
                text: tables[first], offsets: tables[first + 1], coarse: tables[first + 2],
                starts: .init(positions: tables[first + 3], minima: tables[first + 4]),
                words: .init(positions: tables[first + 5], minima: tables[first + 6]),
                middles: .init(positions: tables[first + 7], minima: tables[first + 8]))
        }
        vocabulary = (tables[SearchLayout.Table.words], tables[SearchLayout.Table.wordStarts])
        if isVerified { return }
        try SearchCheck(rows: count, tables: tables, texts: texts, vocabulary: vocabulary).run(data.bytes)
    }

    private static func directory(_ file: RawSpan, isVerified: Bool) throws(Failure) -> (version: UInt64, rows: Int, tables: [SearchTable])
    {
        func damaged(_ reason: String) -> Failure { Failure(.searchDamaged, .init("reason", reason)) }
        guard file.byteCount >= SearchLayout.header else { throw damaged("it ends inside its header") }
        for (place, byte) in SearchLayout.magic.enumerated()
        where file.unsafeLoadUnaligned(fromByteOffset: place, as: UInt8.self) != byte {
            throw damaged("it is no search index")
        }
        func number<Number: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _: Number.Type) -> Number {
            Number(littleEndian: file.unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
        }
        let format = number(8, UInt32.self)
        guard format <= SearchLayout.format else {
            throw Failure(.searchNewer, .init("found", "\(format)"), .init("known", "\(SearchLayout.format)"))
        }
        guard format == SearchLayout.format else { throw damaged("format \(format) is not read any more") }
        guard isVerified || SearchHash.of(file, from: SearchLayout.hashed) == number(24, UInt64.self) else {
            throw damaged("its contents do not have the hash they were written with")
        }
        var tables: [SearchTable] = []
        for place in 0..<SearchLayout.tables {
            let offset = number(SearchLayout.directory + place * 16, UInt64.self)
            let size = number(SearchLayout.directory + place * 16 + 8, UInt64.self)
            guard offset <= UInt64(file.byteCount), size <= UInt64(file.byteCount) - offset else {
                throw damaged("table \(place) lies outside of it")
            }
            tables.append(SearchTable(offset: Int(offset), size: Int(size)))
        }
        return (number(16, UInt64.self), Int(number(12, UInt32.self)), tables)
    }

    /// The first `limit` instruments (1 to 1,000) that the query finds, best first; the order never changes for the same index. Fails with
    /// `search.empty` or `search.long`.
    public func search(_ text: String, limit: Int = 20) throws(Failure) -> [SearchHit] {
        let file = data.bytes
        let query = try SearchQuery(text, self, file)
        return Search(index: self, query: query, limit: min(max(limit, 1), 1000)).run(file)
    }

    func hit(_ found: TopRows.Found, _ rank: SearchHit.Rank, _ file: borrowing RawSpan) -> SearchHit {
        let row = Int(found.row)
        let shown = tables[SearchLayout.Table.rowText]
        var place = Int(tables[SearchLayout.Table.rowOffsets].number(row, file))
        var fields: [String] = []
        for _ in 0..<6 {
            let bytes = shown.text(at: place, file)
            fields.append(String(decoding: bytes, as: UTF8.self))
            place += bytes.count + 1
        }
        return SearchHit(
            id: InstrumentID(tables[SearchLayout.Table.ids].number(row, file)), rank: rank, field: found.field, symbol: fields[0],
            market: fields[1], kind: fields[2],
            names: .init(english: fields[3], simplified: fields[4], traditional: fields[5]))
    }

    /// What follows the dot of a row's symbol, in small letters.
    func venue(of row: UInt32, _ file: borrowing RawSpan) -> [UInt8] {
        let table = tables[SearchLayout.Table.venues]
        return (0..<8).map { table.byte(Int(row) * 8 + $0, file) }.filter { $0 != 0 }
    }

    subscript(kind: SearchLayout.TextKind) -> SearchText { texts[kind.rawValue] }
}

/// That every number in the file leads to a place in it.
struct SearchCheck {
    var rows: Int
    var tables: [SearchTable]
    var texts: [SearchText]
    var vocabulary: (positions: SearchTable, starts: SearchTable)

    func run(_ file: RawSpan) throws(Failure) {
        let named = SearchLayout.Table.self
        try claim(tables[named.ids].count == rows, "ids")
        try claim(tables[named.venues].size == rows * 8, "venues")
        try claim(tables[named.foldFrom].count == tables[named.foldTo].count, "folding")
        try ascending(tables[named.rowOffsets], count: rows + 1, end: tables[named.rowText], file, "rows")
        let characters = tables[named.readingCharacters].count
        try ascending(tables[named.readingOffsets], count: characters + 1, end: tables[named.readingText], file, "readings")
        for text in texts {
            try ascending(text.offsets, count: rows + 1, end: text.text, file, "offsets")
            // A row has one key at least of what it has any of, and each ends with a zero: so does the text.
            try claim(text.text.size == 0 || text.text.byte(text.text.size - 1, file) == 0, "texts")
            try claim(text.coarse.count == text.text.size / SearchLayout.stride + 1, "strides")
            try claim(rows == 0 || largest(text.coarse, file) < rows, "strides")
            for table in [text.starts, text.words, text.middles] {
                let blocks = (table.positions.count + SearchLayout.block - 1) / SearchLayout.block
                try claim(table.minima.count == blocks, "minima")
                try claim(table.positions.count == 0 || largest(table.positions, file) < text.text.size, "positions")
            }
        }
        let names = texts[SearchLayout.TextKind.names.rawValue]
        let words = vocabulary.positions.count
        try claim(vocabulary.starts.count == words + 1, "words")
        try claim(words == 0 || largest(vocabulary.positions, file) < names.text.size, "words")
        try claim(largest(vocabulary.starts, file) <= names.words.positions.count, "words")
    }

    private func claim(_ holds: Bool, _ what: String) throws(Failure) {
        guard holds else { throw Failure(.searchDamaged, .init("reason", "its \(what) do not fit together")) }
    }

    private func ascending(
        _ table: SearchTable, count: Int, end: SearchTable, _ file: borrowing RawSpan, _ what: String
    ) throws(Failure) {
        try claim(table.count == count && table.number(count - 1, file) == UInt32(clamping: end.size), what)
        var last: UInt32 = 0
        for place in 0..<count {
            let number = table.number(place, file)
            try claim(number >= last, what)
            last = number
        }
    }

    private func largest(_ table: SearchTable, _ file: borrowing RawSpan) -> Int {
        var largest: UInt32 = 0
        for place in 0..<table.count { largest = max(largest, table.number(place, file)) }
        return Int(largest)
    }
}
