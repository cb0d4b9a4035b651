import Exact
import Feeds
import Instruments
import Messages

/// The first instruments by what their quotes say (F-4). Compared exactly; equal ones in order of id.
struct Ranking {
    let kind: RankingKind
    let markets: Set<Market>
    let kinds: Set<Instrument.Kind>
    let count: Int

    /// Most instruments of one answer.
    static let most = 100

    /// Nil: the query names what is no ranking or no market, or asks for none or too many.
    init?(_ query: RankingQuery) {
        switch query.kind {
        case .gainers, .losers, .turnover, .volume, .amplitude: kind = query.kind
        case .unspecified, .UNRECOGNIZED: return nil
        }
        let markets = query.markets.map { Market(rawValue: $0) }
        let kinds = query.kinds.map { Instrument.Kind($0) }
        guard 1...Self.most ~= Int(query.count), !markets.contains(nil), !kinds.contains(nil) else { return nil }
        self.markets = Set(markets.compactMap { $0 })
        self.kinds = Set(kinds.compactMap { $0 })
        count = Int(query.count)
    }

    /// A figure to compare: `numerator` / `denominator`, which is positive.
    private struct Figure {
        var numerator: Int128
        var denominator: Int128

        static func > (a: Figure, b: Figure) -> Bool { a.numerator * b.denominator > b.numerator * a.denominator }
    }

    func first(of state: FeedState, _ table: InstrumentTable) -> [Quote] {
        let rates = FXTable(state.rates)
        var factors: [Currency: Ratio] = [:]
        // A currency without a rate is left out of what is compared in money.
        for currency in [Currency.hkd, .usd, .cny] { factors[currency] = try? rates.factor(from: currency, to: .hkd) }
        var ranked: [(figure: Figure, quote: Quote)] = []
        for quote in state.quotes.values {
            guard let instrument = table[InstrumentID(quote.instrument)], markets.isEmpty || markets.contains(instrument.market),
                kinds.isEmpty || kinds.contains(instrument.kind), let figure = figure(quote, instrument, factors)
            else { continue }
            func isBefore(_ other: (figure: Figure, quote: Quote)) -> Bool {
                if figure > other.figure { return true }
                return other.figure > figure ? false : quote.instrument < other.quote.instrument
            }
            if ranked.count == count, let last = ranked.last, !isBefore(last) { continue }
            ranked.insert((figure, quote), at: ranked.firstIndex(where: isBefore) ?? ranked.endIndex)
            if ranked.count > count { ranked.removeLast() }
        }
        return ranked.map(\.quote)
    }

    /// Nil: the quote lacks what is compared.
    private func figure(_ quote: Quote, _ instrument: Instrument, _ factors: [Currency: Ratio]) -> Figure? {
        // An index has a change but no volume.
        let hasTraded = instrument.kind == .index || quote.hasVolume && quote.volume > 0
        let base = quote.hasPreviousClose && quote.previousClose > 0 ? Int128(quote.previousClose) : nil
        switch kind {
        case .gainers, .losers:
            guard let base, quote.hasLast, hasTraded else { return nil }
            let change = Int128(quote.last) - base
            let way = kind == .gainers ? change : -change
            return way > 0 ? Figure(numerator: way, denominator: base) : nil
        case .amplitude:
            guard let base, quote.hasHigh, quote.hasLow, hasTraded else { return nil }
            return Figure(numerator: Int128(quote.high) - Int128(quote.low), denominator: base)
        case .volume:
            guard quote.hasVolume, quote.volume > 0 else { return nil }
            return Figure(numerator: Int128(quote.volume), denominator: 1)
        case .turnover:
            guard quote.hasTurnover, quote.turnover > 0, let factor = factors[instrument.currency] else { return nil }
            // In whole millionths, which keeps the comparison within 128 bits.
            return Figure(numerator: Int128(quote.turnover) * factor.numerator / factor.denominator, denominator: 1)
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
