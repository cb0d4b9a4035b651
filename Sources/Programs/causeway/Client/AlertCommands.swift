import Accounts
import DesktopNotifications
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// `alert add|list|remove|watch` (F-5).
enum AlertCommands {
    static func all(_ open: @escaping AlertClient.Opener) -> [Command] { [add(open), list(open), remove(open), watch(open)] }

    private static func add(_ open: @escaping AlertClient.Opener) -> Command {
        Command(
            words: ["alert", "add"], summary: .helpCommandAlertAdd,
            arguments: "SYMBOL CONDITION VALUE | SYMBOL --when EXPRESSION --period P",
            count: 1...4,
            options: [
                .flag("repeat", .helpOptionRepeat), .value("when", "EXPRESSION", .helpOptionWhen),
                .value("period", "PERIOD", .helpOptionAlertPeriod),
            ], isChange: true
        ) { invocation in
            let words = try AlertWords(
                Array(invocation.positional.dropFirst()), when: invocation.values["when"], period: invocation.values["period"])
            let client = try await open(invocation)
            let instrument = try await client.instrument(invocation.positional[0])
            let input = AlertInput(
                symbol: instrument.symbol, condition: words.condition, value: words.value, period: words.period,
                repeats: invocation.has("repeat"))
            // The server answers with the one there is, where there is one.
            let known = Set(try await client.list().map(\.id))
            let alert = try await client.add(input)
            let isThere = known.contains(alert.id)
            let done: Text = isThere ? .alertExists(id: String(alert.id)) : .alertAdded(id: String(alert.id))
            invocation.output.show(
                .object([.init("alert", alert.json), .init("existed", .bool(isThere))]),
                text: [
                    done.words(in: client.language) + "  \(alert.alert.symbol)  "
                        + words.condition.text(words.value, words.period).words(in: client.language)
                ])
        }
    }

    private static func list(_ open: @escaping AlertClient.Opener) -> Command {
        Command(words: ["alert", "list"], summary: .helpCommandAlertList, options: [.flag("fired", .helpOptionFired)]) { invocation in
            let client = try await open(invocation)
            if invocation.has("fired") {
                let firings = try await client.newestFirings(20).inTimeOrder
                let lines = firings.isEmpty ? [Text.alertNoneFired.words(in: client.language)] : firings.map { $0.line(client) }
                return invocation.output.show(.object([.init("firings", .array(firings.map(\.json)))]), text: lines)
            }
            let alerts = try await client.list()
            let language = client.language
            var table = Table(
                in: language, (.fieldAlert, .right), (.fieldSymbol, .left), (.fieldCondition, .left), (.fieldRepeats, .left),
                (.fieldStatus, .left))
            table.rows = alerts.map { alert in
                [
                    String(alert.id), alert.alert.symbol, alert.alert.words(in: language),
                    (alert.alert.repeats ? Text.alertRepeats : .alertOnce).words(in: language), alert.state.text.words(in: language),
                ]
            }
            let lines = alerts.isEmpty ? [Text.alertNone.words(in: language)] : table.lines(within: Output.width)
            invocation.output.show(.object([.init("alerts", .array(alerts.map(\.json)))]), text: lines)
        }
    }

    private static func remove(_ open: @escaping AlertClient.Opener) -> Command {
        Command(words: ["alert", "remove"], summary: .helpCommandAlertRemove, arguments: "ID", count: 1...1, isChange: true) { invocation in
            guard let id = Int64(invocation.positional[0]), id > 0 else { throw Usage.invalid("ID", invocation.positional[0], .alert) }
            let client = try await open(invocation)
            try await client.remove(id)
            invocation.output.show(
                .object([.init("removed", .int(id))]), text: [Text.alertRemoved(id: String(id)).words(in: client.language)])
        }
    }

    private static func watch(_ open: @escaping AlertClient.Opener) -> Command {
        Command(
            words: ["alert", "watch"], summary: .helpCommandAlertWatch,
            options: [.value("count", "N", .helpOptionCountLines), .flag("notify", .helpOptionNotify)]
        ) { invocation in
            let limit = try invocation.integer("count", in: 1...1_000_000_000, default: .max)
            var watch = AlertWatch(client: try await open(invocation), invocation: invocation, left: limit)
            try await watch.run()
        }
    }
}

/// Prints firings as they come and takes note of what it printed: what was not, it or another device prints later. One that was printed may
/// come again with the same number where the end came between the two.
private struct AlertWatch {
    let client: AlertClient
    let invocation: Invocation
    /// Lines still to print.
    var left: Int
    /// The last one printed; nil: what the account has taken note of.
    private var after: Int64?
    private var isNoted = true
    /// Nil where the desktop is not told.
    private let notes: AlertNotes?
    /// Tries that failed since the server was last there; nil before it first was.
    private var failures: Int?

