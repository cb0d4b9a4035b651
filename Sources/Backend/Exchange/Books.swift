import Exact
import Instruments
import Messages
import Streams
import Texts

/// The paper exchange's state and decisions: a value, without clock, file or thread (N-1). A decision changes the state, and the
/// record that tells what it used and what came of it is handed back to be journalled before anyone hears of it.
struct Books {
    var rules: ExchangeRules
    var accounts: [String: AccountBook] = [:]
    /// Working orders with a limit, by instrument.
    var resting: [UInt32: RestingOrders] = [:]
    /// Account of each working order.
    var owner: [UInt64: String] = [:]
    var lastOrderID: UInt64 = 0
    var lastFillID: UInt64 = 0
    /// Market time of the decision. It may go back between two runs of a replay; the account sequence is the order of things.
    var time = MarketInstant(nanoseconds: 0)
    /// No working order ends before this.
    var nextExpiry = Int64.max
    var feed = FeedState()
    private var standings: [InstrumentID: ExchangeRules.Standing] = [:]
    private var draft: [AccountChange] = []

    init(rules: ExchangeRules) { self.rules = rules }

    private var instruments: InstrumentTable { rules.facts.instruments }

    // MARK: Accounts and commands

    mutating func open(_ request: OpenTradingAccount, at now: MarketInstant) -> Result<JournalRecord?, Failure> {
        if accounts[request.tradingAccount] != nil { return .success(nil) }
        guard TradingCounter(rawValue: request.counter) != nil, !request.tradingAccount.isEmpty,
            request.funds.allSatisfy({ Currency($0.currency) != nil })
        else { return .failure(Failure(.requestInvalid, .init("field", "counter"))) }
        begin(now)
        apply(open: request)
        pushFunds(request.tradingAccount)
        return .success(record(.open(request)))
    }

    func apply(open request: OpenTradingAccount, to books: inout [String: AccountBook]) {
        var account = AccountBook(opened: request, counter: TradingCounter(rawValue: request.counter) ?? .securities)
        for line in request.funds { account.cash[line.currency] = line.cash }
        books[request.tradingAccount] = account
    }

    private mutating func apply(open request: OpenTradingAccount) { apply(open: request, to: &accounts) }

    mutating func place(_ command: PlaceOrder, at now: MarketInstant) -> (record: JournalRecord?, result: CommandResult) {
        if let known = known(command) { return (nil, known) }
        begin(now)
        lastOrderID += 1
        var state = OrderState()
        state.order = Order(command, id: lastOrderID, at: time)
        var standing: ExchangeRules.Standing?
        var before: Book?
        switch judge(command) {
        case .failure(let failure):
            state.order.status = .rejected
            state.order.reason = ErrorInfo(failure)
            store(state)
        case .success(let accepted):
            standing = accepted.standing
            before = feed.visible[command.instrument]?.book
            state.order.tradingDay = accepted.standing.day.yyyymmdd
            state.working.expiresNs = accepted.standing.dayEnds.nanoseconds
            work(state, accepted.instrument, accepted.standing.day)
        }
        var record = record(.place(command))
        if let before { record.visible = before }
        if let standing { record.phase = standing.phase }
        return (record, result(command.tradingAccount, lastOrderID))
    }

    /// The answer where the command was executed before or can never be.
    func known(_ command: PlaceOrder) -> CommandResult? {
        guard let account = accounts[command.tradingAccount] else { return .refused(Failure(.orderAccount)) }
        guard let key = CommandKey(command.commandID) else {
            return .refused(Failure(.requestInvalid, .init("field", "command_id")), account.sequence)
        }
        if let first = account.placed[key], let order = account.orders[first]?.order {
            guard order.matches(command) else { return .refused(Failure(.orderDuplicateContents), account.sequence) }
            return CommandResult(order: order, failure: order.refusal, sequence: account.sequence)
        }
        return account.cancels[key] == nil ? nil : .refused(Failure(.orderDuplicateContents), account.sequence)
    }

    mutating func cancel(_ command: CancelOrder, at now: MarketInstant) -> (record: JournalRecord?, result: CommandResult) {
        if let known = known(command) { return (nil, known) }
        guard let key = CommandKey(command.commandID) else { preconditionFailure("a command without id is known to be refused") }
        begin(now)
        let order = accounts[command.tradingAccount]?.orders[command.orderID]?.order
        var outcome = CommandOutcome()
        outcome.cancel = command
        if order == nil {
            outcome.failure = ErrorInfo(Failure(.orderUnknown))
        } else if order?.isWorking == false {
            outcome.failure = ErrorInfo(Failure(.orderNotWorking))
        } else if var state = accounts[command.tradingAccount]?.orders[command.orderID] {
            end(&state, .cancelled, nil)
            pushFunds(command.tradingAccount)
        }
        accounts[command.tradingAccount, default: Self.missing()].cancels[key] = outcome
        let record = record(.cancel(outcome))
        let after = accounts[command.tradingAccount]
        return (
            record,
            CommandResult(
                order: after?.orders[command.orderID]?.order, failure: outcome.hasFailure ? outcome.failure.failure : nil,
                sequence: after?.sequence ?? 0)
        )
    }

