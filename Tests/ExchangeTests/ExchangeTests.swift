import Diagnostics
import Exact
import Feeds
import Foundation
import Instruments
import Journal
import Messages
import Streams
import Testing
import Texts
import WireCodec

@testable import Exchange

struct ExchangeTests {
    typealias F = Fixture
    let rules: ExchangeRules
    init() throws { rules = try F.rules() }

    @Test func hongKongFeesRoundItemByItem() throws {  // N-4, hk-fee vectors
        let tencent = try #require(rules.facts.instruments[InstrumentID(F.tencent)])
        let day = try #require(TradingDay(year: 2025, month: 8, day: 5))
        let rows: [(Int64, [Int64])] = [
            (51_250_000_000, [52_000_000, 1_380_000, 80_000, 2_900_000, 2_150_000]), (990_000, [1_000_000, 0, 0, 0, 0]),
            (123_456_780_000, [124_000_000, 3_330_000, 190_000, 6_980_000, 5_190_000]),
        ]
        for (consideration, expected) in rows {
            let items = rules.fees.items(tencent, .buy, consideration: consideration, quantity: F.share, on: day)
            #expect(items.map(\.amount) == expected)
        }
        let before = try #require(TradingDay(year: 2025, month: 6, day: 27))
        #expect(rules.fees.total(tencent, .buy, consideration: 5_000_000_000_000, quantity: F.share, on: before) == 5_525_000_000)
    }

    @Test func marketablePartTakesTheBookAndTheRestWaitsInTheQueue() throws {  // N-3, docs/fill-model.md example 1
        var books = try F.books(rules)
        _ = books.show(
            F.book(bids: [(400 * F.one, 1000)], asks: [(400_200_000_000, 300), (400_400_000_000, 500)], at: F.at(10)), at: F.at(10))
        let placed = books.place(F.order(1, .buy, 500, at: 400_200_000_000), at: F.at(10, 0, 1))
        #expect(placed.result.order?.status == .partiallyFilled)
        #expect(placed.result.order?.filled == 300 * F.share)
        #expect(placed.record?.visible.asks.first?.size == 300 * F.share)
        // Nothing stands before it at 400.2: the first seller who trades there fills it.
        _ = books.show(F.book(bids: [(400_200_000_000, 100)], asks: [(400_400_000_000, 500)], at: F.at(10, 0, 2)), at: F.at(10, 0, 2))
        _ = books.trade(F.tick(400_200_000_000, 100, at: F.at(10, 0, 3)), at: F.at(10, 0, 3))
        #expect(books.accounts["S"]?.orders[1]?.order.filled == 400 * F.share)
        _ = books.trade(F.tick(400 * F.one, 1000, at: F.at(10, 0, 4)), at: F.at(10, 0, 4))
        #expect(books.accounts["S"]?.orders[1]?.order.status == .filled)
        #expect(books.accounts["S"]?.positions[F.tencent]?.quantity == 500 * F.share)
        #expect(books.accounts["S"]?.positions[F.tencent]?.cost == 200_100_000_000)
        #expect(books.accounts["S"]?.funds(rules.facts.instruments).first?.held == 0)
    }

    @Test func queueBeforeAnOrderIsServedFirst() throws {  // N-3
        var books = try F.books(rules)
        _ = books.show(F.book(bids: [(400 * F.one, 1000)], asks: [(400_200_000_000, 300)], at: F.at(10)), at: F.at(10))
        _ = books.place(F.order(1, .buy, 200, at: 400 * F.one), at: F.at(10, 0, 1))
        #expect(books.trade(F.tick(400 * F.one, 900, at: F.at(10, 0, 2)), at: F.at(10, 0, 2)) == nil)
        _ = books.trade(F.tick(400 * F.one, 200, at: F.at(10, 0, 3)), at: F.at(10, 0, 3))
        #expect(books.accounts["S"]?.orders[1]?.order.filled == 100 * F.share)
    }

