public import HTTP
public import Streams

/// What a client session may do and wait for.
public struct SocketIOClientPolicy: Hashable, Sendable {
    /// Of what the server sends.
    public var limits: SocketIOLimits
    /// From the open WebSocket to the server's opening packet.
    public var openTimeout: Duration
    /// Acknowledgements awaited at once; beyond it an emit that wants one is refused.
    public var maximumAwaited: Int

    public init(limits: SocketIOLimits = .init(), openTimeout: Duration = .seconds(8), maximumAwaited: Int = 1024) {
        self.limits = limits
        self.openTimeout = openTimeout
        self.maximumAwaited = maximumAwaited
    }
}

/// News of a client session, in order.
public enum SocketIOClientEvent: Hashable, Sendable {
    case opened(pingInterval: Duration, pingTimeout: Duration)
    case namespaceConnected(String, recovered: Bool)
    case namespaceRefused(String, message: String, data: JSONValue?)
    case event(namespace: String, name: String, arguments: [SocketIOValue])
    /// The server ended this namespace; the connection and the others stay.
    case namespaceDisconnected(String)
    /// The server's ping, already answered.
    case pinged
    /// The end of every namespace; comes once for each dial.
    case closed(SocketIOClosure)
}

/// One Socket.IO 5 connection of a client over WebSocket, as a pure value: no clock, no socket, no task inside. It never dials again by
/// itself. Whoever drives it performs the effects in order and calls `handle(.clock, at:)` when `nextDeadline` has come; a late or
/// needless `.clock` does nothing.
public struct SocketIOClientSession: Sendable {
    public enum Event: Sendable {
        // From the user.
        case connect(namespace: String, payload: JSONValue?)
        case disconnect(namespace: String)
        case close
        case emit(SocketIOEmit)
        // From the transport; each names the dial it belongs to.
        case opened(dial: Int)
        case failed(dial: Int, WebSocketDialFailure)
        case received(dial: Int, WebSocketMessage)
        case closed(dial: Int, WebSocketClosure)
        case clock
        /// The driver's queue of news ran over.
        case overflowed
    }

    public enum Effect: Hashable, Sendable {
        /// Open a WebSocket with the query `EIO=4&transport=websocket`.
        case dial(Int)
        case send(WebSocketMessage)
        case hangUp(WebSocketClosure)
        case report(SocketIOClientEvent)
        case outcome(SocketIOEmitID, SocketIOOutcome)
    }

    private struct Namespace: Sendable {
        var state: SocketIOState = .disconnected
        var payload: JSONValue?
        var awaited = SocketIOAwaited()
        /// Private id and last offset, where the server offers connection state recovery.
        var recovery: (privateID: String, offset: String?)?
    }

    private let policy: SocketIOClientPolicy
    public private(set) var state: SocketIOState = .disconnected
    private var namespaces: [String: Namespace] = [:]
    /// Joins in the order they were asked for.
    private var joinOrder: [String] = []
    private var decoder: SocketIODecoder
    private var dialNumber = 0
    private var handshake: EngineIOHandshake?
    /// The opening packet's, then that of the next ping.
    private var deadline: MonotonicInstant?

    public init(policy: SocketIOClientPolicy = .init()) {
        self.policy = policy
        decoder = SocketIODecoder(limits: policy.limits)
    }

    public func state(of namespace: String) -> SocketIOState { namespaces[namespace]?.state ?? .disconnected }

    /// Acknowledgements that are awaited.
    public var awaitedCount: Int { namespaces.values.reduce(0) { $0 + $1.awaited.count } }

