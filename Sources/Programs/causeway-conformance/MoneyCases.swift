import Exact
import HTTP

/// Runs the money vectors. Cases without an id are named by their list and place, e.g. `parse-0`.
enum MoneyCases {
    private static let lists = ["parse", "round", "swift_traps", "exact", "fx", "float32_widened"]

    @Sendable static func recognises(_ json: JSONValue) -> Bool { json["parse"] != nil && json["float32_widened"] != nil }

    @Sendable static func run(_ json: JSONValue) throws -> [CaseResult] {
        var results = (json.members ?? []).filter { !lists.contains($0.name) }
            .map { CaseResult($0.name, passes: false, got: "unknown list") }
        results += try numbered(json, "parse", parse)
        results += try json.elements("round").enumerated().flatMap { index, test in rounding(test, "round-\(index)") }
        results += try numbered(json, "swift_traps", trap)
        results += try json.elements("exact").map { test in attempt(test["id"]?.stringValue ?? "(no id)") { try exact(test) } }
        results += try json.elements("fx").map { test in
            attempt(test["id"]?.stringValue ?? "(no id)") { try ForeignExchangeCases.run(test) }
        }
        results += try numbered(try json.member("float32_widened"), "vectors", named: "float32_widened", float32)
        return results
    }

    /// What was got, and whether it is right.
    typealias Outcome = (passes: Bool, got: String)

    private static func numbered(
        _ json: JSONValue, _ list: String, named name: String? = nil, _ run: (JSONValue) throws -> Outcome
    ) throws -> [CaseResult] {
        try json.elements(list).enumerated().map { index, test in attempt("\(name ?? list)-\(index)") { try run(test) } }
    }

    private static func attempt(_ id: String, _ run: () throws -> Outcome) -> CaseResult {
        do {
            let outcome = try run()
            return CaseResult(id, passes: outcome.passes, got: outcome.got)
        } catch {
            return CaseResult(id, passes: false, got: "\(error)")
        }
    }

    private static func parse(_ test: JSONValue) throws -> Outcome {
        let reader = NumberReader(.init(language: try test.string("locale")), allowing: .statement)
        do throws(DecimalError) {
            let value = try reader.read(test["text"]?.stringValue ?? "")
            guard let expected = test["expect"]?.stringValue else { return (false, "\(value)") }
            return (value == (try ExactDecimal(expected)), "\(value)")
        } catch {
            return (test["expect"]?.isNull == true, "refused: \(error)")
        }
    }

    private static let rules: [(String, Rounding)] = [
        ("half_up_away_from_zero", .halfUp), ("half_even", .halfEven), ("toward_zero", .towardZero), ("up_away_from_zero", .up),
        ("ceiling", .ceiling),
    ]

    /// Five cases a vector; a zero has no sign here.
    private static func rounding(_ test: JSONValue, _ id: String) -> [CaseResult] {
        rules.map { name, rule in
            attempt("\(id)-\(name)") {
                let value = try ExactDecimal(try test.string("value"))
                let places = Int(try test.integer("places"))
                let rounded = try value.rounded(decimals: places, rounding: rule)
                let expected = try ExactDecimal(try test.string(name))
                // The scaled types round by code of their own.
                let money = try Money(value, currency: .usd).rounded(decimals: places, rounding: rule)
                let agrees = try money == Money(rounded, currency: .usd)
                return (rounded == expected && agrees, "\(rounded)")
            }
        }
    }

    /// What Foundation gets wrong is got right by our own reader: the text in the Swift line, against what is wanted.
    private static func trap(_ test: JSONValue) throws -> Outcome {
        let swift = try test.string("swift")
        if swift.contains("NSDecimalRound") { return try roundingTrap(swift) }
        let quoted = swift.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(
            \.element)
        let texts = quoted.isEmpty ? numbers(swift) : quoted
        let got = texts.map { text -> String in
            do throws(DecimalError) { return try Price(text).description } catch { return "refused" }
        }
        let wanted = try test.string("want")
        let passes = zip(texts, got).allSatisfy { text, got in
            got == "refused" ? wanted.contains("refused") || wanted.contains("nil") : got == text
        }
        return (passes && !texts.isEmpty, got.joined(separator: "; "))
    }

    /// "Know it": our names say which way they go; `up` is away from zero and `towardZero` towards it.
    private static func roundingTrap(_ swift: String) throws -> Outcome {
        let rule: Rounding = swift.contains(".up") ? .up : .towardZero
        let values = numbers(swift).filter { $0.contains(".") }
        let got = try values.map { try Price($0).rounded(decimals: 2, rounding: rule).description }
        let want = rule == .up ? ["-2.35"] : ["-2.34", "-1"]
        return (got == want, got.joined(separator: "; "))
    }

    /// The decimal numbers inside a line.
    private static func numbers(_ line: String) -> [Substring] {
        line.split { !($0.isNumber || $0 == "." || $0 == "-") }.filter { $0.contains(where: \.isNumber) && !$0.hasPrefix(".") }
    }

    private static func exact(_ test: JSONValue) throws -> Outcome {
        let expected = try test.string("expect")
        switch try test.string("id") {
        case "mon-1":
            var sum = Money.zero(.usd)
            for _ in 0..<10_000 { sum = try sum.adding(try Money("0.1", currency: .usd)) }
            return (sum == (try Money(expected, currency: .usd)), sum.text)
        case "mon-2":
            let value = try Money(price: try Price("110.75"), quantity: try Quantity(whole: 3), currency: .usd, rounding: .halfEven)
            let rest = try value.subtracting(try Money("332.25", currency: .usd))
            return (rest == (try Money(expected, currency: .usd)), rest.text)
        case "mon-4":
            let sum = try ExactDecimal("498.7509045").adding(try ExactDecimal("8.453441368210501065891847765109162027"))
            return (agree(sum.description, expected, digits: 34), sum.description)
        case "mon-5":
            let quotient = try ExactDecimal(truncating: 1_147_858_867, over: 4_294_967_295)
            return (agree(quotient.description, expected, digits: 38), quotient.description)
        case let id: return (false, "unknown id \(id)")
        }
    }

    /// Whether two decimals share their first digits; `expected` may carry a remark.
    private static func agree(_ found: String, _ expected: String, digits: Int) -> Bool {
        let length = digits + (found.firstIndex(of: ".").map { _ in 1 } ?? 0)
        return found.prefix(length) == expected.prefix(length) && expected.count >= length
    }

    private static func float32(_ test: JSONValue) throws -> Outcome {
        guard let value = Double(try test.string("double_text")) else { return (false, "not a number") }
        let price = try Price(float32Widened: value)
        return (price == (try Price(try test.string("want"))), price.description)
    }
}
