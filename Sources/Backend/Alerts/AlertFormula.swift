public import Accounts
import Charting
import Messages
public import Texts

/// An expression over the bars of a period: true where its last line has a value that is not zero.
public struct AlertFormula: Hashable, Sendable {
    public let text: String
    public let period: AlertPeriod
    let expression: Expression

    /// The newest bars it is judged over.
    static let mostBars = 2_000
    /// Steps of one bar.
    static let mostSteps = 1_024

    /// - Throws: `alert.formula`, `alert.formula-heavy`.
    public init(_ text: String, _ period: AlertPeriod) throws(Failure) {
        let shown = Self.shown(text)
        /// `place`: the number of characters before it.
        func refused(_ word: String, _ found: String, _ place: Int) -> Failure {
            Failure(
                .alertFormula, .init("formula", shown), .init("reason", word), .init("found", found), .init("place", String(place + 1)))
        }
        guard text.utf8.count <= AlertInput.mostBytes else {
            throw refused("formula-too-long", String(AlertInput.mostBytes), AlertInput.mostBytes)
        }
        if let (place, scalar) = text.unicodeScalars.enumerated().first(where: { !Self.isPrintable($0.element) }) {
            throw refused("formula-unexpected", "U+\(String(scalar.value, radix: 16, uppercase: true))", place)
        }
        do throws(ExpressionFault) { expression = try Expression(text) } catch {
            throw refused(error.said.word, error.said.found, error.place)
        }
        guard expression.barsNeeded <= Self.mostBars else {
            throw Failure(
                .alertFormulaHeavy, .init("needed", "\(expression.barsNeeded)"), .init("unit", "formula-bars"),
                .init("limit", "\(Self.mostBars)"))
        }
        guard expression.stepsPerBar <= Self.mostSteps else {
            throw Failure(
                .alertFormulaHeavy, .init("needed", "\(expression.stepsPerBar)"), .init("unit", "formula-steps"),
                .init("limit", "\(Self.mostSteps)"))
        }
        self.text = text
        self.period = period
    }

    /// Whether it says yes or no. What was kept before this was asked for may be a mere value.
    var isCondition: Bool { expression.isCondition }

    /// It is shown on terminals: ASCII, and Chinese names of lines.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        (" "..."~").contains(scalar) || ("\u{3400}"..."\u{9fff}").contains(scalar)
    }

    private static func shown(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(60) { shown.append(isPrintable(scalar) ? scalar : "?") }
        return String(shown)
    }
}

extension AlertPeriod {
    var barPeriod: BarPeriod {
        switch self {
        case .minute1: .minute1
        case .minute3: .minute3
        case .minute5: .minute5
        case .minute15: .minute15
        case .minute30: .minute30
        case .minute60: .minute60
        case .day: .day
        case .week: .week
        case .month: .month
        case .quarter: .quarter
        case .year: .year
        }
    }
}
