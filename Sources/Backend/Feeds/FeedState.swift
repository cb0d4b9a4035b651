public import Exact
public import Instruments
public import Messages

extension Quote {
    /// Takes over what a partial update carries; fields it lacks keep their value (F-9).
    public mutating func merge(_ update: Quote) {
        timeNs = update.timeNs
        if update.hasLast { last = update.last }
        if update.hasLastSize { lastSize = update.lastSize }
        if update.hasBid { bid = update.bid }
        if update.hasBidSize { bidSize = update.bidSize }
        if update.hasAsk { ask = update.ask }
        if update.hasAskSize { askSize = update.askSize }
        if update.hasOpen { open = update.open }
        if update.hasHigh { high = update.high }
        if update.hasLow { low = update.low }
        if update.hasPreviousClose { previousClose = update.previousClose }
        if update.hasVolume { volume = update.volume }
        if update.hasTurnover { turnover = update.turnover }
        if update.hasLastTimeNs { lastTimeNs = update.lastTimeNs }
        if update.hasSettlement { settlement = update.settlement }
        if update.hasIndicativePrice { indicativePrice = update.indicativePrice }
        if update.hasIndicativeVolume { indicativeVolume = update.indicativeVolume }
        if update.phase != .unspecified { phase = update.phase }
        if update.provenance != .unspecified {
            provenance = update.provenance
            recordedOn = update.recordedOn
            delaySeconds = update.delaySeconds
        }
        if update.bookProvenance != .unspecified { bookProvenance = update.bookProvenance }
        if update.level != .unspecified { level = update.level }
        if update.tradingDay != 0 { tradingDay = update.tradingDay }
    }
}

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
            if quotes[id] == nil { quotes[id] = update } else { quotes[id]?.merge(update) }
        case .book(let book): books[InstrumentID(book.instrument)] = book
        case .phase(let id, let phase): quotes[id]?.phase = phase
        case .fx(let rate):
            rates.removeAll { $0.base == rate.base && $0.quote == rate.quote }
            rates.append(rate)
        case .trade, .bar, .clock: break
        }
    }

    /// The state as events: what a consumer needs that missed what led here.
    func bodies() -> [FeedEvent.Body] {
        var bodies: [FeedEvent.Body] = rates.map { .fx($0) }
        for id in quotes.keys.sorted() {
            guard let quote = quotes[id] else { continue }
            bodies.append(.phase(instrument: id, quote.phase))
            bodies.append(.quote(quote))
            if let book = books[id] { bodies.append(.book(book)) }
        }
        return bodies
    }
}
