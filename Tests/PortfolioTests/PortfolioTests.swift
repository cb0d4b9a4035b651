import Exact
import Instruments
import Messages
import Streams
import Testing
import Texts

@testable import Portfolio

private func holding(
    _ symbol: String = "700.HK", _ market: Market = .xhkg, units: Int64 = 100, cost: String, currency: Currency = .hkd,
    multiplier: Int64 = 1
) throws -> Holding {
    Holding(
        instrument: InstrumentID(1), symbol: symbol, market: market, quantity: try Quantity(whole: Int(units)),
        cost: try Money(cost, currency: currency), multiplier: multiplier)
}

struct ProfitTests {
    let rates = FXTable([FXRate(nanos: 7_800_000_000, base: .usd, quote: .hkd)])

    @Test("E-3 price less average cost, times quantity, multiplier and rate, rounded once")
    func formula() throws {
        let profits = [
            ProfitAndLoss.profit(try holding(units: 300, cost: "100000"), price: try Price("333.34")),
            ProfitAndLoss.profit(try holding("AAPL.US", .xnas, units: 7, cost: "1000", currency: .usd), price: try Price("150.01")),
        ]
        #expect(profits[0].own == (try Ratio("2")))
        let hkd = ProfitAndLoss.total(profits, in: .hkd, rates: rates)
        // 2 + 50.07 × 7.8 = 392.546
        #expect(hkd.shown()?.text == "392.55")
        #expect(ProfitAndLoss.total(profits, in: .usd, rates: rates).shown()?.text == "50.33")
        #expect(hkd.isComplete)
    }

    @Test("E-3 a short earns when the price falls; futures count the multiplier") func shortFuture() throws {
        let short = try holding("HSI2612.HKFE", .xhkf, units: -2, cost: "-2000000", multiplier: 50)
        let profit = ProfitAndLoss.profit(short, price: try Price("19900"))
        #expect(profit.averageCost == Ratio(20_000))
        #expect(profit.own == Ratio(10_000))
    }

    @Test("E-3 C-6 a missing price or rate stays missing and is named; it never counts as zero") func missing() throws {
        let profits = [
            ProfitAndLoss.profit(try holding(cost: "10000"), price: try Price("101")),
            ProfitAndLoss.profit(try holding("AAPL.US", .xnas, cost: "10000", currency: .usd), price: nil),
        ]
        let total = ProfitAndLoss.total(profits, in: .hkd, rates: rates)
        #expect(total.shown() == nil)
        #expect(total.known == Ratio(100))
        #expect(total.missing == [.price(symbol: "AAPL.US")])
        #expect(total.markets[.xhkg] == .some(.some(Ratio(100))))
        #expect(total.markets[.xnas] == .some(.none))
        let usd = ProfitAndLoss.total([profits[0]], in: .usd, rates: FXTable())
        #expect(usd.missing == [.rate(from: .hkd, to: .usd)])
    }

    @Test("E-3 the sum does not depend on the order of positions", arguments: UInt64(0)..<200) func order(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: UInt64) -> Int64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64((state >> 33) % bound)
        }
        let profits = try (0..<6).map { _ -> PositionProfit in
            let cost = Money(micros: next(1_000_000_000_000), currency: next(2) == 0 ? .hkd : .usd)
            let holding = Holding(
                instrument: InstrumentID(1), symbol: "X", market: .xhkg, quantity: try Quantity(whole: Int(next(9) + 1)), cost: cost,
                multiplier: 1)
            return ProfitAndLoss.profit(holding, price: Price(nanos: next(1_000_000) * 10_000_000))
        }
        let forward = ProfitAndLoss.total(profits, in: .hkd, rates: rates)
        #expect(forward.known == ProfitAndLoss.total(profits.reversed(), in: .hkd, rates: rates).known)
    }
}

struct DataCentreTests {
    private func event(_ sequence: UInt64, fill: UInt64) -> AccountEvent {
        var event = AccountEvent()
        var body = Fill()
        body.fillID = fill
        event.sequence = sequence
        event.body = .fill(body)
        return event
    }

    private func loaded(_ sequence: UInt64, positions: UInt64? = nil) -> (DataCentre, [DataCentre.Effect]) {
        var centre = DataCentre(tradingAccount: "S1")
        var orders = OrderList()
        orders.sequence = sequence
        var fills = FillList()
        fills.sequence = sequence
        var list = PositionList()
        list.sequence = positions ?? sequence
        var funds = FundsReply()
        funds.sequence = sequence
        let effects = centre.load(orders: orders, fills: fills, positions: list, funds: funds)
        return (centre, effects)
    }

