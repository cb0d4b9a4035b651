import Diagnostics
import Feeds
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import Texts
import Transport
import WireCodec

@testable import QuoteServer

/// A client that reads when it is told to, and merges what it reads as the protocol says.
final class Reader: Sendable {
    struct State {
        var waiting: [(bytes: Int, envelope: QuoteEnvelope)] = []
        var queued = 0
        var quotes: [UInt32: Quote] = [:]
        var books: [UInt32: Book] = [:]
        var clock: MarketClockInfo?
        /// Volumes of quote pushes in the order they came: each update has its own.
        var volumes: [UInt32: [Int64]] = [:]
        var ticks: [UInt32: [UInt64]] = [:]
        var lastPush: UInt64 = 0
        var faults: [String] = []
    }
    let state = Mutex(State())
    let closed = Mutex<WebSocketClosure?>(nil)

    var socket: WebSocket {
        WebSocket(
            send: { [self] message in
                guard case .binary(let bytes) = message, let envelope = try? QuoteEnvelope(serializedBytes: bytes) else { return false }
                state.withLock {
                    $0.waiting.append((bytes.count, envelope))
                    $0.queued += bytes.count
                }
                return true
            }, ping: { _ in true }, close: { [self] closure in closed.withLock { $0 = closure } },
            queuedBytes: { [self] in state.withLock { $0.queued } })
    }

    func read(_ count: Int) throws {
        try state.withLock { state in
            for (bytes, envelope) in state.waiting.prefix(count) {
                state.queued -= bytes
                try state.take(envelope)
            }
            state.waiting.removeFirst(min(count, state.waiting.count))
        }
    }
}

extension Reader.State {
    mutating func take(_ envelope: QuoteEnvelope) throws {
        switch envelope.type {
        case .snapshotPush, .quotePush, .bookPush, .tickPush, .barPush, .clockChanged, .feedChanged:
            if envelope.sequence != lastPush + 1 { faults.append("push \(envelope.sequence) after \(lastPush)") }
            lastPush = envelope.sequence
        default: return
        }
        switch envelope.type {
        case .snapshotPush:
            for quote in try QuoteBatch(serializedBytes: envelope.payload).quotes { quotes[quote.instrument] = quote }
        case .quotePush:
            for quote in try QuoteBatch(serializedBytes: envelope.payload).quotes {
                // A change without the whole it builds on is of no use.
                if quotes[quote.instrument] == nil { faults.append("change of \(quote.instrument) before its whole") }
                if let known = quotes[quote.instrument], quote.volume <= known.volume { faults.append("older than what is known") }
                quotes[quote.instrument]?.merge(quote)
                volumes[quote.instrument, default: []].append(quote.volume)
            }
        case .bookPush: for book in try BookBatch(serializedBytes: envelope.payload).books { books[book.instrument] = book }
        case .tickPush:
            for tick in try TickBatch(serializedBytes: envelope.payload).ticks { ticks[tick.instrument, default: []].append(tick.sequence) }
        case .clockChanged: clock = try MarketClockInfo(serializedBytes: envelope.payload)
        default: break
        }
    }
}

/// A server, its feed and its readers on one thread and a clock set by hand.
final class FanOutStory {
    struct Client {
        let reader: Reader
        let id: QuoteConnectionID
        var topics: Set<TopicKey> = []
        /// What was told while it was subscribed.
        var volumes: [UInt32: [Int64]] = [:]
        var ticks: [UInt32: [UInt64]] = [:]
    }

    let server: QuoteServer
    let metrics = Metrics()
    var random: SeededRandom
    var state = FeedState()
    var sequence: UInt64 = 0
    var clients: [Client] = []
    let instruments: [UInt32] = [1, 2, 10, 21]

    init(seed: UInt64, limits: QuoteLimits, readers: Int) throws {
        random = SeededRandom(seed: seed)
        let box = Box()
        self.box = box
        server = QuoteServer(
            board: try board(), marketClock: .init(reading: { .init(time: .init(nanoseconds: 0), speedMicros: 1_000_000, epoch: 1) }),
            clock: .init(now: { .init(nanoseconds: box.now.load(ordering: .relaxed)) }, sleep: { _ in }), metrics: metrics, limits: limits,
            authorize: { _ in .success(principal) })
        for instrument in instruments { tell(quote(instrument)) }
        let version = try board().facts.instruments.version
        for _ in 0..<readers {
            let reader = Reader()
            let id = server.connect(QuoteLink(reader.socket))
            clients.append(Client(reader: reader, id: id))
            #expect(server.drive(id, try envelope(.login, 1, login(symbols: version))) == "good")
            _ = server.drive(id, .authorized(.success(principal)))
        }
    }

    final class Box: Sendable { let now = Atomic<Int64>(0) }
    let box: Box

