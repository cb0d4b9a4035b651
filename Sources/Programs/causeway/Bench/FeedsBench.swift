import Exact
import Foundation
import HTTP
import Instruments
import Markets
import MarketData
import Messages
import Portfolio
import Streams
import Synchronization
import Texts
import Transport
import WireCodec

/// What a client takes for a fast market: the real quote connection over a socket in this process, at 20,000 quotes a second, to 200 rows
/// that are made anew sixty times a second.
struct FeedsBench {
    var rows = 200
    var rate = 20_000
    var frames = 60
    var length = Duration.seconds(10)
    var clock = MonotonicClock.live

    static let quick = FeedsBench(length: .seconds(1))

    func run() async throws -> BenchReport {
        let market = try BenchQuotes(rows: rows)
        let connection = QuoteConnection(
            dialer: market.dialer, clock: clock,
            configuration: .init(url: "ws://127.0.0.1/quotes", deviceID: "bench", instruments: market.table), seed: 1,
            credential: { _ in (value: "bench", left: .seconds(3_600), lifetime: .seconds(7_200)) })
        try await connection.ready()
        let updates = await connection.subscribe(market.instruments.map { .snapshot($0.id) })
        let screen = Task { await show(updates, market) }
        // Everything that happens once has happened before the first figure is read.
        try await feed(market, for: .milliseconds(500))
        let before = try ProcessFigures(getpid())
        let begin = clock.now()
        let sent = try await feed(market, for: length)
        let after = try ProcessFigures(getpid())
        let seconds = Double(begin.duration(to: clock.now()).nanoseconds) / 1e9
        await connection.disconnect()
        screen.cancel()
        market.close()
        let shown = await screen.value
        let cpu = 100 * (after.cpuSeconds - before.cpuSeconds) / seconds
        return BenchReport(
            .feeds,
            figures: [
                .init("quotes", Double(sent), "count"), .init("per_second", Double(sent) / seconds, "per second"),
                .init("rows_made", Double(shown), "count"), .init("conflated", Double(updates.conflated), "count"),
                .init("cpu_per_quote", (after.cpuSeconds - before.cpuSeconds) * 1e9 / Double(max(sent, 1)), "ns"),
                .init("memory", after.residentMegabytes, "MB"), .init("load_average", LoadAverage.now(), "count"),
            ], values: ["cpu_20k": cpu])
    }

    /// A message every five milliseconds, at its time; what is late is caught up, so that the rate holds.
    @discardableResult
    private func feed(_ market: BenchQuotes, for length: Duration) async throws -> Int {
        let pause = Duration.milliseconds(5)
        let batch = rate / 200
        let begin = clock.now()
        let end = begin.advanced(by: length)
        var due = begin
        var sent = 0
        while due < end {
            try await clock.sleep(due)
            market.push(batch)
            sent += batch
            due = due.advanced(by: pause)
        }
        return sent
    }

    /// Each frame takes what waits and makes the rows that changed; returns how many it made.
    private func show(_ updates: MarketDataSubscription, _ market: BenchQuotes) async -> Int {
        var iterator = updates.makeAsyncIterator()
        let frame = Duration.nanoseconds(1_000_000_000 / Int64(frames))
        var made = 0
        var text = 0
        while !Task.isCancelled {
            var newest: [UInt32: Quote] = [:]
            for _ in 0..<rows {
                guard let update = await iterator.next() else { return made }
                if case .quote(let quote) = update { newest[quote.instrument] = quote }
            }
            for (id, quote) in newest {
                guard let instrument = market.table[InstrumentID(id)] else { continue }
                let now = MarketInstant(nanoseconds: quote.timeNs)
                let standing = BookStanding(instrument, quote, calendar: nil, now: now, link: .connected)
                text &+= QuoteRow(instrument, quote, standing, now: now, in: .english).last.utf8.count
                made += 1
            }
            do { try await clock.sleep(clock.now().advanced(by: frame)) } catch { break }
        }
        return text < 0 ? 0 : made
    }
}

/// The other end of the connection: answers the login, then pushes quotes that were encoded beforehand.
final class BenchQuotes: Sendable {
    let instruments: [Instrument]
    let table: InstrumentTable
    /// Messages of one quote each round, by turns; a message holds `size` quotes.
    private let messages: [[UInt8]]
    private static let size = 100
    private let state = Mutex(State())

