import Exact
import Files
import Foundation
public import Instruments
public import Streams

/// Everything a database is built of: the official lists under `Data/symbols`, names, former listings, the rows given by hand, and the
/// ledger of ids. `sources.csv` names the lists, `release.csv` the version.
public struct SymbolSources: Sendable {
    public let version: Int64
    /// Day of the newest source.
    public let day: TradingDay
    /// When that day began, RFC 3339.
    public var timestamp: String { "\(day)T00:00:00Z" }
    var listed: [ListedSecurity] = []
    var names: [String: Instrument.Names] = [:]
    /// Of US listings, by symbol; given by hand, since no exchange publishes them.
    var chineseNames: [String: Instrument.Names] = [:]
    var former: [Former] = []
    var byHand: [Instrument]
    var contracts: [Instrument] = []
    /// Futures products that have no contracts here, and why.
    public private(set) var leftOut: [(product: String, gap: ContractGap)] = []
    public let ledger: SymbolLedger

    /// A listing that ended under its code.
    struct Former {
        var security: ListedSecurity
        var from: TradingDay
        var to: TradingDay
        var successor: (market: Market, code: String)?
    }

    /// - Throws: what is wrong, with file and line. Nothing is changed.
    public init(_ folder: DataFolder) throws(DataFault) {
        // A user's own tables are not part of a release.
        let facts = try MarketFacts(DataFolder(path: folder.path))
        byHand = facts.instruments.all
        var newest: TradingDay?
        let sources = try CSVTable(path: folder.file("symbols/sources.csv"), required: ["source", "file", "as_of", "least"])
        for row in sources.rows {
            func text(_ column: String) -> String { String(row.fields[sources.index(column)]) }
            func fault(_ reason: String) -> DataFault { DataFault(file: sources.file, line: row.line, reason: reason) }
            guard !text("file").contains("/"), let least = Int(text("least")) else { throw fault("least or file is not valid") }
            let bytes = try Self.contents(folder.file("symbols/sources/" + text("file")))
            var made = TradingDay(text("as_of"))
            let found: [ListedSecurity]
            switch text("source") {
            case "hkex": found = try HongKongList.read(bytes, file: text("file"))
            case "nasdaq-trader":
                let list = try NasdaqTraderList.read(bytes, file: text("file"))
                guard made == nil || made == list.made else { throw fault("as_of is not what the file says, \(list.made)") }
                (found, made) = (list.securities, list.made)
            default: throw fault("source is unknown: \(text("source").prefix(40))")
            }
            guard let made else { throw fault("as_of is not a day") }
            guard found.count >= least else {
                throw DataFault(file: text("file"), line: 0, reason: "holds \(found.count) securities, expected \(least) or more")
            }
            listed += found
            newest = max(newest ?? made, made)
        }
        guard let newest else { throw DataFault(file: sources.file, line: 1, reason: "names no source") }
        day = newest
        version = try Self.version(folder, newest)
        try Self.unique(listed)
        for security in listed where !facts.ticks.has(security.tickTable) {
            throw DataFault(file: "ticks.csv", line: 0, reason: "has no table \(security.tickTable), which \(security.symbol) follows")
        }
        let months = try ContractRows(facts, on: newest)
        (contracts, leftOut) = (months.contracts, months.leftOut)
        names = try Self.names(folder)
        chineseNames = try Self.chineseNames(folder, Set(listed.filter { $0.market.isUnitedStates }.map(\.symbol)))
        former = try Self.former(folder)
        ledger = try SymbolLedger(CSVTable(path: folder.file("symbols/ids.csv"), required: SymbolLedger.columns))
    }

    private static func contents(_ path: String) throws(DataFault) -> [UInt8] {
        do throws(RegularFile.Fault) { return try RegularFile.read(path, limit: 64 << 20) } catch {
            let reason =
                switch error {
                case .notRegular: "is no regular file"
                case .tooLong: "is longer than 64 MB"
                case .missing, .unreadable: "cannot be opened"
                }
            throw DataFault(file: path.split(separator: "/").last.map(String.init) ?? path, line: 0, reason: reason)
        }
    }

