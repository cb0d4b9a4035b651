import Bars
import Diagnostics
import Feeds
import Instruments
import Messages
import Streams
import Synchronization
import Transport

/// A connection's number: its slot, and which of the slot's connections.
struct QuoteConnectionID: Hashable, Sendable {
    var slot: Int
    var generation: UInt64
}

/// A connection's socket, and how many of its messages wait to be handled.
final class QuoteLink: Sendable {
    let socket: WebSocket
    let waiting = Atomic<Int>(0)
    init(_ socket: WebSocket) { self.socket = socket }
}

/// A message on its way to a socket.
struct QuoteOutgoing: Sendable {
    var link: QuoteLink
    var content: Content

    enum Content: Sendable {
        /// Gathered; the whole message.
        case message([UInt8])
        /// Still to be put into its envelope.
        case payload(QuoteMessageType, sequence: UInt64, [UInt8])
    }

    /// In order; the service thread is woken once all are queued.
    static func send(_ all: [QuoteOutgoing]) {
        // False: the socket is closing; its `closed` event follows.
        for one in all { _ = one.link.socket.queue(.binary(one.message)) }
        for one in all { one.link.socket.wake() }
    }

    private var message: [UInt8] {
        switch content {
        case .message(let bytes): return bytes
        case .payload(let type, let sequence, let payload):
            var buffer = EnvelopeBuffer(payload)
            return buffer.seal(type, sequence: sequence)
        }
    }
}

/// The server's state: sessions by slot, who is told what, deadlines.
struct QuoteServerCore: ~Copyable, Sendable {
    private struct Connection: Sendable {
        var id: QuoteConnectionID
        var session: QuoteSession
        var link: QuoteLink
        /// How many sign-ins had ended when its credential was given to be judged.
        var askedAfter: UInt64 = 0
    }

    /// What became of an event.
    struct Step {
        var outgoing: [QuoteOutgoing] = []
        var credential: String?
        var closure: QuoteClosure?
    }

    enum Flushing: Hashable { case no, now, at(MonotonicInstant) }

    private var board: QuoteBoard
    /// The number of the newest event taken in.
    private(set) var taken: UInt64 = 0
    private let limits: QuoteLimits
    private var connections: [Connection?] = []
    private var fanOut = FanOut()
    private var opened: UInt64 = 0
    /// Sign-ins that have ended so far.
    private var revocations: UInt64 = 0
    private var clock: MarketClockReading?
    private var flushedAt: MonotonicInstant?
    private var isFlushDue = false
    /// Connections to look at in a second, by second: no earlier than the deadline they had when they were put there.
    private var deadlines: [Int64: [QuoteConnectionID]] = [:]

    /// Most deliveries between two moments at which others may have the core.
    private static let turn = 16_384

    init(board: QuoteBoard, limits: QuoteLimits) {
        self.board = board
        self.limits = limits
    }

    var count: Int { fanOut.count }
    var refusedBars: Int { board.refusedBars }

    func adjustedBars(_ instrument: Instrument, _ period: BarPeriod, count: Int) -> [Bar] {
        (try? board.bars(instrument, period, count: count, .forward))?.bars ?? []
    }

    func link(_ id: QuoteConnectionID) -> QuoteLink? { self[id]?.link }

    private subscript(id: QuoteConnectionID) -> Connection? {
        guard id.slot < connections.count, let connection = connections[id.slot], connection.id == id else { return nil }
        return connection
    }

    mutating func open(_ link: QuoteLink, at now: MonotonicInstant) -> QuoteConnectionID {
        opened += 1
        let id = QuoteConnectionID(slot: fanOut.open(queuedBytes: link.socket.queuedBytes), generation: opened)
        if id.slot == connections.count { connections.append(nil) }
        let connection = Connection(id: id, session: QuoteSession(at: now), link: link)
        connections[id.slot] = connection
        watch(connection)
        return id
    }

    mutating func forget(_ id: QuoteConnectionID) -> QuoteLink? {
        guard let connection = self[id] else { return nil }
        fanOut.close(id.slot)
        connections[id.slot] = nil
        return connection.link
    }

    // MARK: Clients

