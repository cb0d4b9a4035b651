public import Exact
public import Instruments
public import Messages

/// What one position needs for its profit, as the gateway says it.
public struct Holding: Hashable, Sendable {
    public var instrument: InstrumentID
    public var symbol: String
    public var market: Market
    /// Shorts are negative.
    public var quantity: Quantity
    /// Signed as the quantity: total paid, without fees.
    public var cost: Money
    /// Currency units for one point of one contract; 1 for stocks.
    public var multiplier: Int64

    public init(instrument: InstrumentID, symbol: String, market: Market, quantity: Quantity, cost: Money, multiplier: Int64) {
        self.instrument = instrument
        self.symbol = symbol
        self.market = market
        self.quantity = quantity
        self.cost = cost
        self.multiplier = multiplier
    }

    /// Nil where the message names no currency that exists.
    public init?(_ position: Position, of instrument: Instrument) {
        guard let currency = Currency(position.currency) else { return nil }
        self.init(
            instrument: instrument.id, symbol: instrument.symbol, market: instrument.market,
            quantity: Quantity(units: position.quantity), cost: Money(micros: position.cost, currency: currency),
            multiplier: instrument.multiplier)
    }
}

/// Floating profit of one position (E-3) with everything it was worked out from (E-5). Exact; rounding is the display's.
public struct PositionProfit: Hashable, Sendable {
    public var holding: Holding
    /// The cost of one unit, exact; nil where the books cannot give one.
    public var averageCost: Ratio?
    public var price: Price?
    /// (price − average cost) × quantity × multiplier in the position's own currency.
    public var own: Ratio?
    /// Price × quantity × multiplier in the position's own currency.
    public var value: Ratio?
    public var ownCurrency: Currency { holding.cost.currency }
}

/// Profit of all positions in one currency: what is known, and by name what is missing (never counted as zero).
public struct ProfitTotal: Hashable, Sendable {
    public var currency: Currency
    /// Exact sum of the parts that are known.
    public var known: Ratio
    /// Rate used for each currency of the positions, exact.
    public var rates: [Currency: Ratio]
    /// By market: nil where any position of it lacks a price or a rate.
    public var markets: [Market: Ratio?]
    public var missing: [Missing]

    public enum Missing: Hashable, Sendable {
        case price(symbol: String)
        case rate(from: Currency, to: Currency)
        case overflow(symbol: String)
    }

    public var isComplete: Bool { missing.isEmpty }
    /// The one rounding, at display: half up to `decimals`. Nil where anything is missing, or too large to show.
    public func shown(decimals: Int = 2) -> Money? {
        guard isComplete else { return nil }
        return known.money(currency, decimals: decimals)
    }
}

extension Ratio {
    /// This amount rounded half up to that many decimals; nil where it does not fit.
    public func money(_ currency: Currency, decimals: Int = 2) -> Money? {
        let places = min(max(decimals, 0), Money.places)
        do {
            let scaled = try scaled(places: places, .halfUp)
            let factor = (0..<(Money.places - places)).reduce(Int64(1)) { result, _ in result * 10 }
            let (micros, overflow) = scaled.multipliedReportingOverflow(by: factor)
            return overflow ? nil : Money(micros: micros, currency: currency)
        } catch { return nil }
    }
}

/// Floating profit on the client (E-3): pure, exact, one rounding at display.
public enum ProfitAndLoss {
    public static func profit(_ holding: Holding, price: Price?) -> PositionProfit {
        var result = PositionProfit(holding: holding, averageCost: nil, price: price, own: nil, value: nil)
        do {
            guard holding.quantity.units != 0 else {
                result.own = .zero
                result.value = .zero
                return result
            }
            let multiplier = Ratio(Int(holding.multiplier))
            let size = try holding.quantity.ratio.multiplied(by: multiplier)
            let average = try holding.cost.ratio.divided(by: size)
            result.averageCost = average
            guard let price else { return result }
            result.own = try price.ratio.subtracting(average).multiplied(by: size)
            result.value = try price.ratio.multiplied(by: size)
        } catch {
            // Too large to be exact: stays missing, never wrong. `total` names it.
            result.own = nil
            result.value = nil
        }
        return result
    }

    /// What the open futures of a currency have lost at `price` of each, together and never above zero, in millionths: it backs no new order
    /// (N-4). Nil where one has no price, is not known or is too large.
    public static func floatingLoss(
        _ positions: [Position], in currency: Currency, _ table: InstrumentTable, price: (InstrumentID) -> Price?
    ) -> Int64? {
        var sum = Int128(0)
        for position in positions where position.quantity != 0 && position.currency == currency.code {
            guard let instrument = table[InstrumentID(position.instrument)] else { return nil }
            guard instrument.future != nil else { continue }
            guard let price = price(instrument.id), let multiplier = try? Quantity(whole: Int(instrument.multiplier)),
                let worth = try? Money(
                    price: price, quantity: Quantity(units: position.quantity), multiplier: multiplier, currency: currency,
                    rounding: .halfEven)
            else { return nil }
            sum += Int128(worth.micros) - Int128(position.cost)
        }
        return Int64(exactly: min(0, sum))
    }

    /// The sum in `currency`. A position without price, a currency without rate and an overflow are named in `missing`.
    public static func total(_ profits: [PositionProfit], in currency: Currency, rates table: FXTable) -> ProfitTotal {
        var result = ProfitTotal(currency: currency, known: .zero, rates: [:], markets: [:], missing: [])
        for profit in profits where profit.holding.quantity.units != 0 {
            let market = profit.holding.market
            switch part(profit, in: currency, rates: table, used: &result.rates) {
            case .success(let amount):
                do {
                    let known = try result.known.adding(amount)
                    if let before = result.markets[market, default: .some(.zero)] {
                        result.markets[market] = .some(try before.adding(amount))
                    }
                    result.known = known
                } catch {
                    result.markets[market] = .some(nil)
                    result.missing.append(.overflow(symbol: profit.holding.symbol))
                }
            case .failure(let gap):
                result.markets.updateValue(nil, forKey: market)
                if !result.missing.contains(gap.missing) { result.missing.append(gap.missing) }
            }
        }
        return result
    }

    private struct Gap: Error { var missing: ProfitTotal.Missing }

    private static func part(
        _ profit: PositionProfit, in currency: Currency, rates table: FXTable, used: inout [Currency: Ratio]
    ) -> Result<Ratio, Gap> {
        guard profit.price != nil else { return .failure(Gap(missing: .price(symbol: profit.holding.symbol))) }
        guard let own = profit.own else { return .failure(Gap(missing: .overflow(symbol: profit.holding.symbol))) }
        do {
            guard let rate = try table.factor(from: profit.ownCurrency, to: currency) else {
                return .failure(Gap(missing: .rate(from: profit.ownCurrency, to: currency)))
            }
            used[profit.ownCurrency] = rate
            return .success(try own.multiplied(by: rate))
        } catch {
            return .failure(Gap(missing: .overflow(symbol: profit.holding.symbol)))
        }
    }
}
