import Exact
import Instruments
import Messages
import Streams
import Testing

@testable import Feeds

/// Plays the session against a clock that only the test moves; effects are kept as short words.
struct FinnhubRig {
    var session: FinnhubSession
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    var wall: MarketInstant
    var said: [String] = []
    var pushed: [FeedEvent] = []
    /// When each question was asked.
    var asked: [(symbol: String, at: MonotonicInstant)] = []
    var answers: (@Sendable (String) -> FinnhubSession.Answer)?
    var random: UInt64 = 0

    /// `symbols`: of the table; the session is woken once.
    init(_ wall: String, symbols: [String] = ["AAPL", "MSFT"]) throws {
        let facts = try Shipped.result.get().0
        self.wall = try utc(wall)
        let instruments = try symbols.map { try instrument($0, facts) }
        session = FinnhubSession(instruments, facts: facts, now: now)
        hear(.woke)
    }

    mutating func hear(_ event: FinnhubSession.Event) {
        let effects = session.handle(event, now: now, wall: wall, random: random)
        var questions: [String] = []
        for effect in effects {
            switch effect {
            case .dial(let id): said.append("dial \(id)")
            case .send(let id, let text): said.append("send \(id) \(text)")
            case .ping(let id): said.append("ping \(id)")
            case .close(let id): said.append("close \(id)")
            case .ask(let symbol): questions.append(symbol)
            case .push(let events): pushed += events
            case .tell(let news): said.append("\(news)")
            }
        }
        for symbol in questions {
            asked.append((symbol, now))
            if let answers { hear(.answered(symbol: symbol, answers(symbol))) }
        }
    }

    /// Lets time go on; the session is woken where it wants to be.
    mutating func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end {
            let next = max(now.advanced(by: .nanoseconds(1)), min(end, session.deadline(after: now)))
            wall = wall.advanced(by: now.duration(to: next))
            now = next
            hear(.woke)
        }
    }

    /// What was said since the last call.
    mutating func take() -> [String] {
        defer { said = [] }
        return said
    }

    /// Open, with the first pong.
    mutating func stream(_ id: UInt64) {
        hear(.opened(id))
        hear(.pong(id))
    }
}

struct FinnhubSessionTests {
    private static let subscriptions = [
        #"{"type":"subscribe","symbol":"AAPL"}"#, #"{"type":"subscribe","symbol":"MSFT"}"#,
    ]

    private static func subscribed(_ id: Int) -> [String] {
        ["ping \(id)"] + subscriptions.map { "send \(id) \($0)" } + ["streaming(symbols: 2)"]
    }

    private static let trade = #"{"type":"trade","data":[{"p":150.5,"s":"AAPL","t":1796050800000,"v":10}]}"#

    @Test func opensPingsSubscribesAndReceives() throws {  // F-7
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        #expect(rig.take() == ["dial 1"])
        rig.hear(.opened(1))
        #expect(rig.take() == Self.subscribed(1))
        rig.hear(.pong(1))
        rig.hear(.text(1, Self.trade))
        #expect(rig.pushed.count == 2 && rig.take() == [])
        rig.hear(.text(1, #"{"type":"ping"}"#))
        #expect(rig.take() == [] && rig.session.isStreaming)
    }

    @Test func withoutAPongInTenSecondsItConnectsAndSubscribesAnew() throws {  // F-7
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.hear(.opened(1))
        _ = rig.take()
        rig.pass(.milliseconds(9_999))
        #expect(rig.take() == [])
        rig.pass(.milliseconds(1))
        #expect(rig.take().first == "close 1" && !rig.session.isStreaming)
        rig.pass(.seconds(1))
        #expect(rig.take() == ["dial 2"])
        rig.stream(2)
        #expect(rig.take() == Self.subscribed(2))
        // Pings go on, and each wants its pong.
        rig.pass(.seconds(15))
        #expect(rig.take() == ["ping 2"])
        rig.hear(.pong(2))
        rig.pass(.seconds(15))
        #expect(rig.take() == ["ping 2"])
        // Trades are no pong.
        rig.pass(.seconds(9))
        rig.hear(.text(2, Self.trade))
        rig.pass(.seconds(1))
        #expect(rig.take().first == "close 2")
    }

    @Test func whatComesFromAnEarlierLineIsIgnored() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.hear(.opened(1))
        rig.pass(.seconds(11))
        rig.stream(2)
        _ = rig.take()
        rig.hear(.text(1, Self.trade))
        rig.hear(.closed(1, code: 1006))
        rig.hear(.failed(1))
        rig.hear(.opened(1))
        #expect(rig.take() == [] && rig.pushed.isEmpty && rig.session.isStreaming)
    }

    @Test func triesAgainLaterAndLater() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        var waits: [Duration] = []
        for id in 1...9 as ClosedRange<UInt64> {
            let lost = rig.now
            rig.hear(.failed(id))
            while rig.session.link != .dialling(id + 1, until: rig.now.advanced(by: FinnhubSession.dialTime)) {
                rig.pass(.milliseconds(500))
            }
            waits.append(lost.duration(to: rig.now))
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { Duration.seconds($0) })
        // Told once, though lost nine times.
        #expect(rig.take().filter { $0.hasPrefix("lost") }.count == 1)
        // Nobody comes back at one moment.
        rig.random = .max
        rig.hear(.failed(10))
        rig.pass(.seconds(89))
        #expect(!rig.take().contains("dial 11"))
        rig.pass(.milliseconds(1_000))
        #expect(rig.take() == ["dial 11"])
    }

