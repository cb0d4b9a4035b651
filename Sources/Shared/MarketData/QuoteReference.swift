import Streams
import Synchronization

/// Where market time stands on the first of a gateway's quote nodes; the others have to agree with it: a price of another time is none
/// (Q-1, C-8).
final class QuoteReference: Sendable {
    private let state = Mutex<(reading: MarketClockReading, at: MonotonicInstant)?>(nil)

    /// How far apart two nodes' market times may be, in real time at the pace they run at.
    static let tolerance = Duration.seconds(60)

    func set(_ reading: MarketClockReading, at now: MonotonicInstant) { state.withLock { $0 = (reading, now) } }

    /// True while nothing is known of the first.
    func agrees(with reading: MarketClockReading, at now: MonotonicInstant) -> Bool {
        guard let (first, at) = state.withLock({ $0 }) else { return true }
        guard first.speedMicros == reading.speedMicros else { return false }
        let apart = Int128(reading.time.nanoseconds) - Int128(first.after(at.duration(to: now)).time.nanoseconds)
        return abs(apart) <= Int128(Self.tolerance.nanoseconds) * Int128(max(1_000_000, reading.speedMicros)) / 1_000_000
    }
}

extension MarketClockReading {
    /// Where it stands when that much real time has passed.
    func after(_ elapsed: Duration) -> MarketClockReading {
        let passed = Int128(max(0, elapsed.nanoseconds)) * Int128(speedMicros) / 1_000_000
        let time = MarketInstant(nanoseconds: Int64(clamping: Int128(time.nanoseconds) + passed))
        return MarketClockReading(time: time, speedMicros: speedMicros, epoch: epoch)
    }
}

/// A connection's part among those of several nodes.
enum QuoteShare: Sendable {
    /// Its table and its market time are everybody's.
    case leads(QuoteReference)
    /// Used while it agrees with the one that leads, whose table it is given.
    case follows(QuoteReference)
}
