import Exact
import Foundation
import Messages
import Streams
import Testing
import Texts
import WireCodec

@testable import Instruments

/// Read once: a value that tests only ask, and reading it takes a fifth of a second in a debug build.
private let factsOfTheShippedData = Result { try MarketFacts(DataFolder.locate()) }

func shippedFacts() throws -> MarketFacts { try factsOfTheShippedData.get() }

func day(_ text: String) throws -> TradingDay { try #require(TradingDay(text)) }

func utc(_ text: String) throws -> MarketInstant {
    let date = try Date(text, strategy: .iso8601)
    return MarketInstant(nanoseconds: Int64(date.timeIntervalSince1970) * 1_000_000_000)
}

private func fixture(_ path: String) throws -> Any {
    let folder = try DataFolder.locate().path + "/../Tests/Fixtures/"
    return try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: folder + path)))
}

private func nanos(_ text: String) throws -> Int64 { try #require(scaledDecimal(text, scale: 9)) }

struct PriceBandTests {
    private func bands(_ rows: String) throws -> (PriceBands, Instrument) {
        let facts = try shippedFacts()
        let future = try facts.instruments.resolve("HSI2612", on: day("2026-11-30")).get()
        let table = try CSVTable(
            text: PriceBands.columns.joined(separator: ",") + "\n"
                + rows.split(separator: "\n").map { $0 + ",ours," }.joined(separator: "\n"),
            file: "price-bands.csv", required: PriceBands.columns)
        let instruments = InstrumentTable(version: 1, instruments: [future])
        return (try PriceBands(table, instruments: instruments, products: ["HSI", "ES"]), future)
    }

    @Test func eachRuleHasItsEdges() throws {  // N-2
        func allowed(_ rows: String, _ price: String, _ reference: String?) throws -> Bool {
            let (bands, future) = try bands(rows)
            return bands.allows(try Price(price), for: future, reference: try reference.map { try Price($0) })
        }
        #expect(try allowed("HSI,times,9,no", "899.9", "100") && !allowed("HSI,times,9,no", "900", "100"))
        #expect(try allowed("HSI,times,9,no", "100.1", "900") && !allowed("HSI,times,9,no", "100", "900"))
        #expect(try allowed("HSI,percent,12.5,no", "112.5", "100") && !allowed("HSI,percent,12.5,no", "112.6", "100"))
        #expect(try allowed("HSI,points,20,yes", "-10", "10") && !allowed("HSI,points,20,yes", "-11", "10"))
        #expect(try allowed("HSI,points,20,yes", "-5000", nil) && allowed("HSI,points,20,no", "5000", nil))
        #expect(try !allowed("HSI,points,20,no", "0", "10") && !allowed("HSI,points,20,no", "-1", nil))
        #expect(try allowed("HSI,percent,50,no", "9000000", "9000000") && allowed("HSI,times,9,no", "9000000", "9000000"))
    }

    @Test(arguments: [
        "HSI,share,9,no", "HSI,times,1,no", "HSI,percent,0,no", "HSI,percent,x,no", "HSI,percent,50,maybe", "HSI,percent,50,yes",
        "ES,percent,50,no", "HSI,percent,50,no\nHSI,percent,50,no",
    ])
    func wrongRowsAreRefused(rows: String) {
        #expect(throws: DataFault.self) { try bands(rows) }
    }
}

struct SymbolTests {
    let facts: MarketFacts
    init() throws { facts = try shippedFacts() }

    @Test(arguments: [
        ("700", "700.HK"), ("0700", "700.HK"), ("00700", "700.HK"), ("700.hk", "700.HK"), ("HK.00700", "700.HK"), ("HK00700", "700.HK"),
        ("０７００", "700.HK"), ("SEHK:700", "700.HK"), ("700 HK Equity", "700.HK"), ("00700\u{200B}", "700.HK"), ("9988", "9988.HK"),
        ("aapl", "AAPL.US"), ("AAPL.US", "AAPL.US"), ("US.AAPL", "AAPL.US"), ("HSI2612", "HSI2612.HKFE"), ("HSI2612.HKFE", "HSI2612.HKFE"),
        ("HSIZ6", "HSI2612.HKFE"), ("HSIZ26", "HSI2612.HKFE"), ("ESZ26", "ES2612.CME"), ("ESZ6", "ES2612.CME"), ("ESH7", "ES2703.CME"),
        ("ES", "ES2612.CME"), ("GC", "GC2612.COMEX"), ("HSI.INDX", "HSI.INDX"), ("SPX", "SPX.INDX"), ("HSI.HKFE", "HSI2612.HKFE"),
    ])
    func typedSymbolsResolveForTheDate(text: String, symbol: String) throws {  // H-5
        #expect(try facts.instruments.resolve(text, on: day("2026-11-30")).get().symbol == symbol)
    }

    @Test func aliasesMoveWithTheDate() throws {  // H-5
        #expect(try facts.instruments.resolve("HSI.HKFE", on: day("2026-11-27")).get().symbol == "HSI2611.HKFE")
        #expect(try facts.instruments.resolve("HSI.HKFE", on: day("2026-11-30")).get().symbol == "HSI2612.HKFE")
        #expect(try facts.instruments.resolve("ES", on: day("2026-12-21")).get().symbol == "ES2703.CME")
        // In January 2027 a bare Z6 means December 2036, which no table has.
        #expect(throws: Failure(.symbolUnknown, .init("symbol", "HSIZ6"))) {
            try facts.instruments.resolve("HSIZ6", on: day("2027-01-04")).get()
        }
    }

    @Test func aBareIndexAndProductIsAmbiguous() throws {
        let result = try facts.instruments.resolve("HSI", on: day("2026-11-30"))
        guard case .failure(let failure) = result else {
            Issue.record("HSI resolved to one instrument")
            return
        }
        #expect(failure.code == .symbolAmbiguous)
        #expect(failure.arguments.last?.value == "HSI.INDX, HSI2612.HKFE")
    }

    @Test(arguments: [
        "ZZZZ", "700.US", "AAPL.HK", "1.2.3", "腾讯", "..", "00000000000700", "1e5", "ES=F", "A\u{0}B",
        String(repeating: "9", count: 500),
    ])
    func whatFitsNothingIsUnknown(text: String) throws {
        guard case .failure(let failure) = try facts.instruments.resolve(text, on: day("2026-11-30")) else {
            Issue.record("\(text) resolved")
            return
        }
        #expect(failure.code == .symbolUnknown)
    }

    @Test(arguments: [
        ("", "symbol.empty"), (" \u{200B}", "symbol.empty"), ("HK.", "symbol.no-code"), (".HK", "symbol.no-code"),
        ("SEHK:", "symbol.no-code"), ("600519", "symbol.not-carried"), ("SH600519", "symbol.not-carried"), ("VOD.L", "symbol.not-carried"),
        ("000001", "symbol.ambiguous"), ("BRKB", "symbol.suggestion"),
    ])
    func whatCannotBeMeantSaysWhy(text: String, code: String) throws {  // H-5
        var table = facts.instruments
        table.merge([try Self.share(900, "BRK.B", in: table)])
        guard case .failure(let failure) = table.resolve(text, on: try day("2026-11-30")) else {
            Issue.record("\(text) resolved")
            return
        }
        #expect(failure.code == ErrorCode(code))
    }

    static func share(_ id: UInt32, _ code: String, in table: InstrumentTable) throws -> Instrument {
        var share = try table.resolve("AAPL", on: day("2026-11-30")).get()
        (share.id, share.code, share.symbol) = (InstrumentID(id), code, code.replacing("$", with: "-") + ".US")
        return share
    }

    @Test(arguments: [
        ("BRK.B", "BRK.B.US"), ("BRK/B", "BRK.B.US"), ("BRK-B", "BRK.B.US"), ("BRK B", "BRK.B.US"), ("brk.b", "BRK.B.US"),
        ("BRK.B.US", "BRK.B.US"), ("US.BRK.B", "BRK.B.US"), ("NYSE:BRK.B", "BRK.B.US"), ("BRK/B US Equity", "BRK.B.US"),
        ("ABR$D", "ABR-D.US"), ("ABR-D", "ABR-D.US"), ("ABRpD", "ABR-D.US"), ("ABR PR D", "ABR-D.US"), ("ABR-D.US", "ABR-D.US"),
        ("$AAPL", "AAPL.US"), ("VOD.L", "VOD.L.US"),
    ])
    func classesAndSeriesHaveManyForms(text: String, symbol: String) throws {  // H-5, SYM-2
        var table = facts.instruments
        table.merge([
            try Self.share(900, "BRK.B", in: table), try Self.share(901, "ABR$D", in: table), try Self.share(902, "VOD.L", in: table),
        ])
        #expect(try table.resolve(text, on: day("2026-11-30")).get().symbol == symbol)
    }

    @Test func codesAreReusedAndRenamed() throws {  // H-5: FB was Meta until 2022-06-08 and is a fund since
        var table = facts.instruments
        var meta = try Self.share(900, "META", in: table)
        var former = try Self.share(901, "FB", in: table)
        (former.listedTo, former.successor) = (try day("2022-06-08"), meta.id)
        meta.listedFrom = try day("2022-06-09")
        table.merge([meta, former])
        #expect(try table.resolve("FB", on: day("2022-06-08")).get() == former)
        #expect(try table.resolve("FB", on: day("2022-06-09")).get() == meta)
        var fund = try Self.share(902, "FB", in: table)
        (fund.kind, fund.market, fund.listedFrom) = (.etf, .bats, try day("2024-01-02"))
        table.merge([fund])
        #expect(try table.resolve("FB", on: day("2026-11-30")).get() == fund)
        #expect(try table.resolve("FB", on: day("2022-06-08")).get() == former)
    }

    @Test func rowsSurviveTheWire() throws {
        for instrument in facts.instruments.all {
            var expected = instrument
            expected.future?.lastMinute = nil
            let bytes = try instrument.row.serializedBytes()
            #expect(try Instrument(InstrumentRow(serializedBytes: bytes)) == expected)
        }
        #expect(throws: InstrumentRowFault.self) { try Instrument(InstrumentRow()) }
    }

    @Test func aBadRowNamesFileAndLine() throws {
        let header = SymbolReader.columns.joined(separator: ",")
        let table = try CSVTable(
            text: header + "\n1,XHKG,00700,700.HK,stock,HKD,a,b,c,0,1,3,HK-A,,,,,,,,\n", file: "symbols.csv", required: [])
        #expect(throws: DataFault(file: "symbols.csv", line: 2, reason: "lot is 0, which is not valid")) {
            try SymbolReader.read(table, ticks: facts.ticks)
        }
    }
}

