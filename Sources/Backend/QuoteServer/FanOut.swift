import Messages
import Streams
import WireCodec

/// Who is told what. Connections lie in dense slots and topics hold the slots of their receivers, so that telling a push looks nothing up
/// for each receiver: it is encoded once for each depth asked for and copied into the messages that wait for each. A value; time and the
/// length of sockets' queues come from outside.
struct FanOut: ~Copyable, Sendable {
    /// A message to send, numbered and whole.
    struct Parcel: Sendable {
        var slot: Int
        var message: [UInt8]
    }

    private struct Member: Sendable {
        var isOpen = false
        var isListed = false
        var pushed: UInt64 = 0
        var pending = PendingPushes()
        /// Its topics, and where it stands among their receivers.
        var places: [Int32: Int32] = [:]
        /// Topics whose pushes were left out while the client was slow, with the start of the earliest minute left out.
        var dirty: [Int32: Int64] = [:]
        var slowSince: MonotonicInstant?
        var queuedBytes: @Sendable () -> Int = { 0 }
    }

    private struct Topic: Sendable {
        var key: TopicKey
        var receivers: [Int32] = []
    }

    private struct Source: Hashable {
        var instrument: UInt32
        var kind: QuoteKind
    }

    /// Lent while a push is told; nothing tells inside.
    private var writer = WireWriter?.some(WireWriter(capacity: 1_024))
    private var members: [Member] = []
    private var freeMembers: [Int] = []
    private var topics: [Topic] = []
    private var freeTopics: [Int32] = []
    private var byKey: [TopicKey: Int32] = [:]
    /// Topics with receivers, by what they are fed from: one for each depth.
    private var bySource: [Source: [Int32]] = [:]
    /// Slots with something pending, some perhaps twice or closed by now.
    private var ready: [Int32] = []
    private(set) var slow: Set<Int> = []
    private(set) var count = 0
    /// Pushes left out for slow connections since `takeConflated`.
    private var conflated: UInt64 = 0
    /// Something pending is as large as it may get: flush before telling more.
    private(set) var isFull = false

    var isEmpty: Bool { ready.isEmpty }

    mutating func takeConflated() -> UInt64 {
        defer { conflated = 0 }
        return conflated
    }

    // MARK: Connections

    /// A slot for a connection; `queuedBytes`: what its socket holds back.
    mutating func open(queuedBytes: @escaping @Sendable () -> Int) -> Int {
        count += 1
        let slot: Int
        if let free = freeMembers.popLast() {
            slot = free
        } else {
            slot = members.count
            members.append(Member())
        }
        members[slot].isOpen = true
        members[slot].queuedBytes = queuedBytes
        return slot
    }

    mutating func close(_ slot: Int) {
        for topic in members[slot].places.keys { leave(slot, topic) }
        members[slot] = Member()
        slow.remove(slot)
        freeMembers.append(slot)
        count -= 1
    }

    mutating func subscribe(_ slot: Int, _ key: TopicKey) {
        let topic = byKey[key] ?? make(key)
        guard members[slot].places[topic] == nil else { return }
        members[slot].places[topic] = Int32(topics[Int(topic)].receivers.count)
        topics[Int(topic)].receivers.append(Int32(slot))
    }

    mutating func unsubscribe(_ slot: Int, _ key: TopicKey) {
        guard let topic = byKey[key] else { return }
        leave(slot, topic)
    }

    private mutating func make(_ key: TopicKey) -> Int32 {
        let topic: Int32
        if let free = freeTopics.popLast() {
            topic = free
            topics[Int(topic)] = Topic(key: key)
        } else {
            topic = Int32(topics.count)
            topics.append(Topic(key: key))
        }
        byKey[key] = topic
        bySource[Source(instrument: key.instrument, kind: key.kind), default: []].append(topic)
        return topic
    }

    private mutating func leave(_ slot: Int, _ topic: Int32) {
        guard let place = members[slot].places.removeValue(forKey: topic) else { return }
        members[slot].dirty[topic] = nil
        // The last receiver takes the empty place.
        let last = topics[Int(topic)].receivers.removeLast()
        if Int(last) != slot {
            topics[Int(topic)].receivers[Int(place)] = last
            members[Int(last)].places[topic] = place
        }
        guard topics[Int(topic)].receivers.isEmpty else { return }
        let key = topics[Int(topic)].key
        let source = Source(instrument: key.instrument, kind: key.kind)
        byKey[key] = nil
        bySource[source]?.removeAll { $0 == topic }
        if bySource[source]?.isEmpty == true { bySource[source] = nil }
        freeTopics.append(topic)
    }

