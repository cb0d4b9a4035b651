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
        .order,
    ]

    @Test("Q-3 every form has words in every language", arguments: Language.allCases) func formWords(language: Language) {
        for form in Self.forms {
            let text = Usage.invalid("X", "y", form).text(in: language)
            #expect(!text.contains("form-") && text.contains(form.example), "\(text)")
        }
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
                "Hong Kong stocks  Asia/Hong_Kong", "Weekends are left out",
            ])
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
