public import Exact
public import Messages
public import Streams
public import Texts

extension ErrorCode {
    /// The tables do not tell every fee of that instrument on that day. Arguments: `symbol`, `date`, `rule` (what is missing).
    public static let feesUnknown = ErrorCode("fees.unknown")
    /// No rule is of that instrument on any day. Arguments: `symbol`.
    public static let feesNone = ErrorCode("fees.none")
    /// The rules of its market and kind are in other currencies than the one it is traded in. Arguments: `symbol`, `currency`, `known`.
    public static let feesCurrency = ErrorCode("fees.currency")
    /// Its price is a percentage of a face value that is not known. Arguments: `symbol`.
    public static let feesFaceUnknown = ErrorCode("fees.face-unknown")
    /// The order's worth is beyond what can be reckoned. No arguments.
    public static let feesTooLarge = ErrorCode("fees.too-large")
}

/// What an order pays to exchange and state, item by item; without a broker's own charges.
public struct FeeStatement: Hashable, Sendable {
    public struct Item: Hashable, Sendable {
        public var rule: String
        public var amount: Money
        public var basis: Basis
        /// × 10⁻⁹: see `basis`.
        public var rate: Int64
        public var confidence: Confidence
        public var note: String?
        /// Why nothing is charged; nil where something is.
        public var zero: Zero?
    }

    public enum Zero: Hashable, Sendable {
        /// The rate is zero; the last day on which it is, where that is told.
        case rate(until: TradingDay?)
        /// Charged a share, and the price of one is below the rate.
        case price
        /// Less than half of the least amount.
        case rounded

        public var word: String {
            switch self {
            case .rate: "rate"
            case .price: "price"
            case .rounded: "rounded"
            }
        }
    }

    public enum Basis: String, Hashable, Sendable { case consideration, quantity, order }

    /// Price × quantity × multiplier.
    public var consideration: Money
    public var items: [Item]
    public var total: Money
    /// What a purchase costs or a sale brings, fees included; nil for futures, whose worth is not paid.
    public var settlement: Money?
    /// Rules of the instrument that the other side pays only.
    public var otherSideOnly: [String]
    /// The days the rules of this market are known; nil where the day is one of them.
    public var projectedFrom: DaySpan?
    public var isProjected: Bool { projectedFrom != nil }
    /// That nothing is owed has to be known too.
    public var isVerified: Bool { !isProjected && items.allSatisfy(\.confidence.isVerified) }
}

extension FeeSchedule {
    /// The fees of one order that trades wholly at one price. Throws `fees.unknown` where a rule has no rate for the day: a sum that lacks
    /// an item would be a wrong number.
    public func statement(
        for instrument: Instrument, _ side: OrderSide, quantity: Quantity, price: Price, on day: TradingDay
    ) throws(Failure) -> FeeStatement {
        guard !instrument.isQuotedInPercent else { throw Failure(.feesFaceUnknown, .init("symbol", instrument.symbol)) }
        try check(instrument, on: day)
        do throws(ArithmeticError) {
            let value = try Money(
                price: price, quantity: quantity, multiplier: Quantity(whole: Int(instrument.multiplier)), currency: instrument.currency,
                rounding: .halfEven)
            let magnitude = value.isNegative ? try value.negated() : value
            var total = Money.zero(instrument.currency)
            var items: [FeeStatement.Item] = []
            for rule in rules where rule.isOwed(for: instrument, side, on: day) {
                guard let micros = Int64(exactly: rule.exactAmount(consideration: magnitude.micros, quantity: quantity.units)) else {
                    throw .overflow
                }
                let confidence = confidence(of: rule, for: instrument, on: day)
                items.append(rule.item(Money(micros: micros, currency: rule.currency), confidence))
                total = try total.adding(Money(micros: micros, currency: rule.currency))
            }
            let settlement = side == .sell ? try value.subtracting(total) : try value.adding(total)
            return FeeStatement(
                consideration: value, items: items, total: total, settlement: instrument.kind == .future ? nil : settlement,
                otherSideOnly: rules.filter { $0.isOwed(for: instrument, side == .sell ? .buy : .sell, on: day) && $0.side != .both }.map(
                    \.name),
                projectedFrom: projection(instrument, on: day))
        } catch { throw Failure(.feesTooLarge) }
    }

    private func confidence(of rule: FeeRule, for instrument: Instrument, on day: TradingDay) -> Confidence {
        known.confidence(rule.confidence, of: rule.span, in: "fees.csv", scope: instrument.market.scope, on: day)
    }

    /// Where some rule of the instrument, owed or not, only projects to that day: the days that are known.
    private func projection(_ instrument: Instrument, on day: TradingDay) -> DaySpan? {
        let projects = rules.contains { rule in
            rule.span.contains(day) && rule.covers(instrument) && confidence(of: rule, for: instrument, on: day) == .projected
        }
        return projects ? known.span("fees.csv", scope: instrument.market.scope) : nil
    }

    /// Throws `fees.unknown` where a rule of the instrument has no rate for the day; `fees.currency` or `fees.none` where none speaks of it.
    public func check(_ instrument: Instrument, on day: TradingDay) throws(Failure) {
        let about = rules.filter { $0.covers(instrument) }
        guard !about.isEmpty else {
            let currencies = Set(rules.filter { $0.isOfKind(instrument) }.map(\.currency.code)).sorted().joined(separator: ", ")
            if currencies.isEmpty { throw Failure(.feesNone, .init("symbol", instrument.symbol)) }
            throw Failure(
                .feesCurrency, .init("symbol", instrument.symbol), .init("currency", instrument.currency.code), .init("known", currencies))
        }
        for name in Set(about.map(\.name)).sorted() where !about.contains(where: { $0.name == name && $0.span.contains(day) }) {
            throw Failure(.feesUnknown, .init("symbol", instrument.symbol), .init("date", day.description), .init("rule", name))
        }
    }
}

extension FeeRule {
    func item(_ amount: Money, _ confidence: Confidence) -> FeeStatement.Item {
        let shown: FeeStatement.Basis =
            switch basis {
            case .consideration: .consideration
            case .quantity, .shares: .quantity
            case .order: .order
            }
        return .init(rule: name, amount: amount, basis: shown, rate: rate ?? 0, confidence: confidence, note: note, zero: zero(amount))
    }

    private func zero(_ amount: Money) -> FeeStatement.Zero? {
        guard amount.micros == 0 else { return nil }
        if rate ?? 0 == 0 { return .rate(until: span.to) }
        return basis == .shares ? .price : .rounded
    }
}
