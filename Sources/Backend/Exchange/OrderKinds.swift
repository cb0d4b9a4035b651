import Instruments
import Messages

/// Types of order with their times in force, as far as commands name them. A market order keeps nothing resting, whatever it says.
struct OrderKinds: OptionSet, Hashable, Sendable {
    var rawValue: UInt8

    static let limitDay = OrderKinds(rawValue: 1)
    static let limitIOC = OrderKinds(rawValue: 2)
    static let limitFOK = OrderKinds(rawValue: 4)
    static let market = OrderKinds(rawValue: 8)

    /// Of one command whose type and time in force are known ones.
    init(_ command: PlaceOrder) {
        switch (command.type, command.timeInForce) {
        case (.market, _): self = .market
        case (_, .ioc): self = .limitIOC
        case (_, .fok): self = .limitFOK
        default: self = .limitDay
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// As the catalogues have it.
    var word: String {
        switch self {
        case .market: "market-order"
        case .limitIOC: "limit-ioc"
        case .limitFOK: "limit-fok"
        default: "limit-day"
        }
    }

    // MARK: What the table says

    /// The table's names for the phases in which a market trades.
    private static func phases(_ market: Market) -> (continuous: [String], night: [String]) {
        switch market {
        case .xhkg: (["continuous-morning", "continuous-afternoon"], [])
        case .xnas, .xnys, .arcx, .xase, .bats, .iexg: (["regular"], [])
        case .xhkf: (["day-morning", "day-afternoon"], ["t-plus-1"])
        case .xcme, .xcbt, .xnym, .xcec: (["globex"], ["globex"])
        case .xsge, .ccfx: (["day"], ["night"])
        case .indx: ([], [])
        }
    }

    static func taken(_ table: OrderTypeTable, _ market: Market) -> (continuous: OrderKinds, night: OrderKinds) {
        let phases = phases(market)
        return (taken(table, market, phases.continuous), taken(table, market, phases.night))
    }

    /// What is taken in each of the phases.
    private static func taken(_ table: OrderTypeTable, _ market: Market, _ phases: [String]) -> OrderKinds {
        let each = phases.map { phase in
            table.rows.filter { row in
                row.phase == phase && (row.market == market.rawValue || row.market == "US" && market.isUnitedStates)
            }.reduce(into: OrderKinds()) { $0.formUnion(OrderKinds($1)) }
        }
        return each.dropFirst().reduce(each.first ?? []) { $0.intersection($1) }
    }

    /// What one row lets in. What is a broker's to do (a market order in Hong Kong) is done here too: this exchange is the user's broker.
    private init(_ row: OrderTypeTable.Row) {
        self = []
        guard row.new == .yes || row.new == .broker else { return }
        switch row.type {
        case "market", "market-with-protection": self = .market
        // What does not trade at once is cancelled.
        case "special-limit": self = .limitIOC
        case "limit":
            if row.timesInForce.contains("day") { insert(.limitDay) }
            if row.timesInForce.contains("ioc") { insert(.limitIOC) }
            if row.timesInForce.contains("fok") { insert(.limitFOK) }
        default: break
        }
    }
}
