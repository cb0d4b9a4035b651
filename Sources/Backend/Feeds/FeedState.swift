public import Exact
public import Instruments
public import Messages

/// The newest of everything a feed has said.
public struct FeedState: Sendable {
    public private(set) var quotes: [InstrumentID: Quote] = [:]
    public private(set) var books: [InstrumentID: Book] = [:]
    public private(set) var rates: [FXRate] = []

    public init() {}

    public mutating func apply(_ event: FeedEvent) {
        switch event.body {
        case .quote(let update):
            let id = InstrumentID(update.instrument)
            if quotes[id]?.merge(update) == nil {
                quotes[id] = update
                quotes[id]?.dropEmptySides()
            }
        case .book(let book): books[InstrumentID(book.instrument)] = book
        case .phase(let id, let phase): quotes[id]?.phase = phase
        case .fx(let rate):
            rates.removeAll { $0.base == rate.base && $0.quote == rate.quote }
            rates.append(rate)
        case .trade, .bar, .clock, .past, .feed, .refused: break
        }
    }

    /// Whether some instrument trades now.
    var isOpen: Bool { quotes.values.contains { $0.phase == .continuous || $0.phase == .night } }

    /// The state as events: what a consumer needs that missed what led here.
    func bodies() -> [FeedEvent.Body] {
        var bodies: [FeedEvent.Body] = rates.map { .fx($0) }
        for id in quotes.keys.sorted() {
            guard let quote = quotes[id] else { continue }
            bodies.append(.phase(instrument: id, quote.phase))
            // The book first: the quote's prices may be older than the quote, and must not stand for a newer book.
            if let book = books[id] { bodies.append(.book(book)) }
            bodies.append(.quote(quote))
        }
        return bodies
    }
}

extension [Tick] {
    /// Keeps at least the newest `most`; older ones go many at a time.
    package mutating func append(_ tick: Tick, keeping most: Int) {
        append(tick)
        if count >= 2 * most { removeFirst(count - most) }
    }
}
