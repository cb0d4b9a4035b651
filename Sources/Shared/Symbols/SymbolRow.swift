import Exact
public import Instruments
import Streams

/// A row of the symbol database: an instrument and what the lists say of it beside (H-5).
public struct SymbolRow: Hashable, Sendable {
    public var instrument: Instrument
    /// Twelve letters and digits, or empty.
    public var isin: String
    public var flags: Flags
    /// The same company's counter in another currency, by code: `80700`; or empty.
    public var counter: String
    /// Shares of a US round lot as published; 0 elsewhere.
    public var roundLot: Int

    /// What Hong Kong's list marks with Y.
    public struct Flags: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        public static let stampDuty = Flags(rawValue: 1)
        public static let shortSelling = Flags(rawValue: 2)
        /// Closing auction.
        public static let closingAuction = Flags(rawValue: 4)
        /// Volatility control mechanism.
        public static let volatilityControl = Flags(rawValue: 8)
        /// Admitted to the clearing house.
        public static let cleared = Flags(rawValue: 16)
        /// Pre-opening session.
        public static let preOpening = Flags(rawValue: 32)
    }

    public init(_ instrument: Instrument, isin: String = "", flags: Flags = [], counter: String = "", roundLot: Int = 0) {
        self.instrument = instrument
        self.isin = isin
        self.flags = flags
        self.counter = counter
        self.roundLot = roundLot
    }
}

/// A row that does not read: which field.
public struct SymbolRowFault: Error, Hashable, Sendable {
    public var field: String
}

extension SymbolRow {
    static let fieldCount = 25

    /// One line, fields between tabs, numbers plain: what hashes are made of and what travels. Two rows are equal when their lines are.
    public var line: String {
        let row = instrument
        func day(_ day: TradingDay?) -> String { day.map { String($0.yyyymmdd) } ?? "" }
        let future = row.future
        let fields: [String] = [
            String(row.id.rawValue), row.market.rawValue, row.code, row.symbol, row.kind.rawValue, row.currency.code, row.names.english,
            row.names.simplified, row.names.traditional, String(row.lot.units), String(row.multiplier), String(row.decimals),
            row.tickTable, day(row.listedFrom), day(row.listedTo), future?.product ?? "", day(future?.expiry),
            future?.lastMinute.map { String($0) } ?? "", row.successor.map { String($0.rawValue) } ?? "",
            future.map { String($0.initialMargin.micros) } ?? "", future.map { String($0.maintenanceMargin.micros) } ?? "", isin,
            String(flags.rawValue), counter, String(roundLot),
        ]
        return fields.joined(separator: "\t")
    }

    /// Reads a line as `line` writes it; anything else is refused.
    public init(line: some StringProtocol) throws(SymbolRowFault) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
        guard fields.count == Self.fieldCount else { throw SymbolRowFault(field: "count") }
        try self.init(fields: fields)
    }

    /// Moves a cursor or turns a line around: in no list, and not to be shown.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<32, 127..<160, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFFFD: true
        default: false
        }
    }

    /// Whole units, at most a thousand million.
    private static func lot(_ units: Int64) throws(SymbolRowFault) -> Quantity {
        let (whole, part) = units.quotientAndRemainder(dividingBy: 100_000_000)
        guard part == 0, whole <= 1_000_000_000 else { throw SymbolRowFault(field: "lot") }
        return Quantity(units: units)
    }

    /// The fields of `line` in its order.
    init(fields: [String]) throws(SymbolRowFault) {
        func text(_ place: Int, _ name: String, _ limit: Int, isOptional: Bool = false) throws(SymbolRowFault) -> String {
            let value = fields[place]
            guard value.utf8.count <= limit, isOptional || !value.isEmpty, !value.unicodeScalars.contains(where: Self.isControl) else {
                throw SymbolRowFault(field: name)
            }
            return value
        }
        func number(_ place: Int, _ name: String, in range: ClosedRange<Int64>) throws(SymbolRowFault) -> Int64 {
            guard let value = Int64(fields[place]), range.contains(value), String(value) == fields[place] else {
                throw SymbolRowFault(field: name)
            }
            return value
        }
        func day(_ place: Int, _ name: String) throws(SymbolRowFault) -> TradingDay? {
            if fields[place].isEmpty { return nil }
            guard let day = Int32(fields[place]).flatMap({ TradingDay(yyyymmdd: $0) }) else { throw SymbolRowFault(field: name) }
            return day
        }
        let id = try number(0, "id", in: 1...Int64(UInt32.max))
        guard let market = Market(rawValue: fields[1]) else { throw SymbolRowFault(field: "market") }
        guard let kind = Instrument.Kind(rawValue: fields[4]) else { throw SymbolRowFault(field: "kind") }
        guard let currency = Currency(fields[5]) else { throw SymbolRowFault(field: "currency") }
        let symbol = try text(3, "symbol", 32)
        guard symbol.hasSuffix("." + market.suffix) else { throw SymbolRowFault(field: "symbol") }
        var instrument = Instrument(
            id: InstrumentID(UInt32(id)), market: market, code: try text(2, "code", 24), symbol: symbol, kind: kind, currency: currency,
            names: .init(
                english: try text(6, "name_en", 256), simplified: try text(7, "name_zh_hans", 256, isOptional: true),
                traditional: try text(8, "name_zh_hant", 256, isOptional: true)),
            lot: try Self.lot(number(9, "lot", in: 1...Int64.max)), multiplier: try number(10, "multiplier", in: 1...1_000_000_000),
            decimals: Int(try number(11, "decimals", in: 0...9)), tickTable: try text(12, "tick_table", 16),
            listedFrom: try day(13, "listed_from"), listedTo: try day(14, "listed_to"))
        if !fields[18].isEmpty { instrument.successor = InstrumentID(UInt32(try number(18, "successor", in: 1...Int64(UInt32.max)))) }
        if kind == .future {
            guard let expiry = try day(16, "expiry") else { throw SymbolRowFault(field: "expiry") }
            let minute = fields[17].isEmpty ? nil : Int(try number(17, "last_minute", in: 0...1_440))
            instrument.future = .init(
                product: try text(15, "product", 16), expiry: expiry, lastMinute: minute,
                initialMargin: Money(micros: try number(19, "initial_margin", in: 1...Int64.max), currency: currency),
                maintenanceMargin: Money(micros: try number(20, "maintenance_margin", in: 1...Int64.max), currency: currency))
        } else if fields[15...17].contains(where: { !$0.isEmpty }) || !fields[19].isEmpty || !fields[20].isEmpty {
            throw SymbolRowFault(field: "product")
        }
        let isin = try text(21, "isin", 12, isOptional: true)
        guard isin.isEmpty || isin.utf8.count == 12 else { throw SymbolRowFault(field: "isin") }
        self.init(
            instrument, isin: isin, flags: Flags(rawValue: UInt8(try number(22, "flags", in: 0...255))),
            counter: try text(23, "counter", 24, isOptional: true), roundLot: Int(try number(24, "round_lot", in: 0...1_000_000)))
    }
}
