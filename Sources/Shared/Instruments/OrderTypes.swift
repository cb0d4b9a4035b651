public import Streams

/// Which kinds of order an exchange takes in which phase, and what may still be done with them (`Data/tables/order-types.csv`).
public struct OrderTypeTable: Sendable {
    /// What may be done in a phase.
    public enum Permission: Hashable, Sendable {
        case yes, no
        /// Kept until the regular session.
        case queued
        /// Not the exchange's: a broker watches the market and sends another type.
        case broker
        /// Until that second of the day, local time of the exchange.
        case until(second: Int)
    }

    public struct Row: Hashable, Sendable {
        public var market: String
        /// `limit`, `at-auction-limit`, …
        public var type: String
        /// The exchange's own abbreviation; nil: none.
        public var code: String?
        public var phase: String
        public var new: Permission
        public var amend: Permission
        public var cancel: Permission
        /// What the order names: `none`, `limit`, `trigger`, `trigger+limit`, `offset`.
        public var price: String
        /// What becomes of the part that is not filled; nil: not told.
        public var remainder: String?
        /// `day`, `gtc`, `gtd`, `ioc`, `fok`, `auction`, …
        public var timesInForce: [String]
        public var confidence: Confidence
        public var note: String?
    }

    public private(set) var rows: [Row] = []
    private let known: KnownDays

    package static let columns = [
        "market", "type", "code", "phase", "new", "amend", "cancel", "price", "remainder", "tif", "confidence", "note",
    ]

    private static let prices: Set<String> = ["", "none", "limit", "trigger", "trigger+limit", "offset"]

    package init(_ table: CSVTable) throws(DataFault) { try self.init(table, known: KnownDays()) }

    init(_ table: CSVTable, known: KnownDays) throws(DataFault) {
        self.known = known
        var lines: [[String]: Int] = [:]
        for row in table.entries {
            let market = try row.name("market")
            guard FuturesTable.isKnown(market: market) else { throw row.fault("market is \(market), which is unknown") }
            let (type, phase) = (try row.name("type"), try row.name("phase"))
            if let line = lines.updateValue(row.line, forKey: [market, type, phase]) {
                throw row.fault("speaks of what line \(line) speaks of")
            }
            guard Self.prices.contains(String(row.text("price"))) else {
                throw row.fault("price is \(row.text("price")), which is unknown")
            }
            rows.append(
                Row(
                    market: market, type: type, code: row.text("code").isEmpty ? nil : String(row.text("code")), phase: phase,
                    new: try Self.permission(row, "new"), amend: try Self.permission(row, "amend"),
                    cancel: try Self.permission(row, "cancel"), price: row.text("price").isEmpty ? "none" : String(row.text("price")),
                    remainder: row.text("remainder").isEmpty ? nil : String(row.text("remainder")),
                    timesInForce: row.list("tif").filter { !$0.isEmpty }, confidence: try row.confidence(), note: row.note()))
        }
    }

    private static func permission(_ row: DatedRow, _ column: String) throws(DataFault) -> Permission {
        let text = row.text(column)
        switch text {
        case "yes": return .yes
        case "no": return .no
        case "queued": return .queued
        case "broker": return .broker
        default: break
        }
        // `until:HH:MM:SS`
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
        guard text.hasPrefix("until:"), parts.count == 4, (0..<24).contains(parts[1]), (0..<60).contains(parts[2]),
            (0..<60).contains(parts[3])
        else { throw row.fault("\(column) is \(text.prefix(40)), which is unknown") }
        return .until(second: parts[1] * 3600 + parts[2] * 60 + parts[3])
    }

    /// Nil where nothing is told of that type in that phase.
    public func row(_ type: String, in phase: String, market: String, on day: TradingDay) -> Row? {
        guard var row = rows.first(where: { $0.market == market && $0.type == type && $0.phase == phase }) else { return nil }
        row.confidence = known.confidence(row.confidence, of: DaySpan(), in: "order-types.csv", scope: market, on: day)
        return row
    }
}
