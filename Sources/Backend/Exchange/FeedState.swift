import Feeds
import Instruments
import Messages

/// What the feed has told in this run, and where our orders stand in its queues. Not journalled; books that are made anew in the same run
/// take it over whole.
struct FeedState {
    /// What is shown, less what our users took of it.
    var visible: [UInt32: VisibleBook] = [:]
    var lastPrice: [UInt32: Int64] = [:]
    var previousClose: [UInt32: Int64] = [:]
    /// Market time of the newest book or print.
    private(set) var heardAt: [UInt32: Int64] = [:]
    /// Where the last phase that was told is a halt.
    private(set) var halted: Set<UInt32> = []
    /// The queue before each resting order (nil: unknown, at the back), and before some that have ended.
    var ahead: [UInt64: Int64] = [:]
    private var placesSinceSwept = 0
    /// Orders up to this one are of an earlier run.
    var earlierOrders: UInt64 = 0

    /// What the feed says of moments before an order of this run was placed does not touch it; an order of an earlier run may be from a
    /// later market time.
    func reaches(_ order: Order, at time: Int64) -> Bool { order.orderID <= earlierOrders || order.placedNs <= time }

    /// A resting order takes its place. One that ended keeps it until many have, for its end may come to nothing.
    mutating func queue(_ id: UInt64, _ order: Order, at limit: Int64, isWorking: (UInt64) -> Bool) {
        ahead[id] = visible[order.instrument]?.queue(order.side, at: limit)
        placesSinceSwept += 1
        guard placesSinceSwept > 64, placesSinceSwept > ahead.count / 2 else { return }
        placesSinceSwept = 0
        keepPlaces(of: isWorking)
    }

    mutating func keepPlaces(of isWorking: (UInt64) -> Bool) { ahead = ahead.filter { isWorking($0.key) } }

    /// What was taken of the book still shown by a decision that came to nothing stands there again.
    mutating func giveBack(_ record: JournalRecord) {
        let before: Book
        switch record.input {
        case .place where record.hasVisible: before = record.visible
        case .book(let book): before = book
        default: return
        }
        guard let shown = visible[before.instrument]?.book, shown.timeNs == before.timeNs else { return }
        visible[before.instrument]?.book.bids = Self.larger(shown.bids, before.bids)
        visible[before.instrument]?.book.asks = Self.larger(shown.asks, before.asks)
    }

    private static func larger(_ shown: [BookLevel], _ before: [BookLevel]) -> [BookLevel] {
        guard shown.map(\.price) == before.map(\.price) else { return shown }
        return zip(shown, before).map { $0.size < $1.size ? $1 : $0 }
    }

    mutating func take(_ book: Book) {
        visible[book.instrument] = VisibleBook(book: book, fromBook: true)
        heard(book.instrument, book.timeNs)
    }

    mutating func take(_ tick: Tick) {
        lastPrice[tick.instrument] = tick.price
        heard(tick.instrument, tick.timeNs)
    }

    /// Returns the book of one level it stands for where no book is fed.
    mutating func take(_ quote: Quote) -> Book? {
        if quote.hasLast { lastPrice[quote.instrument] = quote.last }
        if quote.hasPreviousClose { previousClose[quote.instrument] = quote.previousClose }
        if visible[quote.instrument]?.fromBook == true { return nil }
        guard quote.hasBid && quote.hasBidSize || quote.hasAsk && quote.hasAskSize else { return nil }
        var book = visible[quote.instrument]?.book ?? Book()
        book.instrument = quote.instrument
        book.timeNs = quote.timeNs
        book.provenance = quote.provenance
        if quote.hasBid, quote.hasBidSize { book.bids = [BookLevel(quote.bid, quote.bidSize)] }
        if quote.hasAsk, quote.hasAskSize { book.asks = [BookLevel(quote.ask, quote.askSize)] }
        visible[quote.instrument] = VisibleBook(book: book, fromBook: false)
        heard(quote.instrument, quote.timeNs)
        return book
    }

    mutating func take(_ body: FeedEvent.Body) {
        switch body {
        case .book(let book): take(book)
        case .trade(let tick): take(tick)
        case .quote(let quote): _ = take(quote)
        case .phase(let instrument, .halted): halted.insert(instrument.rawValue)
        case .phase(let instrument, _): halted.remove(instrument.rawValue)
        case .clock, .bar, .fx, .past, .feed, .refused: break
        }
    }

    private mutating func heard(_ id: UInt32, _ time: Int64) { heardAt[id] = max(heardAt[id] ?? .min, time) }
}

extension BookLevel {
    init(_ price: Int64, _ size: Int64) {
        self.init()
        self.price = price
        self.size = size
    }
}
