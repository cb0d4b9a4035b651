import HTTP
import MarketData
import Streams
import TradeSession
import Transport

/// Part connection, link quote: the pure quote link against a scripted server.
final class QuoteLinkScenario: ScenarioDriver {
    private let context: ScenarioContext
    private var link: QuoteLink<String, String>
    private var sent = SentCounts()
    private var timer: Int?

    init(_ context: ScenarioContext) {
        self.context = context
        var policy = QuoteLinkPolicy()
        policy.connection = connectionPolicy(context, from: .quote)
        policy.loginTimeout = context.milliseconds("loginTimeout", default: 5000)
        policy.loginTries = context.policy["loginTries"]?.intValue ?? 3
        policy.renewDivisor = context.policy["renewDivisor"]?.intValue ?? 6
        link = QuoteLink(policy: policy, jitter: jitter(context))
        context.log.state(name(of: link.state))
    }

    func call(_ op: String, _ fields: JSONValue) throws {
        switch op {
        case "connect": handle(.connection(.connect))
        case "disconnect": handle(.connection(.disconnect))
        case "subscribe": handle(.subscribe([try text(fields, "topic")], by: try text(fields, "by")))
        case "unsubscribe": handle(.unsubscribe([try text(fields, "topic")], by: try text(fields, "by")))
        default: throw ScenarioFailure("the quote link has no op \(op)")
        }
    }

    func peer(_ action: String, _ fields: JSONValue) throws {
        let via = try sent.via(fields)
        if let event = try transportEvent(action, fields, via: via) { return handle(.connection(event)) }
        switch (action, fields["to"]?.stringValue ?? fields["type"]?.stringValue) {
        case ("reply", "login"):
            try sent.require("login")
            handle(.loginAnswered(dial: via, try loginAnswer(try text(fields, "code"))))
        case ("reply", "beat"):
            try sent.require("beat")
            handle(.beatAnswered(dial: via))
        case ("push", "snapshot"): try push("snapshot", fields, via: via)
        case ("push", "delta"): try push("delta", fields, via: via)
        default: throw ScenarioFailure("the quote server does not do \(action) \(fields.serialized())")
        }
    }

    func event(_ name: String, _ value: JSONValue?) throws {
        if let event = try platformEvent(name, value) { return handle(.connection(event)) }
        guard name == "quote-credential", let value else { throw ScenarioFailure("the quote link has no event \(name)") }
        handle(
            .credential(
                value: try text(value, "value"), left: .milliseconds(value["left"]?.intValue ?? 0),
                lifetime: .milliseconds(value["lifetime"]?.intValue ?? 0)))
    }

    private func push(_ kind: String, _ fields: JSONValue, via: Int) throws {
        let topic = try text(fields, "topic")
        guard link.accepts(dial: via, topic, isWhole: kind == "snapshot") else { return }
        context.log.deliver(.string("\(kind) topic=\(topic) n=\(fields["n"]?.intValue ?? 0)"))
    }

    private func loginAnswer(_ code: String) throws -> QuoteLink<String, String>.LoginAnswer {
        switch code {
        case "ok": .ok
        case "already-logged-in": .alreadyLoggedIn
        case "unauthorized", "expired": .credentialRefused
        case "unsupported", "update-needed": .updateNeeded
        default: .refused
        }
    }

    private func handle(_ event: QuoteLink<String, String>.Event) {
        for effect in link.handle(event, at: context.clock.now) { perform(effect) }
        if let timer { context.clock.cancel(timer) }
        timer = link.nextDeadline.map { deadline in
            let box = RunBound(self)
            return context.clock.schedule(at: deadline) { box.value.handle(.clock) }
        }
    }

    private func perform(_ effect: QuoteLink<String, String>.Effect) {
        switch effect {
        case .dial(let via): send("dial via=\(via)")
        case .hangUp(let via): send("hang-up via=\(via)")
        case .pong: send("pong")
        case .needCredential: send("need-credential of=quote")
        case .login(let credential): send("login with=\(credential)")
        case .beat: send("beat")
        case .subscribe(let topics): for topic in topics { send("subscribe topic=\(topic)") }
        case .unsubscribe(let topics): for topic in topics { send("unsubscribe topic=\(topic)") }
        case .down: break
        case .entered(let state):
            context.log.state(name(of: state))
            if state == .closed(.kicked) { context.log.notice("kicked") }
        }
    }

    private func send(_ message: String) {
        sent.note(message)
        context.log.send(message)
    }
}

