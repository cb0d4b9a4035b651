import Exact
import Feeds
import Instruments
import Messages
import Streams
import Testing
import Texts

@testable import Exchange

/// Halts, and which kinds of order a market takes (N-2, Q-6).
struct HaltTests {
    typealias F = Fixture
    let rules: ExchangeRules
    init() throws { rules = try F.rules() }

    private func tell(_ books: inout Books, _ phase: Phase, of instrument: UInt32 = F.tencent) {
        books.feed.take(.phase(instrument: InstrumentID(instrument), phase))
    }

    @Test func inAHaltNothingIsTakenAndNothingFills() throws {  // N-2, Q-6
        var books = try F.books(rules)
        let before = F.book(bids: [(400 * F.one, 1000)], asks: [(400_200_000_000, 300)], at: F.at(10))
        _ = books.show(before, at: F.at(10))
        let resting = try #require(books.place(F.order(1, .buy, 200, at: 400 * F.one), at: F.at(10, 0, 1)).result.order)
        tell(&books, .halted)
        for (number, limit) in [(UInt64(2), 400 * F.one), (3, nil)] {
            let refused = books.place(F.order(number, .buy, 100, at: limit), at: F.at(10, 0, 2)).result
            #expect(refused.failure == Failure(.marketHalted, .init("symbol", "700.HK")))
        }
        // Another instrument trades on.
        #expect(books.place(F.order(4, .buy, 1, at: 22_000 * F.one, of: F.hsi, account: "F"), at: F.at(10, 0, 2)).result.failure == nil)
        // What is told in a halt is no trade with anybody here.
        #expect(books.trade(F.tick(399 * F.one, 5000, at: F.at(10, 0, 3)), at: F.at(10, 0, 3)) == nil)
        let crossing = F.book(bids: [(398 * F.one, 100)], asks: [(399 * F.one, 900)], at: F.at(10, 0, 4))
        #expect(books.show(crossing, at: F.at(10, 0, 4)) == nil)
        #expect(books.accounts["S"]?.orders[resting.orderID]?.order.status == .working)
        // It may go, or stay and fill when trading goes on.
        _ = books.place(F.order(5, .buy, 100, at: 399 * F.one), at: F.at(10, 0, 5))
        tell(&books, .continuous)
        _ = books.trade(F.tick(399 * F.one, 5000, at: F.at(10, 0, 6)), at: F.at(10, 0, 6))
        #expect(books.accounts["S"]?.orders[resting.orderID]?.order.status == .filled)
        #expect(books.place(F.order(6, .buy, 100, at: 398 * F.one), at: F.at(10, 0, 7)).result.failure == nil)
    }

    @Test func anOrderMayBeCancelledInAHalt() throws {  // N-2
        var books = try F.books(rules)
        let resting = try #require(books.place(F.order(1, .buy, 200, at: 400 * F.one), at: F.at(10)).result.order)
        tell(&books, .halted)
        #expect(books.cancel(F.cancel(2, resting.orderID), at: F.at(10, 0, 1)).result.failure == nil)
        #expect(books.accounts["S"]?.orders[resting.orderID]?.order.status == .cancelled)
    }

    @Test(
        arguments: [
            (F.tencent, "S", 10, TimeInForce.fok, "limit-fok"), (F.tencent, "S", 10, .ioc, nil), (F.tencent, "S", 10, .day, nil),
            (F.hsi, "F", 10, .fok, nil), (F.apple, "S", 23, .fok, nil),
        ] as [(UInt32, String, Int, TimeInForce, String?)])
    func aMarketTakesWhatItsTableSays(instrument: UInt32, account: String, hour: Int, tif: TimeInForce, kind: String?) throws {  // N-2
        var books = try F.books(rules)
        let price: Int64 = instrument == F.hsi ? 23_000 : instrument == F.apple ? 250 : 400
        _ = books.show(
            F.book(bids: [((price - 1) * F.one, 1000)], asks: [(price * F.one, 1000)], of: instrument, at: F.at(hour)), at: F.at(hour))
        let quantity: Int64 = instrument == F.tencent ? 100 : 1
        let result = books.place(
            F.order(1, .buy, quantity, at: price * F.one, of: instrument, tif, account: account), at: F.at(hour, 0, 1)
        ).result
        let refusal = kind.map { Failure(.orderKindNotTaken, .init("market", "XHKG"), .init("kind", $0)) }
        #expect(result.failure == refusal)
        #expect(
            books.place(F.order(2, .buy, quantity, at: nil, of: instrument, account: account), at: F.at(hour, 0, 2)).result.failure == nil)
    }

    @Test func aMarketTheTableDoesNotTellOfTakesNothing() throws {  // N-2
        var facts = rules.facts
        facts.orderTypes = try OrderTypeTable(
            CSVTable(text: OrderTypeTable.columns.joined(separator: ",") + "\n", file: "order-types.csv", required: OrderTypeTable.columns))
        var books = try F.books(ExchangeRules(facts: facts, fees: rules.fees))
        let refused = books.place(F.order(1, .buy, 100, at: 400 * F.one), at: F.at(10)).result
        #expect(refused.failure == Failure(.orderKindNotTaken, .init("market", "XHKG"), .init("kind", "limit-day")))
    }

    @Test func everyMarketThatTradesTakesLimitOrders() throws {  // N-2
        for instrument in rules.facts.instruments.all where instrument.isTradable {
            #expect(rules.kinds(instrument.market, .continuous).isSuperset(of: [.limitDay, .limitIOC, .market]), "\(instrument.symbol)")
            #expect(rules.kinds(instrument.market, .auctionInput).isEmpty)
        }
        #expect(rules.kinds(.xhkf, .night).contains(.limitDay) && rules.kinds(.xhkg, .night).isEmpty)
    }
}
