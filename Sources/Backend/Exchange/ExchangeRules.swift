public import Instruments
import Messages
public import Streams
public import Texts

/// The dated tables a decision asks. Their answers go into the journal with the decision.
public struct ExchangeRules: Sendable {
    public var facts: MarketFacts
    public var fees: FeeSchedule
    /// Where prices are replayed: when those of each instrument end, for one that is not here there are none. Nil: more may always come.
    public var feedEnds: [InstrumentID: MarketInstant]?
    private let kinds: [Market: (continuous: OrderKinds, night: OrderKinds)]

    public init(facts: MarketFacts, fees: FeeSchedule, feedEnds: [InstrumentID: MarketInstant]? = nil) {
        self.facts = facts
        self.fees = fees
        self.feedEnds = feedEnds
        kinds = Dictionary(uniqueKeysWithValues: Market.allCases.map { ($0, OrderKinds.taken(facts.orderTypes, $0)) })
    }

    /// What a market takes while it trades (`Data/tables/order-types.csv`); nothing where the table does not tell.
    func kinds(_ market: Market, _ phase: Phase) -> OrderKinds {
        guard let taken = kinds[market] else { return [] }
        return phase == .night ? taken.night : phase == .continuous ? taken.continuous : []
    }

    public init(_ folder: DataFolder) throws(DataFault) {
        self.init(facts: try MarketFacts(folder), fees: try FeeSchedule(folder))
    }

    struct Standing {
        var phase: Phase
        var day: TradingDay
        /// When the session under way began; the moment asked for where there is none.
        var began: MarketInstant
        /// When a day order of that trading day ends: the end of its last continuous session.
        var dayEnds: MarketInstant
        /// Moments, from the one asked for, at which the same holds; empty where that was not worked out.
        var holds: Range<MarketInstant>

        var takesOrders: Bool { phase == .continuous || phase == .night }

        /// Whether what was shown at that market time was shown in the session under way.
        func covers(_ shownNs: Int64) -> Bool { shownNs >= began.nanoseconds }
    }

    /// Whether no price of the instrument can come any more.
    func isFeedOver(_ instrument: Instrument, at now: MarketInstant) -> Bool {
        guard let feedEnds else { return false }
        return feedEnds[instrument.id].map { $0 <= now } ?? true
    }

    func standing(_ instrument: Instrument, at now: MarketInstant) -> Result<Standing, Failure> {
        do throws(CalendarFault) {
            let day = try facts.calendar.tradingDay(instrument.calendar, at: now)
            let sessions = try facts.calendar.sessions(of: instrument, on: day)
            let ends = sessions.filter { [.continuous, .night].contains($0.phase) }.map(\.end).max()
            let session = sessions.first { $0.contains(now) }
            var until = now
            if let session, let next = try? facts.calendar.tradingDay(1, from: day, instrument.calendar),
                let first = try? facts.calendar.sessions(instrument.calendar, of: next).first
            {
                until = max(now, min(session.end, first.start))
            }
            return .success(
                Standing(
                    phase: session?.phase ?? .closed, day: day, began: session?.start ?? now, dayEnds: ends ?? now, holds: now..<until))
        } catch { return .failure(error.failure) }
    }

    /// When orders are taken next, in the exchange's own time: `2026-12-01 09:30 HKT`; `—` where the tables do not say or it has expired.
    func opens(_ instrument: Instrument, after now: MarketInstant) -> String {
        guard let open = try? facts.calendar.nextOpen(instrument.calendar, after: now),
            let day = try? facts.calendar.tradingDay(instrument.calendar, at: open), instrument.isListed(on: day)
        else { return "—" }
        return instrument.clock.minute(open.nanoseconds) + " " + instrument.clock.tag
    }
}

/// The bounds of an account's use of the exchange.
enum ExchangeLimits {
    static let workingOrders = 1000
    /// Board lots an automatch order may have in Hong Kong; elsewhere a bound of ours.
    static let lots: Int64 = 3000
    static let shares: Int64 = 10_000_000
    static let contracts: Int64 = 10_000
    /// Account events kept for `since`.
    static let recentEvents = 10_000
    /// Events of one answer to `since`.
    static let sinceEvents = 2000
    /// Rows of one page of a list, and of a list that was asked for whole.
    static let pageRows = 500
    static let listRows = 1000
}

extension ErrorCode {
    /// The journal ends before what was acknowledged: `path`, `offset`, `missing` (records), `witness` (the file that says so).
    public static let dataIncomplete = ErrorCode("data.incomplete")
    /// There must be a journal and is none: `path`.
    public static let dataJournalMissing = ErrorCode("data.journal-missing")
    /// The order names no trading account of the caller.
    public static let orderAccount = ErrorCode("order.account")
    /// Quantity is not a multiple of the board lot. `lot`.
    public static let orderLot = ErrorCode("order.lot")
    /// The price is not on the tick grid. `price`, and the ticks around it: `below`, `above`.
    public static let orderTick = ErrorCode("order.tick")
    /// Not enough available funds. `currency`, `needed`, `available`.
    public static let orderFunds = ErrorCode("order.funds")
    /// Not enough to sell. `available`.
    public static let orderPosition = ErrorCode("order.position")
    /// The price is too far from the market. `reference`, `lowest` and `highest` valid price allowed now.
    public static let orderPriceBand = ErrorCode("order.price-band")
    /// No such order.
    public static let orderUnknown = ErrorCode("order.unknown")
    /// The order has ended already.
    public static let orderNotWorking = ErrorCode("order.not-working")
    /// This command id was used with other contents.
    public static let orderDuplicateContents = ErrorCode("order.duplicate-contents")
    /// The value is beyond what one order may have.
    public static let orderLimits = ErrorCode("order.limits")
    /// Quantity is outside what an order may have. `maximum`.
    public static let orderSize = ErrorCode("order.size")
    /// The market or account does not take this kind of order. `kind`.
    public static let orderUnsupported = ErrorCode("order.unsupported")
    /// Nothing is shown on the other side to trade with.
    public static let orderNoLiquidity = ErrorCode("order.no-liquidity")
    /// The order could not be filled at once (immediate-or-cancel, fill-or-kill, market).
    public static let orderImmediate = ErrorCode("order.immediate")
    /// The day the order was good for is over.
    public static let orderExpired = ErrorCode("order.expired")
    /// Too many working orders. `maximum`.
    public static let orderTooMany = ErrorCode("order.too-many")
    /// The market takes no orders in this phase. `phase`; `opens`: local time of the exchange with its zone.
    public static let marketClosed = ErrorCode("market.closed")
    /// Trading in the instrument is halted. `symbol`.
    public static let marketHalted = ErrorCode("market.halted")
    /// The market does not take that type of order with that time in force in this phase. `market`; `kind`: a word of the catalogues.
    public static let orderKindNotTaken = ErrorCode("order.kind-not-taken")
    /// The feed has told nothing of the instrument in the session under way: nothing to trade with at once.
    public static let marketNoFeed = ErrorCode("market.no-feed")
    /// Nothing was recorded of the instrument from here on: an order could never fill.
    public static let marketUnrecorded = ErrorCode("market.unrecorded")
    /// The instrument cannot be traded.
    public static let symbolNotTradable = ErrorCode("symbol.not-tradable")
}
