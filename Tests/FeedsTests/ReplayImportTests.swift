import Foundation
import Instruments
import Messages
import Streams
import Testing

@testable import Feeds

struct ReplayImportTests {
    let facts: MarketFacts
    let marketDate: TradingDay
    let folder: String

    init() throws {
        facts = try Shipped.result.get().0
        marketDate = try Shipped.result.get().1.marketDate
        folder = FileManager.default.temporaryDirectory.path + "/causeway-import-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        return folder + "/" + name
    }

    private static let bars = "time_utc_start,open,high,low,close,volume,turnover,phase,restored\n"

    @Test func aUsersRecordingIsPlayedInsteadOfWhatIsMadeUp() throws {  // Q-2, F-8
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try write(
            "XCME_ES_201312_1m_2013-10-07.csv",
            Self.bars
                + "2013-10-06T22:00:00Z,1675.25,1676.00,1675.00,1675.50,10,,night,0\n2013-10-07T14:00:00Z,1670.00,1670.10,1669.00,1670.00,5,,continuous,0\n"
        )
        let second = try write(
            "XCME_ES_201312_1m_2013-10-08.csv",
            Self.bars
                + "2013-10-07T22:00:00Z,1667.25,1668.00,1667.00,1667.50,20,,night,0\n2013-10-07T21:59:00Z,1667.25,1668.00,1667.00,1667.50,20,,night,0\n"
        )
        let own = folder + "/replay"
        let files = ReplayImport(facts: facts, marketDate: marketDate, folder: own)
        let report = try files.add(first)
        #expect(report.symbol == "ES2612.CME" && report.mappedDay == marketDate && report.accepted == 1)
        #expect(report.quarantine.counts == [.offTick: 1])
        #expect(try files.add(second).quarantine.counts == [.timeBackwards: 1])
        let recordings = try Recordings(DataFolder.locate(), facts: facts, userFolder: own)
        let tape = try #require(recordings.tapes[instrument("ES2612.CME", facts).id])
        #expect(tape.path == .derived && tape.bars.count == 1)
        // 17:00 in Chicago on the evening before, in winter time now.
        #expect(tape.bars.first?.start == (try utc("2026-11-29T23:00:00Z").nanoseconds))
        // The Friday before is an early close: the day before that is a short day too, so the earlier recording falls on Wednesday.
        #expect(tape.history.days.map(\.tradingDay) == [20_261_125])
        #expect(tape.previousClose == 1_675_500_000_000)
    }

