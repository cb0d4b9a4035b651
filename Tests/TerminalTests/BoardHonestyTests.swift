import Exact
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Testing
import Texts
import Trade

@testable import Terminal

/// What the board must not pretend: a book of a closed market, a price that looks live and is not, a session nobody recorded.
struct BoardHonestyTests {
    private func screen(_ data: DeskData, _ language: Language = .english, keys: [Key] = [], columns: Int = 80) -> [String] {
        var state = BoardState(language: language)
        _ = state.handle(.data(data))
        for key in keys { _ = state.handle(.key(key)) }
        let lines = BoardRenderer(state, columns: columns, rows: 24).lines
        for line in lines { #expect(line.columns == columns) }
        return lines.map(\.plain)
    }

    private func lines(_ data: DeskData, _ language: Language, keys: [Key] = []) -> [Line] {
        var state = BoardState(language: language)
        _ = state.handle(.data(data))
        for key in keys { _ = state.handle(.key(key)) }
        return BoardRenderer(state, columns: 80, rows: 24).lines
    }

    private func changed(_ symbol: String, _ change: (inout Quote) -> Void) throws -> DeskData {
        var data = try sampleData()
        let id = try #require(data.instruments.first { $0.symbol == symbol }?.id)
        var quote = try #require(data.quotes[id])
        change(&quote)
        data.quotes[id] = quote
        return data
    }

    @Test("F-7 a closed market has no live book and says when it opens", arguments: Language.allCases) func closed(language: Language)
        throws
    {
        let data = try changed("700.HK") { $0.phase = .break }
        let text = screen(data, language).joined(separator: "\n")
        #expect(!text.contains("361.60"))
        #expect(text.contains(Text.boardNoBook.words(in: language)))
        #expect(text.contains(Phase.break.text.words(in: language)))
        #expect(text.contains("2026-12-01 09:30 HKT"))
        if language != .traditionalChinese { try golden("closed-\(language.rawValue)-80", lines(data, language)) }
    }

    @Test("C-8 the source and the letters are told in words at 80 columns, with the market date") func legend() throws {
        let text = screen(try sampleData())
        #expect(text[0].contains("2026-11-30 14:36:08 HKT"))
        #expect(text[22] == "Derived from 2022-04-13 bars  (d derived · R recorded · S simulated)")
    }

    @Test("C-3 an unknown order that becomes known is told, and its ticket is free again", arguments: Language.allCases)
    func lateOrder(language: Language) throws {
        var state = BoardState(language: language)
        _ = state.handle(.data(try sampleData()))
        for key in [Key.character("b"), .enter, .character("y")] { _ = state.handle(.key(key)) }
        _ = state.handle(.placed(.unknown))
        #expect(state.ticket?.stage == .unknown)
        _ = state.handle(.news(.orderResolved(.accepted(orderID: 1234))))
        #expect(state.ticket == nil)
        #expect(BoardRenderer(state, columns: 80, rows: 24).lines.map(\.plain).contains { $0.contains("1234") })
        _ = state.handle(.news(.orderResolved(.refused(Failure(ErrorCode("market.closed"), .init("opens", "09:30"))))))
        #expect(BoardRenderer(state, columns: 80, rows: 24).lines.map(\.plain).contains { $0.contains("09:30") })
    }

    @Test("D-5 the end of a trading session is told, with the kind of the other device", arguments: Language.allCases)
    func sessions(language: Language) throws {
        var state = BoardState(language: language)
        _ = state.handle(.data(try sampleData()))
        for (news, words) in [
            (DeskNews.sessionEnded(counter: .counterFutures), Text.boardSessionEnded(counter: .counterFutures)),
            (
                .loggedInElsewhere(counter: .counterSecurities, platform: "android"),
                .boardMovedDevice(counter: .counterSecurities, device: "android")
            ),
            (.loggedInElsewhere(counter: .counterFutures, platform: nil), .boardMoved(counter: .counterFutures)), (.kicked, .boardKicked),
        ] {
            _ = state.handle(.news(news))
            // Whole, on one row of the smallest board.
            #expect(BoardRenderer(state, columns: 80, rows: 24).lines.map(\.plain).contains(words.words(in: language)))
        }
    }

    @Test("design §1 a question shows its own keys only", arguments: Language.allCases) func questionKeys(language: Language) throws {
        let data = try sampleData()
        let confirm = screen(data, language, keys: [.character("b"), .enter])
        #expect(confirm[23] == Text.ticketConfirmKeys.words(in: language))
        let cancel = screen(data, language, keys: [.character("c")])
        #expect(cancel[23] == Text.ticketCancelKeys.words(in: language))
        let sending = screen(data, language, keys: [.character("b"), .enter, .character("y")])
        #expect(sending[23] == "")
        try golden("confirm-\(language.rawValue)-80", lines(data, language, keys: [.character("b"), .enter]))
    }

    @Test("N-4 a ticket shows what it costs and leaves before anything is sent", arguments: Language.allCases)
    func estimate(language: Language) throws {
        var data = try sampleData()
        for keys: [Key] in [[.character("b")], [.character("b"), .enter]] {
            let rows = screen(data, language, keys: keys)
            #expect(rows[20] == "361.60 × 100 = HKD 36,160.00")
            #expect(rows[21].contains("41.59") && rows[21].contains("36,201.59") && rows[21].contains("900,000.00 → 863,798.41 HKD"))
        }
        let market = screen(data, language, keys: [.character("b"), .character("+"), .character("m"), .enter])
        #expect(market[20] == "361.60 × 200 = HKD 72,320.00")
        data.fees = nil
        #expect(screen(data, language, keys: [.character("b")])[21].contains(Text.ticketBeforeFees.words(in: language)))
        data.securitiesFunds[0].available = 1_000_000
        let short = Text.ticketNotEnough(before: "1.00", currency: "HKD").words(in: language)
        #expect(screen(data, language, keys: [.character("b")])[21].contains(short))
        data.securitiesFunds = []
        #expect(screen(data, language, keys: [.character("b")])[21].contains("—"))
    }

    @Test("N-2 a filled order shows its average price, a working one its limit") func average() throws {
        let narrow = screen(try sampleData())
        #expect(narrow.contains { $0.contains("200/200   @361.85 Filled") })
        #expect(narrow.contains { $0.contains("0/200    362.00 Working") })
        let wide = screen(try sampleData(), columns: 120)
        #expect(wide.contains { $0.contains("200/200    362.00    @361.85 Filled") })
    }

    @Test("Q-3 sizes are in the language's own units") func units() throws {
        var data = try sampleData()
        data.books[data.instruments[0].id]?.bids[0].size = 12_345_600_000_000
        #expect(screen(data, .simplifiedChinese).contains { $0.hasPrefix("12.3万   361.40") })
        #expect(screen(data, .english).contains { $0.hasPrefix(" 123K   361.40") })
    }

    @Test("B-8 without a connection prices are stale, the book is gone, and it says since when", arguments: Language.allCases)
    func lost(language: Language) throws {
        var data = try sampleData()
        data.quoteLink = .reconnecting(.seconds(95))
        data.tradeLink = .reconnecting(.seconds(95))
        let rows = screen(data, language)
        #expect(rows[0].contains(TimeFormat.length(.seconds(95), in: language)))
        #expect(rows[2].contains(Text.boardStale.words(in: language)))
        #expect(!rows.joined().contains("361.60"))
        let text = rows.joined(separator: "\n")
        #expect(text.contains(Text.boardLostFor(away: .seconds(95)).words(in: language)))
        let frame = lines(data, language)
        #expect(frame[2].spans.contains { $0.text.contains("361.40") && $0.voice == .quiet })
        try golden("lost-\(language.rawValue)-80", frame)
        #expect(rows.contains { $0.hasSuffix("USD +1,079.49  " + Text.boardStale.words(in: language)) })
        data.tradeLink = .connected
        #expect(screen(data, language)[0].contains("2026-11-30 14:36:08"))
    }

    @Test("F-7 a night session without a recording says so", arguments: Language.allCases) func night(language: Language) throws {
        var data = try sampleData()
        let day = try #require(TradingDay(yyyymmdd: 20_261_130))
        let future = try data.table.resolve("HSI2612.HKFE", on: day).get()
        // 2026-11-30 22:30 in Hong Kong; the last trade at 16:29:59.
        let now: Int64 = 1_796_049_000_000_000_000
        data.clock = MarketClockReading(time: MarketInstant(nanoseconds: now), speedMicros: 1_000_000, epoch: 1)
        data.instruments = [future]
        var quote = Quote()
        quote.last = 22_900_000_000_000
        quote.phase = .night
        quote.provenance = .derived
        quote.recordedOn = 20_131_029
        quote.timeNs = now
        quote.lastTimeNs = now - 21_601_000_000_000
        data.quotes = [future.id: quote]
        let text = screen(data, language)
        #expect(text[2].contains(Text.boardUnrecorded.words(in: language)))
        #expect(text.contains { $0.contains(Text.boardNoRecording.words(in: language)) })
        #expect(text.contains { $0.contains("2026-12-01 09:15 HKT") })
        // One second into it, at 17:15:01: not a recording that is missing yet, and no book of the day either.
        data.clock?.time = MarketInstant(nanoseconds: now - 18_899_000_000_000)
        let early = screen(data, language).joined(separator: "\n")
        #expect(early.contains(Text.boardNoBook.words(in: language)) && early.contains(Text.boardUntraded.words(in: language)))
        data.clock?.time = MarketInstant(nanoseconds: now)
        quote.lastTimeNs = now - 1_000_000_000
        data.quotes = [future.id: quote]
        #expect(screen(data, language)[2].contains(Phase.night.text.words(in: language)))
        // The day after the market date: nothing of it is recorded, though its session runs and the price of the day before stands there.
        quote.phase = .continuous
        quote.tradingDay = 20_261_130
        data.clock?.time = MarketInstant(nanoseconds: now + 41_400_000_000_000)
        data.quotes = [future.id: quote]
        let next = screen(data, language)
        #expect(next[2].contains(Text.boardUnrecorded.words(in: language)))
        #expect(next.contains { $0.contains(Text.boardNoRecording.words(in: language)) } && !next[2].contains("+"))
        #expect(!next.contains { $0.contains("2026-12-02") })
    }

    @Test("E-5 an explanation is wrapped, never cut, and paged") func wrapped() throws {
        var data = try sampleData()
        let text = screen(data, keys: [.character("e")])
        #expect(!text.dropLast(3).contains { $0.contains("…") })
        #expect(text[23] == Text.boardOverlayKeys.words(in: .english))
        data.positions = Array(repeating: data.positions[0], count: 20)
        let first = screen(data, keys: [.character("e")])
        let second = screen(data, keys: [.character("e"), .character(" ")])
        #expect(first.contains { $0.contains("Page 1 of ") })
        #expect(second.contains { $0.contains("Page 2 of ") })
    }

    @Test("rows of a wrapped text are never too wide and lose nothing but blanks", arguments: UInt64(0)..<100) func wrapping(seed: UInt64) {
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let letters: [Character] = ["a", "b", "é", " ", " ", "持", "仓", "×", "9", ","]
        let text = String(
            (0..<Int(seed * 3)).map { _ -> Character in
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return letters[Int((random >> 33) % 10)]
            })
        let width = 10 + Int(seed % 50)
        let rows = Wrapping.lines(text, width, indent: "  ")
        #expect(rows.allSatisfy { DisplayWidth.columns(of: $0) <= width })
        #expect(rows.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }

    @Test("a tiny terminal gets one clear sentence", arguments: Language.allCases) func tiny(language: Language) throws {
        var state = BoardState(language: language)
        _ = state.handle(.data(try sampleData()))
        let rows = BoardRenderer(state, columns: 20, rows: 5).lines.map(\.plain)
        #expect(rows.joined(separator: " ").contains("24"))
        #expect(!rows.joined().contains("…"))
        #expect(rows.count == 5)
    }
}
