public import Exact
public import Streams

/// One row of the symbol table (H-5).
public struct Instrument: Hashable, Sendable, Identifiable {
    public var id: InstrumentID
    public var market: Market
    /// As the exchange writes it: `00700`, `AAPL`, `HSI2612`.
    public var code: String
    /// Canonical text: `700.HK`, `AAPL.US`, `HSI2612.HKFE`.
    public var symbol: String
    public var kind: Kind
    public var currency: Currency
    public var names: Names
    /// Board lot. Orders are whole lots; in the US a lot here is one share.
    public var lot: Quantity
    /// Currency per point of price per share or contract: 1 for stocks, 50 for HSI.
    public var multiplier: Int64
    /// Decimals shown.
    public var decimals: Int
    /// Name of its table in `Data/tables/ticks.csv`.
    public var tickTable: String
    /// First and last day of the listing; nil is open.
    public var listedFrom: TradingDay?
    public var listedTo: TradingDay?
    /// Futures only.
    public var future: Future?
    public var successor: InstrumentID?

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case stock, etf, future, index, reit
        /// Preferred shares.
        case preferred
        /// Shares and warrants sold as one.
        case unit
        case right
        /// A company's own warrant.
        case warrant
        /// Derivative warrants, bull and bear contracts, inline warrants.
        case structured
        /// Bonds and listed notes.
        case debt
    }

    public struct Names: Hashable, Sendable {
        public var english: String
        public var simplified: String
        public var traditional: String
        public init(english: String, simplified: String, traditional: String) {
            self.english = english
            self.simplified = simplified
            self.traditional = traditional
        }
    }

    public struct Future: Hashable, Sendable {
        /// `HSI`, `ES`.
        public var product: String
        /// Last trading day.
        public var expiry: TradingDay
        /// Minute of the last trading day, local time of the exchange, at which trading ends; nil: the usual close.
        public var lastMinute: Int?
        /// Per contract; a dated sample, never today's.
        public var initialMargin: Money
        public var maintenanceMargin: Money

        public init(product: String, expiry: TradingDay, lastMinute: Int?, initialMargin: Money, maintenanceMargin: Money) {
            self.product = product
            self.expiry = expiry
            self.lastMinute = lastMinute
            self.initialMargin = initialMargin
            self.maintenanceMargin = maintenanceMargin
        }
    }

    public init(
        id: InstrumentID, market: Market, code: String, symbol: String, kind: Kind, currency: Currency, names: Names, lot: Quantity,
        multiplier: Int64, decimals: Int, tickTable: String, listedFrom: TradingDay? = nil, listedTo: TradingDay? = nil,
        future: Future? = nil, successor: InstrumentID? = nil
    ) {
        self.id = id
        self.market = market
        self.code = code
        self.symbol = symbol
        self.kind = kind
        self.currency = currency
        self.names = names
        self.lot = lot
        self.multiplier = multiplier
        self.decimals = decimals
        self.tickTable = tickTable
        self.listedFrom = listedFrom
        self.listedTo = listedTo
        self.future = future
        self.successor = successor
    }

    /// An index is only shown.
    public var isTradable: Bool { kind != .index }

    /// The sessions and holidays it follows.
    public var calendar: CalendarID {
        switch market {
        case .xhkg: .hongKong
        case .xnas, .xnys, .arcx, .xase, .bats, .iexg: .unitedStates
        case .xhkf: .hongKongFutures
        case .xcme: future?.product == "6E" ? .cmeCurrencies : .cmeEquityIndices
        case .xcbt: future?.product == "YM" ? .cmeEquityIndices : .cbotInterestRates
        case .xnym: .nymexEnergy
        case .xcec: .comexMetals
        case .xsge: Self.shanghaiNight(future?.product)
        case .ccfx: .chinaFinancialFutures
        case .indx: currency == .hkd ? .hongKongIndices : .unitedStatesIndices
        }
    }

    /// By the end of the night session: gold and silver 02:30, the other non-ferrous metals 01:00, the rest 23:00.
    private static func shanghaiNight(_ product: String?) -> CalendarID {
        switch product?.lowercased() {
        case "au", "ag": .shanghaiFuturesTo0230
        case "cu", "al", "zn", "pb", "ni", "sn", "ss", "ao", "ad": .shanghaiFuturesTo0100
        default: .shanghaiFutures
        }
    }

    /// Whether its price is a percentage of its face value, not money a unit: debt as Hong Kong quotes it.
    public var isQuotedInPercent: Bool { kind == .debt && market == .xhkg }

    /// Whether it is listed, and not expired, on that day.
    public func isListed(on day: TradingDay) -> Bool {
        if let listedFrom, day < listedFrom { return false }
        if let listedTo, day > listedTo { return false }
        if let future, day > future.expiry { return false }
        return true
    }
}
