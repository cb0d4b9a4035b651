import Instruments
import Messages
import Streams

extension SyntheticStream {
    /// What has just happened to the instrument; what is told of it follows from it and from the state after it.
    enum Move: Sendable {
        /// Nothing that is told.
        case nothing
        /// The day before is known.
        case begun
        case entered
        case halted
        case resumed
        /// What the auction would give now is another (F-5).
        case indicated
        case matched(Deal)
        /// The book alone moved.
        case shown(TradeSide)
        /// The price of something that is not traded.
        case priced(Deal)
        case traded(Deal)

        /// How many events it is.
        func count(isTradable: Bool) -> UInt64 {
            switch self {
            case .nothing: 0
            case .begun, .indicated, .priced: 1
            case .entered, .resumed, .shown: 2
            case .halted: isTradable ? 4 : 2
            case .traded: 3
            case .matched: 4
            }
        }
    }

    /// How the instrument stands after a move, as far as it is told.
    struct Standing: Sendable {
        var time: Int64
        var last: Int64
        var phase: Phase
        /// Of the day, this one with it.
        var trades: UInt64
        var auctionVolume: Int64
    }

    func standing(_ time: Int64) -> Standing {
        Standing(time: time, last: last, phase: phase, trades: day.ticks, auctionVolume: auctionVolume)
    }

    /// A trade or a price at `last`, and what it is for the day. Size × 10⁻⁸.
    struct Deal: Sendable {
        var size: Int64
        var side: TradeSide
        var isFirst = false
        var isHigh = false
        var isLow = false
    }

    func bodies(_ move: Move, _ time: Int64) -> [FeedEvent.Body] {
        switch move {
        case .nothing: return []
        case .begun:
            var quote = blank(time)
            quote.previousClose = previousClose
            return [.quote(quote)]
        case .entered, .resumed: return told(phase, time)
        case .halted: return told(.halted, time) + (isTradable ? show(emptyBook(time), blank(time)) : [])
        case .indicated: return [.quote(indication(time, last, auctionVolume))]
        case .shown(let side): return show(book(time, side), blank(time))
        case .priced(let deal): return [.quote(price(deal, time))]
        case .traded(let deal): return trade(deal, time)
        case .matched(let deal): return trade(deal, time) + [.quote(indication(time, last, 0))]
        }
    }

    private func told(_ phase: Phase, _ time: Int64) -> [FeedEvent.Body] {
        var quote = blank(time)
        quote.phase = phase
        return [.phase(instrument: instrument.id, phase), .quote(quote)]
    }

    private func indication(_ time: Int64, _ price: Int64, _ volume: Int64) -> Quote {
        var quote = blank(time)
        quote.indicativePrice = price
        quote.indicativeVolume = volume
        return quote
    }

    private func trade(_ deal: Deal, _ time: Int64) -> [FeedEvent.Body] {
        [.trade(tick(time, last, deal.size, deal.side, day.ticks))] + show(book(time, deal.side), price(deal, time))
    }

    func blank(_ time: Int64) -> Quote {
        var quote = Quote()
        quote.instrument = instrument.id.rawValue
        quote.timeNs = time
        quote.tradingDay = grid.day.yyyymmdd
        quote.provenance = .simulated
        quote.level = isTradable ? .depth : .last
        return quote
    }

    /// The last price with what it changes of the day.
    private func price(_ deal: Deal, _ time: Int64) -> Quote {
        var quote = blank(time)
        quote.last = last
        quote.lastTimeNs = time
        if deal.isFirst { quote.open = last }
        if deal.isHigh { quote.high = last }
        if deal.isLow { quote.low = last }
        guard deal.size > 0 else { return quote }
        quote.lastSize = deal.size
        quote.volume = day.volume
        quote.turnover = day.turnover
        return quote
    }

    func tick(_ time: Int64, _ price: Int64, _ size: Int64, _ side: TradeSide, _ number: UInt64) -> Tick {
        var tick = Tick()
        tick.instrument = instrument.id.rawValue
        tick.timeNs = time
        tick.price = price
        tick.size = size
        tick.aggressor = side
        tick.sequence = number
        tick.provenance = .simulated
        return tick
    }

    private func book(_ time: Int64, _ side: TradeSide) -> Book { book(time, side, last: last, turn: day.ticks) }

    /// At a limit nobody stands on one side.
    func book(_ time: Int64, _ side: TradeSide, last: Int64, turn: UInt64) -> Book {
        let (isUp, isDown) = (isRunUp(last), isRunDown(last))
        var book = depth.book(last: last, side: isUp ? .seller : isDown ? .buyer : side, time: time, turn: turn)
        if isUp { book.asks = [] }
        if isDown { book.bids = [] }
        return book
    }

    /// Trading stopped: nobody stands in it.
    func emptyBook(_ time: Int64) -> Book {
        var book = Book()
        book.instrument = instrument.id.rawValue
        book.timeNs = time
        book.provenance = .simulated
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
