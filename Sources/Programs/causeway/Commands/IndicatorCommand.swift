import Charting
import HTTP
import Portfolio
import Texts

/// `indicator`: computes an indicator, or an expression, over the user's own bars (G-3).
enum IndicatorCommand {
    static let command = Command(
        words: ["indicator"], summary: .helpCommandIndicator, arguments: "NAME[:PARAMETERS]|EXPRESSION", count: 0...1,
        options: [
            .value("input", "FILE", .helpOptionIndicatorInput), .value("count", "N", .helpOptionIndicatorCount),
            .flag("csv", .helpOptionCsv), .value("float", "N", .helpOptionFloat),
        ]
    ) { invocation in
        guard let asked = invocation.positional.first else {
            list(invocation)
            return
        }
        if asked.lowercased() == ChipsCommand.name { return try ChipsCommand.show(invocation) }
        if invocation["float"] != nil { throw Usage.conflict("float", asked) }
        guard let path = invocation["input"] else { throw Usage.option(.missing, "input") }
        let count = try invocation.integer("count", in: 1...10_000_000, default: invocation.has("csv") ? 10_000_000 : 20)
        let plots = try plots(ofList: asked)
        guard !plots.isEmpty else { throw invalid(asked, "indicator-none") }
        let file = try BarFile(path: path)
        let first = max(0, file.bars.count - count)
        if !invocation.has("csv") { try checkShown(rows: file.bars.count - first, columns: 2 + plots.reduce(0) { $0 + $1.names.count }) }
        try check(plots, asked, bars: file.bars.count)
        var columns: [(name: String, values: [Double])] = []
        for plot in plots {
            guard let lines = plot.lines(file.bars) else { throw invalid(asked, "bars-too-many") }
            for (name, values) in zip(plot.names, lines) { columns.append((free(name, columns.map(\.name)), values)) }
        }
        show(file, columns, first: first, invocation)
    }

    /// One thing to compute.
    struct Plot {
        var title: String
        var names: [String]
        var outputs: [Indicator.Output]
        var pane: Indicator.Pane
        /// Values kept a bar while it is computed, and steps of an expression taken for one.
        var valuesPerBar: Int
        var stepsPerBar = 0
        var lines: (BarColumns) -> [[Double]]?
        var isExpression = false
        var cloud: Indicator.Cloud?
        var lagging: Indicator.Output?

        func chart(_ lines: [[Double]]) -> ChartIndicator {
            ChartIndicator(title: title, outputs: outputs(lines), pane: pane, lines: lines, cloud: cloud, lagging: lagging)
        }

        /// As they are drawn: what is only ever true or false stands in columns, a line would slant between the two.
        func outputs(_ lines: [[Double]]) -> [Indicator.Output] {
            guard isExpression else { return outputs }
            return zip(outputs, lines).map { output, line in
                var output = output
                if line.allSatisfy({ $0 == 0 || $0 == 1 || $0.isNaN }), line.contains(where: { !$0.isNaN }) { output.style = .columns }
                return output
            }
        }
    }

    /// Cut in the middle: how it begins and how it ends.
    static func short(_ text: String, _ most: Int = 40) -> String {
        text.count <= most ? text : text.prefix(most / 2) + "…" + text.suffix(most - most / 2 - 1)
    }

    /// `K`, and `K 2` of a second one beside it.
    private static func free(_ name: String, _ taken: [String]) -> String {
        var (number, free) = (1, name)
        while taken.contains(free) {
            number += 1
            free = "\(name) \(number)"
        }
        return free
    }

    /// Those of a list; none of an empty one.
    static func plots(ofList text: String) throws(Failure) -> [Plot] {
        if text.isEmpty { return [] }
        var plots: [Plot] = []
        for part in IndicatorChoice.split(text) { plots += try Self.plots(part) }
        guard plots.count <= mostPlots else { throw invalid(text, "indicators-too-many") }
        return plots
    }

    static let mostPlots = 32
    /// Values that all lines of a list, and what expressions keep for them, may be over all bars: 512 MiB.
    static let mostValues = 64 << 20
    /// Steps of all expressions of a list over all bars: some seconds.
    static let mostSteps = 2 << 30
    /// Fields of a table or of one JSON object.
    static let mostShown = 2_000_000