    @Test func checksRefuseWithTheirCodes() throws {  // N-2, attack list
        var books = try F.books(rules)
        _ = books.trade(F.tick(400 * F.one, 100, at: F.at(10)), at: F.at(10))
        var number: UInt64 = 0
        func code(_ command: PlaceOrder, at time: MarketInstant = F.at(10)) -> String? {
            books.place(command, at: time).result.failure?.code.rawValue
        }
        func order(_ side: OrderSide, _ shares: Int64, _ limit: Int64?, _ id: UInt32 = F.tencent, account: String = "S") -> PlaceOrder {
            number += 1
            return F.order(number, side, shares, at: limit, of: id, account: account)
        }
        #expect(code(order(.buy, 150, 400 * F.one)) == "order.lot")
        #expect(code(order(.buy, 100, 400_100_000_000)) == "order.tick")
        #expect(code(order(.buy, 100, 3600 * F.one)) == "order.price-band")
        #expect(code(order(.buy, 0, 400 * F.one)) == "order.size")
        #expect(code(order(.buy, -100, 400 * F.one)) == "order.size")
        #expect(code(order(.buy, 92_000_000_000, 400 * F.one)) == "order.size")
        #expect(code(order(.buy, 100_000, 400 * F.one)) == "order.funds")
        #expect(code(order(.sell, 100, 400 * F.one)) == "order.position")
        #expect(code(order(.buy, 100, nil)) == "order.no-liquidity")
        #expect(code(order(.buy, 100, 0)) == "order.price-band")
        #expect(code(order(.buy, 1, 20_000 * F.one, F.hsi)) == "order.unsupported")
        #expect(code(order(.buy, 9, 25_000 * F.one, F.hsi, account: "F")) == nil)
        #expect(code(order(.buy, 1, 25_000 * F.one, F.hsi, account: "F")) == "order.funds")
        #expect(code(order(.buy, 100, 400 * F.one, 999)) == "symbol.unknown")
        #expect(code(order(.buy, 100, 400 * F.one), at: F.at(12, 30)) == "market.closed")
        #expect(code(order(.buy, 100, 400 * F.one), at: MarketInstant(nanoseconds: F.at(12).nanoseconds - 1)) == nil)
        #expect(code(order(.buy, 100, 400 * F.one), at: F.at(12)) == "market.closed")
        var short = order(.buy, 100, 400 * F.one)
        short.commandID = [1]
        #expect(code(short) == "request.invalid")
    }

    @Test func futuresPricesAreBoundedByTheMarket() throws {  // N-2, attack list
        var books = try F.books(rules)
        var number: UInt64 = 0
        func code(_ points: Int64, _ side: OrderSide = .buy) -> String? {
            number += 1
            return books.place(F.order(number, side, 1, at: points * F.one, of: F.hsi, account: "F"), at: F.at(10)).result.failure?.code
                .rawValue
        }
        // Nothing known yet: only the sign is judged.
        #expect(code(0) == "order.price-band")
        #expect(code(-23_000) == "order.price-band")
        #expect(code(1) == nil)
        var opening = Quote()
        opening.instrument = F.hsi
        opening.previousClose = 23_000 * F.one
        _ = books.quote(opening, at: F.at(10))
        #expect(code(1) == "order.price-band")
        #expect(code(11_500) == nil)
        #expect(code(11_499) == "order.price-band")
        #expect(code(34_500, .sell) == nil)
        #expect(code(34_501, .sell) == "order.price-band")
        // The last price takes over, and the refusal names it.
        _ = books.trade(F.tick(24_000 * F.one, 1, of: F.hsi, at: F.at(10)), at: F.at(10))
        #expect(code(11_500) == "order.price-band")
        let refusal = books.place(F.order(99, .sell, 1, at: 37_000 * F.one, of: F.hsi, account: "F"), at: F.at(10)).result.failure
        #expect(refusal?.arguments.first?.value == "24000")
    }

