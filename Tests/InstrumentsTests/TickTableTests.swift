import Exact
import Streams
import Testing
import Texts

@testable import Instruments

private let header = TickTables.columns.joined(separator: ",") + "\n"

private func ticks(_ rows: String) throws -> TickTables {
    try TickTables(CSVTable(text: header + rows, file: "ticks.csv", required: TickTables.columns))
}

struct TickTableTests {
    let facts: MarketFacts
    let stock: Instrument
    init() throws {
        facts = try shippedFacts()
        stock = try facts.instruments.resolve("700", on: day("2026-11-30")).get()
    }

    @Test(arguments: [
        ("X,,,0,1,0.1,two_sources,\nX,,,0.5,2,0.1,two_sources,", 3, "overlaps the band before it"),
        ("X,,,0,1,0.1,two_sources,\nX,,,1.5,2,0.1,two_sources,", 3, "leaves prices between itself and the band before it"),
        ("X,,,0,1,0.1,two_sources,\nX,,,0,1,0.1,two_sources,", 3, "overlaps the band before it"),
        ("X,,2025-01-01,,,1,ours,\nX,2025-01-01,,,,1,ours,", 3, "holds on days on which line 2 holds"),
        ("X,2025-01-03,,,,1,ours,\nX,,2025-01-01,,,1,ours,", 2, "leaves days between itself and line 3"),
        ("X,2025-01-03,2025-01-02,,,1,ours,", 2, "from is after to"),
        ("X,2025-02-30,,,,1,ours,", 2, "from is 2025-02-30, not YYYY-MM-DD"), ("X,,,,,0,ours,", 2, "tick is not a positive decimal"),
        ("X,,,2,1,0.1,ours,", 2, "the band is empty"), ("X,,,0,1,0.3,ours,", 2, "up_to is not on the tick"),
        ("X,,,0,1e3,0.1,ours,", 2, "up_to is 1e3, not a decimal"), ("X,,,,,1,sure,", 2, "confidence is sure, which is unknown"),
        (",,,,,1,ours,", 2, "table is empty or too long"),
    ])
    func wrongRowsNameTheLine(rows: String, line: Int, reason: String) {  // H-3
        #expect(throws: DataFault(file: "ticks.csv", line: line, reason: reason)) { try ticks(rows) }
    }

    @Test(arguments: [
        ("HK-A", "2006-07-24", "9.99", "0.01"), ("HK-A", "2025-08-03", "20", "0.02"), ("HK-A", "2025-08-03", "20.05", "0.05"),
        ("HK-A", "2025-08-04", "20.02", "0.02"), ("HK-A", "2026-08-02", "5", "0.01"), ("HK-A", "2026-08-03", "5", "0.005"),
        ("HK-A", "2026-08-03", "0.25", "0.001"), ("HK-A", "2026-08-03", "9995", "5"), ("HK-B", "2026-11-30", "0.5", "0.05"),
        ("HK-D", "2026-11-30", "24.5", "0.02"), ("HK-E", "2025-08-03", "15", "0.02"), ("HK-E", "2026-11-30", "15", "0.02"),
        ("US", "2026-11-30", "0.9999", "0.0001"), ("US", "2026-11-30", "1", "0.01"), ("US-HALF", "2027-11-01", "1", "0.005"),
        ("ZN", "2026-11-30", "110.5", "0.015625"), ("CL", "2026-11-30", "-37.63", "0.01"), ("CUS", "2026-11-30", "7.1", "0.0001"),
    ])
    func stepsByTableAndDate(table: String, date: String, price: String, tick: String) throws {  // H-3
        var instrument = stock
        instrument.tickTable = table
        #expect(try facts.ticks.step(for: instrument, at: Price(price), on: day(date)).tick == Price(tick))
    }

