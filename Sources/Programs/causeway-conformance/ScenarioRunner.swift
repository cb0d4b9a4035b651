import HTTP
import Streams

/// What one scenario gave.
struct ScenarioReport {
    var id: String
    /// Nil: it passes. Otherwise step, clock and what was found.
    var failure: String?
}

/// Runs scripts of the step grammar (at, call, peer, always, event, use, expect, never) against the drivers of `scenarioParts`.
struct ScenarioFile {
    private let vocabulary: ScenarioVocabulary
    private let macros: [String: [JSONValue]]
    let scenarios: [JSONValue]

    /// True: the file has the layout of scripted runs.
    static func recognises(_ json: JSONValue) -> Bool { json["scenarios"]?.arrayValue != nil }

    init(_ json: JSONValue) throws {
        vocabulary = try ScenarioVocabulary()
        guard let scenarios = json["scenarios"]?.arrayValue else { throw ScenarioFailure("no scenarios") }
        for member in json.members ?? [] where !["about", "macros", "scenarios"].contains(member.name) {
            throw ScenarioFailure("unknown key \(member.name)")
        }
        self.scenarios = scenarios
        macros = Dictionary(
            (json["macros"]?.members ?? []).map { ($0.name, $0.value.arrayValue ?? []) }, uniquingKeysWith: { first, _ in first })
    }

    /// One report a scenario, in the file's order; an unknown name is a failure, never a skip.
    func run() -> [ScenarioReport] { scenarios.map { run($0) } }

    /// Runs one scenario.
    func run(_ scenario: JSONValue) -> ScenarioReport {
        let id = scenario["id"]?.stringValue ?? "(no id)"
        do {
            let run = try ScenarioRun(scenario, vocabulary: vocabulary, macros: macros)
            return .init(id: id, failure: run.run())
        } catch {
            return .init(id: id, failure: "\(error)")
        }
    }
}

/// One scenario being run.
final class ScenarioRun {
    private let part: String
    private let vocabulary: ScenarioVocabulary
    private let macros: [String: [JSONValue]]
    private let steps: [JSONValue]
    private let clock = ManualClock()
    private let log: ScenarioLog
    private let driver: any ScenarioDriver
    private var always: [(text: String, pattern: SentPattern, action: String, fields: JSONValue)] = []
    private var never: [Never] = []
    private var position = "start"
    // How far each list has been looked at.
    private var answeredSent = 0
    private var checkedSent = 0
    private var checkedDelivered = 0

    private struct Never {
        var key: String
        var item: JSONValue
        var pattern: SentPattern?
        /// Entries of the log that it has seen.
        var seen: Int
    }

    init(_ scenario: JSONValue, vocabulary: ScenarioVocabulary, macros: [String: [JSONValue]]) throws {
        for member in scenario.members ?? []
        where !["id", "title", "part", "link", "side", "covers", "policy", "steps", "held"].contains(member.name) {
            throw ScenarioFailure("unknown key \(member.name)")
        }
        guard let part = scenario["part"]?.stringValue, vocabulary.knows(part: part), let make = scenarioParts[part] else {
            throw ScenarioFailure("unknown part \(scenario["part"]?.serialized() ?? "")")
        }
        let policy = scenario["policy"] ?? .object([])
        for member in policy.members ?? [] { try vocabulary.check(part, "policy", member.name) }
        self.part = part
        self.vocabulary = vocabulary
        self.macros = macros
        steps = scenario["steps"]?.arrayValue ?? []
        log = ScenarioLog(clock: clock)
        driver = try make(
            ScenarioContext(
                link: scenario["link"]?.stringValue, side: scenario["side"]?.stringValue, policy: policy, clock: clock, log: log))
    }

    /// Nil: passes.
    func run() -> String? {
        do {
            try settle()
            try perform(steps, within: "", depth: 0)
            return nil
        } catch {
            return "step \(position) at \(milliseconds) ms: \(error)"
        }
    }

    private var milliseconds: Int { Int(clock.now.nanoseconds / 1_000_000) }

    private func perform(_ steps: [JSONValue], within path: String, depth: Int) throws {
        for (index, step) in steps.enumerated() {
            guard let members = step.members, members.count == 1 else { throw ScenarioFailure("a step has one key: \(step.serialized())") }
            let name = path + "\(index + 1)"
            position = name
            if members[0].name == "use" {
                guard let macro = members[0].value.stringValue, let body = macros[macro], depth < 8 else {
                    throw ScenarioFailure("unknown macro \(members[0].value.serialized())")
                }
                try perform(body, within: name + ":" + macro + ".", depth: depth + 1)
            } else {
                try perform(members[0].name, members[0].value)
                try settle()
            }
        }
    }

