import Exact
import HTTP
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Texts
import Trade
import TradeSession

/// `positions`, `funds`, `fills`, `pnl`.
enum AccountCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [positions(open), funds(open), fills(open), profit(open)] }

    /// The open positions of every trading account with their profit, at one reading of the prices.
    struct Book {
        var entries: [(position: Position, instrument: Instrument, profit: PositionProfit)] = []
        var rates: ReferenceRates
        /// Their positions are not in it, nor in its total.
        var leftOut: [LeftOutCounter] = []

        init(_ context: ClientContext) async throws {
            let table = try await context.table()
            rates = try await context.rates()
            var open: [(Position, Instrument, Holding)] = []
            let books = try await context.books(context.positions)
            leftOut = books.leftOut
            for (_, position) in books.rows where position.quantity != 0 {
                guard let instrument = table[InstrumentID(position.instrument)], let holding = Holding(position, of: instrument) else {
                    // A position that cannot be read must not vanish from a sum.
                    throw Failure(.symbolUnknown, .init("symbol", "#\(position.instrument)"))
                }
                open.append((position, instrument, holding))
            }
            let quotes = open.isEmpty ? [] : try await context.snapshot(open.map(\.1.id))
            let last = Dictionary(quotes.filter(\.hasLast).map { ($0.instrument, Price(nanos: $0.last)) }) { _, newest in newest }
            entries = open.map { ($0.0, $0.1, ProfitAndLoss.profit($0.2, price: last[$0.1.id.rawValue])) }
        }

        func total(in currency: Currency) -> ProfitTotal { ProfitAndLoss.total(entries.map(\.profit), in: currency, rates: rates.table) }
    }

    private static func positions(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["positions"], summary: .helpCommandPositions) { invocation in
            let context = try await open(invocation)
            let book = try await Book(context)
            var table = Table(
                in: context.language, folding: 7, (.fieldSymbol, .left), (.fieldQuantity, .right), (.fieldSellable, .right),
                (.fieldCost, .right), (.fieldLast, .right), (.fieldPnl, .right), (.fieldCurrency, .left), (.fieldName, .left),
                (.fieldValue, .right))
            table.rows = book.entries.map { entry in
                let row = PositionRow(
                    entry.profit, sellable: Quantity(units: entry.position.sellable), entry.instrument, in: context.language)
                return [row.symbol, row.quantity, row.sellable, row.cost, row.price, row.profit, row.currency, row.name, row.value]
            }
            invocation.output.show(
                .object([
                    .init("positions", .array(book.entries.map { json($0.position, $0.instrument, $0.profit) })),
                    book.leftOut.json(in: context.language),
                ]),
                text: (book.entries.isEmpty ? [Text.positionsNone.words(in: context.language)] : table.lines(within: Output.width))
                    + book.leftOut.lines(in: context.language))
        }
    }

    /// What the open futures of an account have lost, at one reading of the prices.
    private struct FloatingLoss {
        private var positions: [ClientContext.TradingAccount: [Position]] = [:]
        private var prices: [UInt32: Price] = [:]
        private let table: InstrumentTable

        init(_ context: ClientContext, _ accounts: [ClientContext.TradingAccount]) async throws {
            table = try await context.table()
            for account in Set(accounts) where account.counter == .futures { positions[account] = try await context.positions(account) }
            let held = Set(positions.values.joined().filter { $0.quantity != 0 }.map(\.instrument)).sorted()
            for quote in held.isEmpty ? [] : try await context.snapshot(held.map { InstrumentID($0) }) {
                prices[quote.instrument] = quote.lastPrice ?? quote.previousClosePrice
            }
        }

        /// Nil where it is not known.
        subscript(account: ClientContext.TradingAccount, currency: String) -> Int64? {
            guard let currency = Currency(currency) else { return nil }
            return ProfitAndLoss.floatingLoss(positions[account] ?? [], in: currency, table) { prices[$0.rawValue] }
        }
    }

    private static func funds(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["funds"], summary: .helpCommandFunds) { invocation in
            let context = try await open(invocation)
            var table = Table(
                in: context.language, folding: 5, (.fieldCounter, .left), (.fieldCurrency, .left), (.fieldCash, .right),
                (.fieldHeld, .right), (.fieldAvailable, .right), (.fieldInitialMargin, .right), (.fieldMaintenanceMargin, .right))
            var objects: [JSONValue] = []
            let books = try await context.books(context.funds)
            let loss = try await FloatingLoss(context, books.rows.map(\.account))
            for (account, line) in books.rows {
                let lost = loss[account, line.currency]
                let row = FundsRow(line, floatingLoss: lost)
                table.rows.append([
                    account.counter.text.words(in: context.language), row.currency, row.cash, row.held, row.available, row.initialMargin,
                    row.maintenanceMargin,
                ])
                objects.append(json(line, account, lost))
            }
            let isEmpty = objects.isEmpty
            invocation.output.show(
                .object([.init("funds", .array(objects)), books.leftOut.json(in: context.language)]),
                text: (isEmpty ? [Text.fundsNone.words(in: context.language)] : table.lines(within: Output.width))
                    + books.leftOut.lines(in: context.language))
        }
    }

    private static func fills(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["fills"], summary: .helpCommandFills, options: [.value("order", "ID", .helpOptionOrder)]) { invocation in
            let wanted = try invocation["order"].map { text in
                guard let id = UInt64(text) else { throw Usage.invalid("--order", text, .order) }
                return id
            }
            let context = try await open(invocation)
            let instruments = try await context.table()
            let books = try await context.books(context.fills)
            var fills = books.rows.map(\.row).filter { wanted == nil || $0.orderID == wanted }
            fills.sort { ($0.timeNs, $0.fillID) > ($1.timeNs, $1.fillID) }
            let table = table(fills, instruments, context.language)
            let shown = fills
            invocation.output.show(
                .object([
                    .init("fills", .array(shown.map { TradeJSON.fill($0, instruments) })), books.leftOut.json(in: context.language),
                ]),
                text: (shown.isEmpty ? [Text.fillsNone.words(in: context.language)] : table.lines(within: Output.width))
                    + books.leftOut.lines(in: context.language))
        }
    }

    static func table(_ fills: [Fill], _ instruments: InstrumentTable, _ language: Language) -> Table {
        var table = Table(
            in: language, folding: 6, (.fieldOrder, .right), (.fieldTime, .left), (.fieldSymbol, .left), (.fieldSide, .left),
            (.fieldQuantity, .right), (.fieldPrice, .right), (.fieldFees, .right), (.fieldCurrency, .left))
        table.rows = fills.map { fill in
            let instrument = instruments[InstrumentID(fill.instrument)]
            let price = Price(nanos: fill.price)
            return [
                String(fill.orderID), (instrument?.clock ?? .utc).dated(fill.timeNs), instrument?.symbol ?? "#\(fill.instrument)",
                fill.side.text.words(in: language), Display.quantity(Quantity(units: fill.quantity)),
                instrument.map { Display.price(price, of: $0) } ?? price.description,
                fill.totalFees.map { Display.money($0) } ?? Display.missing, fill.currency,
            ]
        }
        return table
    }

    private static func profit(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["pnl"], summary: .helpCommandPnl, options: [.flag("explain", .helpOptionExplain)]
        ) { invocation in
            let context = try await open(invocation)
            let language = context.language
            let book = try await Book(context)
            let totals = [Currency.hkd, .usd].map { book.total(in: $0) }
            var lines: [String] = []
            var objects: [JSONValue] = []
            var isFraction = false
            if invocation.has("explain") { lines.append(Text.pnlFormula.words(in: language)) }
            for total in totals {
                let explanation = Explanation(book.entries.map(\.profit), total: total)
                isFraction = isFraction || explanation.lines.contains { $0.formula.contains("/") }
                if invocation.has("explain") {
                    lines += explanation.lines.map {
                        "\($0.symbol)  \($0.formula) = \(total.currency) \(Display.money($0.amount, signed: true))"
                    }
                }
                lines += explanation.missing.map { $0.words(in: language) }
                lines.append("\(Text.pnlTotal.words(in: language))  \(total.currency) \(Display.money(total.shown(), signed: true))")
                objects.append(json(total, explanation, explain: invocation.has("explain")))
            }
            if invocation.has("explain") {
                if isFraction { lines.append(Text.pnlFraction.words(in: language)) }
                lines += [Text.pnlRounding(decimals: 2), .pnlFees].map { $0.words(in: language) }
            }
            lines.append(book.rates.source.words(in: language))
            let isEmpty = book.entries.isEmpty
            let text = lines
            let values = objects
            invocation.output.show(
                .object([.init("totals", .array(values)), .init("rates", json(book.rates)), book.leftOut.json(in: language)]),
                text: (isEmpty ? [Text.pnlEmpty.words(in: language)] : text) + book.leftOut.lines(in: language))
        }
    }

    private static func json(_ total: ProfitTotal, _ explanation: Explanation, explain: Bool) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("currency", .string(total.currency.description)), .init("amount", money(total.shown())),
            .init("missing", .array(explanation.missing.map { .string($0.words(in: .english)) })),
        ]
        if explain {
            members.append(
                .init(
                    "parts",
                    .array(
                        explanation.lines.map {
                            .object([
                                .init("symbol", .string($0.symbol)), .init("formula", .string($0.formula)),
                                .init("amount", money($0.amount)),
                            ])
                        })))
        }
        return .object(members)
    }

    private static func json(_ rates: ReferenceRates) -> JSONValue {
        .object([
            .init("fixedFrom", rates.fixed.map { .string($0.lowerBound.description) } ?? .null),
            .init("fixedTo", rates.fixed.map { .string($0.upperBound.description) } ?? .null),
        ])
    }

    private static func json(_ position: Position, _ instrument: Instrument, _ profit: PositionProfit) -> JSONValue {
        .object([
            .init("symbol", .string(instrument.symbol)), .init("quantity", .string(profit.holding.quantity.description)),
            .init("sellable", .string(Quantity(units: position.sellable).description)), .init("cost", .string(profit.holding.cost.text)),
            .init("price", profit.price.map { .string($0.description) } ?? .null),
            .init("currency", .string(profit.ownCurrency.description)),
            .init("value", money(profit.value?.money(profit.ownCurrency))), .init("pnl", money(profit.own?.money(profit.ownCurrency))),
        ])
    }

    private static func json(_ line: FundsLine, _ account: ClientContext.TradingAccount, _ floatingLoss: Int64?) -> JSONValue {
        func text(_ micros: Int64) -> JSONValue { .string(Money(micros: micros, currency: .hkd).text) }
        return .object([
            .init("counter", .string(account.counter.rawValue)), .init("currency", .string(line.currency)), .init("cash", text(line.cash)),
            .init("held", text(line.held)), .init("floatingLoss", floatingLoss.map(text) ?? .null),
            .init("available", floatingLoss.map { text(line.available.addingReportingOverflow($0).partialValue) } ?? .null),
            .init("initialMargin", text(line.initialMargin)),
            .init("maintenanceMargin", text(line.maintenanceMargin)),
        ])
    }

    private static func money(_ money: Money?) -> JSONValue { money.map { .string($0.text) } ?? .null }
}