    /// Before anything is computed.
    /// - Throws: `indicator.heavy`, `indicator.slow`.
    static func check(_ plots: [Plot], _ text: String, bars: Int) throws(Failure) {
        func arguments(_ name: String, _ each: Int, _ limit: Int) -> [Failure.Argument] {
            [
                .init("indicator", String(text.prefix(60))), .init(name, "\(each)"), .init("bars", "\(bars)"),
                .init("values", "\(each * bars)"), .init("limit", "\(limit)"),
            ]
        }
        let values = plots.reduce(0) { $0 + $1.valuesPerBar }
        guard values * bars <= mostValues else { throw Failure(.indicatorHeavy, arguments: arguments("lines", values, mostValues)) }
        let steps = plots.reduce(0) { $0 + $1.stepsPerBar }
        guard steps * bars <= mostSteps else { throw Failure(.indicatorSlow, arguments: arguments("steps", steps, mostSteps)) }
    }

    /// - Throws: `indicator.rows`.
    static func checkShown(rows: Int, columns: Int) throws(Failure) {
        guard rows * columns <= mostShown else {
            throw Failure(.indicatorRows, .init("rows", "\(rows)"), .init("columns", "\(columns)"), .init("limit", "\(mostShown)"))
        }
    }

    /// A known name with its parameters, else an expression.
    static func plots(_ text: String) throws(Failure) -> [Plot] {
        do throws(IndicatorFault) {
            let choices = try IndicatorChoice.parse(text)
            return choices.map { choice in
                let outputs = choice.indicator.outputs
                return Plot(
                    title: choice.title, names: outputs.count == 1 ? [choice.title] : outputs.map(\.name), outputs: outputs,
                    pane: choice.indicator.pane, valuesPerBar: outputs.count, lines: { try? choice.indicator.lines($0, choice.values) },
                    cloud: choice.indicator.cloud, lagging: choice.indicator.lagging)
            }
        } catch {
            if let (word, found) = error.said {
                throw Failure(
                    .indicatorParameter, .init("indicator", String(text.prefix(60))), .init("reason", word), .init("found", found))
            }
        }
        do throws(ExpressionFault) {
            let expression = try Expression(text)
            return [
                Plot(
                    title: expression.outputs.count == 1 ? short(expression.outputs[0]) : short(text, 24), names: expression.outputs,
                    outputs: expression.outputs.map { Indicator.Output(name: short($0), style: .line, shift: 0) }, pane: .own,
                    valuesPerBar: expression.valuesPerBar, stepsPerBar: expression.stepsPerBar,
                    lines: { expression.lines($0) }, isExpression: true)
            ]
        } catch {
            throw Failure(
                .indicatorFormula, .init("indicator", String(text.prefix(60))), .init("reason", error.said.word),
                .init("found", error.said.found), .init("place", String(error.place + 1)))
        }
    }

    /// `reason`: a word of the catalogues.
    static func invalid(_ text: String, _ reason: String) -> Failure {
        Failure(.indicatorInvalid, .init("indicator", String(text.prefix(60))), .init("reason", reason))
    }

    private static func list(_ invocation: Invocation) {
        let language = invocation.language
        var table = Table(in: language, (.fieldName, .left), (.fieldParameters, .left), (.fieldFormula, .left))
        table.rows = Indicator.all.map { indicator in
            [
                indicator.name, indicator.parameters.map { "\($0.name)=\(Self.number($0.usual))" }.joined(separator: " "),
                indicator.formula.text(in: language),
            ]
        }
        invocation.output.show(
            .object([
                .init(
                    "indicators",
                    .array(
                        Indicator.all.map { indicator in
                            .object([
                                .init("name", .string(indicator.name)),
                                .init(
                                    "parameters",
                                    .array(
                                        indicator.parameters.map {
                                            .object([
                                                .init("name", .string($0.name)), .init("usual", .string(Self.number($0.usual))),
                                                .init("least", .string(Self.number($0.range.lowerBound))),
                                                .init("most", .string(Self.number($0.range.upperBound))),
                                            ])
                                        })),
                                .init("outputs", .array(indicator.outputs.map { .string($0.name) })),
                                .init("shifts", .array(indicator.outputs.map { .string("\($0.shift)") })),
                                .init("pane", .string(indicator.pane.rawValue)),
                                .init("first", .array(((try? indicator.firstDefined()) ?? []).map { .string("\($0)") })),
                                .init("formula", .string(indicator.formula.text(in: language))),
                                .init("seed", .string(indicator.seed.text(in: language))),
                                .init("source", .string(indicator.source.text(in: language))),
                            ])
                        }))
            ]), text: table.lines(within: nil))
    }

