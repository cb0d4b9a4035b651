import Exact
import Instruments
import Messages
import Streams
import Testing

@testable import Exchange

private typealias F = Fixture

@Suite struct RestingOrdersTests {
    /// The obvious queue: everything sorted at each question.
    private struct Oracle {
        var rows: [(place: RestingOrders.Place, side: OrderSide)] = []

        func next(_ side: OrderSide, after place: RestingOrders.Place?) -> RestingOrders.Place? {
            func before(_ a: RestingOrders.Place, _ b: RestingOrders.Place) -> Bool {
                if a.price != b.price { return side == .buy ? a.price > b.price : a.price < b.price }
                return a.id < b.id
            }
            return rows.filter { row in row.side == side && place.map { before($0, row.place) } ?? true }.map(\.place).min(by: before)
        }
    }

    @Test(arguments: UInt64(0)..<60) func walksLikeTheSortedList(seed: UInt64) {  // N-3
        var dice = SeededRandom(seed: seed)
        var resting = RestingOrders()
        var oracle = Oracle()
        for step in 0..<400 {
            let side: OrderSide = dice.below(2) == 0 ? .buy : .sell
            if oracle.rows.isEmpty || dice.below(5) < (step < 250 ? 3 : 1) {
                // Ids may come back and come out of order, as in a snapshot.
                let place = RestingOrders.Place(price: Int64(dice.below(4)) - 2, id: UInt64(dice.below(300)))
                guard !oracle.rows.contains(where: { $0.place.id == place.id }) else { continue }
                oracle.rows.append((place, side))
                resting.insert(place.id, side, at: place.price)
            } else {
                let row = oracle.rows.remove(at: dice.below(oracle.rows.count))
                resting.remove(row.place.id, row.side, at: row.place.price)
                // A second time changes nothing.
                resting.remove(row.place.id, row.side, at: row.place.price)
            }
            #expect(resting.isEmpty == oracle.rows.isEmpty)
            let from = dice.below(3) == 0 ? nil : RestingOrders.Place(price: Int64(dice.below(6)) - 3, id: UInt64(dice.below(300)))
            #expect(resting.next(side, after: from) == oracle.next(side, after: from))
        }
        for side in [OrderSide.buy, .sell] {
            var walked: RestingOrders.Place?
            repeat {
                let next = resting.next(side, after: walked)
                #expect(next == oracle.next(side, after: walked))
                walked = next
            } while walked != nil
        }
    }

    @Test func worstPricesKeepTheirPlace() {
        var resting = RestingOrders()
        for (id, price) in [(UInt64(1), Int64.min), (2, .max), (3, 0)] {
            resting.insert(id, .buy, at: price)
            resting.insert(id, .sell, at: price)
        }
        #expect(resting.next(.buy, after: nil)?.id == 2)
        #expect(resting.next(.buy, after: .init(price: 0, id: 3))?.id == 1)
        #expect(resting.next(.sell, after: nil)?.id == 1)
        #expect(resting.next(.sell, after: .init(price: 0, id: 3))?.id == 2)
    }

    @Test(arguments: UInt64(0)..<40) func claimsAreWhatTheOrdersAddUpTo(seed: UInt64) throws {  // N-2, C-6
        var dice = SeededRandom(seed: seed &+ 1000)
        var books = try F.books(try F.rules())
        var now = F.at(10)
        for step in UInt64(1)..<150 {
            now = now.advanced(by: .seconds(1))
            let side: OrderSide = dice.below(2) == 0 ? .buy : .sell
            let futures = dice.below(2) == 0
            let instrument = futures ? F.hsi : F.tencent
            let tick = futures ? F.one : 200_000_000
            let middle: Int64 = futures ? 23_000 : 2000
            let price = (middle + Int64(dice.below(9)) - 4) * tick
            switch dice.below(5) {
            case 0:
                _ = books.show(
                    F.book(
                        bids: [((middle - 2) * tick, 200)], asks: [((middle + 2) * tick, 200)], of: instrument, at: now), at: now)
            case 1: _ = books.trade(F.tick(price, Int64(dice.below(300)), of: instrument, at: now), at: now)
            case 2: _ = books.cancel(F.cancel(step, UInt64(dice.below(Int(step))), account: futures ? "F" : "S"), at: now)
            default:
                let tif: TimeInForce = dice.below(4) == 0 ? .ioc : .day
                let size = futures ? Int64(dice.below(3) + 1) : Int64(dice.below(5) + 1) * 100
                _ = books.place(
                    F.order(
                        step, side, size, at: dice.below(6) == 0 ? nil : price, of: instrument, tif, account: futures ? "F" : "S"), at: now)
            }
            let restored = Books(rules: books.rules, snapshot: books.snapshot)
            for (name, account) in books.accounts {
                var sums: [UInt32: AccountBook.Claim] = [:]
                for id in account.working {
                    if let state = account.orders[id] { sums[state.order.instrument, default: .init()].count(state, 1) }
                }
                #expect(account.claims == sums)
                #expect(restored.accounts[name]?.claims == sums)
            }
        }
    }

    @Test(arguments: [F.tencent, F.apple, F.hsi]) func standingHoldsAsLongAsItSays(id: UInt32) throws {  // N-2, Q-6
        let rules = try F.rules()
        let instrument = try #require(rules.facts.instruments[InstrumentID(id)])
        // A week and a day in steps of seven minutes, across sessions, nights and the week-end.
        var known: ExchangeRules.Standing?
        var kept = 0
        for step in 0..<1645 {
            let now = F.at(0).advanced(by: .seconds(420 * step))
            let fresh = try rules.standing(instrument, at: now).get()
            if let known, known.holds.contains(now) {
                kept += 1
                #expect(known.phase == fresh.phase && known.day == fresh.day && known.dayEnds == fresh.dayEnds)
            } else {
                known = fresh
            }
        }
        #expect(kept > 200)
    }
}
