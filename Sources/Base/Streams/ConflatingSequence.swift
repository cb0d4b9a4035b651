import Synchronization

/// A stream between one producer side and one consumer in which a slow consumer finds only the newest element of each key (B-7). A key
/// keeps its place in the line, so none starves. Never for orders or fills: they must not conflate.
public final class ConflatingSequence<Key: Hashable & Sendable, Element: Sendable>: AsyncSequence, Sendable {
    public struct Counts: Hashable, Sendable {
        /// Elements replaced by a newer one of their key before anybody took them.
        public var conflated: UInt64 = 0
        /// Elements dropped because more keys waited than allowed; the oldest key goes.
        public var dropped: UInt64 = 0
    }

    private struct State: Sendable {
        var newest: [Key: Element] = [:]
        /// Keys in line from `head` on.
        var line: [Key] = []
        var head = 0
        var counts = Counts()
        var isFinished = false
        var isOverrun = false
        var consumer: CheckedContinuation<Element?, Never>?

        mutating func takeFirst() -> Element? {
            while head < line.count {
                let key = line[head]
                head += 1
                if head > 64, head * 2 > line.count {
                    line.removeFirst(head)
                    head = 0
                }
                if let element = newest.removeValue(forKey: key) { return element }
            }
            line.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
    }

    private let maximumKeys: Int
    private let endsWhenFull: Bool
    private let joined: @Sendable (_ waiting: Element, _ newer: Element) -> Element?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumKeys: keys that may wait at once, at least 1.
    ///   - endsWhenFull: where more keys come, the consumer gets what waits and then the end; else the oldest goes.
    ///   - joined: both in one, where the newer does not make the waiting one old (trades); nil: it is replaced.
    public init(
        maximumKeys: Int = 4096, endsWhenFull: Bool = false,
        joined: @escaping @Sendable (_ waiting: Element, _ newer: Element) -> Element? = { _, _ in nil }
    ) {
        precondition(maximumKeys >= 1, "a conflating sequence needs room for one key")
        self.maximumKeys = maximumKeys
        self.endsWhenFull = endsWhenFull
        self.joined = joined
    }

    public var counts: Counts { state.withLock { $0.counts } }
    /// Whether it ended because the consumer did not keep up.
    public var isOverrun: Bool { state.withLock { $0.isOverrun } }
    /// Keys that wait.
    public var waitingCount: Int { state.withLock { $0.newest.count } }

    /// Hands over an element; never blocks. After `finish` it is ignored.
    public func send(_ element: Element, for key: Key) {
        let consumer: CheckedContinuation<Element?, Never>? = state.withLock { state in
            if state.isFinished { return nil }
            if let consumer = state.consumer {
                state.consumer = nil
                return consumer
            }
            if let waiting = state.newest[key] {
                let both = joined(waiting, element)
                if both == nil { state.counts.conflated += 1 }
                state.newest[key] = both ?? element
                return nil
            }
            if endsWhenFull, state.newest.count == maximumKeys {
                (state.isFinished, state.isOverrun) = (true, true)
                return nil
            }
            state.newest[key] = element
            if state.newest.count > maximumKeys, state.takeFirst() != nil { state.counts.dropped += 1 }
            state.line.append(key)
            return nil
        }
        consumer?.resume(returning: element)
    }

    /// The consumer gets what waits, then the end.
    public func finish() {
        let consumer = state.withLock { state in
            state.isFinished = true
            defer { state.consumer = nil }
            return state.consumer
        }
        consumer?.resume(returning: nil)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(sequence: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let sequence: ConflatingSequence

        public mutating func next() async -> Element? { await sequence.next() }
    }

    private func next() async -> Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (answer, element): (Bool, Element?) = state.withLock { state in
                    if let element = state.takeFirst() { return (true, element) }
                    if state.isFinished || Task.isCancelled { return (true, nil) }
                    precondition(state.consumer == nil, "a conflating sequence has one consumer")
                    state.consumer = continuation
                    return (false, nil)
                }
                if answer { continuation.resume(returning: element) }
            }
        } onCancel: {
            let consumer = state.withLock { state in
                defer { state.consumer = nil }
                return state.consumer
            }
            consumer?.resume(returning: nil)
        }
    }
}
