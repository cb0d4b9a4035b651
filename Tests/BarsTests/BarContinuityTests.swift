import Instruments
import Messages
import Testing

@testable import Bars

@Suite struct BarContinuityTests {
    private func bar(_ day: Int32, _ recordedOn: Int32, _ provenance: Provenance = .recorded) -> Bar {
        var bar = Bar()
        (bar.tradingDay, bar.recordedOn, bar.provenance) = (day, recordedOn, provenance)
        return bar
    }

    /// Days recorded and days they stand for are counted in trading days of the market, so that a holiday is no gap and a missing day is one.
    @Test(
        "C-8: a recording goes on where no trading day was left out",
        arguments: [
            (20_261_126, 20_220_411, 20_261_127, 20_220_412, true),  // Next day.
            (20_261_127, 20_220_408, 20_261_130, 20_220_411, true),  // Over a weekend.
            (20_261_126, 20_220_414, 20_261_127, 20_220_419, true),  // Over Easter.
            (20_261_125, 20_211_231, 20_261_126, 20_220_411, false),  // Another year's.
            (20_261_126, 20_220_411, 20_261_127, 20_220_413, false),  // A day is missing.
            (20_261_126, 20_220_413, 20_261_127, 20_220_412, false),  // Backwards.
            (20_261_120, 20_220_404, 20_261_127, 20_220_412, true),  // Five trading days on, a holiday among them.
            (20_261_127, 20_220_412, 20_261_127, 20_220_412, true),  // Inside one day.
            (20_261_127, 20_220_412, 20_261_127, 20_220_413, false),
        ])
    func days(_ day: Int, _ recorded: Int, _ next: Int, _ nextRecorded: Int, _ goesOn: Bool) throws {
        let facts = try MarketFacts(DataFolder.locate())
        let tencent = try #require(facts.instruments.all.first { $0.symbol == "700.HK" })
        let (a, b) = (bar(Int32(day), Int32(recorded)), bar(Int32(next), Int32(nextRecorded)))
        #expect(b.goesOn(from: a, of: tencent, calendar: facts.calendar) == goesOn)
    }

    @Test("C-8: what was not recorded follows only its own kind") func kinds() throws {
        let facts = try MarketFacts(DataFolder.locate())
        let tencent = try #require(facts.instruments.all.first { $0.symbol == "700.HK" })
        let recorded = bar(20_261_127, 20_220_412)
        let (first, second) = (bar(20_261_127, 0, .simulated), bar(20_261_130, 0, .simulated))
        #expect(second.goesOn(from: first, of: tencent, calendar: facts.calendar))
        #expect(!second.goesOn(from: recorded, of: tencent, calendar: facts.calendar))
        #expect(!bar(20_261_130, 0, .live).goesOn(from: first, of: tencent, calendar: facts.calendar))
        // Without a calendar a long way is a gap and a weekend is none.
        #expect(bar(20_261_130, 20_220_411).goesOn(from: bar(20_261_127, 20_220_408), of: tencent, calendar: nil))
        #expect(!bar(20_261_126, 20_220_411).goesOn(from: bar(20_261_125, 20_211_231), of: tencent, calendar: nil))
    }
}