    private func perform(_ key: String, _ value: JSONValue) throws {
        switch key {
        case "at": try advance(value)
        case "call":
            guard let op = value["op"]?.stringValue else { throw ScenarioFailure("a call has an op") }
            try vocabulary.check(part, "ops", op, fields: (value.members ?? []).map(\.name).filter { $0 != "op" })
            try driver.call(op, value)
        case "peer": try peer(value)
        case "event": try event(value)
        case "expect": for member in value.members ?? [] { try expect(member.name, member.value) }
        case "never": for member in value.members ?? [] { try forbid(member.name, member.value) }
        default: throw ScenarioFailure("unknown step \(key)")
        }
    }

    // MARK: Time and the queue

    private func advance(_ value: JSONValue) throws {
        guard let target = value.intValue, target >= milliseconds else {
            throw ScenarioFailure("the clock does not go to \(value.serialized())")
        }
        let instant = MonotonicInstant(nanoseconds: Int64(target) * 1_000_000)
        while clock.fireNext(upTo: instant) { try settle() }
        clock.advance(to: instant)
    }

    /// Drains the queue and lets the rules of `always` answer until nothing more happens at this time.
    private func settle() throws {
        try driver.drain()
        var answers = 0
        while answeredSent < log.sent.count {
            let message = log.sent[answeredSent].message
            answeredSent += 1
            if let rule = always.last(where: { $0.pattern.matches(message) }) {
                answers += 1
                guard answers < 10_000 else { throw ScenarioFailure("no end of answers at one clock time") }
                try driver.peer(rule.action, filled(rule.fields, rule.action, from: message))
                try driver.drain()
            }
            try checkNever()
        }
        try checkNever()
    }

    /// `to`, `via`, `counter` and `order` come from the message where the rule does not give them.
    private func filled(_ fields: JSONValue, _ action: String, from message: SentMessage) -> JSONValue {
        var members = fields.members ?? []
        for name in ["to", "via", "counter", "order"]
        where fields[name] == nil && vocabulary.takesField(part, "peer", action, name) {
            guard let text = name == "to" ? message.field("id") ?? message.kind : message.field(name) else { continue }
            members.append(.init(name, name == "via" ? .number(text) : .string(text)))
        }
        return .object(members)
    }

    // MARK: The other side

    private func peer(_ value: JSONValue) throws {
        guard let member = value.members?.first, value.members?.count == 1 else { throw ScenarioFailure("a peer step has one action") }
        if member.name == "always" { return try setAlways(member.value) }
        try checkAction(member.name, member.value)
        try driver.peer(member.name, member.value)
    }

    private func checkAction(_ action: String, _ fields: JSONValue) throws {
        try vocabulary.check(part, "peer", action, fields: action == "frame" ? [] : (fields.members ?? []).map(\.name))
    }

    private func setAlways(_ value: JSONValue) throws {
        for rule in value.members ?? [] {
            let pattern = try SentPattern(.string(rule.name), vocabulary, part: part)
            always.removeAll { $0.text == rule.name }
            if rule.value.isNull { continue }
            guard let action = rule.value.members?.first, rule.value.members?.count == 1 else {
                throw ScenarioFailure("a rule has one action")
            }
            try checkAction(action.name, action.value)
            always.append((rule.name, pattern, action.name, action.value))
        }
    }

    private func event(_ value: JSONValue) throws {
        let name = value.stringValue ?? value.members?.first?.name ?? ""
        guard let hasValue = vocabulary.eventHasValue(part, name), hasValue == (value.stringValue == nil) else {
            throw ScenarioFailure("unknown event \(value.serialized())")
        }
        try driver.event(name, hasValue ? value.members?.first?.value : nil)
    }

    // MARK: What must hold

    private func forbid(_ key: String, _ value: JSONValue) throws {
        try vocabulary.checkNever(key)
        let seen = ["sent": log.sent.count, "state": log.states.count, "notice": log.notices.count, "delivered": log.delivered.count]
        for item in (key == "sent" || key == "state" ? value.arrayValue : nil) ?? [value] {
            if key == "state" { try vocabulary.check(part, "states", item.stringValue ?? "") }
            let pattern = key == "sent" ? try SentPattern(item, vocabulary, part: part) : nil
            never.append(.init(key: key, item: item, pattern: pattern, seen: seen[key] ?? 0))
        }
    }

    private func checkNever() throws {
        for index in never.indices {
            let rule = never[index]
            let offender: String? =
                switch rule.key {
                case "sent": log.sent[rule.seen...].first { rule.pattern?.matches($0.message) ?? false }?.message.description
                case "state": log.states[rule.seen...].first { stateMatches(rule.item, $0.name) }?.name
                case "notice": log.notices[rule.seen...].first { rule.item == .string($0) }
                default: log.delivered[rule.seen...].first { itemMatches(rule.item, $0) }?.serialized()
                }
            if let offender { throw ScenarioFailure("never \(rule.key) \(rule.item.serialized()), but \(offender)") }
            never[index].seen =
                switch rule.key {
                case "sent": log.sent.count
                case "state": log.states.count
                case "notice": log.notices.count
                default: log.delivered.count
                }
        }
    }

