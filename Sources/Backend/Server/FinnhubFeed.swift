import Diagnostics
package import Feeds
public import HTTP
import Instruments
import Messages
import Streams
import Synchronization
public import Texts
public import Transport

extension ErrorCode {
    /// The service does not accept the key of the live feed.
    public static let feedKeyRefused = ErrorCode("feed.key-refused")
    /// The table has no instrument of which the live feed has prices.
    public static let feedNothing = ErrorCode("feed.nothing")
    /// Market time of the data folder is ahead of the wall clock, which a live feed follows: `reached`, `now`.
    public static let feedFolderAhead = ErrorCode("feed.folder-ahead")
}

/// Where Finnhub is and with what key it is asked. The key is in no description, error or log line.
public struct FinnhubPlan: Sendable {
    /// Without path: `wss://ws.finnhub.io`.
    public var stream: String
    /// Without the last part: `https://finnhub.io/api/v1`.
    public var api: String
    package var key: FinnhubKey

    package init(key: FinnhubKey, stream: String = "wss://ws.finnhub.io", api: String = "https://finnhub.io/api/v1") {
        self.key = key
        self.stream = stream
        self.api = api
    }

    /// Nil where the text is no key: letters, digits, `-`, `_`, white space around them aside.
    public init?(key text: String) {
        guard let key = FinnhubKey(text) else { return nil }
        self.init(key: key)
    }

    /// A stand-in that serves both at `http://HOST:PORT`, on this machine. Nil: it is not there, for a key goes over no open network.
    public func standIn(at url: String) -> FinnhubPlan? {
        let places = ["http://127.0.0.1:", "http://localhost:", "http://[::1]:"]
        guard let place = places.first(where: url.hasPrefix), let port = UInt16(url.dropFirst(place.count)), port > 0 else { return nil }
        return FinnhubPlan(key: key, stream: "ws" + url.dropFirst(4), api: url + "/api/v1")
    }
}

/// The ways out of this process that a live feed needs.
public struct LivePorts: Sendable {
    public var dialer: WebSocketDialer
    public var http: HTTPClient

    public init(dialer: WebSocketDialer, http: HTTPClient) {
        self.dialer = dialer
        self.http = http
    }
}

/// Runs a `FinnhubSession` over the ports and pushes what it says into the hub's live feed.
final class FinnhubFeed: Sendable {
    /// Texts that may wait; more are dropped and counted.
    static let mostWaiting = 10_000
    static let answerTime = Duration.seconds(10)
    static let largestAnswer = 64 << 10
    /// Timers are not looked at more often.
    private static let shortestSleep = Duration.milliseconds(10)

    let live: LiveFeed
    private let plan: FinnhubPlan
    private let ports: LivePorts
    private let clock: MonotonicClock
    private let wall: WallClock
    private let log: Log
    private let session: Mutex<FinnhubSession>
    private let events: AsyncStream<FinnhubSession.Event>
    private let input: AsyncStream<FinnhubSession.Event>.Continuation
    private let waiting = Atomic(0)
    private let dropped = Atomic(0)
    private let onRefusal = Mutex<@Sendable () -> Void>({})
    /// 1 while prices come from the stream.
    private let streaming = Mutex<Gauge?>(nil)

    /// Of the US stocks of the table; Finnhub's free plan has nothing else live.
    init(
        _ plan: FinnhubPlan, _ ports: LivePorts, facts: MarketFacts, clock: MonotonicClock, wall: WallClock, log: Log
    ) throws(Failure) {
        let day = try? facts.calendar.localDate(.unitedStates, at: MarketInstant(nanoseconds: wall.now()))
        let listed = facts.instruments.all.filter { instrument in
            instrument.market.isUnitedStates && instrument.isTradable && day.map(instrument.isListed) ?? true
        }
        guard !listed.isEmpty else { throw Failure(.feedNothing) }
        if listed.count > FinnhubSession.mostSymbols {
            log.write(
                .warning, "finnhub.too-many-symbols",
                [(name: "listed", value: "\(listed.count)"), (name: "taken", value: "\(FinnhubSession.mostSymbols)")])
        }
        let taken = Array(listed.prefix(FinnhubSession.mostSymbols))
        live = LiveFeed(taken.map(\.id), facts: facts)
        session = Mutex(FinnhubSession(taken, facts: facts, now: clock.now()))
        (events, input) = AsyncStream.makeStream()
        self.plan = plan
        self.ports = ports
        self.clock = clock
        self.wall = wall
        self.log = log
    }

    /// Throws where the service refuses the key now. Where it cannot be reached the feed may start all the same, and tries again.
    func checkKey() async throws(Failure) {
        guard let symbol = session.withLock({ $0.firstSymbol }) else { return }
        if case .status(401) = await answer(symbol, within: .seconds(5)) { throw Failure(.feedKeyRefused) }
    }

    /// Before `run`: where it is counted, and who is told when the key is refused later.
    func report(_ metrics: Metrics, onRefusal: @escaping @Sendable () -> Void) {
        streaming.withLock {
            $0 = metrics.gauge("causeway_finnhub_streaming", help: "1 while live prices come from the stream, 0 while they are asked for")
        }
        self.onRefusal.withLock { $0 = onRefusal }
    }

