public import Exact
public import Texts

/// How an instrument's prices and times are written, the same in the server's answers and on every screen.
extension Instrument {
    /// HK stocks 3 decimals below 10.000, else 2; US stocks 4 below 1.0000, else 2; others as the table says; never fewer than the price
    /// needs, up to 4.
    public func decimals(showing price: Price) -> Int {
        max(usualDecimals(near: price), min(Self.exactDecimals(price.nanos, scale: Price.places), 4))
    }

    /// The decimals its prices have around that one.
    public func usualDecimals(near price: Price) -> Int {
        if market == .xhkg { return price.nanos < 10_000_000_000 ? 3 : 2 }
        if market.isUnitedStates { return price.nanos < 1_000_000_000 ? 4 : 2 }
        return decimals
    }

    /// What its quantities count, as an argument of errors (`word.…` of the texts): `share`, `shares`, `contract`, `contracts`.
    public func unit(of quantity: Quantity) -> String { (future == nil ? "share" : "contract") + (quantity == .one ? "" : "s") }

    /// A plain decimal with the places its prices have, more where the price needs them, never rounded: `350.00`. For arguments of
    /// errors, which programs read too; nil is `—`.
    public func plain(_ price: Price?) -> String {
        guard let price else { return "—" }
        let places = max(usualDecimals(near: price), Self.exactDecimals(price.nanos, scale: Price.places))
        return NumberFormat.fixed(price.nanos, scale: Price.places, decimals: places, grouping: false)
    }

    /// The exchange's own zone, named.
    public var clock: TimeFormat {
        switch market {
        case .xhkg, .xhkf: .hongKong
        case .xnas, .xnys, .arcx, .xase, .bats, .iexg, .xnym, .xcec: .newYork
        case .xcme, .xcbt: .chicago
        case .xsge, .ccfx: .beijing
        case .indx: calendar == .hongKongIndices ? .hongKong : .newYork
        }
    }

    package static func exactDecimals(_ value: Int64, scale: Int) -> Int {
        var rest = value
        var places = scale
        while places > 0, rest % 10 == 0 {
            rest /= 10
            places -= 1
        }
        return places
    }
}

extension TimeFormat {
    // A system without the tz database still shows a named time: UTC.
    public static let hongKong = TimeFormat(zone: "Asia/Hong_Kong", tag: "HKT") ?? .utc
    public static let newYork = TimeFormat(zone: "America/New_York", tag: "ET") ?? .utc
    public static let beijing = TimeFormat(zone: "Asia/Shanghai", tag: "BJT") ?? .utc
    public static let chicago = TimeFormat(zone: "America/Chicago", tag: "CT") ?? .utc
}
