import Exact
import Foundation
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Testing
import Texts
import Trade

@testable import Terminal

/// A desk as recorded data would give it: two instruments with quotes, one without, a position, two orders.
func sampleData() throws -> DeskData { try sample.get() }

private let sample = Result { try makeSample() }

private func makeSample() throws -> DeskData {
    let facts = try MarketFacts(try DataFolder.locate())
    let day = try #require(TradingDay(yyyymmdd: 20_261_130))
    let instruments = try ["700.HK", "AAPL.US", "HSI.INDX"].map { try facts.instruments.resolve($0, on: day).get() }
    var data = DeskData(instruments: instruments, table: facts.instruments, ticks: facts.ticks, tradingDay: day)
    // 2026-11-30T06:36:08Z
    let now: Int64 = 1_796_020_568_000_000_000
    data.calendar = facts.calendar
    data.fees = try FeeSchedule(try DataFolder.locate())
    var funds = FundsLine()
    funds.currency = "HKD"
    funds.cash = 900_000_000_000
    funds.available = funds.cash
    data.securitiesFunds = [funds]
    for (index, last) in [361_400_000_000, 150_010_000_000].enumerated() {
        var quote = Quote()
        quote.instrument = instruments[index].id.rawValue
        quote.timeNs = now - Int64(index) * 600_000_000_000
        quote.last = Int64(last)
        quote.ask = Int64(last) + 200_000_000
        quote.previousClose = index == 0 ? 370_000_000_000 : 149_000_000_000
        quote.volume = 1_234_500_000_000
        quote.phase = .continuous
        quote.provenance = .derived
        quote.recordedOn = 20_220_413
        data.quotes[instruments[index].id] = quote
    }
    var book = Book()
    book.provenance = .simulated
    for step in 0..<10 {
        var level = BookLevel()
        level.size = Int64(step + 1) * 50_000_000_000
        level.price = 361_400_000_000 - Int64(step) * 200_000_000
        book.bids.append(level)
        level.price = 361_600_000_000 + Int64(step) * 200_000_000
        book.asks.append(level)
    }
    data.books[instruments[0].id] = book
    var position = Position()
    position.instrument = instruments[0].id.rawValue
    position.quantity = 30_000_000_000
    position.cost = 100_000_000_000
    position.currency = "HKD"
    position.sellable = position.quantity
    data.positions = [position]
    var order = Order()
    order.orderID = 2
    order.instrument = instruments[0].id.rawValue
    order.side = .sell
    order.type = .limit
    order.limit = 362_000_000_000
    order.quantity = 20_000_000_000
    order.status = .working
    data.orders = [order]
    order.orderID = 1
    order.side = .buy
    order.status = .filled
    order.filled = order.quantity
    order.averagePriceNanos = 361_850_000_000
    data.orders.append(order)
    data.rates.add(FXRate(nanos: 7_800_000_000, base: .usd, quote: .hkd), fixedOn: try #require(TradingDay("2026-10-30")))
    data.quoteLink = .connected
    data.tradeLink = .reconnecting(.seconds(12))
    data.clock = MarketClockReading(time: MarketInstant(nanoseconds: now), speedMicros: 60_000_000, epoch: 1)
    return data
}

/// Compares with Tests/Fixtures/board/NAME.txt; RECORD=1 rewrites it.
func golden(_ name: String, _ lines: [Line]) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/board/\(name).txt")
    let text = lines.map(\.plain).joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
}

struct BoardRenderingTests {
    @Test("M-3 the board in each language and size, row for row", arguments: Language.allCases, [(80, 24), (140, 40)])
    func frames(language: Language, size: (Int, Int)) throws {
        var state = BoardState(language: language)
        _ = state.handle(.data(try sampleData()))
        let lines = BoardRenderer(state, columns: size.0, rows: size.1).lines
        #expect(lines.count == size.1)
        #expect(lines.allSatisfy { $0.spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } == size.0 })
        try golden("board-\(language.rawValue)-\(size.0)", lines)
    }

    @Test("M-3 from 100 columns the close before has a column; a wide terminal shows longer names", arguments: Language.allCases)
    func widths(language: Language) throws {
        var data = try sampleData()
        let long = "A name of forty-four cells, which is a lot, yes"
        data.instruments[0].names = .init(english: long, simplified: long, traditional: long)
        var state = BoardState(language: language)
        _ = state.handle(.data(data))
        let previous = Text.fieldPreviousClose.words(in: language)
        for (columns, isThere) in [(80, false), (99, false), (100, true), (119, true), (120, true), (160, true)] {
            let lines = BoardRenderer(state, columns: columns, rows: 45).lines
            #expect(lines.allSatisfy { $0.columns == columns })
            #expect(lines[1].plain.contains(previous) == isThere)
            #expect(lines[2].plain.contains("370.00") == isThere)
            #expect(lines[2].plain.contains(long) == (columns == 160))
        }
    }

    @Test("E-5 e explains the profit; ? helps") func overlays() throws {
        var state = BoardState(language: .english)
        _ = state.handle(.data(try sampleData()))
        _ = state.handle(.key(.character("e")))
        try golden("explain-en-80", BoardRenderer(state, columns: 80, rows: 24).lines)
        _ = state.handle(.key(.escape))
        _ = state.handle(.key(.character("?")))
        #expect(state.handle(.key(.character(" "))).isEmpty)
        try golden("help-en-80", BoardRenderer(state, columns: 80, rows: 24).lines)
    }