    /// The version begins with the day of the newest source, so that newer sources are not published as an older version (H-4).
    private static func version(_ folder: DataFolder, _ newest: TradingDay) throws(DataFault) -> Int64 {
        let table = try CSVTable(path: folder.file("symbols/release.csv"), required: ["version"])
        guard let row = table.rows.first, table.rows.count == 1, let version = Int64(row.fields[table.index("version")]), version % 100 > 0
        else { throw DataFault(file: table.file, line: 2, reason: "holds no version") }
        guard version / 100 == Int64(newest.yyyymmdd) else {
            throw DataFault(
                file: table.file, line: row.line,
                reason: "version \(version) does not begin with the day of the newest source, \(newest.yyyymmdd)")
        }
        return version
    }

    /// Two lists may not both have a symbol.
    private static func unique(_ listed: [ListedSecurity]) throws(DataFault) {
        var seen: Set<String> = []
        for security in listed where !seen.insert(security.symbol).inserted {
            throw DataFault(file: "sources.csv", line: 0, reason: "the lists name \(security.symbol) twice")
        }
    }

    private static func names(_ folder: DataFolder) throws(DataFault) -> [String: Instrument.Names] {
        let table = try CSVTable(path: folder.file("symbols/names.csv"), required: ["code", "name_en", "name_zh_hans", "name_zh_hant"])
        var names: [String: Instrument.Names] = [:]
        for row in table.rows {
            func text(_ column: String) -> String { String(row.fields[table.index(column)]) }
            let entry = Instrument.Names(
                english: text("name_en"), simplified: text("name_zh_hans"), traditional: text("name_zh_hant"))
            guard names.updateValue(entry, forKey: text("code")) == nil else {
                throw DataFault(file: table.file, line: row.line, reason: "names \(text("code")) again")
            }
        }
        return names
    }

    /// A symbol that no US list has is refused: a misspelt one would be silently without effect.
    private static func chineseNames(_ folder: DataFolder, _ listed: Set<String>) throws(DataFault) -> [String: Instrument.Names] {
        let table = try CSVTable(
            path: folder.file("symbols/us-chinese-names.csv"), required: ["symbol", "simplified", "traditional", "source", "verified"])
        var names: [String: Instrument.Names] = [:]
        for row in table.rows {
            func text(_ column: String) -> String { String(row.fields[table.index(column)]) }
            func fault(_ reason: String) -> DataFault { DataFault(file: table.file, line: row.line, reason: reason) }
            let (symbol, simplified, traditional) = (text("symbol"), text("simplified"), text("traditional"))
            guard listed.contains(symbol) else { throw fault("names \(symbol.prefix(40)), which no US list has") }
            guard (1...40).contains(simplified.count), (1...40).contains(traditional.count) else {
                throw fault("names \(symbol) with an empty or overlong name")
            }
            guard !text("source").isEmpty, ["true", "false"].contains(text("verified")) else {
                throw fault("does not say the source of \(symbol)'s names, or whether they are verified")
            }
            let entry = Instrument.Names(english: "", simplified: simplified, traditional: traditional)
            guard names.updateValue(entry, forKey: symbol) == nil else { throw fault("names \(symbol) again") }
        }
        return names
    }

    private static func former(_ folder: DataFolder) throws(DataFault) -> [Former] {
        let table = try CSVTable(
            path: folder.file("symbols/former.csv"),
            required: ["market", "code", "name", "listed_from", "listed_to", "successor_market", "successor_code"])
        return try table.rows.map { row throws(DataFault) in
            func text(_ column: String) -> String { String(row.fields[table.index(column)]) }
            guard let market = Market(rawValue: text("market")), let from = TradingDay(text("listed_from")),
                let to = TradingDay(text("listed_to")), from < to, !text("code").isEmpty, market.isUnitedStates
            else { throw DataFault(file: table.file, line: row.line, reason: "is no former listing") }
            let successor = Market(rawValue: text("successor_market")).map { ($0, text("successor_code")) }
            let security = ListedSecurity(
                line: row.line, market: market, code: text("code"), kind: .stock, currency: .usd, name: text("name"), lot: 1,
                tickTable: "US",
                decimals: 2, listedTo: to)
            return Former(security: security, from: from, to: to, successor: successor)
        }
    }
}
