public import Exact
public import Instruments
public import Messages
public import Portfolio
public import Texts

/// One order ready to draw.
public struct OrderRow: Hashable, Sendable, Identifiable {
    public var id: UInt64
    public var symbol: String
    public var name: String
    public var side: Text
    public var isBuy: Bool
    public var price: String
    public var quantity: String
    public var filled: String
    public var average: String
    /// `@` and the average price of what was filled; nil where nothing was, or where a limit order still works and its limit matters.
    public var paid: String?
    public var status: Text
    /// Why it was refused, cancelled or expired, where the server said so.
    public var reason: Failure?
    public var time: String
    public var canCancel: Bool

    public init(_ order: Order, _ instrument: Instrument?, in language: Language) {
        func show(_ nanos: Int64?) -> String {
            guard let nanos else { return Display.missing }
            return instrument.map { Display.price(Price(nanos: nanos), of: $0) } ?? Price(nanos: nanos).description
        }
        id = order.orderID
        symbol = instrument?.symbol ?? "#\(order.instrument)"
        name = instrument.map { Display.name($0, in: language) } ?? "#\(order.instrument)"
        side = order.side.text
        isBuy = order.side == .buy
        price = order.type == .market ? Text.ticketPriceMarket.words(in: language) : show(order.hasLimit ? order.limit : nil)
        quantity = Display.quantity(Quantity(units: order.quantity))
        filled = Display.quantity(Quantity(units: order.filled))
        average = show(order.hasAveragePriceNanos ? order.averagePriceNanos : nil)
        let showsLimit = order.isWorking && order.type != .market
        paid = order.filled > 0 && order.hasAveragePriceNanos && !showsLimit ? "@" + average : nil
        status = order.status.text
        reason = order.reasonFailure
        time = (instrument.map { Display.clock(of: $0) } ?? .utc).named(order.updatedNs)
        canCancel = order.isWorking
    }
}

extension Order {
    /// Why it was refused, cancelled or expired, where the server said so.
    public var reasonFailure: Failure? {
        guard hasReason, !reason.code.isEmpty else { return nil }
        return Failure(ErrorCode(reason.code), arguments: reason.arguments.map { .init($0.name, $0.value) })
    }
}

/// One position with its floating profit in its own currency, ready to draw.
public struct PositionRow: Hashable, Sendable, Identifiable {
    public var id: InstrumentID
    public var symbol: String
    public var name: String
    public var quantity: String
    public var sellable: String
    public var cost: String
    public var price: String
    public var value: String
    public var profit: String
    public var currency: String
    /// Nil: not known, or neither.
    public var isGain: Bool?

    public init(_ profit: PositionProfit, sellable: Quantity, _ instrument: Instrument, in language: Language) {
        let amount = profit.own?.money(profit.ownCurrency)
        id = instrument.id
        symbol = instrument.symbol
        name = Display.name(instrument, in: language)
        quantity = Display.quantity(profit.holding.quantity)
        self.sellable = Display.quantity(sellable)
        cost = Display.cost(profit.averageCost, of: instrument)
        price = Display.price(profit.price, of: instrument)
        currency = profit.ownCurrency.description
        value = Display.money(profit.value?.money(profit.ownCurrency))
        self.profit = Display.money(amount, signed: true)
        isGain = amount.flatMap { $0.isZero ? nil : $0.isPositive }
    }
}

/// Funds of one currency, ready to draw.
public struct FundsRow: Hashable, Sendable {
    public var currency: String
    public var cash: String
    public var held: String
    public var available: String
    public var initialMargin: String
    public var maintenanceMargin: String

    /// `floatingLoss`: what open futures of the currency have lost, which is not available; nil where that is not known.
    public init(_ line: FundsLine, floatingLoss: Int64?) {
        func show(_ micros: Int64) -> String { NumberFormat.fixed(micros, scale: Money.places, decimals: 2) }
        currency = line.currency
        cash = show(line.cash)
        held = show(line.held)
        available = floatingLoss.map { show(line.available.addingReportingOverflow($0).partialValue) } ?? Display.missing
        initialMargin = show(line.initialMargin)
        maintenanceMargin = show(line.maintenanceMargin)
    }
}
