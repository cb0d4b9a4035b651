public import Exact
import Instruments
public import Messages
public import Texts
import WireCodec

// What a caller may ask a counter for.
extension TradeConnection {
    // MARK: Trading session

    /// Logs in to the counter's trading account (D-1). The password is sent once and not kept. `isSilent`: binding or re-login that opens no
    /// page (D-2); never after a kick-out.
    public func login(_ counter: TradeCounter, password: String, isSilent: Bool = false) async -> TradeLoginResult {
        var login = TradeLogin()
        login.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        login.password = password
        login.protocol.minimum = 1
        login.protocol.maximum = 1
        let outcome = await performLogin(counter, encoded(login), isSilent: isSilent)
        switch outcome {
        case .replied(let envelope), .found(let envelope):
            do throws(WireError) {
                // A refused login carries its own code beside the envelope's.
                let reply = try TradeLoginReply(serializedBytes: envelope.payload)
                if reply.code == .unspecified, let failure = envelope.failure { return .failed(failure) }
                return TradeLoginResult(reply)
            } catch {
                return .failed(Failure(.connectionLost))
            }
        case .gated: return .tooFrequent
        case .refusedAfterKickOut: return .failed(Failure(.tradeKicked))
        case .notConnected: return .failed(Failure(.connectionNotConnected))
        case .timedOut: return .failed(Failure(.connectionTimedOut))
        case .unknown, .notExecuted, .lost: return .failed(Failure(.connectionLost))
        }
    }

    /// Ends the trading session of this device on the counter, here and for the gateway.
    public func logout(_ counter: TradeCounter) async {
        var logout = TradeLogout()
        logout.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        // Whatever the answer is, this device forgets the session; the gateway ends one it never hears of again by its own rule.
        _ = await perform(.query(nil), counter, .logout, encoded(logout))
        logOut(counter)
    }

    // MARK: Commands

    /// Places an order. `commandID` is the caller's, so that the order can be found again whatever happens to this process (C-4).
    public func place(_ ticket: OrderTicket, on counter: TradeCounter, commandID: CommandID = CommandID()) async -> CommandResult {
        var order = PlaceOrder()
        order.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        order.commandID = commandID.bytes
        order.instrument = ticket.instrument.rawValue
        order.side = ticket.side
        order.quantity = ticket.quantity.units
        order.type = .market
        if let limit = ticket.limit {
            order.type = .limit
            order.limit = limit.nanos
        }
        order.timeInForce = ticket.timeInForce
        return CommandResult(await perform(.place, counter, .place, encoded(order), command: commandID))
    }

    /// Changes quantity or limit of a working order; nil keeps what is.
    public func modify(
        order id: UInt64, quantity: Quantity? = nil, limit: Price? = nil, on counter: TradeCounter, commandID: CommandID = CommandID()
    ) async -> CommandResult {
        var order = ModifyOrder()
        order.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        order.commandID = commandID.bytes
        order.orderID = id
        if let quantity { order.quantity = quantity.units }
        if let limit { order.limit = limit.nanos }
        return CommandResult(await perform(.modify, counter, .modify, encoded(order), command: commandID))
    }

    public func cancel(order id: UInt64, on counter: TradeCounter, commandID: CommandID = CommandID()) async -> CommandResult {
        var order = CancelOrder()
        order.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        order.commandID = commandID.bytes
        order.orderID = id
        return CommandResult(await perform(.cancel, counter, .cancel, encoded(order), command: commandID))
    }

    // MARK: Queries

    /// All orders, or those that work, ascending, as of one sequence; asked for in pages.
    public func orders(_ counter: TradeCounter, workingOnly: Bool = false) async throws(Failure) -> OrderList {
        var query = OrdersQuery()
        query.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        query.workingOnly = workingOnly
        query.limit = Self.pageRows
        let gathered: PagedList<Order> = try await gather(counter) { after throws(Failure) in
            query.after = after
            let page = try await self.ask(OrderList.self, counter, .orders, query, kind: "orders \(workingOnly) \(after)")
            return (page.orders, page.sequence, page.more)
        }
        var list = OrderList()
        list.orders = gathered.rows.filter { !workingOnly || $0.status == .working || $0.status == .partiallyFilled }
        list.sequence = gathered.sequence ?? 0
        return list
    }

