import Exact
import Feeds
import Finder
import HTTP
import Instruments
import Portfolio
import Streams
import Texts

/// `symbols search`: instruments by code, name, pinyin and initials, on a day; no server is asked (H-2).
enum SymbolSearch {
    static let command = Command(
        words: ["symbols", "search"], summary: .helpCommandSymbolsSearch, arguments: "QUERY", count: 1...10,
        options: [.value("limit", "N", .helpOptionLimit), TableQuestion.date]
    ) { invocation in
        let limit = try invocation.integer("limit", in: 1...1000, default: 20)
        let query = invocation.positional.joined(separator: " ")
        guard query.contains(where: { !$0.isWhitespace }) else { throw Usage.missing("QUERY") }
        let day = try day(invocation)
        let catalogue = try Catalogue(invocation)
        let database = try catalogue.database()
        let search = try CatalogueSearch(query, limit: limit, on: day, catalogue.index(of: database), database)
        invocation.output.show(json(search, day), text: lines(search, day, invocation.language, width: Output.width))
    }

    /// `--date`, else the shipped market date.
    private static func day(_ invocation: Invocation) throws -> TradingDay {
        if let text = invocation["date"] {
            guard let day = TradingDay(text) else { throw Usage.invalid("--date", text, .date) }
            return day
        }
        do throws(DataFault) { return try Recordings.marketDate(DataFolder.locate()) } catch {
            throw Failure(.dataCorrupt, .init("path", error.description))
        }
    }

    static func lines(_ search: CatalogueSearch, _ day: TradingDay, _ language: Language, width: Int?) -> [String] {
        if search.hits.isEmpty { return [Text.symbolsNone.words(in: language)] }
        var table = Table(
            in: language, (.fieldSymbol, .left), (.fieldName, .left), (.fieldMarket, .left), (.fieldKind, .left), (.fieldLot, .right),
            (nil, .left))
        table.cutting = 1
        table.rows = search.hits.map { hit in
            let row = hit.instrument
            return [
                row.symbol, row.names.text(in: language), row.market.rawValue, row.kind.text.words(in: language),
                row.isTradable ? Display.quantity(row.lot) : Display.missing, note(hit, day)?.words(in: language) ?? "",
            ]
        }
        let over: [Text] = search.isOver ? [.symbolsOver(day: day.description)] : []
        return over.map { $0.words(in: language) } + table.lines(within: width)
            + (search.isCut ? [Text.symbolsCut.words(in: language)] : [])
    }

    /// What it was called before; when it was or will be listed.
    private static func note(_ hit: CatalogueSearch.Hit, _ day: TradingDay) -> Text? {
        if let former = hit.former { return former.lastDay.map { .symbolsFormerly(day: $0.description, symbol: former.symbol) } }
        if hit.instrument.isListed(on: day) { return nil }
        if let first = hit.instrument.listedFrom, day < first { return .symbolsSince(day: first.description) }
        return hit.instrument.lastDay.map { .symbolsUntil(day: $0.description) }
    }

    static func json(_ search: CatalogueSearch, _ day: TradingDay) -> JSONValue {
        .object([
            .init("date", .string(day.description)), .init("symbols", .array(search.hits.map { json($0, day) })),
            .init("more", .bool(search.isCut)),
        ])
    }

    private static func json(_ hit: CatalogueSearch.Hit, _ day: TradingDay) -> JSONValue {
        let row = hit.instrument
        return .object([
            .init("id", .int(Int(row.id.rawValue))), .init("symbol", .string(row.symbol)), .init("code", .string(row.code)),
            .init(
                "names",
                .object([
                    .init("en", .string(row.names.english)), .init("zh-Hans", .string(row.names.simplified)),
                    .init("zh-Hant", .string(row.names.traditional)),
                ])),
            .init("market", .string(row.market.rawValue)), .init("kind", .string(row.kind.rawValue)),
            .init("lot", row.isTradable ? .string(row.lot.description) : .null), .init("currency", .string(row.currency.code)),
            .init("listed", .bool(row.isListed(on: day))), .init("former", hit.former.map { .string($0.symbol) } ?? .null),
            .init("rank", .string(hit.rank.text)), .init("matched", .string(hit.field.rawValue)),
        ])
    }
}

extension Instrument {
    /// Of its listing, a contract's its last trading day; nil: open.
    var lastDay: TradingDay? { [listedTo, future?.expiry].compactMap(\.self).min() }
}

extension Instrument.Kind {
    var text: Text {
        switch self {
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
        }
    }
}
