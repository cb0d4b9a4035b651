import Exact
import Instruments
import Messages
import Streams

/// What the filter knows of one instrument, and what is wrong with a message about it; a sound one is remembered.
struct FeedStanding: Sendable {
    let instrument: Instrument
    /// Moment the grid was looked up for.
    private(set) var gridAt = Int64.max
    private var day: TradingDay
    private var grid: Instruments.PriceGrid?
    private var quoteAt = Int64.min
    private var lastAt = Int64.min
    private var bookAt = Int64.min
    private var tradeAt = Int64.min
    private var barAt = Int64.min
    private var barPeriod = BarPeriod.unspecified
    private var tickNumber: UInt64 = 0
    /// Sizes admitted on this day, of trades and of quotes.
    private var traded: Int64 = 0
    private var quoted: Int64 = 0

    /// Largest size of one print or level, × 10⁻⁸: ten thousand million.
    static let largestSize: Int64 = 1_000_000_000_000_000_000
    /// Most of one day, so that no sum of sizes overflows.
    static let largestDay: Int64 = 4_000_000_000_000_000_000
    /// More levels on a side than any venue shows.
    static let deepest = 1_000

    init(instrument: Instrument, day: TradingDay) {
        self.instrument = instrument
        self.day = day
    }

    mutating func renew(_ day: TradingDay, at time: Int64, grid: Instruments.PriceGrid?) {
        gridAt = time
        self.grid = grid
        guard day != self.day else { return }
        self.day = day
        (tickNumber, traded, quoted) = (0, 0, 0)
    }

    /// Of a price that is there.
    private func defect(price: Int64) -> Quarantine.Reason? {
        if price <= 0, instrument.kind != .future { return .notPositive }
        return grid?.isValid(price) ?? false ? nil : .offTick
    }

    private func defect(size: Int64) -> Quarantine.Reason? { size < 0 ? .negativeVolume : size > Self.largestSize ? .tooLarge : nil }

    private func defect(sum: Int64) -> Quarantine.Reason? { sum < 0 ? .negativeVolume : sum > Self.largestDay ? .tooLarge : nil }

    mutating func defect(_ quote: Quote, now: Int64) -> Quarantine.Reason? {
        let isPriced = quote.hasLast || quote.hasBid || quote.hasAsk
        if isPriced, quote.timeNs < quoteAt { return .timeBackwards }
        if quote.hasLastTimeNs, quote.lastTimeNs > now { return .ahead }
        if quote.hasLast, let reason = defect(price: quote.last) { return reason }
        if quote.hasBid, let reason = defect(price: quote.bid) { return reason }
        if quote.hasAsk, let reason = defect(price: quote.ask) { return reason }
        if quote.hasOpen, let reason = defect(price: quote.open) { return reason }
        if quote.hasHigh, let reason = defect(price: quote.high) { return reason }
        if quote.hasLow, let reason = defect(price: quote.low) { return reason }
        if quote.hasIndicativePrice, let reason = defect(price: quote.indicativePrice) { return reason }
        if quote.hasPreviousClose, quote.previousClose <= 0, instrument.kind != .future { return .notPositive }
        if quote.hasHigh, quote.hasLow, quote.high < quote.low { return .highBelowLow }
        if quote.hasBid, quote.hasAsk, quote.bid >= quote.ask, quote.bidSize > 0, quote.askSize > 0 { return .crossedBook }
        for size in [quote.lastSize, quote.bidSize, quote.askSize, quote.indicativeVolume] {
            if let reason = defect(size: size) { return reason }
        }
        if let reason = defect(sum: quote.volume) { return reason }
        if quote.turnover < 0 { return .negativeVolume }
        // A quote that says the same trade again adds nothing.
        if quote.hasLastSize, quote.lastTimeNs > lastAt {
            if quoted > Self.largestDay - quote.lastSize { return .tooLarge }
            quoted += quote.lastSize
            lastAt = quote.lastTimeNs
        }
        if isPriced { quoteAt = quote.timeNs }
        return nil
    }

    mutating func defect(_ book: Book) -> Quarantine.Reason? {
        if book.timeNs < bookAt { return .timeBackwards }
        if book.bids.count > Self.deepest || book.asks.count > Self.deepest { return .tooLarge }
        if let bid = book.bids.first, let ask = book.asks.first, bid.price >= ask.price { return .crossedBook }
        for level in book.bids { if let reason = defect(price: level.price) ?? defect(size: level.size) { return reason } }
        for level in book.asks { if let reason = defect(price: level.price) ?? defect(size: level.size) { return reason } }
        for index in book.bids.indices.dropFirst() where book.bids[index].price >= book.bids[index - 1].price { return .crossedBook }
        for index in book.asks.indices.dropFirst() where book.asks[index].price <= book.asks[index - 1].price { return .crossedBook }
        bookAt = book.timeNs
        return nil
    }

    /// `lateness`: a trade may be so much older than the newest.
    mutating func defect(_ tick: Tick, lateness: Int64) -> Quarantine.Reason? {
        if tick.sequence != 0, tick.sequence <= tickNumber, lateness == 0 { return .repeated }
        if tradeAt != .min, tick.timeNs < tradeAt - lateness { return .timeBackwards }
        if let reason = defect(price: tick.price) ?? defect(size: tick.size) { return reason }
        if tick.size == 0 { return .negativeVolume }
        if traded > Self.largestDay - tick.size { return .tooLarge }
        traded += tick.size
        tradeAt = max(tradeAt, tick.timeNs)
        tickNumber = max(tickNumber, tick.sequence)
        return nil
    }

    mutating func defect(_ bar: Bar, now: Int64) -> Quarantine.Reason? {
        if bar.startNs > now { return .ahead }
        if bar.period == barPeriod, bar.startNs < barAt { return .timeBackwards }
        if bar.high < bar.low || !(bar.low...bar.high ~= bar.open) || !(bar.low...bar.high ~= bar.close) { return .highBelowLow }
        for price in [bar.open, bar.high, bar.low, bar.close] { if let reason = defect(price: price) { return reason } }
        if let reason = defect(sum: bar.volume) { return reason }
        if bar.turnover < 0 { return .negativeVolume }
        (barAt, barPeriod) = (bar.startNs, bar.period)
        return nil
    }
}
