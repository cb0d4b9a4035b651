import Exact
import Foundation
import Messages
import Streams

/// Everything dated the product ships: instruments, ticks, calendar. Read once at start; a value.
public struct MarketFacts: Sendable {
    public var instruments: InstrumentTable
    public var ticks: TickTables
    public var calendar: MarketCalendar
    public var bands: PriceBands

    /// Reads and checks `symbols.csv` and `tables/*.csv`.
    public init(_ folder: DataFolder) throws(DataFault) {
        ticks = try TickTables(
            CSVTable(
                path: folder.file("tables/ticks.csv"), required: ["table", "effective_from", "effective_to", "over", "up_to", "tick"]))
        calendar = try CalendarReader.read(folder)
        instruments = try SymbolReader.read(CSVTable(path: folder.file("symbols.csv"), required: SymbolReader.columns), ticks: ticks)
        bands = try PriceBands(
            CSVTable(path: folder.file("tables/price-bands.csv"), required: ["scope", "rule", "bound", "negative"]),
            instruments: instruments)
    }
}

enum CalendarReader {
    static func read(_ folder: DataFolder) throws(DataFault) -> MarketCalendar {
        let calendars = try CSVTable(
            path: folder.file("tables/calendars.csv"), required: ["calendar", "time_zone", "holidays", "days_from", "days_to"])
        let holidays = try readHolidays(
            CSVTable(path: folder.file("tables/holidays.csv"), required: ["calendar", "date", "kind", "close_local"]))
        let sessions = try readSessions(
            CSVTable(
                path: folder.file("tables/sessions.csv"),
                required: ["calendar", "day_type", "phase", "start_local", "end_local", "base", "effective_from", "effective_to"]))
        var rules: [CalendarID: MarketCalendar.Rules] = [:]
        for row in calendars.rows {
            let fields = ["calendar", "time_zone", "holidays", "days_from", "days_to"].map { row.fields[calendars.index($0)] }
            guard let zone = TimeZone(identifier: String(fields[1])), let from = TradingDay(fields[3]), let to = TradingDay(fields[4])
            else {
                throw DataFault(file: calendars.file, line: row.line, reason: "names an unknown time zone or a wrong date")
            }
            var rule = MarketCalendar.Rules(zone: zone, from: from, to: to)
            rule.holidays = holidays[String(fields[2])] ?? [:]
            rule.rows = sessions[String(fields[0])] ?? []
            guard !rule.rows.isEmpty else { throw DataFault(file: calendars.file, line: row.line, reason: "has no sessions") }
            rules[CalendarID(String(fields[0]))] = rule
        }
        return MarketCalendar(rules: rules)
    }

    private static func readHolidays(_ table: CSVTable) throws(DataFault) -> [String: [TradingDay: MarketCalendar.Holiday]] {
        let columns = ["calendar", "date", "kind", "close_local"].map(table.index)
        var holidays: [String: [TradingDay: MarketCalendar.Holiday]] = [:]
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let day = TradingDay(fields[1]) else {
                throw DataFault(file: table.file, line: row.line, reason: "date is not YYYY-MM-DD")
            }
            let close = minute(fields[3])
            guard fields[2] == "closed" ? fields[3].isEmpty : fields[2] == "short" && close != nil else {
                throw DataFault(file: table.file, line: row.line, reason: "is neither closed nor short with a closing time")
            }
            guard holidays[String(fields[0]), default: [:]].updateValue(.init(closeMinute: close), forKey: day) == nil else {
                throw DataFault(file: table.file, line: row.line, reason: "names a date twice")
            }
        }
        return holidays
    }

    private static let phases: [Substring: Phase] = [
        "auction_input": .auctionInput, "auction_no_cancel": .auctionNoCancel, "auction_matching": .auctionMatching,
        "continuous": .continuous, "break": .break, "pre_market": .preMarket, "post_market": .postMarket, "night": .night,
    ]

    private static func readSessions(_ table: CSVTable) throws(DataFault) -> [String: [MarketCalendar.Row]] {
        let columns = ["calendar", "day_type", "phase", "start_local", "end_local", "base", "effective_from", "effective_to"].map(
            table.index)
        var sessions: [String: [MarketCalendar.Row]] = [:]
        for row in table.rows {
            let fields = columns.map { row.fields[$0] }
            guard let type = MarketCalendar.DayType(rawValue: String(fields[1])), let phase = phases[fields[2]],
                let start = minute(fields[3]),
                let end = fields[4] == "close" ? .some(nil) : minute(fields[4]).map(Optional.some),
                let base = MarketCalendar.Row.Base(rawValue: String(fields[5])),
                fields[6].isEmpty || TradingDay(fields[6]) != nil, fields[7].isEmpty || TradingDay(fields[7]) != nil
            else { throw DataFault(file: table.file, line: row.line, reason: "has an unknown day type, phase, time, base or date") }
            sessions[String(fields[0]), default: []].append(
                .init(
                    dayType: type, phase: phase, start: start, end: end, base: base, from: TradingDay(fields[6]), to: TradingDay(fields[7]))
            )
        }
        return sessions
    }

    /// `HH:MM` as minutes of the day.
    static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0...24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}

