import Diagnostics
import Exact
import HTTP
import Instruments
import Streams
import Testing
import Texts

@testable import causeway

/// What `calendar`, `market status`, `fees` and `ticksize` say of what they do not know (issue 4).
struct TableCommandTests {
    private let parser = Parser(commands: Commands.all)

    private func invocation(_ words: String...) throws -> Invocation {
        guard case .invoke(let invocation) = try parser.parse(words) else { throw Usage.missing("command") }
        return invocation
    }

    private func failure(_ words: String...) async throws -> Failure {
        guard case .invoke(let invocation) = try parser.parse(words) else { throw Usage.missing("command") }
        do { try await invocation.command.run(invocation) } catch let failure as Failure { return failure }
        return Failure(ErrorCode("none"))
    }

    @Test("Q-4 what is not valid shows the form wanted, in every language") func forms() async throws {
        let noon = try await failure("market", "status", "--at", "noon")
        #expect(noon.text(in: .english) == "--at: noon is not a time with its zone; write 2026-11-30T10:00:00+08:00")
        #expect(noon.text(in: .simplifiedChinese) == "--at：noon 不是带时区的时间；请写成 2026-11-30T10:00:00+08:00")
        let day = try await failure("calendar", "HK", "2026-11-31")
        #expect(day.text(in: .english) == "DATE: 2026-11-31 is not a date; write 2026-11-30")
        let to = try await failure("calendar", "HK", "2026-11-30", "soon")
        #expect(to.text(in: .english) == "TO: soon is not a date; write 2026-11-30")
        let before = try await failure("calendar", "HK", "2026-11-30", "2026-11-27")
        #expect(before.text(in: .english) == "TO: 2026-11-27 is not a date on or after DATE; write 2026-11-30")
        let price = try await failure("fees", "700.HK", "buy", "100", "dear")
        #expect(price.text(in: .english) == "PRICE: dear is not a price; write 512.50")
        let limit = try await failure("symbols", "search", "x", "--limit", "many")
        #expect(limit.text(in: .english) == "--limit: many is not a whole number from 1 to 1,000")
    }

    private static let forms: [Usage.Form] = [
        .date, .date(from: "2026-11-30"), .time, .price, .priceAboveZero, .quantity, .duration, .speed, .fingerprint, .host, .address,
        .order, .plainNumber, .quantityPlaces, .volume, .server,
    ]

    @Test("Q-3 every form has words in every language", arguments: Language.allCases) func formWords(language: Language) {
        for form in Self.forms {
            let text = Usage.invalid("X", "y", form).text(in: language)
            #expect(!text.contains("form-") && text.contains(form.example), "\(text)")
        }
    }

    @Test("Q-4 a quantity that is not taken says why") func quantities() async throws {
        func text(_ quantity: String) async throws -> String {
            try await failure("fees", "700.HK", "buy", quantity, "1").text(in: .english)
        }
        let form = "is not a plain number of digits, with a point where it has decimals; write 1000"
        for typed in ["1,000", "1e3"] { #expect(try await text(typed) == "QTY: \(typed) \(form)") }
        #expect(try await text("0") == "QTY: 0 is not a quantity above zero; write 100")
        #expect(try await text("99999999999999") == "QTY: 99999999999999 is too large")
        #expect(try await text("0.123456789").contains("at most 8 decimals"))
    }

    @Test("Q-4 a file that is not there is not damaged data") func missingFiles() async throws {
        for words in [["data", "import", "/nosuch.csv"], ["indicator", "MA", "--input", "/nosuch.csv"]] {
            guard case .invoke(let invocation) = try parser.parse(words) else { continue }
            await #expect(throws: Failure(ErrorCode("data.missing"), .init("path", "/nosuch.csv"))) {
                try await invocation.command.run(invocation)
            }
        }
        let volume = try AlertWords(["volume", "2000万"])
        #expect(volume.value == "20000000")
    }

