import Accounts
import DesktopNotifications
import Streams
import Synchronization
import Testing
import Texts

@testable import causeway

struct AlertNotesTests {
    private static func note(_ number: Int) -> DesktopNote { DesktopNote(key: String(number), title: "", body: "") }

    @Test("F-5 a desktop that takes nothing is told once, holds up nobody, and what waited with that is not tried") func mute() async {
        let sent = Mutex<[String]>([])
        let said = Mutex<[ErrorCode]>([])
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        let notes = AlertNotes(
            send: { note throws(Failure) in
                sent.withLock { $0.append(note.key) }
                for await isTaken in answers {
                    if isTaken { return }
                    break
                }
                throw Failure(.desktopRefused, .init("reason", DesktopNotifier.noAnswer))
            }, report: { failure in said.withLock { $0.append(failure.code) } })
        // No answer yet: this returns.
        await notes.add((1...3).map(Self.note))
        answer.yield(false)
        await notes.finish()
        #expect(sent.withLock { $0 } == ["1"] && said.withLock { $0 } == [.desktopRefused])
        for isTaken in [false, true, false] {
            await notes.add([Self.note(4)])
            answer.yield(isTaken)
            await notes.finish()
        }
        #expect(sent.withLock { $0 } == ["1", "4", "4", "4"] && said.withLock { $0 } == [.desktopRefused, .desktopRefused])
    }

    @Test("F-5 what a desktop refuses is said once, and the next one is tried at once") func refused() async {
        let sent = Mutex<[String]>([])
        let said = Mutex<[ErrorCode]>([])
        let notes = AlertNotes(
            send: { note throws(Failure) in
                sent.withLock { $0.append(note.key) }
                if note.key != "3" { throw Failure(.desktopRefused, .init("reason", "too many")) }
            }, report: { failure in said.withLock { $0.append(failure.code) } })
        await notes.add((1...3).map(Self.note))
        await notes.finish()
        #expect(sent.withLock { $0 } == ["1", "2", "3"] && said.withLock { $0 } == [.desktopRefused])
    }

    @Test("F-5 more than may wait is said, not kept") func bounded() async {
        let sent = Mutex<Int>(0)
        let said = Mutex<[ErrorCode]>([])
        let notes = AlertNotes(
            send: { _ throws(Failure) in sent.withLock { $0 += 1 } }, report: { failure in said.withLock { $0.append(failure.code) } })
        await notes.add((0..<AlertNotes.mostWaiting + 5).map(Self.note))
        await notes.finish()
        #expect(sent.withLock { $0 } == AlertNotes.mostWaiting && said.withLock { $0 } == [.desktopBehind])
    }

    @Test("F-5 firings are read in the order of their times, those of one time by number") func timeOrder() {
        let firings = [(3, "2026-11-30T02:00:00Z"), (1, "2026-11-30T02:05:00Z"), (2, "2026-11-30T02:00:00Z")].map { number, time in
            AlertFiring(
                number: number, alert: 1, symbol: "700.HK", condition: .above, value: "1", figure: "1", time: time, provenance: "derived",
                recordedOn: nil)
        }
        #expect(firings.inTimeOrder.map(\.number) == [2, 3, 1])
    }
}
