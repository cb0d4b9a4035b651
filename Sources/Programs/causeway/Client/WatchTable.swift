import Instruments
import Messages
import Portfolio
import Texts

/// The lines of `watch` on a terminal, one after the other: columns begin where the header's do. One that turns out wider than any before
/// pushes the rest of its line, and stays as wide.
struct WatchTable {
    private var widths: [Int]
    private let titles: [String]
    private static let columns: [(text: Text, alignment: DisplayWidth.Edge)] = [
        (.fieldTime, .left), (.fieldSymbol, .left), (.fieldLast, .right), (.fieldChange, .right), (.fieldPercent, .right),
        (.fieldPreviousClose, .right), (.fieldVolume, .right), (.fieldPhase, .left), (.fieldName, .left), (.fieldSource, .left),
    ]
    /// Columns that a cut name keeps.
    private static let leastName = 12

    init(_ instruments: [Instrument], _ language: Language) {
        titles = Self.columns.map { $0.text.words(in: language) }
        func widest(_ texts: [String]) -> Int { texts.reduce(0) { max($0, DisplayWidth.columns(of: $1)) } }
        // As long as prices and volumes usually are.
        let usual = [
            widest(["10:00:00 HKT"]), widest(instruments.map(\.symbol)), 9, 7, 7, 9, 7,
            widest([Phase.closed, .continuous, .break].map { $0.text.words(in: language) }),
            widest(instruments.map { Display.name($0, in: language) }),
            widest([Provenance.derived.text(recordedOn: 20_261_130).words(in: language)]),
        ]
        widths = zip(titles, usual).map { max(DisplayWidth.columns(of: $0), $1) }
    }

    /// Names of the columns.
    mutating func header(within columns: Int?) -> String { line(titles, within: columns) }

    /// A row, with the time before what `quote` shows of one. `within`: columns of the terminal, for which names are cut.
    mutating func line(_ cells: [String], within columns: Int?) -> String {
        let cells = cells.map { Echo.harmless($0) }
        for place in cells.indices where place != 8 { widths[place] = max(widths[place], DisplayWidth.columns(of: cells[place])) }
        var shown = widths
        if let columns {
            let over = shown.reduce(0, +) + 2 * (shown.count - 1) - columns
            if over > 0 { shown[8] = max(min(shown[8], Self.leastName), shown[8] - over) }
        }
        var line = zip(cells, zip(shown, Self.columns)).map { DisplayWidth.pad($0, to: $1.0, edge: $1.1.alignment) }.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
