import Exact
import Instruments
import Messages
import Streams

extension SyntheticStream {
    mutating func update(_ time: Int64) -> [FeedEvent.Body] {
        move(time)
        switch phase {
        case .auctionInput, .auctionNoCancel:
            schedule(after: time)
            return indicate(time)
        case .auctionMatching:
            updateAt = nil
            return match(time)
        case .preMarket, .postMarket:
            schedule(after: time)
            return instrument.isTradable ? show(time, .unspecified) : []
        default:
            schedule(after: time)
            let side: TradeSide = random.below(2) == 0 ? .buyer : .seller
            guard instrument.isTradable else { return [.quote(price(time, size: 0))] }
            if random.below(5) < 2 { return show(time, side) }
            let lots: Int64 = 1 + random.below(5) * random.below(5)
            return trade(time, size: lots * instrument.lot.units, isRunUp ? .buyer : isRunDown ? .seller : side)
        }
    }

    var isRunUp: Bool { incident == .limitUp && last == limits.upperBound }
    var isRunDown: Bool { incident == .limitDown && last == limits.lowerBound }

    /// One step of the walk, kept inside the limits and on the grid.
    private mutating func move(_ time: Int64) {
        if !hasMoved {
            hasMoved = true
            if incident == .gap { leap(5, 9) }
        }
        let room = abs(previousClose) / 10
        if trouble.contains(time), incident == .limitUp || incident == .limitDown {
            let target = incident == .limitUp ? limits.upperBound : limits.lowerBound
            exact += (target - exact) / 8
            last = abs(target - exact) <= room / 20 ? target : grid.nearest(exact) ?? last
        } else {
            exact += room / 700 * random.normal16() / 65_536
            exact = min(max(exact, previousClose - room * 9 / 10), previousClose + room * 9 / 10)
            last = grid.nearest(exact) ?? last
        }
    }

    /// Another price by so many per cent, up or down.
    private mutating func leap(_ least: Int64, _ most: Int64) {
        let percent = least + random.below(most - least + 1)
        let room = abs(previousClose) / 10
        exact += abs(previousClose) / 100 * (random.below(2) == 0 ? percent : -percent)
        exact = min(max(exact, previousClose - room * 9 / 10), previousClose + room * 9 / 10)
        last = grid.nearest(exact) ?? last
    }

    /// What the auction would give now (F-5).
    private mutating func indicate(_ time: Int64) -> [FeedEvent.Body] {
        guard instrument.isTradable else { return [] }
        auctionVolume += random.below(20) * instrument.lot.units
        var quote = blank(time)
        quote.indicativePrice = last
        quote.indicativeVolume = auctionVolume
        return [.quote(quote)]
    }

    private mutating func match(_ time: Int64) -> [FeedEvent.Body] {
        guard instrument.isTradable, auctionVolume > 0 else { return [] }
        let size = auctionVolume
        auctionVolume = 0
        var bodies = trade(time, size: size, .unspecified)
        var quote = blank(time)
        quote.indicativePrice = last
        quote.indicativeVolume = 0
        bodies.append(.quote(quote))
        return bodies
    }

    /// Trading stops: nobody stands in the book.
    mutating func halt(_ time: Int64) -> [FeedEvent.Body] {
        isHalted = true
        wasHalted = true
        updateAt = nil
        guard instrument.isTradable else { return told(.halted, time) }
        var empty = Book()
        empty.instrument = instrument.id.rawValue
        empty.timeNs = time
        empty.provenance = .simulated
        return told(.halted, time) + show(empty, blank(time))
    }

    mutating func resume(_ time: Int64) -> [FeedEvent.Body] {
        isHalted = false
        leap(2, 6)
        schedule(after: time)
        return told(phase, time)
    }

    func blank(_ time: Int64) -> Quote {
        var quote = Quote()
        quote.instrument = instrument.id.rawValue
        quote.timeNs = time
        quote.tradingDay = grid.day.yyyymmdd
        quote.provenance = .simulated
        quote.level = instrument.isTradable ? .depth : .last
        return quote
    }

    /// The last price with what it changes of the day.
    private mutating func price(_ time: Int64, size: Int64) -> Quote {
        var quote = blank(time)
        quote.last = last
        quote.lastTimeNs = time
        if day.high == .min { quote.open = last }
        if last > day.high {
            day.high = last
            quote.high = last
        }
        if last < day.low {
            day.low = last
            quote.low = last
        }
        guard size > 0 else { return quote }
        day.ticks += 1
        day.volume += size
        // nanos × units / 10¹¹ = micros
        let value = Int128(last) * Int128(size) * Int128(instrument.multiplier) / 100_000_000_000
        day.turnover = Int64(clamping: Int128(day.turnover) + value)
        quote.lastSize = size
        quote.volume = day.volume
        quote.turnover = day.turnover
        return quote
    }

    private mutating func trade(_ time: Int64, size: Int64, _ side: TradeSide) -> [FeedEvent.Body] {
        let quote = price(time, size: size)
        var tick = Tick()
        tick.instrument = instrument.id.rawValue
        tick.timeNs = time
        tick.price = last
        tick.size = size
        tick.aggressor = side
        tick.sequence = day.ticks
        tick.provenance = .simulated
        return [.trade(tick)] + show(book(time, side), quote)
    }

    private mutating func show(_ time: Int64, _ side: TradeSide) -> [FeedEvent.Body] { show(book(time, side), blank(time)) }

    /// At a limit nobody stands on one side.
    private func book(_ time: Int64, _ side: TradeSide) -> Book {
        var book = depth.book(last: last, side: isRunUp ? .seller : isRunDown ? .buyer : side, time: time, turn: day.ticks)
        if isRunUp { book.asks = [] }
        if isRunDown { book.bids = [] }
        return book
    }

    /// A side where nobody stands has the size 0 and no price.
    private func show(_ book: Book, _ quote: Quote) -> [FeedEvent.Body] {
        var quote = quote
        quote.bookProvenance = .simulated
        quote.show(book)
        return [.quote(quote), .book(book)]
    }
}