    @Test("Q-3 a language without texts is refused with those there are, in both ways to write it and for help") func languages() throws {
        let refusal = Failure(
            ErrorCode("usage.choice"), .init("argument", "--language"), .init("choices", "en, zh-Hans, zh-Hant"))
        for words in [["version", "--language", "fr"], ["version", "--language=fr"], ["help", "--language", "fr"]] {
            #expect(throws: refusal) { try parser.parse(words) }
        }
        #expect(Causeway.chosenLanguage(["help", "--language=zh-Hant"]) == .traditionalChinese)
    }

    @Test("H-2 index futures are found by what people call them and by month; a mistyped ticker's own initials come first")
    func futures() throws {
        let catalogue = try Catalogue(invocation("symbols", "search", "x"))
        let (database, day) = (try catalogue.database(), try #require(TradingDay("2026-11-30")))
        let index = try catalogue.index(of: database)
        func found(_ query: String) throws -> [String] {
            try CatalogueSearch(query, limit: 20, on: day, index, database).hits.map(\.instrument.symbol)
        }
        for query in ["恒指期货", "恆指期貨", "期指", "恒指 期货"] { #expect(try found(query).first == "HSI2612.HKFE", "\(query)") }
        #expect(try found("恒指").prefix(2) == ["HSI.INDX", "HSI2612.HKFE"])
        #expect(try found("国指期货").first == "HHI2612.HKFE")
        for query in ["HSI 12月", "恒指12月", "hsi2026年12月", "恒指12月期货"] {
            #expect(try found(query).first == "HSI2612.HKFE", "\(query)")
        }
        #expect(try found("HSI 3月").first == "HSI2703.HKFE")
        #expect(FuturesQuery("13月") == nil && FuturesQuery("HSI13月") == nil && FuturesQuery("腾讯") == nil && FuturesQuery("HSI") == nil)
        #expect(try NearSymbols("txkg", on: day, index, database).found.first?.symbol == "700.HK")
        #expect(try NearSymbols("APPL", on: day, index, database).found.first?.symbol == "AAPL.US")
        #expect(try NearSymbols("期指", on: day, index, database).found.first?.symbol == "HSI2612.HKFE")
    }

    @Test("Q-4 fees that no table tells name what is missing") func noFees() async throws {
        let renminbi = try await failure("fees", "80700.HK", "buy", "100", "500")
        #expect(renminbi.code == .feesCurrency && !renminbi.text(in: .english).contains("—"))
        #expect(try await failure("fees", "5093.HK", "buy", "2000", "100").code == .feesFaceUnknown)
        #expect(try await failure("fees", "IF2612.CFFEX", "buy", "1", "4000").code == .feesNone)
    }

    private func subject(_ name: String, _ day: String = "2026-12-24") throws -> CalendarSubject {
        let facts = try MarketFacts(DataFolder.locate())
        return try CalendarSubject(name, facts, on: #require(TradingDay(day)), invocation("calendar", name, day))
    }

    @Test("issue 4.4 the name of a market elsewhere is not taken for a share; with its suffix the share is meant") func elsewhere() throws {
        let fault = #expect(throws: Failure.self) { try subject("LSE") }
        #expect(fault?.code == .marketOrSymbol || fault?.code == .marketUnknown, "\(String(describing: fault))")
        #expect(try subject("AAPL").instrument?.symbol == "AAPL.US")
        #expect(try subject("hk").instrument == nil)
    }

    @Test("issue 4.4 a range has a header and says that weekends are left out") func range() throws {
        let subject = try subject("HK")
        let days = try (24...27).map { try subject.day(#require(TradingDay(year: 2026, month: 12, day: $0))) }
        let from = try #require(TradingDay("2026-12-24"))
        #expect(
            CalendarCommands.lines(days, subject, from, .english) == [
                "Hong Kong stocks  Asia/Hong_Kong", "Date        Day       Certainty  Hours",
                "2026-12-24  Half day  verified   09:30–12:00", "2026-12-25  Holiday   verified", "Weekends are left out",
            ])
        #expect(
            CalendarCommands.lines(days.suffix(2), subject, from, .english) == [
                "Hong Kong stocks  Asia/Hong_Kong", "All of these days are weekend days",
            ])
    }

    @Test("issue 4.4 a range says where an instrument is not listed any more, or not yet") func unlisted() throws {
        func lines(_ name: String, _ from: String, _ days: [Int]) throws -> [String] {
            let (subject, first) = (try subject(name, from), try #require(TradingDay(from)))
            let found = try days.map { try subject.day(#require(TradingDay(year: first.year, month: first.month, day: $0))) }
            return CalendarCommands.lines(found, subject, first, .english)
        }
        let ended = try lines("HSI2612.HKFE", "2026-12-30", [30, 31])
        #expect(ended.last == "2026-12-31  not listed", "\(ended)")
        #expect(ended[ended.count - 2].hasPrefix("2026-12-30  Full day"), "\(ended)")
        let early = try lines("HSI2607.HKFE", "2026-03-30", [30, 31])
        #expect(
            early.contains { $0.hasPrefix("2026-03-30  not listed") } && early.last?.hasPrefix("2026-03-31  Full day") == true, "\(early)")
        #expect(try lines("HSI2607.HKFE", "2026-03-29", [29, 30])[0].contains("is not listed on 2026-03-29"))
    }

    @Test("H-3 a price is shown with every decimal it was typed with; a bond's lot has no worth that is not known") func exactPrice() throws
    {
        func question(_ symbol: String) throws -> TableQuestion { try TableQuestion(invocation("ticksize", symbol, "1"), symbol: symbol) }
        #expect(try question("AAPL.US").text(Price("0.99995")) == "0.99995")
        #expect(try question("ZN2612.CBOT").text(Price("110.0078125")) == "110.0078125")
        #expect(try question("700.HK").text(Price("512.5")) == "512.500" || question("700.HK").text(Price("512.5")) == "512.50")
        let bond = try question("5093.HK").instrument
        #expect(bond.isQuotedInPercent && bond.kind == .debt)
    }

    private static let signedOut: ClientOpener = { _ in throw Failure(ErrorCode("auth.signed-out")) }
    private static let refused: ClientOpener = { _ in throw Failure(ErrorCode("storage.full")) }

    @Test("issue 4.4 without a server market status asks this computer's clock and says so") func offline() async throws {
        let wall = WallClock { 1_859_040_000_000_000_000 }
        let moment = try await MarketMoment(invocation("market", "status"), Self.signedOut, wall)
        #expect(moment.time.nanoseconds == 1_859_040_000_000_000_000 && moment.clock == "computer" && moment.unasked != nil)
        let calendar = try MarketFacts(DataFolder.locate()).calendar
        let rows = try [MarketStatus(#require(calendar.named("HK")), calendar, moment.time)]
        let remarks = MarketStatus.remarks(rows, moment, .english)
        #expect(remarks.count == 2 && remarks[0].contains("--at"), "\(remarks)")
        #expect(remarks.last == "Projected by rule: the calendars know no later day than 2027-12-31")
        await #expect(throws: Failure(ErrorCode("storage.full"))) {
            try await MarketMoment(invocation("market", "status"), Self.refused, wall)
        }
        let given = try await MarketMoment(invocation("market", "status", "--at", "2026-11-30T10:00:00+08:00"), Self.refused, wall)
        #expect(given.clock == "given" && given.unasked == nil)
    }

    @Test("issue 4.6 what only the synthetic feed makes is said to be that") func simulated() async throws {
        let unknown = try await failure("ticksize", "SIM00001.HK", "10")
        #expect(unknown.code.rawValue == "symbol.simulated")
        #expect(try await failure("ticksize", "SIMO.HK", "10").code.rawValue != "symbol.simulated")
    }
}
