import Exact
import Streams

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
