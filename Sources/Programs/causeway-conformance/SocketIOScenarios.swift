import HTTP
import Streams
import Transport

/// Part socketio-client: the client session against a scripted server.
final class SocketIOClientScenario: ScenarioDriver {
    private let context: ScenarioContext
    private let acknowledgementTimeout: Int
    private var session: SocketIOClientSession
    private var dial: Int?
    private var names: [String] = []
    private var calls: [SocketIOEmitID: String] = [:]
    private var emits: UInt64 = 0
    private var recovered: [JSONValue.Member] = []
    private var failure: (any Error)?
    private var timer: Int?

    init(_ context: ScenarioContext) {
        self.context = context
        acknowledgementTimeout = context.policy["ackTimeout"]?.intValue ?? 10_000
        session = SocketIOClientSession(policy: .init(limits: limits(of: context.policy)))
        note()
    }

    func call(_ op: String, _ fields: JSONValue) throws {
        let namespace = fields["namespace"]?.stringValue ?? "/"
        switch op {
        case "connect":
            note(namespace)
            handle(.connect(namespace: namespace, payload: fields["payload"]))
        case "disconnect": handle(fields["namespace"] == nil ? .close : .disconnect(namespace: namespace))
        case "emit":
            note(namespace)
            emits += 1
            handle(.emit(try emit(fields, number: emits, timeout: acknowledgementTimeout, &calls, context.log)))
        default: throw ScenarioFailure("no op \(op)")
        }
        try rethrow()
    }

    func peer(_ action: String, _ fields: JSONValue) throws {
        guard let dial else { throw ScenarioFailure("\(action): nothing was dialled") }
        switch action {
        case "open": handle(.opened(dial: dial))
        case "refuse":
            let body: JSONValue = ["code": fields["code"] ?? .null, "message": fields["message"] ?? .null]
            handle(.failed(dial: dial, .refused(status: fields["status"]?.intValue ?? 400, body: body.serializedBytes())))
            self.dial = nil
        case "frame": handle(.received(dial: dial, try frame(fields)))
        case "drop":
            handle(.closed(dial: dial, .init(code: 1006)))
            self.dial = nil
        default: throw ScenarioFailure("no action \(action)")
        }
        try rethrow()
    }

    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue {
        switch key {
        case "pending": .int(session.awaitedCount)
        case "recovered": .object(recovered.filter { expected[$0.name] != nil })
        default: throw ScenarioFailure("no expect key \(key)")
        }
    }

    func drain() throws { try rethrow() }

    private func handle(_ event: SocketIOClientSession.Event) {
        for effect in session.handle(event, at: context.clock.now) {
            do { try perform(effect) } catch { failure = failure ?? error }
        }
        note()
        if let timer { context.clock.cancel(timer) }
        timer = session.nextDeadline.map { deadline in
            let box = Unchecked(self)
            return context.clock.schedule(at: deadline) { box.value.handle(.clock) }
        }
    }

    private func perform(_ effect: SocketIOClientSession.Effect) throws {
        switch effect {
        case .dial(let number):
            dial = number
            context.log.send("dial EIO=4 transport=websocket")
        case .send(let message): log(message, context.log)
        case .hangUp: context.log.send("hang-up")
        case .outcome(let id, let outcome): try log(outcome, calls.removeValue(forKey: id), context.log)
        case .report(.event(let namespace, let name, let arguments)):
            context.log.deliver(.array([.string(namespace), .string(name)] + arguments.map(script)))
        case .report(.namespaceConnected(let namespace, let isRecovered)):
            recovered.removeAll { $0.name == namespace }
            recovered.append(.init(namespace, .bool(isRecovered)))
        case .report(.opened), .report(.namespaceRefused), .report(.namespaceDisconnected), .report(.pinged), .report(.closed): break
        }
    }

    private func note(_ namespace: String? = nil) {
        if let namespace, !names.contains(namespace) { names.append(namespace) }
        context.log.state(name(of: session.state))
        for name in names { context.log.state(causeway_conformance.name(of: session.state(of: name)), of: name) }
    }