/// Part connection, link trade: the pure trade link against a scripted server. A counter's one trading account bears the counter's name.
final class TradeLinkScenario: ScenarioDriver {
    private typealias Link = TradeLink<String, UInt64, String>
    private let context: ScenarioContext
    private let counters: [TradeCounter]
    private var link: Link
    private var sent = SentCounts()
    private var orders: [String: (id: String, kind: String)] = [:]
    private var queries: [String: (id: String, attempt: Int)] = [:]
    private var requests: [String: TradeCounter] = [:]
    private var failure: (any Error)?
    private var timer: Int?

    init(_ context: ScenarioContext) throws {
        self.context = context
        var policy = TradeLinkPolicy()
        policy.connection = connectionPolicy(context, from: .trade)
        policy.orderTimeout = context.milliseconds("orderTimeout", default: 10_000)
        policy.queryTimeout = context.milliseconds("queryTimeout", default: 15_000)
        policy.gate = context.milliseconds("gate", default: 1000)
        policy.platform = context.policy["platform"]?.stringValue ?? "linux"
        policy.device = context.policy["device"]?.stringValue ?? "d1"
        policy.counters = try (context.policy["counters"]?.arrayValue ?? ["securities"]).map { name in
            guard let counter = TradeCounter(rawValue: name.stringValue ?? "") else { throw ScenarioFailure("no counter \(name)") }
            return counter
        }
        counters = policy.counters
        link = Link(policy: policy, jitter: jitter(context))
        context.log.state(name(of: link.state))
        for counter in counters { context.log.state("disconnected", of: counter.rawValue) }
    }

    func call(_ op: String, _ fields: JSONValue) throws {
        switch op {
        case "connect": handle(.connection(.connect))
        case "disconnect": handle(.connection(.disconnect))
        case "command":
            let id = try text(fields, "id")
            try context.log.begin(id)
            let order = fields["order"]?.stringValue
            let kind = try kind(of: try text(fields, "type"))
            orders[id] = (order ?? "", fields["type"]?.stringValue ?? "")
            handle(.request(id, kind, try counter(fields), commandID: Array((order ?? "").utf8)))
        case "login":
            let id = try text(fields, "id")
            try context.log.begin(id)
            handle(.login(id, try counter(fields), isSilent: fields["silent"]?.boolValue ?? false))
        default: throw ScenarioFailure("the trade link has no op \(op)")
        }
        if let failure { throw failure }
    }

    func peer(_ action: String, _ fields: JSONValue) throws {
        let via = try sent.via(fields)
        if let event = try transportEvent(action, fields, via: via) {
            handle(.connection(event))
        } else if action == "reply" {
            try reply(try text(fields, "to"), fields, via: via)
        } else {
            try push(try text(fields, "type"), fields, via: via)
        }
        if let failure { throw failure }
    }

    func event(_ name: String, _ value: JSONValue?) throws {
        guard let event = try platformEvent(name, value) else { throw ScenarioFailure("the trade link has no event \(name)") }
        handle(.connection(event))
    }

    func drain() throws { if let failure { throw failure } }

    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue {
        guard key == "session" else { throw ScenarioFailure("no expect key \(key)") }
        return .object(
            try (expected.members ?? []).map { member in
                guard let counter = TradeCounter(rawValue: member.name) else { throw ScenarioFailure("no counter \(member.name)") }
                return .init(member.name, link.session(of: counter).map { .string($0) } ?? .null)
            })
    }

    private func reply(_ to: String, _ fields: JSONValue, via: Int) throws {
        switch to {
        case "auth":
            try sent.require("auth")
            let code = try text(fields, "code")
            handle(.authAnswered(dial: via, code == "ok" ? .ok : code == "unauthorized" ? .unauthorized : .other))
        case "beat":
            try sent.require("beat")
            handle(.beatAnswered(dial: via, try counter(fields)))
        case "since":
            try sent.require("since")
            let items = (fields["items"]?.arrayValue ?? []).compactMap { $0.intValue.map(UInt64.init) }
            let counter = try counter(fields)
            handle(
                .sinceAnswered(
                    dial: via, counter, account: counter.rawValue, items.map { ($0, $0) },
                    upTo: fields["sequence"]?.intValue.map(UInt64.init), isComplete: true))
        case "query":
            let order = try text(fields, "order")
            guard let query = queries[order] else { throw ScenarioFailure("no query of \(order) was sent") }
            let code = try text(fields, "code")
            handle(.queryAnswered(dial: via, query.id, attempt: query.attempt, code == "not-found" ? nil : code))
        default:
            guard let counter = requests[to] else { throw ScenarioFailure("\(to) was never sent") }
            let code = try text(fields, "code")
            handle(
                .replied(
                    dial: via, counter, to, code, session: code == "ok" ? fields["session"]?.stringValue : nil,
                    endsSession: code == "session-check-failed" || code == "not-logged-in"))
        }
    }

