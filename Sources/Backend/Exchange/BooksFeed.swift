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
        return meet(book.instrument, shownAt: book.timeNs, .book(book))
    }

    private mutating func meet(_ id: UInt32, shownAt: Int64, _ input: JournalRecord.OneOf_Input) -> JournalRecord? {
        guard let instrument = rules.facts.instruments[InstrumentID(id)], !(resting[id] ?? []).isEmpty else { return nil }
        for order in priority(id) where placedAt[order.orderID] ?? .min <= shownAt {
            let shown = visible[id]?.queue(order.side, at: order.limit)
            if let known = ahead[order.orderID] { ahead[order.orderID] = min(known, shown ?? known) } else { ahead[order.orderID] = shown }
            let left = order.quantity - order.filled
            let units = visible[id]?.take(order.side, upTo: left, limit: order.limit).reduce(0) { $0 + $1.quantity } ?? 0
            if units > 0 { fill(order.orderID, instrument, order.limit, units, visible[id]?.book.provenance ?? .unspecified) }
        }
        return hasChanges ? record(input) : nil
    }

    /// A print: through an order's price fills it, at its price only beyond the queue before it; together never more than the print.
    mutating func trade(_ tick: Tick, at now: MarketInstant) -> JournalRecord? {
        begin(now)
        lastPrice[tick.instrument] = tick.price
        guard let instrument = rules.facts.instruments[InstrumentID(tick.instrument)], tick.size > 0 else { return nil }
        var budget = tick.size
        for order in priority(tick.instrument) where budget > 0 && placedAt[order.orderID] ?? .min <= tick.timeNs {
            let buying = order.side == .buy
            if buying ? tick.price > order.limit : tick.price < order.limit { continue }
            let left = order.quantity - order.filled
            var units = min(left, budget)
            if tick.price == order.limit {
                // Whoever took from the other side did not trade with this order's side.
                if tick.aggressor == (buying ? .buyer : .seller) { continue }
                guard let before = ahead[order.orderID] else { continue }
                ahead[order.orderID] = max(0, before - tick.size)
                units = min(units, max(0, tick.size - before))
            }
            guard units > 0 else { continue }
            budget -= units
            fill(order.orderID, instrument, order.limit, units, tick.provenance)
        }
        return hasChanges ? record(.trade(tick)) : nil
    }

    /// A quote stands for a book of one level where no book is fed.
    mutating func quote(_ quote: Quote, at now: MarketInstant) -> JournalRecord? {
        if quote.hasLast { lastPrice[quote.instrument] = quote.last }
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
        return meet(quote.instrument, shownAt: quote.timeNs, .book(book))
    }

    /// Resting orders of an instrument: better price first, then the earlier.
    private func priority(_ instrument: UInt32) -> [Order] {
        (resting[instrument] ?? []).compactMap { id in owner[id].flatMap { accounts[$0]?.orders[id]?.order } }.sorted { a, b in
            if a.side != b.side { return a.side == .buy }
            if a.limit != b.limit { return a.side == .buy ? a.limit > b.limit : a.limit < b.limit }
            return a.orderID < b.orderID
        }
    }
}

extension BookLevel {
    init(_ price: Int64, _ size: Int64) {
        self.init()
        self.price = price
        self.size = size
    }
}
