public import Exact
public import Instruments
public import Messages
public import Texts

/// How prices, sizes and times of instruments are written (design §4). Every line and program shows them through here.
public enum Display {
    /// What stands where a number is not known. Never 0.
    public static let missing = "—"

    /// The instrument's decimals, more (up to 4) where fewer would hide a part of the price.
    public static func price(_ price: Price?, of instrument: Instrument) -> String {
        guard let price else { return missing }
        return NumberFormat.fixed(price.nanos, scale: Price.places, decimals: decimals(price.nanos, of: instrument))
    }

    /// Last − previous close, signed, with the price's decimals.
    public static func change(_ last: Price?, from previous: Price?, of instrument: Instrument) -> String {
        guard let last, let previous else { return missing }
        let (difference, overflow) = last.nanos.subtractingReportingOverflow(previous.nanos)
        guard !overflow else { return missing }
        let places = max(decimals(last.nanos, of: instrument), decimals(previous.nanos, of: instrument))
        return NumberFormat.fixed(difference, scale: Price.places, decimals: places, sign: .always)
    }

    /// Of the previous close; missing where that is zero or below (a negative price has no meaningful percentage).
    public static func percent(_ last: Price?, from previous: Price?) -> String {
        guard let last, let previous, previous.nanos > 0 else { return missing }
        let (difference, overflow) = last.nanos.subtractingReportingOverflow(previous.nanos)
        guard !overflow else { return missing }
        return NumberFormat.percent(difference, of: previous.nanos) ?? missing
    }

    /// Whole as a rule; fractions only where there are any. Never abbreviated.
    public static func quantity(_ quantity: Quantity) -> String {
        NumberFormat.fixed(
            quantity.units, scale: Quantity.places, decimals: Instrument.exactDecimals(quantity.units, scale: Quantity.places))
    }

    /// `1,234.50`, without the currency.
    public static func money(_ money: Money?, signed: Bool = false) -> String {
        guard let money else { return missing }
        return NumberFormat.fixed(money.micros, scale: Money.places, decimals: 2, sign: signed ? .always : .plain)
    }

    /// A cost or another exact fraction in the instrument's price, half up to at most two decimals more than its prices have; zeros behind
    /// the price's own decimals are left out.
    public static func cost(_ ratio: Ratio?, of instrument: Instrument) -> String {
        guard let ratio, let price = try? Price(ratio, rounding: .halfUp) else { return missing }
        let usual = instrument.usualDecimals(near: price)
        guard let scaled = try? ratio.scaled(places: usual + 2, .halfUp) else { return missing }
        let needed = Instrument.exactDecimals(scaled, scale: usual + 2)
        return NumberFormat.fixed(scaled, scale: usual + 2, decimals: max(usual, needed))
    }

    public static func name(_ instrument: Instrument, in language: Language) -> String {
        let names = instrument.names
        let choice =
            switch language {
            case .english: [names.english]
            case .simplifiedChinese: [names.simplified, names.english]
            case .traditionalChinese: [names.traditional, names.simplified, names.english]
            }
        return choice.first { !$0.isEmpty } ?? instrument.code
    }

    /// The exchange's own zone, named.
    public static func clock(of instrument: Instrument) -> TimeFormat { instrument.clock }

    public static let hongKong = TimeFormat.hongKong
    public static let newYork = TimeFormat.newYork
    public static let chicago = TimeFormat.chicago

    private static func decimals(_ nanos: Int64, of instrument: Instrument) -> Int { instrument.decimals(showing: Price(nanos: nanos)) }
}

extension Phase {
    public var text: Text {
        switch self {
        case .closed: .phaseClosed
        case .auctionInput: .phaseAuctionInput
        case .auctionNoCancel: .phaseAuctionNoCancel
        case .auctionMatching: .phaseAuctionMatching
        case .continuous: .phaseContinuous
        case .break: .phaseBreak
        case .preMarket: .phasePreMarket
        case .postMarket: .phasePostMarket
        case .night: .phaseNight
        case .halted: .phaseHalted
        default: .phaseUnknown
        }
    }
}

extension Provenance {
    /// Where the number comes from, in words. `recordedOn`: yyyymmdd, 0 = none. `level`: of a live feed, what it has at most (F-6).
    public func text(recordedOn: Int32, delaySeconds: UInt32 = 0, level: FeedLevel = .unspecified) -> Text {
        let date = "\(recordedOn / 10_000)-\(pad(recordedOn / 100 % 100))-\(pad(recordedOn % 100))"
        switch self {
        case .live: return level == .last ? .provenanceLiveLast : .provenanceLive
        case .delayed: return .provenanceDelayed(minutes: Int((UInt64(delaySeconds) + 59) / 60))
        case .recorded: return recordedOn > 0 ? .provenanceRecorded(date: date) : .provenanceUnknown
        case .derived: return recordedOn > 0 ? .provenanceDerived(date: date) : .provenanceDerivedUndated
        case .simulated: return .provenanceSimulated
        default: return .provenanceUnknown
        }
    }

    /// One letter for narrow places: L live, D delayed, R recorded, d derived, S simulated.
    public var mark: String {
        switch self {
        case .live: "L"
        case .delayed: "D"
        case .recorded: "R"
        case .derived: "d"
        case .simulated: "S"
        default: "?"
        }
    }

    private func pad(_ n: Int32) -> String { n < 10 ? "0\(n)" : "\(n)" }
}

extension OrderSide {
    public var text: Text { self == .buy ? .sideBuy : self == .sell ? .sideSell : .wordMissing }
}

extension OrderStatus {
    public var text: Text {
        switch self {
        case .working: .statusWorking
        case .partiallyFilled: .statusPartial
        case .filled: .statusFilled
        case .cancelled: .statusCancelled
        case .rejected: .statusRejected
        case .expired: .statusExpired
        default: .statusUnknown
        }
    }
}
