import Accounts
import Exact
import Portfolio
import Texts

/// A condition as it is typed: `above 450`, `up 5%`, `volume 20M`, `bid above 450`.
struct AlertWords: Hashable {
    var condition: AlertCondition
    /// Plain decimal, above zero.
    var value: String

    /// What may be typed, for who typed something else.
    static let choices = [
        "above PRICE", "below PRICE", "up PERCENT", "down PERCENT", "volume QTY", "bid above PRICE", "bid below PRICE", "ask above PRICE",
        "ask below PRICE",
    ]

    init(_ words: [String]) throws(Failure) {
        guard let text = words.last, let condition = AlertCondition(rawValue: words.dropLast().joined(separator: "-").lowercased()) else {
            throw Usage.choice("CONDITION", Self.choices)
        }
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
        }
    }

    fileprivate var form: Usage.Form {
        switch self {
        case .up, .down: .percent
        case .volume: .volume
        case .above, .below, .bidAbove, .bidBelow, .askAbove, .askBelow: .priceAboveZero
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
    func text(_ value: String) -> Text {
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
        }
    }

    /// A quantity with its digits in groups; prices and percent as they are.
    func shown(_ figure: String) -> String {
        guard self == .volume, let quantity = try? Quantity(figure) else { return figure }
        return Display.quantity(quantity)
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
