public import Messages
public import Streams

/// What an exchange takes during a phase; what is not known is no `OrderActions` at all.
public struct OrderActions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let entry = OrderActions(rawValue: 1)
    /// New auction orders only.
    public static let auctionEntry = OrderActions(rawValue: 2)
    public static let amend = OrderActions(rawValue: 4)
    public static let cancel = OrderActions(rawValue: 8)
    /// Whether changes are allowed is not known.
    public static let amendUnknown = OrderActions(rawValue: 16)
}

/// A part of a trading day: half-open `start..<end`.
public struct Session: Hashable, Sendable {
    public var phase: Phase
    public var start: MarketInstant
    public var end: MarketInstant
    /// Nil: the tables do not say.
    public var actions: OrderActions?

    public init(phase: Phase, start: MarketInstant, end: MarketInstant, actions: OrderActions? = nil) {
        self.phase = phase
        self.start = start
        self.end = end
        self.actions = actions
    }

    public func contains(_ instant: MarketInstant) -> Bool { start <= instant && instant < end }

    /// Whether trades happen all through it (not only at an auction's end).
    public var isTrading: Bool { phase == .continuous || phase == .night }
}

/// A calendar as the table names it.
public struct CalendarFacts: Hashable, Sendable {
    public var id: CalendarID
    /// Other names of it, in capitals: `HK`, `SEHK`.
    public var also: [String]
    public var names: Instrument.Names
    /// `Asia/Hong_Kong`.
    public var timeZone: String
    /// Days known from data; after `dataTo` they are projected by rule up to `projectedTo`.
    public var dataFrom: TradingDay
    public var dataTo: TradingDay
    public var projectedTo: TradingDay
}

/// A date in a market: what it is, its sessions, and how sure that is.
public struct CalendarDay: Hashable, Sendable {
    public enum Kind: UInt8, Hashable, Sendable {
        case full, short, late, weekend, closed
        /// Closed for a storm.
        case weather

        public var isTrading: Bool { rawValue <= Kind.late.rawValue }
    }

    public enum Certainty: String, Hashable, Sendable {
        /// Two sources or more agree on the day and on its hours.
        case verified
        /// One source, sources that disagree, or hours from memory.
        case unverified
        /// After the data, by rule.
        case projected
    }

    public var date: TradingDay
    public var kind: Kind
    public var certainty: Certainty
    /// In order; the night session that belongs to the day first. Empty on a day without trading; nil where the tables do not know the
    /// hours of a trading day.
    public var sessions: [Session]?
}