    /// Runs until the task is cancelled; once.
    func run() async {
        var sockets: [FinnhubSession.Connection: WebSocket] = [:]
        var question: Task<Void, Never>?
        let alarm = Task { await self.wake() }
        for await event in events {
            if case .text = event { waiting.wrappingSubtract(1, ordering: .relaxed) }
            let (now, wall) = (clock.now(), MarketInstant(nanoseconds: wall.now()))
            let effects = session.withLock { $0.handle(event, now: now, wall: wall, random: .random(in: 0 ... .max)) }
            switch event {
            case .closed(let id, _), .failed(let id), .refused(let id, _): sockets[id] = nil
            default: break
            }
            for effect in effects {
                switch effect {
                case .dial(let id): sockets[id] = dial(id)
                case .send(let id, let text): _ = sockets[id]?.send(.text(text))
                case .ping(let id): _ = sockets[id]?.ping([])
                case .close(let id): sockets.removeValue(forKey: id)?.close(WebSocketClosure(code: 1000))
                case .ask(let symbol): question = Task { await self.ask(symbol) }
                case .push(let events): live.push(events)
                case .tell(let news): tell(news)
                }
            }
        }
        alarm.cancel()
        question?.cancel()
        for socket in sockets.values { socket.close(WebSocketClosure(code: 1001)) }
    }

    /// Wakes the session where it wants to be woken.
    private func wake() async {
        while !Task.isCancelled {
            input.yield(.woke)
            let now = clock.now()
            let deadline = session.withLock { $0.deadline(after: now) }
            do { try await clock.sleep(max(deadline, now.advanced(by: Self.shortestSleep))) } catch { return }
        }
    }

    private func dial(_ id: FinnhubSession.Connection) -> WebSocket {
        let request = WebSocketDialRequest(
            url: plan.stream + "/?token=" + plan.key.secret, connectTimeout: .seconds(10), maximumMessageSize: 1 << 20)
        return ports.dialer.dial(request) { [self] event in
            switch event {
            case .opened: input.yield(.opened(id))
            case .failed(.refused(let status, _)): input.yield(.refused(id, status: status))
            case .failed: input.yield(.failed(id))
            case .message(.text(let text)):
                guard waiting.load(ordering: .relaxed) < Self.mostWaiting else {
                    return drop()
                }
                waiting.wrappingAdd(1, ordering: .relaxed)
                input.yield(.text(id, text))
            case .message(.binary): input.yield(.binary(id))
            case .pong: input.yield(.pong(id))
            case .closed(let closure): input.yield(.closed(id, code: closure.code))
            }
        }
    }

    /// Told at one, two, four, …
    private func drop() {
        let count = dropped.wrappingAdd(1, ordering: .relaxed).newValue
        if count & (count - 1) == 0 { log.write(.warning, "finnhub.dropped", [(name: "messages", value: "\(count)")]) }
    }

    private func ask(_ symbol: String) async {
        input.yield(.answered(symbol: symbol, await answer(symbol, within: Self.answerTime)))
    }

    private func answer(_ symbol: String, within time: Duration) async -> FinnhubSession.Answer {
        // Letters, digits, points: a symbol of our table needs no escape, and what does is no symbol of theirs.
        guard symbol.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || $0 == 46 || $0 == 45 }) else {
            return .unknownSymbol
        }
        let request = HTTPRequest(
            method: "GET", url: plan.api + "/quote?symbol=" + symbol, headers: ["X-Finnhub-Token": plan.key.secret], timeout: time)
        do throws(HTTPFailure) {
            let response = try await ports.http.perform(request)
            guard response.status == 200 else { return .status(response.status) }
            guard response.body.count <= Self.largestAnswer else { return .unreadable }
            do throws(FinnhubFault) { return .quote(try FinnhubQuote(parsing: response.body)) } catch {
                return error == .unknownSymbol ? .unknownSymbol : .unreadable
            }
        } catch { return .unreachable }
    }

    // MARK: Log

    private func tell(_ news: FinnhubSession.News) {
        func write(_ level: LogLevel, _ event: String, _ name: String? = nil, _ value: String = "") {
            // What comes from outside may repeat the key.
            log.write(level, "finnhub." + event, name.map { [(name: $0, value: plan.key.redacting(value))] } ?? [])
        }
        switch news {
        case .streaming(let symbols):
            streaming.withLock { $0?.set(1) }
            write(.info, "streaming", "symbols", "\(symbols)")
        case .asking:
            streaming.withLock { $0?.set(0) }
            write(.info, "asking", "why", "the market is closed")
        case .lost(let loss):
            streaming.withLock { $0?.set(0) }
            write(.warning, "lost", "why", "\(loss)")
        case .keyRefused:
            streaming.withLock { $0?.set(0) }
            write(.error, "key-refused")
            onRefusal.withLock { $0 }()
        case .inUseElsewhere:
            streaming.withLock { $0?.set(0) }
            write(.warning, "in-use-elsewhere", "next-try-seconds", "\(FinnhubSession.yielding.components.seconds)")
        case .tooManyRequests: write(.warning, "too-many-requests")
        case .objected(let words): write(.warning, "objected", "words", words)
        case .unreadable(let count): write(.warning, "unreadable", "count", "\(count)")
        case .unknownSymbol(let symbol): write(.warning, "unknown-symbol", "symbol", symbol)
        case .notAllowed(let symbol): write(.warning, "not-allowed", "symbol", symbol)
        case .unreachable: write(.warning, "unreachable")
        case .calendarEnds: write(.error, "calendar-ends")
        }
    }
}
