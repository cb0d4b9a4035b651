import Streams
import Exact
import Testing

@Suite struct ArithmeticTests {
    // C-6
    @Test(arguments: UInt64(0)..<200)
    func productsAreExactAndRoundedOnce(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for rounding in Rounding.allCases {
            let (price, quantity, multiplier) = (random.int64(), random.int64(), random.int64())
            let isNegative = (price < 0) != ((quantity < 0) != (multiplier < 0))
            let expected = oracle(
                isNegative, magnitude(price) * magnitude(quantity) * magnitude(multiplier),
                over: Digits("1" + String(repeating: "0", count: 19)),
                rounding)
            let found = try? Money(
                price: Price(nanos: price), quantity: Quantity(units: quantity), multiplier: Quantity(units: multiplier), currency: .hkd,
                rounding: rounding)
            // Nil is the right answer exactly where Int64 has no room.
            #expect(found?.micros == Int64(expected), "\(price) \(quantity) \(multiplier) \(rounding)")
        }
    }

    // C-6
    @Test(arguments: UInt64(0)..<200)
    func ratiosAgreeWithTheOracle(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (a, b) = (random.int64(), random.int64())
        let (c, d) = (max(random.int64().magnitude >> 1, 1), max(random.int64().magnitude >> 1, 1))
        let first = try Ratio(numerator: Int128(a), denominator: Int128(c))
        let second = try Ratio(numerator: Int128(b), denominator: Int128(d))
        #expect((first < second) == (Int128(a).multipliedFullWidth(by: Int128(d)) < Int128(b).multipliedFullWidth(by: Int128(c))))
        for rounding in Rounding.allCases {
            let expected = oracle(a < 0, magnitude(a) * Digits("1000000000"), over: Digits(String(c)), rounding)
            #expect((try? Price(first, rounding: rounding))?.nanos == Int64(expected))
        }
        if let sum = try? first.adding(second) {
            #expect(try sum.subtracting(second) == first)
        }
        if let product = try? first.multiplied(by: second), b != 0 {
            #expect((try? product.divided(by: second)).map { $0 == first } ?? true)
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func textComesBackAsTheSameNumber(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let value = random.int64()
        #expect(try Price(Price(nanos: value).description).nanos == value)
        #expect(try Quantity(Quantity(units: value).description).units == value)
        #expect(try Money(Money(micros: value, currency: .usd).text, currency: .usd).micros == value)
        #expect(try Price(try ExactDecimal(Price(nanos: value).description)).nanos == value)
        for rounding in Rounding.allCases {
            let decimals = Int(random.next() % 10)
            let scale = Digits("1" + String(repeating: "0", count: 9 - decimals))
            let expected = oracle(value < 0, magnitude(value), over: scale, rounding)
            let shown = Price(nanos: value).text(decimals: decimals, rounding: rounding)
            #expect(shown.filter { $0 != "." }.trimmedZeros == expected, "\(value) to \(decimals) \(rounding)")
            #expect(try Price(Price(nanos: value).text(decimals: 9) + "0000", rounding: rounding).nanos == value)
        }
    }

    @Test func overflowIsAnErrorNeverAWrap() {
        #expect(throws: ArithmeticError.overflow) { try Price(nanos: .max).adding(Price(nanos: 1)) }
        #expect(throws: ArithmeticError.overflow) { try Price(nanos: .min).negated() }
        #expect(throws: ArithmeticError.overflow) { try Quantity(whole: .max) }
        #expect(throws: ArithmeticError.overflow) {
            try Money(price: Price(nanos: .max), quantity: Quantity(units: .max), currency: .usd, rounding: .halfEven)
        }
        #expect(throws: ArithmeticError.divisionByZero) { try Ratio(numerator: 1, denominator: 0) }
        #expect(throws: ArithmeticError.currencyMismatch(expected: .hkd, found: .usd)) {
            try Money(micros: 1, currency: .hkd).adding(Money(micros: 1, currency: .usd))
        }
    }

    @Test func pricesMoveOnTheirGrid() throws {
        let tick = try Price("0.005")
        #expect(try Price("0.2551").rounded(toTick: tick, rounding: .floor) == Price("0.255"))
        #expect(try Price("-37.631").rounded(toTick: try Price("0.01"), rounding: .floor) == Price("-37.64"))
        #expect(try Price("0.255").isOnGrid(tick: tick))
        #expect(try !Price("0.256").isOnGrid(tick: tick))
        #expect(try !Price("0.256").isOnGrid(tick: .zero))
        #expect(throws: ArithmeticError.divisionByZero) { try Price("1").rounded(toTick: .zero, rounding: .floor) }
    }

    @Test func averageCostStaysAFraction() throws {
        let cost = try Money("100", currency: .hkd)
        let average = try Ratio(average: cost, over: try Quantity(whole: 3))
        #expect(average == (try Ratio(numerator: 100, denominator: 3)))
        #expect(try Money(average.multiplied(by: Ratio(3)), currency: .hkd, rounding: .towardZero) == cost)
        #expect(try Price(average, rounding: .halfEven) == Price("33.333333333"))
        #expect(throws: ArithmeticError.divisionByZero) { try Ratio(average: cost, over: .zero) }
    }
}

extension String {
    /// Without leading zeros, the sign kept.
    fileprivate var trimmedZeros: String {
        let sign = hasPrefix("-") ? "-" : ""
        let digits = drop { $0 == "-" }.drop { $0 == "0" }
        return digits.isEmpty ? "0" : sign + digits
    }
}
