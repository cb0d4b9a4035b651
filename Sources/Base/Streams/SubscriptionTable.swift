/// Who wants which topic (B-7): a topic is wanted from its first consumer to its last, and only that difference goes to the server. A
/// consumer that asks twice for a topic holds it once. A pure value; order is that of first wanting, so that runs repeat.
public struct SubscriptionTable<Consumer: Hashable & Sendable, Topic: Hashable & Sendable>: Sendable {
    /// What changed for the server.
    public struct Difference: Hashable, Sendable {
        public var added: [Topic]
        public var removed: [Topic]
        public var isEmpty: Bool { added.isEmpty && removed.isEmpty }

        public init(added: [Topic] = [], removed: [Topic] = []) {
            self.added = added
            self.removed = removed
        }
    }

    private struct Entry: Sendable {
        var order: UInt64
        var consumers: Set<Consumer>
    }

    private var entries: [Topic: Entry] = [:]
    private var topicsByConsumer: [Consumer: Set<Topic>] = [:]
    private var nextOrder: UInt64 = 0

    public init() {}

    /// Topics that somebody wants, in the order they were first wanted.
    public var topics: [Topic] { sorted(entries.keys) }
    public var topicCount: Int { entries.count }

    public func consumers(of topic: Topic) -> Set<Consumer> { entries[topic]?.consumers ?? [] }
    public func topics(of consumer: Consumer) -> [Topic] { sorted(topicsByConsumer[consumer] ?? []) }
    public func isWanted(_ topic: Topic) -> Bool { entries[topic] != nil }

    /// True: it is the topic's first consumer, so the server is to be asked.
    @discardableResult
    public mutating func add(_ consumer: Consumer, _ topic: Topic) -> Bool {
        topicsByConsumer[consumer, default: []].insert(topic)
        if entries[topic] != nil {
            entries[topic]?.consumers.insert(consumer)
            return false
        }
        entries[topic] = Entry(order: nextOrder, consumers: [consumer])
        nextOrder += 1
        return true
    }

    /// True: it was the topic's last consumer, so the server is to be told.
    @discardableResult
    public mutating func remove(_ consumer: Consumer, _ topic: Topic) -> Bool {
        guard topicsByConsumer[consumer]?.remove(topic) != nil else { return false }
        if topicsByConsumer[consumer]?.isEmpty == true { topicsByConsumer[consumer] = nil }
        entries[topic]?.consumers.remove(consumer)
        guard entries[topic]?.consumers.isEmpty == true else { return false }
        entries[topic] = nil
        return true
    }

    /// The consumer is gone; the topics that nobody wants any more.
    public mutating func remove(_ consumer: Consumer) -> [Topic] {
        topics(of: consumer).filter { remove(consumer, $0) }
    }

    /// The consumer wants exactly these from now on. A topic that moves between consumers in one call is not in the difference.
    public mutating func set(_ consumer: Consumer, to wanted: [Topic]) -> Difference {
        let keep = Set(wanted)
        let added = wanted.filter { add(consumer, $0) }
        let removed = topics(of: consumer).filter { !keep.contains($0) && remove(consumer, $0) }
        return Difference(added: added, removed: removed)
    }

    private func sorted(_ topics: some Sequence<Topic>) -> [Topic] {
        topics.sorted { (entries[$0]?.order ?? 0) < (entries[$1]?.order ?? 0) }
    }
}