    /// what a refusal tells is complete, with the product's own decimals and the exchange's own time.
    @Test func refusalsTellWhatToDo() throws {
        var books = try F.books(rules)
        func refusal(_ order: PlaceOrder, at time: MarketInstant = F.at(10)) throws -> [String: String] {
            let failure = try #require(books.place(order, at: time).result.failure)
            return Dictionary(failure.arguments.map { ($0.name, $0.value) }) { first, _ in first }
        }
        #expect(try refusal(F.order(1, .buy, 100, at: 350_100_000_000)) == ["price": "350.10", "below": "350.00", "above": "350.20"])
        let fine = try refusal(F.order(5, .buy, 100, at: 367_600_000_001))
        #expect(fine == ["price": "367.600000001", "below": "367.60", "above": "367.80"])
        #expect(try refusal(F.order(2, .buy, 100, at: 400 * F.one), at: F.at(12))["opens"]?.hasSuffix(" 13:00 HKT") == true)
        #expect(try refusal(F.order(3, .buy, 100, at: 400 * F.one), at: F.at(17))["opens"]?.hasSuffix(" 09:30 HKT") == true)
        let funds = try refusal(F.order(4, .buy, 100_000, at: 400 * F.one))
        #expect(funds["currency"] == "HKD" && funds["needed"]?.hasSuffix(".00") == true && funds["available"] == "1000000.00")
    }

    /// N-3: nobody stands in a book of an earlier session. HSI's evening session has no recording: the feed is silent.
    @Test func aSessionWithoutAFeedFillsNothing() throws {
        var books = try F.books(rules)
        let day = F.book(bids: [(23_000 * F.one, 50)], asks: [(23_001 * F.one, 50)], of: F.hsi, at: F.at(16, 29))
        _ = books.show(day, at: F.at(16, 29))
        func place(_ number: UInt64, _ limit: Int64?, _ tif: TimeInForce = .day, at time: MarketInstant = F.at(18)) -> CommandResult {
            books.place(F.order(number, .buy, 1, at: limit.map { $0 * F.one }, of: F.hsi, tif, account: "F"), at: time).result
        }
        #expect(place(1, nil).failure?.code == .marketNoFeed)
        #expect(place(2, 23_001, .ioc).failure?.code == .marketNoFeed)
        #expect(place(3, 23_001, .fok).failure?.code == .marketNoFeed)
        let waiting = place(4, 23_001).order
        #expect(waiting?.status == .working && waiting?.filled == 0)
        // A restart forgets when it was placed; the old book is told again.
        var restored = Books(rules: rules, snapshot: books.snapshot)
        #expect(restored.show(day, at: F.at(19)) == nil)
        #expect(restored.accounts["F"]?.orders[4]?.order.filled == 0)
        // The first book of the session fills it.
        let night = F.book(bids: [(22_990 * F.one, 50)], asks: [(23_001 * F.one, 50)], of: F.hsi, at: F.at(20))
        #expect(restored.show(night, at: F.at(20)) != nil)
        #expect(restored.accounts["F"]?.orders[4]?.order.status == .filled)
    }

