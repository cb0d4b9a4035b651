import Exact
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// `symbols search`, `symbols list`: what can be typed where a command wants a symbol.
enum SymbolCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [search(open), list(open)] }

    private static func search(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["symbols", "search"], summary: .helpCommandSymbolsSearch, arguments: "QUERY", count: 1...10,
            options: [.value("limit", "N", .helpOptionLimit)]
        ) { invocation in
            let limit = try invocation.integer("limit", in: 1...1000, default: 20)
            let query = invocation.positional.joined(separator: " ")
            guard query.contains(where: { !$0.isWhitespace }) else { throw Usage.missing("QUERY") }
            if let index = try SymbolIndex.opened() { return try SymbolIndex.show(query, in: index, limit: limit, invocation) }
            let context = try await open(invocation)
            try await show(matching(query, try await listed(context)), limit: limit, context, invocation)
        }
    }

    private static func list(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["symbols", "list"], summary: .helpCommandSymbolsList) { invocation in
            let context = try await open(invocation)
            try await show(try await listed(context), limit: .max, context, invocation)
        }
    }

    private static func listed(_ context: ClientContext) async throws -> [Instrument] {
        let day = try await context.tradingDay()
        return try await context.table().all.filter { $0.isListed(on: day) }
    }

    private static func show(_ found: [Instrument], limit: Int, _ context: ClientContext, _ invocation: Invocation) async throws {
        let day = try await context.tradingDay()
        let shown = Array(found.prefix(limit))
        let more = found.count - shown.count
        let quotes = shown.isEmpty ? [] : try await context.snapshot(shown.map(\.id))
        let prices = Dictionary(quotes.map { ($0.instrument, price($0)) }) { first, _ in first }
        let ticks = await context.facts()?.ticks
        let rows = shown.map { instrument -> (Instrument, Price?) in
            // The step depends on the price: the one at the last price, else at the close before.
            let near: Price? = prices[instrument.id.rawValue] ?? nil
            return (instrument, near.flatMap { ticks?.tick(for: instrument, at: $0, on: day) })
        }
        let text = rows.isEmpty ? [Text.symbolsNone.words(in: context.language)] : table(rows, context.language).lines(within: Output.width)
        invocation.output.show(
            .object([.init("symbols", .array(rows.map { json($0.0, $0.1) })), .init("more", .int(more))]),
            text: text + (more > 0 ? [Text.symbolsMore(count: more).words(in: context.language)] : []))
    }

    /// By code and by name in every language, case aside: what is exactly that first, then what begins with it, then what contains it.
    static func matching(_ query: String, _ instruments: [Instrument]) -> [Instrument] {
        let wanted = query.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !wanted.isEmpty else { return [] }
        let ranked = instruments.compactMap { instrument -> (rank: Int, instrument: Instrument)? in
            let names = instrument.names
            let texts = [instrument.symbol, instrument.code, names.english, names.simplified, names.traditional].map { $0.lowercased() }
            // 00700 is 700, as everywhere a symbol is typed.
            let short = texts[0].prefix { $0 != "." }
            if short == wanted.drop(while: { $0 == "0" }) || texts.contains(wanted) { return (0, instrument) }
            if texts.contains(where: { $0.hasPrefix(wanted) }) { return (1, instrument) }
            return texts.contains { $0.contains(wanted) } ? (2, instrument) : nil
        }
        return (0...2).flatMap { rank in ranked.filter { $0.rank == rank }.map(\.instrument) }
    }

    static func table(_ rows: [(Instrument, Price?)], _ language: Language) -> Table {
        let hasFutures = rows.contains { $0.0.kind == .future }
        var table = Table(
            in: language, (.fieldSymbol, .left), (.fieldMarket, .left), (.fieldLot, .right), (.fieldTick, .right),
            (.fieldCurrency, .left), (.fieldName, .left))
        if hasFutures { table.columns.insert((Text.fieldMultiplier.words(in: language), .right), at: 3) }
        table.rows = rows.map { instrument, tick in
            var cells = [
                instrument.symbol, instrument.market.rawValue,
                instrument.isTradable ? Display.quantity(instrument.lot) : Display.missing,
                tick?.description ?? Display.missing, instrument.currency.code,
                Display.name(instrument, in: language),
            ]
            if hasFutures { cells.insert(instrument.kind == .future ? NumberFormat.grouped(instrument.multiplier) : "", at: 3) }
            return cells
        }
        return table
    }

    private static func price(_ quote: Quote) -> Price? {
        if quote.hasLast { return Price(nanos: quote.last) }
        return quote.hasPreviousClose ? Price(nanos: quote.previousClose) : nil
    }

    private static func json(_ instrument: Instrument, _ tick: Price?) -> JSONValue {
        .object([
            .init("symbol", .string(instrument.symbol)), .init("code", .string(instrument.code)),
            .init(
                "names",
                .object([
                    .init("en", .string(instrument.names.english)), .init("zh-Hans", .string(instrument.names.simplified)),
                    .init("zh-Hant", .string(instrument.names.traditional)),
                ])),
            .init("kind", .string(instrument.kind.rawValue)), .init("market", .string(instrument.market.rawValue)),
            .init("lot", instrument.isTradable ? .string(instrument.lot.description) : .null),
            .init("tick", tick.map { .string($0.description) } ?? .null),
            .init("multiplier", .string(String(instrument.multiplier))), .init("currency", .string(instrument.currency.code)),
        ])
    }
}
