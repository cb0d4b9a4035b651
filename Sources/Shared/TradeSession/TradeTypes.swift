public import Exact
public import Instruments
public import Messages
public import Texts
public import Transport

extension ErrorCode {
    /// A trade login came within a second of the last.
    public static let tradeTooFrequent = ErrorCode("trade.too-frequent")
    /// The trading password is wrong. `left`: tries that are left.
    public static let tradeWrongPassword = ErrorCode("trade.wrong-password")
    /// The trading account is locked. `seconds`.
    public static let tradeLocked = ErrorCode("trade.locked")
    /// Log in to the trading account first.
    public static let tradeNotLoggedIn = ErrorCode("trade.not-logged-in")
    /// The trading session has ended.
    public static let tradeSessionInvalid = ErrorCode("trade.session-invalid")
    /// Another device logged in to the trading account; log in again by hand.
    public static let tradeKicked = ErrorCode("trade.kicked")
    /// The login needs more than the password. `what`: second-factor, second-factor-not-bound, must-change-password,
    /// expired-password.
    public static let tradeLoginIncomplete = ErrorCode("trade.login-incomplete")
    /// The customer's status does not allow trading.
    public static let tradeStatusNotAllowed = ErrorCode("trade.status-not-allowed")
    /// The gateway does not know the order. It was never executed and never will be.
    public static let orderNotExecuted = ErrorCode("order.not-executed")
}

/// 128 bits that name one changing command for ever (C-4).
public struct CommandID: Hashable, Sendable {
    public let bytes: [UInt8]

    /// Nil unless there are 16 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    public init(random generator: inout some RandomNumberGenerator) {
        bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(random: &generator)
    }
}

/// A new order as its user means it; the gateway judges it.
public struct OrderTicket: Hashable, Sendable {
    public var instrument: InstrumentID
    public var side: OrderSide
    public var quantity: Quantity
    /// Nil: at market.
    public var limit: Price?
    public var timeInForce: TimeInForce

    public init(instrument: InstrumentID, side: OrderSide, quantity: Quantity, limit: Price?, timeInForce: TimeInForce = .day) {
        self.instrument = instrument
        self.side = side
        self.quantity = quantity
        self.limit = limit
        self.timeInForce = timeInForce
    }
}

/// What became of a changing command: exactly one of these (C-3).
public enum CommandResult: Hashable, Sendable {
    case accepted(Order)
    case refused(Failure)
    /// It was not sent and never will be (B-6).
    case notConnected
    /// It was sent and nothing is known; the connection finds out by itself and says so with `TradeNews.resolved`.
    case unknown
}

/// What a trade login led to (D-1).
public enum TradeLoginResult: Hashable, Sendable {
    case ok
    case needsSecondFactor
    case secondFactorNotBound
    case wrongPassword(triesLeft: Int)
    case mustChangePassword
    case expiredPassword
    case statusNotAllowed
    case tooFrequent
    case locked(seconds: Int64)
    case failed(Failure)

    /// The pure reducer of D-1: reply to result. A code that this version does not know is a failure, never a success.
    public init(_ reply: TradeLoginReply) {
        self =
            switch reply.code {
            case .ok: reply.sessionID.isEmpty ? .failed(Failure(.requestInvalid, .init("field", "session_id"))) : .ok
            case .needsSecondFactor: .needsSecondFactor
            case .secondFactorNotBound: .secondFactorNotBound
            case .wrongPassword: .wrongPassword(triesLeft: Int(reply.triesLeft))
            case .mustChangePassword: .mustChangePassword
            case .expiredPassword: .expiredPassword
            case .statusNotAllowed: .statusNotAllowed
            case .tooFrequent: .tooFrequent
            case .locked: .locked(seconds: max(0, reply.lockedUntilSeconds))
            case .unspecified, .UNRECOGNIZED: .failed(Failure(.requestInvalid, .init("field", "code")))
            }
    }

    /// As an error for the one who asked; nil: it is in.
    public var failure: Failure? {
        switch self {
        case .ok: nil
        case .needsSecondFactor: Failure(.tradeLoginIncomplete, .init("what", "second-factor"))
        case .secondFactorNotBound: Failure(.tradeLoginIncomplete, .init("what", "second-factor-not-bound"))
        case .wrongPassword(let tries): Failure(.tradeWrongPassword, .init("left", String(tries)))
        case .mustChangePassword: Failure(.tradeLoginIncomplete, .init("what", "must-change-password"))
        case .expiredPassword: Failure(.tradeLoginIncomplete, .init("what", "expired-password"))
        case .statusNotAllowed: Failure(.tradeStatusNotAllowed)
        case .tooFrequent: Failure(.tradeTooFrequent)
        case .locked(let seconds): Failure(.tradeLocked, .init("seconds", String(seconds)))
        case .failed(let failure): failure
        }
    }
}

/// What the trade connection tells whoever listens, in order.
public enum TradeNews: Sendable {
    case connection(ConnectionState)
    case counter(TradeCounter, CounterState)
    /// In the account's sequence, each once (C-9).
    case account(TradeCounter, account: String, AccountEvent)
    /// What was missed cannot be told step by step: query the books anew.
    case resynchronise(TradeCounter, account: String, sequence: UInt64)
    /// The end of a command that was unknown; `unknown` for good where its user signed out before it was known.
    case resolved(CommandID, CommandResult)
    case loggedIn(TradeCounter)
    /// The gateway or another device ended the trading session; the app account and the connection stay (D-5).
    case sessionEnded(TradeCounter)
    /// Why the session ended, after `sessionEnded`: another device logged in on the counter. `platform`: its kind (`linux`, `ios`), in the
    /// gateway's words, where it was told.
    case loggedInElsewhere(TradeCounter, platform: String?)
    /// Another device took this connection's place; nothing is dialled again by itself.
    case kicked
    case clock(MarketClockInfo)
}

/// Port: the trading session ids of this device, shared by all its processes, one for each counter (D-8).
public struct TradeSessionStore: Sendable {
    public var load: @Sendable (TradeCounter) async -> String?
    public var save: @Sendable (TradeCounter, _ session: String) async -> Void
    /// Clears the counter's id only if it still is `session`: another process may have logged in again.
    public var clear: @Sendable (TradeCounter, _ session: String) async -> Void

    public init(
        load: @escaping @Sendable (TradeCounter) async -> String?,
        save: @escaping @Sendable (TradeCounter, _ session: String) async -> Void,
        clear: @escaping @Sendable (TradeCounter, _ session: String) async -> Void
    ) {
        self.load = load
        self.save = save
        self.clear = clear
    }

    /// Keeps nothing beyond this process.
    public static let none = TradeSessionStore(load: { _ in nil }, save: { _, _ in }, clear: { _, _ in })
}
