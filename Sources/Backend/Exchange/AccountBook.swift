import Exact
import Instruments
import Messages
import Texts

/// Which counter a trading account belongs to.
public enum TradingCounter: String, Hashable, Sendable, CaseIterable { case securities, futures }

/// One trading account's books.
struct AccountBook {
    var opened: OpenTradingAccount
    var counter: TradingCounter
    var sequence: UInt64 = 0
    /// Cash in 10⁻⁶ by currency code.
    var cash: [String: Int64] = [:]
    var orders: [UInt64: OrderState] = [:]
    var working: Set<UInt64> = []
    var placed: [[UInt8]: UInt64] = [:]
    var cancels: [[UInt8]: CommandOutcome] = [:]
    var fills: [Fill] = []
    var positions: [UInt32: Position] = [:]
    var recent: [AccountEvent] = []

    /// What working orders to sell have claimed of a position, in 10⁻⁸.
    func offered(_ instrument: UInt32) -> Int64 { remaining(instrument, .sell) }

    func remaining(_ instrument: UInt32, _ side: OrderSide) -> Int64 {
        working.reduce(0) { sum, id in
            guard let order = orders[id]?.order, order.instrument == instrument, order.side == side else { return sum }
            return sum + order.quantity - order.filled
        }
    }

    /// Margins of the positions and what working orders may add to them, in 10⁻⁶ of the contract's currency.
    func margins(_ instrument: Instrument, extraBuy: Int64 = 0, extraSell: Int64 = 0) -> (initial: Int64, maintenance: Int64, held: Int64) {
        guard let future = instrument.future else { return (0, 0, 0) }
        let id = instrument.id.rawValue
        let position = positions[id]?.quantity ?? 0
        let worst = max(
            abs(position + remaining(id, .buy) + extraBuy), abs(position - remaining(id, .sell) - extraSell), abs(position))
        func money(_ perContract: Money, _ units: Int64) -> Int64 {
            Int64((Int128(perContract.micros) * Int128(units) + 99_999_999) / 100_000_000)
        }
        let initial = money(future.initialMargin, abs(position))
        return (initial, money(future.maintenanceMargin, abs(position)), money(future.initialMargin, worst) - initial)
    }

    func funds(_ instruments: InstrumentTable) -> [FundsLine] {
        var lines: [String: FundsLine] = [:]
        for (currency, amount) in cash {
            var line = FundsLine()
            line.currency = currency
            line.cash = amount
            lines[currency] = line
        }
        for id in working {
            guard let state = orders[id], let instrument = instruments[InstrumentID(state.order.instrument)] else { continue }
            lines[instrument.currency.code]?.held += state.working.hold
        }
        if counter == .futures {
            for id in Set(positions.keys).union(working.compactMap { orders[$0]?.order.instrument }) {
                guard let instrument = instruments[InstrumentID(id)] else { continue }
                let margin = margins(instrument)
                lines[instrument.currency.code]?.initialMargin += margin.initial
                lines[instrument.currency.code]?.maintenanceMargin += margin.maintenance
                lines[instrument.currency.code]?.held += margin.held
            }
        }
        return lines.values.map { line in
            var line = line
            line.available = line.cash - line.held - line.initialMargin
            return line
        }.sorted { $0.currency < $1.currency }
    }

    func available(_ currency: Currency, _ instruments: InstrumentTable) -> Int64 {
        funds(instruments).first { $0.currency == currency.code }?.available ?? 0
    }
}

extension Position {
    /// Books a trade of `signed` units worth `value` (signed as the units) and returns what it realised, by average cost.
    /// The cost of what is closed is cost × closed ÷ quantity, rounded half even; cost and realised together stay exact.
    mutating func trade(_ signed: Int64, value: Int64) -> Int64 {
        guard quantity != 0, (quantity > 0) != (signed > 0) else {
            quantity += signed
            cost += value
            return 0
        }
        let closed = min(abs(signed), abs(quantity))
        let removed = Self.share(cost, closed, of: abs(quantity))
        let closing = Self.share(value, closed, of: abs(signed))
        let gain = -(removed + closing)
        quantity += signed > 0 ? closed : -closed
        cost -= removed
        realised += gain
        if closed < abs(signed) {
            quantity += signed > 0 ? abs(signed) - closed : closed - abs(signed)
            cost += value - closing
        }
        return gain
    }

    static func share(_ amount: Int64, _ part: Int64, of whole: Int64) -> Int64 {
        if part == whole { return amount }
        let product = Int128(amount) * Int128(part)
        let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int128(whole))
        let twice = 2 * remainder.magnitude
        let away = twice > whole.magnitude || twice == whole.magnitude && quotient % 2 != 0
        return Int64(quotient + (away ? (product < 0 ? -1 : 1) : 0))
    }
}

extension ErrorInfo {
    init(_ failure: Failure) {
        self.init()
        code = failure.code.rawValue
        arguments = failure.arguments.map { argument in
            var row = Argument()
            row.name = argument.name
            row.value = argument.value
            return row
        }
    }

    var failure: Failure { Failure(ErrorCode(code), arguments: arguments.map { .init($0.name, $0.value) }) }
}