    @Test("every size draws exactly itself", arguments: UInt64(0)..<200) func sizes(seed: UInt64) throws {
        var state = BoardState(language: Language.allCases[Int(seed % 3)])
        if seed % 5 != 0 { _ = state.handle(.data(try sampleData())) }
        let columns = Int(seed &* 7919 % 220)
        let rows = Int(seed &* 104_729 % 70)
        let lines = BoardRenderer(state, columns: columns, rows: rows).lines
        #expect(lines.count == rows)
        #expect(lines.allSatisfy { $0.spans.reduce(0) { $0 + DisplayWidth.columns(of: $1.text) } == columns })
    }

    @Test("E-3 a missing price leaves the total open; control characters of a name never reach the terminal") func honesty() throws {
        var data = try sampleData()
        data.quotes = [:]
        var state = BoardState(language: .english)
        _ = state.handle(.data(data))
        let text = BoardRenderer(state, columns: 80, rows: 24).lines.map(\.plain).joined(separator: "\n")
        #expect(text.contains("HKD — · USD —"))
        #expect(Columns.safe("A\u{1B}[2J\u{9B}B") == "A[2JB")
        #expect(Columns.safe("A\u{200E}\u{202E}B") == "AB")
    }

    @Test("M-2 a language and colours chosen with a key are kept, wherever they are chosen; other keys keep nothing")
    func choices() throws {
        var state = BoardState(language: .english, colours: .redUp)
        func kept(_ key: Key) -> [BoardState.Choice] {
            state.handle(.key(key)).compactMap { effect in
                if case .keep(let choice) = effect { choice } else { nil }
            }
        }
        #expect(kept(.character("L")) == [.language(.simplifiedChinese)] && state.language == .simplifiedChinese)
        #expect(kept(.character("C")) == [.colours(.none)] && state.colours == .none)
        #expect(kept(.character("?")).isEmpty)
        #expect(kept(.character("C")) == [.colours(.greenUp)] && kept(.character("L")) == [.language(.traditionalChinese)])
        #expect(state.overlay == .help)
        for key in [Key.escape, .tab, .character("j"), .character("l")] { #expect(kept(key).isEmpty) }
        _ = state.handle(.unkept(Failure(.connectionLost)))
        #expect(state.notice == .failure(Failure(.connectionLost)))
    }

    @Test("M-2 other colours draw every row anew") func otherColours() {
        var ansi = Ansi(colours: .redUp)
        let line = Line([Span("1", .up)])
        _ = ansi.frame([line])
        #expect(ansi.frame([line]) == "")
        ansi.colours = .greenUp
        #expect(ansi.frame([line]).hasSuffix("\u{1B}[1;1H\u{1B}[32m1\u{1B}[0m"))
    }

    @Test func colours() {
        var ansi = Ansi(colours: .redUp)
        let line = Line([Span("1", .up), Span("x")])
        #expect(ansi.frame([line]).hasSuffix("\u{1B}[1;1H\u{1B}[31m1\u{1B}[0mx"))
        #expect(ansi.frame([line]) == "")
        #expect(Colours(option: "red-up", environment: ["NO_COLOR": "1"]) == Colours.none)
        #expect(Colours(option: "pink", environment: [:]) == nil)
    }
}

struct BoardKeyTests {
    private func placed(_ effects: [BoardState.Effect]) -> DeskSession.Placement? {
        for case .place(let placement) in effects { return placement }
        return nil
    }

    @Test("design §1 b, Enter, y sends once; anything else sends nothing") func buy() throws {
        var state = BoardState(language: .english)
        _ = state.handle(.data(try sampleData()))
        for key: Key in [.character("b"), .character("+"), .enter] { #expect(placed(state.handle(.key(key))) == nil) }
        let placement = try #require(placed(state.handle(.key(.character("y")))))
        #expect(placement.side == .buy)
        #expect(placement.limit == (try Price("361.60")))
        #expect(placement.quantity == (try Quantity(whole: 200)))
        for key: Key in [.character("y"), .enter, .escape] { #expect(placed(state.handle(.key(key))) == nil) }
        #expect(state.ticket != nil)
        _ = state.handle(.placed(.accepted(orderID: 3)))
        #expect(state.ticket == nil)
    }

    @Test("keys from bytes, whole and in pieces") func decoding() {
        var decoder = KeyDecoder()
        #expect(decoder.feed([0x1B, 0x5B, 0x41] + Array("腾q".utf8)) == [.up, .character("腾"), .character("q")])
        #expect(decoder.feed([0x1B]) == [])
        #expect(decoder.feed([0x5B]) == [])
        #expect(decoder.feed([0x42, 0x03, 0x0D]) == [.down, .interrupt, .enter])
        #expect(decoder.feed([0x1B]) == [])
        #expect(decoder.flush() == [.escape])
        #expect(decoder.feed([0x1B, 0x5B, 0x31, 0x3B, 0x35, 0x41, 0x6A]) == [.character("j")])
        #expect(decoder.feed([0xFF, 0x6A]) == [.character("j")])
    }

    @Test("any keys, any order: no crash, and nothing is placed without y", arguments: UInt64(0)..<200) func keys(seed: UInt64) throws {
        var state = BoardState(language: .english)
        _ = state.handle(.data(try sampleData()))
        var random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        let keys: [Key] = "jkbsmlcn+-[]?eL>".map { .character($0) } + [.up, .down, .left, .right, .enter, .escape, .tab]
        for _ in 0..<200 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let effects = state.handle(.key(keys[Int((random >> 33) % UInt64(keys.count))]))
            #expect(placed(effects) == nil)
        }
    }
}
