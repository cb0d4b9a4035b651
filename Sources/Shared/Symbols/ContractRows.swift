import Exact
import Instruments
import Streams

/// Why a futures product has no contracts in a database.
public enum ContractGap: Hashable, Sendable {
    /// Its market is none that instruments are of here.
    case market(String)
    /// No margin is known, without which no order can be checked.
    case margin
    case priceSteps
    /// The days it trades on are not known.
    case calendar(String)
}

/// The contracts of every futures product by its rules (`Data/tables/futures.csv`): every month that is listed on the day of a release or
/// comes to be listed later, while its last trading day is in this year or the next, for which holidays are known.
struct ContractRows {
    var contracts: [Instrument] = []
    /// Products without contracts here, and why.
    private(set) var leftOut: [(product: String, gap: ContractGap)] = []

    /// The contracts have no ids yet.
    init(_ facts: MarketFacts, on day: TradingDay) throws(DataFault) {
        for product in facts.futures.all {
            guard let market = Market(rawValue: product.market) else {
                leftOut.append((product.product, .market(product.market)))
                continue
            }
            guard let margin = product.margin else {
                leftOut.append((product.product, .margin))
                continue
            }
            guard facts.ticks.has(product.product) else {
                leftOut.append((product.product, .priceSteps))
                continue
            }
            do throws(CalendarFault) {
                contracts += try Self.contracts(product, market, margin, facts.calendar, day)
            } catch {
                leftOut.append((product.product, .calendar(error.calendar.rawValue)))
            }
        }
    }

    private static func contracts(
        _ product: FutureProduct, _ market: Market, _ margin: FutureProduct.MarginSample, _ calendar: MarketCalendar, _ day: TradingDay
    ) throws(CalendarFault) -> [Instrument] {
        let followed = instrument(product, market, margin, (2000, 1), day).calendar
        // Nil where the days that count reach past the last year.
        func last(_ month: ContractMonth) throws(CalendarFault) -> TradingDay? {
            var isBeyond = false
            let end = try product.lastTradingDay(of: month) { date throws(CalendarFault) in
                if date.year > day.year + 1 { isBeyond = true }
                return isBeyond ? false : try calendar.isTradingDay(date, followed)
            }
            return isBeyond ? nil : end
        }
        var found: [ContractMonth: Instrument] = [:]
        var spot = ContractMonth(year: day.year, month: day.month)
        var before: TradingDay?
        while let current = spot, let end = try last(current), end.year <= day.year + 1 {
            spot = ContractMonth(year: current.month == 12 ? current.year + 1 : current.year, month: current.month % 12 + 1)
            if end < day { continue }
            for month in product.months(from: current) where found[month] == nil {
                guard let expiry = try last(month), expiry >= day, expiry.year <= day.year + 1 else { continue }
                var contract = instrument(product, market, margin, (month.year, month.month), expiry)
                contract.listedFrom = before?.following
                found[month] = contract
            }
            before = end
        }
        return found.keys.sorted().compactMap { found[$0] }
    }

    private static func instrument(
        _ product: FutureProduct, _ market: Market, _ margin: FutureProduct.MarginSample, _ month: (year: Int, month: Int),
        _ expiry: TradingDay
    ) -> Instrument {
        func two(_ number: Int) -> String { (number % 100 < 10 ? "0" : "") + String(number % 100) }
        let short = two(month.year) + two(month.month)
        let code = product.product + short
        // China's exchanges ask one margin.
        return Instrument(
            id: InstrumentID(0), market: market, code: code, symbol: code + "." + market.suffix, kind: .future, currency: product.currency,
            names: product.names(year: month.year, month: month.month),
            lot: .one, multiplier: product.multiplier, decimals: product.decimals, tickTable: product.product,
            future: .init(
                product: product.product, expiry: expiry, lastMinute: product.lastMinute, initialMargin: margin.initial,
                maintenanceMargin: margin.maintenance ?? margin.initial))
    }
}