struct TickTests {
    let facts: MarketFacts
    init() throws { facts = try shippedFacts() }

    @Test func theGridAgreesWithEveryVector() throws {  // H-3
        let root = try #require(fixture("hk/tick_vectors.json") as? [String: Any])
        let tables = try #require(root["tables"] as? [[String: Any]])
        let stock = try facts.instruments.resolve("700", on: day("2026-11-30")).get()
        var checked = 0
        for table in tables {
            let from = try #require(table["from"] as? String)
            let date = try day(from == "1900-01-01" ? "2025-08-01" : from)
            for vector in try #require(table["vectors"] as? [[String: Any]]) {
                let text = try #require(vector["price"] as? String)
                let price = Price(nanos: try nanos(text))
                let valid = try #require(vector["valid"] as? Bool)
                #expect(facts.ticks.isOnTick(price, for: stock, on: date) == valid, "\(text) on \(date)")
                if valid {
                    let up = try (vector["next_up"] as? String).map { try nanos($0) }
                    let down = try (vector["next_down"] as? String).map { try nanos($0) }
                    #expect(facts.ticks.above(price, for: stock, on: date)?.nanos == up, "above \(text) on \(date)")
                    #expect(facts.ticks.below(price, for: stock, on: date)?.nanos == down, "below \(text) on \(date)")
                }
                checked += 1
            }
        }
        #expect(checked > 100)
    }

    @Test(arguments: UInt64(0)..<200)
    func roundingStaysNextToThePrice(seed: UInt64) throws {  // H-3
        var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let date = try day("2026-11-30")
        for symbol in ["700.HK", "AAPL.US", "ES2612.CME", "HSI2612.HKFE"] {
            let instrument = try facts.instruments.resolve(symbol, on: date).get()
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var nanos = Int64(state >> 24) % 4_000_000_000_000 + 10_000_000
            if instrument.future != nil, seed % 2 == 0 { nanos = -nanos }
            let price = Price(nanos: nanos)
            let down = try #require(facts.ticks.rounded(price, .down, for: instrument, on: date))
            let up = try #require(facts.ticks.rounded(price, .up, for: instrument, on: date))
            let near = try #require(facts.ticks.rounded(price, .nearest, for: instrument, on: date))
            #expect(down.nanos <= nanos && nanos <= up.nanos)
            #expect(near == down || near == up)
            #expect(down == up || facts.ticks.above(down, for: instrument, on: date) == up)
            #expect(down == up || facts.ticks.below(up, for: instrument, on: date) == down)
            for grid in [down, up] { #expect(facts.ticks.isOnTick(grid, for: instrument, on: date)) }
        }
    }
}

