public import Exact
public import Instruments
public import Messages
import Portfolio
public import Streams

/// What an account has to trade with, as last told by the server.
public struct TradingMeans: Sendable {
    /// Of the counter that trades the instrument.
    public var funds: [FundsLine]
    /// Of the instrument's currency: what open futures have lost, which backs no new order; nil where it is not known.
    public var floatingLoss: Int64?
    public var positions: [Position]
    public var orders: [Order]
    /// Nil: not known; estimates are then before fees.
    public var fees: FeeSchedule?
    /// The instrument's trading day, by which fee rules hold.
    public var day: TradingDay

    public init(
        funds: [FundsLine], floatingLoss: Int64?, positions: [Position], orders: [Order], fees: FeeSchedule?, day: TradingDay
    ) {
        self.funds = funds
        self.floatingLoss = floatingLoss
        self.positions = positions
        self.orders = orders
        self.fees = fees
        self.day = day
    }

    func remaining(_ instrument: Instrument, _ side: OrderSide) -> Int128 {
        orders.reduce(0) { sum, order in
            guard order.isWorking, order.instrument == instrument.id.rawValue, order.side == side else { return sum }
            return sum + Int128(order.quantity) - Int128(order.filled)
        }
    }

    func held(_ instrument: Instrument) -> Int128 {
        positions.reduce(0) { $1.instrument == instrument.id.rawValue ? $0 + Int128($1.quantity) : $0 }
    }
}

/// What an order costs before it is sent, by the rule and the tables of the exchange's own check (N-4, `docs/fill-model.md`).
public struct OrderEstimate: Hashable, Sendable {
    /// First and last price it is worked out with: the limit, or what the book shows now for a market order.
    public var from: Price
    public var to: Price
    /// How much of it that is for: less than the order where the book does not show enough.
    public var quantity: Quantity
    /// Price × quantity × multiplier.
    public var value: Money
    public var fees: Money?
    /// Futures: margin it would hold beyond what is held now; zero where it only closes.
    public var margin: Money?
    /// What the exchange asks to be available, fees included where they are known; nil for a sale of stock.
    public var needed: Money?
    public var available: Money?
    /// Available after the whole order was filled like that; nil where that depends on more (closing a futures position).
    public var after: Money?
    /// Stock on sale: what may still be sold.
    public var sellable: Quantity?

    /// True where the exchange would refuse it for want of funds or position; false also where that is not known.
    public var isShort: Bool {
        if let needed, let available, needed.micros > available.micros { return true }
        if let sellable, quantity > sellable { return true }
        return false
    }

    /// Nil where there is no price to work with, or the numbers are beyond what an order may have.
    public init?(
        _ instrument: Instrument, _ side: OrderSide, _ type: OrderType, quantity: Quantity, limit: Price?, book: Book?, means: TradingMeans
    ) {
        let parts = Self.parts(side, type, quantity: quantity, limit: limit, book: book)
        guard let first = parts.first, let last = parts.last, let worth = Self.worth(parts, instrument) else { return nil }
        from = first.price
        to = last.price
        value = worth
        guard let units = Self.narrowed(parts.reduce(0) { $0 + Int128($1.units) }) else { return nil }
        self.quantity = Quantity(units: units)
        let currency = instrument.currency
        let consideration = instrument.future == nil ? abs(worth.micros) : 0
        fees = means.fees.map {
            let total = $0.total(instrument, side, consideration: consideration, quantity: quantity.units, on: means.day)
            return Money(micros: total, currency: currency)
        }
        available = means.funds.first { $0.currency == currency.code }.flatMap { line in
            let lost = instrument.future == nil ? 0 : means.floatingLoss
            return lost.flatMap { Self.sum(Money(micros: line.available, currency: currency), Int128($0)) }
        }
        if instrument.future != nil {
            settleFuture(instrument, side, quantity, means)
        } else if side == .buy {
            needed = Self.sum(value, fees?.micros ?? 0)
            after = Self.sum(available, -Int128(needed?.micros ?? 0))
        } else {
            let free = means.held(instrument) - means.remaining(instrument, .sell)
            sellable = Self.narrowed(max(0, free)).map { Quantity(units: $0) }
            after = Self.sum(available, Int128(value.micros) - Int128(fees?.micros ?? 0))
        }
    }

    private mutating func settleFuture(_ instrument: Instrument, _ side: OrderSide, _ quantity: Quantity, _ means: TradingMeans) {
        guard let extra = Self.extraMargin(instrument, side, quantity, means) else { return }
        margin = Money(micros: extra, currency: instrument.currency)
        // An order that only closes is never refused for its own fee; what it leaves depends on its profit.
        guard extra > 0 else { return }
        needed = Self.sum(margin, fees?.micros ?? 0)
        after = Self.sum(available, -Int128(needed?.micros ?? 0))
    }

    /// What it adds to the margin of the worst position that working orders can lead to, rounded up to 10⁻⁶.
    private static func extraMargin(_ instrument: Instrument, _ side: OrderSide, _ quantity: Quantity, _ means: TradingMeans) -> Int64? {
        guard let future = instrument.future else { return nil }
        let position = means.held(instrument)
        let buys = means.remaining(instrument, .buy)
        let sells = means.remaining(instrument, .sell)
        func margin(_ extraBuy: Int128, _ extraSell: Int128) -> Int128 {
            let worst = max(abs(position + buys + extraBuy), abs(position - sells - extraSell), abs(position))
            return (Int128(future.initialMargin.micros) * worst + 99_999_999) / 100_000_000
        }
        let units = Int128(quantity.units)
        let extra = (side == .buy ? margin(units, 0) : margin(0, units)) - margin(0, 0)
        return narrowed(extra)
    }

    private struct Part {
        var price: Price
        var units: Int64
    }

    private static func parts(_ side: OrderSide, _ type: OrderType, quantity: Quantity, limit: Price?, book: Book?) -> [Part] {
        guard quantity.isPositive else { return [] }
        if type == .limit { return limit.map { [Part(price: $0, units: quantity.units)] } ?? [] }
        var left = quantity.units
        var parts: [Part] = []
        for level in (side == .buy ? book?.asks : book?.bids) ?? [] where left > 0 && level.size > 0 {
            parts.append(Part(price: Price(nanos: level.price), units: min(left, level.size)))
            left -= min(left, level.size)
        }
        return parts
    }

    private static func worth(_ parts: [Part], _ instrument: Instrument) -> Money? {
        var sum: Int128 = 0
        for part in parts {
            guard let multiplier = try? Quantity(whole: Int(instrument.multiplier)),
                let money = try? Money(
                    price: part.price, quantity: Quantity(units: part.units), multiplier: multiplier, currency: instrument.currency,
                    rounding: .halfEven)
            else { return nil }
            sum += Int128(money.micros)
        }
        return narrowed(sum).map { Money(micros: $0, currency: instrument.currency) }
    }

    private static func sum(_ money: Money?, _ more: some BinaryInteger) -> Money? {
        guard let money, let micros = narrowed(Int128(money.micros) + Int128(more)) else { return nil }
        return Money(micros: micros, currency: money.currency)
    }

    private static func narrowed(_ value: Int128) -> Int64? { Int64(exactly: value) }
}