    @Test func outsideATableIsAClearError() throws {  // H-3, Q-4
        func failure(_ price: String, _ date: String) throws -> Failure? {
            let (price, date) = (try Price(price), try day(date))
            do throws(Failure) {
                _ = try facts.ticks.step(for: stock, at: price, on: date)
                return nil
            } catch { return error }
        }
        let above = Failure(.tickAbove, .init("price", "10000.00"), .init("highest", "9995.00"))
        #expect(try failure("10000", "2026-11-30") == above)
        #expect(try failure("0.005", "2026-11-30") == Failure(.tickBelow, .init("price", "0.005"), .init("lowest", "0.010")))
        #expect(try failure("1", "2006-07-23") == Failure(.tickUnknown, .init("table", "HK-A"), .init("date", "2006-07-23")))
        #expect(try facts.ticks.rounded(Price("10000"), .down, for: stock, on: day("2026-11-30")) == nil)
        #expect(try facts.ticks.below(Price("10000"), for: stock, on: day("2026-11-30")) == Price("9995"))
        #expect(try facts.ticks.above(Price(nanos: .max), for: stock, on: day("2026-11-30")) == nil)
        #expect(try facts.ticks.below(Price(nanos: .min), for: stock, on: day("2026-11-30")) == nil)
    }

    @Test func oneDollarHasTwoSides() throws {
        let date = try day("2026-11-30")
        let apple = try facts.instruments.resolve("AAPL", on: date).get()
        #expect(try facts.ticks.below(Price("1"), for: apple, on: date) == Price("0.9999"))
        #expect(try facts.ticks.above(Price("0.9999"), for: apple, on: date) == Price("1"))
        #expect(try facts.ticks.rounded(Price("0.99996"), .nearest, for: apple, on: date) == Price("1"))
        #expect(try facts.ticks.spreads(from: Price("1"), count: -2, for: apple, on: date) == Price("0.9998"))
    }

    @Test func twentyFourSpreadsCrossBands() throws {
        let date = try day("2026-11-30")
        #expect(try facts.ticks.spreads(from: Price("20"), count: 24, for: stock, on: date) == Price("20.48"))
        #expect(try facts.ticks.spreads(from: Price("20"), count: -24, for: stock, on: date) == Price("19.76"))
        #expect(try facts.ticks.spreads(from: Price("20.01"), count: 1, for: stock, on: date) == nil)
        #expect(try facts.ticks.spreads(from: Price("0.02"), count: -24, for: stock, on: date) == nil)
        let range = try #require(facts.ticks.range(around: Price("0.02"), steps: 24, for: stock, on: date))
        #expect(try range == (Price("0.01"), Price("0.044")))
    }

    /// Every table, on the first day of each of its editions, the day before and a day long after: what is rounded is valid and next to
    /// the price; so many steps up and as many down come back.
    @Test(arguments: UInt64(0)..<200)
    func roundedIsValidInEveryTableAndEdition(seed: UInt64) throws {  // H-3
        var random = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1)
        for table in facts.ticks.names {
            for first in facts.ticks.editions(of: table) {
                let start = try first ?? day("2026-11-30")
                for date in [start, TradingDay(daysSince1970: start.daysSince1970 - 1), try day("2029-12-31")] {
                    guard let date, let grid = facts.ticks.grid(table, on: date) else { continue }
                    let (low, high) = (grid.bands.first?.over ?? -100_000_000_000, grid.bands.last?.upTo ?? 12_000_000_000_000)
                    // Half of the prices near a band's edge, where the faults are.
                    let edge = grid.bands[random.below(grid.bands.count)].upTo ?? 1_000_000_000
                    let anywhere = low + 1 + random.below(high - low)
                    let near = min(high, max(low + 1, edge + random.below(20_000_001 as Int64) - 10_000_000))
                    for price in [anywhere, near, edge] { try check(price, grid, steps: random.below(61), "\(table) \(date)") }
                }
            }
        }
    }

    private func check(_ price: Int64, _ grid: PriceGrid, steps: Int, _ place: String) throws {
        let nearest = try #require(TickTables.rounded(price, .nearest, grid), "\(place) \(price)")
        #expect(grid.isValid(nearest), "\(place) \(price)")
        let (down, up) = (TickTables.rounded(price, .down, grid), TickTables.rounded(price, .up, grid))
        // The nearest is a neighbour; below the first valid price there is no lower one, above the last no higher.
        #expect(nearest == down || nearest == up, "\(place) \(price)")
        if let down { #expect(down <= price && (grid.above(down) ?? .max) >= (up ?? .max), "\(place) \(price)") }
        if let up { #expect(up >= price && (grid.below(up) ?? .min) <= (down ?? .min) || up == price, "\(place) \(price)") }
        for count in [steps, -steps] {
            guard let away = TickTables.spreads(from: nearest, count: count, grid) else { continue }
            #expect(TickTables.spreads(from: away, count: -count, grid) == nearest, "\(place) \(price) \(count)")
        }
    }
}
