import Persistence
import Streams

/// The auth centre's time in milliseconds: starts at the wall clock's, runs with the monotonic one, and is put forward but never back by
/// the wall clock. So nothing lives or is refused longer than it should when the wall clock is set back. Pure (A-1, A-11, D-1).
struct SteadyTime: Sendable {
    private var time: Int64
    private var at: MonotonicInstant

    init(wall: Int64, at: MonotonicInstant) {
        time = Self.clamped(wall)
        self.at = at
    }

    mutating func now(wall: Int64, at now: MonotonicInstant) -> Int64 {
        let passed = max(0, elapsed(since: at.nanoseconds, now: now.nanoseconds) ?? 0) / 1_000_000
        let run = Self.clamped(time + passed)
        let wall = Self.clamped(wall)
        // Parts of milliseconds stay in `at`.
        at = wall > run ? now : MonotonicInstant(nanoseconds: at.nanoseconds + passed * 1_000_000)
        time = max(wall, run)
        return time
    }

    private static func clamped(_ time: Int64) -> Int64 {
        min(max(time, StoredRange.times.lowerBound), StoredRange.times.upperBound)
    }
}

/// Nil: `since` lies in the future, or so far back that it is no time.
func elapsed(since: Int64, now: Int64) -> Int64? {
    let (passed, isTooMuch) = now.subtractingReportingOverflow(since)
    return isTooMuch || passed < 0 ? nil : passed
}