struct CalendarTests {
    let facts: MarketFacts
    init() throws { facts = try shippedFacts() }

    @Test(arguments: [
        ("2026-11-30T00:59:59Z", Phase.closed), ("2026-11-30T01:00:00Z", .auctionInput), ("2026-11-30T01:15:00Z", .auctionNoCancel),
        ("2026-11-30T01:20:00Z", .auctionMatching), ("2026-11-30T01:22:00Z", .break), ("2026-11-30T01:30:00Z", .continuous),
        ("2026-11-30T03:59:59Z", .continuous), ("2026-11-30T04:00:00Z", .break), ("2026-11-30T05:00:00Z", .continuous),
        ("2026-11-30T08:00:00Z", .break), ("2026-11-30T08:01:00Z", .auctionInput), ("2026-11-30T08:06:00Z", .auctionNoCancel),
        ("2026-11-30T08:08:00Z", .auctionMatching), ("2026-11-30T08:10:00Z", .closed), ("2026-12-24T04:00:00Z", .break),
        ("2026-12-24T04:10:00Z", .closed), ("2026-12-25T02:00:00Z", .closed), ("2026-11-29T02:00:00Z", .closed),
    ])
    func hongKongPhases(text: String, phase: Phase) throws {  // H-3, Q-1
        #expect(try facts.calendar.phase(.hongKong, at: utc(text)) == phase)
    }

