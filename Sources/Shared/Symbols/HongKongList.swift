import Exact
import Instruments
import Streams
import Zip

/// HKEX's list of securities, the .xlsx file or the same as .csv. Two title rows may stand before the header; columns are found by how
/// their names begin, for they come and go.
enum HongKongList {
    static let maximumBytes = 32 << 20

    static func read(_ bytes: [UInt8], file: String) throws(DataFault) -> [ListedSecurity] {
        guard bytes.count <= maximumBytes else { throw DataFault(file: file, line: 0, reason: "is longer than 32 MB") }
        let table = bytes.starts(with: [0x50, 0x4B]) ? try workbook(bytes, file) : try separated(bytes, file)
        return try read(table)
    }

    private static let firstColumn = "Stock Code"

    private static func workbook(_ bytes: [UInt8], _ file: String) throws(DataFault) -> ListTable {
        let book: Workbook
        do throws(WorkbookFault) { book = try Workbook(bytes) } catch {
            throw DataFault(file: file, line: 0, reason: (error.part.isEmpty ? "" : error.part + " ") + error.reason)
        }
        guard let header = book.rows.prefix(5).firstIndex(where: { $0.cells.contains { $0.hasPrefix(firstColumn) } }) else {
            throw DataFault(file: file, line: 1, reason: "has no column \(firstColumn)")
        }
        return ListTable(
            file: file, columns: book.rows[header].cells.map { blanked($0) },
            rows: book.rows[(header + 1)...].map { (line: $0.number, cells: $0.cells) })
    }

    private static func blanked(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    private static func separated(_ bytes: [UInt8], _ file: String) throws(DataFault) -> ListTable {
        let text = try ListTable.text(bytes, file)
        var rest = Substring(text)
        var titles = 0
        while titles < 5, !rest.hasPrefix(firstColumn), !rest.hasPrefix("\"" + firstColumn) {
            guard let end = rest.firstIndex(where: { $0.isNewline }) else { break }
            rest = rest[rest.index(after: end)...]
            titles += 1
        }
        guard rest.hasPrefix(firstColumn) || rest.hasPrefix("\"" + firstColumn) else {
            throw DataFault(file: file, line: 1, reason: "has no column \(firstColumn)")
        }
        let table: CSVTable
        do throws(DataFault) { table = try CSVTable(text: String(rest), file: file, required: []) } catch {
            throw DataFault(file: file, line: error.line + titles, reason: error.reason)
        }
        return ListTable(
            file: file, columns: table.columns.map { blanked($0) },
            rows: table.rows.map { (line: $0.line + titles, cells: $0.fields.map(String.init)) })
    }

    private static func read(_ table: ListTable) throws(DataFault) -> [ListedSecurity] {
        let line = (table.rows.first?.line ?? 2) - 1
        let needed = [firstColumn, "Name of Securities", "Category", "Board Lot", "ISIN", "Spread Table", "Trading Currency"]
        var places: [String: Int] = [:]
        for name in needed { places[name] = try table.required(name, line: line) }
        for name in ["Expiry Date", "RMB Counter"] + flags.map(\.0) { places[name] = table.index(name) }
        var found: [ListedSecurity] = []
        var lines: [String: Int] = [:]
        for row in table.rows {
            let fields = Fields(file: table.file, line: row.line, cells: row.cells, places: places)
            if fields[firstColumn].isEmpty, fields["Category"].isEmpty { continue }
            let security = try security(fields)
            if let first = lines.updateValue(row.line, forKey: security.code) {
                throw fields.fault("gives the code \(security.code) again, after line \(first)")
            }
            found.append(security)
        }
        guard !found.isEmpty else { throw DataFault(file: table.file, line: line, reason: "has no securities") }
        return found
    }

    private struct Fields {
        var file: String
        var line: Int
        var cells: [String]
        var places: [String: Int]

        subscript(name: String) -> String {
            guard let place = places[name], place < cells.count else { return "" }
            return blanked(cells[place])
        }

        func fault(_ reason: String) -> DataFault { DataFault(file: file, line: line, reason: reason) }

        func wrong(_ name: String) -> DataFault { fault("\(name) is \(self[name].prefix(40)), which is not valid") }
    }

    private static let flags: [(String, SymbolRow.Flags)] = [
        ("Subject to Stamp Duty", .stampDuty), ("Shortsell Eligible", .shortSelling), ("CAS Eligible", .closingAuction),
        ("VCM Eligible", .volatilityControl), ("Admitted to CCASS", .cleared), ("POS Elig", .preOpening),
    ]

    private static func security(_ fields: Fields) throws(DataFault) -> ListedSecurity {
        let code = fields[firstColumn]
        guard (1...5).contains(code.utf8.count), let number = Int(code), number > 0 else { throw fields.wrong(firstColumn) }
        guard let lot = Int64(fields["Board Lot"].replacing(",", with: "")), lot > 0, lot <= 1_000_000_000 else {
            throw fields.wrong("Board Lot")
        }
        let written = fields["Trading Currency"]
        guard let currency = Currency(written == "RMB" ? "CNY" : written) else { throw fields.wrong("Trading Currency") }
        guard !fields["Name of Securities"].isEmpty else { throw fields.wrong("Name of Securities") }
        var security = ListedSecurity(
            line: fields.line, market: .xhkg, code: String(repeating: "0", count: 5 - code.utf8.count) + code, kind: try kind(fields),
            currency: currency, name: fields["Name of Securities"], lot: lot, tickTable: try spread(fields), decimals: 3)
        if !fields["Expiry Date"].isEmpty {
            guard let day = day(fields["Expiry Date"]) else { throw fields.wrong("Expiry Date") }
            security.listedTo = day
        }
        security.isin = fields["ISIN"]
        guard security.isin.isEmpty || security.isin.utf8.count == 12 else { throw fields.wrong("ISIN") }
        for (name, flag) in flags {
            switch fields[name] {
            case "Y": security.flags.insert(flag)
            case "", "N": break
            default: throw fields.wrong(name)
            }
        }
        security.counter = fields["RMB Counter"]
        guard security.counter.isEmpty || (security.counter.utf8.count == 5 && Int(security.counter) != nil) else {
            throw fields.wrong("RMB Counter")
        }
        return security
    }

    private static func kind(_ fields: Fields) throws(DataFault) -> Instrument.Kind {
        switch fields["Category"] {
        case let category where category.hasPrefix("Equity Warrants"): .warrant
        case "Equity": .stock
        case "Exchange Traded Products": .etf
        case "Real Estate Investment Trusts": .reit
        case "Derivative Warrants", "Callable Bull/Bear Contracts", "Inline Warrants": .structured
        case "Debt Securities": .debt
        case "Rights", "Nil Paid Rights": .right
        default: throw fields.wrong("Category")
        }
    }

    private static func spread(_ fields: Fields) throws(DataFault) -> String {
        switch fields["Spread Table"] {
        case "1": "HK-A"
        case "3": "HK-B"
        case "5": "HK-D"
        case "4", "6": "HK-E"
        default: throw fields.wrong("Spread Table")
        }
    }

    /// `28/10/2027`.
    private static func day(_ text: String) -> TradingDay? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, text.utf8.count == 10, let day = Int(parts[0]), let month = Int(parts[1]), let year = Int(parts[2]) else {
            return nil
        }
        return TradingDay(year: year, month: month, day: day)
    }
}
