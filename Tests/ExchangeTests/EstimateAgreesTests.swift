import Exact
import Instruments
import Messages
import Portfolio
import Streams
import Testing
import Texts
import Trade

@testable import Exchange

/// The ticket's estimate and the exchange's check are two pieces of code over one rule: here they must say the same.
struct EstimateAgreesTests {
    typealias F = Fixture
    private static let shared = Result { try F.rules() }

    @Test("N-4 the estimate names what the exchange asks for and leaves", arguments: UInt64(0)..<200) func agrees(seed: UInt64) throws {
        let rules = try Self.shared.get()
        var books = try F.books(rules)
        _ = books.show(
            F.book(bids: [(399 * F.one, 100_000)], asks: [(401 * F.one, 300), (402 * F.one, 5_000)], at: F.at(10)), at: F.at(10))
        _ = books.trade(F.tick(400 * F.one, 100, at: F.at(10)), at: F.at(10))
        var dice = SeededRandom(seed: seed)
        func next(_ bound: Int) -> Int64 { Int64(dice.below(bound)) }
        var compared = 0
        for number in 1...30 as ClosedRange<UInt64> {
            let isFuture = next(2) == 0
            let account = isFuture ? "F" : "S"
            let side: OrderSide = next(3) == 0 ? .sell : .buy
            let limit: Int64? = isFuture ? (20_000 + next(9000)) * F.one : next(4) == 0 ? nil : (390 + next(20)) * F.one
            let quantity = isFuture ? 1 + next(6) : 100 * (1 + next(12))
            let command = F.order(number, side, quantity, at: limit, of: isFuture ? F.hsi : F.tencent, account: account)
            let instrument = try #require(rules.facts.instruments[InstrumentID(command.instrument)])
            let book = try #require(books.accounts[account])
            let day = try rules.facts.calendar.tradingDay(instrument.calendar, at: F.at(10))
            let means = TradingMeans(
                funds: book.funds(rules.facts.instruments),
                floatingLoss: ProfitAndLoss.floatingLoss(
                    Array(book.positions.values), in: instrument.currency, rules.facts.instruments
                ) { books.feed.lastPrice[$0.rawValue].map { Price(nanos: $0) } }, positions: Array(book.positions.values),
                orders: book.orders.values.map(\.order), fees: rules.fees, day: day)
            let estimate = OrderEstimate(
                instrument, side, command.type, quantity: Quantity(units: command.quantity), limit: limit.map { Price(nanos: $0) },
                book: books.feed.visible[command.instrument]?.book, means: means)
            let result = books.place(command, at: F.at(10)).result
            guard let estimate else {
                #expect(result.failure?.code == .orderNoLiquidity)
                continue
            }
            if let failure = result.failure {
                if failure.code == .orderFunds {
                    #expect(estimate.isShort)
                    #expect(failure.arguments.first { $0.name == "needed" }?.value == estimate.needed?.text(atLeast: 2))
                    #expect(failure.arguments.first { $0.name == "available" }?.value == estimate.available?.text(atLeast: 2))
                    compared += 1
                }
                if failure.code == .orderPosition { #expect(estimate.isShort) }
                continue
            }
            #expect(!estimate.isShort)
            guard result.order?.filled == 0 || command.type == .market, let after = estimate.after, side == .buy || isFuture else {
                continue
            }
            let left = books.accounts[account]?.funds(rules.facts.instruments).first { $0.currency == instrument.currency.code }
            #expect(left?.available == after.micros)
            compared += 1
        }
        #expect(compared > 0)
    }
}
