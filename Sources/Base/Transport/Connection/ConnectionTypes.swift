/// Where a connection stands (B-1).
public enum ConnectionState: Hashable, Sendable {
    case disconnected
    /// Dialled.
    case connecting
    /// The link is up and not usable yet: login, ready messages, reconciliation.
    case authenticating
    case ready
    /// For the next attempt, the so many-th in a row.
    case waiting(attempt: Int)
    /// The credential was refused; a newer one, or the end of the cool-down, is awaited.
    case cooling
    /// In the background.
    case suspended
    /// No attempt of its own.
    case closed(ConnectionEnd)
}

/// Why a connection makes no attempt of its own any more.
public enum ConnectionEnd: Hashable, Sendable {
    case user
    /// Another device came (close code 4001).
    case kicked
    case signedOut
    /// The server speaks no version of ours.
    case unsupported
}

/// The user's credential as the machine needs it: is it there, is it another one, is it of another account.
public struct ConnectionCredential: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    public var value: String
    public var account: String
    public init(value: String, account: String = "") {
        self.value = value
        self.account = account
    }
    /// Never the value.
    public var description: String { "credential" }
    public var debugDescription: String { description }
}

/// Why a dial failed, as far as what follows depends on it.
public enum ConnectionDialFailure: Hashable, Sendable {
    case network
    /// The handshake itself was answered 401.
    case unauthorized
    /// The peer speaks another protocol or version.
    case unsupported
}

/// What a connection is told.
public enum ConnectionEvent: Hashable, Sendable {
    // From the user and callers.
    case connect
    /// A command found the connection not ready (B-6).
    case nudge
    case disconnect
    case credential(ConnectionCredential?)
    // From the platform.
    case foreground
    case background
    case networkLost
    case networkBack
    case networkChanged
    // From the transport; each names its dial, and one of an older dial is ignored.
    /// `silence`: nothing heard for so long means lost; nil where the peer never pings.
    case opened(dial: Int, silence: Duration?)
    case failed(dial: Int, ConnectionDialFailure)
    case pinged(dial: Int)
    /// Gone without our asking; code 4001 = another device.
    case lost(dial: Int, code: UInt16?)
    // From what stands on the connection.
    case authenticated(dial: Int)
    /// The credential was refused.
    case refused(dial: Int)
    /// Any other answer that does not let us in, or a peer that does not answer: rebuilt after the wait.
    case dead(dial: Int)
    case unsupported(dial: Int)
    case ready(dial: Int)
    /// No longer usable as a whole; the link stays.
    case unready(dial: Int)
    /// Whether something is in flight that a rebuild would cut off.
    case busy(Bool)
    /// `nextDeadline` has come. Late or needless: ignored.
    case clock
}

/// What the platform may tell a connection (B-5); the rest of `ConnectionEvent` is not for it to say.
public enum PlatformEvent: Hashable, Sendable {
    case foreground
    case background
    case networkLost
    case networkBack
    /// Another route to the server.
    case networkChanged
}

extension ConnectionEvent {
    public init(_ event: PlatformEvent) {
        self =
            switch event {
            case .foreground: .foreground
            case .background: .background
            case .networkLost: .networkLost
            case .networkBack: .networkBack
            case .networkChanged: .networkChanged
            }
    }
}

/// What a connection asks for, in order.
public enum ConnectionEffect: Hashable, Sendable {
    case dial(Int)
    case hangUp(Int)
    /// Answer the peer's ping; nothing to do where the transport has.
    case pong(Int)
    /// The link is up: log in.
    case authenticate(Int)
    /// Show the newer credential on the live link.
    case renewInBand(Int)
    /// Renew the user's credential, forced.
    case needCredential
    /// The link of that dial is over; comes once for each dial.
    case down(Int)
    case entered(ConnectionState)
}
