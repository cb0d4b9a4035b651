/// Where an instrument is listed. Raw values are ISO 10383 codes, except `INDX`: computed, not tradable.
public enum Market: String, Hashable, Sendable, CaseIterable {
    case xhkg = "XHKG"
    case xnas = "XNAS"
    case xnys = "XNYS"
    case arcx = "ARCX"
    /// NYSE American.
    case xase = "XASE"
    /// Cboe BZX.
    case bats = "BATS"
    case iexg = "IEXG"
    case xhkf = "XHKF"
    case xcme = "XCME"
    case xcbt = "XCBT"
    case xnym = "XNYM"
    case xcec = "XCEC"
    case xsge = "XSGE"
    case ccfx = "CCFX"
    case indx = "INDX"

    /// What follows the dot of a symbol: `700.HK`.
    public var suffix: String {
        switch self {
        case .xhkg: "HK"
        case .xnas, .xnys, .arcx, .xase, .bats, .iexg: "US"
        case .xhkf: "HKFE"
        case .xcme: "CME"
        case .xcbt: "CBOT"
        case .xnym: "NYMEX"
        case .xcec: "COMEX"
        case .xsge: "SHFE"
        case .ccfx: "CFFEX"
        case .indx: "INDX"
        }
    }

    /// US stock exchanges: one tape, one currency, one calendar.
    public var isUnitedStates: Bool { suffix == "US" }
}

/// Which table of sessions and holidays a market follows (`Data/tables/calendars.csv`).
public struct CalendarID: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let hongKong = CalendarID("XHKG")
    public static let hongKongIndices = CalendarID("INDX-HK")
    public static let unitedStates = CalendarID("XNYS")
    public static let unitedStatesIndices = CalendarID("INDX-US")
    public static let hongKongFutures = CalendarID("XHKF")
    public static let cmeEquityIndices = CalendarID("XCME")
    public static let cmeCurrencies = CalendarID("XCME-FX")
    public static let cbotInterestRates = CalendarID("XCBT")
    public static let nymexEnergy = CalendarID("XNYM")
    public static let comexMetals = CalendarID("XCEC")
    public static let shanghaiFutures = CalendarID("XSGE")
    public static let shanghaiFuturesTo0100 = CalendarID("XSGE-0100")
    public static let shanghaiFuturesTo0230 = CalendarID("XSGE-0230")
    public static let chinaFinancialFutures = CalendarID("CCFX")
}
