import Bars
import Instruments
import Messages
import Streams

/// What a stretch of a synthetic instrument's time leaves behind: its minutes, its newest trades, and what its newest quote and book are made
/// from. Taking a move in costs no allocation, and no event is made of it. Used for one instrument after another.
struct SyntheticPast: Sendable {
    /// Of all instruments so far.
    private(set) var moves = 0
    /// How many events the moves were, of all instruments so far.
    private(set) var events: UInt64 = 0
    private var quote = Newest()
    private var minute = Minute()
    private var minutes: [Minute] = []
    private var trades = LastTrades()
    /// Of the instrument under way.
    private var slots: BarGrid?
    private var isTradable = false

    /// What the quote and the book are made from: the newest of each kind.
    private struct Newest: Sendable {
        var time: Int64?
        var isBegun = false
        var phase: Phase?
        /// The last price.
        var price: (value: Int64, time: Int64)?
        var size: Int64?
        var open: Int64?
        var isHigh = false
        var isLow = false
        var indication: (price: Int64, volume: Int64)?
        var book: Shown?
    }

    private struct Shown: Sendable {
        var time: Int64
        var side: TradeSide
        var last: Int64
        var turn: UInt64
        var isEmpty = false
    }

    private struct Minute: Sendable {
        /// Exclusive on both sides: at the ends the calendar decides.
        var start = Int64.max
        var end = Int64.min
        var open: Int64 = 0
        var high: Int64 = 0
        var low: Int64 = 0
        var close: Int64 = 0
        var volume: Int64 = 0
    }

    /// What an instrument's past begins with.
    mutating func begin(_ stream: SyntheticStream) { (slots, isTradable) = (stream.slots, stream.isTradable) }

    /// A move, and how the instrument stands after it.
    mutating func take(_ move: SyntheticStream.Move, _ now: SyntheticStream.Standing) {
        moves += 1
        events += move.count(isTradable: isTradable)
        switch move {
        case .nothing: return
        case .begun: quote.isBegun = true
        case .entered, .resumed: quote.phase = now.phase
        case .halted:
            quote.phase = .halted
            if isTradable { quote.book = Shown(time: now.time, side: .unspecified, last: 0, turn: 0, isEmpty: true) }
        case .indicated: quote.indication = (now.last, now.auctionVolume)
        case .shown(let side): quote.book = Shown(time: now.time, side: side, last: now.last, turn: now.trades)
        case .priced(let deal): add(deal, now)
        case .traded(let deal): trade(deal, now)
        case .matched(let deal):
            trade(deal, now)
            quote.indication = (now.last, 0)
        }
        quote.time = now.time
    }

    private mutating func trade(_ deal: SyntheticStream.Deal, _ now: SyntheticStream.Standing) {
        add(deal, now)
        quote.size = deal.size
        quote.book = Shown(time: now.time, side: deal.side, last: now.last, turn: now.trades)
        trades.add(.init(time: now.time, price: now.last, size: deal.size, side: deal.side, number: now.trades))
    }

    private mutating func add(_ deal: SyntheticStream.Deal, _ now: SyntheticStream.Standing) {
        quote.price = (now.last, now.time)
        if deal.isFirst { quote.open = now.last }
        if deal.isHigh { quote.isHigh = true }
        if deal.isLow { quote.isLow = true }
        if !(minute.start < now.time && now.time < minute.end) { turn(to: now.time, now.last) }
        minute.high = max(minute.high, now.last)
        minute.low = min(minute.low, now.last)
        minute.close = now.last
        minute.volume += deal.size
    }

    /// To the minute a price of that moment belongs to, which may be the same: an auction's does not begin with it.
    private mutating func turn(to time: Int64, _ price: Int64) {
        guard let slots, let place = slots.place(of: MarketInstant(nanoseconds: time)) else {
            preconditionFailure("a price on a day without trading")
        }
        let slot = slots.slot(place)
        if slot.start.nanoseconds == minute.start { return }
        if minute.start != .max { minutes.append(minute) }
        minute = Minute(
            start: slot.start.nanoseconds, end: slot.end.nanoseconds, open: price, high: price, low: price, close: price)
    }

