import Exact
import Foundation
import Instruments
import Streams
import Testing
import Texts

@testable import Symbols

/// What a list made wrongly, or to do harm, can say under right hashes.
struct SymbolContentsTests {
    let today: TradingDay
    let scratch: Scratch
    let rows: [SymbolRow]
    let path: String

    init() throws {
        today = try #require(TradingDay(yyyymmdd: 20_261_130))
        scratch = try Scratch()
        rows = Array(try sampleRows(40).suffix(40))
        path = try scratch.write(try databaseBytes(rows, scratch), "symbols.sqlite")
    }

    /// `field` of the row at `place` is what the update is refused for; from a server and from a file alike.
    private func expectRefused(_ field: String, at place: Int, _ change: (inout [SymbolRow]) throws -> Void) async throws {
        var offered = rows
        try change(&offered)
        let fault = Failure(.symbolsInconsistent, .init("symbol", offered[place].instrument.symbol), .init("field", field))
        let before = try scratch.read("symbols.sqlite")
        let present = try SymbolDatabase(path: path)
        await #expect(throws: fault) {
            try await SymbolUpdate(path: path).run(from: Origin(offered).port(), present: present, today: today)
        }
        let file = try scratch.write(
            try SymbolFile.bytes(offered, version: 2_026_040_101, timestamp: "2026-04-01T00:00:00Z", workingIn: scratch.path),
            "offer.sqlite")
        #expect(throws: fault) { try SymbolUpdate(path: path).run(fromFile: file, present: present, today: today) }
        #expect(try scratch.read("symbols.sqlite") == before)
    }

    @Test func anIdStaysOneInstrument() async throws {  // H-5
        try await expectRefused("code", at: 3) { rows in
            (rows[3].instrument.id, rows[4].instrument.id) = (rows[4].instrument.id, rows[3].instrument.id)
            rows.swapAt(3, 4)
        }
        try await expectRefused("multiplier", at: 3) { $0[3].instrument.multiplier = 10 }
        try await expectRefused("currency", at: 3) { $0[3].instrument.currency = .usd }
    }

    @Test func aSymbolHasOneOwnerAtATime() async throws {  // H-5
        let symbol = rows[3].instrument.symbol
        try await expectRefused("symbol", at: 5) { $0[5].instrument.symbol = symbol }
        let day = try #require(TradingDay(yyyymmdd: 20_220_608))
        try await expectRefused("symbol", at: 5) { rows in
            rows[3].instrument.listedFrom = day
            rows[5].instrument.symbol = symbol
            rows[5].instrument.listedTo = day
        }
        // One after the other is right.
        var offered = rows
        offered[3].instrument.listedFrom = day.following
        offered[5].instrument.symbol = symbol
        offered[5].instrument.listedTo = day
        let present = try SymbolDatabase(path: path)
        let report = try await SymbolUpdate(path: path).run(from: Origin(offered).port(), present: present, today: today)
        #expect(report.changed == 2)
    }

    @Test func aListingEndsAfterItBegins() async throws {
        try await expectRefused("listed_to", at: 7) { rows in
            rows[7].instrument.listedFrom = TradingDay(yyyymmdd: 20_260_102)
            rows[7].instrument.listedTo = TradingDay(yyyymmdd: 20_260_101)
        }
    }

    @Test func successorsLeadSomewhereAndNotInACircle() async throws {  // H-5
        try await expectRefused("successor", at: 7) { $0[7].instrument.successor = InstrumentID(4_000) }
        try await expectRefused("successor", at: 7) { $0[7].instrument.successor = $0[7].instrument.id }
        try await expectRefused("successor", at: 7) { rows in
            rows[7].instrument.successor = rows[8].instrument.id
            rows[8].instrument.successor = rows[7].instrument.id
        }
        // A circle further on, to which the row does not belong.
        try await expectRefused("successor", at: 6) { rows in
            rows[6].instrument.successor = rows[7].instrument.id
            rows[7].instrument.successor = rows[8].instrument.id
            rows[8].instrument.successor = rows[7].instrument.id
        }
    }

    @Test func simulatedIdsAreNoListings() async throws {
        try await expectRefused("id", at: 39) { $0[39].instrument.id = .firstSimulated }
    }

    @Test func theShippedRowsAgree() throws {
        let folder = try DataFolder.locate()
        let shipped = try SymbolDatabase(path: folder.path + "/symbols/symbols.sqlite")
        try SymbolContents.check(try shipped.allRows(), known: try shipped.allRows())
    }
}
