import Bars
import Exact
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

    /// Of a minute its start.
    var start: Int64 { if case .bar(let bar) = content { bar.startNs } else { .max } }

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
    /// Instruments of the table that the feed has no prices of, in order of id.
    let unfed: [UInt32]
    private let history: @Sendable (InstrumentID) -> Recordings.History
    private var state = FeedState()
    private var minutes: FeedMinutes
    /// How the feed behind it stands.
    private(set) var feed = FeedInfo.running
    private var ticks: [UInt32: [Tick]] = [:]
    /// Recorded bars of the market date longer than a minute.
    private var recorded: [UInt32: [Bar]] = [:]

    /// Ticks kept for each instrument.
    static let tickCapacity = 1_000

    /// `heardFrom`: when a live feed began to be heard; nil: the feed tells whatever happened. `fed`: the instruments it has prices of; nil: all.
    public init(
        facts: MarketFacts, marketDate: TradingDay, heardFrom: MarketInstant? = nil, fed: Set<InstrumentID>? = nil,
        history: @escaping @Sendable (InstrumentID) -> Recordings.History
    ) {
        self.facts = facts
        self.marketDate = marketDate
        self.history = history
        unfed = fed.map { fed in facts.instruments.all.map(\.id).filter { !fed.contains($0) }.sorted().map(\.rawValue) } ?? []
        minutes = FeedMinutes(facts: facts, heardFrom: heardFrom)
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
            ticks[tick.instrument, default: []].append(tick, keeping: Self.tickCapacity)
            push = BoardPush(kind: .ticks, instrument: tick.instrument, content: .tick(tick))
        case .bar(let bar) where bar.period != .minute1: recorded[bar.instrument, default: []].append(bar)
        case .past(let trades):
            if let id = trades.first?.instrument { ticks[id, default: []] += trades }
        case .feed(let info): feed = info
        case .bar, .phase, .fx, .clock, .refused: break
        }
        return (push, bar.map { BoardPush(kind: .bar1M, instrument: $0.instrument, content: .bar($0)) })
    }

    /// Prices and bars that no minute of the calendar holds, or that do not agree with themselves.
    var refusedBars: Int { minutes.refused }

    func quote(_ instrument: UInt32) -> Quote? { state.quotes[InstrumentID(instrument)] }

    func book(_ instrument: UInt32, depth: UInt32) -> Book? { state.books[InstrumentID(instrument)].map { $0.cut(to: depth) } }

    func lastTicks(_ instrument: UInt32, count: Int) -> [Tick] { (ticks[instrument] ?? []).suffix(count) }

    func brokers(_ instrument: UInt32) -> BrokerQueue? {
        let id = InstrumentID(instrument)
        guard let book = state.books[id], let known = facts.instruments[id] else { return nil }
        return BrokerQueue(simulatedFor: book, of: known)
    }

    func ranked(_ ranking: Ranking) -> [Quote] { ranking.first(of: state, facts.instruments) }

    /// The minutes heard in this run from that one on, the newest in any case.
    func minutes(_ instrument: UInt32, since start: Int64) -> [Bar] {
        let bars = minutes.bars(InstrumentID(instrument))
        return bars.suffix(max(1, bars.reversed().prefix { $0.startNs >= start }.count))
    }

    /// The newest `count` bars as printed, oldest first. Longer bars are joined of shorter ones by the rule of `BarSeries`; where a recording
    /// has bars of that period, those are given.
    func bars(_ instrument: Instrument, _ period: BarPeriod, count: Int) -> [Bar] {
        switch period {
        case .minute1: minutes(instrument).suffix(count)
        case .minute3, .minute5, .minute15, .minute30, .minute60: longer(instrument, period).suffix(count)
        case .day: days(instrument).suffix(count)
        case .week, .month, .quarter, .year: joined(days(instrument), instrument, period).bars.suffix(count)
        case .unspecified, .UNRECOGNIZED: []
        }
    }

    /// The same with splits and dividends taken out, and by how many (G-2). What is longer than a day is joined of adjusted days: a high from
    /// before a split and one from after are compared on one scale.
    func bars(
        _ instrument: Instrument, _ period: BarPeriod, count: Int, _ adjustment: PriceAdjustment
    ) throws(ArithmeticError) -> BarBatch {
        var batch = BarBatch()
        guard adjustment != .none, let history = facts.corporateActions[instrument] else {
            batch.bars = bars(instrument, period, count: count)
            return batch
        }
        let days = days(instrument)
        let adjuster = try BarAdjuster(history, adjustment, newest: days)
        batch.adjustment = adjustment == .forward ? .forward : .backward
        (batch.knownFrom, batch.knownTo) = (adjuster.known.lowerBound.yyyymmdd, adjuster.known.upperBound.yyyymmdd)
        batch.actions = UInt32(adjuster.actions)
        var adjusted: [Bar] = []
        let isJoined = period.rawValue > BarPeriod.day.rawValue
        for bar in isJoined ? days : bars(instrument, period, count: count) { adjusted.append(try adjuster.bar(bar)) }
        batch.bars = isJoined ? joined(adjusted, instrument, period).bars.suffix(count) : adjusted
        return batch
    }

    /// Those heard in this run; before the first of them, and before what was too old to be kept here, what the history has.
    private func minutes(_ instrument: Instrument) -> [Bar] {
        let own = minutes.bars(instrument.id)
        let begin = own.first?.startNs ?? .max
        return history(instrument.id).intraday.filter { $0.period == .minute1 && $0.startNs < begin } + own
    }

    private func joined(
        _ shorter: [Bar], _ instrument: Instrument, _ period: BarPeriod, _ anchor: BarAnchor = .session
    ) -> BarSeries {
        var series = BarSeries(instrument: instrument, period: period, calendar: facts.calendar, anchor: anchor, capacity: .max)
        for bar in shorter { _ = series.join(bar) }
        return series
    }

    private func longer(_ instrument: Instrument, _ period: BarPeriod) -> [Bar] {
        let told = history(instrument.id).intraday + (recorded[instrument.id.rawValue] ?? [])
        let own = told.filter { $0.period == period }
        var series = joined(minutes(instrument), instrument, period, BarAnchor(of: own, period, instrument, facts.calendar))
        for bar in own { _ = series.take(bar) }
        return series.bars
    }

    /// Days before the one under way, and that: as recorded whole, else as the quote tells its figures, else of its minutes.
    private func days(_ instrument: Instrument) -> [Bar] {
        let past = history(instrument.id).days
        guard let quote = quote(instrument.id.rawValue) else { return past }
        let today = minutes.bars(instrument.id).filter { $0.tradingDay == quote.tradingDay }
        var series = joined(today, instrument, .day)
        if let whole = recorded[instrument.id.rawValue]?.last(where: { $0.period == .day }) {
            _ = series.take(whole)
        } else if let bar = day(quote, instrument, series.bars.last) {
            _ = series.take(bar)
        }
        let own = Set(series.bars.map(\.tradingDay))
        return past.filter { !own.contains($0.tradingDay) } + series.bars
    }

    /// The day as a quote tells it; nil where the quote does not, or its figures are still those of the day before.
    private func day(_ quote: Quote, _ instrument: Instrument, _ known: Bar?) -> Bar? {
        guard quote.hasOpen, quote.hasHigh, quote.hasLow, quote.hasLast, let day = TradingDay(yyyymmdd: quote.tradingDay),
            let sessions = try? facts.calendar.sessions(of: instrument, on: day), let first = sessions.first,
            !quote.hasLastTimeNs || quote.lastTimeNs >= first.start.nanoseconds
        else { return nil }
        var bar = Bar()
        bar.instrument = quote.instrument
        bar.period = .day
        bar.tradingDay = quote.tradingDay
        let start = BarGrid(day: day, sessions: sessions, length: .seconds(60)).regularStart
        bar.startNs = start?.nanoseconds ?? quote.timeNs
        (bar.open, bar.high, bar.low, bar.close) = (quote.open, quote.high, quote.low, quote.last)
        bar.volume = quote.hasVolume ? quote.volume : known?.volume ?? 0
        if quote.hasTurnover { bar.turnover = quote.turnover }
        bar.provenance = quote.provenance
        bar.recordedOn = quote.recordedOn
        return bar
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

extension FeedInfo {
    /// As every feed begins.
    static var running: FeedInfo {
        var info = FeedInfo()
        info.status = .running
        return info
    }
}
