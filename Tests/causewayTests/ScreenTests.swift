import Exact
import HTTP
import Instruments
import Markets
import Messages
import Streams
import Testing
import Texts

@testable import causeway

private let tencent = Instrument(
    id: InstrumentID(1), market: .xhkg, code: "00700", symbol: "700.HK", kind: .stock, currency: .hkd,
    names: .init(english: "Tencent Holdings Limited", simplified: "腾讯控股", traditional: "騰訊控股"), lot: Quantity(units: 10_000_000_000),
    multiplier: 1, decimals: 3, tickTable: "HK-A")

struct TableTests {
    @Test("H-2 names are cut to the terminal's columns, Chinese ones by their width; without a terminal nothing is") func cutting() {
        var table = Table(in: .english, (.fieldSymbol, .left), (.fieldName, .left), (.fieldMarket, .left))
        table.cutting = 1
        table.rows = [["700.HK", "腾讯控股有限公司腾讯控股有限公司", "XHKG"], ["AAPL.US", String(repeating: "n", count: 160), "XNAS"]]
        #expect(table.lines(within: 40).allSatisfy { DisplayWidth.columns(of: $0) <= 40 })
        #expect(table.lines(within: 40)[1] == "700.HK   腾讯控股有限公司腾讯控…  XHKG")
        #expect(table.lines(within: 40)[2].hasSuffix("n…  XNAS"))
        #expect(table.lines(within: nil)[2].count > 160)
        #expect(table.lines(within: 5).count == 3)
    }

    @Test("Q-3 a table too wide for the terminal moves its last columns below each row") func folds() {
        var table = Table(in: .simplifiedChinese, folding: 2, (.fieldSymbol, .left), (.fieldLast, .right), (.fieldName, .left))
        table.rows = [["700.HK", "367.60", "腾讯控股"], ["9988.HK", "98.10", ""]]
        #expect(table.lines == ["代码       最新  名称", "700.HK   367.60  腾讯控股", "9988.HK   98.10"])
        #expect(table.lines(within: 26) == table.lines)
        #expect(table.lines(within: 24) == ["代码       最新", "  名称", "700.HK   367.60", "  腾讯控股", "9988.HK   98.10"])
    }
}

struct BarTableTests {
    private func bar(_ day: Int32, recorded: Int32, _ close: Int64, _ provenance: Provenance = .recorded) -> Bar {
        var bar = Bar()
        bar.period = .day
        bar.tradingDay = day
        bar.open = 366_000_000_000
        bar.high = 446_400_000_000
        bar.low = 9_950_000_000
        bar.close = close
        bar.volume = 958_939_300_000_000
        bar.provenance = provenance
        bar.recordedOn = recorded
        return bar
    }

    @Test("C-8 day bars show the trading day, even decimals, their source, and where two recordings meet") func days() {
        let bars = [
            bar(20_261_125, recorded: 20_211_231, 442_000_000_000), bar(20_261_126, recorded: 20_220_411, 353_600_000_000),
            bar(20_261_127, recorded: 20_220_412, 366_400_000_000),
        ]
        let lines = BarTable(bars: bars, instrument: tencent, calendar: nil, language: .english).lines(within: nil)
        #expect(
            lines == [
                "700.HK  Tencent Holdings Limited",
                "Date           Open     High    Low    Close     Volume  Source",
                "2026-11-25  366.000  446.400  9.950  442.000  9,589,393  Recorded 2021-12-31",
                "── recorded 2021-12-31, then 2022-04-11: prices do not join",
                "2026-11-26  366.000  446.400  9.950  353.600  9,589,393  Recorded 2022-04-11",
                "2026-11-27  366.000  446.400  9.950  366.400  9,589,393  Recorded 2022-04-12",
            ])
        #expect(lines.allSatisfy { DisplayWidth.columns(of: $0) <= 80 })
        let narrow = BarTable(bars: bars, instrument: tencent, calendar: nil, language: .simplifiedChinese).lines(within: 60)
        #expect(narrow.count == 10 && narrow.allSatisfy { DisplayWidth.columns(of: $0) <= 60 })
        #expect(narrow[5] == "── 录制于 2021-12-31，其后为 2022-04-11：价格不相连")
    }

    @Test("C-8 a day left out of a recording is marked, a holiday is not; CSV says where each bar comes from") func gaps() throws {
        let bars = [
            bar(20_261_125, recorded: 20_220_404, 1), bar(20_261_126, recorded: 20_220_406, 1), bar(20_261_127, recorded: 20_220_408, 1),
            bar(20_261_130, recorded: 0, 1, .simulated),
        ]
        let calendar = try MarketFacts(DataFolder.locate()).calendar
        let table = BarTable(bars: bars, instrument: tencent, calendar: calendar, language: .english)
        let marks = table.lines(within: nil).filter { $0.hasPrefix("──") }
        #expect(
            marks == [
                "── recorded 2022-04-06, then 2022-04-08: prices do not join", "── recorded 2022-04-08, then Simulated: prices do not join",
            ])
        #expect(table.csv.first == "time,open,high,low,close,volume,source,recorded_on,adjustment,partial" && table.csv.count == 5)
        #expect(table.csv[1].hasSuffix(",366,446.4,9.95,0.000000001,9589393,recorded,2022-04-04,none,false"))
        #expect(table.csv[4].hasSuffix(",simulated,,none,false"))
    }

    @Test("C-8 no bars before the opening: when it opens, by the exchange's clock; nothing while it is open") func opening() throws {
        let calendar = try CalendarCommands.shipped().calendar
        let night = try #require(Timestamp.read("2026-11-29T12:00:00Z"))
        let opens = ClientContext.opening(tencent, calendar, at: night)
        #expect(opens == "2026-11-30 09:30 HKT")
        #expect(ClientContext.opening(tencent, calendar, at: try #require(Timestamp.read("2026-11-30T02:00:00Z"))) == nil)
        var table = BarTable(bars: [], instrument: tencent, language: .english)
        table.opens = opens
        #expect(table.lines(within: 80) == ["No bars", "Opens 2026-11-30 09:30 HKT"])
    }

    @Test("C-8 one source is said once; recorded and simulated bars do not join; no bars") func sources() {
        let one = BarTable(
            bars: [bar(20_261_130, recorded: 20_220_413, 1, .derived)], instrument: tencent, calendar: nil, language: .english)
        #expect(one.lines(within: nil).first == "700.HK  Tencent Holdings Limited  Derived from 2022-04-13 bars")
        let mixed = [bar(20_261_127, recorded: 20_220_412, 1), bar(20_261_130, recorded: 0, 1, .simulated)]
        #expect(
            BarTable(bars: mixed, instrument: tencent, calendar: nil, language: .english).lines(within: nil)
                .contains("── recorded 2022-04-12, then Simulated: prices do not join"))
        #expect(BarTable(bars: [], instrument: tencent, calendar: nil, language: .english).lines(within: nil) == ["No bars"])
    }
}

