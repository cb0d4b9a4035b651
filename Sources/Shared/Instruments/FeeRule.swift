import Exact
import Messages
import Streams

/// One row of `Data/tables/fees.csv`.
struct FeeRule: Sendable {
    enum Basis: String {
        /// Price × quantity × multiplier.
        case consideration
        /// Shares or contracts.
        case quantity
        /// Shares; nothing where the price is below the rate.
        case shares
        /// Once an order that traded.
        case order
    }

    enum Side: String { case both, buy, sell }

    enum Step: String {
        case unitUp = "unit-up"
        case centUp = "cent-up"
        case centHalfUp = "cent-half-up"

        /// × 10⁻⁶ of the currency.
        var size: Int128 { self == .unitUp ? 1_000_000 : 10_000 }
        var isUp: Bool { self != .centHalfUp }
    }

    var name: String
    /// Markets, products of futures, or `US`: all US stock exchanges.
    var scopes: [String]
    var kinds: [Instrument.Kind]
    var side: Side
    var basis: Basis
    /// × 10⁻⁹: of the consideration, or of the currency per share, contract or order. Nil: not levied in these days.
    var rate: Int64?
    /// × 10⁻⁶ of the currency.
    var minimum: Int64?
    var maximum: Int64?
    var currency: Currency
    var step: Step
    var span: DaySpan
    var confidence: Confidence
    var note: String?

    /// What rows of one series have in common.
    struct Subject: Hashable {
        var name: String
        var scope: String
        var kind: Instrument.Kind
        var currency: Currency
    }

    var subjects: [Subject] {
        scopes.flatMap { scope in kinds.map { Subject(name: name, scope: scope, kind: $0, currency: currency) } }
    }

    init(_ row: DatedRow) throws(DataFault) {
        name = try row.name("rule")
        scopes = row.list("scopes")
        guard Set(scopes).count == scopes.count else { throw row.fault("scopes names one twice") }
        kinds = try Self.kinds(row)
        side = try row.choice("side", Side.self)
        basis = try row.choice("basis", Basis.self)
        rate = try row.decimal("rate", scale: 9)
        minimum = try row.decimal("min", scale: 6)
        maximum = try row.decimal("max", scale: 6)
        // A share of the consideration, or at most a million a share.
        let largest: Int64 = basis == .consideration ? 1_000_000_000 : 1_000_000_000_000_000
        guard (rate ?? 0) <= largest else { throw row.fault("rate is too large") }
        guard (rate ?? 0) >= 0, (minimum ?? 0) >= 0, (minimum ?? 0) <= (maximum ?? .max) else {
            throw row.fault("rate or min is negative, or min is above max")
        }
        guard let currency = Currency(row.text("currency")) else { throw row.fault("currency is not a code") }
        self.currency = currency
        step = try row.choice("rounding", Step.self)
        span = try row.span()
        confidence = try row.confidence()
        note = row.note()
    }

    /// `securities` is every kind but futures and indices.
    private static func kinds(_ row: DatedRow) throws(DataFault) -> [Instrument.Kind] {
        if row.text("kinds") == "securities" { return Instrument.Kind.allCases.filter { $0 != .future && $0 != .index } }
        let names = row.list("kinds")
        let kinds = names.compactMap { Instrument.Kind(rawValue: $0) }
        guard kinds.count == names.count, Set(kinds).count == kinds.count else {
            throw row.fault("kinds names an unknown kind, or one twice")
        }
        return kinds
    }

    /// Whether it speaks of the instrument at all, on whatever day.
    func covers(_ instrument: Instrument) -> Bool { currency == instrument.currency && isOfKind(instrument) }

    /// Whether it speaks of the instrument's market or product and kind, in whatever currency.
    func isOfKind(_ instrument: Instrument) -> Bool {
        guard kinds.contains(instrument.kind) else { return false }
        if let product = instrument.future?.product { return scopes.contains(product) }
        return scopes.contains(instrument.market.rawValue) || (instrument.market.isUnitedStates && scopes.contains("US"))
    }

    func isOwed(for instrument: Instrument, _ side: OrderSide, on day: TradingDay) -> Bool {
        rate != nil && (self.side == .both || (self.side == .sell) == (side == .sell)) && span.contains(day) && covers(instrument)
    }

    /// × 10⁻⁶. What the exchange's limits on orders allow fits.
    func amount(consideration: Int64, quantity: Int64) -> Int64 { Int64(exactAmount(consideration: consideration, quantity: quantity)) }

    /// × 10⁻⁶. `consideration` in 10⁻⁶, `quantity` in 10⁻⁸.
    func exactAmount(consideration: Int64, quantity: Int64) -> Int128 {
        guard let rate, consideration != 0 || quantity != 0 else { return 0 }
        let raw: Int128
        // Each comes to a fraction of 10⁻⁶: 10⁻⁶ × 10⁻⁹, 10⁻⁸ × 10⁻⁹, 10⁻⁹.
        let unit: Int128
        switch basis {
        case .consideration: (raw, unit) = (Int128(consideration) * Int128(rate), 1_000_000_000)
        case .quantity: (raw, unit) = (Int128(quantity) * Int128(rate), 100_000_000_000)
        case .shares:
            (raw, unit) = (Int128(quantity) * Int128(rate), 100_000_000_000)
            if Int128(consideration) * unit < raw { return 0 }
        case .order: (raw, unit) = (Int128(rate), 1_000)
        }
        let grain = step.size * unit
        var amount = (raw + (step.isUp ? grain - 1 : grain / 2)) / grain * step.size
        if let minimum { amount = max(amount, Int128(minimum)) }
        if let maximum { amount = min(amount, Int128(maximum)) }
        return amount
    }
}
