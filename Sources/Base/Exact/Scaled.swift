/// A price: Int64 × 10⁻⁹ of the instrument's currency (or index points). A missing price is `Price?`, never zero; negative futures
/// prices are legal (C-6).
public struct Price: Hashable, Sendable {
    public var nanos: Int64
    public init(nanos: Int64) { self.nanos = nanos }
}

/// A quantity: Int64 × 10⁻⁸ of a share or contract. Shorts are negative.
public struct Quantity: Hashable, Sendable {
    public var units: Int64
    public init(units: Int64) { self.units = units }
}

/// An amount of money: Int64 × 10⁻⁶ of `currency`.
public struct Money: Hashable, Sendable {
    public var micros: Int64
    public var currency: Currency
    public init(micros: Int64, currency: Currency) {
        self.micros = micros
        self.currency = currency
    }
}

/// An ISO 4217 code, e.g. `HKD`; three letters packed into 32 bits.
public struct Currency: Hashable, Sendable {
    public let packed: UInt32

    /// Nil unless `code` is three letters A–Z.
    public init?(_ code: some StringProtocol) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        packed = code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private init(packed: UInt32) { self.packed = packed }
    public static let hkd = Currency(packed: 0x48_4B_44)
    public static let usd = Currency(packed: 0x55_53_44)
    public static let cny = Currency(packed: 0x43_4E_59)
}

/// Units of the quote currency for one unit of the base currency: Int64 × 10⁻⁹.
public struct FXRate: Hashable, Sendable {
    public var nanos: Int64
    public var base: Currency
    public var quote: Currency
    public init(nanos: Int64, base: Currency, quote: Currency) {
        self.nanos = nanos
        self.base = base
        self.quote = quote
    }
}
