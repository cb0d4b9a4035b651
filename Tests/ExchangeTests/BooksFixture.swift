import Exact
import Instruments
import Messages
import Streams

@testable import Exchange

/// Books over the shipped tables on the market date, with one securities and one futures account.
enum Fixture {
    static let tencent: UInt32 = 1
    static let apple: UInt32 = 10
    static let hsi: UInt32 = 21
    static let share: Int64 = 100_000_000
    static let one: Int64 = 1_000_000_000

    static func rules() throws -> ExchangeRules { try ExchangeRules(try DataFolder.locate()) }

    /// A moment of 2026-11-30 in Hong Kong.
    static func at(_ hour: Int, _ minute: Int = 0, _ second: Int = 0) -> MarketInstant {
        let midnight = Int64(TradingDay(year: 2026, month: 11, day: 30)?.daysSince1970 ?? 0) * 86_400 - 8 * 3600
        return MarketInstant(nanoseconds: (midnight + Int64(hour * 3600 + minute * 60 + second)) * 1_000_000_000)
    }

    static func books(_ rules: ExchangeRules) throws -> Books {
        var books = Books(rules: rules)
        for (id, counter) in [("S", "securities"), ("F", "futures")] {
            _ = try books.open(account(id, counter), at: at(9)).get()
        }
        return books
    }

    static func account(_ id: String, _ counter: String, hkd: Int64 = 1_000_000) -> OpenTradingAccount {
        var request = OpenTradingAccount()
        request.tradingAccount = id
        request.counter = counter
        request.baseCurrency = "HKD"
        request.funds = [("HKD", hkd), ("USD", 100_000)].map { currency, amount in
            var line = FundsLine()
            line.currency = currency
            line.cash = amount * 1_000_000
            return line
        }
        return request
    }

    static func order(
        _ number: UInt64, _ side: OrderSide, _ shares: Int64, at limit: Int64?, of instrument: UInt32 = tencent, _ tif: TimeInForce = .day,
        account: String = "S"
    ) -> PlaceOrder {
        var command = PlaceOrder()
        command.tradingAccount = account
        command.commandID = id(number)
        command.instrument = instrument
        command.side = side
        command.type = limit == nil ? .market : .limit
        command.quantity = shares * share
        if let limit { command.limit = limit }
        command.timeInForce = tif
        return command
    }

    static func cancel(_ number: UInt64, _ order: UInt64, account: String = "S") -> CancelOrder {
        var command = CancelOrder()
        command.tradingAccount = account
        command.commandID = id(number)
        command.orderID = order
        return command
    }

    static func id(_ number: UInt64) -> [UInt8] { (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) : 7 } }

    /// Levels as (price in nanos, shares), best first.
    static func book(
        bids: [(Int64, Int64)], asks: [(Int64, Int64)], of instrument: UInt32 = tencent, at time: MarketInstant
    ) -> Book {
        var book = Book()
        book.instrument = instrument
        book.timeNs = time.nanoseconds
        book.bids = bids.map { BookLevel($0.0, $0.1 * share) }
        book.asks = asks.map { BookLevel($0.0, $0.1 * share) }
        book.provenance = .simulated
        return book
    }

    static func tick(_ price: Int64, _ shares: Int64, of instrument: UInt32 = tencent, at time: MarketInstant) -> Tick {
        var tick = Tick()
        tick.instrument = instrument
        tick.timeNs = time.nanoseconds
        tick.price = price
        tick.size = shares * share
        tick.provenance = .derived
        return tick
    }
}
