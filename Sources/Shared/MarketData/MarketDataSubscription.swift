import Streams

/// A reader's share of the quote connection; going away ends it.
public final class MarketDataSubscription: AsyncSequence, Sendable {
    public typealias Element = MarketDataUpdate
    private let sequence: ConflatingSequence<QuoteTopic?, MarketDataUpdate>
    private let ended: @Sendable () -> Void

    init(sequence: ConflatingSequence<QuoteTopic?, MarketDataUpdate>, ended: @escaping @Sendable () -> Void) {
        self.sequence = sequence
        self.ended = ended
    }

    deinit { ended() }

    /// Updates replaced by newer ones before they were read.
    public var conflated: UInt64 { sequence.counts.conflated }

    public func makeAsyncIterator() -> Iterator { Iterator(inner: sequence.makeAsyncIterator(), owner: self) }

    public struct Iterator: AsyncIteratorProtocol {
        var inner: ConflatingSequence<QuoteTopic?, MarketDataUpdate>.Iterator
        /// Keeps the subscription as long as it is read.
        let owner: MarketDataSubscription
        public mutating func next() async -> MarketDataUpdate? { await inner.next() }
    }
}