    /// As for an order.
    func known(_ command: CancelOrder) -> CommandResult? {
        guard let account = accounts[command.tradingAccount] else { return .refused(Failure(.orderAccount)) }
        guard let key = CommandKey(command.commandID) else {
            return .refused(Failure(.requestInvalid, .init("field", "command_id")), account.sequence)
        }
        if let first = account.cancels[key] {
            guard first.cancel == command else { return .refused(Failure(.orderDuplicateContents), account.sequence) }
            return CommandResult(
                order: account.orders[command.orderID]?.order, failure: first.hasFailure ? first.failure.failure : nil,
                sequence: account.sequence)
        }
        return account.placed[key] == nil ? nil : .refused(Failure(.orderDuplicateContents), account.sequence)
    }

    private func result(_ account: String, _ order: UInt64) -> CommandResult {
        let order = accounts[account]?.orders[order]?.order
        return CommandResult(order: order, failure: order?.refusal, sequence: accounts[account]?.sequence ?? 0)
    }

    // MARK: Pre-trade checks

    private struct Accepted {
        var instrument: Instrument
        var standing: ExchangeRules.Standing
    }

    private mutating func judge(_ command: PlaceOrder) -> Result<Accepted, Failure> {
        guard let account = accounts[command.tradingAccount] else { return .failure(Failure(.orderAccount)) }
        do throws(Failure) { return .success(try check(command, account)) } catch { return .failure(error) }
    }

    private mutating func check(_ command: PlaceOrder, _ account: AccountBook) throws(Failure) -> Accepted {
        guard let instrument = instruments[InstrumentID(command.instrument)] else {
            throw Failure(.symbolUnknown, .init("symbol", "\(command.instrument)"))
        }
        guard instrument.isTradable, account.cash[instrument.currency.code] != nil else { throw Failure(.symbolNotTradable) }
        guard (instrument.future != nil) == (account.counter == .futures) else {
            throw Failure(.orderUnsupported, .init("kind", account.counter.rawValue))
        }
        let standing = try standing(instrument)
        guard instrument.isListed(on: standing.day) else { throw Failure(.symbolNotTradable) }
        guard [.buy, .sell].contains(command.side) else { throw Failure(.requestInvalid, .init("field", "side")) }
        guard [.day, .ioc, .fok].contains(command.timeInForce) else { throw Failure(.orderUnsupported, .init("kind", "time-in-force")) }
        guard account.working.count < ExchangeLimits.workingOrders else {
            throw Failure(.orderTooMany, .init("maximum", "\(ExchangeLimits.workingOrders)"))
        }
        try checkQuantity(command, instrument)
        switch command.type {
        case .limit:
            guard command.hasLimit else { throw Failure(.requestInvalid, .init("field", "limit")) }
            try checkPrice(Price(nanos: command.limit), instrument, standing.day)
        case .market:
            guard !command.hasLimit else { throw Failure(.requestInvalid, .init("field", "limit")) }
        default: throw Failure(.orderUnsupported, .init("kind", "type"))
        }
        guard standing.takesOrders else {
            throw Failure(.marketClosed, .init("phase", "\(standing.phase)"), .init("opens", rules.opens(instrument, after: time)))
        }
        guard !feed.halted.contains(command.instrument) else { throw Failure(.marketHalted, .init("symbol", instrument.symbol)) }
        let kind = OrderKinds(command)
        guard rules.kinds(instrument.market, standing.phase).isSuperset(of: kind) else {
            throw Failure(.orderKindNotTaken, .init("market", instrument.market.rawValue), .init("kind", kind.word))
        }
        guard !rules.isFeedOver(instrument, at: time) else { throw Failure(.marketUnrecorded) }
        if let shown = feed.visible[command.instrument], !standing.covers(shown.book.timeNs) { feed.visible[command.instrument] = nil }
        try checkFeed(command, standing)
        try checkMeans(command, instrument, standing.day, account)
        return Accepted(instrument: instrument, standing: standing)
    }

