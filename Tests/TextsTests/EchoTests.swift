import Testing

@testable import Texts

struct EchoTests {
    private func shown(_ value: String, _ name: String = "symbol", in language: Language = .english) -> String {
        Failure(ErrorCode("symbol.no-code"), .init(name, value)).text(in: language)
    }

    @Test func whatWasTypedIsCut() {  // Q-4
        let frame = shown("").count
        #expect(shown(String(repeating: "x", count: 64)).count == frame + 64)
        let long = shown(String(repeating: "x", count: 100_000))
        #expect(long.count == frame + 64 && long.contains("x…"))
        // Few characters of many marks each.
        let marks = shown("a" + String(repeating: "\u{301}", count: 100_000))
        #expect(marks.utf8.count < frame + 1_100)
        let path = Failure(ErrorCode("data.missing"), .init("path", "/" + String(repeating: "d", count: 300) + "/file"))
        #expect(path.text(in: .english).hasSuffix("d/file"))
        // What is compared letter by letter is never cut.
        let print = [String](repeating: "AB", count: 32).joined(separator: ":")
        let certificate = Failure(ErrorCode("connection.certificate-unknown"), .init("server", "s"), .init("fingerprint", print))
        #expect(certificate.text(in: .english).contains(print))
        let unknown = Failure(ErrorCode(String(repeating: "c", count: 100_000)))
        #expect(unknown.text(in: .english).count < 1_200)
    }

    @Test func whatMovesACursorIsShownAsText() {  // Q-4
        #expect(shown("a\u{1B}[2Jb\n\u{202E}c").contains("a\\u{1B}[2Jb\\n\\u{202E}c"))
        #expect(shown("騰訊 700").contains("騰訊 700"))
        #expect(shown("a\u{200E}b\u{AD}").contains(#"a\u{200E}b\u{AD}"#))
        #expect(Echo.bounded("a\nb\u{7}", to: 9, keeping: ["\n"]) == "a\nb" + #"\u{7}"#)
    }

    @Test func listsAreWrittenAsTheLanguageDoes() {  // Q-3
        let choice = Failure(ErrorCode("usage.choice"), .init("argument", "order"), .init("choices", "place, cancel"))
        #expect(choice.text(in: .english).contains("place, cancel"))
        #expect(choice.text(in: .simplifiedChinese).contains("place、cancel"))
        #expect(choice.text(in: .traditionalChinese).contains("place、cancel"))
        #expect(Text.tablesOwn(files: "a.csv, b.csv").words(in: .simplifiedChinese).contains("a.csv、b.csv"))
    }
}