    @Test("C-9 n+1 only: older is ignored, a gap asks since n and changes nothing") func sequence() {
        var (centre, effects) = loaded(10)
        #expect(effects == [.changed])
        #expect(centre.apply(event(11, fill: 1)) == [.changed])
        #expect(centre.apply(event(11, fill: 1)) == [])
        #expect(centre.apply(event(13, fill: 3)) == [.querySince(11)])
        #expect(centre.fills.count == 1)
        var reply = SinceReply()
        reply.events = [event(12, fill: 2), event(13, fill: 3)]
        reply.sequence = 13
        reply.complete = true
        #expect(centre.apply(reply) == [.changed])
        #expect(centre.sequence == 13)
        #expect(centre.fillList.map(\.fillID) == [3, 2, 1])
        reply.complete = false
        #expect(centre.apply(reply) == [.reload])
    }

    @Test("B-9 answers taken at different sequences catch up from the oldest; a push before the first load asks for it") func loads() {
        #expect(loaded(10, positions: 12).1 == [.changed, .querySince(10)])
        var empty = DataCentre(tradingAccount: "S1")
        #expect(empty.apply(event(1, fill: 1)) == [.reload])
    }
}

struct CoordinatorTests {
    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

    @Test("E-1 passive reasons merge within one second") func merge() {
        var coordinator = RequestCoordinator()
        #expect(coordinator.handle(.reason(.orderPush), at: at(0)) == [.startTimer(until: at(1), generation: 1)])
        #expect(coordinator.handle(.reason(.fillPush), at: at(0.5)) == [])
        #expect(coordinator.handle(.timer(generation: 1), at: at(1)) == [.query([.orders, .fills, .positions, .funds])])
        #expect(coordinator.handle(.timer(generation: 1), at: at(2)) == [])
        #expect(coordinator.counts == [.orderPush: 1, .fillPush: 1])
    }

    @Test("E-1 the forced lane passes the window and is never swallowed; a home seen lately is passive") func forced() {
        var coordinator = RequestCoordinator()
        let all = Set(RequestCoordinator.Query.allCases)
        #expect(coordinator.handle(.reason(.tradeHomeAppeared), at: at(0)) == [.query(all)])
        #expect(coordinator.handle(.reason(.tradeHomeAppeared), at: at(9)) == [.startTimer(until: at(10), generation: 1)])
        #expect(coordinator.handle(.reason(.pull), at: at(9.1)) == [.query(all)])
        #expect(coordinator.handle(.reason(.reconnected), at: at(9.2)) == [.query(all)])
        #expect(coordinator.handle(.reason(.tradeHomeAppeared), at: at(19.1)) == [.query(all)])
    }

    @Test("E-1 no polling: silence counts only while a position is open and nothing came for 60 s") func silence() {
        var coordinator = RequestCoordinator()
        #expect(coordinator.handle(.heard, at: at(0)) == [])
        #expect(coordinator.handle(.openPositions(true), at: at(1)) == [.startTimer(until: at(60), generation: 1)])
        #expect(coordinator.handle(.heard, at: at(30)) == [])
        #expect(coordinator.handle(.timer(generation: 1), at: at(60)) == [.startTimer(until: at(90), generation: 2)])
        let all = Set(RequestCoordinator.Query.allCases)
        #expect(
            coordinator.handle(.timer(generation: 2), at: at(90)) == [.query(all), .startTimer(until: at(150), generation: 3)])
        #expect(coordinator.handle(.openPositions(false), at: at(91)) == [])
        #expect(coordinator.handle(.timer(generation: 3), at: at(150)) == [])
    }
}

@Suite struct ReferenceRatesTests {
    @Test("E-5 converted sums name the day of their rates, or from which to which") func days() throws {
        var rates = ReferenceRates()
        #expect(rates.source == .pnlRateSource(day: "—") && rates.fixed == nil)
        rates.add(FXRate(nanos: 7_800_000_000, base: .usd, quote: .hkd), fixedOn: try #require(TradingDay("2026-10-30")))
        #expect(rates.source == .pnlRateSource(day: "2026-10-30"))
        rates.add(
            FXRate(nanos: 1_100_000_000, base: try #require(Currency("EUR")), quote: .usd), fixedOn: try #require(TradingDay("2026-10-29")))
        #expect(rates.source == .pnlRateSource(day: "2026-10-29 – 2026-10-30"))
        #expect(try rates.table.factor(from: .usd, to: .hkd) == Ratio(numerator: 39, denominator: 5))
    }
}
