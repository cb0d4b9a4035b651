/// A user's own indicator: what Chinese chart programs call a formula.
///
/// `DIF:EMA(CLOSE,12)-EMA(CLOSE,26); DEA:EMA(DIF,9); MACD:2*(DIF-DEA)`. Statements are parted by semicolons; `NAME:` is a line, `NAME:=` a
/// name for later statements, neither is a line called by its own text. Prices are OPEN HIGH LOW CLOSE VOL (O H L C V); operators
/// `+ - * /`, `> < >= <= = <>`, `AND OR NOT`, where true is 1 and 0 is false. Case does not matter. There are no loops, and windows are
/// whole numbers, so the time of a bar and the memory are bounded by the text. What has no value (a division by zero, a window not yet
/// full) is undefined, and so is what is made from it.
public struct Expression: Hashable, Sendable {
    /// The names of its lines.
    public let outputs: [String]
    let nodes: [Node]
    /// The node of each line.
    let results: [Int]

    public static let maximumBytes = 4_096
    static let maximumNodes = 256
    static let maximumDepth = 32
    /// Values kept for all nodes over all bars.
    static let maximumValues = 64 << 20
    /// Steps over all bars: some seconds.
    static let maximumSteps = 2 << 30

    enum Node: Hashable, Sendable {
        case number(Double)
        case column(Column)
        case negated(Int)
        case not(Int)
        case binary(Operator, Int, Int)
        case windowed(Window, Int, period: Int)
        case shifted(Int, by: Int)
        /// Each value counts `weight`, the first is the seed.
        case smoothed(Int, weight: Double)
        case mapped(Map, Int)
        case choice(Int, Int, Int)
        case crosses(Int, Int)
        case sinceTrue(Int)
    }

    enum Column: String, Hashable, Sendable { case open, high, low, close, volume }
    enum Operator: String, Hashable, Sendable {
        case add = "+"
        case subtract = "-"
        case multiply = "*"
        case divide = "/"
        case greater = ">"
        case less = "<"
        case greaterOrEqual = ">="
        case lessOrEqual = "<="
        case equal = "="
        case unequal = "<>"
        case and = "AND"
        case or = "OR"
        case maximum = "MAX"
        case minimum = "MIN"
    }
    enum Window: String, Hashable, Sendable { case mean, sum, highest, lowest, sample, population, deviation, weighted }
    enum Map: String, Hashable, Sendable { case absolute, root, logarithm, exponential, floor, ceiling }

    /// - Throws: `ExpressionFault` with the place where it is not understood.
    public init(_ text: String) throws(ExpressionFault) {
        guard text.utf8.count <= Self.maximumBytes else { throw ExpressionFault(.tooLong, at: Self.maximumBytes) }
        var parser = try ExpressionParser(text)
        (outputs, nodes, results) = try parser.statements()
    }

    /// A series that follows bars as they come.
    public func series() -> IndicatorSeries { ExpressionSeries(self) }

    /// All lines over finished bars. Nil where bars and formula together need more memory or time than is given to one.
    public func lines(_ bars: BarColumns) -> [[Double]]? {
        guard nodes.count * bars.count <= Self.maximumValues, stepsPerBar * bars.count <= Self.maximumSteps else { return nil }
        let series = series()
        series.update(bars, changed: 0)
        return series.lines
    }
}

/// What is wrong with an expression, and where: the number of characters before it.
public struct ExpressionFault: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        case tooLong, tooComplex, tooDeep, empty, unfinished
        /// What stands there instead.
        case unexpected(String)
        case unknownName(String)
        case nameTaken(String)
        /// The function, and how many arguments it takes.
        case arguments(String, Int)
        /// Of the function: a window must be a whole number from 1 to 10,000.
        case window(String)
    }

    public var reason: Reason
    public var place: Int

    init(_ reason: Reason, at place: Int) {
        self.reason = reason
        self.place = place
    }
}
