import Exact
import Foundation
import Messages
import Streams
import Testing
import Texts

@testable import Instruments

/// A row without a last day holds until it is changed, but what holds on a day nobody has looked at is a projection (issue 4.1).
struct KnownDaysTests {
    let facts: MarketFacts
    let fees: FeeSchedule
    init() throws {
        facts = try shippedFacts()
        fees = try FeeSchedule(DataFolder.locate())
    }

    private func instrument(_ symbol: String) throws -> Instrument { try facts.instruments.resolve(symbol, on: day("2026-11-30")).get() }

    private func statement(_ symbol: String, _ side: OrderSide, _ date: String) throws -> FeeStatement {
        try fees.statement(for: instrument(symbol), side, quantity: Quantity("100"), price: Price("350"), on: day(date))
    }

    @Test(arguments: ["2026-12-01", "2035-01-02", "9999-12-31"])
    func feesOfLaterDaysAreProjected(date: String) throws {
        let found = try statement("700", .buy, date)
        #expect(!found.isVerified && found.isProjected && found.items.allSatisfy { $0.confidence == .projected })
        #expect(found.projectedFrom?.to == (try day("2026-11-30")))
        // Nothing owed is an answer too.
        #expect(
            try !fees.statement(for: instrument("AAPL"), .buy, quantity: Quantity("1"), price: Price("1"), on: day("2027-06-01")).isVerified
        )
    }

    @Test func feesOfTheKnownDaysAreNot() throws {
        let found = try statement("700", .buy, "2026-11-30")
        #expect(found.isVerified && !found.isProjected && found.projectedFrom == nil)
        // A row with a first day before the table is known is known from there; one without is not.
        let early = try day("2010-01-04")
        #expect(try facts.ticks.step(for: instrument("700"), at: Price("350"), on: early).confidence == .twoSources)
        #expect(try facts.ticks.step(for: instrument("HSI2612"), at: Price("350"), on: early).confidence == .projected)
        #expect(throws: Failure.self) { try statement("700", .buy, "1990-01-02") }
    }

    /// Scheduled changes of later years are not facts before they come.
    @Test func aScheduledRateIsProjected() throws {
        let found = try statement("AAPL", .sell, "2027-06-01")
        #expect(found.items.contains { $0.rule == "us-finra-taf" && $0.confidence == .projected })
    }

    @Test func stepsLotsSettlementAndRulesToo() throws {
        let (tencent, apple) = (try instrument("700"), try instrument("AAPL"))
        let (known, later) = (try day("2026-11-30"), try day("2035-01-02"))
        #expect(try facts.ticks.step(for: tencent, at: Price("350"), on: known).confidence == .twoSources)
        let step = try facts.ticks.step(for: tencent, at: Price("350"), on: later)
        #expect(step.confidence == .projected && step.projectedFrom?.to == known)
        #expect(try facts.lots.roundLot(for: apple, at: Price("250"), on: later)?.confidence == .projected)
        #expect(try facts.lots.roundLot(for: apple, at: Price("250"), on: known)?.confidence == .twoSources)
        #expect(facts.settlement.cycle(for: tencent, on: known)?.confidence == .twoSources)
        #expect(facts.settlement.cycle(for: tencent, on: later)?.confidence == .projected)
        #expect(try facts.settlement.cycle(for: tencent, on: day("1950-01-02"))?.confidence == .projected)
        #expect(facts.validity.rule("nine-times", market: "XHKG", on: later)?.confidence == .projected)
        #expect(facts.validity.rules(market: "XHKG", on: later).allSatisfy { $0.confidence == .projected })
        #expect(facts.bands.confidence(for: tencent, on: later) == .projected)
        #expect(facts.bands.confidence(for: tencent, on: known) == .twoSources)
        #expect(facts.orderTypes.row("at-auction", in: "pos-order-input", market: "XHKG", on: later)?.confidence == .projected)
        #expect(facts.orderTypes.row("at-auction", in: "pos-order-input", market: "XHKG", on: known)?.confidence == .twoSources)
    }

    @Test(arguments: [
        ("fees.csv,XLON,2000-01-01,2026-11-30,\n", "checked.csv:2: scope is XLON, which is no market"),
        ("trees.csv,,2000-01-01,2026-11-30,\n", "checked.csv:2: table is trees.csv, which is unknown"),
        ("fees.csv,,2026-12-01,2026-11-30,\n", "checked.csv:2: known_from and known_to are not two days in order"),
        ("fees.csv,,,2026-11-30,\n", "checked.csv:2: known_from and known_to are not two days in order"),
        ("fees.csv,,2000-01-01,2026-11-30,\nfees.csv,,2000-01-01,2026-11-30,\n", "checked.csv:3: stands there twice"),
        ("fees.csv,,2000-01-01,2026-11-30,\n", "checked.csv: has no row of ticks.csv for every market"),
    ])
    func wrongRowsNameTheLine(rows: String, text: String) throws {
        let table = try CSVTable(
            text: KnownDays.columns.joined(separator: ",") + "\n" + rows, file: "checked.csv", required: KnownDays.columns)
        let fault = #expect(throws: DataFault.self) { try KnownDays(table) }
        #expect(fault?.description == text)
    }

    @Test func noRowSaysOfItselfThatItIsProjected() throws {
        let text = SettlementCycles.columns.joined(separator: ",") + "\nXHKG,2,,,projected,\n"
        #expect(throws: DataFault(file: "settlement.csv", line: 2, reason: "confidence is projected, which no row can be")) {
            try SettlementCycles(CSVTable(text: text, file: "settlement.csv", required: SettlementCycles.columns))
        }
    }
}
