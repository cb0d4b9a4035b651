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
    private(set) var orders: [UInt64: OrderState] = [:]
    /// Ascending, as they were given away.
    private(set) var orderIDs: [UInt64] = []
    /// What the working orders of each instrument claim, kept as they change; an instrument without any is absent.
    private(set) var claims: [UInt32: Claim] = [:]
    var working: Set<UInt64> = []
    private(set) var placed: [CommandKey: UInt64] = [:]
    var cancels: [CommandKey: CommandOutcome] = [:]
    var fills: [Fill] = []
    var positions: [UInt32: Position] = [:]
    var recent: [AccountEvent] = []

    struct Claim: Hashable {
        var orders = 0
        /// Remainders in 10⁻⁸.
        var buying: Int64 = 0
        var selling: Int64 = 0
        /// In 10⁻⁶ of the instrument's currency.
        var hold: Int64 = 0

        mutating func count(_ state: OrderState, _ sign: Int64) {
            let left = sign * (state.order.quantity - state.order.filled)
            orders += Int(sign)
            hold += sign * state.working.hold
            if state.order.side == .buy { buying += left } else { selling += left }
        }
    }

    /// Takes the order as it now is.
    mutating func keep(_ state: OrderState) {
        let instrument = state.order.instrument
        let before = orders.updateValue(state, forKey: state.order.orderID)
        if let before, before.order.isWorking { claims[instrument, default: .init()].count(before, -1) }
        if state.order.isWorking { claims[instrument, default: .init()].count(state, 1) }
        if claims[instrument]?.orders == 0 { claims[instrument] = nil }
        if before == nil { orderIDs.append(state.order.orderID) }
        if before == nil, let key = CommandKey(state.order.commandID) { placed[key] = state.order.orderID }
    }

    /// What working orders to sell have claimed of a position, in 10⁻⁸.
    func offered(_ instrument: UInt32) -> Int64 { claims[instrument]?.selling ?? 0 }

    /// Margins of the positions and what working orders may add to them, in 10⁻⁶ of the contract's currency.
    func margins(_ instrument: Instrument, extraBuy: Int64 = 0, extraSell: Int64 = 0) -> (initial: Int64, maintenance: Int64, held: Int64) {
        guard let future = instrument.future else { return (0, 0, 0) }
        let id = instrument.id.rawValue
        let position = positions[id]?.quantity ?? 0
        let claim = claims[id] ?? Claim()
        let worst = max(abs(position + claim.buying + extraBuy), abs(position - claim.selling - extraSell), abs(position))
        func money(_ perContract: Money, _ units: Int64) -> Int64 {
            Int64((Int128(perContract.micros) * Int128(units) + 99_999_999) / 100_000_000)
        }
        let initial = money(future.initialMargin, abs(position))
        return (initial, money(future.maintenanceMargin, abs(position)), money(future.initialMargin, worst) - initial)
    }

    func funds(_ instruments: InstrumentTable) -> [FundsLine] {
        var lines: [FundsLine] = []
        lines.reserveCapacity(cash.count)
        for (currency, amount) in cash { lines.append(funds(currency, amount, instruments)) }
        lines.sort { $0.currency < $1.currency }
        return lines
    }

    private func funds(_ currency: String, _ amount: Int64, _ instruments: InstrumentTable) -> FundsLine {
        var line = FundsLine()
        line.currency = currency
        line.cash = amount
        for (id, claim) in claims where instruments[InstrumentID(id)]?.currency.code == currency { line.held += claim.hold }
        if counter == .futures {
            for id in Set(positions.keys).union(claims.keys) {
                guard let instrument = instruments[InstrumentID(id)], instrument.currency.code == currency else { continue }
                let margin = margins(instrument)
                line.initialMargin += margin.initial
                line.maintenanceMargin += margin.maintenance
                line.held += margin.held
            }
        }
        line.available = line.cash - line.held - line.initialMargin
        return line
    }

    func available(_ currency: Currency, _ instruments: InstrumentTable) -> Int64 {
        cash[currency.code].map { funds(currency.code, $0, instruments).available } ?? 0
    }
}

/// A command's id of 16 bytes, without a place of its own in memory.
struct CommandKey: Hashable {
    private var high: UInt64
    private var low: UInt64

    /// Nil: not 16 bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension Order {
    var isWorking: Bool { status == .working || status == .partiallyFilled }
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
