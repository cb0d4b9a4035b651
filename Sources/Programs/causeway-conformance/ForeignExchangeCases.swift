import Exact
import HTTP

/// Runs the foreign exchange vectors over `FXTable`.
enum ForeignExchangeCases {
    static func run(_ test: JSONValue) throws -> MoneyCases.Outcome {
        guard test["buy"] == nil else { return try profitParts(test) }
        let base = try currency(try test.string("base"))
        let table = FXTable(try (test["rates"]?.members ?? []).map(rate))
        let cash = try (test["cash"]?.members ?? []).map { try Money($0.value.stringValue ?? "", currency: try currency($0.name)) }
        let income = try (test["income"]?.arrayValue ?? []).map {
            try Money(try $0.string("amount"), currency: try currency(try $0.string("cur")))
        }
        let total = try table.total(cash + income, in: base, rounding: .halfEven)
        let unconverted = total.unconverted.map { JSONValue.Member($0.currency.code, .string($0.text(decimals: 2))) }
        var got: [JSONValue.Member] = []
        for member in test["expect"]?.members ?? [] {
            switch member.name {
            case "total", "total_known":
                // As many decimals as the vector shows, where that loses nothing.
                let decimals = (member.value.stringValue ?? "").split(separator: ".").last?.count ?? 0
                let isWhole = try total.known.rounded(decimals: decimals, rounding: .halfEven) == total.known
                got.append(.init(member.name, .string(isWhole ? total.known.text(decimals: decimals) : total.known.text)))
            case "shown": got.append(.init(member.name, .string(total.known.text(decimals: 2))))
            case "unconverted": got.append(.init(member.name, .object(unconverted)))
            case "flag": got.append(.init(member.name, .string(total.isComplete ? "complete" : "incomplete")))
            default: return (false, "unknown figure \(member.name)")
            }
        }
        let passes = matches(test["expect"] ?? .null, .object(got)) && (total.isComplete || test["expect"]?["flag"] != nil)
        return (passes, JSONValue.object(got).serialized())
    }

    /// Profit split into the price's part at the rate of the purchase, and the rate's part.
    private static func profitParts(_ test: JSONValue) throws -> MoneyCases.Outcome {
        let (buy, now) = (try test.member("buy"), try test.member("now"))
        let quantity = try Quantity(try buy.string("qty"))
        func value(_ at: JSONValue, _ rate: JSONValue) throws -> Money {
            let money = try Money(price: try Price(try at.string("price_usd")), quantity: quantity, currency: .usd, rounding: .halfEven)
            return try FXRate(try rate.string("rate"), base: .usd, quote: .hkd).convert(money, rounding: .halfEven)
        }
        let (cost, worth, worthThen) = (try value(buy, buy), try value(now, now), try value(now, buy))
        let figures: [(String, Money)] = [
            ("cost", cost), ("value", worth), ("total", try worth.subtracting(cost)),
            ("price_part_at_buy_rate", try worthThen.subtracting(cost)), ("fx_part", try worth.subtracting(worthThen)),
        ]
        let got = JSONValue.object(figures.map { .init($0.0, .string($0.1.text(decimals: 2))) })
        return (matches(test["expect"] ?? .null, got), got.serialized())
    }

    private static func currency(_ code: String) throws -> Currency {
        guard let currency = Currency(code) else { throw ScenarioFailure("no currency \(code)") }
        return currency
    }

    /// `USDHKD: 7.8125` is HKD for one USD.
    private static func rate(_ member: JSONValue.Member) throws -> FXRate {
        try FXRate(
            member.value.stringValue ?? "", base: try currency(String(member.name.prefix(3))),
            quote: try currency(String(member.name.dropFirst(3))))
    }
}