    /// Hours of New York count from 09:30; those that stand on the clock, as Hong Kong's futures do, are shorter at first (G-2).
    @Test(arguments: [
        (["14:30", "15:30", "16:30", "20:30"], ["14:30-15:30", "15:30-16:30", "16:30-17:30", "20:30-21:00"]),
        (["14:30", "15:00", "16:00", "20:00"], ["14:30-15:00", "15:00-16:00", "16:00-17:00", "20:00-21:00"]),
        (["09:00", "10:00", "14:30", "15:30"], ["09:00-10:00", "10:00-11:00", "14:30-15:30", "15:30-16:30"]),
        (["14:30"], ["14:30-15:00"]),
    ])
    func hoursStandOnTheSessionOrTheClock(starts: [String], expected: [String]) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rows = starts.map { "2013-11-19T\($0):00Z,519.03,519.50,519.00,519.10,10,,continuous,0\n" }
        let path = try write("XNAS_AAPL_1h_2013-11-19.csv", Self.bars + rows.joined())
        let apple = try instrument("AAPL.US", facts)
        let line = ManifestLine(
            path: path, name: "x", kind: .bars, interval: "1h", instrument: apple.id, recordedOn: try #require(TradingDay("2013-11-19")),
            mappedDay: marketDate)
        var quarantine = Quarantine()
        let bars = try RecordingReader(facts: facts, marketDate: marketDate).bars(line, quarantine: &quarantine)
        func clock(_ time: Int64) -> String {
            let minutes = time / 60_000_000_000 % 1_440
            func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
            return two(minutes / 60) + ":" + two(minutes % 60)
        }
        #expect(bars.map { clock($0.start) + "-" + clock($0.end) } == expected && quarantine.total == 0)
    }

    @Test func sizesThatNoSumHoldsAreThrownOut() throws {  // F-8
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let trades = try write(
            "XCME_ES_202403_2023-12-26.csv",
            "time_utc,price,size,side\n2023-12-25T23:00:01Z,4800.75,92233720368,buy\n"
                + (2...9).map { "2023-12-25T23:00:0\($0)Z,4800.75,9000000000,sell\n" }.joined())
        let files = ReplayImport(facts: facts, marketDate: marketDate, folder: folder + "/replay")
        let report = try files.add(trades)
        #expect(report.accepted == 4 && report.quarantine.counts == [.tooLarge: 5])
        let bars = try write(
            "XCME_ES_202403_1m_2023-12-26.csv",
            Self.bars
                + (1...5).map { "2023-12-25T23:0\($0):00Z,4800.75,4800.75,4800.75,4800.75,30000000000,3000000000000,night,0\n" }.joined())
        #expect(try files.add(bars).quarantine.counts == [.tooLarge: 4])
        let recordings = try Recordings(DataFolder.locate(), facts: facts, userFolder: folder + "/replay")
        var schedule = try ReplaySchedule(recordings, facts: facts)
        #expect(!schedule.next(until: try utc("2026-11-30T01:00:00Z")).isEmpty)
    }

    @Test func recordedTradesAndBooksAreExact() throws {  // F-7
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let book = try write(
            "XCME_ES_202403_2023-12-26.csv",
            "time_utc,bid1_px,bid1_qty,bid1_orders,ask1_px,ask1_qty,ask1_orders\n2023-12-25T23:00:01Z,4800.75,4,4,4801.50,9,6\n2023-12-25T23:00:02Z,4802,4,4,4801.50,9,6\n"
        )
        let crossed = try ReplayImport(facts: facts, marketDate: marketDate, folder: folder + "/replay").add(book)
        #expect(crossed.kind == "book" && crossed.accepted == 1 && crossed.quarantine.counts == [.crossedBook: 1])
        let trades = try write(
            "XCME_ES_202403_2023-12-26.csv",
            "seq,time_utc,price,size,side,venue,condition,phase\n1,2023-12-25T23:00:01.005322Z,4800.75,3,sell,XCME,,night\n2,2023-12-25T23:00:02Z,4801.00,2,buy,XCME,,night\n"
        )
        let files = ReplayImport(facts: facts, marketDate: marketDate, folder: folder + "/replay")
        #expect(try files.add(trades).kind == "trades")
        let recordings = try Recordings(DataFolder.locate(), facts: facts, userFolder: folder + "/replay")
        var schedule = try ReplaySchedule(recordings, facts: facts)
        let id = try instrument("ES2612.CME", facts).id.rawValue
        let ticks = schedule.next(until: try utc("2026-11-30T01:00:00Z")).compactMap { event -> Tick? in
            if case .trade(let tick) = event.body, tick.instrument == id { tick } else { nil }
        }
        #expect(ticks.map(\.price) == [4_800_750_000_000, 4_801_000_000_000])
        #expect(ticks.map(\.timeNs) == [try utc("2026-11-29T23:00:01.005322Z").nanoseconds, try utc("2026-11-29T23:00:02Z").nanoseconds])
        #expect(ticks.allSatisfy { $0.provenance == .recorded && $0.recordedOn == 20_231_226 })
        #expect(recordings.tapes[InstrumentID(id)]?.books.first?.asks.first?.price == 4_801_500_000_000)
        // Nothing of a shipped or made-up tape is mixed in.
        #expect(recordings.tapes[InstrumentID(id)]?.bars.isEmpty == true && recordings.tapes[InstrumentID(id)]?.previousClose == nil)
    }

    @Test(arguments: [
        ("nonsense.csv", "a,b\n1,2\n"), ("XCME_ZZ_1m_2013-10-07.csv", ReplayImportTests.bars),
        ("XCME_ES_1m_2013-10-07.csv", ReplayImportTests.bars),
        ("XCME_ES_1m_2013-10-07.csv", ReplayImportTests.bars + "2013-10-06T22:00:00Z,x,1,1,1,1,,night,0\n"),
        ("XCME_ES_9m_2013-10-07.csv", ReplayImportTests.bars + "2013-10-06T22:00:00Z,1,1,1,1,1,,night,0\n"),
        ("XCME_ES_2013-10-07.csv", "time_utc,price\n"), ("XCME_ES_1m_2013-10-07.csv", ""), ("XCME_ES_1m_soon.csv", ReplayImportTests.bars),
        ("XCME_ES_1m_2013-10-07.csv", ReplayImportTests.bars + "2013-10-06T22:00:00Z,1\n"),
    ])
    func aBadFileChangesNothing(name: String, text: String) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try write(name, text)
        let files = ReplayImport(facts: facts, marketDate: marketDate, folder: folder + "/replay")
        #expect(throws: DataFault.self) { try files.add(path) }
        #expect(!FileManager.default.fileExists(atPath: folder + "/replay"))
    }
}
