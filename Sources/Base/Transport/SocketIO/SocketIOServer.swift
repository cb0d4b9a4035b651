public import HTTP
public import Streams
import Synchronization

/// What a program does with its clients. For one session the calls come one after another, in order of arrival; a slow one delays the next
/// of that session only.
public struct SocketIOServerHandlers: Sendable {
    /// A client wants into a namespace. Take nothing here that must be given back: it may leave before the answer.
    public var connect: @Sendable (_ session: SocketIOSession, _ namespace: String, _ payload: JSONValue?) async -> SocketIOAdmission
    /// It is in, and knows it. A `disconnected` follows in any case.
    public var connected: @Sendable (_ session: SocketIOSession, _ namespace: String) async -> Void
    /// `acknowledgementID`: where the client asked for one; it has its acknowledgement already, unless the policy leaves that to you.
    public var event:
        @Sendable (
            _ session: SocketIOSession, _ namespace: String, _ name: String, _ arguments: [SocketIOValue], _ acknowledgementID: UInt64?
        ) async -> Void
    public var disconnected: @Sendable (_ session: SocketIOSession, _ namespace: String, _ reason: SocketIOCloseReason) async -> Void
    /// The last call for a session.
    public var closed: @Sendable (_ session: SocketIOSession, _ closure: SocketIOClosure) async -> Void

    public init(
        connect: @escaping @Sendable (_ session: SocketIOSession, _ namespace: String, _ payload: JSONValue?) async -> SocketIOAdmission,
        connected: @escaping @Sendable (_ session: SocketIOSession, _ namespace: String) async -> Void = { _, _ in },
        event:
            @escaping @Sendable (
                _ session: SocketIOSession, _ namespace: String, _ name: String, _ arguments: [SocketIOValue], _ acknowledgementID: UInt64?
            ) async -> Void,
        disconnected: @escaping @Sendable (_ session: SocketIOSession, _ namespace: String, _ reason: SocketIOCloseReason) async -> Void,
        closed: @escaping @Sendable (_ session: SocketIOSession, _ closure: SocketIOClosure) async -> Void = { _, _ in }
    ) {
        self.connect = connect
        self.connected = connected
        self.event = event
        self.disconnected = disconnected
        self.closed = closed
    }
}

/// A Socket.IO 5 server over WebSocket ports; polling is refused with a clear answer.
public final class SocketIOServer: Sendable {
    private let policy: SocketIOServerPolicy
    private let clock: MonotonicClock
    private let handlers: SocketIOServerHandlers
    private let makeID: @Sendable () -> String
    private let sessions = Mutex<[String: SocketIOSession]>([:])

    /// `makeID` gives session ids that nobody can guess; the default draws 128 bits from the system.
    public init(
        policy: SocketIOServerPolicy, clock: MonotonicClock, handlers: SocketIOServerHandlers,
        makeID: @escaping @Sendable () -> String = SocketIOServer.randomID
    ) {
        self.policy = policy
        self.clock = clock
        self.handlers = handlers
        self.makeID = makeID
    }

    public var sessionCount: Int { sessions.withLock { $0.count } }

    /// Judges an upgrade request for `/socket.io/`.
    public func accept(_ request: HTTPServerRequest) -> WebSocketAcceptance {
        if let refusal = EngineIORefusal.judge(query: request.query) { return .refuse(refusal.response) }
        guard sessionCount < policy.maximumSessions else { return .refuse(EngineIORefusal.full.response) }
        let options = WebSocketAcceptOptions(
            maximumMessageSize: policy.limits.maximumPayload, maximumQueuedBytes: policy.maximumQueuedBytes)
        return .accept(options) { socket in
            let session = SocketIOSession(
                id: self.makeID(), request: request, policy: self.policy, clock: self.clock, handlers: self.handlers, makeID: self.makeID,
                ended: { [weak self] id in self?.sessions.withLock { _ = $0.removeValue(forKey: id) } })
            self.sessions.withLock { $0[session.id] = session }
            session.start(socket)
            return { event in session.take(event) }
        }
    }

    /// The answer to a plain HTTP request for `/socket.io/`, such as a polling client's.
    public func answer(_ request: HTTPServerRequest) -> HTTPResponse {
        (EngineIORefusal.judge(query: request.query) ?? .badRequest).response
    }

    /// Closes every session, e.g. with 1001 when the server stops.
    public func closeAll(_ closure: WebSocketClosure) {
        for session in sessions.withLock({ Array($0.values) }) { session.close(closure) }
    }

    public static let randomID: @Sendable () -> String = {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