enum SymbolReader {
    static let columns = [
        "id", "market", "code", "symbol", "kind", "currency", "name_en", "name_zh_hans", "name_zh_hant", "lot", "multiplier", "decimals",
        "tick_table", "listed_from", "listed_to", "product", "expiry", "last_time", "successor", "initial_margin", "maintenance_margin",
    ]

    /// The version is a number made of the rows, so that two ends with the same rows agree; see `version(of:)`.
    static func read(_ table: CSVTable, ticks: TickTables) throws(DataFault) -> InstrumentTable {
        var instruments: [Instrument] = []
        var ids = Set<UInt32>()
        var symbols = Set<String>()
        for row in table.rows {
            let instrument = try read(row, table, ticks)
            guard ids.insert(instrument.id.rawValue).inserted else {
                throw DataFault(file: table.file, line: row.line, reason: "gives the id \(instrument.id.rawValue) again")
            }
            guard symbols.insert(instrument.symbol).inserted || instrument.listedFrom != nil else {
                throw DataFault(
                    file: table.file, line: row.line, reason: "gives the symbol \(instrument.symbol) again without a listing date")
            }
            instruments.append(instrument)
        }
        return InstrumentTable(version: version(of: table), instruments: instruments)
    }

    /// FNV-1a over all fields, kept to 53 bits so that JSON readers hold it exactly.
    private static func version(of table: CSVTable) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for row in table.rows {
            for field in row.fields {
                for byte in field.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                hash = (hash ^ 0x1F) &* 0x100_0000_01b3
            }
        }
        return hash >> 11
    }

    private static func read(_ row: CSVTable.Row, _ table: CSVTable, _ ticks: TickTables) throws(DataFault) -> Instrument {
        func field(_ column: String) -> Substring { row.fields[table.index(column)] }
        func fault(_ column: String) -> DataFault {
            DataFault(file: table.file, line: row.line, reason: "\(column) is \(field(column).prefix(40)), which is not valid")
        }
        func day(_ column: String) throws(DataFault) -> TradingDay? {
            if field(column).isEmpty { return nil }
            guard let day = TradingDay(field(column)) else { throw fault(column) }
            return day
        }
        guard let id = UInt32(field("id")), id > 0 else { throw fault("id") }
        guard let market = Market(rawValue: String(field("market"))) else { throw fault("market") }
        guard let kind = Instrument.Kind(rawValue: String(field("kind"))) else { throw fault("kind") }
        guard let currency = Currency(field("currency")) else { throw fault("currency") }
        guard field("symbol").hasSuffix("." + market.suffix), field("symbol").utf8.count <= 32 else { throw fault("symbol") }
        guard !field("code").isEmpty, field("code").utf8.count <= 24 else { throw fault("code") }
        guard let lot = scaledDecimal(field("lot"), scale: 8), lot > 0 else { throw fault("lot") }
        guard let multiplier = Int64(field("multiplier")), multiplier > 0 else { throw fault("multiplier") }
        guard let decimals = Int(field("decimals")), (0...9).contains(decimals) else { throw fault("decimals") }
        guard ticks.has(String(field("tick_table"))) else { throw fault("tick_table") }
        var instrument = Instrument(
            id: InstrumentID(id), market: market, code: String(field("code")), symbol: String(field("symbol")), kind: kind,
            currency: currency,
            names: .init(
                english: String(field("name_en")), simplified: String(field("name_zh_hans")), traditional: String(field("name_zh_hant"))),
            lot: Quantity(units: lot), multiplier: multiplier, decimals: decimals, tickTable: String(field("tick_table")),
            listedFrom: try day("listed_from"), listedTo: try day("listed_to"),
            successor: UInt32(field("successor")).map { InstrumentID($0) })
        guard kind == .future else { return instrument }
        guard let expiry = try day("expiry") else { throw fault("expiry") }
        guard !field("product").isEmpty else { throw fault("product") }
        let lastMinute = CalendarReader.minute(field("last_time"))
        guard field("last_time").isEmpty || lastMinute != nil else { throw fault("last_time") }
        guard let initial = scaledDecimal(field("initial_margin"), scale: 6), initial > 0 else { throw fault("initial_margin") }
        guard let maintenance = scaledDecimal(field("maintenance_margin"), scale: 6), maintenance > 0 else {
            throw fault("maintenance_margin")
        }
        instrument.future = .init(
            product: String(field("product")), expiry: expiry, lastMinute: lastMinute,
            initialMargin: Money(micros: initial, currency: currency), maintenanceMargin: Money(micros: maintenance, currency: currency))
        return instrument
    }
}
