import Streams
import Feeds
import Instruments
import Messages

extension BrokerQueue {
    /// Most brokers of one side, as the exchange shows them.
    static let most = 40
    /// Numbers of simulated brokers: 1 to this.
    static let simulatedBrokers: UInt64 = 60

    /// Made up for the orders of a book, the same for the same book: no feed of ours has brokers (F-1, C-8). Nil where the market has no
    /// broker queue.
    init?(simulatedFor book: Book, of instrument: Instrument) {
        guard instrument.market == .xhkg, instrument.isTradable else { return nil }
        self.init()
        self.instrument = book.instrument
        timeNs = book.timeNs
        provenance = .simulated
        bids = Self.levels(book.bids, book.instrument, side: 0)
        asks = Self.levels(book.asks, book.instrument, side: 1)
    }

    private static func levels(_ levels: [BookLevel], _ instrument: UInt32, side: UInt64) -> [BrokerLevel] {
        var left = most
        var made: [BrokerLevel] = []
        for level in levels where left > 0 && level.orders > 0 {
            var random = SeededRandom(seed: UInt64(instrument), side, UInt64(bitPattern: level.price))
            var one = BrokerLevel()
            one.price = level.price
            one.brokers = (0..<min(left, Int(level.orders))).map { _ in UInt32(random.next() % simulatedBrokers) + 1 }
            left -= one.brokers.count
            made.append(one)
        }
        return made
    }
}