    /// What must trade at once needs a session of which the feed has told something; a day's limit order may wait for it.
    private func checkFeed(_ command: PlaceOrder, _ standing: ExchangeRules.Standing) throws(Failure) {
        guard command.type == .market || command.timeInForce != .day else { return }
        guard feed.heardAt[command.instrument].map(standing.covers) == true else { throw Failure(.marketNoFeed) }
    }

    /// Asks the calendar once for as long as its answer holds.
    mutating func standing(_ instrument: Instrument) throws(Failure) -> ExchangeRules.Standing {
        if let known = standings[instrument.id], known.holds.contains(time) { return known }
        let fresh = try rules.standing(instrument, at: time).get()
        standings[instrument.id] = fresh
        return fresh
    }

    private func checkQuantity(_ command: PlaceOrder, _ instrument: Instrument) throws(Failure) {
        let lots: Int64 =
            instrument.future != nil
            ? ExchangeLimits.contracts : instrument.market.rawValue == "XHKG" ? ExchangeLimits.lots : ExchangeLimits.shares
        let (maximum, overflow) = instrument.lot.units.multipliedReportingOverflow(by: lots)
        guard command.quantity > 0, !overflow, command.quantity <= maximum else {
            throw Failure(.orderSize, .init("maximum", Quantity(units: maximum).description))
        }
        guard Quantity(units: command.quantity).isMultiple(ofLot: instrument.lot) else {
            throw Failure(.orderLot, .init("lot", instrument.lot.description), .init("unit", instrument.unit(of: instrument.lot)))
        }
    }

    private func checkPrice(_ price: Price, _ instrument: Instrument, _ day: TradingDay) throws(Failure) {
        let reference = (feed.lastPrice[instrument.id.rawValue] ?? feed.previousClose[instrument.id.rawValue]).map { Price(nanos: $0) }
        guard abs(Int128(price.nanos)) <= 1_000_000_000_000_000, rules.facts.bands.allows(price, for: instrument, reference: reference)
        else {
            let range = rules.facts.bands.range(for: instrument, reference: reference, rules.facts.ticks, on: day)
            throw Failure(
                .orderPriceBand, .init("reference", instrument.plain(reference)), .init("lowest", instrument.plain(range.lowest)),
                .init("highest", instrument.plain(range.highest)))
        }
        guard rules.facts.ticks.isOnTick(price, for: instrument, on: day) else {
            throw Failure(
                .orderTick, .init("price", instrument.plain(price)),
                .init("below", instrument.plain(rules.facts.ticks.below(price, for: instrument, on: day))),
                .init("above", instrument.plain(rules.facts.ticks.above(price, for: instrument, on: day))))
        }
    }

    private func checkMeans(
        _ command: PlaceOrder, _ instrument: Instrument, _ day: TradingDay, _ account: AccountBook
    ) throws(Failure) {
        let takes =
            feed.visible[command.instrument]?.reach(command.side, upTo: command.quantity, limit: command.hasLimit ? command.limit : nil)
            ?? []
        let taken = takes.reduce(0) { $0 + $1.quantity }
        if command.type == .market, taken == 0 { throw Failure(.orderNoLiquidity) }
        if command.timeInForce == .fok, taken < command.quantity { throw Failure(.orderImmediate) }
        if command.timeInForce == .ioc, taken == 0 { throw Failure(.orderImmediate) }
        let available = account.available(instrument.currency, instruments) + floatingLoss(account, instrument.currency)
        var needed: Int64 = 0
        if instrument.future != nil {
            let buys = command.side == .buy ? command.quantity : 0
            let extra =
                account.margins(instrument, extraBuy: buys, extraSell: command.quantity - buys).held - account.margins(instrument).held
            needed = extra + rules.fees.total(instrument, command.side, consideration: 0, quantity: command.quantity, on: day)
            if extra == 0 { needed = min(needed, available) }  // A closing order is never refused for want of funds: it frees them.
        } else if command.side == .buy {
            // The worst the order can cost: at its limit, or what the book shows for a market order.
            let rest = command.type == .market ? 0 : command.quantity
            var cost = try value(command.hasLimit ? command.limit : 0, rest, instrument)
            if command.type == .market { for take in takes { cost += try value(take.price, take.quantity, instrument) } }
            needed = cost + rules.fees.total(instrument, .buy, consideration: cost, quantity: command.quantity, on: day)
        } else {
            let sellable = (account.positions[command.instrument]?.quantity ?? 0) - account.offered(command.instrument)
            guard command.quantity <= sellable else {
                throw Failure(.orderPosition, .init("available", Quantity(units: max(0, sellable)).description))
            }
            needed = Self.sellHold(command.hasLimit ? command.limit : takes.last?.price ?? 0)
        }
        guard needed <= available else {
            throw Failure(
                .orderFunds, .init("currency", instrument.currency.code),
                .init("needed", Money(micros: needed, currency: instrument.currency).text(atLeast: 2)),
                .init("available", Money(micros: available, currency: instrument.currency).text(atLeast: 2)))
        }
    }

