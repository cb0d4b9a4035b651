package import Transport

/// One side of the trade gateway; its Socket.IO namespace is `/securities` or `/futures`.
public enum TradeCounter: String, Hashable, Sendable, CaseIterable {
    case securities
    case futures
    package var namespace: String { "/" + rawValue }
}

/// Where a counter stands on the present link.
public enum CounterState: Hashable, Sendable {
    case disconnected
    /// The namespace is being joined; no ready message yet.
    case opening
    /// Its ready message came; what was missed is being asked for. Queries and cancels may go, new orders not (B-4, B-9).
    case reconciling
    case ready
}

/// Times of the trade link, on top of the connection's (B-2).
package struct TradeLinkPolicy: Sendable {
    package var connection: ConnectionPolicy = .trade
    package var counters: [TradeCounter] = TradeCounter.allCases
    package var orderTimeout: Duration = .seconds(10)
    package var queryTimeout: Duration = .seconds(15)
    /// How long an order that the same gateway does not know yet is left before it is asked for again.
    package var unresolvedPause: Duration = .seconds(2)
    /// Least time between two trade logins of a counter (D-3).
    package var gate: Duration = .seconds(1)
    package var platform = "linux"
    package var device = ""
    package var maximumInFlight = 1024
    package var maximumHeld = 4096

    package init() {}
}

/// What a caller asks a counter for.
package enum TradeRequestKind: Hashable, Sendable {
    case place
    case modify
    case cancel
    /// Changes nothing. Of one kind on one counter only the newest answer counts; nil: each for itself.
    case query(String?)

    /// Whether an order is behind it, so that no answer means unknown, not failed (C-3).
    package var isCommand: Bool {
        switch self {
        case .place, .modify, .cancel: true
        case .query: false
        }
    }
}

/// What became of a request. A command that got `unknown` gets exactly one more: `found`, `notExecuted`, or `unknown` again where its user
/// signed out before it was known; every other is the end.
package enum TradeOutcome<Reply: Sendable>: Sendable {
    case replied(Reply)
    /// Never sent and never will be (B-6).
    case notConnected
    /// Sent, no answer; it is being asked for.
    case unknown
    /// What the gateway says became of it.
    case found(Reply)
    /// A newer epoch does not know it: never executed, never will be (C-9).
    case notExecuted
    /// A query or login without an answer in time.
    case timedOut
    /// The link broke under a query or login.
    case lost
    /// A login within the gate of the last (D-3).
    case gated
    /// A silent login after a kick-out (D-2).
    case refusedAfterKickOut
}

extension TradeOutcome: Equatable where Reply: Equatable {}

/// The pure trade link's input and output. `Item`: an account event; `Reply`: the answer to a request; `ID`: the caller's request id.
package enum TradeLinkEvent<ID: Hashable & Sendable, Item: Sendable, Reply: Sendable>: Sendable {
    case connection(ConnectionEvent)
    case authAnswered(dial: Int, AuthAnswer)
    /// The counter's own ready message, with the last sequence of each of its trading accounts.
    case counterReady(dial: Int, TradeCounter, epoch: UInt64, sequences: [(account: String, sequence: UInt64)])
    /// The server ended or refused the namespace; the link stays.
    case counterLost(dial: Int, TradeCounter)
    /// A push of an account sequence.
    case pushed(dial: Int, TradeCounter, account: String, sequence: UInt64, Item)
    /// Everything after the asked sequence; `upTo`: the books' sequence then, where said. `isComplete`: false = there is more.
    case sinceAnswered(dial: Int, TradeCounter, account: String, [(sequence: UInt64, item: Item)], upTo: UInt64?, isComplete: Bool)
    case request(ID, TradeRequestKind, TradeCounter, commandID: [UInt8])
    case login(ID, TradeCounter, isSilent: Bool)
    /// A reply to a request, login or query of a command. `session`: a login that is in. `endsSession`: not logged in, session check failed.
    case replied(dial: Int, TradeCounter, ID, Reply, session: String?, endsSession: Bool)
    /// The answer to `query`: nil = no such order.
    case queryAnswered(dial: Int, ID, attempt: Int, Reply?)
    case beatAnswered(dial: Int, TradeCounter)
    case duplicateLogin(dial: Int, TradeCounter, session: String)
    case deviceDisconnected(dial: Int, TradeCounter, platform: String, device: String)
    /// The stored session id of another process of this device, or nil: it has ended.
    case storedSession(TradeCounter, String?)
    /// The user logs out of the counter.
    case loggedOut(TradeCounter)
    case clock
}

package enum AuthAnswer: Hashable, Sendable { case ok, unauthorized, other }

package enum TradeLinkEffect<ID: Hashable & Sendable, Item: Sendable, Reply: Sendable>: Sendable {
    case dial(Int)
    case hangUp(Int)
    case pong(Int)
    case auth(credential: String)
    case renewAuth(credential: String)
    case needCredential
    case open(TradeCounter)
    case send(ID, TradeRequestKind, TradeCounter)
    case login(ID, TradeCounter)
    /// What became of the command with that client command id?
    case query(ID, attempt: Int, TradeCounter, commandID: [UInt8])
    case since(TradeCounter, account: String, sequence: UInt64)
    case beat(TradeCounter)
    case outcome(ID, TradeOutcome<Reply>)
    /// In sequence, each once.
    case deliver(TradeCounter, account: String, sequence: UInt64, Item)
    /// The books went back or on without us: everything of the account is to be queried anew.
    case resynchronise(TradeCounter, account: String, sequence: UInt64)
    case down(Int)
    case entered(ConnectionState)
    case counter(TradeCounter, CounterState)
    /// Store it (nil: clear it) for every process of this device.
    case session(TradeCounter, String?)
    case sessionEnded(TradeCounter)
    case kicked
    /// A login by the user (not silent) that was answered with anything but ok.
    case loginFailed(TradeCounter, Reply)
}
