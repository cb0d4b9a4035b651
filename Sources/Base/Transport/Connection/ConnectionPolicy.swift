import Streams

/// The times of one connection (B-2). All of them, so that nothing is hidden in code.
public struct ConnectionPolicy: Hashable, Sendable {
    /// When a failed or lost connection is tried again.
    public enum Retry: Hashable, Sendable {
        /// `check` after the last dial, at once where that has passed (spread over `spread`); after `quick` dials in a row without ready
        /// one every `slow` ± 20 %.
        case check(quick: Int, slow: Duration, spread: Duration)
        /// min(cap, (low + jitter × (high − low)) × factor^max(0, n − flat)) before try n in a row.
        case backOff(low: Duration, high: Duration, flat: Int, factor: Double, cap: Duration)
    }

    public var connectTimeout: Duration
    /// Least time between two dials that a caller may ask for.
    public var throttle: Duration
    /// A stage that has not got on in this time is begun again.
    public var check: Duration
    public var retry: Retry
    /// Ready for so long: the next loss counts its tries from one again.
    public var stable: Duration
    /// After a refused credential requests without a newer one are ignored for so long.
    public var cool: Duration
    /// A change of network is acted on when it has been quiet for so long.
    public var settle: Duration
    public var beat: Duration
    /// Heartbeats unanswered in a row that mean a dead connection.
    public var beatsLost: Int
    /// Whether the user's credential is shown in the handshake: without one nothing is dialled, a newer one is shown in band.
    public var usesUserCredential: Bool
    /// Whether the background disconnects (B-5).
    public var suspendsInBackground: Bool

    /// Quotes: native WebSocket, quote credential in a login message.
    public static let quote = ConnectionPolicy(
        connectTimeout: .seconds(8), throttle: .seconds(8), check: .seconds(10),
        retry: .check(quick: 5, slow: .seconds(60), spread: .seconds(1)), stable: .zero, cool: .seconds(15), settle: .seconds(1),
        beat: .seconds(10), beatsLost: 3, usesUserCredential: false, suspendsInBackground: true)

    /// Trade: Socket.IO, user credential in the handshake of `/auth`.
    public static let trade = ConnectionPolicy(
        connectTimeout: .seconds(8), throttle: .zero, check: .seconds(10),
        retry: .backOff(low: .seconds(2), high: .seconds(6), flat: 10, factor: 1.5, cap: .seconds(30)), stable: .seconds(10),
        cool: .seconds(15), settle: .seconds(1), beat: .seconds(10), beatsLost: 3, usesUserCredential: true,
        suspendsInBackground: false)
}

/// The random part of waits as a value: the seed comes from outside, so a run repeats (B-2: two clients are not in step).
public struct ConnectionJitter: Sendable {
    private enum Source: Sendable {
        case seeded(SeededRandom)
        case fixed([Double], next: Int)
    }

    private var source: Source

    public init(seed: UInt64) { source = .seeded(SeededRandom(seed: seed)) }

    /// These fractions in turn, again from the first; for scripted runs.
    package init(fractions: [Double]) {
        precondition(!fractions.isEmpty && fractions.allSatisfy { (0..<1).contains($0) }, "jitter fractions lie in 0..<1")
        source = .fixed(fractions, next: 0)
    }

    /// The next fraction in 0..<1.
    mutating func draw() -> Double {
        switch source {
        case .fixed(let fractions, let next):
            source = .fixed(fractions, next: (next + 1) % fractions.count)
            return fractions[next]
        case .seeded(var random):
            let fraction = Double(random.next() >> 11) / 9_007_199_254_740_992
            source = .seeded(random)
            return fraction
        }
    }
}
