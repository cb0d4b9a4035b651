import Bars
import Charting
import Exact
import Foundation
import HTTP
import Instruments
import Messages
import Portfolio
import Streams
import Texts

/// `chart --compare`: several instruments' changes in per cent on one axis, from a server's bars or from files (G-5).
struct ComparedChart {
    /// Colours there are.
    static let most = 8
    let content: PercentContent

    /// - Parameter count: Places of the axis to show; so many bars of each are asked for at least.
    static func served(_ symbols: [String], count: Int, _ context: ClientContext, _ invocation: Invocation) async throws -> ComparedChart {
        let name = invocation["period"] ?? "day"
        guard let period = QuoteCommands.periods.first(where: { $0.name == name }) else {
            throw Usage.choice("--period", QuoteCommands.periods.map(\.name))
        }
        let wanted = try BarAdjustment(invocation)
        var instruments: [Instrument] = []
        for symbol in symbols { instruments.append(try await context.instrument(symbol)) }
        try once(instruments.map(\.symbol))
        // Minutes of all of them by the clock of the first: one axis has one clock.
        let clock = instruments.first.map(Display.clock)
        let calendar = await context.facts()?.calendar
        let isIntraday = period.period.rawValue < BarPeriod.day.rawValue
        var sources: [String] = []
        var members: [PercentContent.Member] = []
        for instrument in instruments {
            let batch = try await context.bars(instrument.id, period.period, min(5_000, count + 20), wanted)
            let bars = batch.bars
            guard let newest = bars.last else { throw Failure(.chartNoBars, .init("symbol", instrument.symbol)) }
            func source(_ bar: Bar) -> String { bar.provenance.text(recordedOn: bar.recordedOn).words(in: context.language) }
            let told = source(newest) + (wanted == .none ? "" : " " + batch.adjustmentName.words(in: context.language))
            if !sources.contains(told) { sources.append(told) }
            members.append(
                PercentContent.Member(
                    title: instrument.symbol, keys: bars.map { key($0, period.period) },
                    times: bars.map { ChartTime(day: $0.tradingDay, minute: isIntraday ? clock?.minuteOfDay($0.startNs) : nil) },
                    closes: bars.map { ChartCommand.price($0.close) },
                    joins: bars.indices.dropFirst().filter { !bars[$0].goesOn(from: bars[$0 - 1], of: instrument, calendar: calendar) }
                        .map { ChartJoin(place: $0, label: source(bars[$0])) }))
        }
        var content = PercentContent(members, context.language)
        content.title = instruments.map(\.symbol).joined(separator: "  ")
        try check(content)
        content.keep(newest: count)
        let since = content.since.map { "  " + Text.chartCompareSince(date: $0.description).words(in: context.language) } ?? ""
        content.subtitle = period.text.words(in: context.language) + since + "  " + sources.joined(separator: " · ")
        return ComparedChart(content: content)
    }

    /// The newest day, week, month, quarter or year is the same one whichever of its days an exchange was open on.
    private static func key(_ bar: Bar, _ period: BarPeriod) -> Int64 {
        let (year, month) = (Int64(bar.tradingDay) / 10_000, Int64(bar.tradingDay) / 100 % 100)
        switch period {
        case .day: return Int64(bar.tradingDay)
        case .week:
            return TradingDay(yyyymmdd: bar.tradingDay).map { Int64($0.week) } ?? Int64(bar.tradingDay)
        case .month: return year * 12 + month
        case .quarter: return year * 4 + (month - 1) / 3
        case .year: return year
        case .unspecified, .minute1, .minute3, .minute5, .minute15, .minute30, .minute60, .UNRECOGNIZED: return bar.startNs
        }
    }

    static func read(_ paths: [String], count: Int, _ language: Language) throws(Failure) -> ComparedChart {
        try once(paths)
        var members: [PercentContent.Member] = []
        var bars = 0
        for path in paths {
            let file = try BarFile(path: path)
            bars += file.bars.count
            guard bars <= BarReader.mostBars else {
                throw BarFile.fault(path, file.bars.count + 1, "is more than 10,000,000 bars with the others")
            }
            members.append(
                PercentContent.Member(
                    title: URL(fileURLWithPath: path).lastPathComponent,
                    keys: file.times.map { Int64($0.day) * 1_440 + Int64($0.minute ?? 0) }, times: file.times, closes: file.bars.close))
        }
        var content = PercentContent(members, language)
        try check(content)
        content.keep(newest: count)
        content.title = members.map(\.title).joined(separator: "  ")
        return ComparedChart(content: content)
    }

    /// - Throws: `chart.nothing-common` where no change of all of them is known.
    private static func check(_ content: PercentContent) throws(Failure) {
        guard content.common.count < 2 else { return }
        throw Failure(
            .chartNothingCommon, .init("symbol", content.latest?.title ?? ""), .init("date", content.latest?.time.description ?? ""))
    }

    /// Each is drawn once, in a colour of its own.
    private static func once(_ names: [String]) throws(Failure) {
        for (number, name) in names.enumerated() where names[..<number].contains(name) {
            throw Failure(ErrorCode("usage.compared-twice"), .init("name", name))
        }
    }

    /// - Throws: `chart.no-percent` where one of them has no price above zero to begin with.
    func scene(_ viewport: Viewport, _ size: Size, _ texts: TextMeasure) throws(Failure) -> PercentScene {
        let scene = PercentScene(content, viewport, size: size, texts: texts)
        if let symbol = scene.unmeasured.first { throw Failure(.chartNoPercent, .init("symbol", symbol)) }
        return scene
    }

    /// Name and newest change of each, for a program.
    func json(_ scene: PercentScene) -> JSONValue {
        .array(
            zip(content.series, scene.newest).map { series, change in
                .object([
                    .init("name", .string(series.title)),
                    .init("percent", change.isFinite ? .string(String(format: "%.2f", change)) : .null),
                ])
            })
    }
}

extension ErrorCode {
    /// Fewer than two bars are common to all that is compared since one's bars that go on begin: `symbol`, `date`.
    static let chartNothingCommon = ErrorCode("chart.nothing-common")
    /// It has no change in per cent, its first price in view is not above zero: `symbol`.
    static let chartNoPercent = ErrorCode("chart.no-percent")
}
