public import Instruments

/// Makes the bytes of a search index from rows of the symbol table. The same rows give the same bytes.
public enum SearchIndexBuilder {
    /// Characters of a name that are searched and shown.
    static let longestName = 200

    /// `version` is the symbol table's; `liquidity`, where it is known, orders what is alike in everything else, more before less.
    public static func build(_ instruments: [Instrument], version: UInt64, liquidity: [InstrumentID: UInt64] = [:]) -> [UInt8] {
        let rows = ordered(instruments, liquidity)
        let table = FoldingTable()
        let folding = table.folding
        let folded = rows.map { SearchKeys.Folded($0.names, folding) }
        let romanisation = Romanisation(folded.flatMap(\.chinese))
        var texts = SearchLayout.TextKind.allCases.map { _ in TextBuilder() }
        for (row, names) in zip(rows, folded) {
            let keys = SearchKeys(row, names, romanisation)
            for kind in SearchLayout.TextKind.allCases { add(keys, kind, to: &texts[kind.rawValue]) }
        }
        var file = FileWriter(version: version, rows: rows.count)
        file.numbers(rows.map(\.id.rawValue))
        file.numbers(table.pairs.map(\.from))
        file.numbers(table.pairs.map(\.to))
        readings(romanisation, &file)
        shown(rows, &file)
        for kind in texts.indices { texts[kind].write(&file) }
        let words = texts[SearchLayout.TextKind.names.rawValue].vocabulary()
        file.numbers(words.map(\.position))
        file.numbers(words.map(\.start) + [UInt32(texts[SearchLayout.TextKind.names.rawValue].sortedWords().count)])
        return file.finished()
    }

    /// The order in which what matches equally well is listed: stocks before funds and futures before preferred shares, units, rights
    /// and warrants before structured products before debt; Hong Kong, then the US, then the rest; the more traded first; by code.
    static func ordered(_ instruments: [Instrument], _ liquidity: [InstrumentID: UInt64]) -> [Instrument] {
        func place(_ instrument: Instrument) -> (Int, Int, UInt64) {
            let tier =
                switch instrument.kind {
                case .stock, .reit, .index: 0
                case .etf, .future: 1
                case .preferred, .unit, .right, .warrant: 2
                case .structured: 3
                case .debt: 4
                }
            let market = ["HK": 0, "US": 1, "HKFE": 2][instrument.market.suffix] ?? 3
            return (tier, market, UInt64.max - (liquidity[instrument.id] ?? 0))
        }
        return instruments.map { (place($0), $0) }.sorted { a, b in
            if a.0 != b.0 { return a.0 < b.0 }
            if a.1.code != b.1.code { return a.1.code < b.1.code }
            if a.1.symbol != b.1.symbol { return a.1.symbol < b.1.symbol }
            return a.1.id < b.1.id
        }.map(\.1)
    }

    private static func add(_ keys: SearchKeys, _ kind: SearchLayout.TextKind, to text: inout TextBuilder) {
        text.beginRow()
        switch kind {
        case .codes: for code in keys.codes { text.add(code, .whole) }
        case .names: for name in keys.names { text.add(name.text, name.isCore ? .whole : .name) }
        case .pinyin: for name in keys.pinyin { text.add(name) }
        case .pinyinOther: for name in keys.pinyinOther { text.add(Array(name.joined().utf8), .whole) }
        case .initials: for name in keys.initials { text.add(name, .letters) }
        case .initialsOther: for name in keys.initialsOther { text.add(name, .whole) }
        }
    }

    private static func readings(_ romanisation: Romanisation, _ file: inout FileWriter) {
        var text: [UInt8] = []
        var offsets: [UInt32] = []
        for (_, readings) in romanisation.table {
            offsets.append(UInt32(text.count))
            for reading in readings { text += Array(reading.utf8) + [0] }
        }
        file.numbers(romanisation.table.map(\.character))
        file.numbers(offsets + [UInt32(text.count)])
        file.bytes(text)
    }

    /// What is told of a hit without asking the symbol table: symbol, market, kind, three names, each ended by a zero byte.
    private static func shown(_ rows: [Instrument], _ file: inout FileWriter) {
        var text: [UInt8] = []
        var offsets: [UInt32] = []
        var venues: [UInt8] = []
        for row in rows {
            offsets.append(UInt32(text.count))
            let names = row.names
            for field in [row.symbol, row.market.rawValue, row.kind.rawValue, names.english, names.simplified, names.traditional] {
                text += field.prefix(longestName).utf8.filter { $0 != 0 } + [0]
            }
            // Eight bytes a row: what follows the dot of its symbol.
            venues += (row.market.suffix.lowercased().utf8.prefix(8) + Array(repeating: 0, count: 8)).prefix(8)
        }
        file.numbers(offsets + [UInt32(text.count)])
        file.bytes(text)
        file.bytes(venues)
    }
}

/// Appends tables to a file and fills in its header at the end.
struct FileWriter {
    private var file: [UInt8]
    private var directory: [(offset: Int, count: Int)] = []

    init(version: UInt64, rows: Int) {
        file = SearchLayout.magic
        Self.append(SearchLayout.format, to: &file)
        Self.append(UInt32(rows), to: &file)
        Self.append(version, to: &file)
        file += Array(repeating: 0, count: SearchLayout.header - file.count)
    }

    mutating func bytes(_ bytes: [UInt8]) {
        file += Array(repeating: 0, count: (8 - file.count % 8) % 8)
        directory.append((file.count, bytes.count))
        file += bytes
    }

    mutating func numbers(_ numbers: [UInt32]) {
        file += Array(repeating: 0, count: (8 - file.count % 8) % 8)
        directory.append((file.count, numbers.count * 4))
        file.reserveCapacity(file.count + numbers.count * 4)
        for number in numbers { Self.append(number, to: &file) }
    }

    consuming func finished() -> [UInt8] {
        precondition(directory.count == SearchLayout.tables, "the layout names \(SearchLayout.tables) tables, not \(directory.count)")
        var entries: [UInt8] = []
        for (offset, count) in directory {
            Self.append(UInt64(offset), to: &entries)
            Self.append(UInt64(count), to: &entries)
        }
        file.replaceSubrange(SearchLayout.directory..<SearchLayout.header, with: entries)
        var hash: [UInt8] = []
        Self.append(SearchHash.of(file.span.bytes, from: SearchLayout.hashed), to: &hash)
        file.replaceSubrange(24..<32, with: hash)
        return file
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in Swift.stride(from: 0, to: number.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

/// What an instrument is found by besides its names, in words: for a bench that asks for it and gives it to another index.
package struct SearchForms: Sendable {
    package var pinyin: [String]
    package var pinyinOther: [String]
    package var initials: [String]
    package var initialsOther: [String]

    package static func all(of instruments: [Instrument]) -> [SearchForms] {
        let folding = FoldingTable().folding
        let folded = instruments.map { SearchKeys.Folded($0.names, folding) }
        let romanisation = Romanisation(folded.flatMap(\.chinese))
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        return zip(instruments, folded).map { instrument, names in
            let keys = SearchKeys(instrument, names, romanisation)
            return SearchForms(
                pinyin: keys.pinyin.map { $0.joined() }, pinyinOther: keys.pinyinOther.map { $0.joined() },
                initials: keys.initials.map(text), initialsOther: keys.initialsOther.map(text))
        }
    }
}