    @Test func aDialThatHangsIsGivenUp() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.pass(FinnhubSession.dialTime)
        #expect(rig.take().prefix(2) == ["dial 1", "close 1"])
        rig.pass(.seconds(1))
        #expect(rig.take() == ["dial 2"])
    }

    @Test(arguments: [401, 403]) func aRefusedKeyStopsForGood(status: Int) throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.hear(.refused(1, status: status))
        #expect(rig.take() == ["dial 1", "keyRefused"])
        let asked = rig.asked.count
        rig.pass(.seconds(3_600))
        #expect(rig.take() == [] && rig.asked.count == asked && rig.session.isStopped)
    }

    @Test func aKeyRefusedByHTTPOrInWordsStopsToo() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        rig.hear(.answered(symbol: "AAPL", .status(401)))
        #expect(rig.take() == ["close 1", "keyRefused"] && rig.session.isStopped)
        rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        rig.hear(.text(1, #"{"type":"error","msg":"Invalid API key."}"#))
        #expect(rig.take() == [#"objected("Invalid API key.")"#, "close 1", "keyRefused"])
    }

    /// A message larger than we take was told as another program's use of the key.
    @Test(arguments: [1002, 1003, 1007, 1009] as [UInt16]) func whatOurOwnSideClosesIsTriedAgain(code: UInt16) throws {  // F-7
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        rig.hear(.closed(1, code: code))
        #expect(!rig.take().contains("inUseElsewhere"))
        rig.pass(.seconds(60))
        #expect(rig.take().contains("dial 2"))
    }

    @Test func aSecondConnectionIsToldAndNotFoughtOver() throws {  // F-7
        for end in [FinnhubSession.Event.closed(1, code: 1008), .text(1, #"{"type":"error","msg":"Only one connection"}"#)] {
            var rig = try FinnhubRig("2026-11-30T15:00:00Z")
            rig.stream(1)
            _ = rig.take()
            rig.hear(end)
            #expect(rig.take().last == "inUseElsewhere")
            rig.pass(.seconds(299))
            #expect(!rig.take().contains("dial 2"))
            // Meanwhile prices are asked for.
            #expect(rig.asked.count > 1)
            rig.pass(.seconds(1))
            #expect(rig.take() == ["dial 2"])
        }
    }

    @Test func linesThatAreClosedAgainAndAgainAreAContest() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        for id in 1...2 as ClosedRange<UInt64> {
            rig.stream(id)
            rig.pass(.seconds(2))
            rig.hear(.closed(id, code: 1006))
            rig.pass(.seconds(4))
        }
        #expect(!rig.take().contains("inUseElsewhere"))
        rig.stream(3)
        rig.hear(.closed(3, code: 1006))
        #expect(rig.take().last == "inUseElsewhere")
    }

    @Test func tooManyRequestsWait() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.hear(.refused(1, status: 429))
        #expect(rig.take() == ["dial 1", "tooManyRequests"])
        rig.pass(.seconds(59))
        #expect(rig.take() == [])
        rig.pass(.seconds(1))
        #expect(rig.take() == ["dial 2"])
        rig.stream(2)
        _ = rig.take()
        rig.hear(.answered(symbol: "AAPL", .status(429)))
        #expect(rig.take() == ["tooManyRequests"])
        let asked = rig.asked.count
        rig.pass(.seconds(14))
        #expect(rig.asked.count == asked)
    }

    @Test func garbageIsCountedAndEndsTheLineAtLast() throws {  // F-8
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        for _ in 1...19 { rig.hear(.text(1, "{")) }
        #expect(rig.take() == [1, 2, 4, 8, 16].map { "unreadable(\($0))" })
        rig.hear(.text(1, Self.trade))
        for _ in 1...19 { rig.hear(.binary(1)) }
        #expect(rig.session.isStreaming)
        rig.hear(.binary(1))
        #expect(rig.take().contains("close 1") && !rig.session.isStreaming)
    }

    @Test func objectionsAreToldOnceAndTheLineStays() throws {
        var rig = try FinnhubRig("2026-11-30T15:00:00Z")
        rig.stream(1)
        _ = rig.take()
        for _ in 1...5 { rig.hear(.text(1, #"{"type":"error","msg":"Subscribing to too many symbols"}"#)) }
        #expect(rig.take() == [#"objected("Subscribing to too many symbols")"#] && rig.session.isStreaming)
        for count in 1...50 { rig.hear(.text(1, #"{"type":"error","msg":"odd \#(count)"}"#)) }
        #expect(rig.take().count == FinnhubSession.mostObjections - 1)
    }
}
