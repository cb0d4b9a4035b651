import Exact
package import Instruments
import Messages
package import Streams

/// Turns what Finnhub says of its symbols into feed events, live and of level `last`. A value. What cannot be true is told as it came, for
/// the one filter to refuse and count (F-8), and changes nothing here.
package struct FinnhubPrices: Sendable {
    /// What was told of a symbol. Prices × 10⁻⁹, times in nanoseconds.
    private struct Told: Sendable {
        let instrument: Instrument
        var last: Int64?
        var lastAt = Int64.min
        /// The trading day the other figures are of.
        var day: TradingDay?
        var open: Int64?
        var high: Int64?
        var low: Int64?
        var ticks: UInt64 = 0
        var ticksDay: TradingDay?
        var jump = PriceJump()
        /// The same of answers, which come seldom.
        var answerJump = PriceJump()
        /// Trades far from the last price, until others confirm them.
        var held: [Held] = []
        /// Quotes of one instrument never go back in time.
        var at = Int64.min
    }

    private struct Held: Sendable {
        var trade: FinnhubTrade
        var time: Int64
        var day: TradingDay
    }

    /// The regular session of a trading day.
    package struct Hours: Hashable, Sendable {
        package var day: TradingDay
        package var open: MarketInstant
        package var close: MarketInstant

        package init(day: TradingDay, open: MarketInstant, close: MarketInstant) {
            self.day = day
            self.open = open
            self.close = close
        }
    }

    private let facts: MarketFacts
    private var told: [Told]
    private let places: [String: Int]
    private var sequence: UInt64 = 0
    /// Trades of symbols nobody asked for.
    package private(set) var unknown: UInt64 = 0
    /// Trades before the session or after it, which are not of its figures.
    package private(set) var outside: UInt64 = 0

    /// An answer's last price is at most this old: a long weekend and a market that was halted for days.
    private static let oldestAnswer: Int64 = 30 * 86_400_000_000_000
    private static let millisecond: Int64 = 1_000_000

    /// Of those of `instruments` that are listed on US stock exchanges.
    package init(_ instruments: [Instrument], facts: MarketFacts) {
        self.facts = facts
        told = instruments.filter { $0.market.isUnitedStates && $0.isTradable }.map { Told(instrument: $0) }
        places = Dictionary(told.enumerated().map { ($1.instrument.code, $0) }) { first, _ in first }
    }

    /// As Finnhub names them: `AAPL`, `BRK.B`.
    package var names: [String] { told.map(\.instrument.code) }

    /// Each trade as a tick and a price, in the order of their times; a late one moves no price.
    package mutating func trades(_ trades: [FinnhubTrade], _ hours: Hours, now: MarketInstant) -> [FeedEvent] {
        var events: [FeedEvent] = []
        let ordered = trades.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
        for (_, trade) in ordered {
            guard let place = places[trade.symbol] else {
                unknown += 1
                continue
            }
            let (time, overflow) = trade.time.multipliedReportingOverflow(by: Self.millisecond)
            take(trade, overflow ? .max : time, place, hours, now, &events)
        }
        return events
    }

    private mutating func take(
        _ trade: FinnhubTrade, _ time: Int64, _ place: Int, _ hours: Hours, _ now: MarketInstant, _ events: inout [FeedEvent]
    ) {
        let possible = now.nanoseconds - FeedFilter.oldest...now.nanoseconds + FeedFilter.skew
        if possible.contains(time), time < hours.open.nanoseconds || time >= hours.close.nanoseconds {
            outside += 1
            return
        }
        let isSound = possible.contains(time) && isValid(trade.price.nanos, place, hours.day)
        guard isSound else {
            if trade.size.isZero {
                refuse(place, last: trade.price.nanos, at: time, &events)
            } else {
                append(.trade(tick(trade, time, place, hours.day, false)), time, &events)
            }
            return
        }
        judge(Held(trade: trade, time: time, day: hours.day), place, now, &events)
    }

    /// Tells a trade, and with it what it confirms; or holds it back.
    private mutating func judge(_ trade: Held, _ place: Int, _ now: MarketInstant, _ events: inout [FeedEvent]) {
        if let held = told[place].held.first, held.day != trade.day {
            drop(place, &events)
            told[place].jump = PriceJump()
        }
        switch told[place].jump.judge(trade.trade.price.nanos, after: told[place].last) {
        case .sound: drop(place, &events)
        case .held(let isFirst):
            if isFirst { drop(place, &events) }
            told[place].held.append(trade)
            return
        case .confirmed:
            let held = told[place].held
            told[place].held = []
            for trade in held { tell(trade, place, now, &events) }
        }
        tell(trade, place, now, &events)
    }

    /// What was held was wrong.
    private mutating func drop(_ place: Int, _ events: inout [FeedEvent]) {
        let held = told[place].held
        told[place].held = []
        for trade in held { append(.refused(.farOff), trade.time, &events) }
    }

    private mutating func tell(_ sound: Held, _ place: Int, _ now: MarketInstant, _ events: inout [FeedEvent]) {
        let (trade, time) = (sound.trade, sound.time)
        if !trade.size.isZero { append(.trade(tick(trade, time, place, sound.day, true)), time, &events) }
        // The source tells whole milliseconds. Trades of one millisecond stay apart, in their order.
        let latest = told[place].lastAt
        guard latest == .min || time >= latest - latest % Self.millisecond, opens(place, sound.day) else { return }
        var quote = blank(place, sound.day, now)
        quote.last = trade.price.nanos
        quote.lastTimeNs = latest == .min ? time : max(time, latest + 1)
        if !trade.size.isZero { quote.lastSize = trade.size.units }
        move(place, &quote, sound.day)
        append(.quote(quote), quote.timeNs, &events)
    }

    /// Whether a price of that day may stand beside the figures told: no price of today beside the close of the day before yesterday.
    private func opens(_ place: Int, _ day: TradingDay) -> Bool {
        guard let known = told[place].day, known != day else { return true }
        let before = try? facts.calendar.tradingDay(-1, from: day, told[place].instrument.calendar)
        return known == before && told[place].last != nil
    }

    /// A trade's price widens the day's range where that is known, and opens a day that follows one told.
    private mutating func move(_ place: Int, _ quote: inout Quote, _ day: TradingDay) {
        let price = quote.last
        if let known = told[place].day, known != day, let close = told[place].last {
            // This feed was there before the open, so its first trade is the day's first.
            quote.previousClose = close
            (quote.open, quote.high, quote.low) = (price, price, price)
            (told[place].open, told[place].high, told[place].low) = (price, price, price)
            told[place].day = day
        } else if told[place].day == day {
            if let high = told[place].high, price > high { (told[place].high, quote.high) = (price, price) }
            if let low = told[place].low, price < low { (told[place].low, quote.low) = (price, price) }
        }
        (told[place].last, told[place].lastAt) = (price, quote.lastTimeNs)
    }

    /// The answer for the symbol with that name: figures of the day, and the last price where no newer one is known.
    package mutating func quote(_ answer: FinnhubQuote, of name: String, now: MarketInstant) -> [FeedEvent] {
        guard let place = places[name] else { return [] }
        var events: [FeedEvent] = []
        let (product, overflow) = answer.time.multipliedReportingOverflow(by: 1_000_000_000)
        let time = overflow ? .max : product
        let possible = now.nanoseconds - Self.oldestAnswer...now.nanoseconds + FeedFilter.skew
        guard possible.contains(time), let day = day(place, time), isValid(answer.last.nanos, place, day) else {
            refuse(place, last: answer.last.nanos, at: time, &events)
            return events
        }
        // An answer of a day before the one that trades already.
        if let known = told[place].day, day < known { return [] }
        if case .held = told[place].answerJump.judge(answer.last.nanos, after: told[place].last) {
            append(.refused(.farOff), time, &events)
            return events
        }
        var quote = blank(place, day, now)
        if time > told[place].lastAt {
            (quote.last, quote.lastTimeNs) = (answer.last.nanos, time)
            (told[place].last, told[place].lastAt) = (answer.last.nanos, time)
        }
        if !fill(place, &quote, answer, day) { refuse(place, figuresOf: answer, day, &events) }
        append(.quote(quote), quote.timeNs, &events)
        return events
    }

    /// The figures that can be; false: some cannot.
    private mutating func fill(_ place: Int, _ quote: inout Quote, _ answer: FinnhubQuote, _ day: TradingDay) -> Bool {
        let figures = [answer.open, answer.high, answer.low].map { $0?.nanos }
        let sound = figures.map { $0.flatMap { isValid($0, place, day) ? $0 : nil } }
        if told[place].day != day { (told[place].open, told[place].high, told[place].low) = (nil, nil, nil) }
        told[place].day = day
        if let close = answer.previousClose { quote.previousClose = close.nanos }
        if let high = sound[1], let low = sound[2], high < low { return false }
        if let open = sound[0] { (told[place].open, quote.open) = (open, open) }
        // An answer is a little older than the stream: the last price is in the range.
        let last = told[place].lastAt > 0 && self.day(place, told[place].lastAt) == day ? told[place].last : nil
        if let answered = sound[1] {
            let high = last.map { max($0, answered) } ?? answered
            (told[place].high, quote.high) = (high, high)
        }
        if let answered = sound[2] {
            let low = last.map { min($0, answered) } ?? answered
            (told[place].low, quote.low) = (low, low)
        }
        return zip(figures, sound).allSatisfy { ($0 == nil) == ($1 == nil) }
    }

    private func day(_ place: Int, _ time: Int64) -> TradingDay? {
        try? facts.calendar.localDate(told[place].instrument.calendar, at: MarketInstant(nanoseconds: time))
    }

    private func isValid(_ price: Int64, _ place: Int, _ day: TradingDay) -> Bool {
        price > 0 && facts.ticks.grid(told[place].instrument.tickTable, on: day)?.isValid(price) ?? false
    }

    private mutating func tick(_ trade: FinnhubTrade, _ time: Int64, _ place: Int, _ day: TradingDay, _ isSound: Bool) -> Tick {
        if told[place].ticksDay != day { (told[place].ticksDay, told[place].ticks) = (day, 0) }
        if isSound { told[place].ticks += 1 }
        var tick = Tick()
        tick.instrument = told[place].instrument.id.rawValue
        tick.timeNs = time
        tick.price = trade.price.nanos
        tick.size = trade.size.units
        tick.sequence = told[place].ticks
        tick.provenance = .live
        return tick
    }

    /// A quote without figures, at a time that never goes back.
    private mutating func blank(_ place: Int, _ day: TradingDay, _ now: MarketInstant) -> Quote {
        told[place].at = max(told[place].at, now.nanoseconds)
        var quote = label(place, at: told[place].at)
        quote.tradingDay = day.yyyymmdd
        return quote
    }

    private func label(_ place: Int, at time: Int64) -> Quote {
        var quote = Quote()
        quote.instrument = told[place].instrument.id.rawValue
        quote.timeNs = time
        quote.provenance = .live
        quote.level = .last
        return quote
    }

    /// Tells a price that cannot be, at the time that came with it.
    private mutating func refuse(_ place: Int, last: Int64, at time: Int64, _ events: inout [FeedEvent]) {
        var quote = label(place, at: time)
        (quote.last, quote.lastTimeNs) = (last, time)
        append(.quote(quote), time, &events)
    }

    /// Tells figures of a day that cannot be.
    private mutating func refuse(_ place: Int, figuresOf answer: FinnhubQuote, _ day: TradingDay, _ events: inout [FeedEvent]) {
        var quote = label(place, at: told[place].at)
        if let open = answer.open { quote.open = open.nanos }
        if let high = answer.high { quote.high = high.nanos }
        if let low = answer.low { quote.low = low.nanos }
        append(.quote(quote), quote.timeNs, &events)
    }

    private mutating func append(_ body: FeedEvent.Body, _ time: Int64, _ events: inout [FeedEvent]) {
        sequence += 1
        events.append(FeedEvent(sequence: sequence, time: MarketInstant(nanoseconds: time), body: body))
    }
}
