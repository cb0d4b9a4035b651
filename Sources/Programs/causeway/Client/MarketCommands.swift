import Exact
import HTTP
import Instruments
import Markets
import Messages
import Portfolio
import Streams
import Texts

/// `rank`, `ticks`, `brokers`, `fx`.
enum MarketCommands {
    static func all(_ open: @escaping ClientOpener) -> [Command] { [rank(open), ticks(open), brokers(open), rates(open)] }

    // MARK: rank

    private static let rankings: [(name: String, kind: RankingKind)] = [
        ("gainers", .gainers), ("losers", .losers), ("turnover", .turnover), ("volume", .volume), ("amplitude", .amplitude),
    ]

    private static func rank(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["rank"], summary: .helpCommandRank, arguments: "RANKING [MARKET]", count: 1...2,
            options: [.value("kind", "KIND", .helpOptionRankKind), .value("count", "N", .helpOptionRankCount)]
        ) { invocation in
            let name = invocation.positional[0]
            guard let ranking = rankings.first(where: { $0.name == name })?.kind else {
                throw Usage.choice("RANKING", rankings.map(\.name))
            }
            let markets = try invocation.positional.dropFirst().first.map(markets) ?? []
            let kinds = try invocation["kind"].map { text in
                guard let kind = Instrument.Kind(rawValue: text) else {
                    throw Usage.choice("--kind", Instrument.Kind.allCases.map(\.rawValue))
                }
                return [kind]
            }
            let count = try invocation.integer("count", in: 1...100, default: 20)
            let context = try await open(invocation)
            let quotes = try await context.ranking(ranking, markets, kinds ?? [], count)
            let (table, now, calendar) = (try await context.table(), try await context.marketTime(), await context.facts()?.calendar)
            let rows = quotes.compactMap { quote in table[InstrumentID(quote.instrument)].map { ($0, quote) } }
            var shown = Table(
                in: context.language, folding: 7, (.fieldRank, .right), (.fieldSymbol, .left), (.fieldLast, .right),
                (.fieldPercent, .right),
                (.fieldVolume, .right), (.fieldTurnover, .right), (.fieldAmplitude, .right), (.fieldName, .left), (.fieldSource, .left))
            var objects: [JSONValue] = []
            for (place, (instrument, quote)) in rows.enumerated() {
                let standing = BookStanding(instrument, quote, calendar: calendar, now: now, link: .connected)
                let row = QuoteRow(instrument, quote, standing, now: now, in: context.language)
                shown.rows.append([
                    String(place + 1), row.symbol, row.last, row.percent, row.volume, turnover(quote, instrument, context.language),
                    amplitude(quote) ?? Display.missing, row.name, row.source.words(in: context.language),
                ])
                objects.append(QuoteJSON.value(quote, of: instrument, standing, also: day(quote, instrument)))
            }
            let list = JSONValue.object([.init("ranking", .string(name)), .init("quotes", .array(objects))])
            invocation.output.show(
                list, text: rows.isEmpty ? [Text.rankNone.words(in: context.language)] : shown.lines(within: Output.width))
        }
    }

    /// `HK`, `US`, `HKFE`, …: what follows the dot of a symbol; or one market's own code, `XNYS`.
    private static func markets(_ word: String) throws -> [Market] {
        let found = Market.allCases.filter { $0.suffix == word.uppercased() || $0.rawValue == word.uppercased() }
        guard found.isEmpty else { return found }
        var names: [String] = []
        for market in Market.allCases where !names.contains(market.suffix) { names.append(market.suffix) }
        throw Usage.choice("MARKET", names)
    }

    private static func turnover(_ quote: Quote, _ instrument: Instrument, _ language: Language) -> String {
        guard quote.hasTurnover else { return Display.missing }
        return NumberFormat.short(quote.turnover, scale: Money.places, in: language) + " " + instrument.currency.description
    }

    /// Day's high less low, of the previous close.
    private static func amplitude(_ quote: Quote) -> String? {
        guard quote.hasHigh, quote.hasLow, quote.hasPreviousClose, quote.previousClose > 0 else { return nil }
        let (range, overflow) = quote.high.subtractingReportingOverflow(quote.low)
        guard !overflow, let text = NumberFormat.percent(range, of: quote.previousClose) else { return nil }
        return text.hasPrefix("+") ? String(text.dropFirst()) : text
    }

    private static func day(_ quote: Quote, _ instrument: Instrument) -> [JSONValue.Member] {
        func price(_ nanos: Int64?) -> JSONValue { nanos.map { .string(Price(nanos: $0).description) } ?? .null }
        let turnover = quote.hasTurnover ? Money(micros: quote.turnover, currency: instrument.currency).text : nil
        return [
            .init("high", price(quote.hasHigh ? quote.high : nil)), .init("low", price(quote.hasLow ? quote.low : nil)),
            .init("turnover", turnover.map(JSONValue.string) ?? .null), .init("currency", .string(instrument.currency.description)),
        ]
    }

    // MARK: ticks

    private static func ticks(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["ticks"], summary: .helpCommandTicks, arguments: "SYMBOL", count: 1...1,
            options: [.value("count", "N", .helpOptionTicksCount)]
        ) { invocation in
            let count = try invocation.integer("count", in: 1...1_000, default: 20)
            let context = try await open(invocation)
            let instrument = try await context.instrument(invocation.positional[0])
            let ticks = try await context.ticks(instrument.id, count)
            let clock = Display.clock(of: instrument)
            var table = Table(
                in: context.language, (.fieldTime, .left), (.fieldPrice, .right), (.fieldSize, .right), (.fieldAggressor, .left),
                (.fieldSource, .left))
            table.rows = ticks.map { tick in
                [
                    clock.named(tick.timeNs), Display.price(Price(nanos: tick.price), of: instrument),
                    Display.quantity(Quantity(units: tick.size)), side(tick.aggressor).words(in: context.language),
                    tick.provenance.text(recordedOn: tick.recordedOn).words(in: context.language),
                ]
            }
            invocation.output.show(
                .object([
                    .init("symbol", .string(instrument.symbol)), .init("ticks", .array(ticks.map { QuoteJSON.tick($0, of: instrument) })),
                ]),
                text: ticks.isEmpty ? [Text.ticksNone.words(in: context.language)] : table.lines(within: Output.width))
        }
    }

    private static func side(_ side: TradeSide) -> Text {
        switch side {
        case .buyer: .aggressorBuyer
        case .seller: .aggressorSeller
        case .unspecified, .UNRECOGNIZED: .aggressorUnknown
        }
    }

    // MARK: brokers

    private static func brokers(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["brokers"], summary: .helpCommandBrokers, arguments: "SYMBOL", count: 1...1) { invocation in
            let context = try await open(invocation)
            let instrument = try await context.instrument(invocation.positional[0])
            let queue = try await context.brokers(instrument.id)
            let clock = Display.clock(of: instrument)
            func json(_ levels: [BrokerLevel]) -> JSONValue {
                .array(
                    levels.map {
                        .object([
                            .init("price", .string(Price(nanos: $0.price).description)),
                            .init("brokers", .array($0.brokers.map { .string(name($0)) })),
                        ])
                    })
            }
            var lines = [Text.brokersNone.words(in: context.language)]
            if let queue {
                var table = Table(in: context.language, (.fieldSide, .left), (.fieldPrice, .right), (.fieldBrokers, .left))
                for (side, levels) in [(Text.fieldAsk, Array(queue.asks.reversed())), (.fieldBid, queue.bids)] {
                    table.rows += levels.map {
                        [
                            side.words(in: context.language), Display.price(Price(nanos: $0.price), of: instrument),
                            $0.brokers.map(name).joined(separator: " "),
                        ]
                    }
                }
                let source = queue.provenance.text(recordedOn: 0).words(in: context.language)
                lines = ["\(instrument.symbol)  \(source)  \(clock.named(queue.timeNs))"] + table.lines(within: Output.width)
                let codes = (queue.asks + queue.bids).flatMap(\.brokers)
                if codes.contains(where: { $0 < simulatedBrokers }) { lines.append(Text.brokersSimulated.words(in: context.language)) }
                if codes.contains(where: { $0 >= simulatedBrokers }) { lines.append(Text.brokersNumbers.words(in: context.language)) }
            }
            invocation.output.show(
                .object([
                    .init("symbol", .string(instrument.symbol)),
                    .init("time", queue.map { .string(clock.rfc3339($0.timeNs)) } ?? .null),
                    .init("bids", json(queue?.bids ?? [])), .init("asks", json(queue?.asks ?? [])),
                    .init("source", queue.map { .string($0.provenance.word) } ?? .null),
                ]), text: lines)
        }
    }

    /// Broker codes below are simulated.
    private static let simulatedBrokers: UInt32 = 100

    /// `S07`: a simulated broker; four digits: an exchange participant.
    private static func name(_ broker: UInt32) -> String {
        let digits = String(broker)
        return broker < simulatedBrokers
            ? "S" + (broker < 10 ? "0" : "") + digits : String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: fx

    private static func rates(_ open: @escaping ClientOpener) -> Command {
        Command(words: ["fx"], summary: .helpCommandFx) { invocation in
            let context = try await open(invocation)
            let rates = try await context.rates()
            let source = rates.source.words(in: context.language)
            var table = Table(in: context.language, (.fieldCurrencyPair, .left), (.fieldRate, .right))
            table.rows = rates.table.all.map { ["\($0.base)/\($0.quote)", $0.text] }
            let fixed = rates.fixed
            invocation.output.show(
                .object([
                    .init(
                        "rates",
                        .array(
                            rates.table.all.map {
                                .object([
                                    .init("base", .string($0.base.description)), .init("quote", .string($0.quote.description)),
                                    .init("rate", .string($0.text)),
                                ])
                            })),
                    .init("fixedFrom", fixed.map { .string($0.lowerBound.description) } ?? .null),
                    .init("fixedTo", fixed.map { .string($0.upperBound.description) } ?? .null),
                ]),
                text: table.rows.isEmpty ? [Text.fxNone.words(in: context.language)] : table.lines + [source])
        }
    }
}
