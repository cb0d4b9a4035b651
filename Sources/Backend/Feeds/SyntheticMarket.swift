import Exact
public import Instruments
import Messages
public import Streams

/// What a synthetic feed is made from: the same plan gives the same events. Everything it says is marked simulated (F-7).
public struct SyntheticPlan: Hashable, Sendable {
    public var seed: UInt64
    /// How many instruments have prices: those of the table first, then test instruments made for the purpose.
    public var instruments: Int
    /// About the time between two updates of one instrument while it trades.
    public var interval: Duration

    public static let mostInstruments = 20_000

    public init(seed: UInt64 = 1, instruments: Int = 2_000, interval: Duration = .seconds(1)) {
        self.seed = seed
        self.instruments = min(max(instruments, 1), Self.mostInstruments)
        self.interval = max(interval, .milliseconds(10))
    }
}

/// Instruments that exist in a synthetic feed only.
public enum SyntheticMarket {
    /// The facts with as many test instruments as the plan needs beyond the table: by turns Hong Kong and US stocks, named as simulated.
    public static func facts(_ facts: MarketFacts, for plan: SyntheticPlan, on day: TradingDay) -> MarketFacts {
        let listed = facts.instruments.all.filter { $0.isListed(on: day) }
        guard let hongKong = listed.first(where: { $0.market == .xhkg && $0.kind == .stock }),
            let unitedStates = listed.first(where: { $0.market.isUnitedStates && $0.kind == .stock })
        else { return facts }
        let missing = max(0, plan.instruments - listed.count)
        var facts = facts
        facts.add((0..<missing).map { number in made(number, like: number % 2 == 0 ? hongKong : unitedStates, seed: plan.seed) })
        return facts
    }

    private static func made(_ number: Int, like model: Instrument, seed: UInt64) -> Instrument {
        var random = SeededRandom(seed: seed, UInt64(number), 1)
        let digits = String(number + 1)
        let code = "SIM" + String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
        let lots: [Int64] = model.market == .xhkg ? [100, 200, 500, 1000, 2000] : [1]
        var instrument = model
        instrument.id = InstrumentID(InstrumentID.firstSimulated.rawValue + UInt32(number))
        instrument.code = code
        instrument.symbol = code + (model.market == .xhkg ? ".HK" : ".US")
        instrument.names = .init(
            english: "Simulated \(number + 1)", simplified: "模拟证券\(number + 1)", traditional: "模擬證券\(number + 1)")
        instrument.lot = Quantity(units: lots[Int(random.below(Int64(lots.count)))] * 100_000_000)
        instrument.listedFrom = nil
        instrument.listedTo = nil
        instrument.successor = nil
        return instrument
    }

    /// The instruments that get prices, in order of id.
    static func chosen(_ facts: MarketFacts, _ plan: SyntheticPlan, on day: TradingDay) -> [Instrument] {
        let listed = facts.instruments.all.filter { $0.isListed(on: day) }.sorted { $0.id < $1.id }
        return Array(listed.prefix(plan.instruments))
    }
}
