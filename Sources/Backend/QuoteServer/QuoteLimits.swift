import Streams
import Transport

/// What one connection may do.
public struct QuoteLimits: Hashable, Sendable {
    public var connections = 10_000
    public var topics = 500
    /// Instruments of one query.
    public var instruments = 200
    public var bars = 5_000
    /// Longest message a client may send.
    public var messageBytes = 64 << 10
    /// Messages that may wait to be handled.
    public var pending = 256
    /// Pushes are gathered this long before they are sent, so that one message carries several.
    public var gathering = Duration.milliseconds(15)
    /// Most bytes gathered for one connection; more are sent at once.
    public var pendingBytes = 64 << 10
    /// Whether a slow client's topics are conflated: pushes left out, the newest whole state sent later. Else it is closed at `queueMost`.
    public var conflates = true
    /// Most bytes under way to a client before its topics are conflated, and below which they are caught up.
    public var queueHigh = 512 << 10
    public var queueLow = 128 << 10
    /// Most bytes under way to a client at all; beyond, it is closed with 1013.
    public var queueMost = 8 << 20
    /// A client that has been conflated for that long is closed with 1013.
    public var slow = Duration.seconds(30)
    /// From opening to a login.
    public var login = Duration.seconds(10)
    /// Without any message.
    public var idle = Duration.seconds(40)

    public static let standard = QuoteLimits()
}

/// How the server ends a connection. Codes 4400 and up are this protocol's own; each is counted by its name.
enum QuoteClosure: String, CaseIterable, Sendable {
    /// A text frame.
    case notBinary = "not-binary"
    /// An envelope that does not decode.
    case badEnvelope = "bad-envelope"
    /// A payload that does not decode as its type.
    case badPayload = "bad-payload"
    case loginFailed = "login-failed"
    case loginMissing = "login-missing"
    /// The sign-in behind it has ended.
    case revoked
    /// The credential behind it has ended, and whether its sign-in still stands is not known here.
    case expired
    case idle
    case flood
    case slow

    var frame: WebSocketClosure {
        switch self {
        case .notBinary: .init(code: 1003, reason: rawValue)
        case .badEnvelope: .init(code: 1007, reason: rawValue)
        case .badPayload: .init(code: 4400, reason: rawValue)
        case .loginFailed, .revoked, .expired: .init(code: 4401, reason: rawValue)
        case .loginMissing: .init(code: 4408, reason: rawValue)
        case .idle: .init(code: 4409, reason: rawValue)
        case .flood: .init(code: 4429, reason: rawValue)
        case .slow: .init(code: 1013, reason: rawValue)
        }
    }
}
