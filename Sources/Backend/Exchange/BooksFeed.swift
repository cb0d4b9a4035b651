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
        visible[book.instrument] = VisibleBook(book: book, fromBook: true)
        heard(book.instrument, book.timeNs)
        return meet(book.instrument, shownAt: book.timeNs, .book(book))
    }

    private mutating func heard(_ id: UInt32, _ time: Int64) { heardAt[id] = max(heardAt[id] ?? .min, time) }

    /// A book of an earlier session, told again after a restart or a jump, is no book: nobody stands there any more.
    private mutating func meet(_ id: UInt32, shownAt: Int64, _ input: JournalRecord.OneOf_Input) -> JournalRecord? {
        guard let instrument = rules.facts.instruments[InstrumentID(id)], resting[id]?.isEmpty == false, let book = visible[id]?.book
        else { return nil }
        guard let standing = try? standing(instrument), standing.takesOrders, standing.covers(shownAt) else { return nil }
        let prices = book.bids.map(\.price) + book.asks.map(\.price)
        guard let lowest = prices.min(), let highest = prices.max() else { return nil }
        // Orders beyond everything shown neither fill nor learn of their queue.
        for side in [OrderSide.buy, .sell] {
            var place: RestingOrders.Place?
            while let next = resting[id]?.next(side, after: place), side == .buy ? next.price >= lowest : next.price <= highest {
                place = next
                if placedAt[next.id] ?? .min <= shownAt { meet(next.id, instrument) }
            }
        }
        return hasChanges ? record(input) : nil
    }

    private mutating func meet(_ id: UInt64, _ instrument: Instrument) {
        guard let order = order(id) else { return }
        let shown = visible[order.instrument]?.queue(order.side, at: order.limit)
        if let known = ahead[id] { ahead[id] = min(known, shown ?? known) } else { ahead[id] = shown }
        let left = order.quantity - order.filled
        let units = take(order, upTo: left, limit: order.limit).reduce(0) { $0 + $1.quantity }
        if units > 0 { fill(id, instrument, order.limit, units, visible[order.instrument]?.book.provenance ?? .unspecified) }
    }

    /// A print: through an order's price fills it, at its price only beyond the queue before it; together never more than the print.
    mutating func trade(_ tick: Tick, at now: MarketInstant) -> JournalRecord? {
        begin(now)
        lastPrice[tick.instrument] = tick.price
        heard(tick.instrument, tick.timeNs)
        guard let instrument = rules.facts.instruments[InstrumentID(tick.instrument)], tick.size > 0 else { return nil }
        var budget = tick.size
        for side in [OrderSide.buy, .sell] {
            var place: RestingOrders.Place?
            while budget > 0, let next = resting[tick.instrument]?.next(side, after: place),
                side == .buy ? next.price >= tick.price : next.price <= tick.price
            {
                place = next
                if placedAt[next.id] ?? .min <= tick.timeNs { budget -= trade(tick, next.id, instrument, upTo: budget) }
            }
        }
        return hasChanges ? record(.trade(tick)) : nil
    }

    /// Fills one order that the print reaches; returns how much.
    private mutating func trade(_ tick: Tick, _ id: UInt64, _ instrument: Instrument, upTo budget: Int64) -> Int64 {
        guard let order = order(id) else { return 0 }
        var units = min(order.quantity - order.filled, budget)
        if tick.price == order.limit {
            // Whoever took from the other side did not trade with this order's side.
            if tick.aggressor == (order.side == .buy ? .buyer : .seller) { return 0 }
            guard let before = ahead[id] else { return 0 }
            ahead[id] = max(0, before - tick.size)
            units = min(units, max(0, tick.size - before))
        }
        guard units > 0 else { return 0 }
        fill(id, instrument, order.limit, units, tick.provenance)
        return units
    }

    private func order(_ id: UInt64) -> Order? { owner[id].flatMap { accounts[$0]?.orders[id]?.order } }

    /// A quote stands for a book of one level where no book is fed.
    mutating func quote(_ quote: Quote, at now: MarketInstant) -> JournalRecord? {
        if quote.hasLast { lastPrice[quote.instrument] = quote.last }
        if quote.hasPreviousClose { previousClose[quote.instrument] = quote.previousClose }
        if visible[quote.instrument]?.fromBook == true { return nil }
        guard quote.hasBid && quote.hasBidSize || quote.hasAsk && quote.hasAskSize else { return nil }
        begin(now)
        var book = visible[quote.instrument]?.book ?? Book()
        book.instrument = quote.instrument
        book.timeNs = quote.timeNs
        book.provenance = quote.provenance
        if quote.hasBid, quote.hasBidSize { book.bids = [BookLevel(quote.bid, quote.bidSize)] }
        if quote.hasAsk, quote.hasAskSize { book.asks = [BookLevel(quote.ask, quote.askSize)] }
        visible[quote.instrument] = VisibleBook(book: book, fromBook: false)
        heard(quote.instrument, quote.timeNs)
        return meet(quote.instrument, shownAt: quote.timeNs, .book(book))
    }
}

extension BookLevel {
    init(_ price: Int64, _ size: Int64) {
        self.init()
        self.price = price
        self.size = size
    }
}