    @Test(arguments: [
        ("2026-11-30T08:59:59Z", Phase.closed), ("2026-11-30T09:00:00Z", .preMarket), ("2026-11-30T14:30:00Z", .continuous),
        ("2026-11-30T21:00:00Z", .postMarket), ("2026-12-01T01:00:00Z", .closed), ("2026-11-27T17:59:59Z", .continuous),
        ("2026-11-27T18:00:00Z", .postMarket), ("2026-11-27T22:00:00Z", .closed), ("2026-07-06T13:30:00Z", .continuous),
    ])
    func unitedStatesPhases(text: String, phase: Phase) throws {
        #expect(try facts.calendar.phase(.unitedStates, at: utc(text)) == phase)
    }

    @Test(arguments: [
        ("2026-11-29T23:00:00Z", Phase.night, "2026-11-30"), ("2026-11-30T14:30:00Z", .continuous, "2026-11-30"),
        ("2026-11-30T22:00:00Z", .closed, "2026-11-30"), ("2026-11-30T23:00:00Z", .night, "2026-12-01"),
        ("2026-11-27T18:15:00Z", .closed, "2026-11-27"), ("2026-11-27T18:14:59Z", .continuous, "2026-11-27"),
    ])
    func chicagoPhases(text: String, phase: Phase, trading: String) throws {
        #expect(try facts.calendar.phase(.cmeEquityIndices, at: utc(text)) == phase)
        #expect(try facts.calendar.tradingDay(.cmeEquityIndices, at: utc(text)) == day(trading))
    }