    private func push(_ type: String, _ fields: JSONValue, via: Int) throws {
        let counter = try counter(fields)
        func number(_ name: String) -> UInt64 { UInt64(fields[name]?.intValue ?? 0) }
        switch type {
        case "ready":
            try sent.require("open")
            handle(.counterReady(dial: via, counter, epoch: number("epoch"), sequences: [(counter.rawValue, number("sequence"))]))
        case "fill": handle(.pushed(dial: via, counter, account: counter.rawValue, sequence: number("seq"), number("seq")))
        case "duplicate-login": handle(.duplicateLogin(dial: via, counter, session: try text(fields, "session")))
        case "disconnected":
            handle(.deviceDisconnected(dial: via, counter, platform: try text(fields, "platform"), device: try text(fields, "device")))
        default: throw ScenarioFailure("the trade server does not push \(type)")
        }
    }

    private func counter(_ fields: JSONValue) throws -> TradeCounter {
        guard let name = fields["counter"]?.stringValue else { return counters[0] }
        guard let counter = TradeCounter(rawValue: name) else { throw ScenarioFailure("no counter \(name)") }
        return counter
    }

    private func kind(of type: String) throws -> TradeRequestKind {
        switch type {
        case "place": .place
        case "modify": .modify
        case "cancel": .cancel
        case "query": .query(nil)
        default: throw ScenarioFailure("no command type \(type)")
        }
    }

    private func handle(_ event: Link.Event) {
        for effect in link.handle(event, at: context.clock.now) {
            do { try perform(effect) } catch { failure = failure ?? error }
        }
        if let timer { context.clock.cancel(timer) }
        timer = link.nextDeadline.map { deadline in
            let box = RunBound(self)
            return context.clock.schedule(at: deadline) { box.value.handle(.clock) }
        }
    }

    private func perform(_ effect: Link.Effect) throws {
        switch effect {
        case .dial(let via): send("dial via=\(via)")
        case .hangUp(let via): send("hang-up via=\(via)")
        case .pong: send("pong")
        case .auth(let credential): send("auth with=\(credential) via=\(link.dial)")
        case .renewAuth(let credential): send("renew-auth with=\(credential)")
        case .needCredential: send("need-credential of=user")
        case .open(let counter): send("open counter=\(counter.rawValue)")
        case .send(let id, _, let counter):
            requests[id] = counter
            let order = orders[id].map { $0.id.isEmpty ? "" : " order=\($0.id)" } ?? ""
            send("command id=\(id) type=\(orders[id]?.kind ?? "")\(order) counter=\(counter.rawValue)")
        case .login(let id, let counter):
            requests[id] = counter
            send("trade-login id=\(id) counter=\(counter.rawValue)")
        case .query(let id, let attempt, let counter, let commandID):
            let order = String(decoding: commandID, as: UTF8.self)
            queries[order] = (id, attempt)
            send("query order=\(order) counter=\(counter.rawValue)")
        case .since(let counter, _, let sequence): send("since n=\(sequence) counter=\(counter.rawValue)")
        case .beat(let counter): send("beat counter=\(counter.rawValue)")
        case .outcome(let id, let outcome): try context.log.result(.string(outcomeText(outcome)), of: id)
        case .deliver(_, _, let sequence, _): context.log.deliver(.string("fill seq=\(sequence)"))
        case .resynchronise(let counter, _, let sequence):
            context.log.deliver(.string("resynchronise seq=\(sequence) counter=\(counter.rawValue)"))
        case .down, .session: break
        case .entered(let state): context.log.state(name(of: state))
        case .counter(let counter, let state): context.log.state(counterName(of: state), of: counter.rawValue)
        case .sessionEnded(let counter): context.log.notice("session-ended counter=\(counter.rawValue)")
        case .kicked: context.log.notice("kicked")
        case .loginFailed(_, let code): context.log.notice(code)
        }
    }

    private func send(_ message: String) {
        sent.note(message)
        context.log.send(message)
    }

    private func outcomeText(_ outcome: TradeOutcome<String>) -> String {
        switch outcome {
        case .replied(let code), .found(let code): code
        case .notConnected: "notConnected"
        case .unknown: "unknown"
        case .notExecuted: "not-executed"
        case .timedOut: "timeout"
        case .lost: "lost"
        case .gated: "gated"
        case .refusedAfterKickOut: "refused-after-kick-out"
        }
    }

