import Charting
import Foundation
import Instruments
import Streams
import Texts

/// Bars in a file of the user's own: CSV with a header, a row a bar, oldest first. Columns are found by name whatever their case and order:
/// `date` or `time`, `open`, `high`, `low`, `close`, and `volume` where there is one.
struct BarFile {
    var bars = BarColumns()
    var times: [ChartTime] = []
    /// Most decimals a price has.
    var decimals = 0

    /// - Throws: `data.missing`; `bars.file` with the line and what is wrong with it.
    init(path: String) throws(Failure) {
        guard FileManager.default.fileExists(atPath: path) else { throw Usage.noFile(path) }
        let table: CSVTable
        do throws(DataFault) { table = try CSVTable(path: path, required: []) } catch {
            throw Failure(.barsFile, .init("file", path), .init("line", "\(error.line)"), .init("reason", error.reason))
        }
        let columns = table.columns.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        func column(_ names: String...) -> Int? { columns.firstIndex { names.contains($0) } }
        func fault(_ line: Int, _ reason: String) -> Failure {
            Failure(.barsFile, .init("file", path), .init("line", "\(line)"), .init("reason", reason))
        }
        guard let time = column("date", "time", "datetime", "timestamp"), let open = column("open", "o"), let high = column("high", "h"),
            let low = column("low", "l"), let close = column("close", "c")
        else { throw fault(1, "has no columns date (or time), open, high, low, close") }
        let volume = column("volume", "vol", "v")
        var before: ChartTime?
        for row in table.rows {
            guard let now = Self.time(row.fields[time]) else { throw fault(row.line, "time is not YYYY-MM-DD or YYYY-MM-DD HH:MM") }
            if let before, !before.isBefore(now) { throw fault(row.line, "time is not after that of the row before") }
            var prices: [Double] = []
            for place in [open, high, low, close] {
                guard let price = Self.number(row.fields[place]) else { throw fault(row.line, "\(columns[place]) is not a number") }
                prices.append(price)
                decimals = max(decimals, Self.decimals(row.fields[place]))
            }
            let known = prices.filter { !$0.isNaN }
            guard known.isEmpty || known.count == 4 else { throw fault(row.line, "has some of the four prices but not all") }
            guard known.isEmpty || prices[2] <= min(prices[0], prices[3]) && max(prices[0], prices[3]) <= prices[1] else {
                throw fault(row.line, "open and close do not lie between low and high")
            }
            guard let traded = volume.map({ Self.number(row.fields[$0]) }) ?? .nan, !(traded < 0) else {
                throw fault(row.line, "volume is not a number from 0")
            }
            bars.append(.init(open: prices[0], high: prices[1], low: prices[2], close: prices[3], volume: traded, day: now.day))
            times.append(now)
            before = now
        }
        guard bars.count > 0 else { throw fault(1, "has no bars") }
        decimals = min(decimals, 6)
    }

    /// Nil: neither empty nor a finite decimal.
    private static func number(_ text: Substring) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if text.isEmpty { return .nan }
        guard text.utf8.count <= 40, text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }),
            let value = Double(text), value.isFinite
        else { return nil }
        return value
    }

    /// That say something: two of `552.0000`, which is how prices are written, four of `0.1234`.
    private static func decimals(_ text: Substring) -> Int {
        guard let point = text.firstIndex(of: ".") else { return 0 }
        let digits = text[text.index(after: point)...].prefix { $0.isNumber }
        return max(min(digits.count, 2), digits.lastIndex { $0 != "0" }.map { digits.distance(from: digits.startIndex, to: $0) + 1 } ?? 0)
    }

    /// The day and, where it is told, the minute; what follows the minute (seconds, a zone) does not matter here.
    private static func time(_ text: Substring) -> ChartTime? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let date = text.prefix { $0 != " " && $0 != "T" }
        let dashed =
            date.utf8.count == 8 && !date.contains("-")
            ? "\(date.prefix(4))-\(date.dropFirst(4).prefix(2))-\(date.suffix(2))" : String(date)
        guard let day = TradingDay(dashed) else { return nil }
        let clock = text.dropFirst(date.count + 1)
        if clock.isEmpty { return ChartTime(day: day.yyyymmdd) }
        let parts = clock.split(separator: ":")
        guard parts.count >= 2, let hour = Int(parts[0]), let minute = Int(parts[1].prefix(2)), (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return ChartTime(day: day.yyyymmdd, minute: hour * 60 + minute)
    }
}

extension ChartTime {
    fileprivate func isBefore(_ other: ChartTime) -> Bool { (day, minute ?? -1) < (other.day, other.minute ?? -1) }
}

extension ErrorCode {
    /// A user's file of bars cannot be used: `file`, `line`, `reason`.
    static let barsFile = ErrorCode("bars.file")
    /// An indicator or an expression is not understood: `indicator`, `reason`.
    static let indicatorInvalid = ErrorCode("indicator.invalid")
}
