public import Texts

/// An indicator as it is declared: what it is called, takes and gives, by which formula.
public struct Indicator: Sendable {
    public struct Parameter: Hashable, Sendable {
        public var name: String
        public var usual: Double
        public var range: ClosedRange<Double>
        /// Periods are whole, factors are not.
        public var isWhole: Bool
    }

    public struct Output: Hashable, Sendable {
        public enum Style: String, Hashable, Sendable { case line, columns, dots, counts }
        public var name: String
        public var style: Style
        /// Drawn this many bars later (earlier where negative).
        public var shift: Int

        public init(name: String, style: Style, shift: Int) {
            self.name = name
            self.style = style
            self.shift = shift
        }
    }

    /// Two outputs, by number: a chart is shaded between their lines.
    public struct Cloud: Hashable, Sendable {
        public var first: Int
        public var second: Int

        public init(first: Int, second: Int) {
            self.first = first
            self.second = second
        }
    }

    public enum Pane: String, Hashable, Sendable {
        /// Over the prices.
        case price
        /// Over the volume.
        case volume
        /// A pane of its own.
        case own
    }

    /// What is told of a formula: symbols alone, the same in every language, or words.
    public enum Wording: Hashable, Sendable, ExpressibleByStringLiteral {
        case symbols(String)
        case words(Text)

        public init(stringLiteral text: String) { self = .symbols(text) }

        public func text(in language: Language) -> String {
            switch self {
            case .symbols(let text): text
            case .words(let text): text.words(in: language)
            }
        }
    }

    /// As users write it: `MACD`.
    public let name: String
    public let parameters: [Parameter]
    public let outputs: [Output]
    public let pane: Pane
    /// In the words of the expression language where it has them: what the outputs are.
    public let formula: Wording
    /// How what depends on its own past begins, and what is done where the formula divides by zero.
    public let seed: Wording
    /// Whose definition it is.
    public let source: Wording
    /// One more series for each further parameter: `MA:5:10:20`.
    public let repeats: Bool
    let firstDefined: @Sendable ([Double]) -> [Int]
    let make: @Sendable ([Double]) -> KernelSeries
    /// Nil: none is shaded.
    public internal(set) var cloud: Cloud? = nil
    /// The close, which a chart draws moved as this says: no line of the indicator's own, as it tells nothing that the bars do not.
    public internal(set) var lagging: Output? = nil

    /// For each output the first bar at which it is defined, where all bars are there and nothing divides by zero.
    public func firstDefined(_ values: [Double] = []) throws(IndicatorFault) -> [Int] { firstDefined(try checked(values)) }

    /// An empty series; parameters left out are the usual ones. `outputs`: lines made from other lines, as the mean of MTM is, are left out
    /// where they stand after so many.
    public func series(_ values: [Double] = [], outputs: Int = .max) throws(IndicatorFault) -> IndicatorSeries {
        let series = make(try checked(values))
        series.leaveOut(after: outputs)
        return series
    }

    /// All lines over finished bars, or those that `series` computes for so many outputs.
    public func lines(_ bars: BarColumns, _ values: [Double] = [], outputs: Int = .max) throws(IndicatorFault) -> [[Double]] {
        let series = try series(values, outputs: outputs)
        series.update(bars, changed: 0)
        return series.lines
    }

    fileprivate func checked(_ values: [Double]) throws(IndicatorFault) -> [Double] {
        guard values.count <= parameters.count else { throw .tooManyParameters(name, most: parameters.count) }
        var all: [Double] = []
        for (place, parameter) in parameters.enumerated() {
            let value = place < values.count ? values[place] : parameter.usual
            guard parameter.range.contains(value), !parameter.isWhole || value == value.rounded() else {
                throw .parameterOutOfRange(name, parameter.name, parameter.range)
            }
            all.append(value)
        }
        return all
    }
}

public enum IndicatorFault: Error, Hashable, Sendable {
    case unknown(String)
    case notANumber(String)
    case tooManyParameters(String, most: Int)
    /// Of the indicator, its parameter, what is allowed.
    case parameterOutOfRange(String, String, ClosedRange<Double>)
}

/// An indicator a user asked for, by name and parameters: `macd`, `ma:5:10:20`, `boll:20,2`.
public struct IndicatorChoice: Sendable {
    public var indicator: Indicator
    public var values: [Double]

    /// `MACD(12,26,9)`.
    public var title: String {
        let values = indicator.parameters.indices.map { $0 < self.values.count ? self.values[$0] : indicator.parameters[$0].usual }
        guard !values.isEmpty else { return indicator.name }
        return indicator.name + "(" + values.map { value in Int(exactly: value).map { "\($0)" } ?? "\(value)" }.joined(separator: ",") + ")"
    }

    /// Case does not matter; parameters follow a colon, with colons or commas between.
    public static func parse(_ text: some StringProtocol) throws(IndicatorFault) -> [IndicatorChoice] {
        let written = String(text.filter { $0 != " " })
        let parts = written.split(omittingEmptySubsequences: false, whereSeparator: { $0 == ":" || $0 == "," }).map(String.init)
        let name = parts.first?.uppercased() ?? ""
        guard let indicator = Indicator.all.first(where: { $0.name == name }) else { throw .unknown(String(text.prefix(40))) }
        var values: [Double] = []
        for part in parts.dropFirst() {
            guard part.utf8.count <= 12, let value = Double(part), value.isFinite else { throw .notANumber(String(part.prefix(40))) }
            values.append(value)
        }
        guard indicator.repeats, values.count > 1 else { return [try IndicatorChoice(indicator, values)] }
        guard values.count <= 8 else { throw .tooManyParameters(name, most: 8) }
        var choices: [IndicatorChoice] = []
        for value in values { choices.append(try IndicatorChoice(indicator, [value])) }
        return choices
    }

    /// The indicators and expressions of a list, as `ma:5,10,macd,EMA(CLOSE,12)-EMA(CLOSE,26)`: a comma outside brackets begins another where
    /// no number follows it.
    public static func split(_ text: some StringProtocol) -> [String] {
        var parts = [""]
        var depth = 0
        var rest = text[...]
        while let letter = rest.popFirst() {
            if letter == ",", depth == 0 {
                let next = rest.first { $0 != " " }
                if next.map({ $0.isASCII && ($0.isNumber || "+-.".contains($0)) }) != true {
                    parts.append("")
                    continue
                }
            }
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            parts[parts.count - 1].append(letter)
        }
        return parts
    }

    public init(_ indicator: Indicator, _ values: [Double] = []) throws(IndicatorFault) {
        _ = try indicator.checked(values)
        self.indicator = indicator
        self.values = values
    }
}
