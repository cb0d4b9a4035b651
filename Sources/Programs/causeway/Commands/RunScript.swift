import Exact
import Feeds
import Foundation
import HTTP
import Instruments
import Markets
import MarketData
import Messages
import Portfolio
import Server
import Streams
import Texts
import Trade
import TradeSession

/// What `causeway run` does where there is no terminal: ten seconds of live quotes in two sessions of the market date, a paper trade, its
/// fill, and the profit with its formula.
enum RunScript {
    static let morning = "2026-11-30T10:00:00+08:00"
    private static let newYork = "2026-11-30T10:00:00-05:00"
    /// Twenty times real time, so that ten seconds show movement; `--speed` wins.
    private static let pace = ReplaySpeed.times(micros: 20_000_000)
    private static let symbols = ["700.HK", "AAPL.US", "HSI2612.HKFE"]

    static func play(_ client: LiveClient, _ server: CausewayServer, _ invocation: Invocation) async throws {
        let context = client.context(invocation)
        let output = invocation.output
        func say(_ text: Text) { if !output.json { output.line(text.words(in: invocation.language)) } }
        if invocation["speed"] == nil { server.hub.setSpeed(pace) }
        say(.runIntroduction)
        try await quotes(context, client, invocation, seconds: 5)
        say(.runTrade)
        try await command(["order", "place", "buy", "700.HK", "100", "--market"], context, invocation)
        try await settle(client, context)
        for words in [["fills"], ["positions"], ["funds"], ["pnl", "--explain"]] { try await command(words, context, invocation) }
        if let time = Timestamp.read(newYork), server.hub.seek(to: time) {
            // The server tells the jump on its own; what is shown must be after it.
            while try await context.marketTime() < time {
                try await MonotonicClock.live.sleep(MonotonicClock.live.now().advanced(by: .milliseconds(20)))
            }
            say(.runNewYork)
            try await quotes(context, client, invocation, seconds: 5)
        }
        say(.runEnd)
    }

    /// One line a second and instrument, from a live subscription.
    private static func quotes(
        _ context: ClientContext, _ client: LiveClient, _ invocation: Invocation, seconds: Int
    ) async throws {
        var instruments: [Instrument] = []
        for symbol in symbols { instruments.append(try await context.instrument(symbol)) }
        let newest = NewestQuotes()
        let calendar = await context.facts()?.calendar
        let subscription = try await client.quotes().subscribe(instruments.map { .snapshot($0.id) })
        let reader = Task { for await update in subscription { if case .quote(let quote) = update { await newest.take(quote) } } }
        defer { reader.cancel() }
        var table = Table(
            ("Time", .left), ("Symbol", .left), ("Last", .right), ("Change", .right), ("%", .right), ("Volume", .right), ("Phase", .left),
            ("Source", .left))
        table.columns = QuoteCommands.titles(
            table, [.fieldTime, .fieldSymbol, .fieldLast, .fieldChange, .fieldPercent, .fieldVolume, .fieldPhase, .fieldSource], context)
        let clock = MonotonicClock.live
        let start = clock.now()
        for second in 1...seconds {
            try await clock.sleep(start.advanced(by: .seconds(second)))
            let now = try await context.marketTime()
            table.rows = []
            for instrument in instruments {
                let quote = await newest[instrument.id]
                let standing = BookStanding(instrument, quote, calendar: calendar, now: now, link: .connected)
                let row = QuoteRow(instrument, quote, standing, now: now, in: context.language)
                table.rows.append([
                    Display.clock(of: instrument).named(now.nanoseconds), row.symbol, row.last, row.change, row.percent, row.volume,
                    row.phase.words(in: context.language), row.source.words(in: context.language),
                ])
                if invocation.output.json {
                    invocation.output.line(QuoteJSON.value(quote, of: instrument, standing).serialized())
                }
            }
            if !invocation.output.json { (second == 1 ? table.lines : Array(table.lines.dropFirst())).forEach(invocation.output.line) }
        }
    }

    /// Until no order of ours works any more, 10 s at most: what rests is shown as it is.
    private static func settle(_ client: LiveClient, _ context: ClientContext) async throws {
        let clock = MonotonicClock.live
        let end = clock.now().advanced(by: .seconds(10))
        for account in try await context.tradingAccounts() {
            while try await context.orders(account).contains(where: { $0.status == .working || $0.status == .partiallyFilled }),
                clock.now() < end
            {
                try await clock.sleep(clock.now().advanced(by: .milliseconds(100)))
            }
        }
    }

    /// Runs one of the client's own commands, as the user would type it.
    private static func command(_ words: [String], _ context: ClientContext, _ invocation: Invocation) async throws {
        if !invocation.output.json { invocation.output.line("\n$ causeway " + words.joined(separator: " ")) }
        let arguments = words + (invocation.output.json ? ["--json"] : [])
        guard case .invoke(let inner) = try Parser(commands: ClientCommands.all { _ in context }).parse(arguments) else { return }
        try await inner.command.run(inner)
    }
}

/// The newest quote of each instrument, for whoever looks once a second.
actor NewestQuotes {
    private var quotes: [InstrumentID: Quote] = [:]
    func take(_ quote: Quote) { quotes[InstrumentID(quote.instrument)] = quote }
    subscript(id: InstrumentID) -> Quote? { quotes[id] }
}
