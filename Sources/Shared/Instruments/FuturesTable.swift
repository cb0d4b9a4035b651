public import Exact
import Streams

/// What the exchange says of one futures product (`Data/tables/futures.csv`). Its price steps stand in `ticks.csv` under its name.
public struct FutureProduct: Hashable, Sendable {
    /// `HSI`.
    public var product: String
    /// ISO 10383 code.
    public var market: String
    public var names: Instrument.Names
    public var underlying: String
    /// Currency per point of price and contract.
    public var multiplier: Int64
    /// What the multiplier counts: `troy oz`, `HKD per index point`.
    public var unit: String
    public var currency: Currency
    public var decimals: Int
    public var months: [MonthRule]
    public var lastDay: LastDayRule
    /// Minute of the last trading day at which trading ends, in `timeZone`.
    public var lastMinute: Int
    public var timeZone: String
    /// In words.
    public var settlement: String
    /// A sample of a day in the past, never today's; nil: not known.
    public var margin: MarginSample?
    public var specification: Confidence
    /// Of months, last day and last time.
    public var calendar: Confidence
    public var note: String?

    public struct MarginSample: Hashable, Sendable {
        public var initial: Money
        public var maintenance: Money?
        /// As told: `2025-01-01`, `2020-08`; nil: not told.
        public var date: String?
    }

    /// What a contract of the product is called: `Gold Futures 2026-12`, `黄金期货 2612`.
    /// - Parameter month: 1 to 12.
    public func names(year: Int, month: Int) -> Instrument.Names {
        func two(_ number: Int) -> String { (number % 100 < 10 ? "0" : "") + String(number % 100) }
        let short = two(year) + two(month)
        return .init(
            english: "\(names.english) \(year)-\(two(month))", simplified: names.simplified + " " + short,
            traditional: names.traditional + " " + short)
    }

    /// What one step of the price is worth per contract.
    public func tickValue(_ tick: Price) throws(ArithmeticError) -> Money {
        try Money(price: tick, quantity: .one, multiplier: Quantity(whole: Int(multiplier)), currency: currency, rounding: .halfUp)
    }
}

/// Every futures product by its name.
public struct FuturesTable: Sendable {
    public private(set) var all: [FutureProduct] = []
    private var places: [String: Int] = [:]

    public subscript(product: String) -> FutureProduct? { places[product].map { all[$0] } }

    package static let columns = [
        "product", "market", "name_en", "name_zh_hans", "name_zh_hant", "underlying", "multiplier", "unit", "currency", "decimals",
        "months",
        "last_day", "last_time", "time_zone", "settlement", "initial_margin", "maintenance_margin", "margin_date", "confidence",
        "calendar_confidence", "note",
    ]

    /// Markets that have products here and no instruments yet.
    private static let otherMarkets: Set<String> = ["XINE", "XDCE"]

    /// A market of the symbol table, or one that has products only.
    static func isKnown(market: String) -> Bool { Market(rawValue: market) != nil || market == "US" || otherMarkets.contains(market) }

    package init(_ table: CSVTable) throws(DataFault) {
        for row in table.entries {
            let product = try Self.product(row)
            guard places.updateValue(all.count, forKey: product.product) == nil else { throw row.fault("product stands there twice") }
            all.append(product)
        }
    }

    private static func product(_ row: DatedRow) throws(DataFault) -> FutureProduct {
        let market = try row.name("market")
        guard isKnown(market: market), market != "US" else {
            throw row.fault("market is \(market), which is unknown")
        }
        guard let multiplier = Int64(row.text("multiplier")), (1...1_000_000_000).contains(multiplier) else {
            throw row.fault("multiplier is not a positive whole number")
        }
        guard let currency = Currency(row.text("currency")) else { throw row.fault("currency is not a code") }
        guard let decimals = Int(row.text("decimals")), (0...9).contains(decimals) else { throw row.fault("decimals is not 0 to 9") }
        guard let last = CalendarReader.minute(row.text("last_time")) else { throw row.fault("last_time is not HH:MM") }
        guard let lastDay = LastDayRule(row.text("last_day")) else { throw row.fault("last_day is no rule that is known") }
        let months = row.list("months").map { MonthRule($0) }
        guard !months.contains(nil) else { throw row.fault("months is no rule that is known") }
        return FutureProduct(
            product: try row.name("product"), market: market,
            names: .init(
                english: try row.name("name_en"), simplified: try row.name("name_zh_hans"), traditional: try row.name("name_zh_hant")),
            underlying: try row.name("underlying"), multiplier: multiplier, unit: try row.name("unit"), currency: currency,
            decimals: decimals, months: months.compactMap(\.self), lastDay: lastDay, lastMinute: last, timeZone: try row.name("time_zone"),
            settlement: try row.name("settlement"), margin: try margin(row, currency), specification: try row.confidence(),
            calendar: try row.confidence("calendar_confidence"), note: row.note())
    }

    private static func margin(_ row: DatedRow, _ currency: Currency) throws(DataFault) -> FutureProduct.MarginSample? {
        let initial = try row.decimal("initial_margin", scale: Money.places)
        let maintenance = try row.decimal("maintenance_margin", scale: Money.places)
        guard let initial else { return nil }
        guard initial > 0, (maintenance ?? 1) > 0, (maintenance ?? 0) <= initial else {
            throw row.fault("margins are not positive, or maintenance is above initial")
        }
        return .init(
            initial: Money(micros: initial, currency: currency), maintenance: maintenance.map { Money(micros: $0, currency: currency) },
            date: row.text("margin_date").isEmpty ? nil : String(row.text("margin_date")))
    }
}