    /// When `.clock` is wanted next.
    public var nextDeadline: MonotonicInstant? {
        (namespaces.values.compactMap(\.awaited.nextDeadline) + [deadline].compactMap { $0 }).min()
    }

    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        switch event {
        case .connect(let namespace, let payload): connect(namespace, payload)
        case .disconnect(let namespace): leave(namespace)
        case .close: end(.init(.user), hangUp: .init(code: 1000))
        case .emit(let emit): send(emit, at: now)
        case .opened(let dial): opened(dial, at: now)
        case .failed(let dial, let failure): failed(dial, failure)
        case .received(let dial, let message): dial == dialNumber && isUp ? received(message, at: now) : []
        case .closed(let dial, let closure): dial == dialNumber ? transportClosed(closure) : []
        case .clock: timePassed(now)
        case .overflowed: end(.init(.overflow), hangUp: .init(code: 1013))
        }
    }

    private var isUp: Bool {
        switch state {
        case .connecting, .ready: true
        case .disconnected, .closed: false
        }
    }

    // MARK: The user

    private mutating func connect(_ namespace: String, _ payload: JSONValue?) -> [Effect] {
        switch self.state(of: namespace) {
        case .connecting, .ready: return []  // It is on its way, or there.
        case .disconnected, .closed: break
        }
        namespaces[namespace, default: .init()].state = .connecting
        namespaces[namespace]?.payload = payload
        joinOrder.removeAll { $0 == namespace }
        joinOrder.append(namespace)
        switch state {
        case .ready: return join(namespace)
        case .connecting: return []  // Joins when the connection opens.
        case .disconnected, .closed:
            state = .connecting
            dialNumber += 1
            handshake = nil
            decoder = SocketIODecoder(limits: policy.limits)
            for name in namespaces.keys { namespaces[name]?.awaited = .init() }
            return [.dial(dialNumber)]
        }
    }

    private mutating func join(_ name: String) -> [Effect] {
        guard let namespace = namespaces[name] else { return [] }
        var payload = namespace.payload
        if let recovery = namespace.recovery {
            var members = payload?.members ?? []
            members.append(.init("pid", .string(recovery.privateID)))
            if let offset = recovery.offset { members.append(.init("offset", .string(offset))) }
            payload = .object(members)
        }
        do throws(SocketIOFault) {
            return try frames(of: .init(namespace: name, content: .connect(payload)), limits: sendLimits).map { .send($0) }
        } catch {
            namespaces[name]?.state = .closed(.refused)
            return [.report(.namespaceRefused(name, message: "\(error)", data: nil))]
        }
    }

    private mutating func leave(_ name: String) -> [Effect] {
        let previous = state(of: name)
        guard previous == .connecting || previous == .ready else { return [] }
        var effects = close(name, .user)
        namespaces[name]?.recovery = nil
        if state == .ready { effects += control(.init(namespace: name, content: .disconnect)) }
        return effects
    }

    private mutating func send(_ emit: SocketIOEmit, at now: MonotonicInstant) -> [Effect] {
        guard state == .ready, state(of: emit.namespace) == .ready else { return [.outcome(emit.id, .notConnected)] }
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

    /// What the server said it takes.
    private var sendLimits: SocketIOLimits {
        var limits = policy.limits
        limits.maximumPayload = handshake?.maximumPayload ?? .max
        return limits
    }

    // MARK: The transport

    private mutating func opened(_ dial: Int, at now: MonotonicInstant) -> [Effect] {
        guard dial == dialNumber, state == .connecting else { return [] }  // We hung up meanwhile.
        deadline = now.advanced(by: policy.openTimeout)
        return []
    }

    private mutating func failed(_ dial: Int, _ failure: WebSocketDialFailure) -> [Effect] {
        guard dial == dialNumber, isUp else { return [] }  // We hung up meanwhile.
        switch failure {
        case .refused(let status, let body):
            let unsupported = EngineIORefusal(status: status, body: body)?.code == EngineIORefusal.unsupportedVersion.code
            return end(.init(unsupported ? .unsupported : .refused, dialFailure: failure), hangUp: nil)
        case .network, .timedOut, .untrusted, .badURL: return end(.init(.lost, dialFailure: failure), hangUp: nil)
        }
    }

    private mutating func transportClosed(_ closure: WebSocketClosure) -> [Effect] {
        guard isUp else { return [] }  // The answer to our own close.
        return end(.init(closure.code == 1009 ? .tooLarge : .lost, webSocket: closure), hangUp: nil)
    }

    private mutating func timePassed(_ now: MonotonicInstant) -> [Effect] {
        if let deadline, deadline <= now {
            return end(.init(state == .ready ? .pingTimeout : .connectTimeout), hangUp: .init(code: 1001))
        }
        var effects: [Effect] = []
        for name in namespaces.keys.sorted() {
            for id in namespaces[name]?.awaited.takeDue(at: now) ?? [] { effects.append(.outcome(id, .timedOut)) }
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
            case .binary(let bytes):
                guard state == .ready else { throw .strayBinary }
                return try decoder.decode(bytes).map { received($0) } ?? []
            }
        } catch {
            let large = error == .tooLarge
            return end(.init(large ? .tooLarge : .parseError, fault: error), hangUp: .init(code: large ? 1009 : 1002))
        }
    }

    private mutating func received(_ packet: EngineIOPacket, at now: MonotonicInstant) throws(SocketIOFault) -> [Effect] {
        switch (state, packet) {
        case (.connecting, .open(let json)):
            let handshake = try EngineIOHandshake(json)
            self.handshake = handshake
            state = .ready
            watch(from: now)
            var effects: [Effect] = [.report(.opened(pingInterval: handshake.pingInterval, pingTimeout: handshake.pingTimeout))]
            for name in joinOrder where state(of: name) == .connecting { effects += join(name) }
            return effects
        case (.ready, .ping(let data)):
            watch(from: now)
            return [.send(.text(EngineIOPacket.pong(data).text)), .report(.pinged)]
        case (.ready, .message(let text)):
            return try decoder.decode(text).map { received($0) } ?? []
        case (.connecting, .close), (.ready, .close): return end(.init(.server), hangUp: .init(code: 1000))
        case (.ready, .noop), (.ready, .pong): return []  // Nothing to do: a probe's leftovers; we never ping.
        case (.connecting, .ping), (.connecting, .pong), (.connecting, .message), (.connecting, .upgrade), (.connecting, .noop),
            (.ready, .open), (.ready, .upgrade):
            throw .unexpectedEnginePacket
        case (.disconnected, _), (.closed, _): return []  // Late.
        }
    }

    private mutating func watch(from now: MonotonicInstant) {
        guard let handshake else { return }
        deadline = now.advanced(by: handshake.pingInterval + handshake.pingTimeout)
    }

    private mutating func received(_ packet: SocketIOPacket) -> [Effect] {
        let name = packet.namespace
        switch (state(of: name), packet.content) {
        case (.connecting, .connect(let payload)): return joined(name, payload)
        case (.connecting, .connectError(let payload)):
            var effects = close(name, .refused)
            namespaces[name]?.recovery = nil
            let message = payload.stringValue ?? payload["message"]?.stringValue ?? ""
            effects.append(.report(.namespaceRefused(name, message: message, data: payload["data"])))
            return effects
        case (.ready, .event(let event, let arguments, let id)):
            if namespaces[name]?.recovery != nil, let offset = arguments.last?.stringValue { namespaces[name]?.recovery?.offset = offset }
            let reply = id.map { control(.init(namespace: name, content: .acknowledgement(id: $0, arguments: []))) } ?? []
            return [.report(.event(namespace: name, name: event, arguments: arguments))] + reply
        case (.ready, .acknowledgement(let id, let arguments)):
            guard let emit = namespaces[name]?.awaited.take(id) else { return [] }  // Late, or never asked for.
            return [.outcome(emit, .acknowledged(arguments))]
        case (.connecting, .disconnect), (.ready, .disconnect):
            var effects = close(name, .server)
            namespaces[name]?.recovery = nil
            effects.append(.report(.namespaceDisconnected(name)))
            return effects
        case (.connecting, .event), (.connecting, .acknowledgement): return []  // Before its own reply nothing of it counts (B-4).
        case (.ready, .connect), (.ready, .connectError): return []  // Joined is joined.
        case (.disconnected, _), (.closed, _): return []  // A namespace that we left or never joined.
        }
    }

    private mutating func joined(_ name: String, _ payload: JSONValue?) -> [Effect] {
        let privateID = payload?["pid"]?.stringValue
        let recovered = privateID != nil && privateID == namespaces[name]?.recovery?.privateID
        if !recovered { namespaces[name]?.recovery = privateID.map { ($0, nil) } }
        namespaces[name]?.state = .ready
        return [.report(.namespaceConnected(name, recovered: recovered))]
    }

    /// A packet without arguments: it always fits.
    private func control(_ packet: SocketIOPacket) -> [Effect] {
        guard let messages = try? frames(of: packet, limits: policy.limits) else { return [] }
        return messages.map { .send($0) }
    }

    // MARK: Ends

    /// Ends one namespace; what it awaited is lost.
    private mutating func close(_ name: String, _ reason: SocketIOCloseReason) -> [Effect] {
        let lost = namespaces[name]?.awaited.takeAll() ?? []
        namespaces[name]?.state = .closed(reason)
        return lost.map { .outcome($0, .lost) }
    }

    private mutating func end(_ closure: SocketIOClosure, hangUp: WebSocketClosure?) -> [Effect] {
        guard isUp else { return [] }  // It has ended.
        state = .closed(closure.reason)
        deadline = nil
        handshake = nil
        decoder = SocketIODecoder(limits: policy.limits)
        var effects: [Effect] = hangUp.map { [.hangUp($0)] } ?? []
        for name in joinOrder where state(of: name) == .connecting || state(of: name) == .ready { effects += close(name, closure.reason) }
        effects.append(.report(.closed(closure)))
        return effects
    }
}
