import Instruments
public import Streams
public import Texts

extension ErrorCode {
    /// A release of a day that is not yet near: `version`, `today`.
    public static let symbolsAhead = ErrorCode("symbols.ahead")
}

/// Which rows a database holds: what two ends compare.
public struct SymbolRelease: Hashable, Sendable {
    /// Day of the newest source and a running number from 1 to 99: 2026032301. Grows with every change.
    public var version: Int64
    /// When the newest source was made, RFC 3339.
    public var timestamp: String
    public var rows: Int
    public var blocks: SymbolBlocks

    public init(version: Int64, timestamp: String, rows: Int, blocks: SymbolBlocks) {
        self.version = version
        self.timestamp = timestamp
        self.rows = rows
        self.blocks = blocks
    }

    /// Of all that it says and all rows: SHA-256 of a line for each of `version`, `timestamp` and `rows` (name, blank, value) and one for
    /// each block (number, blank, hash).
    public var hash: String {
        SymbolBlocks.hash(
            ["version \(version)", "timestamp \(timestamp)", "rows \(rows)"] + blocks.blocks.map { "\($0.number) \($0.hash)" })
    }

    /// Of the version; nil where it is none.
    public var day: TradingDay? {
        (1...99).contains(version % 100) ? Int32(exactly: version / 100).flatMap { TradingDay(yyyymmdd: $0) } : nil
    }

    /// Whether version, timestamp and number of rows can be those of a release at all.
    var isWellFormed: Bool { day != nil && Self.isTimestamp(timestamp) && (0...Self.mostRows).contains(rows) }

    static let mostBlocks = 4_096
    static let mostRows = mostBlocks * Int(SymbolBlocks.size)

    /// A release is made of lists that exist: one of a day more than a week ahead would keep every good one out until then.
    /// - Throws: `symbols.ahead`.
    func check(on today: TradingDay) throws(Failure) {
        guard let day, day.daysSince1970 <= today.daysSince1970 + 7 else {
            throw Failure(.symbolsAhead, .init("version", String(version)), .init("today", today.description))
        }
    }

    /// `2026-03-23T00:00:00Z`, `2026-03-23T08:00:00.5+08:00`: RFC 3339 as written there, capital letters, at most nine decimals.
    static func isTimestamp(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard rest.count <= 35, rest.count >= 20, let day = TradingDay(text.prefix(10)), day.year > 0 else { return false }
        rest = rest.dropFirst(10)
        func take(_ byte: UInt8) -> Bool { rest.popFirst() == byte }
        func two(_ limit: UInt8) -> Bool {
            guard let tens = rest.popFirst(), let ones = rest.popFirst(), (48...57).contains(tens), (48...57).contains(ones) else {
                return false
            }
            return (tens - 48) * 10 + ones - 48 < limit
        }
        guard take(84), two(24), take(58), two(60), take(58), two(60) else { return false }
        if rest.first == 46 {
            let digits = rest.dropFirst().prefix { (48...57).contains($0) }
            guard (1...9).contains(digits.count) else { return false }
            rest = rest[digits.endIndex...]
        }
        if rest.first == 90 { return rest.count == 1 }
        guard let sign = rest.popFirst(), sign == 43 || sign == 45 else { return false }
        return two(24) && take(58) && two(60) && rest.isEmpty
    }
}
