import Accounts
import Exact
import Feeds
import Instruments
import Messages
import Streams
import Testing

@testable import Alerts

/// F-5: the conditions, one example each way.
@Suite final class AlertBookTests {
    private static let instrument = InstrumentID(7)
    private var book = AlertBook()
    private var sequence: UInt64 = 0

    init() { standing(.continuous) }

    private func standing(_ phase: Phase) { tell(.phase(instrument: Self.instrument, phase), at: 0) }

    @discardableResult
    private func tell(_ body: FeedEvent.Body, at seconds: Int64) -> [AlertNews] {
        sequence += 1
        return book.handle(FeedEvent(sequence: sequence, time: at(seconds), body: body))
    }

    private func at(_ seconds: Int64) -> MarketInstant { MarketInstant(nanoseconds: seconds * 1_000_000_000) }

    private func quote(at seconds: Int64, _ change: (inout Quote) -> Void) -> [AlertNews] {
        var quote = Quote()
        quote.instrument = Self.instrument.rawValue
        quote.timeNs = seconds * 1_000_000_000
        quote.provenance = .derived
        change(&quote)
        return tell(.quote(quote), at: seconds)
    }

    private func last(_ price: String, at seconds: Int64) throws -> [Int64] {
        let price = try Price(price).nanos
        return fired(quote(at: seconds) { $0.last = price })
    }

    private func add(
        _ id: Int64, _ condition: AlertCondition, _ value: String, repeats: Bool = false, since: Int64 = 0, account: String = "a",
        previousClose: String? = "100", phase: Phase = .continuous
    ) throws {
        let close = try previousClose.map { try Price($0).nanos }
        book.add(
            Alert(
                id: id, account: account, symbol: "7.HK", instrument: Self.instrument, condition: condition,
                threshold: try condition.threshold(value), repeats: repeats, since: at(since)),
            standing: AlertStanding(phase: phase, previousClose: close, tradingDay: 20_261_130))
    }

    private func fired(_ news: [AlertNews]) -> [Int64] {
        news.compactMap { if case .fired(let alert, _, _, _) = $0 { alert.id } else { nil } }
    }

    @Test("A last price fires at its threshold and beyond, not short of it, and once")
    func lastPrice() throws {
        try add(1, .above, "450")
        try add(2, .below, "440")
        #expect(try last("449.8", at: 1) == [])
        #expect(try last("440.2", at: 2) == [])
        #expect(try last("450", at: 3) == [1])
        #expect(try last("440", at: 4) == [2])
        #expect(try last("460", at: 5) == [])
        #expect(book.alerts(of: "a") == [])
    }

    @Test("A price that is beyond already fires with the next update; what was told up to the alert does not count")
    func beyondAlready() throws {
        try add(1, .above, "450", since: 10)
        #expect(try last("460", at: 10) == [])
        #expect(try last("460", at: 11) == [1])
    }

    @Test("F-9: only figures of the update itself count, each at its own time")
    func partial() throws {
        try add(1, .above, "450", since: 10)
        let old = fired(
            quote(at: 20) { quote in
                quote.last = 460_000_000_000
                quote.lastTimeNs = 9_000_000_000
            })
        #expect(old == [])
        #expect(fired(quote(at: 21) { $0.bid = 460_000_000_000 }) == [])
    }

    @Test(
        "A change in percent is exact at its edge",
        arguments: [("104.999999999", false), ("105", true), ("95", true), ("95.000000001", false)])
    func change(price: String, fires: Bool) throws {
        try add(1, .up, "5")
        try add(2, .down, "5")
        #expect(try last(price, at: 1).isEmpty == !fires)
    }

    @Test("A change that no price meets exactly is met by the first price beyond")
    func changeBetweenPrices() throws {
        // A third of 0.03 % of 0.1 is no price: 0.100010000 is, 0.100009999 is not enough.
        try add(1, .up, "0.01", previousClose: "0.099999999")
        #expect(try last("0.100009998", at: 1) == [])
        #expect(try last("0.100009999", at: 2) == [1])
    }

    @Test("A change needs the previous close, follows a new one, and forgets it with its trading day")
    func previousClose() throws {
        try add(1, .up, "5", previousClose: nil)
        #expect(try last("500", at: 1) == [])
        _ = quote(at: 2) { $0.previousClose = 1_000_000_000_000 }
        #expect(try last("1049", at: 3) == [])
        let next = fired(
            quote(at: 4) { quote in
                quote.tradingDay = 20_261_201
                quote.last = 1_060_000_000_000
            })
        #expect(next == [])
        let close = fired(
            quote(at: 5) { quote in
                quote.tradingDay = 20_261_201
                quote.previousClose = 1_000_000_000_000
                quote.last = 1_050_000_000_000
            })
        #expect(close == [1])
    }