    // MARK: Telling

    /// Whole states encoded for one flush, about.
    private static let mostWholes = 1_000

    /// Copies a push into what waits for its receivers; returns how many there are.
    mutating func tell(_ push: BoardPush, _ limits: QuoteLimits, at now: MonotonicInstant) -> Int {
        guard let wanted = bySource[Source(instrument: push.instrument, kind: push.kind)] else { return 0 }
        guard var writer = writer.take() else { preconditionFailure("told while telling") }
        var told = 0
        for topic in wanted {
            push.write(depth: topics[Int(topic)].key.depth, to: &writer)
            do {
                try writer.finish { elements in
                    let receivers = topics[Int(topic)].receivers
                    for receiver in receivers { add(Int(receiver), topic, push, elements, limits, now) }
                    told += receivers.count
                }
            } catch { preconditionFailure("a push of ours does not encode: \(error)") }
        }
        self.writer = consume writer
        return told
    }

    private mutating func add(
        _ slot: Int, _ topic: Int32, _ push: BoardPush, _ elements: RawSpan, _ limits: QuoteLimits, _ now: MonotonicInstant
    ) {
        if limits.conflates {
            // Looked at once for each flush: what is pending already goes out in any case.
            if members[slot].slowSince == nil, members[slot].pending.isEmpty, members[slot].queuedBytes() > limits.queueHigh {
                members[slot].slowSince = now
                slow.insert(slot)
            }
            if members[slot].slowSince != nil {
                members[slot].dirty[topic] = min(members[slot].dirty[topic] ?? .max, push.start)
                conflated += 1
                return
            }
        }
        put(slot, push.lane, elements)
        if members[slot].pending.bytes >= limits.pendingBytes { isFull = true }
    }

    private mutating func put(_ slot: Int, _ lane: PushLane, _ elements: RawSpan) {
        members[slot].pending.append(lane, elements)
        if members[slot].isListed { return }
        members[slot].isListed = true
        ready.append(Int32(slot))
    }

    /// Clock and feed are told to slow connections too: the newest replaces the one that waits.
    mutating func tell(_ slot: Int, _ lane: PushLane, _ payload: [UInt8]) { put(slot, lane, payload.span.bytes) }

    /// The newest whole state of the topics left out, for connections that have read enough. `whole`: nil where a topic has none;
    /// of minutes all that were left out, for one that is over is not in the next.
    mutating func catchUp(_ limits: QuoteLimits, whole: (TopicKey, _ since: Int64) -> (PushLane, [UInt8])?) {
        var told = 0
        for slot in slow where members[slot].queuedBytes() <= limits.queueLow {
            // The others at the next flush: encoding whole states takes time.
            guard told < Self.mostWholes else { return }
            told += members[slot].dirty.count
            slow.remove(slot)
            let dirty = members[slot].dirty
            members[slot].dirty = [:]
            members[slot].slowSince = nil
            for (topic, since) in dirty {
                if let (lane, elements) = whole(topics[Int(topic)].key, since) { put(slot, lane, elements.span.bytes) }
            }
        }
    }

    /// Connections that have not read enough for that long.
    func tooSlow(_ limits: QuoteLimits, at now: MonotonicInstant) -> [Int] {
        slow.filter { slot in members[slot].slowSince.map { $0.duration(to: now) >= limits.slow } ?? false }
    }

    // MARK: Sending

    /// Numbers a message that goes out by itself. What waits must be taken first.
    mutating func number(_ slot: Int) -> UInt64 {
        members[slot].pushed += 1
        return members[slot].pushed
    }

    /// What waits for one connection.
    mutating func take(_ slot: Int, into parcels: inout [Parcel]) {
        members[slot].pushed = members[slot].pending.drain(after: members[slot].pushed) { message in
            parcels.append(Parcel(slot: slot, message: message))
        }
    }

    /// What waits for all.
    mutating func takeAll() -> [Parcel] {
        var parcels: [Parcel] = []
        parcels.reserveCapacity(ready.count)
        for slot in ready {
            members[Int(slot)].isListed = false
            take(Int(slot), into: &parcels)
        }
        ready.removeAll(keepingCapacity: ready.count <= 4096)
        isFull = false
        return parcels
    }
}