    func pass(_ milliseconds: Int64) { box.now.wrappingAdd(milliseconds * 1_000_000, ordering: .relaxed) }

    func quote(_ instrument: UInt32) -> FeedEvent.Body {
        sequence += 1
        var quote = Quote()
        quote.instrument = instrument
        quote.timeNs = Int64(sequence)
        quote.volume = Int64(sequence)
        if Bool.random(using: &random) { quote.last = Int64.random(in: 1...1_000, using: &random) }
        if Bool.random(using: &random) { quote.bid = Int64.random(in: 1...1_000, using: &random) }
        if Bool.random(using: &random) { quote.ask = Int64.random(in: 1...1_000, using: &random) }
        return .quote(quote)
    }

    func body() -> FeedEvent.Body {
        let instrument = instruments.randomElement(using: &random) ?? 1
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            var book = Book()
            (book.instrument, book.timeNs) = (instrument, Int64(sequence))
            book.bids = (0..<Int64.random(in: 0..<8, using: &random)).map { level in
                var bid = BookLevel()
                (bid.price, bid.size) = (1_000 - level, Int64(sequence) + level)
                return bid
            }
            return .book(book)
        case 1:
            sequence += 1
            var tick = Tick()
            (tick.instrument, tick.sequence, tick.price) = (instrument, sequence, 5)
            return .trade(tick)
        default: return quote(instrument)
        }
    }

    func tell(_ bodies: FeedEvent.Body...) { tell(bodies) }

    func tell(_ bodies: [FeedEvent.Body]) {
        let events = bodies.map { FeedEvent(sequence: sequence, time: .init(nanoseconds: Int64(sequence)), body: $0) }
        for event in events {
            state.apply(event)
            for index in clients.indices {
                switch event.body {
                case .quote(let quote) where clients[index].topics.contains(.init(instrument: quote.instrument, kind: .snapshot, depth: 0)):
                    clients[index].volumes[quote.instrument, default: []].append(quote.volume)
                case .trade(let tick) where clients[index].topics.contains(.init(instrument: tick.instrument, kind: .ticks, depth: 0)):
                    clients[index].ticks[tick.instrument, default: []].append(tick.sequence)
                default: break
                }
            }
        }
        server.handle(events)
    }

    func subscribe(_ index: Int, _ key: TopicKey) throws {
        let isNew = clients[index].topics.insert(key).inserted
        if !isNew { clients[index].topics.remove(key) }
        let request = subscription([(key.instrument, key.kind, key.depth)])
        _ = server.drive(clients[index].id, try envelope(isNew ? .subscribe : .unsubscribe, 2, request))
    }

    func key(for client: Int) -> TopicKey {
        let kind = [QuoteKind.snapshot, .snapshot, .book, .ticks].randomElement(using: &random) ?? .snapshot
        // A book does not say which depth it was cut to, so a client asks for one only.
        let depth: UInt32 = kind == .book ? [0, 2, 5, 5][client] : 0
        return TopicKey(instrument: instruments.randomElement(using: &random) ?? 1, kind: kind, depth: depth)
    }

    func step() throws {
        let index = Int.random(in: 0..<clients.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: tell((0..<Int.random(in: 1...30, using: &random)).map { _ in body() })
        case 4: pass(Int64.random(in: 0...20, using: &random))
        case 5: server.flush()
        case 6, 7: try subscribe(index, key(for: index))
        case 8: server.sweep()
        // The first never reads before the end.
        default: if index > 0 { try clients[index].reader.read(Int.random(in: 1...20, using: &random)) }
        }
    }

    /// Everybody reads all there is, until nothing more comes.
    func settle() throws {
        for _ in 0..<3 {
            for client in clients { try client.reader.read(.max) }
            server.sweep()
        }
        for client in clients { try client.reader.read(.max) }
    }

    var conflated: UInt64 { metrics.counter("causeway_quote_conflated_total", help: "").current }

    func checkStates() {
        for client in clients {
            client.reader.state.withLock { reader in
                #expect(reader.faults == [])
                for key in client.topics {
                    switch key.kind {
                    case .snapshot: #expect(reader.quotes[key.instrument] == state.quotes[InstrumentID(key.instrument)])
                    case .book:
                        #expect(reader.books[key.instrument] == state.books[InstrumentID(key.instrument)].map { $0.cut(to: key.depth) })
                    default: break
                    }
                }
            }
        }
    }
}

struct FanOutTests {
    // B-7: any schedule without conflation: every update reaches every subscriber once and in order.
    @Test(arguments: UInt64(0)..<200) func nothingIsLostWithoutConflation(seed: UInt64) throws {
        var limits = QuoteLimits.standard
        limits.conflates = false
        limits.pendingBytes = seed % 2 == 0 ? 200 : 64 << 10
        let story = try FanOutStory(seed: seed, limits: limits, readers: 4)
        for _ in 0..<100 { try story.step() }
        try story.settle()
        story.checkStates()
        for client in story.clients {
            client.reader.state.withLock {
                #expect($0.volumes == client.volumes)
                #expect($0.ticks == client.ticks)
            }
        }
        #expect(story.conflated == 0)
    }

