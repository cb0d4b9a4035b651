import Cairo
import Charting
import Exact
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
                .value("output", "FILE", .helpOptionChartOutput), .value("period", "P", .helpOptionPeriod),
                .value("indicators", "A,B", .helpOptionChartIndicators), .value("count", "N", .helpOptionChartCount),
                .value("theme", "light|dark", .helpOptionChartTheme),
                .value("colours", "red-up|green-up|blue-up", .helpOptionChartColours), .value("size", "WxH", .helpOptionChartSize),
                .flag("log", .helpOptionChartLog), .value("input", "FILE", .helpOptionIndicatorInput),
            ]
        ) { invocation in
            let look = try Look(invocation)
            let plots = try split(invocation["indicators"] ?? "ma:5:10:20,macd").flatMap { try IndicatorCommand.plots($0) }
            var content: ChartContent
            switch (invocation.positional.first, invocation["input"]) {
            case (let symbol?, nil): content = try await market(symbol, look, open(invocation), invocation)
            case (nil, let path?):
                if invocation["period"] != nil { throw Usage.conflict("period", "input") }
                content = try file(path, invocation)
            case (nil, nil): throw Usage.missing("SYMBOL")
            case (let symbol?, _?): throw Usage.unexpected(symbol)
            }
            for plot in plots {
                guard let lines = plot.lines(content.bars) else {
                    throw IndicatorCommand.invalid(plot.title, "needs more memory than one may have with so many bars")
                }
                content.indicators.append(ChartIndicator(title: plot.title, outputs: plot.outputs, pane: plot.pane, lines: lines))
            }
            content.isLogarithmic = invocation.has("log")
            content.hollowRises = look.theme.direction == .blueUp
            try look.write(content)
            invocation.output.show(
                .object([.init("file", .string(look.path)), .init("bars", .int(min(look.count, content.bars.count)))]),
                text: [Text.chartWritten(path: look.path).words(in: invocation.language)])
        }
    }

    /// At the commas that are outside of brackets: an expression has its own.
    private static func split(_ text: String) -> [String] {
        var (parts, depth) = ([""], 0)
        for letter in text {
            if letter == "," && depth == 0 {
                parts.append("")
                continue
            }
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            parts[parts.count - 1].append(letter)
        }
        return parts.filter { !$0.isEmpty }
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

        func write(_ content: ChartContent) throws(Failure) {
            let painter = CairoPainter(theme, language: content.language)
            let seen = Double(min(count, content.bars.count)) + 2
            let slot = Viewport.slots.last { $0 * seen <= size.width - 70 } ?? Viewport.slots[0]
            let viewport = Viewport(width: size.width, count: content.bars.count, slot: slot)
            // Whoever looks at an SVG has fonts of his own: its boxes have room for the widest.
            let texts = format == .svg ? TextMeasure.guess : painter.measure
            let scene = CandleScene(content, viewport, size: size, texts: texts).scene()
            do {
                let picture =
                    switch format {
                    case .png: try Data(painter.png(scene))
                    case .pdf: try Data(painter.pdf(scene))
                    case .svg: Data(SVGPainter(theme).svg(scene).utf8)
                    }
                try picture.write(to: URL(fileURLWithPath: path), options: .atomic)
            } catch {
                let reason = (error as? PaintFault)?.reason ?? (error as NSError).localizedDescription
                throw Failure(.chartUnwritable, .init("path", path), .init("reason", reason))
            }
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
        let period = try QuoteCommands.period(invocation["period"])
        let instrument = try await context.instrument(symbol)
        // Indicators need bars before the first that is seen.
        let bars = try await context.bars(instrument.id, period.period, min(5_000, look.count + 300))
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
        content.subtitle = period.name + "  " + newest.provenance.text(recordedOn: newest.recordedOn).words(in: context.language)
        let quote = try await context.snapshot([instrument.id]).first
        content.lastPrice = quote.flatMap { $0.hasLast ? price($0.last) : nil } ?? columns.close.last
        content.previousClose = quote.flatMap { $0.hasPreviousClose ? price($0.previousClose) : nil }
        try await own(instrument, bars, &content, context)
        return content
    }

    private static func price(_ nanos: Int64) -> Double { Double(nanos) / 1e9 }

    /// The user's own fills, working orders and cost; nothing where the counter is not logged in.
    private static func own(_ instrument: Instrument, _ bars: [Bar], _ content: inout ChartContent, _ context: ClientContext) async throws {
        guard instrument.isTradable else { return }
        let account = try await context.account(for: instrument)
        do throws(Failure) {
            let fills = try await context.fills(account).filter { $0.instrument == instrument.id.rawValue }
            for fill in fills {
                guard let place = bars.lastIndex(where: { $0.startNs <= fill.timeNs }) else { continue }
                content.trades.append(ChartTrade(place: place, isBuy: fill.side == .buy))
            }
            for order in try await context.orders(account) where order.instrument == instrument.id.rawValue && order.isWorking {
                guard order.hasLimit else { continue }
                let row = OrderRow(order, instrument, in: context.language)
                content.orderLines.append(
                    ChartOrderLine(
                        price: price(order.limit), label: row.side.words(in: context.language) + " " + row.quantity, kind: .working))
            }
            for position in try await context.positions(account) where position.instrument == instrument.id.rawValue {
                guard let holding = Holding(position, of: instrument), position.quantity != 0 else { continue }
                let cost = ProfitAndLoss.profit(holding, price: nil).averageCost
                guard let cost else { continue }
                content.orderLines.append(
                    ChartOrderLine(
                        price: Double(cost.numerator) / Double(cost.denominator), label: Text.fieldCost.words(in: context.language),
                        kind: .cost))
            }
        } catch {
            guard error.code == .tradeNotLoggedIn || error.code == .tradeSessionInvalid else { throw error }
        }
    }
}

extension ErrorCode {
    /// The picture cannot be written: `path`, `reason`.
    static let chartUnwritable = ErrorCode("chart.unwritable")
    /// The server has no bars of it: `symbol`.
    static let chartNoBars = ErrorCode("chart.no-bars")
}
