public import Exact
public import Instruments
public import Markets
public import Messages
public import Portfolio
public import Streams
public import Texts
public import Trade

/// Everything the board shows, as one value; the source conflates to a few a second.
public struct DeskData: Sendable {
    /// The watchlist, in its order.
    public var instruments: [Instrument]
    /// Every instrument known, for orders and positions outside the watchlist.
    public var table: InstrumentTable
    public var ticks: TickTables
    public var tradingDay: TradingDay
    /// Tells when a closed market opens; nil: nothing is said of that.
    public var calendar: MarketCalendar?
    public var quotes: [InstrumentID: Quote] = [:]
    public var books: [InstrumentID: Book] = [:]
    public var positions: [Position] = []
    public var securitiesFunds: [FundsLine] = []
    public var futuresFunds: [FundsLine] = []
    /// Nil: tickets show their cost before fees.
    public var fees: FeeSchedule?
    /// Newest first.
    public var orders: [Order] = []
    public var rates = ReferenceRates()
    public var quoteLink: LinkState = .connecting
    public var tradeLink: LinkState = .connecting
    /// Nil before the server has said it: no time is shown then.
    public var clock: MarketClockReading?

    public init(instruments: [Instrument], table: InstrumentTable, ticks: TickTables, tradingDay: TradingDay) {
        self.instruments = instruments
        self.table = table
        self.ticks = ticks
        self.tradingDay = tradingDay
    }

    /// What the account has to trade an instrument with.
    func means(_ instrument: Instrument) -> TradingMeans {
        let day = clock.flatMap { reading in calendar.flatMap { try? $0.tradingDay(instrument.calendar, at: reading.time) } }
        let lost = ProfitAndLoss.floatingLoss(positions, in: instrument.currency, table) { id in
            quotes[id].flatMap { $0.lastPrice ?? $0.previousClosePrice }
        }
        return TradingMeans(
            funds: instrument.future == nil ? securitiesFunds : futuresFunds, floatingLoss: lost, positions: positions, orders: orders,
            fees: fees,
            day: day ?? tradingDay)
    }
}

/// What happened that nobody on the board asked for just now.
public enum DeskNews: Hashable, Sendable {
    /// The end of an order, or of a cancel, that was told as unknown before.
    case orderResolved(OrderOutcome)
    case cancelResolved(OrderOutcome)
    /// The gateway ended the trading session of a counter; nothing logs in again by itself (D-5).
    case sessionEnded(counter: Text)
    /// Another device logged in on the counter, of that kind where it was told.
    case loggedInElsewhere(counter: Text, platform: String?)
    /// Another device took the trade connection's place.
    case kicked
}

/// What the board stands on: a stream of what to show and the commands it may give.
public struct DeskSession: Sendable {
    public struct Placement: Hashable, Sendable {
        public var instrument: InstrumentID
        public var side: OrderSide
        public var type: OrderType
        public var quantity: Quantity
        public var limit: Price?
    }

    public var updates: AsyncStream<DeskData>
    public var news: AsyncStream<DeskNews>
    /// Sends one order; the outcome is one of four, an `unknown` one is followed by `orderResolved` in the news.
    public var place: @Sendable (Placement) async -> OrderOutcome
    public var cancel: @Sendable (_ order: Order) async -> OrderOutcome
    /// Moves the replay to its next session; the time it is then, or why not.
    public var nextSession: @Sendable () async -> Result<MarketInstant, Failure>
    /// Keeps what was chosen for the next start; why it cannot.
    public var keep: @Sendable (BoardState.Choice) -> Failure?

    public init(
        updates: AsyncStream<DeskData>, news: AsyncStream<DeskNews>, place: @escaping @Sendable (Placement) async -> OrderOutcome,
        cancel: @escaping @Sendable (_ order: Order) async -> OrderOutcome,
        nextSession: @escaping @Sendable () async -> Result<MarketInstant, Failure>,
        keep: @escaping @Sendable (BoardState.Choice) -> Failure?
    ) {
        self.updates = updates
        self.news = news
        self.place = place
        self.cancel = cancel
        self.nextSession = nextSession
        self.keep = keep
    }
}
