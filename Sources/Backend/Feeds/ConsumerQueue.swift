import Synchronization

/// What happens when a consumer does not keep up.
public enum FeedOverflow: Hashable, Sendable {
    /// The feed waits: nothing is lost, everyone is slowed.
    case wait
    /// What waits is thrown away and replaced by the newest state as whole quotes and books; trades in between are lost to it.
    case skipToLatest
}

/// A bounded queue between the feed and one consumer: one side puts, one side takes.
final class ConsumerQueue: Sendable {
    private struct State {
        var events: [FeedEvent] = []
        var closed = false
        var taker: CheckedContinuation<[FeedEvent]?, Never>?
        var putter: CheckedContinuation<Void, Never>?
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    /// False: there is no room now. A batch larger than the capacity goes into an empty queue.
    func offer(_ batch: [FeedEvent]) -> Bool {
        let resume: (() -> Void)? = state.withLock { state in
            if state.closed { return {} }
            guard state.events.isEmpty || state.events.count + batch.count <= capacity else { return nil }
            if let taker = state.taker {
                state.taker = nil
                return { taker.resume(returning: batch) }
            }
            state.events += batch
            return {}
        }
        resume?()
        return resume != nil
    }

    func put(_ batch: [FeedEvent]) async {
        while !offer(batch) {
            await withCheckedContinuation { continuation in
                let now = state.withLock { state in
                    if state.closed || state.events.isEmpty { return true }
                    state.putter = continuation
                    return false
                }
                if now { continuation.resume() }
            }
        }
    }

    func replace(_ batch: [FeedEvent]) {
        state.withLock { $0.events = [] }
        _ = offer(batch)
    }

    /// All that waits, as soon as something does; nil: closed.
    func take() async -> [FeedEvent]? {
        await withCheckedContinuation { continuation in
            let (answer, putter) = state.withLock { state -> ([FeedEvent]??, CheckedContinuation<Void, Never>?) in
                if !state.events.isEmpty {
                    let events = state.events
                    state.events = []
                    let putter = state.putter
                    state.putter = nil
                    return (.some(events), putter)
                }
                if state.closed { return (.some(nil), nil) }
                state.taker = continuation
                return (nil, nil)
            }
            putter?.resume()
            if let answer { continuation.resume(returning: answer) }
        }
    }

    func close() {
        let (taker, putter) = state.withLock { state in
            state.closed = true
            defer {
                state.taker = nil
                state.putter = nil
            }
            return (state.taker, state.putter)
        }
        taker?.resume(returning: nil)
        putter?.resume()
    }
}
