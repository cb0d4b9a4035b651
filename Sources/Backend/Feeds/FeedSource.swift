public import Instruments
public import Streams

/// Where `FeedHub` gets its events from (F-7): a value that is asked for what is due. Replay, synthetic feed, recording and live feed are
/// such sources; what they say passes one `FeedFilter`.
public protocol FeedSource: Sendable {
    /// Whose time it follows.
    var pace: FeedPace { get }
    /// The first moment it tells of.
    var origin: MarketInstant { get }
    /// When its last price comes; a live source has no end and says `.max`.
    var end: MarketInstant { get }
    /// The same of each instrument; one that is not here gets no price.
    var ends: [InstrumentID: MarketInstant] { get }
    /// When the next event is due; nil: nothing waits now.
    var nextTime: MarketInstant? { get }
    /// The events up to and including `limit` in order, about `maximum` at most.
    mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent]
    /// Passes over what happens up to and including `limit` in pieces, and says what it leaves behind; nil: it has to be played. The source
    /// stands afterwards where `next` would have left it.
    mutating func pass(to limit: MarketInstant) -> FeedPast?
}

extension FeedSource {
    public mutating func pass(to limit: MarketInstant) -> FeedPast? { nil }
}

/// A piece of a past that was not played: of some instruments all of it, so that the pieces hold each once.
public struct FeedPast: Sendable {
    /// The minutes and the newest trades of an instrument, then its quote and book as they are after it. Numbers and times say nothing.
    public var events: [FeedEvent]
    /// The number of the last event, had they been told.
    public var sequence: UInt64
    /// Nothing is left of it.
    public var isLast: Bool

    public init(events: [FeedEvent], sequence: UInt64, isLast: Bool) {
        (self.events, self.sequence, self.isLast) = (events, sequence, isLast)
    }
}

/// Whose time a source follows.
public enum FeedPace: Hashable, Sendable {
    /// It has all its events and waits for market time: any speed, can be paused and sought, and depends on nothing else.
    case played(TradingDay)
    /// Its events happen now: market time is the wall clock, which nobody sets.
    case live
}
