import Charting
import Foundation
import HTTP
import Texts

/// `chart`: a picture of the user's own bars with indicators (G-5).
enum ChartCommand {
    static let command = Command(
        words: ["chart"], summary: .helpCommandChart, options: [
            .value("input", "FILE", .helpOptionIndicatorInput), .value("indicators", "A,B", .helpOptionChartIndicators),
            .value("count", "N", .helpOptionChartCount), .value("theme", "light|dark", .helpOptionChartTheme),
            .value("colours", "red-up|green-up|blue-up", .helpOptionChartColours), .value("size", "WxH", .helpOptionChartSize),
            .flag("log", .helpOptionChartLog), .value("output", "FILE.svg", .helpOptionChartOutput),
        ]
    ) { invocation in
        guard let input = invocation["input"] else { throw Usage.option(.missing, "input") }
        guard let output = invocation["output"] else { throw Usage.option(.missing, "output") }
        guard output.lowercased().hasSuffix(".svg") else { throw Usage.invalid("--output", output) }
        let theme = try theme(invocation)
        let size = try size(invocation)
        let plots = try (invocation["indicators"] ?? "ma:5:10:20,macd").split(separator: ",").flatMap { try IndicatorCommand.plots(String($0)) }
        let file = try BarFile(path: input)
        let count = min(try invocation.integer("count", in: 1...1_000_000, default: 140), file.bars.count)
        let content = try content(file, plots, theme, invocation)
        let width = size.width
        let slot = Viewport.slots.last { $0 * (Double(count) + 2) <= width - 70 } ?? 2
        let scene = CandleScene(content, Viewport(width: width, count: file.bars.count, slot: slot), size: size).scene()
        do { try Data(SVGPainter(theme).svg(scene).utf8).write(to: URL(fileURLWithPath: output), options: .atomic) } catch {
            throw Failure(.storageUnwritable, .init("path", output))
        }
        invocation.output.show(
            .object([.init("file", .string(output)), .init("bars", .int(scene.bars))]),
            text: [Text.chartWritten(path: output).words(in: invocation.language)])
    }

    private static func content(_ file: BarFile, _ plots: [IndicatorCommand.Plot], _ theme: Theme, _ invocation: Invocation) throws -> ChartContent {
        var content = ChartContent(
            bars: file.bars, times: file.times, decimals: file.decimals, volumeTitle: Text.fieldVolume.words(in: invocation.language),
            language: invocation.language)
        for plot in plots {
            guard let lines = plot.lines(file.bars) else { throw Failure(.barsFile, .init("file", ""), .init("line", "0"), .init("reason", "")) }
            content.indicators.append(ChartIndicator(title: plot.title, outputs: plot.outputs, pane: plot.pane, lines: lines))
        }
        content.isLogarithmic = invocation.has("log")
        content.hollowRises = theme.direction == .blueUp
        content.lastPrice = file.bars.close.last
        content.previousClose = file.bars.close.dropLast().last
        return content
    }

    private static func theme(_ invocation: Invocation) throws(Failure) -> Theme {
        let ground = invocation["theme"] ?? "light"
        let colours = invocation["colours"] ?? (invocation.language == .english ? "green-up" : "red-up")
        guard let known = Theme.Ground(rawValue: ground) else { throw Usage.invalid("--theme", ground) }
        guard let direction = Theme.Direction(rawValue: colours) else { throw Usage.invalid("--colours", colours) }
        return Theme(known, direction)
    }

    private static func size(_ invocation: Invocation) throws(Failure) -> Size {
        guard let text = invocation["size"] else { return Size(width: 1_280, height: 700) }
        let parts = text.split(separator: "x").map { Double($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (200...8_000).contains(width), (150...8_000).contains(height) else {
            throw Usage.invalid("--size", text)
        }
        return Size(width: width, height: height)
    }
}
