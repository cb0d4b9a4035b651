import HTTP
import Streams

/// One message that the component sent.
enum SentMessage {
    case fields(kind: String, [(name: String, value: String)])
    case text(String)
    case binary([UInt8])

    /// `kind name=value …` with every field; what the driver says with `ScenarioLog.send`.
    init(_ text: String) {
        var words = text.split(separator: " ").map(String.init)
        guard !words.isEmpty else {
            self = .fields(kind: "", [])
            return
        }
        let kind = words.removeFirst()
        self = .fields(
            kind: kind,
            words.map { word in
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            })
    }

    var kind: String {
        if case .fields(let kind, _) = self { return kind }
        return ""
    }

    func field(_ name: String) -> String? {
        guard case .fields(_, let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }
}

extension SentMessage: CustomStringConvertible {
    var description: String {
        switch self {
        case .fields(let kind, let fields): ([kind] + fields.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
        case .text(let text): text
        case .binary(let bytes): "hex \(hexText(bytes))"
        }
    }
}

/// Everything that a component did in one run, in order. A driver only appends; the runner reads.
final class ScenarioLog {
    struct Sent {
        var message: SentMessage
        /// Milliseconds since the start.
        var time: Int
    }

    private let clock: ManualClock
    private(set) var sent: [Sent] = []
    private(set) var delivered: [JSONValue] = []
    private(set) var notices: [String] = []
    /// Every state that was entered, not even for a moment left out.
    private(set) var states: [(who: String, name: String)] = []
    private(set) var results: [String: JSONValue] = [:]

    init(clock: ManualClock) { self.clock = clock }

    /// `kind name=value …`, single spaces; a text that begins with a digit is a whole text frame.
    func send(_ text: String) {
        let isFrame = text.first.map { ("0"..."9").contains($0) } ?? true
        append(isFrame ? .text(text) : SentMessage(text))
    }

    func send(binary bytes: [UInt8]) { append(.binary(bytes)) }
    func deliver(_ item: JSONValue) { delivered.append(item) }
    func notice(_ text: String) { notices.append(text) }

    /// Says where `who` stands now (a counter or namespace; `state` is the connection itself). The same again is no entry.
    func state(_ name: String, of who: String = "state") {
        if state(of: who) != name { states.append((who, name)) }
    }

    func state(of who: String) -> String? { states.last { $0.who == who }?.name }

    /// The outcome of the call with that id; a second one fails the run, but after `unknown` comes what the query says.
    func result(_ outcome: JSONValue, of id: String) throws(ScenarioFailure) {
        guard results[id] == nil || results[id] == "pending" || results[id] == "unknown" else {
            throw .init("call \(id) ended twice: \(outcome.serialized())")
        }
        results[id] = outcome
    }

    /// A call with an id began.
    func begin(_ id: String) throws(ScenarioFailure) {
        guard results[id] == nil else { throw .init("call id \(id) is used twice") }
        results[id] = "pending"
    }

    private func append(_ message: SentMessage) {
        sent.append(.init(message: message, time: Int(clock.now.nanoseconds / 1_000_000)))
    }
}

/// Why a run does not pass.
struct ScenarioFailure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}

func hexText(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func hexBytes(_ text: String) throws(ScenarioFailure) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { throw .init("not hex: \(text)") }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
