import Finder
import Instruments
import Streams
import Symbols
import Texts

/// What may have been meant by a symbol that nothing has: tickers one typing error away, else what a search finds for certain. Parts of
/// words and of readings are for `symbols search`; behind a mistyped ticker they are companies nobody meant. A number that no share has
/// is not answered with its neighbours.
struct NearSymbols {
    private(set) var found: [Instrument] = []

    static let most = 3

    init(_ text: String, on day: TradingDay, _ index: SearchIndex, _ database: SymbolDatabase) throws(Failure) {
        let search = try CatalogueSearch(text, limit: 20, on: day, index, database)
        if let code = Self.ticker(text) {
            // Whole names and the initials of one are what was typed; a ticker of other letters is a guess.
            if !search.isOver {
                found = search.hits.filter { [.name, .pinyin].contains($0.rank) && $0.former == nil }.prefix(Self.most).map(\.instrument)
            }
            for row in try Self.tickers(near: code, on: day, database) where !found.contains(where: { $0.id == row.id }) {
                found.append(row)
            }
        }
        guard !search.isOver else { return }
        for hit in search.hits
        where found.count < Self.most && Self.isCertain(hit, text) && !found.contains(where: { $0.id == hit.instrument.id }) {
            found.append(hit.instrument)
        }
        found = Array(found.prefix(Self.most))
    }

    /// Two to six Latin letters, in capitals; nil for anything else.
    private static func ticker(_ text: String) -> [UInt8]? {
        let bytes = Array(text.uppercased().utf8)
        return (2...6).contains(bytes.count) && bytes.allSatisfy { (65...90).contains($0) } ? bytes : nil
    }

    private static func isCertain(_ hit: CatalogueSearch.Hit, _ text: String) -> Bool {
        guard text.utf8.allSatisfy({ $0 < 128 }) else { return hit.rank < .typo }
        return hit.rank <= .word || hit.rank == .typo && text.utf8.count >= 5
    }

    /// Of those somebody is likely to mean: that have a Chinese name, or of whose four or more letters two were exchanged. Shares first.
    private static func tickers(near code: [UInt8], on day: TradingDay, _ database: SymbolDatabase) throws(Failure) -> [Instrument] {
        var rows: [Instrument] = []
        for variant in variants(of: code).sorted() {
            rows += try database.instruments(code: variant).filter { row in
                let isMeant = !row.names.simplified.isEmpty || code.count > 3 && variant.utf8.sorted() == code.sorted()
                return isMeant && row.market.isUnitedStates && row.isListed(on: day)
            }
        }
        func order(_ row: Instrument) -> (Int, Int, String) {
            (row.names.simplified.isEmpty ? 1 : 0, row.kind == .stock ? 0 : 1, row.code)
        }
        return rows.sorted { order($0) < order($1) }
    }

    /// One letter too many, missing, wrong, or two exchanged. About 370 for six letters.
    private static func variants(of code: [UInt8]) -> Set<String> {
        var all = Set<[UInt8]>()
        for place in 0...code.count {
            for letter in UInt8(65)...90 {
                all.insert(Array(code[..<place] + [letter] + code[place...]))
                if place < code.count { all.insert(Array(code[..<place] + [letter] + code[(place + 1)...])) }
            }
            if place < code.count { all.insert(Array(code[..<place] + code[(place + 1)...])) }
            if place + 1 < code.count {
                var exchanged = code
                exchanged.swapAt(place, place + 1)
                all.insert(exchanged)
            }
        }
        return Set(all.filter { !$0.isEmpty && $0 != code }.map { String(decoding: $0, as: UTF8.self) })
    }
}
