import HTTP
import Streams

/// What a driver gets: it owns nothing else of the run.
struct ScenarioContext {
    /// `link` and `side` as the scenario says; nil where it does not.
    var link: String?
    var side: String?
    /// The scenario's policy; what is absent is the grammar's default.
    var policy: JSONValue
    /// Starts at 0. Timers of a pure machine: `clock.schedule(at:)`; a component that sleeps: `clock.clock`.
    var clock: ManualClock
    var log: ScenarioLog

    /// A policy value in milliseconds.
    func milliseconds(_ name: String, default value: Int) -> Duration { .milliseconds(policy[name]?.intValue ?? value) }

    func at(_ milliseconds: Int) -> MonotonicInstant { .init(nanoseconds: Int64(milliseconds) * 1_000_000) }
}

/// Joins one component to the step grammar: maps its types to the names of `vocabulary.json`, adds no behaviour. Names and fields have been
/// checked against the vocabulary when these are called. A driver that is a class of part P is listed in `scenarioParts`.
protocol ScenarioDriver: AnyObject {
    /// `fields` is the whole step object, `op` included.
    func call(_ op: String, _ fields: JSONValue) throws
    /// The other side acts. Must throw where it answers or opens what was never sent.
    func peer(_ action: String, _ fields: JSONValue) throws
    /// `value` is nil for a bare name.
    func event(_ name: String, _ value: JSONValue?) throws
    /// Runs the component until nothing is left to do at this clock time; nothing for a pure machine whose effects are performed at once.
    func drain() throws
    /// A key of `expect` beyond sent, count, times, state, result, delivered and notices: what is found, to be compared with `expected`.
    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue
    /// Whether what is found is as expected; equality by value where a part says nothing.
    func agrees(_ key: String, _ expected: JSONValue, _ found: JSONValue) -> Bool
}

extension ScenarioDriver {
    func event(_ name: String, _ value: JSONValue?) throws { throw ScenarioFailure("no event \(name)") }
    func drain() throws {}
    func found(_ key: String, _ expected: JSONValue) throws -> JSONValue { throw ScenarioFailure("no expect key \(key)") }
    func agrees(_ key: String, _ expected: JSONValue, _ found: JSONValue) -> Bool { matches(expected, found) }
}

/// Kinds that the `sent` key leaves out, by part.
let scenarioQuietKinds: [String: Set<String>] = ["connection": ["beat", "pong", "hang-up"]]