    @Test("Volume, bid and ask")
    func otherFigures() throws {
        try add(1, .volume, "20000000")
        try add(2, .bidAbove, "450")
        try add(3, .bidBelow, "440")
        try add(4, .askAbove, "460")
        try add(5, .askBelow, "445")
        #expect(fired(quote(at: 1) { $0.volume = 1_999_999_999_999_999 }) == [])
        #expect(fired(quote(at: 2) { $0.volume = 2_000_000_000_000_000 }) == [1])
        #expect(fired(quote(at: 3) { $0.bid = 450_000_000_000 }) == [2])
        #expect(fired(quote(at: 4) { $0.ask = 445_000_000_000 }) == [5])
        #expect(fired(quote(at: 5) { $0.bid = 439_000_000_000 }) == [3])
        #expect(fired(quote(at: 6) { $0.ask = 461_000_000_000 }) == [4])
    }

    @Test("A side of the book that is empty, or of a phase without a book, fires nothing")
    func emptySide() throws {
        try add(1, .bidBelow, "440")
        let empty = fired(
            quote(at: 1) { quote in
                quote.bid = 1_000_000_000
                quote.bidSize = 0
            })
        #expect(empty == [])
        standing(.auctionNoCancel)
        #expect(fired(quote(at: 2) { $0.bid = 1_000_000_000 }) == [])
        standing(.continuous)
        #expect(fired(quote(at: 3) { $0.bid = 1_000_000_000 }) == [1])
    }

    @Test("Halted, closed, on a break or unknown: nothing fires", arguments: [Phase.halted, .closed, .break, .unspecified])
    func notTrading(phase: Phase) throws {
        try add(1, .above, "450", phase: phase)
        #expect(try last("460", at: 1) == [])
        standing(.continuous)
        #expect(try last("460", at: 2) == [1])
    }

    @Test("A figure that is not of this moment fires nothing, beside the delay its source admits")
    func stale() throws {
        try add(1, .above, "450")
        func told(_ delay: UInt32) -> (inout Quote) -> Void {
            { quote in
                quote.last = 460_000_000_000
                quote.lastTimeNs = 1_000_000_000
                quote.delaySeconds = delay
            }
        }
        #expect(fired(quote(at: 62, told(0))) == [])
        #expect(fired(quote(at: 62, told(900))) == [1])
    }

    @Test("A repeating alert fires again only after its condition was false")
    func repeating() throws {
        try add(1, .above, "450", repeats: true)
        #expect(try last("451", at: 1) == [1])
        #expect(try last("452", at: 2) == [])
        #expect(book[1]?.isArmed == false)
        #expect(try last("449", at: 3) == [])
        #expect(book[1]?.isArmed == true)
        #expect(try last("450", at: 4) == [1])
        #expect(book.alerts(of: "a").map(\.id) == [1])
    }

    @Test("What is told again after a restart fires nothing again")
    func toldAgain() throws {
        try add(1, .above, "450", repeats: true)
        #expect(try last("451", at: 5) == [1])
        #expect(try last("449", at: 4) == [])
        #expect(book[1]?.isArmed == false)
        #expect(try last("451", at: 5) == [])
        #expect(try last("449", at: 6) == [])
        #expect(try last("451", at: 7) == [1])
    }

    @Test("An alert whose instrument is gone is listed and silent; one of another account cannot be removed")
    func gone() throws {
        book.add(
            Alert(
                id: 9, account: "a", symbol: "OLD.US", instrument: nil, condition: .above, threshold: 1, repeats: false, since: at(0)))
        #expect(try last("460", at: 1) == [])
        #expect(book.alerts(of: "a").map(\.symbol) == ["OLD.US"])
        let removed = (by: book.remove(9, of: "b"), owner: book.remove(9, of: "a"))
        #expect(removed == (false, true))
        #expect(book.count(of: "a") == 0)
    }

    @Test("A value is a number above zero that its condition can have")
    func values() throws {
        for text in ["0", "-1", "", "abc", "1e3", "99999999999", "0.0000000001"] {
            #expect(throws: (any Error).self, "\(text)") { try AlertCondition.above.threshold(text) }
        }
        #expect(throws: (any Error).self) { try AlertCondition.down.threshold("100.1") }
        #expect(try AlertCondition.down.threshold("100") == 100_000_000_000)
        #expect(try AlertCondition.volume.text(threshold: AlertCondition.volume.threshold("20000000")) == "20000000")
    }
}