    init(client: AlertClient, invocation: Invocation, left: Int) {
        self.client = client
        self.invocation = invocation
        self.left = left
        notes = invocation.has("notify") ? AlertNotes(send: client.notify) { invocation.notNotified($0, client.language) } : nil
    }

    mutating func run() async throws {
        while true {
            do throws(Failure) {
                try await note()
                if left == 0 {
                    await notes?.finish()
                    return
                }
                let found = try await client.firings(after)
                if failures.map({ $0 > 0 }) ?? false { report("connected", .alertConnected) }
                failures = 0
                await show(found)
            } catch {
                guard let failed = failures, error.mayPass else { throw error }
                if failed == 0 { report("reconnecting", .alertReconnecting) }
                failures = failed + 1
                try await client.pause(.seconds(min(10, 1 << min(failed, 4))))
            }
        }
    }

    private mutating func note() async throws(Failure) {
        guard let after, !isNoted else { return }
        try await client.acknowledge(after)
        isNoted = true
    }

    private mutating func show(_ found: AlertFirings) async {
        if found.missed > 0 {
            let text = Text.alertMissed(count: Int(clamping: found.missed)).words(in: client.language)
            if invocation.wantsJSON {
                invocation.output.line(JSONValue.object([.init("event", "missed"), .init("count", .int(found.missed))]).serialized())
            } else {
                Output.error("causeway: " + text)
            }
        }
        // What is printed is taken note of by its number; it is read by its time.
        let printed = Array(found.firings.prefix(left))
        for firing in printed.inTimeOrder { invocation.output.show(.object([.init("firing", firing.json)]), text: [firing.line(client)]) }
        guard let last = printed.last else { return }
        (after, isNoted) = (last.number, false)
        left -= printed.count
        if let notes { await notes.add(printed.inTimeOrder.map { $0.note(client) }) }
    }

    /// As `watch` says it of its link: people read it beside the firings, programs find it among them (B-8).
    private func report(_ event: String, _ text: Text) {
        guard invocation.wantsJSON else { return Output.error("causeway: " + text.words(in: client.language)) }
        invocation.output.line(JSONValue.object([.init("event", .string(event))]).serialized())
    }
}

extension Invocation {
    fileprivate func notNotified(_ failure: Failure, _ language: Language) {
        guard wantsJSON else { return Output.error("causeway: " + failure.text(in: language)) }
        let code = failure.code.rawValue
        output.line(JSONValue.object([.init("event", "not-notified"), .init("code", .string(code))]).serialized())
    }
}

extension [AlertFiring] {
    /// As they fired, which is not as they were numbered where bars were judged after prices.
    var inTimeOrder: [AlertFiring] {
        func place(_ firing: AlertFiring) -> (Int64, Int64) { (Timestamp.read(firing.time)?.nanoseconds ?? .max, firing.number) }
        return sorted { place($0) < place($1) }
    }
}

extension AlertInput {
    fileprivate func words(in language: Language) -> String { condition.text(value, period).words(in: language) }
}

extension AlertFiring {
    /// `2026-11-30 10:00:04 HKT  700.HK  last at or above 367.6  367.6  alert 1  Derived from 2022-04-13 bars`
    func line(_ client: AlertClient) -> String {
        [
            dated(client), symbol, condition.text(value, period).words(in: client.language), condition.shown(figure),
            Text.alertNumber(id: String(alert)).words(in: client.language), source.words(in: client.language),
        ].joined(separator: "  ")
    }

    /// What a desktop shows of it: the figure with its source, in words. The same alert takes the place of what it said before.
    func note(_ client: AlertClient) -> DesktopNote {
        DesktopNote(
            key: String(alert), title: symbol + "  " + condition.shown(figure),
            body: condition.text(value, period).words(in: client.language) + "\n" + dated(client) + "  "
                + source.words(in: client.language))
    }

    func dated(_ client: AlertClient) -> String {
        Timestamp.read(time).map { client.clock(symbol).dated($0.nanoseconds) } ?? time
    }

    /// Where the figure comes from, in the words of every other price.
    var source: Text {
        let day = recordedOn.flatMap { TradingDay($0) }?.yyyymmdd ?? 0
        return switch provenance {
        case "live": Provenance.live.text(recordedOn: day)
        // By how much is not told.
        case "delayed": .provenanceDelayedUnknown
        case "recorded": Provenance.recorded.text(recordedOn: day)
        case "derived": Provenance.derived.text(recordedOn: day)
        case "simulated": Provenance.simulated.text(recordedOn: day)
        default: .provenanceUnknown
        }
    }
}

extension Failure {
    /// The same question may be answered later.
    fileprivate var mayPass: Bool {
        [.connectionNotConnected, .connectionLost, .connectionTimedOut, .serverUnavailable, .serverFull, .rateLimited].contains(code)
    }
}
