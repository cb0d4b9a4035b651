import Exact
import HTTP
import Instruments
import MarketData
import Markets
import Messages
import Portfolio
import Streams
import Terminal
import Texts

/// `quote`, `watch`, `book`, `bars`.
enum QuoteCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [quote(open), watch(open), book(open), bars(open)] }

    private static func quote(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["quote"], summary: .helpCommandQuote, arguments: "SYMBOL…", count: 1...100) { invocation in
            let context = try await open(invocation)
            let instruments = try await resolve(invocation.positional, context)
            let quotes = Dictionary(try await context.snapshot(instruments.map(\.id)).map { ($0.instrument, $0) }) { _, last in last }
            let now = try await context.marketTime()
            let feed = try await context.feed()
            let unfed = try await context.unfed(instruments.map(\.id))
            let calendar = await context.facts()?.calendar
            var table = Table(
                in: context.language, folding: 7, (.fieldSymbol, .left), (.fieldLast, .right), (.fieldChange, .right),
                (.fieldPercent, .right),
                (.fieldPreviousClose, .right), (.fieldVolume, .right), (.fieldPhase, .left), (.fieldName, .left), (.fieldSource, .left))
            var states: [InstrumentID: BookStanding] = [:]
            for instrument in instruments {
                let quote = quotes[instrument.id.rawValue]
                let standing = BookStanding(instrument, quote, calendar: calendar, now: now, link: .quotes(feed))
                states[instrument.id] = standing
                var row = QuoteRow(instrument, quote, standing, now: now, in: context.language)
                if quote == nil, unfed.contains(instrument.id) { row.source = .provenanceNotFed }
                table.rows.append(cells(row, context))
            }
            invocation.output.show(
                .object([
                    .init("quotes", .array(instruments.map { QuoteJSON.value(quotes[$0.id.rawValue], of: $0, states[$0.id]) })),
                    .init("feed", QuoteJSON.feed(feed)),
                ]),
                text: table.lines(within: Output.width) + (feed.trouble.map { [$0.words(in: context.language)] } ?? []))
        }
    }

    private static func watch(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["watch"], summary: .helpCommandWatch, arguments: "SYMBOL…", count: 1...100,
            options: [.value("count", "N", .helpOptionCountLines)]
        ) { invocation in
            let limit = try invocation.integer("count", in: 1...1_000_000_000, default: .max)
            let context = try await open(invocation)
            let instruments = try await resolve(invocation.positional, context)
            let calendar = await context.facts()?.calendar
            let byID = Dictionary(instruments.map { ($0.id.rawValue, $0) }) { first, _ in first }
            var printed = 0
            var days = Output.showsBlocks && !invocation.wantsJSON ? await sparklines(instruments, context) : nil
            var feed = FeedInfo()
            let onTerminal = Output.terminalColumns != nil && !invocation.wantsJSON
            var table = onTerminal ? WatchTable(instruments, context.language) : nil
            for await update in try await context.watch(instruments.map { .snapshot($0.id) }) {
                if case .status(let status) = update {
                    // A link that was ended because nobody is signed in any more is not the server's fault.
                    if status == .ended, let failure = await context.signedOut() { throw failure }
                    try report(status, invocation, context.language)
                    continue
                }
                if case .feed(let info) = update {
                    feed = info
                    report(info, invocation, context.language)
                    continue
                }
                guard case .quote(let quote) = update, let instrument = byID[quote.instrument] else { continue }
                let now = MarketInstant(nanoseconds: quote.timeNs)
                let standing = BookStanding(instrument, quote, calendar: calendar, now: now, link: .quotes(feed))
                let row = QuoteRow(instrument, quote, standing, now: now, in: context.language)
                let time = Display.clock(of: instrument).named(quote.timeNs)
                if printed == 0, let header = table?.header(within: Output.terminalColumns) { invocation.output.line(header) }
                let all = [time] + cells(row, context)
                var line = table?.line(all, within: Output.terminalColumns) ?? all.joined(separator: "  ")
                if quote.hasLast { days?[quote.instrument, default: Sparkline(day: quote.tradingDay)].add(quote) }
                if let day = days?[quote.instrument] { line = day.behind(line, columns: Output.terminalColumns) }
                invocation.output.show(QuoteJSON.value(quote, of: instrument, standing), text: [line])
                printed += 1
                if printed >= limit { return }
            }
            // The stream ended without being asked to: the link is gone.
            throw await context.signedOut() ?? Failure(.connectionLost)
        }
    }

    /// The day so far of each, as far as the server tells; what it does not tell grows from what comes.
    private static func sparklines(_ instruments: [Instrument], _ context: ClientContext) async -> [UInt32: Sparkline] {
        var days: [UInt32: Sparkline] = [:]
        for instrument in instruments {
            do {
                // No day has more minutes.
                let bars = try await context.bars(instrument.id, .minute1, 1_440, .none).bars
                guard let newest = bars.last else { continue }
                var day = Sparkline(day: newest.tradingDay)
                for bar in bars where bar.tradingDay == newest.tradingDay { day.add(bar.close, at: bar.startNs, day: bar.tradingDay) }
                days[instrument.id.rawValue] = day
            } catch { return days }
        }
        return days
    }

    /// One line for each change of the link: people read it beside the prices, programs find it among them (B-8). What follows `connected` is
    /// fresh; a link that is not tried again ends the command.
    private static func report(_ status: ConnectionStatus, _ invocation: Invocation, _ language: Language) throws {
        let (event, text): (String, Text)
        switch status {
        case .connected: (event, text) = ("connected", .watchConnected)
        case .connecting, .reconnecting: (event, text) = ("reconnecting", .watchReconnecting)
        case .offline: (event, text) = ("offline", .connectionOffline)
        case .ended: throw Failure(.connectionLost)
        case .updateNeeded: throw Failure(ErrorCode("update.needed"))
        }
        guard invocation.wantsJSON else { return Output.error("causeway: " + text.words(in: language)) }
        invocation.output.line(JSONValue.object([.init("event", .string(event))]).serialized())
    }

    /// The same of the feed behind the server: a price that stands may be the last one.
    private static func report(_ feed: FeedInfo, _ invocation: Invocation, _ language: Language) {
        guard invocation.wantsJSON else { return Output.error("causeway: " + (feed.trouble ?? .feedConditionRunning).words(in: language)) }
        invocation.output.line(JSONValue.object([.init("event", .string("feed")), .init("feed", QuoteJSON.feed(feed))]).serialized())
    }

    private static func book(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["book"], summary: .helpCommandBook, arguments: "SYMBOL", count: 1...1,
            options: [.value("depth", "N", .helpOptionDepth)]
        ) { invocation in
            let depth = try invocation.integer("depth", in: 1...10, default: 10)
            let context = try await open(invocation)
            let instrument = try await context.instrument(invocation.positional[0])
            let book = try await context.book(instrument.id, depth)
            let quote = try await context.snapshot([instrument.id]).first
            let feed = try await context.feed()
            let standing = BookStanding(
                instrument, quote, calendar: await context.facts()?.calendar, now: try await context.marketTime(), link: .quotes(feed))
            let screen = BookScreen(
                instrument: instrument, book: book, quote: quote, standing: standing, depth: depth, language: context.language)
            let trouble = feed.trouble.map { [$0.words(in: context.language)] } ?? []
            invocation.output.show(screen.json, text: screen.lines + trouble)
        }
    }

    private static func bars(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["bars"], summary: .helpCommandBars, arguments: "SYMBOL", count: 1...1,
            options: [
                .value("period", "P", .helpOptionPeriod),
                .value("count", "N", .helpOptionCountBars), .value("adjust", "none|forward|backward", .helpOptionAdjust),
                .flag("csv", .helpOptionCsv),
            ]
        ) { invocation in
            let count = try invocation.integer("count", in: 1...5000, default: 20)
            let period = try period(invocation["period"]).period
            let wanted = try BarAdjustment(invocation)
            if invocation.has("csv"), invocation.wantsJSON { throw Usage.conflict("csv", "json") }
            let context = try await open(invocation)
            let instrument = try await context.instrument(invocation.positional[0])
            let batch = try await context.bars(instrument.id, period, count, wanted)
            var table = BarTable(
                bars: batch.bars, instrument: instrument, calendar: await context.facts()?.calendar, language: context.language)
            table.adjustment = batch.adjusted
            if batch.bars.isEmpty { table.opens = await context.opening(instrument) }
            if wanted != .none { table.note = batch.adjustmentWords(in: context.language) }
            if invocation.has("csv") { return table.csv.forEach(invocation.output.line) }
            invocation.output.show(
                .object([
                    .init("symbol", .string(instrument.symbol)), .init("adjustment", QuoteJSON.adjustment(batch)),
                    .init("bars", .array(batch.bars.map { QuoteJSON.bar($0, of: instrument, batch.adjusted($0)) })),
                ]),
                text: table.lines(within: Output.width))
        }
    }

    /// Nil: a day.
    static func period(_ name: String?) throws(Failure) -> Period {
        let name = name ?? "day"
        guard let found = periods.first(where: { $0.name == name }) else { throw Usage.choice("--period", periods.map(\.name)) }
        return found
    }

    struct Period {
        var name: String
        var period: BarPeriod
        /// As people read it.
        var text: Text
    }

    static let periods: [Period] = [
        .init(name: "1m", period: .minute1, text: .period1m), .init(name: "3m", period: .minute3, text: .period3m),
        .init(name: "5m", period: .minute5, text: .period5m), .init(name: "15m", period: .minute15, text: .period15m),
        .init(name: "30m", period: .minute30, text: .period30m), .init(name: "60m", period: .minute60, text: .period60m),
        .init(name: "day", period: .day, text: .periodDay), .init(name: "week", period: .week, text: .periodWeek),
        .init(name: "month", period: .month, text: .periodMonth), .init(name: "quarter", period: .quarter, text: .periodQuarter),
        .init(name: "year", period: .year, text: .periodYear),
    ]

    private static func resolve(_ words: [String], _ context: ClientContext) async throws -> [Instrument] {
        var found: [Instrument] = []
        for word in words { found.append(try await context.instrument(word)) }
        return found
    }

    private static func cells(_ row: QuoteRow, _ context: ClientContext) -> [String] {
        var source = row.source.words(in: context.language)
        if let age = row.age {
            source += ", " + Text.feedAge(age: age).words(in: context.language)
        }
        return [
            row.symbol, row.last, row.change, row.percent, row.previous, row.volume, row.phase.words(in: context.language), row.name,
            source,
        ]
    }

    static func titles(_ table: Table, _ texts: [Text], _ context: ClientContext) -> [(title: String, alignment: Table.Alignment)] {
        zip(table.columns, texts).map { (title: $1.words(in: context.language), alignment: $0.alignment) }
    }
}

