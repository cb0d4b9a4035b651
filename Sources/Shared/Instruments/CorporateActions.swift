public import Exact
public import Streams

/// What a company did to its shares, as of the first day they trade without it.
public struct CorporateAction: Hashable, Sendable {
    public var exDay: TradingDay
    /// Shares afterwards for each share before: 7 where one becomes seven, 1/10 where ten become one, 1 for a dividend.
    public var ratio: Ratio
    /// Cash for each share before, × 10⁻⁹ of the trading currency.
    public var cash: Int64

    public init(exDay: TradingDay, ratio: Ratio = .one, cash: Int64 = 0) {
        self.exDay = exDay
        self.ratio = ratio
        self.cash = cash
    }
}

/// Splits and dividends by instrument (`Data/tables/corporate-actions.csv`), each with the days of which all of its actions are known:
/// prices of other days cannot be put on one scale with them. Days are those on which it happened, not those it is replayed as.
public struct CorporateActions: Sendable {
    /// What is known of one instrument.
    public struct History: Hashable, Sendable {
        public var known: ClosedRange<TradingDay>
        /// Inside `known`, in order; two of one day hold together.
        public var actions: [CorporateAction]

        public init(known: ClosedRange<TradingDay>, actions: [CorporateAction]) {
            self.known = known
            self.actions = actions
        }
    }

    private var histories: [String: History] = [:]

    package static let columns = ["symbol", "kind", "day", "to", "value", "confidence", "note"]

    /// How a row is to be read.
    private enum Kind: String { case known, dividend, split }

    init() {}

    init(_ table: CSVTable, instruments: InstrumentTable) throws(DataFault) {
        var rows: [(symbol: String, kind: Kind, day: TradingDay, row: DatedRow)] = []
        for row in table.entries {
            let symbol = try row.name("symbol")
            // A misspelt symbol would be silently without effect.
            guard instruments.all.contains(where: { $0.symbol == symbol && $0.kind != .index && $0.kind != .future }) else {
                throw row.fault("symbol is \(symbol), which is no share of symbols.csv")
            }
            guard let day = try row.day("day") else { throw row.fault("day is empty") }
            _ = try row.confidence()
            rows.append((symbol, try row.choice("kind", Kind.self), day, row))
        }
        for (symbol, kind, day, row) in rows where kind == .known {
            guard let to = try row.day("to"), day <= to, row.text("value").isEmpty else {
                throw row.fault("known is not from a day to a later one, without a value")
            }
            guard histories.updateValue(History(known: day...to, actions: []), forKey: symbol) == nil else {
                throw row.fault("\(symbol) is known twice")
            }
        }
        var seen: Set<String> = []
        for (symbol, kind, day, row) in rows where kind != .known {
            guard histories[symbol]?.known.contains(day) == true else { throw row.fault("\(day) is in no known days of \(symbol)") }
            guard row.text("to").isEmpty, seen.insert("\(symbol) \(kind) \(day)").inserted else {
                throw row.fault("is there twice, or has a last day")
            }
            histories[symbol]?.actions.append(try Self.action(kind, day, row))
        }
        for symbol in histories.keys { histories[symbol]?.actions.sort { $0.exDay < $1.exDay } }
    }

    /// Most shares one becomes, or so many become one.
    private static let mostShares = 10_000

    private static func action(_ kind: Kind, _ day: TradingDay, _ row: DatedRow) throws(DataFault) -> CorporateAction {
        guard kind == .split else {
            guard let cash = try row.decimal("value", scale: Price.places), (1...1_000_000_000_000_000).contains(cash) else {
                throw row.fault("value is no cash of a share")
            }
            return CorporateAction(exDay: day, cash: cash)
        }
        let parts = row.text("value").split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard parts.count == 2, parts.allSatisfy({ (1...mostShares).contains($0) }), parts[0] != parts[1],
            let ratio = try? Ratio(numerator: Int128(parts[0]), denominator: Int128(parts[1]))
        else { throw row.fault("value is no NEW/OLD of whole shares up to \(mostShares)") }
        return CorporateAction(exDay: day, ratio: ratio)
    }

    /// Nil: nothing is known of it.
    public subscript(instrument: Instrument) -> History? { histories[instrument.symbol] }
}
