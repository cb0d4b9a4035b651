import HTTP
import Messages
import Testing
import Texts
import TradeSession

@testable import causeway

struct CounterBooksTests {
    /// A context whose counters answer with their name, or fail so.
    private func context(_ failures: [TradeCounter: Failure], orders: [Order] = []) -> ClientContext {
        let unused = Failure(ErrorCode("internal"), .init("reason", "not asked in this test"))
        return ClientContext(
            language: .english, catalogue: { nil },
            tradingAccounts: { () throws(Failure) in TradeCounter.allCases.map { .init(id: $0.rawValue, counter: $0) } },
            table: { () throws(Failure) in throw unused }, tradingDay: { () throws(Failure) in throw unused },
            marketTime: { () throws(Failure) in throw unused }, facts: { nil },
            feed: { () throws(Failure) in throw unused }, unfed: { _ throws(Failure) in throw unused },
            snapshot: { _ throws(Failure) in throw unused },
            book: { _, _ throws(Failure) in throw unused }, bars: { _, _, _, _ throws(Failure) in throw unused },
            brokers: { _ throws(Failure) in throw unused },
            ticks: { _, _ throws(Failure) in throw unused }, ranking: { _, _, _, _ throws(Failure) in throw unused },
            watch: { _ throws(Failure) in throw unused }, signedOut: { nil }, rates: { () throws(Failure) in throw unused },
            orders: { account throws(Failure) in
                if let failure = failures[account.counter] { throw failure }
                return orders
            }, fills: { _ throws(Failure) in throw unused },
            positions: { _ throws(Failure) in throw unused },
            funds: { account throws(Failure) in
                if let failure = failures[account.counter] { throw failure }
                return [.init()]
            },
            place: { _, _, _, _, _, _ throws(Failure) in throw unused }, cancel: { _, _ throws(Failure) in throw unused })
    }

    @Test("D-5 one counter that is not logged in hides nothing of the other, is named, and the way in is said") func one() async throws {
        for code in [ErrorCode.tradeNotLoggedIn, .tradeSessionInvalid] {
            let context = context([.futures: Failure(code)])
            let books = try await context.books(context.funds)
            #expect(books.rows.map(\.account.counter) == [.securities])
            #expect(books.leftOut.map(\.counter) == [.futures])
            let line = books.leftOut.lines(in: .english).first ?? ""
            #expect(line.hasPrefix("Without Futures: ") && line.hasSuffix("causeway trade-login futures"))
            let json = books.leftOut.json(in: .english)
            #expect(json.name == "leftOut" && json.value.arrayValue?.first?["error"]?["code"]?.stringValue == code.rawValue)
        }
    }

    @Test("D-5 an order that the counter asked does not have: both are said, the one that lacks it and the one not asked") func order()
        async throws
    {
        var order = Order()
        order.orderID = 7
        let half = context([.futures: Failure(.tradeNotLoggedIn)], orders: [order])
        #expect(try await OrderCommands.find(7, half).1.orderID == 7)
        do {
            _ = try await OrderCommands.find(99, half)
            Issue.record("found")
        } catch let failure as Failure {
            #expect(
                failure.text(in: .english)
                    == "Securities has no such order; Futures is not logged in: causeway trade-login futures")
            #expect(failure.text(in: .simplifiedChinese) == "证券账户没有这笔委托；期货账户未登录：causeway trade-login futures")
        }
        let both = context([:], orders: [order])
        await #expect(throws: Failure(ErrorCode("order.not-found"))) { try await OrderCommands.find(99, both) }
    }

    @Test("D-5 no counter logged in is a failure, and so is anything else of any counter") func all() async throws {
        let none = context([.securities: Failure(.tradeNotLoggedIn), .futures: Failure(.tradeSessionInvalid)])
        await #expect(throws: Failure(.tradeSessionInvalid, .init("counter", "securities|futures"))) { try await none.books(none.funds) }
        let lost = context([.futures: Failure(.connectionLost)])
        await #expect(throws: Failure(.connectionLost)) { try await lost.books(lost.funds) }
        let both = context([:])
        let books = try await both.books(both.funds)
        #expect(books.rows.count == 2 && books.leftOut.isEmpty)
    }
}
