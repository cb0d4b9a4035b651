public import Instruments
public import Messages

/// What a consumer asked for: an instrument's snapshot, its book of so many levels, its trades or its running minute.
public struct QuoteTopic: Hashable, Sendable {
    public var instrument: InstrumentID
    public var kind: Kind
    /// Book levels; 0 for other kinds.
    public var depth: Int

    public enum Kind: Hashable, Sendable { case snapshot, book, ticks, minuteBar }

    private init(_ instrument: InstrumentID, _ kind: Kind, depth: Int = 0) {
        self.instrument = instrument
        self.kind = kind
        self.depth = depth
    }

    public static func snapshot(_ instrument: InstrumentID) -> Self { .init(instrument, .snapshot) }
    public static func book(_ instrument: InstrumentID, depth: Int = 10) -> Self { .init(instrument, .book, depth: depth) }
    public static func ticks(_ instrument: InstrumentID) -> Self { .init(instrument, .ticks) }
    public static func minuteBar(_ instrument: InstrumentID) -> Self { .init(instrument, .minuteBar) }

    var message: Topic {
        var topic = Topic()
        topic.instrument = instrument.rawValue
        topic.depth = UInt32(depth)
        topic.kind =
            switch kind {
            case .snapshot: .snapshot
            case .book: .book
            case .ticks: .ticks
            case .minuteBar: .bar1M
            }
        return topic
    }
}

/// What a subscription delivers. Quotes are whole: partial updates are merged before they arrive (F-9).
public enum MarketDataUpdate: Sendable {
    case quote(Quote)
    case book(Book)
    case ticks([Tick])
    case bar(Bar)
    /// How the connection stands, where asked for. What comes after `connected` is fresh: whole again from the server (F-9).
    case status(ConnectionStatus)
    /// How the feed behind the quotes stands, where the status was asked for: at first only where it does not run.
    case feed(FeedInfo)
}

/// What conflates with what in a subscription.
enum MarketDataKey: Hashable, Sendable {
    case topic(QuoteTopic)
    /// Each minute by itself: one that is over is not replaced by the next.
    case bar(QuoteTopic, start: Int64)
    case status, feed
}

extension FeedInfo {
    /// Whether prices come as they should; an older server does not say otherwise.
    public var isRunning: Bool { status == .running || status == .unspecified }

    /// The one of several feeds that a reader has to know of.
    static func worst(_ all: some Sequence<FeedInfo>) -> FeedInfo { all.max { $0.weight < $1.weight } ?? FeedInfo() }

    private var weight: Int {
        switch status {
        case .unspecified, .UNRECOGNIZED: 0
        case .running: 1
        case .paused: 2
        case .ended: 3
        case .stale: 4
        case .stopped: 5
        }
    }
}

/// How a connection stands for the one who looks at it (B-8).
public enum ConnectionStatus: Hashable, Sendable {
    case offline
    case connecting
    case connected
    /// Lost, and being dialled again.
    case reconnecting
    /// Ended by another device, the user or sign-out; nothing is tried.
    case ended
    /// The server speaks no version of ours.
    case updateNeeded
}

extension MarketDataUpdate {
    /// Trades that wait for a slow reader; of more the oldest go.
    static let mostTicks = 10_000

    /// Trades are not replaced by later ones; everything else is.
    @Sendable static func joined(_ waiting: MarketDataUpdate, _ newer: MarketDataUpdate) -> MarketDataUpdate? {
        guard case .ticks(let earlier) = waiting, case .ticks(let later) = newer else { return nil }
        return .ticks(Array((earlier + later).suffix(mostTicks)))
    }
}
