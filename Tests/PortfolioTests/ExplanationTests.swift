import Exact
import Instruments
import Messages
import Testing

@testable import Portfolio

/// Works a printed formula out the way a reader does with paper: brackets, then × ÷ / from left to right, then −. Fractions of whole
/// numbers, written without the product's own arithmetic.
private struct Reader {
    struct Fraction: Hashable {
        var over: Int128
        var under: Int128

        init(_ over: Int128, _ under: Int128) {
            var (a, b) = (over.magnitude, under.magnitude)
            while b != 0 { (a, b) = (b, a % b) }
            let divisor = Int128(max(a, 1)) * (under < 0 ? -1 : 1)
            (self.over, self.under) = (over / divisor, under / divisor)
        }

        /// Half up to cents.
        var cents: Int128 {
            let doubled = over * 200 + under
            let quotient = doubled / (2 * under)
            return doubled % (2 * under) < 0 ? quotient - 1 : quotient
        }
    }

    private var rest: [Character]

    static func value(_ formula: String) -> Fraction? {
        var reader = Reader(rest: formula.filter { $0 != " " }.reversed())
        let result = reader.sum()
        return reader.rest.isEmpty ? result : nil
    }

    private mutating func sum() -> Fraction? {
        guard var result = product() else { return nil }
        while rest.last == "\u{2212}" {
            rest.removeLast()
            guard let next = product() else { return nil }
            result = Fraction(result.over * next.under - next.over * result.under, result.under * next.under)
        }
        return result
    }

    private mutating func product() -> Fraction? {
        guard var result = factor() else { return nil }
        while let sign = rest.last, "×÷/".contains(sign) {
            rest.removeLast()
            guard let next = factor() else { return nil }
            result =
                sign == "×"
                ? Fraction(result.over * next.over, result.under * next.under)
                : Fraction(result.over * next.under, result.under * next.over)
        }
        return result
    }

    private mutating func factor() -> Fraction? {
        if rest.last == "(" {
            rest.removeLast()
            guard let result = sum(), rest.popLast() == ")" else { return nil }
            return result
        }
        var text = ""
        while let next = rest.last, next.isNumber || next == "." || (next == "-" && text.isEmpty) { text.append(rest.removeLast()) }
        let parts = text.split(separator: ".")
        let places = parts.count > 1 ? parts[1].count : 0
        guard let digits = Int128(parts.joined()) else { return nil }
        return Fraction(digits, (0..<places).reduce(Int128(1)) { result, _ in result * 10 })
    }
}

struct ExplanationTests {
    private let rates = FXTable([FXRate(nanos: 7_845_685_643, base: .usd, quote: .hkd)])

    private func bought(_ parts: [(shares: Int64, price: String)]) throws -> Holding {
        var cost = Money.zero(.hkd)
        let shares = parts.reduce(Int64(0)) { $0 + $1.shares }
        for part in parts {
            let quantity = try Quantity(whole: Int(part.shares))
            cost = try cost.adding(
                try Money(price: try Price(part.price), quantity: quantity, multiplier: .one, currency: .hkd, rounding: .halfUp))
        }
        return Holding(
            instrument: InstrumentID(1), symbol: "700.HK", market: .xhkg,
            quantity: try Quantity(whole: Int(shares)), cost: cost, multiplier: 1)
    }

    private func line(_ holding: Holding, _ price: String, in currency: Currency, _ rates: FXTable) throws -> Explanation.Line {
        let profits = [ProfitAndLoss.profit(holding, price: try Price(price))]
        return try #require(
            Explanation(profits, total: ProfitAndLoss.total(profits, in: currency, rates: rates)).lines.first)
    }

    @Test("E-5 bought at two prices: the printed formula gives the printed figure") func fractionalCost() throws {
        // 100 at 367.6 and 200 at 368 cost 110,360: 367.866… each. (370 − 367.866…) × 300 = 640.
        let holding = try bought([(100, "367.6"), (200, "368")])
        let own = try line(holding, "370", in: .hkd, rates)
        #expect(own.formula == "(370 \u{2212} 5518/15) × 300 × 1 × 1")
        #expect(own.amount?.text == "640")
        #expect(Reader.value(own.formula) == .init(640, 1))
        let other = try line(holding, "370", in: .usd, rates)
        #expect(other.formula == "(370 \u{2212} 5518/15) × 300 × 1 ÷ 7.845685643")
        // 640 ÷ 7.845685643 = 81.573495…
        #expect(other.amount?.text == "81.57" && Reader.value(other.formula)?.cents == 8157)
    }

    @Test("E-5 a rate over a third currency is printed so that it can be worked out") func crossRate() throws {
        let euro = try #require(Currency("EUR"))
        let cross = FXTable([
            FXRate(nanos: 1_083_800_000, base: euro, quote: .usd), FXRate(nanos: 8_503_100_000, base: euro, quote: .hkd),
        ])
        let holding = try bought([(100, "367.6"), (200, "368")])
        let line = try line(holding, "370", in: .usd, cross)
        // 640 × 1.0838 ÷ 8.5031 = 81.574014…
        #expect(line.amount?.text == "81.57")
        #expect(Reader.value(line.formula)?.cents == 8157, "\(line.formula)")
    }

    @Test("E-5 every printed formula gives its printed figure", arguments: UInt64(0)..<200) func formulas(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: UInt64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((state >> 33) % bound)
        }
        func price() -> String { "\(300 + next(99)).\(next(5) * 2)" }
        let holding = try bought([(100 * (1 + next(9)), price()), (100 * (1 + next(9)), price())])
        for currency in [Currency.hkd, .usd] {
            let line = try line(holding, price(), in: currency, rates)
            let micros = try #require(line.amount?.micros)
            #expect(Reader.value(line.formula)?.cents == Int128(micros / 10_000), "\(line.formula) = \(micros)")
        }
    }
}

struct CostTests {
    private func instrument(_ kind: Instrument.Kind, _ market: Market, decimals: Int) -> Instrument {
        Instrument(
            id: InstrumentID(1), market: market, code: "1", symbol: "1", kind: kind, currency: .hkd,
            names: .init(english: "One", simplified: "", traditional: ""), lot: Quantity(units: 100_000_000), multiplier: 1,
            decimals: decimals, tickTable: "HK-A")
    }

    @Test("C-6 an average cost has at most two decimals more than the product, and no zeros behind the product's own") func cost() throws {
        let stock = instrument(.stock, .xhkg, decimals: 3)
        let index = instrument(.future, .xhkf, decimals: 0)
        #expect(Display.cost(try Price("367.8").ratio, of: stock) == "367.80")
        #expect(Display.cost(try Price("367.805").ratio, of: stock) == "367.805")
        #expect(Display.cost(try Price("110360").ratio.divided(by: Ratio(300)), of: stock) == "367.8667")
        #expect(Display.cost(try Price("9.5").ratio, of: stock) == "9.500")
        #expect(Display.cost(try Price("28").ratio.divided(by: Ratio(3)), of: stock) == "9.33333")
        #expect(Display.cost(Ratio(22_948), of: index) == "22,948")
        #expect(Display.cost(try Price("22948.5").ratio, of: index) == "22,948.5")
        #expect(Display.cost(try Price("68845").ratio.divided(by: Ratio(3)), of: index) == "22,948.33")
        #expect(Display.cost(nil, of: stock) == Display.missing)
    }
}
