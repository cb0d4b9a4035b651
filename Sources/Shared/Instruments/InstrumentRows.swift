import Exact
public import Messages
import Streams

/// A row another end sent does not describe an instrument.
public struct InstrumentRowFault: Error, Hashable, Sendable {
    public var id: UInt32
    public var field: String
}

extension Instrument {
    /// As sent in band (H-5).
    public var row: InstrumentRow {
        var row = InstrumentRow()
        row.id = id.rawValue
        row.market = market.rawValue
        row.code = code
        row.symbol = symbol
        row.kind = kind.message
        row.currency = currency.text
        row.nameEn = names.english
        row.nameZhHans = names.simplified
        row.nameZhHant = names.traditional
        row.lot = lot.units
        row.multiplier = multiplier * 100_000_000
        row.decimals = UInt32(decimals)
        row.tickTable = tickTable
        row.listedFrom = listedFrom?.yyyymmdd ?? 0
        row.listedTo = listedTo?.yyyymmdd ?? 0
        row.successor = successor?.rawValue ?? 0
        if let future {
            row.product = future.product
            row.expiry = future.expiry.yyyymmdd
            row.initialMargin = future.initialMargin.micros
            row.maintenanceMargin = future.maintenanceMargin.micros
        }
        return row
    }

    /// Checks what a server sent; the last minute of a future is not sent.
    public init(_ row: InstrumentRow) throws(InstrumentRowFault) {
        func fault(_ field: String) -> InstrumentRowFault { InstrumentRowFault(id: row.id, field: field) }
        guard row.id > 0 else { throw fault("id") }
        guard let market = Market(rawValue: row.market) else { throw fault("market") }
        guard let currency = Currency(row.currency) else { throw fault("currency") }
        guard let kind = Kind(row.kind) else { throw fault("kind") }
        guard row.lot > 0 else { throw fault("lot") }
        guard row.multiplier > 0, row.multiplier % 100_000_000 == 0 else { throw fault("multiplier") }
        guard row.decimals <= 9 else { throw fault("decimals") }
        guard !row.symbol.isEmpty, row.symbol.utf8.count <= 32, row.code.utf8.count <= 24 else { throw fault("symbol") }
        self.init(
            id: InstrumentID(row.id), market: market, code: row.code, symbol: row.symbol, kind: kind, currency: currency,
            names: .init(english: row.nameEn, simplified: row.nameZhHans, traditional: row.nameZhHant), lot: Quantity(units: row.lot),
            multiplier: row.multiplier / 100_000_000, decimals: Int(row.decimals), tickTable: row.tickTable,
            listedFrom: TradingDay(yyyymmdd: row.listedFrom), listedTo: TradingDay(yyyymmdd: row.listedTo),
            successor: row.successor == 0 ? nil : InstrumentID(row.successor))
        guard kind == .future else { return }
        guard let expiry = TradingDay(yyyymmdd: row.expiry), !row.product.isEmpty else { throw fault("expiry") }
        future = .init(
            product: row.product, expiry: expiry, lastMinute: nil, initialMargin: Money(micros: row.initialMargin, currency: currency),
            maintenanceMargin: Money(micros: row.maintenanceMargin, currency: currency))
    }
}

extension Currency {
    /// `HKD`.
    var text: String {
        String(
            decoding: [UInt8(truncatingIfNeeded: packed >> 16), UInt8(truncatingIfNeeded: packed >> 8), UInt8(truncatingIfNeeded: packed)],
            as: UTF8.self)
    }
}

extension Instrument.Kind {
    /// As messages name it.
    public var message: ProductKind {
        switch self {
        case .stock: .stock
        case .etf: .etf
        case .future: .future
        case .index: .index
        case .reit: .reit
        case .preferred: .preferred
        case .unit: .unit
        case .right: .right
        case .warrant: .warrant
        case .structured: .structured
        case .debt: .debt
        }
    }

    /// Nil: none, or one that a newer version made.
    public init?(_ message: ProductKind) {
        guard let kind = Self.allCases.first(where: { $0.message == message }) else { return nil }
        self = kind
    }
}