    private static func number(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? "\(value)" }

    /// A field of CSV (RFC 4180): in quotes where it would not be one without them.
    static func quoted(_ field: String) -> String {
        guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return field }
        return "\"" + field.replacing("\"", with: "\"\"") + "\""
    }

    /// `10,000`, `0.0001`.
    static func limit(_ value: Double) -> String { NumberFormat.grouped(decimal: number(value)) }

    private static func show(_ file: BarFile, _ columns: [(name: String, values: [Double])], first: Int, _ invocation: Invocation) {
        let rows = first..<file.bars.count
        func time(_ place: Int) -> String { file.times[place].description }
        if invocation.has("csv") {
            invocation.output.line((["time"] + columns.map(\.name)).map(quoted).joined(separator: ","))
            // Lines together: each call is one of the system's.
            for block in stride(from: first, to: file.bars.count, by: 1_000) {
                let lines = (block..<min(block + 1_000, file.bars.count)).map { place in
                    columns.reduce(into: time(place)) { line, column in
                        line += ","
                        if !column.values[place].isNaN { line += "\(column.values[place])" }
                    }
                }
                invocation.output.line(lines.joined(separator: "\n"))
            }
            return
        }
        var table = Table(in: invocation.language, (.fieldTime, .left), (.fieldClose, .right))
        for column in columns { table.columns.append((title: column.name, alignment: .right)) }
        table.rows = rows.map { place in
            [time(place), fixed(file.bars.close[place], file.decimals)] + columns.map { fixed($0.values[place], max(file.decimals, 4)) }
        }
        invocation.output.show(
            .object([
                .init(
                    "rows",
                    .array(
                        rows.map { place in
                            .object(
                                [.init("time", .string(time(place)))]
                                    + columns.map { .init($0.name, $0.values[place].isNaN ? .null : .string("\($0.values[place])")) })
                        }))
            ]), text: table.lines(within: Output.width))
    }

    private static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = (0..<decimals).reduce(1.0) { result, _ in result * 10 }
        guard value.isFinite, let whole = Int64(exactly: (value * scale).rounded()) else { return "—" }
        return NumberFormat.fixed(whole, scale: decimals, decimals: decimals)
    }
}

extension IndicatorFault {
    /// What is wrong, as `word.…` of the catalogues names it, and what it is about; nil of a name that may be an expression.
    fileprivate var said: (word: String, found: String)? {
        switch self {
        case .unknown: nil
        case .notANumber(let text): ("indicator-no-number", text)
        case .tooManyParameters(_, let most): ("indicator-parameters", "\(most)")
        case .parameterOutOfRange(_, let name, let range):
            ("indicator-range", "\(name) = \(IndicatorCommand.limit(range.lowerBound)) … \(IndicatorCommand.limit(range.upperBound))")
        }
    }
}

extension ErrorCode {
    /// An indicator's parameters are not understood: `indicator`, `reason` (a word), `found` (what it is about).
    static let indicatorParameter = ErrorCode("indicator.parameter")
    /// So many lines over so many bars are more than may be kept: `indicator`, `lines` (a bar), `bars`, `values`, `limit`.
    static let indicatorHeavy = ErrorCode("indicator.heavy")
    /// Expressions take more steps than may be: `indicator`, `steps` (a bar), `bars`, `values` (steps of all), `limit`.
    static let indicatorSlow = ErrorCode("indicator.slow")
    /// More than a table or an object holds: `rows`, `columns`, `limit` (of their product).
    static let indicatorRows = ErrorCode("indicator.rows")
    /// An expression is not understood: besides `place`, of the character, from 1.
    static let indicatorFormula = ErrorCode("indicator.formula")
}
