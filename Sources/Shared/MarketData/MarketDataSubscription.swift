import Streams

/// A reader's share of the quote connection; going away ends it.
public final class MarketDataSubscription: AsyncSequence, Sendable {
    public typealias Element = MarketDataUpdate
    private let sequence: ConflatingSequence<MarketDataKey, MarketDataUpdate>
    private let ended: @Sendable () -> Void

    init(sequence: ConflatingSequence<MarketDataKey, MarketDataUpdate>, ended: @escaping @Sendable () -> Void) {
        self.sequence = sequence
        self.ended = ended
    }

    deinit { ended() }

    /// Topics, and minutes of each, that may wait for a reader; one that is further behind is given what waits and then the end.
    static let mostWaiting = 16_384

    /// The reader did not keep up, and lost what came after what waited.
    public var isLagging: Bool { sequence.isOverrun }

    /// Updates replaced by newer ones before they were read.
    public var conflated: UInt64 { sequence.counts.conflated }

    public func makeAsyncIterator() -> Iterator { Iterator(inner: sequence.makeAsyncIterator(), owner: self) }

    public struct Iterator: AsyncIteratorProtocol {
        var inner: ConflatingSequence<MarketDataKey, MarketDataUpdate>.Iterator
        /// Keeps the subscription as long as it is read.
        let owner: MarketDataSubscription
        public mutating func next() async -> MarketDataUpdate? { await inner.next() }
    }
}
