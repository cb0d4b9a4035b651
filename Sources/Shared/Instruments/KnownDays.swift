import Streams

/// From when to when the rows of each table are known (`Data/tables/checked.csv`): up to the day they were last held against their
/// sources, and where a row names no first day, not before `known_from`. A row that has no last day says what holds until it is changed;
/// of a day nobody has looked at yet it is a projection.
public struct KnownDays: Hashable, Sendable {
    package static let columns = ["table", "scope", "known_from", "known_to", "note"]

    /// The tables whose rows carry days, by file name.
    static let tables = [
        "fees.csv", "ticks.csv", "lots.csv", "order-types.csv", "price-validity.csv", "price-bands.csv", "settlement.csv",
    ]

    private struct Key: Hashable {
        var table: String
        /// A market, `US`; empty: every other.
        var scope: String
    }

    private var spans: [Key: DaySpan] = [:]

    /// One that knows every day: for tables that say nothing of it.
    init() {}

    /// Every table has a row for all scopes.
    package init(_ table: CSVTable) throws(DataFault) {
        for row in table.entries {
            let key = Key(table: try row.name("table"), scope: String(row.text("scope")))
            guard Self.tables.contains(key.table) else { throw row.fault("table is \(key.table), which is unknown") }
            guard key.scope.isEmpty || FuturesTable.isKnown(market: key.scope) else {
                throw row.fault("scope is \(key.scope), which is no market")
            }
            guard let from = try row.day("known_from"), let to = try row.day("known_to"), from <= to else {
                throw row.fault("known_from and known_to are not two days in order")
            }
            guard spans.updateValue(DaySpan(from: from, to: to), forKey: key) == nil else { throw row.fault("stands there twice") }
        }
        for name in Self.tables where spans[Key(table: name, scope: "")] == nil {
            throw DataFault(file: table.file, line: 0, reason: "has no row of \(name) for every market")
        }
    }

    init(_ folder: DataFolder) throws(DataFault) { try self.init(folder.table("checked.csv", Self.columns)) }

    /// The days of one table and market (`XHKG`; all US stock exchanges are `US`).
    func span(_ table: String, scope: String) -> DaySpan {
        spans[Key(table: table, scope: scope)] ?? spans[Key(table: table, scope: "")] ?? DaySpan()
    }

    /// How sure a row that holds on `day` is of that day.
    func confidence(_ row: Confidence, of rowDays: DaySpan, in table: String, scope: String, on day: TradingDay) -> Confidence {
        span(table, scope: scope).projects(rowDays, to: day) ? .projected : row
    }
}

extension DaySpan {
    /// Whether these are the known days of a table, and a row with days of its own reaches beyond them on that day.
    func projects(_ row: DaySpan, to day: TradingDay) -> Bool {
        if let to, day > to { return true }
        guard row.from == nil, let from else { return false }
        return day < from
    }
}

extension Market {
    /// As tables name it: `US` for the US stock exchanges.
    var scope: String { isUnitedStates ? "US" : rawValue }
}
