import Accounts
import AuthCentre
import Diagnostics
import Feeds
import Glibc
import HTTP
import Instruments
import LWS
import Messages
import Persistence
import QuoteServer
import Sealed
import Streams
import Texts

/// The server that `bench fanout` measures, as a process of its own: the auth centre, the quote server and the listener of `serve`, and
/// instead of the replay a feed of many instruments at a set rate through the same port.
struct FanOutServer {
    var symbols: Int
    /// Updates a second, over all instruments in turn.
    var rate: Int
    /// Updates of each instrument.
    var updates: Int
    var clock = MonotonicClock.live

    /// Of the bench's own instruments; the shipped ones' ids are lower.
    static let firstSymbol: UInt32 = 100_000
    /// Between two batches of the feed.
    static let pace = Duration.milliseconds(5)

    func run(_ output: Output) async throws {
        let auth = try AuthCentre(
            store: try AccountStore.sqlite(path: ":memory:"), cost: .least, now: { WallClock.live.now() / 1_000_000 },
            monotonic: MonotonicClock.live.now)
        let board = try board()
        var limits = QuoteLimits.standard
        limits.conflates = false
        let quotes = QuoteServer(
            board: board, marketClock: MarketClock { .init(time: Self.moment, speedMicros: 1_000_000, epoch: 1) }, clock: clock,
            limits: limits, authorize: { auth.verify(quoteCredential: $0) })
        let listener = try LWSServer(
            LWSServerConfiguration(port: 0, http: { _ in HTTPResponse(status: 404) }, webSocket: { quotes.accept($0) }))
        let running = Task { await quotes.run() }
        for symbol in 0..<symbols { quotes.handle(event(symbol, 0, at: QuoteLoad.now())) }
        let device = DeviceInfo(id: String(repeating: "0", count: 32), platform: "linux", name: "bench")
        let grant = try auth.register(SignInInput(name: "bench", password: "a bench's password", device: device), from: "127.0.0.1")
        guard case .success(let principal) = auth.verify(access: grant.access) else { throw Failure(.authInvalid) }
        let ready = JSONValue.object([
            .init("port", .int(listener.port)), .init("credential", .string(try auth.quoteCredential(for: principal).value)),
            .init("symbolsVersion", .int(Int(board.facts.instruments.version))),
        ])
        output.line(ready.serialized())
        var lines = standardInputLines().makeAsyncIterator()
        if await lines.next() != nil { try await feed(quotes) }
        while await lines.next() != nil {}
        running.cancel()
        await listener.stop()
    }

    /// Market time of the bench, which stands: 2026-11-30 10:00 in Hong Kong.
    private static let moment = MarketInstant(nanoseconds: 1_796_004_000_000_000_000)

    private func board() throws -> QuoteBoard {
        let folder = try DataFolder.locate()
        var facts = try MarketFacts(folder)
        guard let model = facts.instruments.all.first else { throw Failure(.dataCorrupt, .init("path", "symbols.csv")) }
        let made = (0..<symbols).map { symbol in
            var instrument = model
            instrument.id = InstrumentID(Self.firstSymbol + UInt32(symbol))
            instrument.code = "B\(symbol)"
            instrument.symbol = "B\(symbol).HK"
            return instrument
        }
        facts.instruments = InstrumentTable(version: facts.instruments.version, instruments: made)
        guard let day = TradingDay(yyyymmdd: 20_261_130) else { throw Failure(.dataCorrupt, .init("path", "")) }
        return QuoteBoard(facts: facts, marketDate: day) { _ in Recordings.History() }
    }

    /// All updates, each batch stamped with the moment it was due at: a feed that falls behind shows in the latencies.
    private func feed(_ quotes: QuoteServer) async throws {
        let start = clock.now()
        let origin = QuoteLoad.now()
        let total = symbols * updates
        var told = 0
        var batch = 0
        while told < total {
            batch += 1
            let passed = Self.pace.nanoseconds * Int64(batch)
            try await clock.sleep(start.advanced(by: .nanoseconds(passed)))
            let due = min(total, Int(passed * Int64(rate) / 1_000_000_000))
            quotes.handle((told..<due).map { event($0 % symbols, Int64($0 / symbols) + 1, at: origin + passed) })
            told = due
        }
    }

    /// An update as a replay makes them: a trade with the top of the book. Its number is in the volume.
    private func event(_ symbol: Int, _ number: Int64, at time: Int64) -> FeedEvent {
        var quote = Quote()
        quote.instrument = Self.firstSymbol + UInt32(symbol)
        quote.timeNs = time
        quote.last = 367_600_000_000 + (number % 7) * 200_000_000
        quote.lastSize = 100 * 100_000_000
        quote.bid = quote.last - 200_000_000
        quote.bidSize = 40_900 * 100_000_000
        quote.ask = quote.last
        quote.askSize = 8_400 * 100_000_000
        quote.volume = number
        quote.turnover = 956_000_000_000_000 + number * 36_760_000_000
        quote.phase = .continuous
        quote.provenance = .simulated
        quote.bookProvenance = .simulated
        quote.lastTimeNs = Self.moment.nanoseconds + number
        quote.tradingDay = 20_261_130
        return FeedEvent(sequence: UInt64(number) + 1, time: Self.moment, body: .quote(quote))
    }
}