    /// What the open futures of a currency have lost at the last prices (before the first trade: the close before), together and never above
    /// zero: until the day is settled a loss stands in no cash, and margin that has been lost backs no new order. What has no price counts
    /// at its cost.
    func floatingLoss(_ account: AccountBook, _ currency: Currency) -> Int64 {
        guard account.counter == .futures else { return 0 }
        var sum = Int128(0)
        for (id, position) in account.positions where position.quantity != 0 {
            guard let instrument = instruments[InstrumentID(id)], instrument.currency == currency,
                let price = feed.lastPrice[id] ?? feed.previousClose[id], let worth = try? value(price, position.quantity, instrument)
            else { continue }
            sum += Int128(worth) - Int128(position.cost)
        }
        return Int64(clamping: min(0, sum))
    }

    /// Fees with a minimum or rounded up can pass the proceeds of a sale worth less than a few units of currency.
    static func sellHold(_ price: Int64) -> Int64 { price >= 5_000_000_000 ? 0 : 5_000_000 }

    func value(_ price: Int64, _ units: Int64, _ instrument: Instrument) throws(Failure) -> Int64 {
        do throws(ArithmeticError) {
            return try Money(
                price: Price(nanos: price), quantity: Quantity(units: units), multiplier: try Quantity(whole: Int(instrument.multiplier)),
                currency: instrument.currency, rounding: .halfEven
            ).micros
        } catch { throw Failure(.orderLimits) }
    }

    // MARK: Working

    private mutating func work(_ initial: OrderState, _ instrument: Instrument, _ day: TradingDay) {
        var state = initial
        state.order.status = .working
        let id = state.order.orderID
        let limit = state.order.hasLimit ? state.order.limit : nil
        owner[id] = state.order.tradingAccount
        nextExpiry = min(nextExpiry, state.working.expiresNs)
        accounts[state.order.tradingAccount, default: Self.missing()].working.insert(id)
        if let limit { resting[state.order.instrument, default: .init()].insert(id, state.order.side, at: limit) }
        state.working.hold = hold(state, instrument, day)
        store(state)
        let takes = take(state.order, upTo: state.order.quantity, limit: limit)
        let provenance = feed.visible[state.order.instrument]?.book.provenance ?? .unspecified
        for take in takes { fill(id, instrument, take.price, take.quantity, provenance) }
        if takes.isEmpty { pushFunds(state.order.tradingAccount) }
        guard var rest = accounts[state.order.tradingAccount]?.orders[id], rest.order.filled < rest.order.quantity else { return }
        if rest.order.type == .market || rest.order.timeInForce != .day {
            end(&rest, .cancelled, Failure(.orderImmediate))
            pushFunds(rest.order.tradingAccount)
        } else if let limit {
            feed.queue(id, rest.order, at: limit) { owner[$0] != nil }
        }
    }

    /// Takes from the other side of what is shown.
    mutating func take(_ order: Order, upTo quantity: Int64, limit: Int64?) -> [VisibleBook.Take] {
        let takes = feed.visible[order.instrument]?.reach(order.side, upTo: quantity, limit: limit) ?? []
        if !takes.isEmpty { feed.visible[order.instrument, default: .init(book: Book(), fromBook: false)].remove(takes, order.side) }
        return takes
    }

    /// What the remainder may still cost. A buyer's: remainder at the limit, and the fees of the whole at the limit not yet charged.
    private func hold(_ state: OrderState, _ instrument: Instrument, _ day: TradingDay) -> Int64 {
        let order = state.order
        let rest = order.quantity - order.filled
        guard rest > 0 else { return 0 }
        let charged = state.working.charged.reduce(0) { $0 + $1.amount }
        if instrument.future != nil {
            return rules.fees.total(instrument, order.side, consideration: 0, quantity: order.quantity, on: day) - charged
        }
        guard order.side == .buy else { return Self.sellHold(order.hasLimit ? order.limit : 0) }
        guard order.hasLimit, let cost = try? value(order.limit, rest, instrument) else { return 0 }
        let fees = rules.fees.total(
            instrument, .buy, consideration: state.working.consideration + cost, quantity: order.quantity, on: day)
        return cost + max(0, fees - charged)
    }

