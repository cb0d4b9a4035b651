import Exact
public import Instruments
public import Messages
import Portfolio
public import Texts

/// An order book ready to draw: level n of both sides beside each other, best first, always `depth` rows so that nothing moves.
public struct BookLadder: Hashable, Sendable {
    public struct Side: Hashable, Sendable {
        public var price: String
        /// Shortened in the language's own units: K/M, 万/亿.
        public var size: String
        public var orders: String
        /// Own working quantity at this price, empty where there is none.
        public var mine: String
    }

    public struct Row: Hashable, Sendable {
        public var bid: Side?
        public var ask: Side?
    }

    public var rows: [Row]
    public var isSimulated: Bool
    public var source: Text

    /// `mine`: the user's own working orders in this instrument.
    public init(_ book: Book?, of instrument: Instrument, depth: Int = 10, mine: [Order] = [], in language: Language) {
        func own(_ side: OrderSide, at price: Int64) -> String {
            var sum: Int64 = 0
            for order in mine where order.isWorking && order.side == side && order.hasLimit && order.limit == price {
                sum = sum.addingReportingOverflow(order.quantity &- order.filled).partialValue
            }
            return sum > 0 ? NumberFormat.short(sum, scale: Quantity.places, in: language) : ""
        }
        func side(_ levels: [BookLevel], _ index: Int, _ kind: OrderSide) -> Side? {
            guard index < levels.count else { return nil }
            let level = levels[index]
            return Side(
                price: Display.price(Price(nanos: level.price), of: instrument),
                size: NumberFormat.short(level.size, scale: Quantity.places, in: language),
                orders: level.orders > 0 ? String(level.orders) : "", mine: own(kind, at: level.price))
        }
        rows = (0..<max(0, depth)).map { Row(bid: side(book?.bids ?? [], $0, .buy), ask: side(book?.asks ?? [], $0, .sell)) }
        isSimulated = book?.provenance == .simulated
        source = book.map { $0.provenance.text(recordedOn: $0.recordedOn) } ?? .provenanceUnknown
    }
}
