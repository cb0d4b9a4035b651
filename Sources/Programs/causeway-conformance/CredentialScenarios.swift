import Accounts
import HTTP
import Streams
import Texts

/// Part credentials, side client: the pure credential machine against a scripted gateway and auth centre.
final class CredentialClientScenario: ScenarioDriver {
    private let context: ScenarioContext
    private let defaultLifetime: Duration
    private var machine: CredentialMachine
    private var lastCaller: UInt64 = 0
    private var callers: [String: UInt64] = [:]
    private var names: [UInt64: String] = [:]
    private var statuses: [UInt64: Int] = [:]
    private var sendings: [String: Int] = [:]
    /// Requests that carry another credential than the user's: they pass the machine by.
    private var others: Set<String> = []
    private var attempts: [UInt64] = []
    private var stored: CredentialPair?
    private var failure: (any Error)?

    init(_ context: ScenarioContext) {
        self.context = context
        defaultLifetime = context.milliseconds("defaultLifetime", default: 7_200_000)
        machine = CredentialMachine(
            policy: CredentialPolicy(
                renewDivisor: Int64(context.policy["renewDivisor"]?.intValue ?? 6),
                renewFloor: context.milliseconds("renewFloor", default: 60_000), defaultLifetime: defaultLifetime,
                renewTimeout: context.milliseconds("renewTimeout", default: 15_000),
                retryAfter: context.milliseconds("retryAfter", default: 1000)))
        context.log.state(name(of: machine.state))
    }

    func call(_ op: String, _ fields: JSONValue) throws {
        switch op {
        case "sign-in":
            if let pair = try pair(fields) { handle(.signedIn(pair)) } else { handle(.loaded(nil, isDamaged: true)) }
        case "load":
            stored = try pair(fields)
            handle(.loaded(stored, isDamaged: fields["access"] != nil && stored == nil))
        case "sign-out": handle(.signOut)
        case "request": try request(fields)
        case "credential": handle(.credential(try begin(fields), isNewer: fields["new"]?.boolValue ?? false))
        case "cancel":
            guard let id = callers[try text(fields, "id")] else { throw ScenarioFailure("cancel: nobody of that id") }
            handle(.cancel(id))
        default: throw ScenarioFailure("the client has no op \(op)")
        }
        try rethrow()
    }

    func peer(_ action: String, _ fields: JSONValue) throws {
        let target = try text(fields, "to")
        let count = target == "refresh" ? attempts.count : sendings[target] ?? 0
        let number = fields["n"]?.intValue ?? count
        guard (1...max(count, 1)).contains(number), count > 0 else { throw ScenarioFailure("\(target) was not sent so often") }
        if target == "refresh" {
            handle(.renewal(attempt: attempts[number - 1], try renewalAnswer(action, fields)))
        } else if others.contains(target) {
            try context.log.result(.string(otherOutcome(action, fields)), of: target)
        } else if number == count, let id = callers[target] {
            try answer(id, action, fields)
        }
        try rethrow()
    }

    func event(_ name: String, _ value: JSONValue?) throws {
        switch name {
        case "page": handle(.trigger(.page))
        case "launch": handle(.trigger(.launch))
        case "foreground": handle(.trigger(.foreground))
        case "network-back": handle(.trigger(.networkBack))
        case "wall-clock": break  // The machine has none to jump.
        default: throw ScenarioFailure("no event \(name)")
        }
        try rethrow()
    }

    func drain() throws { try rethrow() }

    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue {
        guard key == "stored" else { throw ScenarioFailure("the client has no expect key \(key)") }
        return stored.map { ["access": .string($0.access), "refresh": .string($0.refresh)] } ?? .null
    }

    // MARK: Callers

    private func begin(_ fields: JSONValue) throws -> UInt64 {
        let name = try text(fields, "id")
        try context.log.begin(name)
        lastCaller += 1
        callers[name] = lastCaller
        names[lastCaller] = name
        return lastCaller
    }

    private func request(_ fields: JSONValue) throws {
        let id = try begin(fields)
        if let credential = fields["credential"]?.stringValue {
            guard credential == "other" else { throw ScenarioFailure("a credential is the user's or other") }
            let name = try text(fields, "id")
            others.insert(name)
            sendings[name, default: 0] += 1
            context.log.send("request id=\(name) with=other")
        } else {
            handle(.request(id, isReplayable: fields["replayable"]?.boolValue ?? false))
        }
    }

    private func answer(_ id: UInt64, _ action: String, _ fields: JSONValue) throws {
        switch action {
        case "reply":
            let status = try status(fields)
            statuses[id] = status
            handle(status == 401 ? .refused(id, code: nil) : .answered(id))
        case "fail": handle(.broke(id, try requestBreak(fields)))
        default: throw ScenarioFailure("no action \(action)")
        }
    }