/// Quotes, books and bars as JSON: decimals are strings, what is missing is null, times carry an offset (C-6).
enum QuoteJSON {
    /// `state` as of a book; null where nothing is known of the instrument.
    static func value(
        _ quote: Quote?, of instrument: Instrument, _ standing: BookStanding?, also more: [JSONValue.Member] = []
    ) -> JSONValue {
        let quote = standing.flatMap { quote?.shown(in: $0) } ?? quote
        func price(_ nanos: Int64?) -> JSONValue { nanos.map { .string(Price(nanos: $0).description) } ?? .null }
        var members: [JSONValue.Member] = [.init("symbol", .string(instrument.symbol))]
        members.append(.init("last", price(quote.flatMap { $0.hasLast ? $0.last : nil })))
        members.append(.init("bid", price(quote.flatMap { $0.hasBid ? $0.bid : nil })))
        members.append(.init("ask", price(quote.flatMap { $0.hasAsk ? $0.ask : nil })))
        members.append(.init("previousClose", price(quote.flatMap { $0.hasPreviousClose ? $0.previousClose : nil })))
        let volume = quote.flatMap { $0.hasVolume ? Quantity(units: $0.volume).description : nil }
        members.append(.init("volume", volume.map(JSONValue.string) ?? .null))
        members.append(.init("time", quote.map { .string(Display.clock(of: instrument).rfc3339($0.timeNs)) } ?? .null))
        members.append(.init("source", source(quote?.provenance ?? .unspecified, quote?.recordedOn ?? 0)))
        members.append(.init("state", quote == nil ? .null : standing.map { .string($0.word) } ?? .null))
        return .object(members + more)
    }

