import Charting
import Exact
import Foundation
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// One trading day of an instrument by the minute: the axis from the calendar, the prices from bars of a minute (G-6).
struct IntradayChart {
    let instrument: Instrument
    let day: TradingDay
    /// In which trades happen, extended ones too, in order.
    let sessions: [Session]

    init(_ instrument: Instrument, _ day: TradingDay, _ calendar: MarketCalendar) throws(CalendarFault) {
        self.instrument = instrument
        self.day = day
        sessions = try calendar.sessions(of: instrument, on: day).filter { $0.isTrading || Self.isExtended($0) }
    }

    private static func isExtended(_ session: Session) -> Bool {
        session.phase == .preMarket || session.phase == .postMarket || session.phase == .night
    }

    private static func minutes(_ session: Session) -> Int { Int((session.end.nanoseconds - session.start.nanoseconds) / 60_000_000_000) }

    /// Which minute of the axis a moment belongs to: between sessions the one before, as what an auction trades; before all of them the first.
    func place(_ nanoseconds: Int64) -> Int {
        var first = 0
        var place = 0
        for session in sessions where session.start.nanoseconds <= nanoseconds {
            place = first + min(Int((nanoseconds - session.start.nanoseconds) / 60_000_000_000), Self.minutes(session) - 1)
            first += Self.minutes(session)
        }
        return place
    }

    /// How many minutes are over or under way at a moment.
    private func passed(_ now: MarketInstant) -> Int {
        sessions.contains { $0.start <= now } ? place(now.nanoseconds) + 1 : 0
    }

    struct Trade {
        var start: Int64
        var high: Double
        var low: Double
        var close: Double
        var volume: Double
        var turnover: Double?
    }

    /// - Parameters:
    ///   - bars: Of this day, in order.
    ///   - now: Nil: nothing is known after the last bar.
    func content(_ bars: [Trade], now: MarketInstant?, decimals: Int, _ language: Language) -> IntradayContent {
        var minutes: [IntradayContent.Minute] = []
        for bar in bars {
            let place = place(bar.start)
            guard let last = minutes.last, last.place == place else {
                minutes.append(
                    .init(place: place, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume, turnover: bar.turnover))
                continue
            }
            minutes[minutes.count - 1] = .init(
                place: place, high: max(last.high, bar.high), low: min(last.low, bar.low), close: bar.close,
                volume: last.volume + bar.volume, turnover: last.turnover.flatMap { first in bar.turnover.map { first + $0 } })
        }
        let clock = Display.clock(of: instrument)
        var content = IntradayContent(
            stretches: sessions.map { session in
                .init(
                    start: clock.minuteOfDay(session.start.nanoseconds), length: Self.minutes(session),
                    isExtended: Self.isExtended(session), label: session.phase.text.words(in: language))
            },
            minutes: minutes, passed: now.map(passed) ?? 0, decimals: decimals, language: language)
        content.day = day.yyyymmdd
        content.title = instrument.symbol + "  " + Display.name(instrument, in: language)
        content.priceTitle = Text.fieldPrice.words(in: language)
        content.averageTitle = Text.fieldAverage.words(in: language)
        content.volumeTitle = Text.fieldVolume.words(in: language)
        return content
    }

    // MARK: Where from