    /// N-3: where a replay holds nothing more, an order would rest for ever: it is refused and says why. Before that it is not.
    @Test func anOrderThatCouldNeverFillIsRefused() throws {
        var replayed = rules
        replayed.feedEnds = [InstrumentID(F.hsi): F.at(16, 30)]
        var books = try F.books(replayed)
        _ = books.show(F.book(bids: [(23_000 * F.one, 50)], asks: [(23_001 * F.one, 50)], of: F.hsi, at: F.at(16)), at: F.at(16))
        #expect(books.place(F.order(1, .buy, 1, at: 22_990 * F.one, of: F.hsi, account: "F"), at: F.at(16, 29)).result.failure == nil)
        for (number, limit) in [(UInt64(2), Int64?(22_990 * F.one)), (3, nil)] {
            let late = books.place(F.order(number, .buy, 1, at: limit, of: F.hsi, account: "F"), at: F.at(18)).result
            #expect(late.failure == Failure(.marketUnrecorded) && late.order?.status == .rejected)
        }
        // Closed is closed, recorded or not; of an instrument without any recording no price ever comes.
        #expect(
            books.place(F.order(4, .buy, 1, at: 22_990 * F.one, of: F.hsi, account: "F"), at: F.at(17)).result.failure?.code
                == .marketClosed)
        #expect(books.place(F.order(5, .buy, 100, at: 400 * F.one), at: F.at(10)).result.failure?.code == .marketUnrecorded)
    }

    /// N-4, E-4: margin that open contracts have lost backs no new one; a gain is not lent; closing is always possible. HKD 1,000,000; the sums
    /// are worked out by hand: (last − 23,001) × contracts × 50.
    @Test func floatingLossBacksNoNewOrder() throws {
        var books = try F.books(rules)
        func show(_ bid: Int64, _ minute: Int) {
            let time = F.at(10, minute)
            _ = books.show(F.book(bids: [(bid * F.one, 50)], asks: [((bid + 1) * F.one, 50)], of: F.hsi, at: time), at: time)
            var tick = F.tick(bid * F.one, 0, at: time)
            tick.instrument = F.hsi
            _ = books.trade(tick, at: time)
        }
        func place(_ number: UInt64, _ side: OrderSide, _ quantity: Int64, _ minute: Int) -> CommandResult {
            books.place(F.order(number, side, quantity, at: nil, of: F.hsi, account: "F"), at: F.at(10, minute)).result
        }
        show(23_000, 0)
        #expect(place(1, .buy, 2, 0).order?.status == .filled)
        let instrument = try #require(rules.facts.instruments[InstrumentID(F.hsi)])
        let margin = try #require(instrument.future?.initialMargin.micros)
        let account = try #require(books.accounts["F"])
        let free = account.available(.hkd, rules.facts.instruments)
        let cash = try #require(account.cash["HKD"])
        #expect(free == cash - 2 * margin)
        #expect(books.floatingLoss(account, .hkd) == -1 * 2 * 50 * 1_000_000 && books.floatingLoss(account, .usd) == 0)
        // As many points down as leave just less than the margin of one contract.
        let points = (free - margin) / (2 * 50 * 1_000_000) + 1
        show(23_001 - points, 1)
        #expect(books.floatingLoss(account, .hkd) == -points * 2 * 50 * 1_000_000)
        let refused = place(2, .buy, 1, 1)
        #expect(refused.failure?.code == .orderFunds)
        let left = Money(micros: free - points * 100_000_000, currency: .hkd).text(atLeast: 2)
        #expect(refused.failure?.arguments.first { $0.name == "available" }?.value == left)
        // Everything lost and more: what closes is taken, what opens is not.
        show(23_001 - free / 100_000_000 - 100, 2)
        #expect(place(3, .buy, 1, 2).failure?.code == .orderFunds)
        #expect(place(4, .sell, 1, 2).order?.status == .filled && place(5, .sell, 1, 2).order?.status == .filled)
        // A gain lends nothing.
        var gaining = try F.books(rules)
        swap(&books, &gaining)
        show(23_000, 0)
        #expect(place(1, .buy, 2, 0).order?.status == .filled)
        show(25_000, 1)
        #expect(try books.floatingLoss(#require(books.accounts["F"]), .hkd) == 0)
    }

    /// N-3: in a break nothing is filled, whatever is told again.
    @Test func aBreakFillsNothing() throws {
        var books = try F.books(rules)
        _ = books.place(F.order(1, .buy, 100, at: 400 * F.one), at: F.at(10))
        let crossing = F.book(bids: [(398 * F.one, 1000)], asks: [(399 * F.one, 1000)], at: F.at(11, 59))
        #expect(books.show(crossing, at: F.at(12, 30)) == nil)
        #expect(books.accounts["S"]?.orders[1]?.order.filled == 0)
        #expect(books.show(crossing, at: F.at(13)) == nil)
        #expect(books.place(F.order(2, .buy, 100, at: 400 * F.one), at: F.at(13)).result.order?.filled == 0)
    }

    @Test func sameCommandGivesTheFirstResult() throws {  // C-4
        var books = try F.books(rules)
        let first = books.place(F.order(1, .buy, 100, at: 400 * F.one), at: F.at(10))
        let again = books.place(F.order(1, .buy, 100, at: 400 * F.one), at: F.at(17))
        #expect(again.record == nil && again.result == first.result)
        let other = books.place(F.order(1, .buy, 200, at: 400 * F.one), at: F.at(10))
        #expect(other.record == nil && other.result.failure?.code == .orderDuplicateContents)
        #expect(books.cancel(F.cancel(1, 1), at: F.at(10)).result.failure?.code == .orderDuplicateContents)
        #expect(books.cancel(F.cancel(2, 1), at: F.at(10)).result.order?.status == .cancelled)
        #expect(books.cancel(F.cancel(2, 1), at: F.at(10)).result.failure == nil)
        #expect(books.cancel(F.cancel(3, 1), at: F.at(10)).result.failure?.code == .orderNotWorking)
        #expect(books.cancel(F.cancel(4, 9), at: F.at(10)).result.failure?.code == .orderUnknown)
    }

    @Test func dayOrdersEndWithTheSession() throws {  // N-2, Q-6
        var books = try F.books(rules)
        _ = books.place(F.order(1, .buy, 100, at: 400 * F.one), at: F.at(10))
        #expect(books.advance(to: MarketInstant(nanoseconds: F.at(16).nanoseconds - 1)) == nil)
        #expect(books.advance(to: F.at(16)) != nil)
        #expect(books.accounts["S"]?.orders[1]?.order.status == .expired)
        #expect(books.accounts["S"]?.funds(rules.facts.instruments).first?.available == 1_000_000_000_000)
    }

    @Test func futuresTurnOverAndRealise() throws {  // E-6, N-4
        var books = try F.books(rules)
        func deal(_ number: UInt64, _ side: OrderSide, _ contracts: Int64, _ points: Int64) {
            let price = points * F.one
            _ = books.show(F.book(bids: [(price, 50)], asks: [(price + F.one, 50)], of: F.hsi, at: F.at(10)), at: F.at(10))
            let limit = side == .buy ? price + F.one : price
            let result = books.place(F.order(number, side, contracts, at: limit, of: F.hsi, account: "F"), at: F.at(10)).result
            #expect(result.order?.status == .filled, "\(String(describing: result.failure))")
        }
        deal(1, .buy, 2, 24_999)  // long 2 at 25000
        deal(2, .sell, 3, 25_100)  // closes 2 at 25100: +10,000; short 1
        let position = books.accounts["F"]?.positions[F.hsi]
        #expect(position?.quantity == -F.share)
        #expect(position?.realised == 10_000_000_000)
        #expect(position?.cost == -1_255_000_000_000)
        #expect(books.accounts["F"]?.cash["HKD"] == Int64(1_009_947_300_000))
        #expect(books.accounts["F"]?.funds(rules.facts.instruments).first?.initialMargin == 103_407_000_000)
    }

    /// Random trading: holds never let available fall below zero, money is conserved, replaying the records makes equal books.
    @Test(arguments: UInt64(0)..<60) func booksKeepTheirInvariants(seed: UInt64) throws {  // N-1, N-5, C-9
        var dice = SeededRandom(seed: seed)
        var books = try F.books(rules)
        var replayed = try F.books(rules)
        var mid: Int64 = 2000
        var now = F.at(10)
        for step in 1..<120 {
            now = now.advanced(by: .seconds(1))
            mid += Int64(dice.below(5)) - 2
            let tick: Int64 = 200_000_000
            var record: JournalRecord?
            switch dice.below(4) {
            case 0:
                let shown = F.book(
                    bids: (1...3).map { ((mid - $0) * tick, Int64(dice.below(9) + 1) * 100) },
                    asks: (1...3).map { ((mid + $0) * tick, Int64(dice.below(9) + 1) * 100) }, at: now)
                record = books.show(shown, at: now)
            case 1: record = books.trade(F.tick((mid + Int64(dice.below(5)) - 2) * tick, Int64(dice.below(20) + 1) * 37, at: now), at: now)
            case 2:
                let limit = dice.below(5) == 0 ? nil : (mid + Int64(dice.below(9)) - 4) * tick
                let tif: TimeInForce = dice.below(4) == 0 ? .ioc : .day
                record =
                    books.place(
                        F.order(UInt64(step), dice.below(2) == 0 ? .buy : .sell, Int64(dice.below(9) + 1) * 100, at: limit, tif), at: now
                    ).record
            default: record = books.cancel(F.cancel(UInt64(step), UInt64(dice.below(step))), at: now).record
            }
            if let record { try replayed.replay(try JournalRecord(serializedBytes: try record.serializedBytes())) }
            let account = try #require(books.accounts["S"])
            for line in account.funds(rules.facts.instruments) { #expect(line.available >= 0) }
            let paid = account.fills.reduce(Int64(0)) { sum, fill in
                let worth = Int64(Int128(fill.price) * Int128(fill.quantity) / 100_000_000_000)
                return sum + (fill.side == .buy ? worth : -worth) + fill.fees.reduce(0) { $0 + $1.amount }
            }
            #expect(account.cash["HKD"] == 1_000_000_000_000 - paid)
            #expect((account.positions[F.tencent]?.quantity ?? 0) >= account.offered(F.tencent))
            #expect(account.recent.map(\.sequence) == Array(1...account.sequence))
        }
        #expect(replayed.snapshot == books.snapshot)
        let restored = Books(rules: rules, snapshot: books.snapshot)
        #expect(restored.snapshot == books.snapshot)
        #expect(restored.owner == books.owner)
    }

    /// Lists come in pages that make the whole; one that is too long for an answer is refused, never cut.
    @Test func listsComeInPages() async throws {  // C-9
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clock = MarketClock { MarketClockReading(time: F.at(10), speedMicros: 0, epoch: 1) }
        let exchange = try Exchange(folder: .live(path: path), rules: rules, clock: clock)
        defer { exchange.stop() }
        try await exchange.openAccount("S", counter: .securities, funds: [Money(micros: 1_000_000_000_000, currency: .hkd)])
        let shown = F.book(bids: [(200 * F.one, 1000)], asks: [(201 * F.one, 3000)], at: F.at(10))
        await exchange.feed([FeedEvent(sequence: 1, time: F.at(10), body: .book(shown))])
        func place(_ numbers: ClosedRange<UInt64>) async {
            for number in numbers { _ = await exchange.place(F.order(number, .buy, 100, at: (number % 50 == 0 ? 201 : 100) * F.one, .ioc)) }
        }
        await place(1...1000)
        var orders = OrdersQuery()
        orders.tradingAccount = "S"
        var fills = FillsQuery()
        fills.tradingAccount = "S"
        #expect(try await exchange.orders(orders).orders.count == 1000)
        await place(1001...1300)
        await #expect(throws: Failure(.requestTooLarge)) { try await exchange.orders(orders) }
        let whole = try await exchange.orders("S").orders
        #expect(whole.map(\.orderID) == Array(1...1300))
        orders.limit = 10_000
        var gathered: [Order] = []
        var more = true
        while more {
            let page = try await exchange.orders(orders)
            #expect(page.orders.count <= 500)
            gathered += page.orders
            orders.after = page.orders.last?.orderID ?? 0
            more = page.more
        }
        #expect(gathered == whole)
        fills.limit = 10
        var filled: [Fill] = []
        more = true
        while more {
            let page = try await exchange.fills(fills)
            filled += page.fills
            fills.after = page.fills.last?.fillID ?? 0
            more = page.more
        }
        #expect(filled == (try await exchange.fills("S").fills) && filled.count == 26)
        fills = FillsQuery()
        fills.tradingAccount = "S"
        fills.orderID = 100
        #expect(try await exchange.fills(fills).fills.map(\.orderID) == [100])
        fills.sinceSequence = filled[5].sequence
        fills.orderID = 0
        #expect(try await exchange.fills(fills).fills == Array(filled[6...]))
        await place(1301...2200)
        // Too many events for one answer: nothing is told rather than a part.
        let all = try await exchange.since("S", 0)
        #expect(!all.complete && all.events.isEmpty)
        let few = try await exchange.since("S", all.sequence - 2000)
        #expect(few.complete && few.events.count == 2000)
    }

    @Test(arguments: [UInt64(3), UInt64.max - 1, UInt64.max]) func sinceBeyondTheBooksIsNotComplete(sequence: UInt64) async throws {  // C-9
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clock = MarketClock { MarketClockReading(time: F.at(10), speedMicros: 0, epoch: 1) }
        let exchange = try Exchange(folder: .live(path: path), rules: rules, clock: clock)
        defer { exchange.stop() }
        try await exchange.openAccount("S", counter: .securities, funds: [Money(micros: 1_000_000_000_000, currency: .hkd)])
        let all = try await exchange.since("S", 1)
        #expect(all.complete && all.events.isEmpty && all.sequence == 1)
        let beyond = try await exchange.since("S", sequence)
        #expect(!beyond.complete && beyond.events.isEmpty && beyond.sequence == 1)
    }

    @Test func aRecordThatMixesAccountsIsRefused() throws {  // N-5
        var books = try F.books(rules)
        var record = try #require(books.place(F.order(1, .buy, 100, at: 400 * F.one), at: F.at(10)).record)
        var replayed = try F.books(rules)
        var order = record.changes[0].event.order
        order.tradingAccount = "elsewhere"
        record.changes[0].event.order = order
        #expect(throws: ReplayFault.self) { try replayed.replay(record) }
    }

    private func temporary() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("causeway-exchange-\(UUID().uuidString)").path
    }

    @Test(arguments: [true, false]) func restartGivesTheSameBooks(snapshot: Bool) async throws {  // N-5, C-9
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clock = MarketClock { MarketClockReading(time: F.at(10), speedMicros: 0, epoch: 1) }
        let exchange = try Exchange(folder: .live(path: path), rules: rules, clock: clock)
        try await exchange.openAccount("S", counter: .securities, funds: [Money(micros: 1_000_000_000_000, currency: .hkd)])
        let shown = F.book(bids: [(400 * F.one, 1000)], asks: [(400_200_000_000, 300)], at: F.at(10))
        await exchange.feed([FeedEvent(sequence: 1, time: F.at(10), body: .book(shown))])
        let result = await exchange.place(F.order(1, .buy, 500, at: 400_200_000_000))
        #expect(result.order?.filled == 300 * F.share)
        let before = try exchange.canonicalBytes()
        if snapshot { exchange.stop() }
        let contents = try ExchangeContents(folder: .live(path: path), rules: rules)
        #expect(contents.last == F.at(10))
        let again = try Exchange(contents, clock: clock)
        #expect(try again.canonicalBytes() == before)
        #expect(try await again.sequence("S") == result.sequence)
        #expect(await again.place(F.order(1, .buy, 500, at: 400_200_000_000)) == result)
        let since = try await again.since("S", 1)
        #expect(since.complete && since.events.map(\.sequence) == Array(2...result.sequence))
        await #expect(throws: Failure.self) { try await again.funds("T") }
    }

    @Test(arguments: [1, 40]) func aCutJournalIsRefused(bytes: Int) async throws {  // N-5
        let path = temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let clock = MarketClock { MarketClockReading(time: F.at(10), speedMicros: 0, epoch: 1) }
        let exchange = try Exchange(folder: .live(path: path), rules: rules, clock: clock)
        try await exchange.openAccount("S", counter: .securities, funds: [Money(micros: 1_000_000_000_000, currency: .hkd)])
        _ = await exchange.place(F.order(1, .buy, 500, at: 400_200_000_000))
        let file = try #require(FileHandle(forUpdatingAtPath: path + "/00000000000000000000.journal"))
        try file.truncate(atOffset: try file.seekToEnd() - UInt64(bytes))
        let failure = #expect(throws: Failure.self) { _ = try Exchange(folder: .live(path: path), rules: rules, clock: clock) }
        #expect(failure?.code == .dataIncomplete)
        #expect(failure?.arguments.first { $0.name == "missing" }?.value == "1")
        #expect(failure?.arguments.first { $0.name == "witness" }?.value == path + "/acknowledged")
        try FileManager.default.removeItem(atPath: path)
        let none = #expect(throws: Failure.self) {
            _ = try Exchange(folder: .live(path: path), rules: rules, clock: clock, mustExist: true)
        }
        #expect(none == Failure(.dataJournalMissing, .init("path", path)))
    }
}
