public import Streams

/// The days on which a row of a dated table holds: both ends included, nil is open.
public struct DaySpan: Hashable, Sendable {
    public var from: TradingDay?
    public var to: TradingDay?

    public init(from: TradingDay? = nil, to: TradingDay? = nil) {
        self.from = from
        self.to = to
    }

    public func contains(_ day: TradingDay) -> Bool { (from.map { $0 <= day } ?? true) && (to.map { day <= $0 } ?? true) }

    func overlaps(_ other: DaySpan) -> Bool {
        let startsBefore = other.to.map { to in from.map { $0 <= to } ?? true } ?? true
        let endsAfter = other.from.map { from in to.map { $0 >= from } ?? true } ?? true
        return startsBefore && endsAfter
    }

    /// Whether `other` begins on the day after this one ends.
    func adjoins(_ other: DaySpan) -> Bool {
        guard let to, let from = other.from else { return false }
        return to.daysSince1970 + 1 == from.daysSince1970
    }
}

/// How sure a figure of a dated table is. Only what two independent sources say counts as verified; all else says so wherever it is shown.
public enum Confidence: String, Hashable, Sendable {
    case twoSources = "two_sources"
    case oneSource = "one_source"
    case conflict
    case memory = "unverified_memory"
    case unverified
    /// No exchange's figure: chosen here.
    case ours
    case unknown
    /// Of a day on which the row was never held against its sources (`KnownDays`). No file says it.
    case projected

    public var isVerified: Bool { self == .twoSources }
}

/// One row of a dated table, read field by field; what is wrong names file and line.
package struct DatedRow: Sendable {
    let table: CSVTable
    let row: CSVTable.Row

    var line: Int { row.line }
    func text(_ column: String) -> Substring { row.fields[table.index(column)] }
    func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }

    /// Values between semicolons.
    func list(_ column: String) -> [String] { text(column).split(separator: ";", omittingEmptySubsequences: false).map(String.init) }

    func name(_ column: String) throws(DataFault) -> String {
        let text = text(column)
        guard (1...200).contains(text.utf8.count) else { throw fault("\(column) is empty or too long") }
        return String(text)
    }

    /// Nil where the field is empty.
    func decimal(_ column: String, scale: Int) throws(DataFault) -> Int64? {
        let text = text(column)
        if text.isEmpty { return nil }
        guard let value = scaledDecimal(text, scale: scale) else { throw fault("\(column) is \(text.prefix(40)), not a decimal") }
        return value
    }

    func day(_ column: String) throws(DataFault) -> TradingDay? {
        let text = text(column)
        if text.isEmpty { return nil }
        guard let day = TradingDay(text) else { throw fault("\(column) is \(text.prefix(40)), not YYYY-MM-DD") }
        return day
    }

    /// The columns `from` and `to`.
    func span() throws(DataFault) -> DaySpan {
        let span = DaySpan(from: try day("from"), to: try day("to"))
        if let from = span.from, let to = span.to, from > to { throw fault("from is after to") }
        return span
    }

    func choice<Value: RawRepresentable>(_ column: String, _: Value.Type) throws(DataFault) -> Value where Value.RawValue == String {
        guard let value = Value(rawValue: String(text(column))) else {
            throw fault("\(column) is \(text(column).prefix(40)), which is unknown")
        }
        return value
    }

    func confidence(_ column: String = "confidence") throws(DataFault) -> Confidence {
        let confidence = try choice(column, Confidence.self)
        guard confidence != .projected else { throw fault("\(column) is projected, which no row can be") }
        return confidence
    }

    /// Nil where there is nothing to add.
    func note() -> String? { text("note").isEmpty ? nil : String(text("note")) }
}

extension CSVTable {
    var entries: [DatedRow] { rows.map { DatedRow(table: self, row: $0) } }
}

/// Rows that speak of one thing follow one another in time, without a day that two of them claim and without a gap.
func checkSeries(_ rows: [(span: DaySpan, row: DatedRow)]) throws(DataFault) {
    let sorted = rows.sorted { a, b in
        guard let later = b.span.from else { return false }
        return a.span.from.map { $0 < later } ?? true
    }
    for (earlier, later) in zip(sorted, sorted.dropFirst()) {
        if earlier.span.overlaps(later.span) {
            throw later.row.fault("holds on days on which line \(earlier.row.line) holds")
        }
        guard earlier.span.adjoins(later.span) else { throw later.row.fault("leaves days between itself and line \(earlier.row.line)") }
    }
}