    mutating func fill(_ id: UInt64, _ instrument: Instrument, _ price: Int64, _ units: Int64, _ provenance: Provenance) {
        guard let name = owner[id], var state = accounts[name]?.orders[id], let day = TradingDay(yyyymmdd: state.order.tradingDay),
            let worth = try? value(price, units, instrument)
        else { preconditionFailure("a fill of order \(id) that is not working or whose worth passed no check") }
        let signed = state.order.side == .buy ? units : -units
        state.order.filled += units
        state.working.consideration += abs(worth)
        let owed = rules.fees.items(
            instrument, state.order.side, consideration: state.working.consideration, quantity: state.order.filled, on: day)
        lastFillID += 1
        var fill = Fill(of: state.order, id: lastFillID, price: price, units: units, at: time, currency: instrument.currency.code)
        fill.priceProvenance = provenance
        fill.fees = owed.map { item in
            var due = item
            due.amount -= state.working.charged.first { $0.rule == item.rule }?.amount ?? 0
            return due
        }
        state.working.charged = owed
        var position = accounts[name]?.positions[instrument.id.rawValue] ?? Position(name, instrument)
        let gain = position.trade(signed, value: state.order.side == .buy ? worth : -worth)
        let fees = fill.fees.reduce(0) { $0 + $1.amount }
        let flow = instrument.future != nil ? gain : state.order.side == .buy ? -worth : worth
        accounts[name, default: Self.missing()].cash[instrument.currency.code, default: 0] += flow - fees
        state.order.average(fill, before: accounts[name]?.fills ?? [])
        change(name) { event in
            fill.sequence = event.sequence
            event.body = .fill(fill)
        }
        if state.order.filled == state.order.quantity {
            end(&state, .filled, nil)
        } else {
            state.order.status = .partiallyFilled
            state.working.hold = hold(state, instrument, day)
            store(state)
        }
        position.sellable = max(0, position.quantity - (accounts[name]?.offered(instrument.id.rawValue) ?? 0))
        change(name) { event in
            position.sequence = event.sequence
            event.body = .position(position)
        }
        pushFunds(name)
    }

    mutating func end(_ state: inout OrderState, _ status: OrderStatus, _ reason: Failure?) {
        let id = state.order.orderID
        state.order.status = status
        if let reason { state.order.reason = ErrorInfo(reason) }
        state.working.hold = 0
        forget(id, state.order)
        store(state)
    }

    mutating func forget(_ id: UInt64, _ order: Order) {
        accounts[order.tradingAccount, default: Self.missing()].working.remove(id)
        if owner.removeValue(forKey: id) != nil, order.hasLimit { resting[order.instrument]?.remove(id, order.side, at: order.limit) }
    }

    // MARK: Recording

    mutating func begin(_ now: MarketInstant) {
        time = now
        draft = []
    }

    var hasChanges: Bool { !draft.isEmpty }

    func record(_ input: JournalRecord.OneOf_Input) -> JournalRecord {
        var record = JournalRecord()
        record.timeNs = time.nanoseconds
        record.input = input
        record.changes = draft
        return record
    }

    private mutating func store(_ initial: OrderState) {
        var state = initial
        state.order.updatedNs = time.nanoseconds
        change(state.order.tradingAccount, working: state.working) { event in
            state.order.sequence = event.sequence
            event.body = .order(state.order)
        }
    }

    mutating func pushFunds(_ name: String) {
        guard var funds = funds(name) else { return }
        change(name) { event in
            funds.sequence = event.sequence
            event.body = .funds(funds)
        }
    }

    private func funds(_ name: String) -> FundsReply? {
        guard let account = accounts[name] else { return nil }
        var funds = FundsReply()
        funds.tradingAccount = name
        funds.lines = account.funds(instruments)
        funds.baseCurrency = account.opened.baseCurrency
        return funds
    }

    private mutating func change(_ name: String, working: WorkingState? = nil, _ make: (inout AccountEvent) -> Void) {
        guard let sequence = accounts[name]?.sequence else { preconditionFailure("a change in an account that is not open") }
        var event = AccountEvent()
        event.sequence = sequence + 1
        make(&event)
        var change = AccountChange()
        change.tradingAccount = name
        change.event = event
        if let working { change.working = working }
        if draft.isEmpty { draft.reserveCapacity(5) }
        draft.append(change)
        accounts[name, default: Self.missing()].apply(change)
    }

    /// For changing an account where it stands: through an optional it would be taken out and put back, with three allocations.
    private static func missing() -> AccountBook { preconditionFailure("a change in an account that is not open") }
}
