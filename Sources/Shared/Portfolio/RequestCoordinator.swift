public import Streams

/// Decides when to query what (E-1): a pure reducer fed with reasons. Passive reasons merge within one second; the forced lane passes
/// the window and is never swallowed. Pushes never take the forced lane.
public struct RequestCoordinator: Sendable {
    public enum Query: Hashable, Sendable, CaseIterable { case orders, fills, positions, funds }

    public enum Reason: Hashable, Sendable, CaseIterable {
        case pull, reconnected, tradeHomeAppeared
        case orderPush, fillPush, positionPush, fundsPush, pageAppeared, silence

        var queries: Set<Query> {
            switch self {
            case .pull, .reconnected, .tradeHomeAppeared, .silence: Set(Query.allCases)
            case .orderPush: [.orders]
            case .fillPush: [.fills, .positions, .funds]
            case .positionPush: [.positions]
            case .fundsPush: [.funds]
            case .pageAppeared: [.orders, .positions, .funds]
            }
        }
    }

    public enum Event: Hashable, Sendable {
        case reason(Reason)
        /// The timer asked for by `startTimer` with that generation.
        case timer(generation: UInt64)
        /// A push or an answer arrived: the books are fresh.
        case heard
        case openPositions(Bool)
        case answered
    }

    public enum Effect: Hashable, Sendable {
        case query(Set<Query>)
        case startTimer(until: MonotonicInstant, generation: UInt64)
    }

    public private(set) var counts: [Reason: Int] = [:]
    private var waiting: Set<Query> = []
    private var generation: UInt64 = 0
    private var timerEnd: MonotonicInstant?
    private var lastHome: MonotonicInstant?
    private var lastHeard: MonotonicInstant?
    private var hasOpenPositions = false

    static let window = Duration.seconds(1)
    static let pageQuiet = Duration.seconds(10)
    static let silence = Duration.seconds(60)

    public init() {}

    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        switch event {
        case .reason(let reason): return take(reason, at: now)
        case .timer(let generation):
            // A timer that was replaced is late news.
            guard generation == self.generation, timerEnd != nil else { return [] }
            timerEnd = nil
            return due(at: now)
        case .heard, .answered:
            lastHeard = now
            return watch(at: now)
        case .openPositions(let open):
            hasOpenPositions = open
            if lastHeard == nil { lastHeard = now }
            return watch(at: now)
        }
    }

    private mutating func take(_ reason: Reason, at now: MonotonicInstant) -> [Effect] {
        counts[reason, default: 0] += 1
        if isForced(reason, at: now) {
            if reason == .tradeHomeAppeared || reason == .pull { lastHome = now }
            // A forced query covers what waited.
            waiting.subtract(reason.queries)
            return [.query(reason.queries)] + (waiting.isEmpty ? watch(at: now) : [])
        }
        let wasWaiting = !waiting.isEmpty
        waiting.formUnion(reason.queries)
        return wasWaiting ? [] : [start(until: now.advanced(by: Self.window))]
    }

    private func isForced(_ reason: Reason, at now: MonotonicInstant) -> Bool {
        switch reason {
        case .pull, .reconnected: true
        case .tradeHomeAppeared: lastHome.map { $0.duration(to: now) >= Self.pageQuiet } ?? true
        case .orderPush, .fillPush, .positionPush, .fundsPush, .pageAppeared, .silence: false
        }
    }

    private mutating func due(at now: MonotonicInstant) -> [Effect] {
        if !waiting.isEmpty {
            let queries = waiting
            waiting = []
            return [.query(queries)] + watch(at: now)
        }
        guard hasOpenPositions, let lastHeard, lastHeard.duration(to: now) >= Self.silence else { return watch(at: now) }
        counts[.silence, default: 0] += 1
        self.lastHeard = now
        return [.query(Reason.silence.queries)] + watch(at: now)
    }

    /// Keeps the silence timer while a position is open and nothing else is timed.
    private mutating func watch(at now: MonotonicInstant) -> [Effect] {
        guard waiting.isEmpty else { return [] }
        guard hasOpenPositions, let lastHeard else {
            timerEnd = nil
            return []
        }
        let end = lastHeard.advanced(by: Self.silence)
        // Being heard moves the end; the running timer looks again when it fires.
        if let timerEnd, timerEnd <= end { return [] }
        return [start(until: max(end, now))]
    }

    private mutating func start(until end: MonotonicInstant) -> Effect {
        generation += 1
        timerEnd = end
        return .startTimer(until: end, generation: generation)
    }
}
