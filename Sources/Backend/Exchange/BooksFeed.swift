import Feeds
import Instruments
import Messages
import Streams
import Texts

/// What the feed does to resting orders; the model with numbers is docs/fill-model.md (N-3).
extension Books {
    /// Day orders whose day is over by market time.
    mutating func advance(to now: MarketInstant) -> JournalRecord? {
        guard nextExpiry <= now.nanoseconds else { return nil }
        let ends = owner.compactMap { id, name in accounts[name]?.orders[id].map { (id: id, ns: $0.working.expiresNs) } }
        let due = ends.filter { $0.ns <= now.nanoseconds }.map(\.id)
        nextExpiry = ends.map(\.ns).filter { $0 > now.nanoseconds }.min() ?? .max
        guard !due.isEmpty else { return nil }
        begin(now)
        for id in due.sorted() {
            guard let name = owner[id], var state = accounts[name]?.orders[id] else { continue }
            end(&state, .expired, Failure(.orderExpired))
            pushFunds(name)
        }
        return record(.expiredNs(time.nanoseconds))
    }

    /// The whole visible book: resting orders that it now crosses fill at their own price, up to the size shown.
    mutating func show(_ book: Book, at now: MarketInstant) -> JournalRecord? {
        begin(now)
        feed.take(book)
        return meet(book.instrument, shownAt: book.timeNs, .book(book))
    }

    /// A book of an earlier session, told again after a restart or a jump, is no book: nobody stands there any more.
    private mutating func meet(_ id: UInt32, shownAt: Int64, _ input: JournalRecord.OneOf_Input) -> JournalRecord? {
        guard !feed.halted.contains(id), let instrument = rules.facts.instruments[InstrumentID(id)], resting[id]?.isEmpty == false,
            let book = feed.visible[id]?.book
        else { return nil }
        guard let standing = try? standing(instrument), standing.takesOrders, standing.covers(shownAt) else { return nil }
        let prices = book.bids.map(\.price) + book.asks.map(\.price)
        guard let lowest = prices.min(), let highest = prices.max() else { return nil }
        // Orders beyond everything shown neither fill nor learn of their queue.
        for side in [OrderSide.buy, .sell] {
            var place: RestingOrders.Place?
            while let next = resting[id]?.next(side, after: place), side == .buy ? next.price >= lowest : next.price <= highest {
                place = next
                meet(next.id, instrument, shownAt)
            }
        }
        return hasChanges ? record(input) : nil
    }

    private mutating func meet(_ id: UInt64, _ instrument: Instrument, _ shownAt: Int64) {
        guard let order = order(id), feed.reaches(order, at: shownAt) else { return }
        let shown = feed.visible[order.instrument]?.queue(order.side, at: order.limit)
        if let known = feed.ahead[id] { feed.ahead[id] = min(known, shown ?? known) } else { feed.ahead[id] = shown }
        let left = order.quantity - order.filled
        let units = take(order, upTo: left, limit: order.limit).reduce(0) { $0 + $1.quantity }
        if units > 0 { fill(id, instrument, order.limit, units, feed.visible[order.instrument]?.book.provenance ?? .unspecified) }
    }

    /// In a halt nothing trades; what is told then is of before, or a price only.
    ///
    /// A print: through an order's price fills it, at its price only beyond the queue before it; together never more than the print.
    mutating func trade(_ tick: Tick, at now: MarketInstant) -> JournalRecord? {
        begin(now)
        feed.take(tick)
        guard let instrument = rules.facts.instruments[InstrumentID(tick.instrument)], tick.size > 0, !feed.halted.contains(tick.instrument)
        else { return nil }
        var budget = tick.size
        for side in [OrderSide.buy, .sell] {
            var place: RestingOrders.Place?
            while budget > 0, let next = resting[tick.instrument]?.next(side, after: place),
                side == .buy ? next.price >= tick.price : next.price <= tick.price
            {
                place = next
                budget -= trade(tick, next.id, instrument, upTo: budget)
            }
        }
        return hasChanges ? record(.trade(tick)) : nil
    }

    /// Fills one order that the print reaches; returns how much.
    private mutating func trade(_ tick: Tick, _ id: UInt64, _ instrument: Instrument, upTo budget: Int64) -> Int64 {
        guard let order = order(id), feed.reaches(order, at: tick.timeNs) else { return 0 }
        var units = min(order.quantity - order.filled, budget)
        if tick.price == order.limit {
            // Whoever took from the other side did not trade with this order's side.
            if tick.aggressor == (order.side == .buy ? .buyer : .seller) { return 0 }
            guard let before = feed.ahead[id] else { return 0 }
            feed.ahead[id] = max(0, before - tick.size)
            units = min(units, max(0, tick.size - before))
        }
        guard units > 0 else { return 0 }
        fill(id, instrument, order.limit, units, tick.provenance)
        return units
    }

    private func order(_ id: UInt64) -> Order? { owner[id].flatMap { accounts[$0]?.orders[id]?.order } }

    /// A quote stands for a book of one level where no book is fed.
    mutating func quote(_ quote: Quote, at now: MarketInstant) -> JournalRecord? {
        guard let book = feed.take(quote) else { return nil }
        begin(now)
        return meet(quote.instrument, shownAt: quote.timeNs, .book(book))
    }
}
