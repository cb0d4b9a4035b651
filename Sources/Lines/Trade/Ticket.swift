public import Exact
public import Instruments
public import Messages
import Portfolio
public import Streams
public import Texts

/// What the user is about to order. Nothing is sent by surprise: edit → confirm → sending → outcome (design §1).
public struct Ticket: Sendable {
    public enum Stage: Hashable, Sendable {
        case editing
        /// Shown once more in words; only `confirm` sends.
        case confirming
        /// Sent, no outcome yet; nothing can be sent again.
        case sending
        /// Not known whether it was executed: stays locked until a query has resolved it (C-3).
        case unknown
        /// Accepted under that order number.
        case done(orderID: UInt64)
        case refused(Failure)
    }

    public enum Event: Hashable, Sendable {
        case setType(OrderType)
        /// So many lots more or fewer.
        case stepQuantity(Int)
        /// So many ticks up or down.
        case stepPrice(Int)
        case setQuantity(Quantity)
        case setLimit(Price)
        case review
        case confirm
        case back
        case outcome(OrderOutcome)
    }

    public enum Effect: Hashable, Sendable {
        case place(side: OrderSide, type: OrderType, quantity: Quantity, limit: Price?)
    }

    public let instrument: Instrument
    public let side: OrderSide
    public private(set) var type: OrderType
    public private(set) var quantity: Quantity
    public private(set) var limit: Price?
    public private(set) var stage: Stage = .editing
    private let ticks: TickTables
    private let day: TradingDay

    /// Starts with one lot; a limit at `price` where one is known, else at the market.
    public init(_ side: OrderSide, _ instrument: Instrument, price: Price?, ticks: TickTables, day: TradingDay) {
        self.side = side
        self.instrument = instrument
        self.ticks = ticks
        self.day = day
        quantity = instrument.lot
        limit = price
        type = price == nil ? .market : .limit
    }

    public mutating func handle(_ event: Event) -> [Effect] {
        switch (stage, event) {
        case (.editing, .review):
            stage = fault.map(Stage.refused) ?? .confirming
        case (.editing, _), (.refused, _):
            edit(event)
        case (.confirming, .confirm):
            stage = .sending
            return [.place(side: side, type: type, quantity: quantity, limit: type == .limit ? limit : nil)]
        case (.confirming, .back):
            stage = .editing
        case (.confirming, _):
            break  // What is being confirmed does not change under the finger.
        case (.sending, .outcome(let outcome)), (.unknown, .outcome(let outcome)):
            settle(outcome)
        case (.sending, _), (.unknown, _):
            break  // Nothing is sent twice.
        case (.done, _):
            break  // A ticket is used once.
        }
        return []
    }

    private mutating func settle(_ outcome: OrderOutcome) {
        switch outcome {
        case .accepted(let orderID): stage = .done(orderID: orderID)
        case .refused(let failure): stage = .refused(failure)
        case .notConnected: stage = .refused(Failure(.connectionNotConnected))
        case .unknown: stage = .unknown
        }
    }

    private mutating func edit(_ event: Event) {
        switch event {
        case .setType(let type):
            if type == .limit || type == .market { self.type = type }
        case .stepQuantity(let lots):
            let (step, overflow) = instrument.lot.units.multipliedReportingOverflow(by: Int64(lots))
            let (sum, carried) = quantity.units.addingReportingOverflow(step)
            if !overflow, !carried { quantity = Quantity(units: max(instrument.lot.units, sum)) }
        case .stepPrice(let count): stepPrice(count)
        case .setQuantity(let quantity): self.quantity = quantity
        case .setLimit(let price): limit = price
        case .review, .confirm, .back, .outcome: break
        }
        stage = .editing
    }

    private mutating func stepPrice(_ count: Int) {
        guard type == .limit, var price = limit else { return }
        for _ in 0..<min(count.magnitude, 1000) {
            let next = count > 0 ? ticks.above(price, for: instrument, on: day) : ticks.below(price, for: instrument, on: day)
            guard let next else { break }
            price = next
        }
        limit = price
    }

    /// What the server would refuse anyway, found before anything is sent.
    public var fault: Failure? {
        guard instrument.isTradable else { return Failure(.orderNotTradable, .init("symbol", instrument.symbol)) }
        guard quantity.isPositive else { return Failure(.orderQuantity, .init("quantity", quantity.description)) }
        guard quantity.isMultiple(ofLot: instrument.lot) else {
            return Failure(
                ErrorCode("order.lot"), .init("lot", instrument.lot.description), .init("unit", instrument.unit(of: instrument.lot)))
        }
        guard type == .limit else { return nil }
        guard let limit else { return Failure(.orderPrice, .init("price", Display.missing)) }
        guard ticks.isOnTick(limit, for: instrument, on: day) else {
            return Failure(
                ErrorCode("order.tick"), .init("price", instrument.plain(limit)),
                .init("below", instrument.plain(ticks.below(limit, for: instrument, on: day))),
                .init("above", instrument.plain(ticks.above(limit, for: instrument, on: day))))
        }
        return nil
    }

    /// The question that is asked before sending: side, quantity, name, price.
    public func question(in language: Language) -> Text {
        let price = type == .limit ? Display.price(limit, of: instrument) : Text.ticketPriceMarket.words(in: language)
        return .ticketConfirm(
            name: Display.name(instrument, in: language), price: price, quantity: Display.quantity(quantity), side: side.text)
    }
}

/// How a command ended: exactly one of these (C-3).
public enum OrderOutcome: Hashable, Sendable {
    case accepted(orderID: UInt64)
    case refused(Failure)
    /// Nothing was sent (B-6).
    case notConnected
    case unknown
}

extension ErrorCode {
    /// An index or another instrument that is only shown. `symbol`.
    public static let orderNotTradable = ErrorCode("order.not-tradable")
    /// Zero, negative or not a quantity. `quantity`.
    public static let orderQuantity = ErrorCode("order.quantity")
    /// A limit order without a usable price. `price`.
    public static let orderPrice = ErrorCode("order.price")
}