    private func rethrow() throws { if let failure { throw failure } }
}

/// Part socketio-server: the server's session of one client after another.
final class SocketIOServerScenario: ScenarioDriver {
    private let context: ScenarioContext
    private let acknowledgementTimeout: Int
    private let policy: SocketIOServerPolicy
    private var session: SocketIOServerSession?
    private var sessions = 0
    private var calls: [SocketIOEmitID: String] = [:]
    private var emits: UInt64 = 0
    private var failure: (any Error)?
    private var timer: Int?

    init(_ context: ScenarioContext) {
        self.context = context
        acknowledgementTimeout = context.policy["ackTimeout"]?.intValue ?? 10_000
        policy = SocketIOServerPolicy(
            namespaces: Set((context.policy["namespaces"]?.members ?? []).map(\.name)),
            pingInterval: context.milliseconds("pingInterval", default: 25_000),
            pingTimeout: context.milliseconds("pingTimeout", default: 20_000),
            connectTimeout: context.milliseconds("connectTimeout", default: 45_000), limits: limits(of: context.policy))
        note()
    }

    func call(_ op: String, _ fields: JSONValue) throws {
        guard op == "emit" else { throw ScenarioFailure("no op \(op)") }
        emits += 1
        let emit = try emit(fields, number: emits, timeout: acknowledgementTimeout, &calls, context.log)
        if session == nil { try log(.notConnected, calls.removeValue(forKey: emit.id), context.log) } else { handle(.emit(emit)) }
        try rethrow()
    }

    func peer(_ action: String, _ fields: JSONValue) throws {
        switch action {
        case "dial": dial(fields)
        case "frame":
            guard session != nil else { throw ScenarioFailure("a frame before a dial") }
            handle(.received(try frame(fields)))
        case "drop":
            guard session != nil else { throw ScenarioFailure("a drop before a dial") }
            handle(.closed(.init(code: 1006)))
        default: throw ScenarioFailure("no action \(action)")
        }
        try rethrow()
    }

    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue {
        switch key {
        case "pending": .int(session?.awaitedCount ?? 0)
        case "namespaces": .array(policy.namespaces.sorted().map { .string($0) })
        default: throw ScenarioFailure("no expect key \(key)")
        }
    }

    func agrees(_ key: String, _ expected: JSONValue, _ found: JSONValue) -> Bool {
        guard key == "namespaces", let names = expected.arrayValue?.compactMap(\.stringValue) else { return matches(expected, found) }
        return matches(.array(names.sorted().map { .string($0) }), found)
    }

    func drain() throws { try rethrow() }

    private func dial(_ fields: JSONValue) {
        let query = (fields.members ?? []).map { "\($0.name)=\($0.value.stringValue ?? $0.value.serialized())" }.joined(separator: "&")
        if let refusal = EngineIORefusal.judge(query: query) {
            return context.log.send("refuse status=\(refusal.status) code=\(refusal.code)")
        }
        sessions += 1
        session = SocketIOServerSession(policy: policy, sessionID: "e\(sessions)")
        handle(.opened)
    }

    private func handle(_ event: SocketIOServerSession.Event) {
        for effect in session?.handle(event, at: context.clock.now) ?? [] {
            do { try perform(effect) } catch { failure = failure ?? error }
        }
        note()
        if let timer { context.clock.cancel(timer) }
        timer = session?.nextDeadline.map { deadline in
            let box = Unchecked(self)
            return context.clock.schedule(at: deadline) { box.value.handle(.clock) }
        }
    }