    mutating func handle(
        _ id: QuoteConnectionID, _ event: QuoteSession.Event, _ reading: MarketClockReading, at now: MonotonicInstant
    ) -> Step {
        var step = Step()
        guard var connection = self[id] else { return step }
        if case .authorized = event, connection.askedAfter != revocations, let credential = connection.session.credential {
            // Perhaps judged before a sign-in ended, and its own.
            connections[id.slot]?.askedAfter = revocations
            step.credential = credential
            return step
        }
        let effects = connection.session.handle(event, QuoteSession.View(board: board, clock: reading, limits: limits), at: now)
        connections[id.slot] = connection
        if effects.isEmpty {
            if case .tick = event { watch(connection) }
            return step
        }
        // What was gathered is older than what is said now.
        take(id.slot, connection.link, &step.outgoing)
        for effect in effects {
            switch effect {
            case .reply(let type, let sequence, let payload):
                step.outgoing.append(QuoteOutgoing(link: connection.link, content: .payload(type, sequence: sequence, payload)))
            case .push(let type, let payload):
                let sequence = fanOut.number(id.slot)
                step.outgoing.append(QuoteOutgoing(link: connection.link, content: .payload(type, sequence: sequence, payload)))
            case .authorize(let text):
                connections[id.slot]?.askedAfter = revocations
                step.credential = text
            case .subscribe(let key): fanOut.subscribe(id.slot, key)
            case .unsubscribe(let key): fanOut.unsubscribe(id.slot, key)
            case .close(let reason): step.closure = reason
            }
        }
        return step
    }

    /// A sign-in has ended: the connections it carried, and every judgement under way is out of date.
    mutating func revoked(account: String, device: String) -> [QuoteConnectionID] {
        revocations += 1
        return connections.compactMap { $0 }.filter { $0.session.belongs(to: account, device) }.map(\.id)
    }

    private mutating func take(_ slot: Int, _ link: QuoteLink, _ outgoing: inout [QuoteOutgoing]) {
        var parcels: [FanOut.Parcel] = []
        fanOut.take(slot, into: &parcels)
        outgoing += parcels.map { QuoteOutgoing(link: link, content: .message($0.message)) }
    }

    // MARK: Time

    private mutating func watch(_ connection: Connection) {
        let deadline = connection.session.deadline(limits).nanoseconds
        deadlines[(deadline + 999_999_999) / 1_000_000_000, default: []].append(connection.id)
    }

    /// Connections whose time may be over.
    mutating func due(at now: MonotonicInstant) -> [QuoteConnectionID] {
        var ids: [QuoteConnectionID] = []
        for second in deadlines.keys where second <= now.nanoseconds / 1_000_000_000 {
            for id in deadlines.removeValue(forKey: second) ?? [] {
                guard let connection = self[id] else { continue }
                if connection.session.deadline(limits) <= now { ids.append(id) } else { watch(connection) }
            }
        }
        return ids
    }

    func tooSlow(at now: MonotonicInstant) -> [QuoteConnectionID] {
        fanOut.tooSlow(limits, at: now).compactMap { connections[$0]?.id }
    }

    // MARK: Feed

    /// Takes events in until all are, the turn is over or something must be flushed; true: flush before going on.
    mutating func take(_ events: inout ArraySlice<FeedEvent>, at now: MonotonicInstant) -> Bool {
        var told = 0
        while told < Self.turn, !fanOut.isFull, let event = events.popFirst() {
            let (push, minute) = board.apply(event)
            if let push { told += fanOut.tell(push, limits, at: now) }
            if let minute { told += fanOut.tell(minute, limits, at: now) }
            switch event.body {
            case .clock(let reading): tell(reading)
            case .feed(let info): tell(.feed, serialized(info))
            case .quote, .book, .trade, .phase, .bar, .fx, .past, .refused: break
            }
            told += 1
            taken = event.sequence
        }
        return fanOut.isFull
    }

    private mutating func tell(_ reading: MarketClockReading) {
        defer { clock = reading }
        // Who logged in before the first was told of a clock that stood. One that does not run by itself moves by announcement.
        if let before = clock {
            guard reading.epoch != before.epoch || (reading.speedMicros == 0 && reading.time != before.time) else { return }
        }
        tell(.clock, serialized(reading.info))
    }

    /// What is of no instrument, to all.
    private mutating func tell(_ lane: PushLane, _ payload: [UInt8]) {
        for case .some(let connection) in connections where connection.session.isReady { fanOut.tell(connection.id.slot, lane, payload) }
    }

    /// When what was gathered has to go.
    mutating func flushing(at now: MonotonicInstant) -> Flushing {
        if isFlushDue || (fanOut.isEmpty && fanOut.slow.isEmpty) { return .no }
        guard let flushedAt, flushedAt.duration(to: now) < limits.gathering else { return .now }
        isFlushDue = true
        return .at(flushedAt.advanced(by: limits.gathering))
    }

    mutating func flush(at now: MonotonicInstant, _ conflated: Counter) -> [QuoteOutgoing] {
        flushedAt = now
        isFlushDue = false
        fanOut.catchUp(limits) { [board] key, since in QuoteSession.whole(key, board, since: since) }
        conflated.add(fanOut.takeConflated())
        return fanOut.takeAll().compactMap { parcel in
            connections[parcel.slot].map { QuoteOutgoing(link: $0.link, content: .message(parcel.message)) }
        }
    }
}