    /// The newest day a server has bars of.
    static func served(_ symbol: String, _ context: ClientContext) async throws -> (content: IntradayContent, chart: IntradayChart) {
        let instrument = try await context.instrument(symbol)
        // A whole day of the longest sessions, and some of the day before.
        let bars = try await context.bars(instrument.id, .minute1, 2_000, .none).bars
        let quote = try await context.snapshot([instrument.id]).first
        // Before the first trade of a day its auction has a chart already.
        let auction = quote.flatMap { Self.isIndicated($0) && $0.tradingDay > bars.last?.tradingDay ?? 0 ? $0.tradingDay : nil }
        guard let newest = auction ?? bars.last?.tradingDay, let day = TradingDay(yyyymmdd: newest) else {
            guard let opens = await context.opening(instrument) else { throw Failure(.chartNoBars, .init("symbol", instrument.symbol)) }
            throw Failure(.chartNoBarsYet, .init("symbol", instrument.symbol), .init("opens", opens))
        }
        let calendar = try await context.facts()?.calendar ?? CalendarCommands.shipped().calendar
        let chart = try made(instrument, day, calendar)
        let today = bars.filter { $0.tradingDay == day.yyyymmdd }
        let shown = today.map(\.close) + (today.isEmpty ? [quote?.indicativePrice, quote?.previousClose].compactMap { $0 } : [])
        let decimals = shown.map { instrument.decimals(showing: Price(nanos: $0)) }.max() ?? instrument.decimals
        let trades = today.map {
            Trade(
                start: $0.startNs, high: ChartCommand.price($0.high), low: ChartCommand.price($0.low), close: ChartCommand.price($0.close),
                volume: Double($0.volume) / 1e8, turnover: $0.hasTurnover ? Double($0.turnover) / 1e6 : nil)
        }
        let source =
            today.last.map { $0.provenance.text(recordedOn: $0.recordedOn) } ?? quote.map { $0.provenance.text(recordedOn: $0.recordedOn) }
        var content = chart.content(trades, now: try await context.marketTime(), decimals: decimals, context.language)
        content.subtitle = [
            Text.periodIntraday.words(in: context.language), day.description,
            source?.words(in: context.language) ?? "",
        ].joined(separator: "  ")
        if let quote, quote.tradingDay == day.yyyymmdd || quote.tradingDay == 0 {
            // Where nothing is traded today, the close before is that of the day shown, which is not told against itself.
            if quote.hasPreviousClose, quote.hasLast || today.isEmpty { content.previousClose = ChartCommand.price(quote.previousClose) }
            content.indication = indication(quote, instrument, context.language)
        }
        return (content, chart)
    }

    /// Whether an auction is under way of which the feed tells what it would trade at; after it nothing of it is left.
    static func isIndicated(_ quote: Quote) -> Bool {
        guard quote.hasIndicativePrice, quote.indicativeVolume > 0 else { return false }
        return quote.phase == .auctionInput || quote.phase == .auctionNoCancel || quote.phase == .auctionMatching
    }

    static func indication(_ quote: Quote, _ instrument: Instrument, _ language: Language) -> IntradayContent.Indication? {
        guard isIndicated(quote) else { return nil }
        let price = Price(nanos: quote.indicativePrice)
        let label = Text.chartIndication(
            price: Display.price(price, of: instrument),
            volume: NumberFormat.short(quote.indicativeVolume, scale: 8, in: language, decimals: 1))
        return .init(price: ChartCommand.price(quote.indicativePrice), label: label.words(in: language))
    }

    /// The last day of a file of bars of a minute, on the axis of an instrument's calendar; no server is asked.
    static func read(_ path: String, _ symbol: String, _ invocation: Invocation) throws -> IntradayContent {
        let file = try BarFile(path: path)
        let shipped = try CalendarCommands.shipped()
        func fault(_ reason: String) -> Failure {
            Failure(.barsFile, .init("file", path), .init("line", "2"), .init("reason", reason))
        }
        guard let last = file.times.last, let date = TradingDay(yyyymmdd: last.day), last.minute != nil else {
            throw fault("has no minutes, which an intraday chart needs")
        }
        let instrument = try Catalogue(invocation).resolve(symbol, in: shipped.instruments, on: date, invocation.language)
        do throws(CalendarFault) {
            var rows: [(day: TradingDay, trade: Trade)] = []
            for (place, time) in file.times.enumerated() {
                guard let civil = TradingDay(yyyymmdd: time.day), let minute = time.minute, file.bars.close[place].isFinite else {
                    continue
                }
                let start = try shipped.calendar.instant(instrument.calendar, civil, localNanoseconds: Int64(minute) * 60_000_000_000)
                let bar = file.bars[place]
                rows.append(
                    (
                        try shipped.calendar.tradingDay(instrument.calendar, at: start),
                        Trade(start: start.nanoseconds, high: bar.high, low: bar.low, close: bar.close, volume: bar.volume)
                    ))
            }
            let day = rows.last?.day ?? date
            let chart = try IntradayChart(instrument, day, shipped.calendar)
            var content = chart.content(rows.filter { $0.day == day }.map(\.trade), now: nil, decimals: file.decimals, invocation.language)
            content.subtitle = [
                Text.periodIntraday.words(in: invocation.language), day.description, URL(fileURLWithPath: path).lastPathComponent,
            ].joined(separator: "  ")
            content.previousClose = rows.last { $0.day < day }?.trade.close
            return content
        } catch { throw error.failure }
    }

    private static func made(_ instrument: Instrument, _ day: TradingDay, _ calendar: MarketCalendar) throws(Failure) -> IntradayChart {
        do throws(CalendarFault) { return try IntradayChart(instrument, day, calendar) } catch { throw error.failure }
    }
}
