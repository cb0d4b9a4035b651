import Bars
import Cairo
import Charting
import Exact
import Files
import Foundation
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts
import Trade
import TradeSession

/// `chart`: a picture of a server's bars, with the user's own trades and orders, or of bars in a file (G-3…G-6).
enum ChartCommand {
    static func chart(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["chart"], summary: .helpCommandChart, arguments: "SYMBOL", count: 0...1,
            options: [
                .value("output", "FILE", .helpOptionChartOutput), .value("period", "P", .helpOptionChartPeriod),
                .value("adjust", "none|forward|backward", .helpOptionAdjust),
                .value("indicators", "A,B", .helpOptionChartIndicators), .value("count", "N", .helpOptionChartCount),
                .value("theme", "light|dark", .helpOptionChartTheme),
                .value("colours", "red-up|green-up|blue-up", .helpOptionChartColours), .value("size", "WxH", .helpOptionChartSize),
                .flag("log", .helpOptionChartLog), .value("input", "FILE", .helpOptionIndicatorInput),
                .flag("no-drawings", .helpOptionChartNoDrawings), .flag("chips", .helpOptionChartChips),
                .value("float", "N", .helpOptionFloat), .value("compare", "B,C", .helpOptionChartCompare),
            ]
        ) { invocation in
            let look = try Look(invocation)
            // What is missing is told before a server is asked.
            let float = invocation.has("chips") ? try ChipsCommand.float(invocation) : nil
            if float == nil, invocation["float"] != nil { throw Usage.option(.missing, "chips") }
            let bars: Int
            var series: [JSONValue.Member] = []
            if invocation["compare"] != nil {
                let compared = try await compared(open, look, invocation)
                (bars, series) = (compared.bars, [.init("series", compared.series)])
            } else if invocation["period"] == "intraday" {
                bars = try await intraday(open, look, invocation)
            } else {
                bars = try await candles(open, look, invocation, float)
            }
            invocation.output.show(
                .object([.init("file", .string(look.path)), .init("bars", .int(bars))] + series),
                text: [Text.chartWritten(path: look.path).words(in: invocation.language)])
        }
    }

    /// How many bars are in view.
    private static func candles(_ open: ClientOpener, _ look: Look, _ invocation: Invocation, _ float: Double?) async throws -> Int {
        let plots = try IndicatorCommand.plots(ofList: invocation["indicators"] ?? "ma:5:10:20,macd")
        var content: ChartContent
        switch (invocation.positional.first, invocation["input"]) {
        case (let symbol?, nil): content = try await market(symbol, look, open(invocation), invocation)
        case (nil, let path?):
            for option in ["period", "adjust"] where invocation[option] != nil { throw Usage.conflict(option, "input") }
            content = try file(path, invocation)
        case (nil, nil): throw Usage.missing("SYMBOL")
        case (let symbol?, _?): throw Usage.unexpected(symbol)
        }
        try IndicatorCommand.check(plots, invocation["indicators"] ?? "", bars: content.bars.count)
        for plot in plots {
            guard let lines = content.parts({ plot.lines($0) }) else {
                throw IndicatorCommand.invalid(plot.title, "bars-too-many")
            }
            content.indicators.append(plot.chart(lines))
        }
        if let float { content.chips = try chips(content, float) }
        content.isLogarithmic = invocation.has("log")
        content.hollowRises = look.theme.direction == .blueUp
        let seen = min(look.count, content.bars.count)
        let viewport = look.viewport(
            seen, of: content.bars.count, ahead: content.ahead,
            besides: content.chips == nil ? 0 : min(max(look.size.width * 0.14, 110), 180))
        if content.isLogarithmic, !CandleScene(content, viewport, size: look.size).isLogarithmic {
            Output.error("causeway: " + Text.chartLinear.words(in: content.language))
        }
        try look.write(content.language) { CandleScene(content, viewport, size: look.size, texts: $0).scene() }
        return seen
    }

    /// How many places of the axis are in view, and each one's change.
    private static func compared(
        _ open: ClientOpener, _ look: Look, _ invocation: Invocation
    ) async throws -> (bars: Int, series: JSONValue) {
        if invocation["indicators"] != nil { throw Usage.conflict("indicators", "compare") }
        for flag in ["log", "chips"] where invocation.has(flag) { throw Usage.conflict(flag, "compare") }
        if invocation["period"] == "intraday" { throw Usage.conflict("period intraday", "compare") }
        let others = (invocation["compare"] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = invocation.positional.first ?? invocation["input"] else { throw Usage.missing("SYMBOL") }
        guard !others.isEmpty, others.allSatisfy({ !$0.isEmpty }) else { throw Usage.option(.missing, "compare") }
        guard others.count < ComparedChart.most else { throw Usage.tooMany("--compare", most: ComparedChart.most - 1) }
        let chart: ComparedChart
        if invocation["input"] != nil {
            if let symbol = invocation.positional.first { throw Usage.unexpected(symbol) }
            for option in ["period", "adjust"] where invocation[option] != nil { throw Usage.conflict(option, "input") }
            chart = try ComparedChart.read([first] + others, count: look.count, invocation.language)
        } else {
            chart = try await ComparedChart.served([first] + others, count: look.count, open(invocation), invocation)
        }
        let count = chart.content.times.count
        // Whatever the texts' width, all of it is in view: what is per cent is of the same bar in each picture and for a program.
        let viewport = look.viewport(count, of: count, besides: 30, isLine: true)
        let scene = try chart.scene(viewport, look.size, .guess)
        try look.write(chart.content.language) { PercentScene(chart.content, viewport, size: look.size, texts: $0).scene() }
        return (scene.count, chart.json(scene))
    }

    /// How many minutes are known.
    private static func intraday(_ open: ClientOpener, _ look: Look, _ invocation: Invocation) async throws -> Int {
        for option in ["indicators", "count", "adjust"] where invocation[option] != nil { throw Usage.conflict(option, "period intraday") }
        for flag in ["log", "chips"] where invocation.has(flag) { throw Usage.conflict(flag, "period intraday") }
        guard let symbol = invocation.positional.first else { throw Usage.missing("SYMBOL") }
        var content: IntradayContent
        if let path = invocation["input"] {
            content = try IntradayChart.read(path, symbol, invocation)
        } else {
            let context = try await open(invocation)
            let found = try await IntradayChart.served(symbol, context)
            content = found.content
            let own = try await own(found.chart.instrument, context)
            content.trades = own.fills.filter { $0.tradingDay == found.chart.day.yyyymmdd }
                .map { ChartTrade(place: found.chart.place($0.timeNs), isBuy: $0.side == .buy) }
            content.orderLines = own.lines
            content.drawings = try await drawings(found.chart.instrument, isPrinted: true, invocation)
            if !content.drawings.isEmpty, let calendar = await context.facts()?.calendar {
                content.knownDays = days(content.drawings, around: found.chart.day, calendar, found.chart.instrument)
            }
        }
        try look.write(content.language) { IntradayScene(content, size: look.size, texts: $0).scene() }
        return content.prices.count
    }

    /// Of the bars since prices last did not go on: other recordings say nothing of these costs.
    private static func chips(_ content: ChartContent, _ float: Double) throws(Failure) -> ChartChips {
        let first = content.joins.last?.place ?? 0
        let bars = BarColumns((first..<content.bars.count).map { content.bars[$0] })
        guard let found = ChipSeries.of(bars, float: float), found.known > 0 else {
            throw IndicatorCommand.invalid(ChipsCommand.name, "bars-without-volume")
        }
        return ChartChips(found, words: ChipsCommand.words(in: content.language))
    }

    // MARK: How it looks

    private struct Look {
        enum Format: String, CaseIterable { case png, pdf, svg }

        var path: String
        var format: Format
        var theme: Theme
        var size = Size(width: 1_280, height: 720)
        var count: Int

        init(_ invocation: Invocation) throws {
            guard let path = invocation["output"] else { throw Usage.option(.missing, "output") }
            guard let format = Format.allCases.first(where: { path.lowercased().hasSuffix("." + $0.rawValue) }) else {
                throw Usage.choice("--output", Format.allCases.map { "FILE." + $0.rawValue })
            }
            // Before anything is asked for.
            do throws(OutputFile.Fault) { try OutputFile.check(path) } catch { throw Failure(error, path) }
            (self.path, self.format) = (path, format)
            let grounds = Theme.Ground.allCases.map(\.rawValue)
            guard let ground = Theme.Ground(rawValue: invocation["theme"] ?? "light") else { throw Usage.choice("--theme", grounds) }
            let usual = invocation.language == .english ? "green-up" : "red-up"
            guard let direction = Theme.Direction(rawValue: invocation["colours"] ?? usual) else {
                throw Usage.choice("--colours", Theme.Direction.allCases.map(\.rawValue))
            }
            theme = Theme(ground, direction)
            count = try invocation.integer("count", in: 1...5_000, default: 140)
            guard let text = invocation["size"] else { return }
            let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
            guard parts.count == 2, let width = parts[0], let height = parts[1], (200...8_000).contains(width),
                (150...8_000).contains(height)
            else { throw Usage.invalid("--size", text, .size) }
            size = Size(width: Double(width), height: Double(height))
        }

        func write(_ language: Language, _ scene: (TextMeasure) -> Scene) throws(Failure) {
            let painter = CairoPainter(theme, language: language)
            // Whoever looks at an SVG has fonts of his own: its boxes have room for the widest.
            let scene = scene(format == .svg ? .guess : painter.measure)
            let picture: [UInt8]
            do throws(PaintFault) {
                picture =
                    switch format {
                    case .png: try painter.png(scene)
                    case .pdf: try painter.pdf(scene)
                    case .svg: Array(SVGPainter(theme).svg(scene).utf8)
                    }
            } catch { throw Failure(.outputUnwritable, .init("path", path), .init("reason", error.reason)) }
            do throws(OutputFile.Fault) { try OutputFile.write(picture, to: path) } catch { throw Failure(error, path) }
        }

        /// The newest `seen` bars, on whole pixels each, a line's places on any; more than have two pixels each are merged.
        func viewport(_ seen: Int, of count: Int, ahead: Int = 0, besides taken: Double = 0, isLine: Bool = false) -> Viewport {
            let room = size.width - 70 - taken
            let wanted = Double(seen + ahead + 2)
            let slot = Viewport.slots.last { $0 * wanted <= room } ?? room / wanted
            let widest = isLine ? min(room / wanted, Viewport.slots.last ?? slot) : slot
            return Viewport(width: size.width, count: count, slot: widest, ahead: ahead)
        }
    }

    // MARK: What it shows

    private static func file(_ path: String, _ invocation: Invocation) throws(Failure) -> ChartContent {
        let file = try BarFile(path: path)
        var content = ChartContent(
            bars: file.bars, times: file.times, decimals: file.decimals, volumeTitle: Text.fieldVolume.words(in: invocation.language),
            language: invocation.language)
        content.title = URL(fileURLWithPath: path).lastPathComponent
        content.lastPrice = file.bars.close.last { $0.isFinite }
        content.previousClose = file.bars.close.dropLast().last { $0.isFinite }
        return content
    }

    private static func market(
        _ symbol: String, _ look: Look, _ context: ClientContext, _ invocation: Invocation
    ) async throws -> ChartContent {
        let name = invocation["period"] ?? "day"
        guard let period = QuoteCommands.periods.first(where: { $0.name == name }) else {
            throw Usage.choice("--period", ["intraday"] + QuoteCommands.periods.map(\.name))
        }
        let wanted = try BarAdjustment(invocation)
        let instrument = try await context.instrument(symbol)
        // Indicators need bars before the first that is seen.
        let count = invocation.has("chips") ? 5_000 : min(5_000, look.count + 300)
        let batch = try await context.bars(instrument.id, period.period, count, wanted)
        let bars = batch.bars
        guard let newest = bars.last else { throw Failure(.chartNoBars, .init("symbol", instrument.symbol)) }
        let clock = Display.clock(of: instrument)
        let isIntraday = period.period.rawValue < BarPeriod.day.rawValue
        let columns = BarColumns(
            bars.map {
                .init(
                    open: price($0.open), high: price($0.high), low: price($0.low), close: price($0.close), volume: Double($0.volume) / 1e8,
                    day: $0.tradingDay)
            })
        var content = ChartContent(
            bars: columns, times: bars.map { ChartTime(day: $0.tradingDay, minute: isIntraday ? clock.minuteOfDay($0.startNs) : nil) },
            decimals: bars.flatMap { [$0.open, $0.high, $0.low, $0.close] }.map { instrument.decimals(showing: Price(nanos: $0)) }.max()
                ?? instrument.decimals, volumeTitle: Text.fieldVolume.words(in: context.language), language: context.language)
        content.title = instrument.symbol + "  " + Display.name(instrument, in: context.language)
        content.subtitle =
            period.text.words(in: context.language) + "  "
            + newest.provenance.text(recordedOn: newest.recordedOn).words(in: context.language)
            + (wanted == .none ? "" : "  " + batch.adjustmentName.words(in: context.language))
        // Prices as printed, today's and the user's own, are not on the scale of one that begins with the oldest.
        let isPrinted = batch.adjustment != .backward
        let quote = isPrinted ? try await context.snapshot([instrument.id]).first : nil
        let calendar = await context.facts()?.calendar
        content.joins = bars.indices.dropFirst().filter { !bars[$0].goesOn(from: bars[$0 - 1], of: instrument, calendar: calendar) }
            .map { .init(place: $0, label: bars[$0].provenance.text(recordedOn: bars[$0].recordedOn).words(in: context.language)) }
        content.stand(
            traded: quote.flatMap { $0.hasLast ? price($0.last) : nil },
            against: quote.flatMap { $0.hasPreviousClose ? price($0.previousClose) : nil }, isIntraday: isIntraday)
        let own = try await own(instrument, context)
        content.trades = own.fills.compactMap { fill in
            bars.lastIndex { $0.startNs <= fill.timeNs }.map { ChartTrade(place: $0, isBuy: fill.side == .buy) }
        }
        content.orderLines = isPrinted ? own.lines : []
        coming(instrument, calendar, &content)
        content.drawings = try await drawings(instrument, isPrinted: batch.adjustment == .none, invocation)
        return content
    }

    static func price(_ nanos: Int64) -> Double { Double(nanos) / 1e9 }

    /// The user's own fills, working orders and cost; nothing where the counter is not logged in.
    private static func own(
        _ instrument: Instrument, _ context: ClientContext
    ) async throws -> (fills: [Fill], lines: [ChartOrderLine]) {
        guard instrument.isTradable else { return ([], []) }
        let account = try await context.account(for: instrument)
        var lines: [ChartOrderLine] = []
        do throws(Failure) {
            let fills = try await context.fills(account).filter { $0.instrument == instrument.id.rawValue }
            for order in try await context.orders(account) where order.instrument == instrument.id.rawValue && order.isWorking {
                guard order.hasLimit else { continue }
                let row = OrderRow(order, instrument, in: context.language)
                lines.append(
                    ChartOrderLine(
                        price: price(order.limit), label: row.side.words(in: context.language) + " " + row.quantity, kind: .working))
            }
            for position in try await context.positions(account) where position.instrument == instrument.id.rawValue {
                guard let holding = Holding(position, of: instrument), position.quantity != 0 else { continue }
                let cost = ProfitAndLoss.profit(holding, price: nil).averageCost
                guard let cost else { continue }
                lines.append(
                    ChartOrderLine(
                        price: Double(cost.numerator) / Double(cost.denominator), label: Text.fieldCost.words(in: context.language),
                        kind: .cost))
            }
            return (fills, lines)
        } catch {
            guard error.code == .tradeNotLoggedIn || error.code == .tradeSessionInvalid else { throw error }
            return ([], [])
        }
    }
}

extension ErrorCode {
    /// The server has no bars of it: `symbol`.
    static let chartNoBars = ErrorCode("chart.no-bars")
}