    /// `status`: running, paused, ended, stale, stopped; `since`: market time, null where it runs.
    static func feed(_ feed: FeedInfo) -> JSONValue {
        let word =
            switch feed.status {
            case .running: "running"
            case .paused: "paused"
            case .ended: "ended"
            case .stale: "stale"
            case .stopped: "stopped"
            case .unspecified, .UNRECOGNIZED: "unknown"
            }
        let isTroubled = feed.trouble != nil
        return .object([
            .init("status", .string(word)), .init("since", isTroubled ? .string(TimeFormat.hongKong.rfc3339(feed.sinceNs)) : .null),
        ])
    }

    static func book(_ book: Book, of instrument: Instrument) -> JSONValue {
        func levels(_ levels: [BookLevel]) -> JSONValue {
            .array(
                levels.map {
                    .object([
                        .init("price", .string(Price(nanos: $0.price).description)),
                        .init("size", .string(Quantity(units: $0.size).description)), .init("orders", .int($0.orders)),
                    ])
                })
        }
        return .object([
            .init("symbol", .string(instrument.symbol)), .init("time", .string(Display.clock(of: instrument).rfc3339(book.timeNs))),
            .init("bids", levels(book.bids)), .init("asks", levels(book.asks)), .init("source", source(book.provenance, book.recordedOn)),
        ])
    }

