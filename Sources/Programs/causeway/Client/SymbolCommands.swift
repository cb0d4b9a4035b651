import Exact
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// `symbols list`: every instrument the server has prices of.
enum SymbolCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [list(open)] }

    private static func list(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["symbols", "list"], summary: .helpCommandSymbolsList) { invocation in
            let context = try await open(invocation)
            try await show(try await listed(context), context, invocation)
        }
    }

    private static func listed(_ context: ClientContext) async throws -> [Instrument] {
        let day = try await context.tradingDay()
        return try await context.table().all.filter { $0.isListed(on: day) }
    }

    private static func show(_ shown: [Instrument], _ context: ClientContext, _ invocation: Invocation) async throws {
        let day = try await context.tradingDay()
        let quotes = shown.isEmpty ? [] : try await context.snapshot(shown.map(\.id))
        let unfed = try await context.unfed(shown.map(\.id)).subtracting(quotes.map { InstrumentID($0.instrument) })
        // In the server's table, but not in its feed: a recording of a few instruments, a market a live feed does not carry.
        let missing = shown.filter { unfed.contains($0.id) }
        let shown = shown.filter { !unfed.contains($0.id) }
        let prices = Dictionary(quotes.map { ($0.instrument, price($0)) }) { first, _ in first }
        let ticks = await context.facts()?.ticks
        let rows = shown.map { instrument -> (Instrument, Price?) in
            // The step depends on the price: the one at the last price, else at the close before.
            let near: Price? = prices[instrument.id.rawValue] ?? nil
            return (instrument, near.flatMap { ticks?.tick(for: instrument, at: $0, on: day) })
        }
        var text = rows.isEmpty ? [Text.symbolsNone.words(in: context.language)] : table(rows, context.language).lines(within: Output.width)
        if !missing.isEmpty {
            text.append(Text.symbolsWithoutPrices(symbols: missing.map(\.symbol).joined(separator: " ")).words(in: context.language))
        }
        invocation.output.show(
            .object([
                .init("symbols", .array(rows.map { json($0.0, $0.1) })),
                .init("withoutPrices", .array(missing.map { .string($0.symbol) })),
            ]), text: text)
    }

    static func table(_ rows: [(Instrument, Price?)], _ language: Language) -> Table {
        let hasFutures = rows.contains { $0.0.kind == .future }
        var table = Table(
            in: language, (.fieldSymbol, .left), (.fieldMarket, .left), (.fieldLot, .right), (.fieldTick, .right),
            (.fieldCurrency, .left), (.fieldName, .left))
        table.cutting = hasFutures ? 6 : 5
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
