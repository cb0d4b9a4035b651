import Bars
public import Instruments
public import Messages
public import Streams

/// The one-minute bars of every instrument a feed tells of, by the rule of `BarSeries` (G-1): made from trades and last prices, replaced
/// by recorded bars where those come. A trade is told before the quote it changes. Bounded.
public struct FeedMinutes: Sendable {
    /// More minutes than any trading day has.
    static let capacity = 2_000

    let facts: MarketFacts
    private var places: [UInt32: Int] = [:]
    private var standings: [MinuteStanding] = []
    /// Prices and bars that no minute of the calendar holds, or that do not agree with themselves.
    public private(set) var refused = 0

    /// Before it nothing was heard: the minute it lies in, and prices of earlier ones, are not whole.
    private let heardFrom: Int64

    /// `heardFrom`: when listening began; nil: the source tells whatever happened.
    public init(facts: MarketFacts, heardFrom: MarketInstant? = nil) {
        self.facts = facts
        self.heardFrom = heardFrom?.nanoseconds ?? .min
    }

    public func bars(_ instrument: InstrumentID) -> [Bar] { place(instrument).map { standings[$0].series.bars } ?? [] }

    /// The newest bar.
    public func last(_ instrument: InstrumentID) -> Bar? { place(instrument).flatMap { standings[$0].series.bars.last } }

    /// What the bars hold beside auctions' own bars: told together with those it makes the same minutes elsewhere.
    public func own(_ instrument: InstrumentID) -> [Bar] { place(instrument).map { standings[$0].series.own } ?? [] }

    private func place(_ instrument: InstrumentID) -> Int? { places[instrument.rawValue] }

    /// Takes an event in; returns the bar it changed, as it is now.
    public mutating func apply(_ event: FeedEvent) -> Bar? {
        let outcome: BarOutcome
        let place: Int
        switch event.body {
        case .quote(let quote):
            guard quote.hasLast, quote.hasLastTimeNs, let known = standing(quote.instrument) else { return nil }
            place = known
            outcome = standings[place].add(quote, isPartial: isPartial(quote.lastTimeNs))
        case .trade(let tick):
            guard let known = standing(tick.instrument) else { return nil }
            place = known
            outcome = standings[place].add(tick, isPartial: isPartial(tick.timeNs))
        case .bar(let bar):
            guard bar.period == .minute1, let known = standing(bar.instrument) else { return nil }
            place = known
            outcome = standings[place].take(bar, toldAt: event.time)
        case .book, .phase, .fx, .clock, .past, .feed, .refused: return nil
        }
        switch outcome {
        case .appended, .updated, .corrected: return standings[place].series.changedBar
        case .ignored: return nil
        case .refused:
            refused += 1
            return nil
        }
    }

    /// Whether the minute of that moment began before listening did.
    private func isPartial(_ time: Int64) -> Bool { time - (time % Self.minute + Self.minute) % Self.minute < heardFrom }

    private static let minute: Int64 = 60_000_000_000

    private mutating func standing(_ instrument: UInt32) -> Int? {
        if let place = places[instrument] { return place }
        guard let known = facts.instruments[InstrumentID(instrument)] else { return nil }
        let series = BarSeries(instrument: known, period: .minute1, calendar: facts.calendar, capacity: Self.capacity)
        places[instrument] = standings.count
        standings.append(MinuteStanding(series: series))
        return standings.count - 1
    }
}

/// The minutes of one instrument and what they were made of.
private struct MinuteStanding: Sendable {
    var series: BarSeries
    /// Last prices up to here are in the bars.
    private var until = MarketInstant(nanoseconds: .min)
    /// Trades up to here are in a minute that was told whole.
    private var toldUntil = MarketInstant(nanoseconds: .min)
    private var total = CumulativeVolume()
    /// The source tells every trade by itself: quotes move the price only.
    private var tellsTrades = false
    /// The source tells the size of the last trade: the day's total tells nothing new.
    private var tellsSizes = false

    init(series: BarSeries) { self.series = series }

    /// A last price; the same one told again adds nothing.
    mutating func add(_ quote: Quote, isPartial: Bool) -> BarOutcome {
        let time = MarketInstant(nanoseconds: quote.lastTimeNs)
        tellsSizes = tellsSizes || quote.hasLastSize
        var size = quote.hasLastSize && !tellsTrades ? quote.lastSize : 0
        if !tellsSizes, !tellsTrades, quote.hasVolume, let day = TradingDay(yyyymmdd: quote.tradingDay) {
            size = total.increment(total: quote.volume, day: day)
            // Only the total is newer: traded at the price that is known.
            if time == until, size > 0 { return series.add(print(quote, time, size, isPartial)) }
        }
        guard time > until else { return .ignored }
        until = time
        return series.add(print(quote, time, size, isPartial))
    }

    private func print(_ quote: Quote, _ time: MarketInstant, _ size: Int64, _ isPartial: Bool) -> Bars.Print {
        var print = Bars.Print(time: time, price: quote.last, size: size, provenance: quote.provenance, recordedOn: quote.recordedOn)
        print.isPartial = isPartial
        return print
    }

    mutating func add(_ tick: Tick, isPartial: Bool) -> BarOutcome {
        tellsTrades = true
        let time = MarketInstant(nanoseconds: tick.timeNs)
        guard time > toldUntil else { return .ignored }
        until = max(until, time)
        var print = Bars.Print(time: time, price: tick.price, size: tick.size, provenance: tick.provenance, recordedOn: tick.recordedOn)
        print.isPartial = isPartial
        return series.add(print)
    }

    /// A recorded bar stands for all that was derived until it was told: an auction's print may lie minutes later. Another one holds what
    /// was not told print by print.
    mutating func take(_ bar: Bar, toldAt time: MarketInstant) -> BarOutcome {
        guard bar.provenance == .recorded else {
            until = max(until, time)
            toldUntil = max(toldUntil, time)
            return series.extend(with: bar, through: time)
        }
        let end = max(time, MarketInstant(nanoseconds: bar.startNs).advanced(by: .seconds(60)))
        let through = MarketInstant(nanoseconds: end.nanoseconds - 1)
        until = max(until, through)
        return series.take(bar, through: through)
    }
}