struct BookScreenTests {
    @Test("C-8 Q-4 a closed market has an empty book that says so, with its source and the next opening") func closed() {
        var quote = Quote()
        quote.provenance = .derived
        quote.recordedOn = 20_220_413
        quote.phase = .closed
        // 2026-12-01T01:30:00Z
        let opens = MarketInstant(nanoseconds: 1_796_088_600_000_000_000)
        var screen = BookScreen(
            instrument: tencent, book: nil, quote: quote, standing: .closed(.closed, opens: opens), depth: 10, language: .english)
        #expect(screen.lines == ["700.HK  Derived from 2022-04-13 bars", "Closed", "Opens 2026-12-01 09:30 HKT"])
        let json = screen.json
        #expect(json["state"]?.stringValue == "closed")
        #expect(json["opens"]?.stringValue == "2026-12-01T09:30:00+08:00")
        #expect(json["time"] == .null)
        #expect(json["bids"]?.arrayValue == [] && json["source"]?["recordedOn"]?.stringValue == "2022-04-13")
        screen.standing = .untraded
        #expect(screen.lines == ["700.HK  Derived from 2022-04-13 bars", "No live book", "No trade yet in this session"])
        screen.standing = .closed(.closed, opens: opens)
        // A book left over from the session before is not shown as if one could trade on it.
        var level = BookLevel()
        level.price = 367_600_000_000
        level.size = 100_000_000
        var book = Book()
        book.bids = [level]
        screen.book = book
        #expect(screen.lines.count == 3 && screen.json["bids"]?.arrayValue == [])
        screen.standing = .live
        #expect(screen.lines.count == 3 && screen.json["bids"]?.arrayValue?.count == 1)
        screen.book = nil
        #expect(screen.lines.last == "Nothing in the book")
    }
}

struct OrderTableTests {
    private var rejected: Order {
        var order = Order()
        order.orderID = 4
        order.instrument = 1
        order.side = .buy
        order.type = .market
        order.quantity = 10_000_000_000
        order.status = .rejected
        order.reason.code = "market.closed"
        var opens = Argument()
        opens.name = "opens"
        opens.value = "2026-12-01 09:30 HKT"
        order.reason.arguments = [opens]
        // 2026-11-30T09:00:05Z
        order.placedNs = 1_796_029_205_000_000_000
        return order
    }

    @Test("N-2 orders say when they were placed, with the date, and why they ended; within 80 columns") func orders() {
        let instruments = InstrumentTable(version: 1, instruments: [tencent])
        let table = OrderCommands.table([rejected], instruments, .english)
        #expect(
            table.lines(within: 80) == [
                "Order  Time                     Symbol  Side  Filled   Price  Average  Status", "  Reason",
                "    4  2026-11-30 17:00:05 HKT  700.HK  Buy    0/100  market        —  Rejected",
                "  The market is closed. It opens 2026-12-01 09:30 HKT",
            ])
        #expect(
            OrderCommands.table([rejected], instruments, .simplifiedChinese).lines.last?.hasSuffix("已休市，下次开市 2026-12-01 09:30 HKT") == true)
    }

    @Test("Q-4 the reason of an order is an error as everywhere: code, arguments and a text in the user's language") func reason() {
        let instruments = InstrumentTable(version: 1, instruments: [tencent])
        let reason = TradeJSON.order(rejected, instruments, .simplifiedChinese)["reason"]
        #expect(reason?["code"]?.stringValue == "market.closed")
        #expect(reason?["args"]?["opens"]?.stringValue == "2026-12-01 09:30 HKT")
        #expect(reason?["text"]?.stringValue == "已休市，下次开市 2026-12-01 09:30 HKT")
        var working = rejected
        working.clearReason()
        #expect(TradeJSON.order(working, instruments, .english)["reason"] == .null)
    }

    @Test("N-3 fills have a date") func fills() {
        var fill = Fill()
        fill.orderID = 4
        fill.instrument = 1
        fill.side = .sell
        fill.quantity = 10_000_000_000
        fill.price = 367_600_000_000
        fill.currency = "HKD"
        fill.timeNs = rejected.placedNs
        let instruments = InstrumentTable(version: 1, instruments: [tencent])
        #expect(
            AccountCommands.table([fill], instruments, .english).lines(within: 80).last
                == "    4  2026-11-30 17:00:05 HKT  700.HK  Sell       100  367.60  0.00  HKD")
    }
}
