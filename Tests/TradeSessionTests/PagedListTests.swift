import Streams
import Messages
import Testing

@testable import TradeSession

/// C-9: a list in pages is as of one sequence, whatever happens between the pages.
struct PagedListTests {
    /// A trading account that goes on, and what it answers.
    private struct Account {
        var orders: [Order] = []
        var fills: [Fill] = []
        var events: [AccountEvent] = []
        var sequence: UInt64 { UInt64(events.count) }

        mutating func happen(_ random: inout SeededRandom) {
            var event = AccountEvent()
            event.sequence = sequence + 1
            switch random.below(4) {
            case 0:
                var order = Order()
                order.orderID = (orders.last?.orderID ?? 0) + 1 + random.below(3)
                order.sequence = event.sequence
                orders.append(order)
                event.order = order
            case 1 where !orders.isEmpty:
                let place = Int(random.below(UInt64(orders.count)))
                orders[place].filled += 1
                orders[place].sequence = event.sequence
                event.order = orders[place]
            case 2:
                var fill = Fill()
                fill.fillID = (fills.last?.fillID ?? 0) + 1 + random.below(3)
                fill.sequence = event.sequence
                fills.append(fill)
                event.fill = fill
            default: event.funds = FundsReply()
            }
            events.append(event)
        }

        func page<Row: ListRow>(_ rows: [Row], after: UInt64, limit: Int) -> (rows: [Row], sequence: UInt64, more: Bool) {
            let rest = rows.filter { $0.rowID > after }
            return (Array(rest.prefix(limit)), sequence, rest.count > limit)
        }

        func since(_ known: UInt64) -> SinceReply {
            var reply = SinceReply()
            reply.events = events.filter { $0.sequence > known }
            reply.sequence = sequence
            reply.complete = true
            return reply
        }
    }

    private static func gather<Row: ListRow & Hashable>(
        _ account: inout Account, _ rows: (Account) -> [Row], _ random: inout SeededRandom
    ) -> PagedList<Row>? {
        var list = PagedList<Row>()
        var step = PagedList<Row>.Step.askPage(after: 0)
        let limit = Int(1 + random.below(6))
        for _ in 0..<200 {
            for _ in 0..<random.below(4) { account.happen(&random) }
            switch step {
            case .askPage(let after):
                let page = account.page(rows(account), after: after, limit: limit)
                step = list.take(page: page.rows, sequence: page.sequence, more: page.more)
            case .askSince(let known): step = list.take(account.since(known))
            case .done: return list
            case .again, .broken: return nil
            }
        }
        return nil
    }

    @Test(arguments: UInt64(0)..<300) func `pages and what happened between them make one list as of one sequence`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var account = Account()
        for _ in 0..<random.below(60) { account.happen(&random) }
        let orders = try #require(Self.gather(&account, \.orders, &random))
        try Self.check(orders, account, \.orders)
        let fills = try #require(Self.gather(&account, \.fills, &random))
        try Self.check(fills, account, \.fills)
    }

    /// The list is what the account's events up to its sequence say.
    private static func check<Row: ListRow & Hashable>(_ list: PagedList<Row>, _ account: Account, _ rows: (Account) -> [Row]) throws {
        let sequence = try #require(list.sequence)
        var expected: [UInt64: Row] = [:]
        for event in account.events where event.sequence <= sequence {
            if let row = Row.row(of: event) { expected[row.rowID] = row }
        }
        #expect(list.rows == expected.values.sorted { $0.rowID < $1.rowID })
    }

    @Test func `an answer that is not of the list breaks it, one that lacks events begins it anew`() {
        var fill = Fill()
        fill.fillID = 5
        var list = PagedList<Fill>()
        #expect(list.take(page: [fill], sequence: 3, more: true) == .askPage(after: 5))
        var other = list
        #expect(other.take(page: [fill], sequence: 3, more: false) == .broken)
        other = list
        #expect(other.take(page: [], sequence: 3, more: true) == .broken)
        other = list
        #expect(other.take(page: [], sequence: 2, more: false) == .broken)
        #expect(list.take(page: [], sequence: 4, more: false) == .askSince(3))
        var reply = SinceReply()
        reply.sequence = 4
        #expect(list.take(reply) == .again)
        reply.complete = true
        #expect(list.take(reply) == .broken)
    }
}
