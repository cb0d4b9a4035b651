import Finder
import Foundation
import HTTP
import Instruments
import Portfolio
import Texts

/// `symbols index` makes the search index beside the data; `symbols search` asks it, where there is one (H-2).
enum SymbolIndex {
    static let file = "search.index"

    /// The index of the data folder in use; nil where there is none.
    static func opened() throws -> SearchIndex? {
        let path = try DataFolder.locate().file(file)
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try open(path)
    }

    private static func open(_ path: String) throws -> SearchIndex {
        do { return try SearchIndex(contentsOf: URL(fileURLWithPath: path)) } catch let error as CocoaError {
            throw Failure(.searchDamaged, .init("reason", error.localizedDescription))
        }
    }

    /// Writes the index of these rows: whole or not at all.
    static func write(_ instruments: [Instrument], version: UInt64, to path: String) throws -> Int {
        let bytes = SearchIndexBuilder.build(instruments, version: version)
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        return bytes.count
    }

    static let command = Command(
        words: ["symbols", "index"], summary: .helpCommandSymbolsIndex,
        options: [.value("output", "FILE", .helpOptionIndexOutput)]
    ) { invocation in
        let folder: DataFolder
        let table: InstrumentTable
        do {
            folder = try DataFolder.locate()
            table = try MarketFacts(folder).instruments
        } catch let fault as DataFault { throw Failure(.dataCorrupt, .init("path", fault.description)) }
        let path = invocation["output"] ?? folder.file(file)
        let size = try write(table.all, version: table.version, to: path)
        invocation.output.show(
            .object([
                .init("file", .string(path)), .init("instruments", .int(table.all.count)), .init("version", .string("\(table.version)")),
                .init("bytes", .int(size)),
            ]),
            text: [Text.symbolsIndexed(count: table.all.count, path: path).words(in: invocation.language)])
    }

    /// The best hits, in the user's language; `more` where the limit cut them off.
    static func show(_ query: String, in index: SearchIndex, limit: Int, _ invocation: Invocation) throws {
        let found = try index.search(query, limit: limit)
        let isCut = found.count == limit ? try index.search(query, limit: limit + 1).count > limit : false
        let language = invocation.language
        let text: [String]
        if found.isEmpty {
            text = [Text.symbolsNone.words(in: language)]
        } else {
            var table = Table(
                in: language, (.fieldSymbol, .left), (.fieldName, .left), (.fieldMarket, .left), (.fieldKind, .left))
            table.rows = found.map { hit in
                [hit.symbol, name(hit.names, in: language), hit.market, kind(hit.kind).map { $0.words(in: language) } ?? hit.kind]
            }
            text = table.lines(within: Output.width)
        }
        invocation.output.show(
            .object([.init("symbols", .array(found.map(json))), .init("more", .bool(isCut))]),
            text: text + (isCut ? [Text.symbolsCut.words(in: language)] : []))
    }

    private static func name(_ names: Instrument.Names, in language: Language) -> String {
        let own =
            switch language {
            case .english: names.english
            case .simplifiedChinese: names.simplified
            case .traditionalChinese: names.traditional
            }
        return [own, names.simplified, names.english].first { !$0.isEmpty } ?? ""
    }

    private static func kind(_ raw: String) -> Text? {
        switch Instrument.Kind(rawValue: raw) {
        case .stock: .kindStock
        case .etf: .kindEtf
        case .future: .kindFuture
        case .index: .kindIndex
        case .reit: .kindReit
        case .preferred: .kindPreferred
        case .unit: .kindUnit
        case .right: .kindRight
        case .warrant: .kindWarrant
        case .structured: .kindStructured
        case .debt: .kindDebt
        case nil: nil
        }
    }

    private static func json(_ hit: SearchHit) -> JSONValue {
        .object([
            .init("id", .int(Int(hit.id.rawValue))), .init("symbol", .string(hit.symbol)),
            .init(
                "names",
                .object([
                    .init("en", .string(hit.names.english)), .init("zh-Hans", .string(hit.names.simplified)),
                    .init("zh-Hant", .string(hit.names.traditional)),
                ])),
            .init("market", .string(hit.market)), .init("kind", .string(hit.kind)), .init("rank", .string(hit.rank.text)),
            .init("matched", .string(hit.field.rawValue)),
        ])
    }
}
