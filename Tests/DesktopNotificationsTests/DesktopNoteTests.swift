import Streams
import Testing
import Texts

@testable import DesktopNotifications

/// F-5: what is sent to a desktop, and where its bus is.
struct DesktopNoteTests {
    private func note(_ title: String, _ body: String) -> DesktopNote { DesktopNote(key: "1", title: title, body: body) }

    @Test("F-5: a body is escaped where it would be read as markup, a title never")
    func markup() {
        let note = note("<b>A & B</b>", "<b>A & \"B\"</b>\n'&amp;'")
        let read = note.sent(isMarkup: true)
        #expect(read.title == "<b>A & B</b>")
        #expect(read.body == "&lt;b&gt;A &amp; &quot;B&quot;&lt;/b&gt;\n&#39;&amp;amp;&#39;")
        #expect(note.sent(isMarkup: false).body == note.body)
    }

    @Test("F-5: text is bounded before it is escaped; controls and what turns the direction are written out")
    func bounded() {
        let long = note(String(repeating: "腾", count: 500), String(repeating: "<", count: 5_000)).sent(isMarkup: true)
        #expect(long.title == String(repeating: "腾", count: DesktopNote.mostOfTitle - 1) + "…")
        #expect(long.body == String(repeating: "&lt;", count: DesktopNote.mostOfBody - 1) + "…")
        let wild = note("a\u{0}b\nc\u{202e}d", "a\u{0}b\nc\u{202e}d\u{1b}[2J\u{2028}").sent(isMarkup: false)
        #expect(wild.title == #"a\u{0}b\nc\u{202E}d"# && wild.body == #"a\u{0}b"# + "\n" + #"c\u{202E}d\u{1B}[2J\u{2028}"#)
    }

    @Test("F-5: the same key replaces what shows it; the oldest of many is forgotten")
    func replaced() {
        var shown = ShownNotes()
        #expect(shown.id("1") == 0)
        shown.note("1", 7)
        shown.note("1", 8)
        #expect(shown.id("1") == 8)
        for number in 2...ShownNotes.most { shown.note("\(number)", UInt32(number)) }
        #expect(shown.id("1") == 8)
        shown.note("new", 9)
        #expect(shown.id("1") == 0 && shown.id("2") == 2 && shown.id("new") == 9)
    }

    @Test("F-5: the bus is where the environment says; nothing is started to have one")
    func address() {
        func address(_ environment: [String: String], has: Bool = true) -> String? {
            SessionBus.address(environment) { _ in has }
        }
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "XDG_RUNTIME_DIR": "/run/user/1"]) == "unix:path=/x")
        #expect(address(["XDG_RUNTIME_DIR": "/run/user/1"]) == "unix:path=/run/user/1/bus")
        #expect(address(["XDG_RUNTIME_DIR": "/run/a,b;c"]) == "unix:path=/run/a%2cb%3bc/bus")
        #expect(address(["XDG_RUNTIME_DIR": "/run/user/1"], has: false) == nil)
        #expect(address(["XDG_RUNTIME_DIR": "run"]) == nil)
        #expect(address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:", "XDG_RUNTIME_DIR": "/run/user/1"]) == nil)
        #expect(address([:]) == nil)
    }

    @Test(
        "F-5: without a bus, and with one that cannot be reached, it says so",
        arguments: [nil, "unix:path=/nowhere/at/all", "nonsense", ""])
    func noBus(address: String?) async throws {
        let clock = MonotonicClock(now: { MonotonicInstant(nanoseconds: 0) }, sleep: { _ in throw CancellationError() })
        let notifier = DesktopNotifier(name: "causeway", address: address, clock: clock)
        do throws(Failure) {
            try await notifier.send(note("a", "b"))
            Issue.record("there is no bus")
        } catch {
            #expect(error.code == .desktopNoBus && error.arguments.first?.value.isEmpty == false)
        }
    }
}