    /// What is known now of the instrument, as events; begins the next one.
    mutating func tell(_ stream: SyntheticStream, _ tell: (FeedEvent.Body) -> Void) {
        defer { (quote, minute) = (Newest(), Minute()) }
        if minute.start != .max { minutes.append(minute) }
        for minute in minutes { tell(.bar(bar(minute, of: stream))) }
        minutes.removeAll(keepingCapacity: true)
        let ticks = trades.take().map { stream.tick($0.time, $0.price, $0.size, $0.side, $0.number) }
        if !ticks.isEmpty { tell(.past(ticks)) }
        guard let time = quote.time else { return }
        let book = quote.book.map { $0.isEmpty ? stream.emptyBook($0.time) : stream.book($0.time, $0.side, last: $0.last, turn: $0.turn) }
        tell(.quote(newest(time, book, of: stream)))
        if let book { tell(.book(book)) }
    }

    private func newest(_ time: Int64, _ book: Book?, of stream: SyntheticStream) -> Quote {
        var told = stream.blank(time)
        if quote.isBegun { told.previousClose = stream.previousClose }
        if let phase = quote.phase { told.phase = phase }
        if let price = quote.price { (told.last, told.lastTimeNs) = (price.value, price.time) }
        if let open = quote.open { told.open = open }
        if quote.isHigh { told.high = stream.day.high }
        if quote.isLow { told.low = stream.day.low }
        if let size = quote.size { (told.lastSize, told.volume, told.turnover) = (size, stream.day.volume, stream.day.turnover) }
        if let indication = quote.indication { (told.indicativePrice, told.indicativeVolume) = indication }
        if let book {
            told.bookProvenance = .simulated
            told.show(book)
        }
        return told
    }

    private func bar(_ minute: Minute, of stream: SyntheticStream) -> Bar {
        var bar = Bar()
        bar.instrument = stream.instrument.id.rawValue
        bar.period = .minute1
        bar.startNs = minute.start
        bar.tradingDay = stream.grid.day.yyyymmdd
        (bar.open, bar.high, bar.low, bar.close) = (minute.open, minute.high, minute.low, minute.close)
        bar.volume = minute.volume
        bar.provenance = .simulated
        return bar
    }
}

/// The newest trades of an instrument: as many as `append(_:keeping:)` would have kept.
struct LastTrades: Sendable {
    struct Trade: Hashable, Sendable {
        var time: Int64
        var price: Int64
        var size: Int64
        var side: TradeSide
        var number: UInt64
    }

    private static let room = 2 * FeedHub.pastTrades
    private var ring: [Trade] = []
    private var count = 0
    private var next = 0

    mutating func add(_ trade: Trade) {
        if ring.count < Self.room { ring.append(trade) } else { ring[next] = trade }
        next = next + 1 == Self.room ? 0 : next + 1
        count += 1
    }

    /// In order; none is left.
    mutating func take() -> [Trade] {
        defer {
            ring.removeAll(keepingCapacity: true)
            (count, next) = (0, 0)
        }
        let most = FeedHub.pastTrades
        let kept = count < Self.room ? count : most + (count - most) % most
        return (ring.count < Self.room ? ring : Array(ring[next...] + ring[..<next])).suffix(kept)
    }
}

extension SyntheticStream {
    /// Everything up to and including `limit` happens, and only `past` hears of it.
    mutating func pass(to limit: Int64, _ past: inout SyntheticPast) {
        guard let first = nextTime, first <= limit else { return }
        past.begin(self)
        while true {
            let other = interruption()
            // What interrupts comes before an update of the same moment.
            let until = min(other?.time ?? .max, limit == .max ? .max : limit + 1)
            if other?.due != .start, !isHalted {
                while let time = updateAt, time < until {
                    let move = update(time)
                    past.take(move, standing(time))
                }
            }
            guard let other, other.time <= limit else { return }
            let move = step(other.due, other.time)
            past.take(move, standing(other.time))
        }
    }
}