    private func otherOutcome(_ action: String, _ fields: JSONValue) -> String {
        guard action == "reply", let status = fields["status"]?.intValue else { return "lost" }
        return status == 401 ? "refused" : (200...299).contains(status) ? "ok" : "error-\(status)"
    }

    // MARK: Words to values

    private func pair(_ fields: JSONValue) throws -> CredentialPair? {
        guard let access = fields["access"]?.stringValue, let refresh = fields["refresh"]?.stringValue else { return nil }
        let life = fields["lifetime"]?.intValue.map { Duration.milliseconds($0) } ?? defaultLifetime
        let left = fields["left"]?.intValue.map { Duration.milliseconds($0) }
        return CredentialPair(
            access: access, refresh: refresh, lifetime: Lifetime(length: life, left: left, now: context.clock.now), generation: 1)
    }

    private func renewalAnswer(_ action: String, _ fields: JSONValue) throws -> RenewalAnswer {
        guard action == "reply" else {
            return switch try requestBreak(fields) {
            case .lost: .failed(Failure(.connectionLost))
            case .timedOut: .failed(Failure(.connectionTimedOut))
            case .offline: .failed(Failure(.connectionNotConnected))
            }
        }
        if fields["error"]?.stringValue == "invalid_grant" { return .refused(.authRefreshInvalid) }
        guard try status(fields) == 200, let access = fields["access"]?.stringValue else { return .failed(Failure(.serverUnavailable)) }
        return .renewed(
            access: access, refresh: fields["refresh"]?.stringValue, lifetime: fields["lifetime"]?.intValue.map { .milliseconds($0) },
            left: nil, generation: nil)
    }

    private func requestBreak(_ fields: JSONValue) throws -> RequestBreak {
        switch try text(fields, "how") {
        case "reset": .lost
        case "timeout": .timedOut
        case "offline": .offline
        case let how: throw ScenarioFailure("no failure \(how)")
        }
    }

    private func status(_ fields: JSONValue) throws -> Int {
        guard let status = fields["status"]?.intValue else { throw ScenarioFailure("a reply has a status") }
        return status
    }

    // MARK: Effects

    private func handle(_ event: CredentialMachine.Event) {
        for effect in machine.handle(event, at: context.clock.now) {
            do { try perform(effect) } catch { failure = failure ?? error }
        }
        context.log.state(name(of: machine.state))
    }

    private func perform(_ effect: CredentialMachine.Effect) throws {
        switch effect {
        case .send(let id, let access):
            let name = names[id] ?? "?"
            sendings[name, default: 0] += 1
            context.log.send("request id=\(name) with=\(access)")
        case .renew(let attempt, let refresh, _):
            attempts.append(attempt)
            context.log.send("refresh with=\(refresh)")
        case .startRenewalTimer(let attempt, let instant): later(instant, .renewalTimeout(attempt: attempt))
        case .startRepeatTimer(let id, let instant): later(instant, .repeatDue(id))
        case .store(let pair): stored = pair
        case .publish(let access): context.log.deliver(.string(access ?? "none"))
        case .signedOut(let reason): context.log.notice(name(of: .signedOut(reason)))
        case .finish(let id, let outcome):
            guard let name = names[id] else { throw ScenarioFailure("an end of nobody") }
            try context.log.result(.string(word(outcome, status: statuses[id])), of: name)
        }
    }

    private func later(_ instant: MonotonicInstant, _ event: CredentialMachine.Event) {
        let box = Unchecked(self)
        _ = context.clock.schedule(at: instant) { box.value.handle(event) }
    }

    private func rethrow() throws { if let failure { throw failure } }
}

private func word(_ outcome: CredentialMachine.Outcome, status: Int?) -> String {
    switch outcome {
    case .answered: (200...299).contains(status ?? 0) ? "ok" : "error-\(status ?? 0)"
    case .refused: "refused"
    case .credential(let access): access
    case .signedOut: "signed-out"
    case .renewalFailed, .broke(.offline): "offline"
    case .broke(.lost), .broke(.timedOut): "lost"
    case .cancelled: "cancelled"
    }
}

private func name(of state: CredentialState) -> String {
    switch state {
    case .signedIn: "signed-in"
    case .signedOut(nil): "signed-out"
    case .signedOut(.user): "signed-out(user)"
    case .signedOut(.refused): "signed-out(refused)"
    case .signedOut(.damaged): "signed-out(damaged)"
    }
}

private func text(_ fields: JSONValue, _ name: String) throws -> String {
    guard let text = fields[name]?.stringValue else { throw ScenarioFailure("\(name) is missing in \(fields.serialized())") }
    return text
}

/// A run has one thread.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
