public import Accounts
import Diagnostics
public import Exact
public import Feeds
public import HTTP
public import Instruments
public import Streams
public import Texts

/// What the gateway asks of the other services. Live closures come from the server's composition root.
public struct GatewaySources: Sendable {
    public var name: @Sendable (_ account: String) throws(Failure) -> String?
    public var quoteCredential: @Sendable (Principal) throws(Failure) -> (value: String, expiresIn: Int64)
    public var tradingAccounts: @Sendable (_ account: String) -> [AccountInfo.TradingAccount]
    public var instruments: @Sendable () -> InstrumentTable
    /// The last trade, its market time and the day it was recorded on; nil where none is known.
    public var lastPrice: @Sendable (InstrumentID) -> LastPrice?
    /// The symbol database's release, and the lines of one block; both throw where the server has none.
    public var symbolRelease: @Sendable () throws(Failure) -> SymbolReleaseInfo
    public var symbolBlock: @Sendable (UInt32) throws(Failure) -> SymbolBlockRows
    public var rates: @Sendable () -> [FXFixing]
    public var clock: @Sendable () -> MarketClockReading
    public var marketDate: TradingDay
    /// Where clients find quotes and trade; `host` is what the request named.
    public var quoteNodes: @Sendable (_ host: String) -> [AccountInfo.Node]
    public var tradeURL: @Sendable (_ host: String) -> String

    public init(
        name: @escaping @Sendable (_ account: String) throws(Failure) -> String?,
        quoteCredential: @escaping @Sendable (Principal) throws(Failure) -> (value: String, expiresIn: Int64),
        tradingAccounts: @escaping @Sendable (_ account: String) -> [AccountInfo.TradingAccount],
        instruments: @escaping @Sendable () -> InstrumentTable, lastPrice: @escaping @Sendable (InstrumentID) -> LastPrice?,
        symbolRelease: @escaping @Sendable () throws(Failure) -> SymbolReleaseInfo = { () throws(Failure) in
            throw Failure(.symbolsNone)
        },
        symbolBlock: @escaping @Sendable (UInt32) throws(Failure) -> SymbolBlockRows = { _ throws(Failure) in throw Failure(.symbolsNone) },
        rates: @escaping @Sendable () -> [FXFixing], clock: @escaping @Sendable () -> MarketClockReading, marketDate: TradingDay,
        quoteNodes: @escaping @Sendable (_ host: String) -> [AccountInfo.Node], tradeURL: @escaping @Sendable (_ host: String) -> String
    ) {
        self.name = name
        self.quoteCredential = quoteCredential
        self.tradingAccounts = tradingAccounts
        self.instruments = instruments
        self.lastPrice = lastPrice
        self.symbolRelease = symbolRelease
        self.symbolBlock = symbolBlock
        self.rates = rates
        self.clock = clock
        self.marketDate = marketDate
        self.quoteNodes = quoteNodes
        self.tradeURL = tradeURL
    }
}

/// A last price with what it is worth: its time, and the recording's day where it comes from one.
public struct LastPrice: Hashable, Sendable {
    public var price: Price
    public var time: MarketInstant
    public var recordedOn: TradingDay?
    /// `recorded`, `derived`, `simulated`, `live` or `delayed`.
    public var provenance: String

    public init(price: Price, time: MarketInstant, recordedOn: TradingDay?, provenance: String) {
        self.price = price
        self.time = time
        self.recordedOn = recordedOn
        self.provenance = provenance
    }
}

/// Account info, last prices, symbols, rates and what a start needs (B-13).
public struct BusinessGateway: Sendable {
    private let sources: GatewaySources

    public init(_ sources: GatewaySources) { self.sources = sources }

    public func addRoutes(to router: inout Router) {
        let sources = sources
        router.serve(AccountEndpoints.account) { context, _ throws(Failure) in
            try Self.account(sources, try context.caller(), host: context.headers["host"] ?? "127.0.0.1")
        }
        router.serve(GatewayEndpoints.lastPrice) { _, input throws(Failure) in
            let instrument = try sources.instruments().resolve(input.symbol, on: sources.marketDate).get()
            guard let last = sources.lastPrice(instrument.id) else { throw Failure(.priceUnknown, .init("symbol", instrument.symbol)) }
            return last.info(of: instrument)
        }
        router.serve(GatewayEndpoints.symbols) { _, input throws(Failure) in
            let table = sources.instruments()
            let isCurrent = input.since.flatMap(UInt64.init(exactly:)) == table.version
            return SymbolTable(version: Int64(table.version), instruments: isCurrent ? [] : table.all.map(\.listing))
        }
        router.serve(GatewayEndpoints.symbolRelease) { _, input throws(Failure) in
            var release = try sources.symbolRelease()
            if input.since == release.version { release.blocks = [] }
            return release
        }
        router.serve(GatewayEndpoints.symbolBlock) { _, input throws(Failure) in
            guard let number = UInt32(exactly: input.number) else { throw Failure(.requestInvalid, .init("field", "number")) }
            return try sources.symbolBlock(number)
        }
        router.serve(GatewayEndpoints.rates) { _, _ throws(Failure) in
            ExchangeRates(
                rates: sources.rates().map {
                    .init(
                        base: $0.rate.base.description, quote: $0.rate.quote.description, rate: $0.rate.text,
                        fixedOn: $0.date.description)
                })
        }
        router.serve(GatewayEndpoints.startUp) { _, _ throws(Failure) in
            let clock = sources.clock()
            return StartUpInfo(
                symbolsVersion: Int64(sources.instruments().version), marketDate: sources.marketDate.description,
                time: utcStamp(nanoseconds: clock.time.nanoseconds), speed: Money(micros: clock.speedMicros, currency: .usd).text,
                epoch: Int64(clock.epoch))
        }
    }

    private static func account(_ sources: GatewaySources, _ caller: Principal, host: String) throws(Failure) -> AccountInfo {
        guard let name = try sources.name(caller.accountID) else { throw Failure(.authInvalid) }
        let credential = try sources.quoteCredential(caller)
        return AccountInfo(
            account: caller.accountID, name: name, baseCurrency: "HKD", tradingAccounts: sources.tradingAccounts(caller.accountID),
            quoteCredential: credential.value, quoteExpiresIn: credential.expiresIn, quoteNodes: sources.quoteNodes(host),
            tradeURL: sources.tradeURL(host))
    }
}

extension ErrorCode {
    /// No price of this instrument is known: `symbol`.
    public static let priceUnknown = ErrorCode("price.unknown")
    /// This server has no symbol database.
    public static let symbolsNone = ErrorCode("symbols.none")
}

extension LastPrice {
    fileprivate func info(of instrument: Instrument) -> LastPriceInfo {
        LastPriceInfo(
            symbol: instrument.symbol, price: price.description, currency: instrument.currency.description,
            time: utcStamp(nanoseconds: time.nanoseconds), provenance: provenance, recordedOn: recordedOn?.description)
    }
}

extension Instrument {
    /// As the symbols address lists it.
    fileprivate var listing: SymbolTable.Listing {
        SymbolTable.Listing(
            id: Int64(id.rawValue), symbol: symbol, market: market.rawValue, kind: kind.rawValue, currency: currency.description,
            english: names.english, simplified: names.simplified, traditional: names.traditional, lot: lot.description,
            multiplier: Int64(multiplier), decimals: Int64(decimals))
    }
}
