import Diagnostics
import Exchange
import Streams
import Texts

/// Counts and times order commands, and tells readiness whether the journal took the last one.
struct CommandWatch: Sendable {
    enum Kind: String, CaseIterable { case place, cancel }

    private let metrics: Metrics
    private let readiness: Readiness
    private let clock: MonotonicClock

    init(metrics: Metrics, readiness: Readiness, clock: MonotonicClock) {
        self.metrics = metrics
        self.readiness = readiness
        self.clock = clock
        // Present from the start, at zero.
        for kind in Kind.allCases { _ = histogram(kind) }
    }

    func timed(_ kind: Kind, _ body: () async -> CommandResult) async -> CommandResult {
        let started = clock.now()
        let result = await body()
        histogram(kind).add(started.duration(to: clock.now()))
        let code = result.failure?.code
        metrics.counter(
            "causeway_order_commands_total", help: "Order commands by outcome",
            labels: [("kind", kind.rawValue), ("outcome", code == nil ? "done" : "refused")]
        ).add()
        readiness.set(.journal, code == .storageFull || code == .storageFailed)
        return result
    }

    private func histogram(_ kind: Kind) -> Histogram {
        metrics.histogram(
            "causeway_order_command_seconds", help: "From an order command to its result, the journal's sync included",
            labels: [("kind", kind.rawValue)])
    }
}
