import Accounts
import Exact
import Feeds
import HTTP
import Instruments
import Messages
import Persistence
import QuoteServer
import Streams
import Synchronization
import Testing
import Texts

@testable import Alerts

private let facts: Result<MarketFacts, any Error> = Result { try MarketFacts(DataFolder.locate()) }

/// F-5: expressions from events of a feed to firings that are kept, with the bars clients are told.
@Suite struct FormulaServiceTests {
    private let file: AccountFile
    private let stock: Instrument
    private let day: TradingDay
    private let start: MarketInstant
    private let now = Mutexed(MarketInstant(nanoseconds: 0))

    private final class Mutexed: Sendable {
        private let value: Mutex<MarketInstant>
        init(_ value: MarketInstant) { self.value = Mutex(value) }
        var current: MarketInstant { value.withLock { $0 } }
        func set(_ new: MarketInstant) { value.withLock { $0 = new } }
    }

    init() throws {
        file = try AccountFile(path: ":memory:")
        try file.accounts.add(AccountRecord(id: "a", name: "a", passwordHash: "h", tradingPasswordHash: "t", createdAt: 5))
        let facts = try facts.get()
        day = try #require(TradingDay("2026-11-30"))
        stock = try facts.instruments.resolve("700.HK", on: day).get()
        start = try facts.calendar.instant(stock.calendar, day, localNanoseconds: (9 * 60 + 30) * 60_000_000_000)
        now.set(start)
    }

    /// One run of a server: its quotes and its alerts, over the same file.
    private struct Run {
        var quotes: QuoteServer
        var alerts: AlertService
        var sequence: UInt64 = 0
    }

    private func run(_ history: Recordings.History = .init()) throws -> Run {
        let facts = try facts.get()
        let market = MarketClock { [now] in MarketClockReading(time: now.current, speedMicros: 0, epoch: 1) }
        let clock = MonotonicClock(now: { MonotonicInstant(nanoseconds: 0) }, sleep: { _ in throw CancellationError() })
        let quotes = QuoteServer(
            board: QuoteBoard(facts: facts, marketDate: day) { _ in history }, marketClock: market, clock: clock,
            authorize: { _ in .failure(Failure(.authInvalid)) })
        let alerts = try AlertService(
            store: file.alerts,
            sources: AlertSources(
                instruments: facts.instruments, marketDate: day, marketClock: market, quote: { _ in nil },
                bars: AlertBars(calendar: facts.calendar) { quotes.adjustedBars($0, $1, count: $2, through: $3) }),
            clock: clock)
        return Run(quotes: quotes, alerts: alerts)
    }

    private func trade(_ run: inout Run, _ price: Int64, at seconds: Int64) -> FeedEvent {
        var tick = Tick()
        tick.instrument = stock.id.rawValue
        tick.timeNs = start.advanced(by: .seconds(seconds)).nanoseconds
        (tick.price, tick.size) = (price * 1_000_000_000, 100)
        tick.provenance = .derived
        return event(&run, .trade(tick), at: seconds)
    }

    private func clock(_ run: inout Run, at seconds: Int64) -> FeedEvent {
        now.set(start.advanced(by: .seconds(seconds)))
        return event(&run, .clock(MarketClockReading(time: now.current, speedMicros: 1_000_000, epoch: 1)), at: seconds)
    }

    private func event(_ run: inout Run, _ body: FeedEvent.Body, at seconds: Int64) -> FeedEvent {
        run.sequence += 1
        return FeedEvent(sequence: run.sequence, time: start.advanced(by: .seconds(seconds)), body: body)
    }

    /// To the quotes, then to the alerts; the figures of what fired by then.
    private func tell(_ run: Run, _ events: [FeedEvent]) async throws -> [String] {
        run.quotes.handle(events)
        #expect(await run.alerts.handle(events))
        return try fired()
    }

    private func fired() throws -> [String] { try file.alerts.firings("a", 0, 100).map { Price(nanos: $0.value).description } }

    private func add(_ run: Run, _ text: String, _ period: AlertPeriod = .minute1, repeats: Bool = false) async throws -> AlertInfo {
        var router = Router { _ in .success(Principal(accountID: "a", deviceID: "d", platform: "linux", scopes: [.watchlist])) }
        run.alerts.addRoutes(to: &router)
        let handler = router.handler
        let client = HTTPClient { request throws(HTTPFailure) in
            await handler(
                HTTPServerRequest(
                    method: request.method, path: String(request.url.dropFirst("http://127.0.0.1".utf8.count)), query: "",
                    headers: request.headers, body: request.body, remoteAddress: "127.0.0.1"))
        }
        let input = AlertInput(symbol: "700.HK", condition: .when, value: text, period: period, repeats: repeats)
        let clock = MonotonicClock(now: { MonotonicInstant(nanoseconds: 0) }, sleep: { _ in })
        return try await APIClient(base: "http://127.0.0.1", http: client, clock: clock).call(AlertEndpoints.add, input, bearer: "x")
    }