    @Test func tradeDatesAgreeWithTheVectors() throws {
        let root = try #require(fixture("calendar/futures_trade_date.json") as? [String: Any])
        let calendars = ["CME ES": CalendarID.cmeEquityIndices, "HKFE HSI": .hongKongFutures]
        for vector in try #require(root["cases"] as? [[String: Any]]) {
            guard let product = vector["product"] as? String, let calendar = calendars[product] else { continue }
            let text = try #require(vector["utc"] as? String)
            let phase = try facts.calendar.phase(calendar, at: utc(text))
            let open = phase == .continuous || phase == .night
            #expect(open == (vector["state"] as? String == "open"), "\(product) \(text) is \(phase)")
            if let date = vector["trade_date"] as? String {
                #expect(try facts.calendar.tradingDay(calendar, at: utc(text)) == day(date), "\(product) \(text)")
            }
        }
    }

    @Test func anExpiringContractStopsEarly() throws {
        let expiring = try facts.instruments.resolve("HSI2611", on: day("2026-11-27")).get()
        #expect(try facts.calendar.phase(expiring, at: utc("2026-11-27T07:59:59Z")) == .continuous)
        #expect(try facts.calendar.phase(expiring, at: utc("2026-11-27T08:00:00Z")) == .closed)
        #expect(try facts.calendar.phase(expiring, at: utc("2026-11-27T10:00:00Z")) == .closed)
        let next = try facts.instruments.resolve("HSI2612", on: day("2026-11-27")).get()
        #expect(try facts.calendar.phase(next, at: utc("2026-11-27T10:00:00Z")) == .night)
    }

    @Test func aDateOutsideTheTablesIsAnError() throws {
        #expect(throws: CalendarFault.self) { try facts.calendar.phase(.hongKong, at: utc("2041-01-03T02:00:00Z")) }
        #expect(throws: CalendarFault.self) { try facts.calendar.sessions(.cmeEquityIndices, of: day("2013-10-07")) }
        #expect(throws: CalendarFault.self) { try facts.calendar.isTradingDay(day("1999-12-31"), .unitedStates) }
    }

    @Test func theNextOpeningLeapsOverHolidays() throws {
        #expect(try facts.calendar.nextOpen(.hongKong, after: utc("2026-12-24T05:00:00Z")) == utc("2026-12-28T01:30:00Z"))
        #expect(try facts.calendar.nextOpen(.unitedStates, after: utc("2026-11-25T22:00:00Z")) == utc("2026-11-27T14:30:00Z"))
    }
}

struct ContractNameTests {
    @Test func contractsGivenByHandAreCalledAsGeneratedOnes() throws {  // H-5
        let facts = try shippedFacts()
        for contract in facts.instruments.all {
            guard let future = contract.future else { continue }
            let product = try #require(facts.futures[future.product])
            // The month is in the code: HSI2612.
            let digits = try #require(Int(contract.code.suffix(4)))
            #expect(contract.names == product.names(year: 2000 + digits / 100, month: digits % 100), "\(contract.symbol)")
        }
    }
}