    // B-7: any schedule with slow readers: what they hold at the end is what the board holds, and what waits for them stays bounded.
    @Test(arguments: UInt64(0)..<200) func slowReadersEndAtTheBoardsState(seed: UInt64) throws {
        var limits = QuoteLimits.standard
        (limits.queueHigh, limits.queueLow, limits.pendingBytes) = (1_500, 500, 400)
        let story = try FanOutStory(seed: seed, limits: limits, readers: 4)
        for kind in [QuoteKind.snapshot, .ticks] { try story.subscribe(0, .init(instrument: 1, kind: kind, depth: 0)) }
        for _ in 0..<100 { try story.step() }
        for _ in 0..<40 { story.tell((0..<20).map { _ in story.quote(1) }) }
        // Replies to its own requests, what was gathered when it became slow, and a whole for each topic are all that comes on top.
        #expect(story.clients[0].reader.state.withLock { $0.queued } < 12_000)
        if story.clients[0].topics.contains(.init(instrument: 1, kind: .snapshot, depth: 0)) { #expect(story.conflated > 0) }
        try story.settle()
        story.checkStates()
        for client in story.clients {
            for (instrument, volumes) in client.reader.state.withLock({ $0.volumes }) {
                var told = (client.volumes[instrument] ?? [])[...]
                // In order, perhaps with gaps, never one that was not told.
                #expect(
                    volumes.allSatisfy { volume in
                        told = told.drop { $0 < volume }
                        return told.popFirst() == volume
                    })
            }
        }
    }

    // B-2: what one flush gathers is one message of each type.
    @Test func aFlushIsOneMessageOfEachType() throws {
        let story = try FanOutStory(seed: 1, limits: .standard, readers: 1)
        for kind in [QuoteKind.snapshot, .ticks] { try story.subscribe(0, .init(instrument: 1, kind: kind, depth: 0)) }
        story.tell(story.quote(1))
        let before = story.clients[0].reader.state.withLock { $0.waiting.count }
        for _ in 0..<10 { story.tell(story.quote(1), .trade(Tick.with(1)), story.quote(2)) }
        #expect(story.clients[0].reader.state.withLock { $0.waiting.count } == before)
        story.pass(15)
        story.server.flush()
        let types = story.clients[0].reader.state.withLock { $0.waiting.dropFirst(before).map(\.envelope.type) }
        #expect(types == [.quotePush, .tickPush])
        try story.settle()
        #expect(story.clients[0].reader.state.withLock { $0.volumes[1]?.count } == 11)
    }

    @Test func aClientThatStaysSlowIsClosed() throws {
        let story = try FanOutStory(seed: 1, limits: .standard, readers: 2)
        for index in 0..<2 { try story.subscribe(index, .init(instrument: 1, kind: .snapshot, depth: 0)) }
        story.clients[0].reader.state.withLock { $0.queued = 1 << 20 }
        story.pass(15)
        story.tell(story.quote(1))
        for _ in 0..<2 {
            story.pass(15_000)
            for client in story.clients { _ = story.server.drive(client.id, try envelope(.heartbeat, 3, QuoteHeartbeat())) }
            #expect(story.clients[0].reader.closed.withLock { $0 } == nil)
            story.server.sweep()
        }
        #expect(story.clients[0].reader.closed.withLock { $0?.code } == 1013)
        #expect(story.clients[1].reader.closed.withLock { $0 } == nil)
    }

    // B-2: silence is found without looking at every connection each second.
    @Test func silenceIsFoundAtItsDeadline() throws {
        let story = try FanOutStory(seed: 1, limits: .standard, readers: 2)
        story.pass(20_000)
        story.server.sweep()
        _ = story.server.drive(story.clients[1].id, try envelope(.heartbeat, 3, QuoteHeartbeat()))
        story.pass(19_999)
        story.server.sweep()
        #expect(story.clients.allSatisfy { $0.reader.closed.withLock { $0 } == nil })
        story.pass(1)
        story.server.sweep()
        #expect(story.clients[0].reader.closed.withLock { $0?.code } == 4409)
        #expect(story.clients[1].reader.closed.withLock { $0 } == nil)
        story.pass(20_000)
        story.server.sweep()
        #expect(story.clients[1].reader.closed.withLock { $0?.code } == 4409)
    }
}

extension Tick {
    static func with(_ instrument: UInt32) -> Tick {
        var tick = Tick()
        (tick.instrument, tick.price) = (instrument, 5)
        return tick
    }
}
