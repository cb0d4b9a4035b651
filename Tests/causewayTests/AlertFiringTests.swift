import Accounts
import DesktopNotifications
import HTTP
import Instruments
import Streams
import Testing
import Texts
import TradeSession

@testable import causeway

struct AlertFiringTests {
    private func firing(_ number: Int64, _ provenance: String = "derived", _ day: String? = "2022-04-13") -> AlertFiring {
        AlertFiring(
            number: number, alert: 12, symbol: "700.HK", condition: .above, value: "367.6", figure: "367.8",
            time: "2026-11-30T02:00:04Z", provenance: provenance, recordedOn: day)
    }

    /// A server that keeps the firings from `first` to `last`, at most 200 in an answer.
    private func client(_ language: Language, first: Int64 = 1, last: Int64 = 0) -> AlertClient {
        let unused = Failure(ErrorCode("internal"), .init("reason", "not asked in this test"))
        return AlertClient(
            language: language, instrument: { _ in throw unused }, clock: { _ in .hongKong }, list: { () throws(Failure) in [] },
            add: { _ throws(Failure) in throw unused }, remove: { _ throws(Failure) in throw unused },
            firings: { _ throws(Failure) in throw unused },
            kept: { after throws(Failure) in
                let start = max(first, after + 1)
                let numbers = start > last ? [] : Array(start...min(last, start + 199))
                return AlertFirings(firings: numbers.map { firing($0) }, missed: 0)
            },
            acknowledge: { _ throws(Failure) in throw unused }, pause: { _ in }, notify: { _ throws(Failure) in throw unused })
    }

    @Test("F-5 a desktop is told the figure, the condition, when and of which source, in the user's language") func note() {
        let note = firing(2).note(client(.english))
        #expect(note.key == "12" && note.title == "700.HK  367.8")
        #expect(note.body == "last at or above 367.6\n2026-11-30 10:00:04 HKT  Derived from 2022-04-13 bars")
        #expect(firing(2).note(client(.simplifiedChinese)).body.hasPrefix("现价达到或高于 367.6\n"))
    }

    @Test("F-5 a firing names its alert, not its own number, and its source in words") func line() {
        let english = firing(2).line(client(.english))
        #expect(
            english == "2026-11-30 10:00:04 HKT  700.HK  last at or above 367.6  367.8  alert 12  Derived from 2022-04-13 bars")
        let chinese = firing(2).line(client(.simplifiedChinese))
        #expect(chinese.hasSuffix("提醒 12  据 2022-04-13 K 线推算"))
        for language in Language.allCases {
            for (word, text) in [
                ("live", Text.provenanceLive), ("delayed", .provenanceDelayedUnknown), ("simulated", .provenanceSimulated),
                ("recorded", .provenanceRecorded(date: "2022-04-13")), ("else", .provenanceUnknown),
            ] {
                #expect(firing(1, word).line(client(language)).hasSuffix(text.words(in: language)))
            }
            #expect(firing(1, "derived", nil).source == .provenanceDerivedUndated)
        }
    }

    @Test("F-5 the newest that fired, over pages, also where the oldest are not kept any more") func newest() async throws {
        #expect(try await client(.english).newestFirings(20).isEmpty)
        #expect(try await client(.english, last: 3).newestFirings(20).map(\.number) == [1, 2, 3])
        #expect(try await client(.english, first: 51, last: 1050).newestFirings(20).map(\.number) == Array(1031...1050))
        #expect(try await client(.english, first: 1, last: 400).newestFirings(2).map(\.number) == [399, 400])
    }
}
