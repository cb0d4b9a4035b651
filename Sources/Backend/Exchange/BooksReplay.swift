import Exact
import Instruments
import Messages
import Streams
import Texts

extension AccountBook {
    /// Takes a change as it stands in the journal; the same code serves the decision and its replay.
    mutating func apply(_ change: AccountChange) {
        let event = change.event
        precondition(event.sequence == sequence + 1, "account sequence has a gap")
        sequence = event.sequence
        switch event.body {
        case .order(let order):
            var state = OrderState()
            state.order = order
            state.working = change.working
            keep(state)
        case .fill(let fill): fills.append(fill)
        case .position(let position): positions[position.instrument] = position
        case .funds(let funds): for line in funds.lines { cash[line.currency] = line.cash }
        case nil: break
        }
        recent.append(event)
        if recent.count > 2 * ExchangeLimits.recentEvents { recent.removeFirst(recent.count - ExchangeLimits.recentEvents) }
    }
}

/// A record that does not follow from what came before it.
struct ReplayFault: Error {}

extension Books {
    /// Applies what a record says came of its input.
    mutating func replay(_ record: JournalRecord) throws(ReplayFault) {
        time = MarketInstant(nanoseconds: record.timeNs)
        switch record.input {
        case .open(let request): apply(open: request, to: &accounts)
        case .cancel(let outcome):
            guard let key = CommandKey(outcome.cancel.commandID) else { throw ReplayFault() }
            accounts[outcome.cancel.tradingAccount]?.cancels[key] = outcome
        case .place, .book, .trade, .expiredNs: break
        case nil: throw ReplayFault()
        }
        for change in record.changes {
            guard let account = accounts[change.tradingAccount], change.event.sequence == account.sequence + 1 else { throw ReplayFault() }
            if case .order(let order) = change.event.body, order.tradingAccount != change.tradingAccount { throw ReplayFault() }
            accounts[change.tradingAccount]?.apply(change)
            if case .order(let order) = change.event.body { note(order) }
            if case .fill(let fill) = change.event.body { lastFillID = max(lastFillID, fill.fillID) }
        }
    }

    private mutating func note(_ order: Order) {
        nextExpiry = min(nextExpiry, accounts[order.tradingAccount]?.orders[order.orderID]?.working.expiresNs ?? .max)
        let id = order.orderID
        lastOrderID = max(lastOrderID, id)
        guard order.isWorking else {
            if owner[id] != nil { forget(id, order) }
            return
        }
        guard owner.updateValue(order.tradingAccount, forKey: id) == nil else { return }
        accounts[order.tradingAccount]?.working.insert(id)
        if order.hasLimit { resting[order.instrument, default: .init()].insert(id, order.side, at: order.limit) }
    }

    /// The journalled state in one canonical form: equal books make equal bytes.
    var snapshot: ExchangeSnapshot {
        var snapshot = ExchangeSnapshot()
        snapshot.lastOrderID = lastOrderID
        snapshot.lastFillID = lastFillID
        snapshot.accounts = accounts.sorted { $0.key < $1.key }.map { _, account in
            var row = AccountSnapshot()
            row.opened = account.opened
            row.sequence = account.sequence
            row.cash = account.cash.sorted { $0.key < $1.key }.map { currency, amount in
                var line = FundsLine()
                line.currency = currency
                line.cash = amount
                return line
            }
            row.orders = account.orders.sorted { $0.key < $1.key }.map(\.value)
            row.fills = account.fills
            row.positions = account.positions.sorted { $0.key < $1.key }.map(\.value)
            row.cancels = account.cancels.values.sorted { $0.cancel.commandID.lexicographicallyPrecedes($1.cancel.commandID) }
            row.recent = account.recent
            return row
        }
        return snapshot
    }

    init(rules: ExchangeRules, snapshot: ExchangeSnapshot) {
        self.init(rules: rules)
        lastOrderID = snapshot.lastOrderID
        lastFillID = snapshot.lastFillID
        for row in snapshot.accounts {
            apply(open: row.opened, to: &accounts)
            let name = row.opened.tradingAccount
            accounts[name]?.sequence = row.sequence
            for line in row.cash { accounts[name]?.cash[line.currency] = line.cash }
            for state in row.orders {
                accounts[name]?.keep(state)
                note(state.order)
            }
            accounts[name]?.fills = row.fills
            for position in row.positions { accounts[name]?.positions[position.instrument] = position }
            for outcome in row.cancels {
                if let key = CommandKey(outcome.cancel.commandID) { accounts[name]?.cancels[key] = outcome }
            }
            accounts[name]?.recent = row.recent
        }
    }
}

extension Order {
    init(_ command: PlaceOrder, id: UInt64, at now: MarketInstant) {
        self.init()
        orderID = id
        tradingAccount = command.tradingAccount
        commandID = command.commandID
        instrument = command.instrument
        side = command.side
        type = command.type
        timeInForce = command.timeInForce
        quantity = command.quantity
        if command.hasLimit { limit = command.limit }
        placedNs = now.nanoseconds
    }

    /// Whether the same command made this order (C-4).
    func matches(_ command: PlaceOrder) -> Bool {
        instrument == command.instrument && side == command.side && type == command.type && timeInForce == command.timeInForce
            && quantity == command.quantity && hasLimit == command.hasLimit && limit == command.limit
    }

    var refusal: Failure? { status == .rejected ? reason.failure : nil }

    /// The average price for show, rounded half even from all fills.
    mutating func average(_ fill: Fill, before: [Fill]) {
        var sum = Int128(fill.price) * Int128(fill.quantity)
        var units = Int128(fill.quantity)
        for earlier in before.reversed() where earlier.orderID == orderID {
            sum += Int128(earlier.price) * Int128(earlier.quantity)
            units += Int128(earlier.quantity)
            if units >= Int128(filled) { break }
        }
        if let ratio = try? Ratio(numerator: sum, denominator: units * 1_000_000_000), let shown = try? ratio.scaled(places: 9, .halfEven) {
            averagePriceNanos = shown
        }
    }
}

extension Fill {
    init(of order: Order, id: UInt64, price: Int64, units: Int64, at now: MarketInstant, currency: String) {
        self.init()
        fillID = id
        orderID = order.orderID
        tradingAccount = order.tradingAccount
        instrument = order.instrument
        side = order.side
        self.price = price
        quantity = units
        timeNs = now.nanoseconds
        tradingDay = order.tradingDay
        self.currency = currency
    }
}

extension Position {
    init(_ account: String, _ instrument: Instrument) {
        self.init()
        tradingAccount = account
        self.instrument = instrument.id.rawValue
        currency = instrument.currency.code
    }
}
