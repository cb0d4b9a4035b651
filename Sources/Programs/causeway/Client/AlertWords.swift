import Accounts
import Exact
import Portfolio
import Texts

/// A condition as it is typed: `above 450`, `up 5%`, `volume 20M`, `bid above 450`, or `--when EXPRESSION --period 5m`.
struct AlertWords: Hashable {
    var condition: AlertCondition
    /// Plain decimal, above zero; of `when` the expression.
    var value: String
    /// Of `when` alone.
    var period: AlertPeriod?

    /// What may be typed, for who typed something else.
    static let choices = [
        "above PRICE", "below PRICE", "up PERCENT", "down PERCENT", "volume QTY", "bid above PRICE", "bid below PRICE", "ask above PRICE",
        "ask below PRICE",
    ]

    /// Nothing is typed where the options say it.
    init(_ words: [String], when: String? = nil, period: String? = nil) throws(Failure) {
        if let when {
            if let word = words.first { throw Usage.unexpected(word) }
            guard let period else { throw Usage.option(.missing, "period") }
            guard let known = AlertPeriod(rawValue: period) else { throw Usage.choice("--period", AlertPeriod.allCases.map(\.rawValue)) }
            // What is wrong with it the server says, which judges it.
            (condition, value, self.period) = (.when, when, known)
            return
        }
        guard period == nil else { throw Usage.option(.missing, "when") }
        guard let text = words.last, let condition = AlertCondition(rawValue: words.dropLast().joined(separator: "-").lowercased()),
            condition != .when
        else { throw Usage.choice("CONDITION", Self.choices) }
        self.condition = condition
        guard let value = condition.value(text) else { throw Usage.invalid("VALUE", text, condition.form) }
        self.value = value
    }
}

extension AlertCondition {
    /// The number that was typed, plain; nil for none above zero. A change may carry its `%`, a volume K, M, B, 万 or 亿.
    fileprivate func value(_ text: String) -> String? {
        switch self {
        case .up, .down:
            let number = text.hasSuffix("%") ? text.dropLast() : text[...]
            return (try? Price(number)).flatMap { $0.isPositive ? $0.description : nil }
        case .volume: return Self.quantity(text)
        case .above, .below, .bidAbove, .bidBelow, .askAbove, .askBelow:
            return (try? Price(text)).flatMap { $0.isPositive ? $0.description : nil }
        case .when: return nil
        }
    }

    fileprivate var form: Usage.Form {
        switch self {
        case .up, .down: .percent
        case .volume: .volume
        case .above, .below, .bidAbove, .bidBelow, .askAbove, .askBelow, .when: .priceAboveZero
        }
    }

    private static func quantity(_ text: String) -> String? {
        let factor: Int
        switch text.last {
        case "K", "k": factor = 1_000
        case "M", "m": factor = 1_000_000
        case "B", "b": factor = 1_000_000_000
        case "万", "萬": factor = 10_000
        case "亿", "億": factor = 100_000_000
        default: factor = 1
        }
        guard let typed = try? Quantity(factor == 1 ? text[...] : text.dropLast()), typed.isPositive,
            let whole = try? typed.multiplied(by: Ratio(factor), rounding: .halfUp)
        else { return nil }
        return whole.description
    }

    /// With the value as it is shown: `last at or above 450`.
    func text(_ value: String, _ period: AlertPeriod?) -> Text {
        switch self {
        case .above: .alertConditionAbove(value: value)
        case .below: .alertConditionBelow(value: value)
        case .up: .alertConditionUp(value: value)
        case .down: .alertConditionDown(value: value)
        case .volume: .alertConditionVolume(value: value)
        case .bidAbove: .alertConditionBidAbove(value: value)
        case .bidBelow: .alertConditionBidBelow(value: value)
        case .askAbove: .alertConditionAskAbove(value: value)
        case .askBelow: .alertConditionAskBelow(value: value)
        case .when: .alertConditionWhen(formula: value, period: period?.text ?? .periodDay)
        }
    }

    /// A quantity with its digits in groups; prices and percent as they are.
    func shown(_ figure: String) -> String {
        guard self == .volume, let quantity = try? Quantity(figure) else { return figure }
        return Display.quantity(quantity)
    }
}

extension AlertPeriod {
    fileprivate var text: Text {
        switch self {
        case .minute1: .period1m
        case .minute3: .period3m
        case .minute5: .period5m
        case .minute15: .period15m
        case .minute30: .period30m
        case .minute60: .period60m
        case .day: .periodDay
        case .week: .periodWeek
        case .month: .periodMonth
        case .quarter: .periodQuarter
        case .year: .periodYear
        }
    }
}

extension AlertInfo.State {
    var text: Text {
        switch self {
        case .armed: .alertStateArmed
        case .resting: .alertStateResting
        case .gone: .alertStateGone
        }
    }
}
