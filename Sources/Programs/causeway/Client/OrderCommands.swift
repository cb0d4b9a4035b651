import Exact
import HTTP
import Instruments
import Messages
import Portfolio
import Texts
import Trade
import TradeSession

/// `order place|cancel|list|show`.
enum OrderCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [place(open), cancel(open), list(open), show(open)] }

    private static func place(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["order", "place"], summary: .helpCommandOrderPlace, arguments: "buy|sell SYMBOL QTY", count: 3...3,
            options: [.value("limit", "P", .helpOptionLimitPrice), .flag("market", .helpOptionMarket)], isChange: true
        ) { invocation in
            let side: OrderSide
            switch invocation.positional[0] {
            case "buy": side = .buy
            case "sell": side = .sell
            default: throw Usage.choice("buy|sell", ["buy", "sell"])
            }
            let quantity = try Usage.quantity("QTY", invocation.positional[2])
            let limit = try invocation["limit"].map { text in
                guard let price = try? Price(text) else { throw Usage.invalid("--limit", text, .price) }
                return price
            }
            // One of the two must be said: a forgotten limit is never a market order.
            if limit != nil, invocation.has("market") { throw Usage.conflict("limit", "market") }
            if limit == nil, !invocation.has("market") { throw Usage.noPrice }
            let context = try await open(invocation)
            let instrument = try await context.instrument(invocation.positional[1])
            let account = try await context.account(for: instrument)
            let outcome = try await context.place(account, instrument.id, side, limit == nil ? .market : .limit, quantity, limit)
            try report(outcome, .orderSent, invocation, context.language)
        }
    }

    private static func cancel(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["order", "cancel"], summary: .helpCommandOrderCancel, arguments: "ID", count: 1...1, isChange: true) { invocation in
            let id = try number(invocation)
            let context = try await open(invocation)
            let (account, _) = try await find(id, context)
            try report(try await context.cancel(account, id), .orderCancelled, invocation, context.language)
        }
    }

    /// Accepted prints; everything else ends with its own status, `unknown` with 5: it is never called a failure.
    private static func report(_ outcome: OrderOutcome, _ done: Text, _ invocation: Invocation, _ language: Language) throws {
        switch outcome {
        case .accepted(let id):
            invocation.output.show(
                .object([.init("order", .object([.init("id", .string(String(id)))]))]), text: ["\(done.words(in: language))  \(id)"])
        case .refused(let failure): throw failure
        case .notConnected: throw Failure(.connectionNotConnected)
        case .unknown: throw Failure(ErrorCode("order.unknown"))
        }
    }

    private static func list(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["order", "list"], summary: .helpCommandOrderList, options: [.flag("working", .helpOptionWorking)]
        ) { invocation in
            let context = try await open(invocation)
            let instruments = try await context.table()
            let books = try await context.books(context.orders)
            var orders = books.rows.map(\.row).filter { !invocation.has("working") || $0.isWorking }
            orders.sort { ($0.placedNs, $0.orderID) > ($1.placedNs, $1.orderID) }
            let table = table(orders, instruments, context.language)
            let shown = orders
            invocation.output.show(
                .object([
                    .init("orders", .array(shown.map { TradeJSON.order($0, instruments, context.language) })),
                    books.leftOut.json(in: context.language),
                ]),
                text: (shown.isEmpty ? [Text.orderNone.words(in: context.language)] : table.lines(within: Output.width))
                    + books.leftOut.lines(in: context.language))
        }
    }

    private static func show(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["order", "show"], summary: .helpCommandOrderShow, arguments: "ID", count: 1...1) { invocation in
            let id = try number(invocation)
            let context = try await open(invocation)
            let instruments = try await context.table()
            let (account, order) = try await find(id, context)
            let fills = try await context.fills(account).filter { $0.orderID == id }
            let instrument = instruments[InstrumentID(order.instrument)]
            let clock = instrument?.clock ?? .utc
            var lines = table([order], instruments, context.language).lines(within: Output.width)
            lines += fills.map { fill in
                let price = Price(nanos: fill.price)
                let quantity = Display.quantity(Quantity(units: fill.quantity))
                return "\(clock.dated(fill.timeNs))  \(quantity)  \(instrument.map { Display.price(price, of: $0) } ?? price.description)"
            }
            lines += fills.flatMap(\.fees).map {
                "  \(Text.feesRule(name: $0.rule).words(in: context.language))  \($0.currency) \(NumberFormat.fixed($0.amount, scale: 6, decimals: 2))"
            }
            let text = lines
            invocation.output.show(
                .object([
                    .init("order", TradeJSON.order(order, instruments, context.language)),
                    .init("fills", .array(fills.map { TradeJSON.fill($0, instruments) })),
                ]), text: text)
        }
    }

    private static func number(_ invocation: Invocation) throws -> UInt64 {
        guard let id = UInt64(invocation.positional[0]) else { throw Usage.invalid("ID", invocation.positional[0], .order) }
        return id
    }

    static func find(_ id: UInt64, _ context: ClientContext) async throws -> (ClientContext.TradingAccount, Order) {
        let books = try await context.books(context.orders)
        if let (account, order) = books.rows.first(where: { $0.row.orderID == id }) { return (account, order) }
        // It may be of the counter that could not be asked.
        if let leftOut = books.leftOut.first, let asked = TradeCounter.allCases.first(where: { $0 != leftOut.counter }) {
            throw Failure(
                .orderNotFoundHere, .init("asked", asked.rawValue), .init("other", leftOut.counter.rawValue),
                .init("counter", leftOut.counter.rawValue))
        }
        throw Failure(ErrorCode("order.not-found"))
    }

    /// Newest first as given; the time is when it was placed, the reason why it ended without a fill.
    static func table(_ orders: [Order], _ instruments: InstrumentTable, _ language: Language) -> Table {
        var table = Table(
            in: language, folding: 7, (.fieldOrder, .right), (.fieldTime, .left), (.fieldSymbol, .left), (.fieldSide, .left),
            (.fieldFilled, .right), (.fieldPrice, .right), (.fieldAverage, .right), (.fieldStatus, .left), (.fieldReason, .left))
        table.rows = orders.map { order in
            let instrument = instruments[InstrumentID(order.instrument)]
            let row = OrderRow(order, instrument, in: language)
            return [
                String(row.id), (instrument?.clock ?? .utc).dated(order.placedNs), row.symbol, row.side.words(in: language),
                row.filled + "/" + row.quantity, row.price, row.average, row.status.words(in: language),
                row.reason?.text(in: language) ?? "",
            ]
        }
        return table
    }
}