    private struct State: Sendable {
        var receive: (@Sendable (WebSocketEvent) -> Void)?
        var next = 0
    }

    init(rows: Int) throws {
        let name = Instrument.Names(english: "Bench", simplified: "测试", traditional: "測試")
        instruments = (1...rows).map { number in
            Instrument(
                id: InstrumentID(UInt32(number)), market: .xnas, code: "B\(number)", symbol: "B\(number).US", kind: .stock, currency: .usd,
                names: name, lot: .one, multiplier: 1, decimals: 2, tickTable: "US")
        }
        table = InstrumentTable(version: 1, instruments: instruments)
        var messages: [[UInt8]] = []
        for round in 0..<50 {
            for start in stride(from: 0, to: rows, by: Self.size) {
                var batch = QuoteBatch()
                batch.quotes = instruments[start..<min(rows, start + Self.size)].map { Self.quote($0.id.rawValue, round) }
                messages.append(try Self.envelope(.quotePush, batch))
            }
        }
        self.messages = messages
    }

    private static func envelope(_ type: QuoteMessageType, _ message: some Message) throws(WireError) -> [UInt8] {
        var envelope = QuoteEnvelope()
        envelope.type = type
        envelope.version = 1
        envelope.payload = try message.serializedBytes()
        return try envelope.serializedBytes()
    }

    /// All the fields a depth feed changes.
    private static func quote(_ id: UInt32, _ round: Int) -> Quote {
        var quote = Quote()
        quote.instrument = id
        quote.timeNs = 1_796_000_000_000_000_000 + Int64(round) * 10_000_000
        quote.last = 150_000_000_000 + Int64(round) * 10_000_000
        quote.lastSize = 10_000_000_000
        quote.lastTimeNs = quote.timeNs
        quote.bid = quote.last - 10_000_000
        quote.bidSize = 20_000_000_000
        quote.ask = quote.last + 10_000_000
        quote.askSize = 30_000_000_000
        quote.high = 151_000_000_000
        quote.low = 149_000_000_000
        quote.previousClose = 149_500_000_000
        quote.volume = 1_000_000_000_000 + Int64(round) * 10_000_000_000
        quote.turnover = 1_500_000_000_000
        quote.phase = .continuous
        quote.provenance = .simulated
        quote.level = .depth
        quote.tradingDay = 20_261_130
        return quote
    }

    var dialer: WebSocketDialer {
        WebSocketDialer { [self] _, receive in
            state.withLock { $0.receive = receive }
            receive(.opened)
            return WebSocket(
                send: { [self] message in
                    answer(message)
                    return true
                }, ping: { _ in true }, close: { _ in }, queuedBytes: { 0 })
        }
    }

    private func answer(_ message: WebSocketMessage) {
        guard case .binary(let bytes) = message, let asked = try? QuoteEnvelope(serializedBytes: bytes) else { return }
        switch asked.type {
        case .login:
            var reply = QuoteLoginReply()
            reply.code = .ok
            reply.protocol = 1
            reply.symbolsVersion = table.version
            reply.marketDate = 20_261_130
            reply.clock.speedMicros = 1_000_000
            reply.clock.epoch = 1
            tell(.loginReply, reply)
        case .subscribe:
            var whole = QuoteBatch()
            whole.quotes = instruments.map { Self.quote($0.id.rawValue, 0) }
            tell(.snapshotPush, whole)
        case .heartbeat: tell(.heartbeatReply, QuoteHeartbeat())
        default: break
        }
    }

    private func tell(_ type: QuoteMessageType, _ message: some Message) {
        guard let bytes = try? Self.envelope(type, message) else { return }
        state.withLock { $0.receive }?(.message(.binary(bytes)))
    }

    /// That many quotes, in whole messages.
    func push(_ count: Int) {
        for _ in 0..<max(1, count / Self.size) {
            let (receive, place) = state.withLock { state in
                defer { state.next = (state.next + 1) % messages.count }
                return (state.receive, state.next)
            }
            receive?(.message(.binary(messages[place])))
        }
    }

    func close() { state.withLock { $0.receive }?(.closed(WebSocketClosure(code: 1000))) }
}
