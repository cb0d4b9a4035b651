import Exact
import Instruments
import Messages
import Portfolio
import Streams
import Testing
import Texts

@testable import Markets

private let tencent = Instrument(
    id: InstrumentID(1), market: .xhkg, code: "00700", symbol: "700.HK", kind: .stock, currency: .hkd,
    names: .init(english: "TENCENT", simplified: "腾讯控股", traditional: ""), lot: Quantity(units: 10_000_000_000), multiplier: 1, decimals: 2,
    tickTable: "A", listedFrom: nil, listedTo: nil, future: nil, successor: nil)

struct QuoteRowTests {
    private func quote(last: Int64?, previous: Int64?) -> Quote {
        var quote = Quote()
        if let last { quote.last = last }
        if let previous { quote.previousClose = previous }
        quote.phase = .continuous
        quote.provenance = .derived
        quote.recordedOn = 20_220_411
        quote.timeNs = 0
        return quote
    }

    @Test("F-6 a row says price, change, source and how old it is") func row() {
        let row = QuoteRow(
            tencent, quote(last: 361_400_000_000, previous: 370_000_000_000), .live, now: MarketInstant(nanoseconds: 300_000_000_000),
            in: .traditionalChinese)
        #expect([row.last, row.change, row.percent, row.volume] == ["361.40", "\u{2212}8.60", "\u{2212}2.32%", "—"])
        #expect(row.name == "腾讯控股")
        #expect(row.direction == .down)
        #expect(row.source.words(in: .english) == "Derived from 2022-04-11 bars")
        #expect(row.age == .seconds(300))
    }

    @Test("F-6 a live row says what its feed has at most, a delayed one by how much") func level() {
        var live = quote(last: 361_400_000_000, previous: nil)
        (live.provenance, live.recordedOn, live.level) = (.live, 0, .last)
        func source() -> String {
            QuoteRow(tencent, live, .live, now: MarketInstant(nanoseconds: 0), in: .english).source.words(in: .english)
        }
        #expect(source() == "Live, last price only")
        live.level = .depth
        #expect(source() == "Live")
        (live.provenance, live.delaySeconds) = (.delayed, 900)
        #expect(source() == "Delayed 15 min")
    }

    @Test("C-6 what is missing is —, never 0; a finer price is not hidden") func missing() {
        let now = MarketInstant(nanoseconds: 0)
        let none = QuoteRow(tencent, nil, .live, now: now, in: .english)
        #expect([none.last, none.change, none.percent] == ["—", "—", "—"])
        #expect(none.direction == .unknown)
        // No trade of the day yet: the close before it is not called the last price.
        let before = QuoteRow(tencent, quote(last: nil, previous: 370_000_000_000), .live, now: now, in: .english)
        #expect([before.last, before.change, before.previous] == ["—", "—", "370.00"])
        #expect(QuoteRow(tencent, quote(last: 9_995_000_000, previous: 0), .live, now: now, in: .english).last == "9.995")
        #expect(QuoteRow(tencent, quote(last: 1_000_000_000, previous: 0), .live, now: now, in: .english).percent == "—")
    }

    @Test("C-6 F-7 of a session without a recording there is no price, only the close before it") func unrecorded() {
        var told = quote(last: 361_400_000_000, previous: 370_000_000_000)
        told.volume = 100_000_000_000
        told.bid = 361_200_000_000
        let row = QuoteRow(
            tencent, told, .unrecorded(opens: nil), now: MarketInstant(nanoseconds: 300_000_000_000), in: .english)
        #expect([row.last, row.change, row.percent, row.volume, row.previous] == ["—", "—", "—", "—", "361.40"])
        #expect(row.phase == .boardUnrecorded && row.source == .provenanceUnrecorded && row.age == nil && row.direction == .unknown)
        #expect(!told.shown(in: .unrecorded(opens: nil)).hasBid && told.shown(in: .live) == told)
    }

    @Test("design §2 the ladder keeps its rows, shows own size and says when it is simulated") func ladder() {
        var book = Book()
        var level = BookLevel()
        level.price = 361_400_000_000
        level.size = 1_250_000_000_000
        level.orders = 3
        book.bids = [level]
        book.provenance = .simulated
        var order = Order()
        order.side = .buy
        order.status = .working
        order.limit = level.price
        order.quantity = 20_000_000_000
        let ladder = BookLadder(book, of: tencent, depth: 10, mine: [order], in: .english)
        #expect(ladder.rows.count == 10)
        #expect(ladder.rows[0].bid == .init(price: "361.40", size: "12.5K", orders: "3", mine: "200"))
        #expect(ladder.rows[0].ask == nil)
        #expect(ladder.isSimulated)
    }
}
