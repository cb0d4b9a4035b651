public import Accounts
public import Exchange
public import HTTP
public import Messages
public import Texts

/// What the gateway asks of the exchange. Command ids are the exchange's business: the same one with the same contents gets its first
/// result (C-4).
public struct TradingVenue: Sendable {
    /// Makes the trading account with its paper money where it is not there yet.
    public var open: @Sendable (_ account: String, TradingCounter) async throws(Failure) -> Void
    public var place: @Sendable (PlaceOrder) async throws(Failure) -> Order
    public var cancel: @Sendable (CancelOrder) async throws(Failure) -> Order
    public var orders: @Sendable (OrdersQuery) async throws(Failure) -> OrderList
    public var orderByCommand: @Sendable (OrderByCommand) async throws(Failure) -> OrderList
    public var fills: @Sendable (FillsQuery) async throws(Failure) -> FillList
    public var positions: @Sendable (_ account: String) async throws(Failure) -> PositionList
    public var funds: @Sendable (_ account: String) async throws(Failure) -> FundsReply
    public var since: @Sendable (SinceQuery) async throws(Failure) -> SinceReply
    public var sequence: @Sendable (_ account: String) async throws(Failure) -> UInt64

    public init(
        open: @escaping @Sendable (_ account: String, TradingCounter) async throws(Failure) -> Void,
        place: @escaping @Sendable (PlaceOrder) async throws(Failure) -> Order,
        cancel: @escaping @Sendable (CancelOrder) async throws(Failure) -> Order,
        orders: @escaping @Sendable (OrdersQuery) async throws(Failure) -> OrderList,
        orderByCommand: @escaping @Sendable (OrderByCommand) async throws(Failure) -> OrderList,
        fills: @escaping @Sendable (FillsQuery) async throws(Failure) -> FillList,
        positions: @escaping @Sendable (_ account: String) async throws(Failure) -> PositionList,
        funds: @escaping @Sendable (_ account: String) async throws(Failure) -> FundsReply,
        since: @escaping @Sendable (SinceQuery) async throws(Failure) -> SinceReply,
        sequence: @escaping @Sendable (_ account: String) async throws(Failure) -> UInt64
    ) {
        self.open = open
        self.place = place
        self.cancel = cancel
        self.orders = orders
        self.orderByCommand = orderByCommand
        self.fills = fills
        self.positions = positions
        self.funds = funds
        self.since = since
        self.sequence = sequence
    }
}

extension TradingCounter {
    /// Each counter is a Socket.IO namespace of its own.
    init?(namespace: String) { self.init(rawValue: String(namespace.dropFirst())) }
    var namespace: String { "/" + rawValue }
}

/// What the gateway asks of the auth centre.
public struct GatewayAuthority: Sendable {
    public var verify: @Sendable (_ access: String) -> Result<Principal, Failure>
    /// The app account's trading account on a counter.
    public var tradingAccount: @Sendable (_ account: String, TradingCounter) -> String?
    public var verifyPassword: @Sendable (_ account: String, _ password: String) async -> Result<TradingPasswordVerdict, Failure>
    /// A new id of a trading session that nobody can guess.
    public var makeSessionID: @Sendable () -> String
    /// One-way hash under which a session is kept.
    public var digest: @Sendable (_ sessionID: String) -> String

    public init(
        verify: @escaping @Sendable (_ access: String) -> Result<Principal, Failure>,
        tradingAccount: @escaping @Sendable (_ account: String, TradingCounter) -> String?,
        verifyPassword: @escaping @Sendable (_ account: String, _ password: String) async -> Result<TradingPasswordVerdict, Failure>,
        makeSessionID: @escaping @Sendable () -> String, digest: @escaping @Sendable (_ sessionID: String) -> String
    ) {
        self.verify = verify
        self.tradingAccount = tradingAccount
        self.verifyPassword = verifyPassword
        self.makeSessionID = makeSessionID
        self.digest = digest
    }
}

/// A trading session: one device in one trading account (D-5). Only the gateway's word, the user or a sign-out ends it (D-4).
public struct TradingSession: Hashable, Sendable {
    public var tradingAccount: String
    public var account: String
    public var device: String
    public var platform: String
    /// Of the session id.
    public var digest: String

    public init(tradingAccount: String, account: String, device: String, platform: String, digest: String) {
        self.tradingAccount = tradingAccount
        self.account = account
        self.device = device
        self.platform = platform
        self.digest = digest
    }
}

/// Port: the trading sessions of a server, so that a restart ends none (D-4).
public struct TradingSessionStore: Sendable {
    public var load: @Sendable () throws(Failure) -> [TradingSession]
    public var save: @Sendable ([TradingSession]) throws(Failure) -> Void

    public init(
        load: @escaping @Sendable () throws(Failure) -> [TradingSession],
        save: @escaping @Sendable ([TradingSession]) throws(Failure) -> Void
    ) {
        self.load = load
        self.save = save
    }
}
