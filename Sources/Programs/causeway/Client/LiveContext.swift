import Accounts
import Exact
import HTTP
import Instruments
import MarketData
import Messages
import Portfolio
import Streams
import Texts
import Trade
import TradeSession

extension LiveClient {
    /// The client as the commands see it.
    nonisolated func context(_ invocation: Invocation) -> ClientContext {
        ClientContext(
            language: invocation.language, catalogue: { try? Catalogue(invocation) },
            tradingAccounts: { () throws(Failure) in
                try await self.accountInfo().tradingAccounts.compactMap { entry in
                    TradeCounter(rawValue: entry.counter).map { .init(id: entry.id, counter: $0) }
                }
            },
            table: { () throws(Failure) in await (try await self.quotes()).instruments },
            tradingDay: { () throws(Failure) in
                guard let day = await (try await self.quotes()).marketDate else { throw Failure(.connectionNotConnected) }
                return day
            },
            marketTime: { () throws(Failure) in
                guard let reading = await (try await self.quotes()).marketTime() else { throw Failure(.connectionNotConnected) }
                return reading.time
            },
            facts: {
                do throws(DataFault) { return try MarketFacts(DataFolder.locate()) } catch { return nil }
            },
            feed: { () throws(Failure) in await (try await self.quotes()).feed },
            unfed: { ids throws(Failure) in try await self.quotes().unfed(ids) },
            snapshot: { ids throws(Failure) in try await self.quotes().snapshot(ids) },
            book: { id, depth throws(Failure) in try await self.quotes().book(id, depth: depth) },
            bars: { id, period, count, adjustment throws(Failure) in
                try await self.quotes().bars(id, period, count: count, adjustment: adjustment)
            },
            brokers: { id throws(Failure) in try await self.quotes().brokers(id) },
            ticks: { id, count throws(Failure) in try await self.quotes().ticks(id, count: count) },
            ranking: { kind, markets, kinds, count throws(Failure) in
                try await self.quotes().ranking(kind, markets: markets, kinds: kinds, count: count)
            },
            watch: { topics throws(Failure) in try await self.watch(topics) }, signedOut: { await self.signedOut() },
            rates: { () throws(Failure) in try await self.rates() },
            orders: { account throws(Failure) in
                let counter = account.counter
                return try await self.loggedIn(counter).orders(counter).orders
            },
            fills: { account throws(Failure) in
                let counter = account.counter
                return try await self.loggedIn(counter).fills(counter).fills
            },
            positions: { account throws(Failure) in
                let counter = account.counter
                return try await self.loggedIn(counter).positions(counter).positions
            },
            funds: { account throws(Failure) in
                let counter = account.counter
                return try await self.loggedIn(counter).funds(counter).lines
            },
            place: { account, instrument, side, _, quantity, limit throws(Failure) in
                let counter = account.counter
                let trade = try await self.trade(counter)
                return await settled(trade) { id in
                    await trade.place(
                        OrderTicket(instrument: instrument, side: side, quantity: quantity, limit: limit), on: counter, commandID: id)
                }
            },
            cancel: { account, order throws(Failure) in
                let counter = account.counter
                let trade = try await self.trade(counter)
                return await settled(trade) { id in await trade.cancel(order: order, on: counter, commandID: id) }
            })
    }

    /// The trade connection for a counter's books.
    private func loggedIn(_ counter: TradeCounter) async throws(Failure) -> TradeConnection {
        let trade = try await trade(counter)
        guard await trade.isLoggedIn(counter) else { throw Failure(.tradeNotLoggedIn, .init("counter", counter.rawValue)) }
        return trade
    }

    private func watch(_ topics: [QuoteTopic]) async throws(Failure) -> MarketDataSubscription {
        try await quotes().subscribe(topics, withStatus: true)
    }

    func rates() async throws(Failure) -> ReferenceRates {
        var rates = ReferenceRates()
        for entry in try await credentials.call(GatewayEndpoints.rates, Empty()).rates {
            guard let base = Currency(entry.base), let quote = Currency(entry.quote), let day = TradingDay(entry.fixedOn),
                let rate = try? FXRate(entry.rate, base: base, quote: quote)
            else { throw .invalid("rates") }
            rates.add(rate, fixedOn: day)
        }
        return rates
    }
}

/// The end of a command: an unknown one is waited for as long as the connection finds out by itself, 20 s at most (C-3).
func settled(
    _ trade: TradeConnection, _ id: CommandID = CommandID(), _ send: (CommandID) async -> CommandResult
) async -> OrderOutcome {
    let news = await trade.news()
    let first = await send(id)
    guard case .unknown = first else { return OrderOutcome(first) }
    let resolution = Task { () -> CommandResult? in
        for await item in news { if case .resolved(id, let result) = item { return result } }
        return nil
    }
    let alarm = Task {
        do { try await MonotonicClock.live.sleep(MonotonicClock.live.now().advanced(by: .seconds(20))) } catch { return }
        resolution.cancel()
    }
    defer { alarm.cancel() }
    return await resolution.value.map { OrderOutcome($0) } ?? .unknown
}

extension OrderOutcome {
    init(_ result: CommandResult) {
        switch result {
        case .accepted(let order): self = .accepted(orderID: order.orderID)
        case .refused(let failure): self = .refused(failure)
        case .notConnected: self = .notConnected
        case .unknown: self = .unknown
        }
    }
}
