import Testing
import Texts

@testable import Terminal

struct TerminalKindTests {
    @Test("a dumb terminal and another character set are told, a container's empty locale is not") func kinds() {
        func kind(_ term: String?, _ locale: [String: String] = [:]) -> TerminalKind {
            TerminalKind(locale.merging(term.map { ["TERM": $0] } ?? [:]) { first, _ in first })
        }
        #expect(kind("xterm-256color") == .capable)
        #expect(kind("dumb") == .dumb)
        #expect(kind(nil) == .dumb)
        #expect(kind("xterm", ["LANG": "C"]) == .capable)
        #expect(kind("xterm", ["LANG": "en_US.utf8"]) == .capable)
        #expect(kind("xterm", ["LANG": "zh_CN.GB18030", "LC_ALL": "", "LC_CTYPE": "zh_CN.UTF-8"]) == .capable)
        #expect(kind("xterm", ["LANG": "en_US.UTF-8", "LC_ALL": "zh_CN.GB18030"]) == .otherCharacters("GB18030"))
        #expect(kind("xterm", ["LANG": "de_DE.ISO-8859-15@euro"]) == .otherCharacters("ISO-8859-15"))
        #expect(kind("xterm", ["LANG": "x."]) == .capable)
        #expect(kind("xterm", ["LANG": "zh_CN.GBK"]).failure?.text(in: .english).contains("GBK") == true)
        #expect(kind("dumb").failure?.code == .terminalDumb)
    }
}
