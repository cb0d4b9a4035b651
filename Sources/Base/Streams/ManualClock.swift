import Synchronization

/// A clock that only a test or a scripted run moves. Timers fire in order of time, then of setting, each with the clock at its own time.
package final class ManualClock: Sendable {
    private struct Timer: Sendable {
        var id: Int
        var deadline: MonotonicInstant
        var fire: @Sendable (_ isCancelled: Bool) -> Void
        var order: (MonotonicInstant, Int) { (deadline, id) }
    }

    private struct Waiter: Sendable {
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State: Sendable {
        var now: MonotonicInstant
        var nextID = 0
        var timers: [Timer] = []
        var waiters: [Waiter] = []
    }

    private let state: Mutex<State>

    package init(at start: MonotonicInstant = .init(nanoseconds: 0)) { state = Mutex(State(now: start)) }

    package var now: MonotonicInstant { state.withLock { $0.now } }

    /// The port over this clock.
    package var clock: MonotonicClock {
        MonotonicClock(now: { self.now }, sleep: { try await self.sleep(until: $0) })
    }

    package var timerCount: Int { state.withLock { $0.timers.count } }
    package var nextDeadline: MonotonicInstant? { state.withLock { $0.timers.map(\.deadline).min() } }

    /// Calls `action` when the clock reaches that time; a time that has passed fires with the next move of the clock.
    @discardableResult
    package func schedule(at deadline: MonotonicInstant, _ action: @escaping @Sendable () -> Void) -> Int {
        add(deadline) { isCancelled in if !isCancelled { action() } }
    }

    /// The timer does not fire any more. Fired already: ignored.
    package func cancel(_ id: Int) {
        let timer = state.withLock { state in
            state.timers.firstIndex { $0.id == id }.map { state.timers.remove(at: $0) }
        }
        timer?.fire(true)
    }

    /// Moves on by a duration; see `advance(to:)`.
    package func advance(by duration: Duration) { advance(to: now.advanced(by: duration)) }

    /// Moves on to that time and fires what is due on the way, also what a fired timer sets.
    package func advance(to target: MonotonicInstant) {
        while fireNext(upTo: target) {}
        state.withLock { state in
            precondition(target >= state.now, "a manual clock does not go back")
            state.now = target
        }
    }

    /// Moves to the first timer due by `target` and fires only that; false: there is none, and the clock did not move.
    package func fireNext(upTo target: MonotonicInstant) -> Bool {
        let timer: Timer? = state.withLock { state in
            let due = state.timers.indices.filter { state.timers[$0].deadline <= target }
            guard let first = due.min(by: { state.timers[$0].order < state.timers[$1].order }) else { return nil }
            let timer = state.timers.remove(at: first)
            state.now = max(state.now, timer.deadline)
            return timer
        }
        timer?.fire(false)
        return timer != nil
    }

    /// Returns once at least that many timers and sleepers wait.
    package func untilWaiting(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.timers.count >= count { return true }
                state.waiters.append(Waiter(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func add(_ deadline: MonotonicInstant, _ fire: @escaping @Sendable (_ isCancelled: Bool) -> Void) -> Int {
        let (id, ready) = state.withLock { state in
            state.nextID += 1
            state.timers.append(Timer(id: state.nextID, deadline: deadline, fire: fire))
            let ready = state.waiters.filter { $0.count <= state.timers.count }
            state.waiters.removeAll { $0.count <= state.timers.count }
            return (state.nextID, ready)
        }
        for waiter in ready { waiter.continuation.resume() }
        return id
    }

    private func sleep(until deadline: MonotonicInstant) async throws {
        if deadline <= now { return try Task.checkCancellation() }
        let timer = Mutex<(id: Int?, isCancelled: Bool)>((nil, false))
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let id = add(deadline) { isCancelled in
                    if isCancelled { continuation.resume(throwing: CancellationError()) } else { continuation.resume() }
                }
                let isCancelled = timer.withLock { timer in
                    timer.id = id
                    return timer.isCancelled
                }
                if isCancelled { cancel(id) }
            }
        } onCancel: {
            let id = timer.withLock { timer in
                timer.isCancelled = true
                return timer.id
            }
            if let id { cancel(id) }
        }
    }
}