    /// What was asked to be taken out of the prices, and was: `kind` none means that they are as printed.
    static func adjustment(_ batch: BarBatch) -> JSONValue {
        let days = [batch.knownFrom, batch.knownTo].map { TradingDay(yyyymmdd: $0).map { JSONValue.string($0.description) } ?? .null }
        return .object([
            .init("kind", .string(batch.adjustment.word)), .init("actions", .int(Int(batch.actions))), .init("from", days[0]),
            .init("to", days[1]),
        ])
    }

    static func bar(_ bar: Bar, of instrument: Instrument, _ adjustment: BarAdjustment) -> JSONValue {
        let prices = [("open", bar.open), ("high", bar.high), ("low", bar.low), ("close", bar.close)]
        return .object(
            [.init("time", .string(Display.clock(of: instrument).rfc3339(bar.startNs)))]
                + prices.map { .init($0.0, .string(Price(nanos: $0.1).description)) }
                + [
                    .init("volume", .string(Quantity(units: bar.volume).description)),
                    .init("adjustment", .string(adjustment.word)), .init("partial", .bool(bar.partial)),
                    .init("source", source(bar.provenance, bar.recordedOn)),
                ])
    }

    static func tick(_ tick: Tick, of instrument: Instrument) -> JSONValue {
        let aggressor: JSONValue =
            switch tick.aggressor {
            case .buyer: .string("buyer")
            case .seller: .string("seller")
            case .unspecified, .UNRECOGNIZED: .null
            }
        return .object([
            .init("time", .string(Display.clock(of: instrument).rfc3339(tick.timeNs))),
            .init("price", .string(Price(nanos: tick.price).description)),
            .init("size", .string(Quantity(units: tick.size).description)), .init("aggressor", aggressor),
            .init("sequence", .string(String(tick.sequence))), .init("source", source(tick.provenance, tick.recordedOn)),
        ])
    }

    private static func source(_ provenance: Provenance, _ recordedOn: Int32) -> JSONValue {
        let day = TradingDay(yyyymmdd: recordedOn).map { JSONValue.string($0.description) } ?? .null
        return .object([.init("kind", .string(provenance.word)), .init("recordedOn", day)])
    }
}

extension Provenance {
    /// As `--json` and `--csv` say it.
    var word: String {
        switch self {
        case .live: "live"
        case .delayed: "delayed"
        case .recorded: "recorded"
        case .derived: "derived"
        case .simulated: "simulated"
        default: "unknown"
        }
    }
}

extension Sparkline {
    fileprivate mutating func add(_ quote: Quote) { add(quote.last, at: quote.timeNs, day: quote.tradingDay) }
}
