import Streams
import Synchronization
import Texts

/// Who waits for the firings of an account. Bounded; each is ended by news, its time, its sign-out or the server's end.
final class AlertWaiters: Sendable {
    static let mostPerAccount = 16
    static let most = 4_096

    private struct Waiter {
        var device: String
        var end: AsyncStream<Failure?>.Continuation
    }

    private struct State {
        var waiters: [String: [Int: Waiter]] = [:]
        var count = 0
        var next = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let clock: MonotonicClock

    init(clock: MonotonicClock) { self.clock = clock }

    var count: Int { state.withLock { $0.count } }

    /// One who is told from now on; it looks for what came before by itself, then waits.
    func enter(_ account: String, device: String) throws(Failure) -> Place {
        let (ends, end) = AsyncStream.makeStream(of: Failure?.self, bufferingPolicy: .bufferingNewest(1))
        let result: Result<Int, Failure> = state.withLock { state in
            if state.isClosed { return .failure(Failure(.serverUnavailable)) }
            let isFull = state.count >= Self.most || (state.waiters[account]?.count ?? 0) >= Self.mostPerAccount
            if isFull { return .failure(Failure(.serverFull)) }
            state.next += 1
            state.count += 1
            state.waiters[account, default: [:]][state.next] = Waiter(device: device, end: end)
            return .success(state.next)
        }
        return Place(account: account, id: try result.get(), ends: ends, end: end)
    }

    struct Place: Sendable {
        fileprivate var account: String
        fileprivate var id: Int
        fileprivate var ends: AsyncStream<Failure?>
        fileprivate var end: AsyncStream<Failure?>.Continuation
    }

    func leave(_ place: Place) {
        state.withLock { state in
            guard state.waiters[place.account]?.removeValue(forKey: place.id) != nil else { return }
            state.count -= 1
            if state.waiters[place.account]?.isEmpty == true { state.waiters[place.account] = nil }
        }
    }

    /// Returns with news or when the time is over.
    /// - Throws: why waiting has no sense any more.
    func wait(_ place: Place, atMost limit: Duration) async throws(Failure) {
        let until = clock.now().advanced(by: limit)
        let (clock, end) = (clock, place.end)
        let alarm = Task {
            do { try await clock.sleep(until) } catch { return }
            end.yield(nil)
        }
        defer { alarm.cancel() }
        for await failure in place.ends {
            if let failure { throw failure }
            return
        }
    }

    func tell(_ accounts: Set<String>) {
        state.withLock { state in
            for account in accounts { state.waiters[account]?.values.forEach { $0.end.yield(nil) } }
        }
    }

    /// A device's sign-in has ended.
    func revoked(account: String, device: String) {
        state.withLock { state in
            state.waiters[account]?.values.filter { $0.device == device }.forEach { $0.end.yield(Failure(.authInvalid)) }
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            for waiters in state.waiters.values { waiters.values.forEach { $0.end.yield(Failure(.serverUnavailable)) } }
        }
    }
}