    private func expect(_ key: String, _ expected: JSONValue) throws {
        try vocabulary.check(part, "expect", key)
        switch key {
        case "sent": try expectSent(expected)
        case "count":
            for member in expected.members ?? [] {
                try demand(
                    inRange(member.value, try times(member.name).count), "count of \(member.name)", member.value,
                    .int(try times(member.name).count))
            }
        case "times":
            for member in expected.members ?? [] {
                let found = try times(member.name)
                let wanted = member.value.arrayValue ?? []
                try demand(
                    wanted.count == found.count && zip(wanted, found).allSatisfy { inRange($0, $1) }, "times of \(member.name)",
                    member.value,
                    .array(found.map { .int($0) }))
            }
        case "state":
            for (who, wanted) in expected.members?.map({ ($0.name, $0.value) }) ?? [("state", expected)] {
                for name in wanted.arrayValue ?? [wanted] { try vocabulary.check(part, "states", name.stringValue ?? "") }
                let found = log.state(of: who)
                try demand(found.map { stateMatches(wanted, $0) } ?? false, "state of \(who)", wanted, found.map { .string($0) } ?? .null)
            }
        case "result": for member in expected.members ?? [] { try expectResult(member.name, member.value) }
        case "delivered":
            let found = Array(log.delivered[checkedDelivered...])
            checkedDelivered = log.delivered.count
            let wanted = expected.arrayValue ?? []
            try demand(
                wanted.count == found.count && zip(wanted, found).allSatisfy { itemMatches($0, $1) }, key, expected, .array(found))
        case "notices":
            let found = JSONValue.array(log.notices.map { .string($0) })
            try demand(matches(expected, found), key, expected, found)
        default:
            let found = try driver.found(key, expected)
            try demand(driver.agrees(key, expected, found), key, expected, found)
        }
    }

    private func demand(_ holds: Bool, _ what: String, _ expected: JSONValue, _ found: JSONValue) throws {
        guard holds else { throw ScenarioFailure("\(what): expected \(expected.serialized()), found \(found.serialized())") }
    }

    private func expectResult(_ id: String, _ expected: JSONValue) throws {
        guard let found = log.results[id] else { throw ScenarioFailure("unknown call id \(id)") }
        let holds = (expected.arrayValue ?? [expected]).contains {
            $0 == "failed" ? found != "ok" && found != "pending" : matches($0, found)
        }
        try demand(holds, "result of \(id)", expected, found)
    }

    private func expectSent(_ expected: JSONValue) throws {
        let quiet = scenarioQuietKinds[part] ?? []
        let found = log.sent[checkedSent...].map(\.message).filter { !quiet.contains($0.kind) }
        checkedSent = log.sent.count
        var rest = found[...]
        for item in expected.arrayValue ?? [] {
            let group = try (item.arrayValue ?? [item]).map { try SentPattern($0, vocabulary, part: part) }
            guard rest.count >= group.count, pairs(group, Array(rest.prefix(group.count))) else {
                return try demand(false, "sent", expected, .array(found.map { .string($0.description) }))
            }
            rest = rest.dropFirst(group.count)
        }
        try demand(rest.isEmpty, "sent", expected, .array(found.map { .string($0.description) }))
    }

    /// Whether each pattern finds a message of its own.
    private func pairs(_ patterns: [SentPattern], _ messages: [SentMessage]) -> Bool {
        guard let first = patterns.first else { return messages.isEmpty }
        return messages.indices.contains { index in
            guard first.matches(messages[index]) else { return false }
            var others = messages
            others.remove(at: index)
            return pairs(Array(patterns.dropFirst()), others)
        }
    }

    private func times(_ pattern: String) throws -> [Int] {
        let pattern = try SentPattern(.string(pattern), vocabulary, part: part)
        return log.sent.filter { pattern.matches($0.message) }.map(\.time)
    }

    private func inRange(_ expected: JSONValue, _ found: Int) -> Bool {
        if let bounds = expected.arrayValue {
            guard bounds.count == 2, let least = bounds[0].intValue, let most = bounds[1].intValue else { return false }
            return (least...max(least, most)).contains(found)
        }
        return expected.intValue == found
    }

    /// A bare name also stands for the same with a reason: `signed-out` for `signed-out(user)`.
    private func stateMatches(_ expected: JSONValue, _ found: String) -> Bool {
        (expected.arrayValue ?? [expected]).contains { $0.stringValue.map { found == $0 || found.hasPrefix($0 + "(") } ?? false }
    }

    /// An item is a value, or a text `kind name=value …` of which the named fields are compared.
    private func itemMatches(_ expected: JSONValue, _ found: JSONValue) -> Bool {
        if matches(expected, found) { return true }
        guard let expected = expected.stringValue, let found = found.stringValue, found.contains("=") else { return false }
        let (pattern, item) = (SentMessage(expected), SentMessage(found))
        guard case .fields(_, let fields) = pattern else { return false }
        return pattern.kind == item.kind && fields.allSatisfy { item.field($0.name) == $0.value }
    }
}