    private func perform(_ effect: SocketIOServerSession.Effect) throws {
        switch effect {
        case .send(let message): log(message, context.log)
        case .hangUp: context.log.send("hang-up")
        case .outcome(let id, let outcome): try log(outcome, calls.removeValue(forKey: id), context.log)
        case .report(.joining(let namespace, let payload, let attempt)):
            let wanted = context.policy["namespaces"]?[namespace] ?? .null
            let isWelcome = wanted.isNull || payload.map { matches(wanted, $0) } ?? false
            handle(
                .decided(
                    namespace: namespace, attempt: attempt, sessionID: "s\(attempt)",
                    isWelcome ? .accept(payload: nil) : .refuse(message: "Not authorized", data: nil)))
        case .report(.event(let namespace, let name, let arguments, _)):
            context.log.deliver(.array([.string(namespace), .string(name)] + arguments.map(script)))
        case .report(.left), .report(.closed): break
        }
    }

    private func note() {
        context.log.state(name(of: session?.state ?? .disconnected))
        for name in policy.namespaces.sorted() {
            context.log.state(causeway_conformance.name(of: session?.state(of: name) ?? .disconnected), of: name)
        }
    }

    private func rethrow() throws { if let failure { throw failure } }
}

/// Everything of a run happens on its one thread.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

private func limits(of policy: JSONValue) -> SocketIOLimits {
    .init(
        maximumPayload: policy["maxPayload"]?.intValue ?? 1_000_000, maximumAttachments: policy["maxAttachments"]?.intValue ?? 10)
}

private func name(of state: SocketIOState) -> String {
    switch state {
    case .disconnected: "disconnected"
    case .connecting: "connecting"
    case .ready: "ready"
    case .closed(let reason): "closed(\(reason.rawValue))"
    }
}

private func frame(_ json: JSONValue) throws -> WebSocketMessage {
    if let text = json.stringValue { return .text(text) }
    guard let hex = json["hex"]?.stringValue else { throw ScenarioFailure("not a frame: \(json.serialized())") }
    return .binary(try hexBytes(hex))
}

private func log(_ message: WebSocketMessage, _ log: ScenarioLog) {
    switch message {
    case .text(let text): log.send(text)
    case .binary(let bytes): log.send(binary: bytes)
    }
}

/// `{"hex": …}` of a script is a byte string.
private func argument(_ json: JSONValue) throws -> SocketIOValue {
    guard let hex = json["hex"]?.stringValue, json.members?.count == 1 else { return SocketIOValue(json) }
    return .binary(try hexBytes(hex))
}

private func script(_ value: SocketIOValue) -> JSONValue {
    switch value {
    case .binary(let bytes): ["hex": .string(hexText(bytes))]
    case .array(let elements): .array(elements.map(script))
    case .object(let members): .object(members.map { .init($0.name, script($0.value)) })
    case .null, .bool, .number, .string: value.json ?? .null
    }
}

private func emit(
    _ fields: JSONValue, number: UInt64, timeout: Int, _ calls: inout [SocketIOEmitID: String], _ log: ScenarioLog
) throws -> SocketIOEmit {
    guard let event = fields["event"]?.arrayValue, let name = event.first?.stringValue else {
        throw ScenarioFailure("an emit has an event")
    }
    let id = SocketIOEmitID(number)
    var wait: Duration?
    if let call = fields["id"]?.stringValue {
        try log.begin(call)
        calls[id] = call
        wait = .milliseconds(fields["timeout"]?.intValue ?? timeout)
    }
    return SocketIOEmit(
        id: id, namespace: fields["namespace"]?.stringValue ?? "/", name: name, arguments: try event.dropFirst().map(argument),
        acknowledgementTimeout: wait)
}

private func log(_ outcome: SocketIOOutcome, _ call: String?, _ log: ScenarioLog) throws {
    guard let call else { return }
    switch outcome {
    case .sent: throw ScenarioFailure("call \(call) was sent without asking for its acknowledgement")
    case .acknowledged(let arguments): try log.result(["ack": .array(arguments.map(script))], of: call)
    case .timedOut: try log.result("timeout", of: call)
    case .lost: try log.result("lost", of: call)
    case .notConnected: try log.result("notConnected", of: call)
    case .invalid(let fault): try log.result(.string("invalid(\(fault))"), of: call)
    }
}
