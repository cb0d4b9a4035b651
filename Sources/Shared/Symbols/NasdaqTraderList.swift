import Exact
import Instruments
import Streams

/// The symbol directory of Nasdaq Trader, `nasdaqlisted.txt` and `otherlisted.txt`: fields between bars, the last line tells when the
/// file was made. Test issues are left out.
enum NasdaqTraderList {
    static let maximumBytes = 32 << 20
    private static let footer = "File Creation Time: "

    /// The securities and the day the file was made, New York time.
    static func read(_ bytes: [UInt8], file: String) throws(DataFault) -> (securities: [ListedSecurity], made: TradingDay) {
        guard bytes.count <= maximumBytes else { throw DataFault(file: file, line: 0, reason: "is longer than 32 MB") }
        let text = try ListTable.text(bytes, file)
        var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map {
            $0.split(separator: "|", omittingEmptySubsequences: false)
        }
        while lines.last?.count == 0 || lines.last == [""] { lines.removeLast() }
        guard let last = lines.last?.first, last.hasPrefix(footer), let made = day(last.dropFirst(footer.utf8.count)) else {
            throw DataFault(file: file, line: lines.count, reason: "ends early: the last line is no File Creation Time")
        }
        let header = (lines.first ?? []).map { String($0) }
        let table = ListTable(
            file: file, columns: header,
            rows: lines.dropFirst().dropLast().enumerated().map { (line: $0.offset + 2, cells: $0.element.map { String($0) }) })
        return (try securities(table), made)
    }

    /// `0303202606:00`: month, day, year, time.
    private static func day(_ text: Substring) -> TradingDay? {
        let digits = text.prefix(8)
        guard digits.utf8.count == 8, let number = Int(digits), text.utf8.count == 13 else { return nil }
        return TradingDay(year: number % 10_000, month: number / 1_000_000, day: number / 10_000 % 100)
    }

    private static func securities(_ table: ListTable) throws(DataFault) -> [ListedSecurity] {
        let isOther = table.index("ACT Symbol") != nil
        let code = try table.required(isOther ? "ACT Symbol" : "Symbol", line: 1)
        let name = try table.required("Security Name", line: 1)
        let test = try table.required("Test Issue", line: 1)
        let fund = try table.required("ETF", line: 1)
        let lot = try table.required("Round Lot Size", line: 1)
        let exchange = try table.required(isOther ? "Exchange" : "Market Category", line: 1)
        var found: [ListedSecurity] = []
        var lines: [String: Int] = [:]
        for row in table.rows {
            func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }
            func wrong(_ place: Int) -> DataFault { fault("\(table.columns[place]) is \(row.cells[place].prefix(40)), which is not valid") }
            guard row.cells.count == table.columns.count else {
                throw fault("has \(row.cells.count) fields, the header has \(table.columns.count)")
            }
            guard ["Y", "N"].contains(row.cells[test]) else { throw wrong(test) }
            if row.cells[test] == "Y" { continue }
            let symbol = row.cells[code]
            guard (1...14).contains(symbol.utf8.count),
                symbol.utf8.allSatisfy({ (65...90).contains($0) || (48...57).contains($0) || $0 == 46 || $0 == 36 })
            else { throw wrong(code) }
            if let first = lines.updateValue(row.line, forKey: symbol) {
                throw fault("gives the code \(symbol) again, after line \(first)")
            }
            guard let market = isOther ? markets[row.cells[exchange]] : .xnas else { throw wrong(exchange) }
            guard let roundLot = Int(row.cells[lot]), roundLot > 0, roundLot <= 1_000_000 else { throw wrong(lot) }
            let words = row.cells[name].split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard !words.isEmpty else { throw wrong(name) }
            found.append(
                ListedSecurity(
                    line: row.line, market: market, code: symbol, kind: row.cells[fund] == "Y" ? .etf : kind(symbol, words), currency: .usd,
                    name: shortened(words), lot: 1, tickTable: "US", decimals: 2, roundLot: roundLot))
        }
        guard !found.isEmpty else { throw DataFault(file: table.file, line: 1, reason: "has no securities") }
        return found
    }

    private static let markets: [String: Market] = ["A": .xase, "N": .xnys, "P": .arcx, "Z": .bats, "V": .iexg]

    /// The lists do not say: guessed from the name.
    static func kind(_ code: String, _ name: String) -> Instrument.Kind {
        let words = Set(name.lowercased().split { !$0.isLetter }.map(String.init))
        func has(_ any: String...) -> Bool { any.contains { words.contains($0) } }
        if code.contains("$") || has("preferred", "preference") { return .preferred }
        if has("units", "unit") && !has("lp", "partnership", "partners", "limited") { return .unit }
        if has("warrant", "warrants") { return .warrant }
        if has("right", "rights") { return .right }
        if has("notes", "debentures", "bonds", "note") { return .debt }
        return .stock
    }

    /// Without the class every company has: `Apple Inc. - Common Stock` is Apple Inc.
    static func shortened(_ name: String) -> String {
        var short = name[...]
        while short.last == "," || short.last == " " { short.removeLast() }
        for end in [" - Common Stock", " Common Stock"] where short.hasSuffix(end) {
            short = short.dropLast(end.count)
            break
        }
        return String(short.replacing(" - ", with: " ").prefix(160))
    }
}
