import Exact
import Instruments
import MarketData
import Messages
import Portfolio
import Streams
import Texts
import Trade
import TradeSession

/// What the client's commands stand on: one signed-in user of one server. Built live by the program; commands only read and print.
struct ClientContext: Sendable {
    var language: Language
    /// What is known without the server; nil where its data is not there.
    var catalogue: @Sendable () -> Catalogue?
    /// The user's trading accounts with their counters.
    var tradingAccounts: @Sendable () async throws(Failure) -> [TradingAccount]
    var table: @Sendable () async throws(Failure) -> InstrumentTable
    /// The market date that aliases are resolved for.
    var tradingDay: @Sendable () async throws(Failure) -> TradingDay
    /// Market time, from the server only.
    var marketTime: @Sendable () async throws(Failure) -> MarketInstant
    /// The dated tables this program ships (sessions, ticks); nil where they are not beside it, and what they would tell is left out.
    var facts: @Sendable () async -> MarketFacts?
    /// How the server's feed stands.
    var feed: @Sendable () async throws(Failure) -> FeedInfo
    /// Those of which the server's feed has no prices.
    var unfed: @Sendable ([InstrumentID]) async throws(Failure) -> Set<InstrumentID>
    /// What the server knows of each; one that has no price yet is not in the answer.
    var snapshot: @Sendable ([InstrumentID]) async throws(Failure) -> [Quote]
    /// Nil where the server has none to show.
    var book: @Sendable (InstrumentID, _ depth: Int) async throws(Failure) -> Book?
    var bars: @Sendable (InstrumentID, BarPeriod, _ count: Int, BarAdjustment) async throws(Failure) -> BarBatch
    /// Nil where the market has none, or no book is known.
    var brokers: @Sendable (InstrumentID) async throws(Failure) -> BrokerQueue?
    /// The newest trades, oldest first.
    var ticks: @Sendable (InstrumentID, _ count: Int) async throws(Failure) -> [Tick]
    var ranking: @Sendable (RankingKind, [Market], [Instrument.Kind], _ count: Int) async throws(Failure) -> [Quote]
    /// What was asked for, and how the link that it comes over stands, in order.
    var watch: @Sendable ([QuoteTopic]) async throws(Failure) -> MarketDataSubscription
    /// Why nobody is signed in any more; nil while somebody is.
    var signedOut: @Sendable () async -> Failure?
    var rates: @Sendable () async throws(Failure) -> ReferenceRates
    var orders: @Sendable (TradingAccount) async throws(Failure) -> [Order]
    var fills: @Sendable (TradingAccount) async throws(Failure) -> [Fill]
    var positions: @Sendable (TradingAccount) async throws(Failure) -> [Position]
    var funds: @Sendable (TradingAccount) async throws(Failure) -> [FundsLine]
    var place:
        @Sendable (TradingAccount, InstrumentID, OrderSide, OrderType, Quantity, _ limit: Price?) async throws(Failure) -> OrderOutcome
    var cancel: @Sendable (TradingAccount, _ orderID: UInt64) async throws(Failure) -> OrderOutcome

    struct TradingAccount: Hashable, Sendable {
        var id: String
        var counter: TradeCounter
    }

    /// What was typed, as one that the server has prices of.
    /// - Throws: as `Catalogue.priced`.
    func instrument(_ text: String) async throws -> Instrument {
        let (table, day) = (try await table(), try await tradingDay())
        let found = table.resolve(text, on: day)
        if case .success(let instrument) = found, Catalogue.isSettled(text, instrument) { return instrument }
        guard let catalogue = catalogue() else { return try found.get() }
        return try catalogue.priced(text, in: table, on: day, language)
    }

    /// The account an instrument is traded in.
    func account(for instrument: Instrument) async throws -> TradingAccount {
        let counter: TradeCounter = instrument.kind == .future ? .futures : .securities
        guard let account = try await tradingAccounts().first(where: { $0.counter == counter }) else {
            throw Failure(ErrorCode("trade.account-unknown"))
        }
        return account
    }
}

/// Makes the context when a command runs; throws `auth.signed-out` where nobody is signed in.
typealias ClientOpener = @Sendable (Invocation) async throws -> ClientContext
