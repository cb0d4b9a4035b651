public import Exact
public import Instruments
public import Messages
import Portfolio
public import Streams
public import Texts

/// Which of the two market colours a number takes. Colour is never alone: sign and text say the same.
public enum Direction: Hashable, Sendable {
    case up, down, flat, unknown

    /// By change against the previous close.
    public init(last: Price?, previous: Price?) {
        guard let last, let previous else {
            self = .unknown
            return
        }
        self = last > previous ? .up : last < previous ? .down : .flat
    }
}

/// One row of a watchlist, ready to draw: every number as text, what is missing as `—`.
public struct QuoteRow: Hashable, Sendable, Identifiable {
    public var id: InstrumentID
    public var symbol: String
    public var name: String
    /// Of the session's own trades only.
    public var last: String
    /// The close before.
    public var previous: String
    public var change: String
    public var percent: String
    public var volume: String
    public var phase: Text
    public var source: Text
    /// One letter for narrow places.
    public var mark: String
    public var direction: Direction
    /// Set where the price stopped although its market is open: how old it is in market time (B-8).
    public var age: Duration?

    /// `now`: market time. A price older than `staleAfter` in an open market is stale. An unrecorded session is said in place of phase and
    /// source, and shows no price but the close before it: one rule for every list.
    public init(
        _ instrument: Instrument, _ quote: Quote?, _ standing: BookStanding, now: MarketInstant, staleAfter: Duration = .seconds(120),
        in language: Language
    ) {
        let quote = quote?.shown(in: standing)
        let isUnrecorded = if case .unrecorded = standing { true } else { false }
        let last = quote?.lastPrice
        let previous = quote?.previousClosePrice
        id = instrument.id
        symbol = instrument.symbol
        name = Display.name(instrument, in: language)
        // Before the first trade of the day there is no last price: the close before it is called so (C-6).
        self.last = Display.price(last, of: instrument)
        self.previous = Display.price(previous, of: instrument)
        change = Display.change(last, from: previous, of: instrument)
        percent = Display.percent(last, from: previous)
        volume =
            quote.flatMap {
                $0.hasVolume && instrument.isTradable ? NumberFormat.short($0.volume, scale: Quantity.places, in: language) : nil
            }
            ?? Display.missing
        phase = isUnrecorded ? .boardUnrecorded : (quote?.phase ?? .unspecified).text
        source =
            isUnrecorded
            ? .provenanceUnrecorded
            : quote.map { $0.provenance.text(recordedOn: $0.recordedOn, delaySeconds: $0.delaySeconds, level: $0.level) }
                ?? .provenanceUnknown
        mark = quote?.provenance.mark ?? "?"
        direction = Direction(last: last, previous: previous)
        age = isUnrecorded ? nil : quote.flatMap { Self.age($0, now: now, staleAfter: staleAfter) }
    }

    private static func age(_ quote: Quote, now: MarketInstant, staleAfter: Duration) -> Duration? {
        switch quote.phase {
        case .continuous, .night:
            let age = MarketInstant(nanoseconds: quote.timeNs).duration(to: now)
            return age > staleAfter ? age : nil
        default: return nil
        }
    }
}

extension Quote {
    /// Nil where it is not known; never zero for that.
    public var lastPrice: Price? { hasLast ? Price(nanos: last) : nil }
    public var previousClosePrice: Price? { hasPreviousClose ? Price(nanos: previousClose) : nil }
}
