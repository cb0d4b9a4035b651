import Streams

/// Why a connection or a namespace of it ended.
public enum SocketIOCloseReason: String, Hashable, Sendable {
    case pingTimeout = "ping-timeout"
    case parseError = "parse-error"
    /// The server does not speak Engine.IO 4.
    case unsupported
    /// The dial or the namespace was refused.
    case refused
    /// The server ended it.
    case server
    /// The client ended it (said by the server's side).
    case client
    /// We ended it.
    case user
    case lost
    case tooLarge = "too-large"
    /// No opening packet came in time; on the server: no namespace was joined in time.
    case connectTimeout = "connect-timeout"
    /// More news waited than the reader took.
    case overflow
}

/// How a connection ended.
public struct SocketIOClosure: Hashable, Sendable {
    public var reason: SocketIOCloseReason
    /// Where the dial failed.
    public var dialFailure: WebSocketDialFailure?
    /// Where the WebSocket closed: 4001 = another device.
    public var webSocket: WebSocketClosure?
    /// Where the peer broke the protocol.
    public var fault: SocketIOFault?

    public init(
        _ reason: SocketIOCloseReason, dialFailure: WebSocketDialFailure? = nil, webSocket: WebSocketClosure? = nil,
        fault: SocketIOFault? = nil
    ) {
        self.reason = reason
        self.dialFailure = dialFailure
        self.webSocket = webSocket
        self.fault = fault
    }
}

/// Where a connection, or a namespace on it, stands.
public enum SocketIOState: Hashable, Sendable {
    case disconnected
    case connecting
    case ready
    case closed(SocketIOCloseReason)
}

/// Names one emit of ours; chosen by the caller, never reused on a session.
public struct SocketIOEmitID: Hashable, Sendable {
    public var number: UInt64
    public init(_ number: UInt64) { self.number = number }
}

/// What became of an emit. Exactly one for each.
public enum SocketIOOutcome: Hashable, Sendable {
    /// Handed to the socket; no acknowledgement was asked for.
    case sent
    case acknowledged([SocketIOValue])
    case timedOut
    /// The namespace or connection ended before the acknowledgement came.
    case lost
    /// The namespace was not ready: nothing was sent and nothing will be (B-6).
    case notConnected
    /// It cannot be a packet; nothing was sent.
    case invalid(SocketIOFault)
}

/// An event to send.
public struct SocketIOEmit: Hashable, Sendable {
    public var id: SocketIOEmitID
    public var namespace: String
    public var name: String
    public var arguments: [SocketIOValue]
    /// How long to wait for the acknowledgement; nil: none is asked for.
    public var acknowledgementTimeout: Duration?

    public init(
        id: SocketIOEmitID, namespace: String, name: String, arguments: [SocketIOValue], acknowledgementTimeout: Duration? = nil
    ) {
        self.id = id
        self.namespace = namespace
        self.name = name
        self.arguments = arguments
        self.acknowledgementTimeout = acknowledgementTimeout
    }
}

/// The acknowledgements that one namespace awaits. Ids count from 0 on each connection.
struct SocketIOAwaited: Sendable {
    private var nextID: UInt64 = 0
    private var open: [UInt64: (emit: SocketIOEmitID, deadline: MonotonicInstant)] = [:]

    var count: Int { open.count }
    var nextDeadline: MonotonicInstant? { open.values.map(\.deadline).min() }

    mutating func add(_ emit: SocketIOEmitID, deadline: MonotonicInstant) -> UInt64 {
        defer { nextID += 1 }
        open[nextID] = (emit, deadline)
        return nextID
    }

    /// Nil: not ours, or late.
    mutating func take(_ id: UInt64) -> SocketIOEmitID? { open.removeValue(forKey: id)?.emit }

    /// Those due, in the order they were sent.
    mutating func takeDue(at now: MonotonicInstant) -> [SocketIOEmitID] {
        take { $0 <= now }
    }

    mutating func takeAll() -> [SocketIOEmitID] { take { _ in true } }

    private mutating func take(where due: (MonotonicInstant) -> Bool) -> [SocketIOEmitID] {
        let ids = open.filter { due($0.value.deadline) }.keys.sorted()
        return ids.compactMap { take($0) }
    }
}

/// Frames of a packet in the order they are sent.
func frames(of packet: SocketIOPacket, limits: SocketIOLimits) throws(SocketIOFault) -> [WebSocketMessage] {
    let (text, attachments) = try packet.encoded(limits: limits)
    return [.text("4" + text)] + attachments.map { .binary($0) }
}
