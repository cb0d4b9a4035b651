import Exact
import Testing

@Suite struct TextTests {
    // C-6, DEC-2: no prefix is taken for a number
    @Test(arguments: ["", "-", "+", ".", "1.", ".5", "1,234.56", "12abc", "0x10", "1e3", "NaN", " 1", "1 ", "--1", "1.2.3", "１"])
    func onlyPlainDecimalsAreRead(text: String) {
        #expect(throws: DecimalError.malformed) { try Price(text) }
        #expect(throws: DecimalError.malformed) { try Money(text, currency: .usd) }
    }

    @Test func whatDoesNotFitIsRefused() {
        #expect(throws: DecimalError.tooPrecise(places: 9)) { try Price("0.0000000001") }
        #expect(throws: DecimalError.outOfRange) { try Price("10000000000") }
        #expect(throws: DecimalError.outOfRange) { try Price("99999999999999999999") }
        #expect(throws: DecimalError.outOfRange) { try Price(String(repeating: "9", count: 100_000)) }
        #expect(throws: DecimalError.outOfRange) { try FXRate("0", base: .usd, quote: .hkd) }
    }

    @Test func trailingZerosLoseNothing() throws {
        #expect(try Price("1.50000000000000000000").nanos == 1_500_000_000)
        #expect(try Price("9223372036.854775807").nanos == .max)
        #expect(try Price("-9223372036.854775808").nanos == .min)
        #expect(Price(nanos: .min).description == "-9223372036.854775808")
        #expect(try Price("-0").description == "0")
    }

    @Test func aNamedRuleRoundsWhatIsTooPrecise() throws {
        #expect(try Price("0.0000000005", rounding: .halfEven).nanos == 0)
        #expect(try Price("0.00000000050000000001", rounding: .halfEven).nanos == 1)
        #expect(try Price("-0.0000000005", rounding: .halfUp).nanos == -1)
        #expect(try Money("2.0000005", currency: .usd, rounding: .towardZero).text == "2")
    }

    // money in a sentence has its decimals, and no digit is lost
    @Test func moneyHasAtLeastItsDecimals() throws {
        #expect(try Money("3604057.2", currency: .hkd).text(atLeast: 2) == "3604057.20")
        #expect(try Money("-5", currency: .hkd).text(atLeast: 2) == "-5.00")
        #expect(try Money("0.123456", currency: .hkd).text(atLeast: 2) == "0.123456")
    }

    @Test func zeroNeverShowsAMinus() throws {
        #expect(try Price("-0.004").text(decimals: 2) == "0.00")
        #expect(try Price("-0.005").text(decimals: 2) == "-0.01")
        #expect(try Price("17").text(decimals: 2) == "17.00")
        #expect(try Price("1.5").text(decimals: 0, rounding: .halfEven) == "2")
        #expect(try Price("1.5").text(decimals: 12) == "1.500000000000")
    }

    // C-6: a group after a leading zero would make 123 of a German 0,123
    @Test(arguments: ["0,123", "1,23", "1,2345", ",123", "1,,234", "(1", "1)", "(-1)", "-1-", "$1$", "5%", "1e3", "12 34", "1,234,56", "٣"])
    func entryRefusesWhatIsDoubtful(text: String) {
        #expect(throws: DecimalError.self) { try NumberReader(.point).read(text) }
    }

    @Test func entryFollowsTheNotation() throws {
        #expect(try NumberReader(.point).read("1,234.5").description == "1234.5")
        #expect(try NumberReader(.comma).read("1.234,5").description == "1234.5")
        #expect(try NumberReader(.point, allowing: .statement).read("HKD 1,000.25").description == "1000.25")
        #expect(try NumberReader(.point, allowing: .statement).read("1.5E-3").description == "0.0015")
        #expect(NumberReader.Notation(language: "zh-Hant") == .point)
    }

    // DEC-10
    @Test func widenedFloatsAreRepaired() throws {
        #expect(try Price(float32Widened: 7.820000171661377).description == "7.82")
        #expect(throws: DecimalError.malformed) { try Price(float32Widened: 7.82) }
        #expect(throws: DecimalError.malformed) { try Price(float32Widened: .nan) }
    }
}

@Suite struct ForeignExchangeTests {
    // DEC-7
    @Test func aMissingRateIsNamedNotCountedOneToOne() throws {
        let table = FXTable([try FXRate("7.8125", base: .usd, quote: .hkd)])
        let amounts = [try Money("1000", currency: .hkd), try Money("100", currency: .usd), try Money("50", currency: .cny)]
        let total = try table.total(amounts, in: .hkd, rounding: .halfEven)
        #expect(total.known.description == "1781.25 HKD")
        #expect(total.unconverted.map(\.description) == ["50 CNY"])
        #expect(try table.convert(Money(micros: 1, currency: .cny), to: .hkd, rounding: .halfEven) == nil)
    }

    // DEC-8
    @Test func aRateServesBothWaysAndOverAThirdCurrency() throws {
        let euro = try #require(Currency("EUR"))
        let table = FXTable([try FXRate("7.8125", base: .usd, quote: .hkd), try FXRate("1.25", base: euro, quote: .usd)])
        #expect(try table.convert(Money("78125", currency: .hkd), to: .usd, rounding: .halfEven)?.text == "10000")
        #expect(try table.convert(Money("1", currency: euro), to: .hkd, rounding: .halfEven)?.text == "9.765625")
        let rate = try FXRate("7.8125", base: .usd, quote: .hkd)
        #expect(throws: ArithmeticError.currencyMismatch(expected: .usd, found: euro)) {
            try rate.convert(Money(micros: 1, currency: euro), rounding: .halfEven)
        }
    }
}