    /// Nil: the gateway does not know the command.
    public func order(by commandID: CommandID, on counter: TradeCounter) async throws(Failure) -> Order? {
        var query = OrderByCommand()
        query.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        query.commandID = commandID.bytes
        return try await ask(OrderList.self, counter, .orderByCommand, query, kind: nil).orders.first
    }

    /// All fills, or those of one order, after a sequence, ascending, as of one sequence; asked for in pages.
    public func fills(_ counter: TradeCounter, order: UInt64 = 0, since sequence: UInt64 = 0) async throws(Failure) -> FillList {
        var query = FillsQuery()
        query.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        query.orderID = order
        query.sinceSequence = sequence
        query.limit = Self.pageRows
        let gathered: PagedList<Fill> = try await gather(counter) { after throws(Failure) in
            query.after = after
            let page = try await self.ask(FillList.self, counter, .fills, query, kind: "fills \(order) \(sequence) \(after)")
            return (page.fills, page.sequence, page.more)
        }
        var list = FillList()
        list.fills = gathered.rows.filter { $0.sequence > sequence && (order == 0 || $0.orderID == order) }
        list.sequence = gathered.sequence ?? 0
        return list
    }

    /// Rows asked for at a time.
    private static let pageRows: UInt32 = 500

    /// Page after page until the list is whole; begun again a few times where the account is too busy to follow.
    private func gather<Row>(
        _ counter: TradeCounter, _ page: (_ after: UInt64) async throws(Failure) -> (rows: [Row], sequence: UInt64, more: Bool)
    ) async throws(Failure) -> PagedList<Row> {
        for _ in 0..<4 {
            var list = PagedList<Row>()
            var step = PagedList<Row>.Step.askPage(after: 0)
            while step != .again {
                switch step {
                case .askPage(let after):
                    let answer = try await page(after)
                    step = list.take(page: answer.rows, sequence: answer.sequence, more: answer.more)
                case .askSince(let sequence):
                    var query = SinceQuery()
                    query.tradingAccount = configuration.tradingAccounts[counter] ?? ""
                    query.sequence = sequence
                    step = list.take(try await ask(SinceReply.self, counter, .since, query, kind: "since \(sequence)"))
                case .done: return list
                case .again: break
                case .broken: throw Failure(.connectionLost)
                }
            }
        }
        throw Failure(.connectionTimedOut)
    }

    public func positions(_ counter: TradeCounter) async throws(Failure) -> PositionList {
        try await ask(PositionList.self, counter, .positions, accountQuery(counter), kind: "positions")
    }

    public func funds(_ counter: TradeCounter) async throws(Failure) -> FundsReply {
        try await ask(FundsReply.self, counter, .funds, accountQuery(counter), kind: "funds")
    }

    private func accountQuery(_ counter: TradeCounter) -> AccountQuery {
        var query = AccountQuery()
        query.tradingAccount = configuration.tradingAccounts[counter] ?? ""
        return query
    }

    private func ask<Reply: Message>(
        _ reply: Reply.Type, _ counter: TradeCounter, _ type: TradeMessageType, _ query: some Message, kind: String?
    ) async throws(Failure) -> Reply {
        switch await perform(.query(kind), counter, type, encoded(query)) {
        case .replied(let envelope), .found(let envelope):
            if let failure = envelope.failure { throw failure }
            do throws(WireError) { return try Reply(serializedBytes: envelope.payload) } catch { throw Failure(.connectionLost) }
        case .notConnected: throw Failure(.connectionNotConnected)
        case .timedOut: throw Failure(.connectionTimedOut)
        case .unknown, .notExecuted, .lost, .gated, .refusedAfterKickOut: throw Failure(.connectionLost)
        }
    }
}

extension CommandResult {
    init(_ outcome: TradeOutcome<TradeEnvelope>) {
        switch outcome {
        case .replied(let envelope), .found(let envelope): self = envelope.commandResult
        case .notConnected: self = .notConnected
        case .notExecuted: self = .refused(Failure(.orderNotExecuted))
        // A command never ends in the others; not known is the only thing that may be said then.
        case .unknown, .timedOut, .lost, .gated, .refusedAfterKickOut: self = .unknown
        }
    }
}
