public import Feeds
public import Instruments
import Messages
public import Streams
import WireCodec

/// Something subscribers are told: bytes are encoded once, by topic.
struct BoardPush {
    var kind: QuoteKind
    var instrument: UInt32
    var content: Content
    /// The first of its instrument: nobody was told a whole one it could change.
    var isFirst = false

    enum Content {
        case quote(Quote)
        case book(Book)
        case tick(Tick)
        case bar(Bar)
    }

    var lane: PushLane {
        switch content {
        case .quote: isFirst ? .snapshot : .quote
        case .book: .book
        case .tick: .tick
        case .bar: .bar
        }
    }

    /// Field 1 of each batch, length-delimited.
    static let element: UInt32 = 1 << 3 | 2

    /// As one element of its batch: tag, length and message, which may follow others.
    func write(depth: UInt32, to writer: inout WireWriter) {
        switch content {
        case .quote(let quote): writer.message(Self.element, quote)
        case .book(let book): writer.message(Self.element, book.cut(to: depth))
        case .tick(let tick): writer.message(Self.element, tick)
        case .bar(let bar): writer.message(Self.element, bar)
        }
    }
}

/// What the quote server knows: newest quotes and books, the last ticks, bars. A value, fed with feed events.
public struct QuoteBoard: Sendable {
    public let facts: MarketFacts
    public let marketDate: TradingDay
    private let history: @Sendable (InstrumentID) -> Recordings.History
    private var state = FeedState()
    private var minutes = MinuteBars()
    private var ticks: [UInt32: [Tick]] = [:]
    /// Recorded bars of the market date longer than a minute.
    private var recorded: [UInt32: [Bar]] = [:]

    /// Ticks kept for each instrument.
    static let tickCapacity = 1_000

    public init(facts: MarketFacts, marketDate: TradingDay, history: @escaping @Sendable (InstrumentID) -> Recordings.History) {
        self.facts = facts
        self.marketDate = marketDate
        self.history = history
    }

    /// What subscribers are told of it: the event itself, and the minute it is part of.
    mutating func apply(_ event: FeedEvent) -> (BoardPush?, minute: BoardPush?) {
        var isFirst = false
        if case .quote(let quote) = event.body { isFirst = self.quote(quote.instrument) == nil }
        state.apply(event)
        let bar = minutes.apply(event)
        var push: BoardPush?
        switch event.body {
        case .quote(let quote):
            push = BoardPush(kind: .snapshot, instrument: quote.instrument, content: .quote(quote), isFirst: isFirst)
        case .book(let book): push = BoardPush(kind: .book, instrument: book.instrument, content: .book(book))
        case .trade(let tick):
            ticks[tick.instrument, default: []].append(tick)
            if let count = ticks[tick.instrument]?.count, count >= 2 * Self.tickCapacity {
                ticks[tick.instrument]?.removeFirst(count - Self.tickCapacity)
            }
            push = BoardPush(kind: .ticks, instrument: tick.instrument, content: .tick(tick))
        case .bar(let bar) where bar.period != .minute1: recorded[bar.instrument, default: []].append(bar)
        case .past(let trades):
            if let id = trades.first?.instrument { ticks[id, default: []] += trades }
        case .bar, .phase, .fx, .clock: break
        }
        return (push, bar.map { BoardPush(kind: .bar1M, instrument: $0.instrument, content: .bar($0)) })
    }

    func quote(_ instrument: UInt32) -> Quote? { state.quotes[InstrumentID(instrument)] }

    func book(_ instrument: UInt32, depth: UInt32) -> Book? { state.books[InstrumentID(instrument)].map { $0.cut(to: depth) } }

    func lastTicks(_ instrument: UInt32, count: Int) -> [Tick] { (ticks[instrument] ?? []).suffix(count) }

    func ranked(_ ranking: Ranking) -> [Quote] { ranking.first(of: state, facts.instruments) }

    func lastMinute(_ instrument: UInt32) -> Bar? { minutes.bars(InstrumentID(instrument)).last }

    /// The newest `count` bars, oldest first. Minutes longer than one are put together on whole multiples of their length, cut at the
    /// session; where a recording has such bars, those are given.
    func bars(_ instrument: Instrument, _ period: BarPeriod, count: Int) -> [Bar] {
        let past = history(instrument.id)
        switch period {
        case .minute1, .minute3, .minute5, .minute15, .minute30, .minute60:
            let old = past.intraday.filter { $0.period == period || $0.period == .minute1 }
            let today = minutes.bars(instrument.id)
            var bars = BarAggregation.minutes(old + today, period, instrument, facts.calendar)
            for bar in recorded[instrument.id.rawValue] ?? [] where bar.period == period {
                if let place = bars.firstIndex(where: { $0.startNs == bar.startNs }) { bars[place] = bar }
            }
            return bars.suffix(count)
        case .day: return days(instrument, past).suffix(count)
        case .week, .month, .quarter, .year:
            return BarAggregation.days(days(instrument, past), period, instrument, facts.calendar).suffix(count)
        case .unspecified, .UNRECOGNIZED: return []
        }
    }

    private func days(_ instrument: Instrument, _ past: Recordings.History) -> [Bar] {
        guard let quote = quote(instrument.id.rawValue), quote.hasOpen, quote.hasHigh, quote.hasLow, quote.hasLast else { return past.days }
        if let whole = recorded[instrument.id.rawValue]?.last(where: { $0.period == .day }) { return past.days + [whole] }
        var bar = Bar()
        bar.instrument = quote.instrument
        bar.period = .day
        bar.tradingDay = quote.tradingDay
        let axis = TradingDay(yyyymmdd: quote.tradingDay).flatMap { try? facts.calendar.sessionAxis(instrument, on: $0) } ?? []
        bar.startNs = axis.first?.start.nanoseconds ?? quote.timeNs
        (bar.open, bar.high, bar.low, bar.close) = (quote.open, quote.high, quote.low, quote.last)
        if quote.hasVolume { bar.volume = quote.volume }
        if quote.hasTurnover { bar.turnover = quote.turnover }
        bar.provenance = quote.provenance
        bar.recordedOn = quote.recordedOn
        return past.days + [bar]
    }
}

extension Book {
    /// The best `depth` levels of each side; 0: all.
    func cut(to depth: UInt32) -> Book {
        guard depth > 0, bids.count > depth || asks.count > depth else { return self }
        var book = self
        book.bids = Array(bids.prefix(Int(depth)))
        book.asks = Array(asks.prefix(Int(depth)))
        return book
    }
}