    private func counterName(of state: CounterState) -> String {
        switch state {
        case .disconnected: "disconnected"
        case .opening, .reconciling: "authenticating"
        case .ready: "ready"
        }
    }
}

/// What was sent so far, by kind: a script may answer only what was.
private struct SentCounts {
    private var kinds: Set<String> = []
    private var dials = 0

    mutating func note(_ message: String) {
        let kind = message.split(separator: " ").first.map(String.init) ?? ""
        kinds.insert(kind)
        if kind == "dial" { dials += 1 }
    }

    func require(_ kind: String) throws {
        guard kinds.contains(kind) else { throw ScenarioFailure("\(kind) was never sent") }
    }

    func via(_ fields: JSONValue) throws -> Int {
        let via = fields["via"]?.intValue ?? dials
        guard (1...max(1, dials)).contains(via), dials > 0 else { throw ScenarioFailure("dial \(via) was never made") }
        return via
    }
}

/// Everything of a run happens on its one thread.
private struct RunBound<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

private func text(_ fields: JSONValue, _ name: String) throws -> String {
    guard let text = fields[name]?.stringValue else { throw ScenarioFailure("\(name) is missing in \(fields.serialized())") }
    return text
}

private func jitter(_ context: ScenarioContext) -> ConnectionJitter {
    let fractions = context.policy["jitter"]?.arrayValue?.compactMap { Double($0.serialized()) } ?? []
    return ConnectionJitter(fractions: fractions.isEmpty ? [0.5] : fractions)
}

private func connectionPolicy(_ context: ScenarioContext, from base: ConnectionPolicy) -> ConnectionPolicy {
    var policy = base
    policy.connectTimeout = context.milliseconds("connectTimeout", default: 8000)
    policy.check = context.milliseconds("check", default: 10_000)
    policy.beat = context.milliseconds("beat", default: 10_000)
    policy.beatsLost = context.policy["beatsLost"]?.intValue ?? 3
    policy.cool = context.milliseconds("cool", default: 15_000)
    switch base.retry {
    case .check(_, let slow, let spread):
        policy.throttle = context.milliseconds("throttle", default: 8000)
        policy.retry = .check(quick: context.policy["attempts"]?.intValue ?? 5, slow: slow, spread: spread)
    case .backOff:
        policy.throttle = context.milliseconds("throttle", default: 0)
        policy.stable = context.milliseconds("stable", default: 10_000)
        policy.retry = .backOff(
            low: context.milliseconds("low", default: 2000), high: context.milliseconds("high", default: 6000),
            flat: context.policy["flat"]?.intValue ?? 10, factor: context.policy["factor"].flatMap { Double($0.serialized()) } ?? 1.5,
            cap: context.milliseconds("cap", default: 30_000))
    }
    return policy
}

/// Nil: no action of the transport.
private func transportEvent(_ action: String, _ fields: JSONValue, via: Int) throws -> ConnectionEvent? {
    switch action {
    case "open":
        let interval = fields["pingInterval"]?.intValue
        return .opened(dial: via, silence: interval.map { .milliseconds($0 + (fields["pingTimeout"]?.intValue ?? 0)) })
    case "refuse":
        switch fields["reason"]?.stringValue {
        case "network": return .failed(dial: via, .network)
        case "unauthorized": return .failed(dial: via, .unauthorized)
        case "unsupported": return .failed(dial: via, .unsupported)
        default: throw ScenarioFailure("no reason \(fields.serialized())")
        }
    case "drop": return .lost(dial: via, code: nil)
    case "close": return .lost(dial: via, code: UInt16(fields["code"]?.intValue ?? 1005))
    case "ping": return .pinged(dial: via)
    default: return nil
    }
}

/// Nil: no event of the platform or the user's credential.
private func platformEvent(_ name: String, _ value: JSONValue?) throws -> ConnectionEvent? {
    switch name {
    case "foreground": return .foreground
    case "background": return .background
    case "network-changed": return .networkChanged
    case "network-lost": return .networkLost
    case "network-back": return .networkBack
    case "credential": return .credential(value?.stringValue.map { ConnectionCredential(value: $0) })
    default: return nil
    }
}

private func name(of state: ConnectionState) -> String {
    switch state {
    case .disconnected: "disconnected"
    case .connecting: "connecting"
    case .authenticating: "authenticating"
    case .ready: "ready"
    case .waiting: "waiting"
    case .cooling: "cooling"
    case .suspended: "suspended"
    case .closed(.user): "closed(user)"
    case .closed(.kicked): "closed(kicked)"
    case .closed(.signedOut): "closed(signed-out)"
    case .closed(.unsupported): "closed(unsupported)"
    }
}
