public import HTTP
public import Streams

/// What a server promises its clients and takes from them.
public struct SocketIOServerPolicy: Hashable, Sendable {
    /// The names that exist; every other is refused without asking anyone.
    public var namespaces: Set<String>
    public var pingInterval: Duration
    public var pingTimeout: Duration
    /// From the open connection to the first joined namespace.
    public var connectTimeout: Duration
    /// Of what a client sends; its `maximumPayload` is told in the opening packet.
    public var limits: SocketIOLimits
    /// Acknowledgements awaited at once from one client.
    public var maximumAwaited: Int
    /// News of one client that may wait for the handlers; beyond it the connection closes with 1013.
    public var maximumQueuedNews: Int
    /// Bytes that may wait for a client that reads slowly.
    public var maximumQueuedBytes: Int
    public var maximumSessions: Int
    /// Events that ask for an acknowledgement get one at once, without arguments; otherwise the program answers them itself.
    public var acknowledgesAtOnce: Bool

    public init(
        namespaces: Set<String>, pingInterval: Duration = .seconds(10), pingTimeout: Duration = .seconds(10),
        connectTimeout: Duration = .seconds(45), limits: SocketIOLimits = .init(), maximumAwaited: Int = 1024,
        maximumQueuedNews: Int = 1024, maximumQueuedBytes: Int = 8 << 20, maximumSessions: Int = 10_000,
        acknowledgesAtOnce: Bool = true
    ) {
        self.namespaces = namespaces
        self.pingInterval = pingInterval
        self.pingTimeout = pingTimeout
        self.connectTimeout = connectTimeout
        self.limits = limits
        self.maximumAwaited = maximumAwaited
        self.maximumQueuedNews = maximumQueuedNews
        self.maximumQueuedBytes = maximumQueuedBytes
        self.maximumSessions = maximumSessions
        self.acknowledgesAtOnce = acknowledgesAtOnce
    }
}

/// What is decided about a client that wants into a namespace.
public enum SocketIOAdmission: Hashable, Sendable {
    /// `payload`'s members are sent beside the namespace's session id.
    case accept(payload: JSONValue?)
    case refuse(message: String, data: JSONValue?)
}

/// News of one client, in order.
public enum SocketIOServerEvent: Hashable, Sendable {
    /// To be answered by `.decided` with the same number.
    case joining(namespace: String, payload: JSONValue?, attempt: Int)
    case event(namespace: String, name: String, arguments: [SocketIOValue], id: UInt64?)
    /// The end of a joined namespace.
    case left(namespace: String, reason: SocketIOCloseReason)
    /// The end of everything; comes once.
    case closed(SocketIOClosure)
}

/// One client's Socket.IO 5 connection at the server, as a pure value; driven as `SocketIOClientSession` is.
public struct SocketIOServerSession: Sendable {
    public enum Event: Sendable {
        case opened
        case received(WebSocketMessage)
        case closed(WebSocketClosure)
        case clock
        // From the program.
        case decided(namespace: String, attempt: Int, sessionID: String, SocketIOAdmission)
        case emit(SocketIOEmit)
        /// Answers an event where the policy leaves that to the program; `by` names the outcome.
        case acknowledge(by: SocketIOEmitID, namespace: String, id: UInt64, arguments: [SocketIOValue])
        case disconnect(namespace: String)
        case close(WebSocketClosure)
        /// The queue of news ran over.
        case overflowed
    }

    public enum Effect: Hashable, Sendable {
        case send(WebSocketMessage)
        case hangUp(WebSocketClosure)
        case report(SocketIOServerEvent)
        case outcome(SocketIOEmitID, SocketIOOutcome)
    }

    private struct Namespace: Sendable {
        var state: SocketIOState = .disconnected
        var attempt = 0
        var awaited = SocketIOAwaited()
    }