extension ErrorCode {
    /// The counter that was `asked` has no such order, and the `other` (its login is `counter`) is not logged in.
    static let orderNotFoundHere = ErrorCode("order.not-found-here")
}

extension TimeFormat {
    /// `2026-11-30 14:36:08 HKT`.
    func dated(_ nanoseconds: Int64) -> String { date(nanoseconds) + " " + named(nanoseconds) }
}

/// Orders and fills as JSON: decimals and ids are strings, times carry an offset, what is missing is null (C-6).
enum TradeJSON {
    static func order(_ order: Order, _ instruments: InstrumentTable, _ language: Language) -> JSONValue {
        let instrument = instruments[InstrumentID(order.instrument)]
        let clock = instrument.map { Display.clock(of: $0) } ?? .utc
        func price(_ isThere: Bool, _ nanos: Int64) -> JSONValue { isThere ? .string(Price(nanos: nanos).description) : .null }
        return .object([
            .init("id", .string(String(order.orderID))), .init("symbol", .string(instrument?.symbol ?? "#\(order.instrument)")),
            .init("side", .string(side(order.side))), .init("type", .string(order.type == .market ? "market" : "limit")),
            .init("quantity", .string(Quantity(units: order.quantity).description)),
            .init("filled", .string(Quantity(units: order.filled).description)), .init("limit", price(order.hasLimit, order.limit)),
            .init("average", price(order.hasAveragePriceNanos, order.averagePriceNanos)), .init("status", .string(status(order.status))),
            .init("reason", order.reasonFailure.map { JSONValue($0, in: language) } ?? .null),
            .init("placed", .string(clock.rfc3339(order.placedNs))), .init("updated", .string(clock.rfc3339(order.updatedNs))),
        ])
    }

    static func fill(_ fill: Fill, _ instruments: InstrumentTable) -> JSONValue {
        let instrument = instruments[InstrumentID(fill.instrument)]
        let clock = instrument.map { Display.clock(of: $0) } ?? .utc
        return .object([
            .init("id", .string(String(fill.fillID))), .init("order", .string(String(fill.orderID))),
            .init("symbol", .string(instrument?.symbol ?? "#\(fill.instrument)")), .init("side", .string(side(fill.side))),
            .init("quantity", .string(Quantity(units: fill.quantity).description)),
            .init("price", .string(Price(nanos: fill.price).description)), .init("currency", .string(fill.currency)),
            .init("time", .string(clock.rfc3339(fill.timeNs))),
            .init(
                "fees",
                .array(
                    fill.fees.map { item in
                        .object([
                            .init("rule", .string(item.rule)), .init("currency", .string(item.currency)),
                            .init("amount", .string(Money(micros: item.amount, currency: .hkd).text)),
                        ])
                    })),
        ])
    }

    private static func side(_ side: OrderSide) -> String { side == .buy ? "buy" : side == .sell ? "sell" : "unknown" }

    private static func status(_ status: OrderStatus) -> String {
        switch status {
        case .working: "working"
        case .partiallyFilled: "partially-filled"
        case .filled: "filled"
        case .cancelled: "cancelled"
        case .rejected: "rejected"
        case .expired: "expired"
        default: "unknown"
        }
    }
}

extension Fill {
    /// All fee items together; nil where they are not all of the fill's currency.
    var totalFees: Money? {
        guard let currency = Currency(currency), fees.allSatisfy({ $0.currency == self.currency }) else { return nil }
        return try? fees.reduce(Money.zero(currency)) { try $0.adding(Money(micros: $1.amount, currency: currency)) }
    }
}
