import Exact
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// `symbols`: what can be typed where a command wants a symbol.
enum SymbolCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [symbols(open)] }

    private static func symbols(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["symbols"], summary: "list instruments, or those with TEXT in code or name", arguments: "[TEXT]", count: 0...1
        ) { invocation in
            let context = try await open(invocation)
            let day = try await context.tradingDay()
            let found = matching(invocation.positional.first, try await context.table().all.filter { $0.isListed(on: day) })
            let quotes = found.isEmpty ? [] : try await context.snapshot(found.map(\.id))
            let prices = Dictionary(quotes.map { ($0.instrument, price($0)) }) { first, _ in first }
            let ticks = await context.facts()?.ticks
            let rows = found.map { instrument -> (Instrument, Price?) in
                // The step depends on the price: the one at the last price, else at the close before.
                let near: Price? = prices[instrument.id.rawValue] ?? nil
                return (instrument, near.flatMap { ticks?.tick(for: instrument, at: $0, on: day) })
            }
            let text =
                rows.isEmpty
                ? [Text.symbolsNone.words(in: context.language)] : table(rows, context.language).lines(within: Output.width)
            invocation.output.show(.object([.init("symbols", .array(rows.map { json($0.0, $0.1) }))]), text: text)
        }
    }

    /// Case does not matter; names are searched in every language.
    static func matching(_ text: String?, _ instruments: [Instrument]) -> [Instrument] {
        guard let wanted = text?.lowercased(), !wanted.isEmpty else { return instruments }
        return instruments.filter { instrument in
            let names = instrument.names
            return [instrument.symbol, instrument.code, names.english, names.simplified, names.traditional]
                .contains { $0.lowercased().contains(wanted) }
        }
    }

    static func table(_ rows: [(Instrument, Price?)], _ language: Language) -> Table {
        var table = Table(
            in: language, (.fieldSymbol, .left), (.fieldMarket, .left), (.fieldLot, .right), (.fieldTick, .right),
            (.fieldCurrency, .left), (.fieldName, .left))
        table.rows = rows.map { instrument, tick in
            [
                instrument.symbol, instrument.market.rawValue, Display.quantity(instrument.lot),
                tick?.description ?? Display.missing, instrument.currency.code,
                Display.name(instrument, in: language),
            ]
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
            .init("lot", .string(instrument.lot.description)), .init("tick", tick.map { .string($0.description) } ?? .null),
            .init("multiplier", .string(String(instrument.multiplier))), .init("currency", .string(instrument.currency.code)),
        ])
    }
}
