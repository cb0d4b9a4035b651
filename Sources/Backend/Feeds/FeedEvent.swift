public import Exact
public import Instruments
public import Messages
public import Streams

/// What any feed says (F-7), in order. Consumers: quote server, exchange, recorder.
public struct FeedEvent: Sendable {
    /// The source's own number; grows by one for each event of that source.
    public var sequence: UInt64
    /// Market time at which it holds.
    public var time: MarketInstant
    public var body: Body

    public enum Body: Sendable {
        /// Fields that changed; `instrument`, `timeNs` and provenance are set.
        case quote(Quote)
        /// The whole visible book.
        case book(Book)
        /// Told before the quote it changes.
        case trade(Tick)
        case phase(instrument: InstrumentID, Phase)
        /// A bar that was recorded whole (history, or the minute that just ended). A minute of another provenance holds what was not told
        /// print by print, and goes on after what was.
        case bar(Bar)
        case fx(FXRate)
        /// The newest trades of an instrument in a time that was not told, in order: known, not news. Nothing is matched against them.
        case past([Tick])
        /// Market time reached `time`; nothing earlier follows in this clock epoch.
        case clock(MarketClockReading)
        /// The feed as a whole stands otherwise than before; it begins as running. Known, not recorded.
        case feed(FeedInfo)
        /// What the source itself did not believe: only counted (F-8).
        case refused(Quarantine.Reason)
    }

    public init(sequence: UInt64, time: MarketInstant, body: Body) {
        self.sequence = sequence
        self.time = time
        self.body = body
    }
}