    @Test("A cross fires at the end of its bar, not while it may still be taken back, with close, end and source")
    func finishedOnly() async throws {
        var run = try run()
        #expect(try await add(run, "CROSS(CLOSE,REF(CLOSE,1))").state == .armed)
        #expect(try await tell(run, [trade(&run, 5, at: 1), clock(&run, at: 62)]) == [])
        // Crosses inside the bar, and is back before its end.
        #expect(try await tell(run, [trade(&run, 9, at: 70), clock(&run, at: 80)]) == [])
        #expect(try await tell(run, [trade(&run, 4, at: 119), clock(&run, at: 122)]) == [])
        #expect(try await tell(run, [trade(&run, 7, at: 130), clock(&run, at: 181)]) == [])
        #expect(try await tell(run, [clock(&run, at: 182)]) == ["7"])
        let firing = try #require(try file.alerts.firings("a", 0, 1).first)
        #expect(firing.time == start.advanced(by: .seconds(180)).nanoseconds && firing.provenance == "derived")
        #expect(firing.formula == FormulaRecord(text: "CROSS(CLOSE,REF(CLOSE,1))", period: "1m"))
        #expect(try await tell(run, [trade(&run, 3, at: 190), trade(&run, 9, at: 250), clock(&run, at: 400)]) == ["7"])
    }

    @Test("What is true when the alert is made has to become false first")
    func trueAlready() async throws {
        var run = try run()
        _ = try await tell(run, [trade(&run, 9, at: 1), clock(&run, at: 62)])
        #expect(try await add(run, "CLOSE>5").state == .resting)
        #expect(try await tell(run, [trade(&run, 8, at: 70), clock(&run, at: 122)]) == [])
        #expect(try await tell(run, [trade(&run, 2, at: 130), clock(&run, at: 182)]) == [])
        #expect(try await tell(run, [trade(&run, 6, at: 190), clock(&run, at: 242)]) == ["6"])
    }

    @Test("A restart does not judge a bar twice, also where a late trade changed it; what ended meanwhile is judged once at the start")
    func restart() async throws {
        var first = try run()
        _ = try await add(first, "CLOSE>5", repeats: true)
        #expect(try await tell(first, [trade(&first, 4, at: 1), clock(&first, at: 62)]) == [])
        // The next run is told the past anew: the first minute with a late trade, one that ended while it was down, one under way.
        var second = try run()
        let past = [trade(&second, 4, at: 1), trade(&second, 7, at: 59), trade(&second, 8, at: 61), trade(&second, 9, at: 121)]
        #expect(try await tell(second, past + [clock(&second, at: 125)]) == ["8"])
        #expect(try await tell(second, [clock(&second, at: 126)]) == ["8"])
        #expect(try await tell(second, [clock(&second, at: 182)]) == ["8"])
        #expect(try file.alerts.alerts().map(\.since) == [start.advanced(by: .seconds(180)).nanoseconds])
        var third = try run()
        #expect(try await tell(third, past.map { event(&third, $0.body, at: 0) } + [clock(&third, at: 183)]) == ["8"])
    }

    @Test("A dividend or a split is no fall") func adjusted() async throws {
        let closes: [(Int32, Int64)] = [(20_210_520, 600), (20_210_521, 600), (20_210_524, 599), (20_210_525, 599), (20_210_526, 599)]
        let days = try closes.map { (day, close) in
            var bar = Bar()
            bar.instrument = stock.id.rawValue
            bar.period = .day
            bar.tradingDay = day
            bar.recordedOn = day
            bar.startNs = Int64(try #require(TradingDay(yyyymmdd: day)).daysSince1970) * 86_400_000_000_000 + 5_400_000_000_000
            (bar.open, bar.high, bar.low, bar.close) = (
                close * 1_000_000_000, 600_000_000_000, close * 1_000_000_000, close * 1_000_000_000
            )
            bar.provenance = .recorded
            return bar
        }
        // 1.6 went out on 2021-05-24: what fell by 1 rose.
        let run = try run(Recordings.History(days: days))
        #expect(try await add(run, "COUNT(CLOSE<REF(CLOSE,1),3)>0", .day).state == .armed)
        #expect(try await add(run, "COUNT(CLOSE>REF(CLOSE,1),3)>0", .day).state == .resting)
    }

    @Test("Bars that the quotes were not told yet are judged with the next events")
    func behind() async throws {
        var run = try run()
        _ = try await add(run, "CLOSE>5")
        let events = [trade(&run, 9, at: 1), clock(&run, at: 62)]
        #expect(await run.alerts.handle(events))
        #expect(try fired() == [])
        run.quotes.handle(events)
        #expect(try await tell(run, [clock(&run, at: 63)]) == ["9"])
    }

    @Test("At most 20 expressions an account; a removed one makes room; the same one twice is one")
    func bounded() async throws {
        let run = try run()
        for value in 1...AlertBook.mostFormulasPerAccount { _ = try await add(run, "CLOSE>\(value)") }
        #expect(try await add(run, "CLOSE>20").id == 20)
        await #expect(throws: Failure(.alertFormulaFull, .init("limit", "20"))) { try await add(run, "CLOSE>21") }
        let unfinished = Failure(
            .alertFormula, .init("formula", "CLOSE>"), .init("reason", "formula-unfinished"), .init("found", "…"), .init("place", "7"))
        #expect(unfinished.text(in: .english) == "CLOSE>: ends too early: …, at character 7")
        await #expect(throws: unfinished) { try await add(run, "CLOSE>") }
    }

    @Test(
        "What says neither yes nor no is refused: it would never become true",
        arguments: ["CLOSE", "MA(CLOSE,5)-CLOSE", "1", "COUNT(CLOSE>OPEN,3)"])
    func noCondition(_ text: String) async throws {
        let run = try run()
        await #expect(throws: Failure(.alertFormulaNoCondition, .init("formula", text))) { try await add(run, text) }
        #expect(try await add(run, "IF(" + text + ">5,CROSS(CLOSE,OPEN),0)").state == .armed)
        #expect(try await add(run, "NOT (" + text + ")").id == 2)
    }
}