    private let policy: SocketIOServerPolicy
    private let sessionID: String
    public private(set) var state: SocketIOState = .disconnected
    private var namespaces: [String: Namespace] = [:]
    private var decoder: SocketIODecoder
    /// The next ping.
    private var pingDeadline: MonotonicInstant?
    /// The answer to the ping that is out.
    private var pongDeadline: MonotonicInstant?
    /// The first joined namespace.
    private var joinDeadline: MonotonicInstant?

    public init(policy: SocketIOServerPolicy, sessionID: String) {
        self.policy = policy
        self.sessionID = sessionID
        decoder = SocketIODecoder(limits: policy.limits)
    }

    public func state(of namespace: String) -> SocketIOState { namespaces[namespace]?.state ?? .disconnected }

    func isJoined(_ namespace: String, attempt: Int) -> Bool {
        namespaces[namespace].map { $0.state == .ready && $0.attempt == attempt } ?? false
    }

    /// Names that this client joined or is joining.
    public var namespaceNames: [String] {
        namespaces.filter { $0.value.state == .ready || $0.value.state == .connecting }.keys.sorted()
    }

    public var awaitedCount: Int { namespaces.values.reduce(0) { $0 + $1.awaited.count } }

    public var nextDeadline: MonotonicInstant? {
        (namespaces.values.compactMap(\.awaited.nextDeadline) + [pingDeadline, pongDeadline, joinDeadline].compactMap { $0 }).min()
    }

    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        switch (state, event) {
        case (.disconnected, .opened): opened(at: now)
        case (.disconnected, .close(let closure)), (.ready, .close(let closure)): end(.init(.user), hangUp: closure)
        case (.ready, .received(let message)): received(message, at: now)
        case (.disconnected, .closed(let closure)), (.ready, .closed(let closure)): transportClosed(closure)
        case (.ready, .clock): timePassed(now)
        case (.ready, .decided(let name, let attempt, let id, let admission)): decided(name, attempt, id, admission)
        case (.ready, .emit(let emit)): send(emit, at: now)
        case (.ready, .acknowledge(let emit, let name, let id, let arguments)): acknowledge(emit, name, id, arguments)
        case (.ready, .disconnect(let name)): disconnect(name)
        case (.ready, .overflowed): end(.init(.overflow), hangUp: .init(code: 1013))
        case (_, .emit(let emit)): [.outcome(emit.id, .notConnected)]
        case (_, .acknowledge(let emit, _, _, _)): [.outcome(emit, .notConnected)]
        case (.closed, _): []  // Late: it has ended.
        case (.disconnected, .received), (.disconnected, .clock), (.disconnected, .decided), (.disconnected, .disconnect),
            (.disconnected, .overflowed):
            []  // Nothing before the socket is open.
        case (.ready, .opened), (.connecting, _): preconditionFailure("Socket.IO server session: \(event) in \(state)")
        }
    }

    private mutating func opened(at now: MonotonicInstant) -> [Effect] {
        state = .ready
        pingDeadline = now.advanced(by: policy.pingInterval)
        joinDeadline = now.advanced(by: policy.connectTimeout)
        let handshake = EngineIOHandshake(
            sessionID: sessionID, pingInterval: policy.pingInterval, pingTimeout: policy.pingTimeout,
            maximumPayload: policy.limits.maximumPayload)
        return [.send(.text(EngineIOPacket.open(handshake.json).text))]
    }

    private mutating func transportClosed(_ closure: WebSocketClosure) -> [Effect] {
        let reason: SocketIOCloseReason =
            switch closure.code {
            case 1009: .tooLarge
            case 1000, 1001, 1005: .client
            default: .lost
            }
        return end(.init(reason, webSocket: closure), hangUp: nil)
    }

    private mutating func timePassed(_ now: MonotonicInstant) -> [Effect] {
        if let pongDeadline, pongDeadline <= now { return end(.init(.pingTimeout), hangUp: .init(code: 1001)) }
        if let joinDeadline, joinDeadline <= now { return end(.init(.connectTimeout), hangUp: .init(code: 1001)) }
        var effects: [Effect] = []
        for name in namespaces.keys.sorted() {
            for id in namespaces[name]?.awaited.takeDue(at: now) ?? [] { effects.append(.outcome(id, .timedOut)) }
        }
        if let pingDeadline, pingDeadline <= now {
            self.pingDeadline = nil
            pongDeadline = now.advanced(by: policy.pingTimeout)
            effects.append(.send(.text(EngineIOPacket.ping("").text)))
        }
        return effects
    }

    // MARK: The peer

    private mutating func received(_ message: WebSocketMessage, at now: MonotonicInstant) -> [Effect] {
        do throws(SocketIOFault) {
            switch message {
            case .text(let text):
                guard text.utf8.count <= policy.limits.maximumPayload else { throw .tooLarge }
                return try received(EngineIOPacket(text, maximumDepth: policy.limits.maximumDepth), at: now)
            case .binary(let bytes): return try decoder.decode(bytes).map { received($0) } ?? []
            }
        } catch {
            let large = error == .tooLarge
            return end(.init(large ? .tooLarge : .parseError, fault: error), hangUp: .init(code: large ? 1009 : 1002))
        }
    }

    private mutating func received(_ packet: EngineIOPacket, at now: MonotonicInstant) throws(SocketIOFault) -> [Effect] {
        switch packet {
        case .pong:
            guard pongDeadline != nil else { return [] }  // Not asked for: it must not put off the next ping.
            pongDeadline = nil
            pingDeadline = now.advanced(by: policy.pingInterval)
            return []
        case .message(let text): return try decoder.decode(text).map { received($0) } ?? []
        case .close: return end(.init(.client), hangUp: .init(code: 1000))
        case .noop: return []
        case .open, .ping, .upgrade: throw .unexpectedEnginePacket
        }
    }

    private mutating func received(_ packet: SocketIOPacket) -> [Effect] {
        let name = packet.namespace
        switch (state(of: name), packet.content) {
        case (.disconnected, .connect(let payload)), (.closed, .connect(let payload)): return joining(name, payload)
        case (.ready, .event(let event, let arguments, let id)):
            let wanted = policy.acknowledgesAtOnce ? id : nil
            let reply = wanted.map { control(.init(namespace: name, content: .acknowledgement(id: $0, arguments: []))) } ?? []
            return [.report(.event(namespace: name, name: event, arguments: arguments, id: id))] + reply
        case (.ready, .acknowledgement(let id, let arguments)):
            guard let emit = namespaces[name]?.awaited.take(id) else { return [] }  // Late, or never asked for.
            return [.outcome(emit, .acknowledged(arguments))]
        case (.ready, .disconnect): return leave(name, .client)
        case (.connecting, .disconnect):
            namespaces[name]?.state = .closed(.client)  // The decision that comes later finds another attempt or state.
            return []
        case (.connecting, .connect), (.ready, .connect): return []  // Asked already.
        case (_, .connectError): return []  // A client does not refuse us.
        case (.disconnected, _), (.closed, _), (.connecting, .event), (.connecting, .acknowledgement): return []  // Not joined.
        }
    }

    private mutating func joining(_ name: String, _ payload: JSONValue?) -> [Effect] {
        guard policy.namespaces.contains(name) else {
            return control(.init(namespace: name, content: .connectError(["message": "Invalid namespace"])))
        }
        namespaces[name, default: .init()].state = .connecting
        namespaces[name]?.attempt += 1
        return [.report(.joining(namespace: name, payload: payload, attempt: namespaces[name]?.attempt ?? 0))]
    }

    // MARK: The program

    private mutating func decided(_ name: String, _ attempt: Int, _ id: String, _ admission: SocketIOAdmission) -> [Effect] {
        guard state(of: name) == .connecting, namespaces[name]?.attempt == attempt else { return [] }  // It left meanwhile.
        switch admission {
        case .accept(let payload):
            namespaces[name]?.state = .ready
            joinDeadline = nil
            let members = (payload?.members ?? []).filter { $0.name != "sid" }
            return control(.init(namespace: name, content: .connect(.object([.init("sid", .string(id))] + members))))
        case .refuse(let message, let data):
            namespaces[name]?.state = .closed(.refused)
            var members = [JSONValue.Member("message", .string(message))]
            if let data { members.append(.init("data", data)) }
            return control(.init(namespace: name, content: .connectError(.object(members))))
        }
    }

    private mutating func send(_ emit: SocketIOEmit, at now: MonotonicInstant) -> [Effect] {
        guard state(of: emit.namespace) == .ready else { return [.outcome(emit.id, .notConnected)] }
        if emit.acknowledgementTimeout != nil, awaitedCount >= policy.maximumAwaited { return [.outcome(emit.id, .notConnected)] }
        let id = emit.acknowledgementTimeout.flatMap { namespaces[emit.namespace]?.awaited.add(emit.id, deadline: now.advanced(by: $0)) }
        let packet = SocketIOPacket(namespace: emit.namespace, content: .event(name: emit.name, arguments: emit.arguments, id: id))
        do throws(SocketIOFault) {
            let sends = try frames(of: packet, limits: sendLimits).map { Effect.send($0) }
            return id == nil ? sends + [.outcome(emit.id, .sent)] : sends
        } catch {
            if let id { _ = namespaces[emit.namespace]?.awaited.take(id) }
            return [.outcome(emit.id, .invalid(error))]
        }
    }

    private func acknowledge(_ emit: SocketIOEmitID, _ name: String, _ id: UInt64, _ arguments: [SocketIOValue]) -> [Effect] {
        guard state(of: name) == .ready else { return [.outcome(emit, .notConnected)] }
        do throws(SocketIOFault) {
            let packet = SocketIOPacket(namespace: name, content: .acknowledgement(id: id, arguments: arguments))
            return try frames(of: packet, limits: sendLimits).map { .send($0) } + [.outcome(emit, .sent)]
        } catch {
            return [.outcome(emit, .invalid(error))]
        }
    }

    private mutating func disconnect(_ name: String) -> [Effect] {
        switch state(of: name) {
        case .ready: return leave(name, .user) + control(.init(namespace: name, content: .disconnect))
        case .connecting:
            namespaces[name]?.state = .closed(.user)
            return control(.init(namespace: name, content: .disconnect))
        case .disconnected, .closed: return []
        }
    }

    /// A packet without arguments of a caller: it always fits.
    private func control(_ packet: SocketIOPacket) -> [Effect] {
        guard let messages = try? frames(of: packet, limits: sendLimits) else { return [] }
        return messages.map { .send($0) }
    }

    /// The payload limit is on what clients send; what we send is bounded by the socket's queue.
    private var sendLimits: SocketIOLimits {
        var limits = policy.limits
        limits.maximumPayload = .max
        return limits
    }

    // MARK: Ends

    private mutating func leave(_ name: String, _ reason: SocketIOCloseReason) -> [Effect] {
        let lost = namespaces[name]?.awaited.takeAll() ?? []
        namespaces[name]?.state = .closed(reason)
        return lost.map { .outcome($0, .lost) } + [.report(.left(namespace: name, reason: reason))]
    }

    private mutating func end(_ closure: SocketIOClosure, hangUp: WebSocketClosure?) -> [Effect] {
        state = .closed(closure.reason)
        pingDeadline = nil
        pongDeadline = nil
        joinDeadline = nil
        decoder = SocketIODecoder(limits: policy.limits)
        var effects: [Effect] = hangUp.map { [.hangUp($0)] } ?? []
        for name in namespaces.keys.sorted() {
            switch state(of: name) {
            case .ready: effects += leave(name, closure.reason)
            case .connecting: namespaces[name]?.state = .closed(closure.reason)
            case .disconnected, .closed: break
            }
        }
        effects.append(.report(.closed(closure)))
        return effects
    }
}
