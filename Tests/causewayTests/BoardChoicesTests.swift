import Exact
import Foundation
import Instruments
import Portfolio
import Terminal
import Testing
import Texts

@testable import causeway

@Suite("M-2 what is chosen on the board with a key is there at its next start")
struct BoardChoicesTests {
    private func withFolders(_ body: (Folders) throws -> Void) throws {
        let home = FileManager.default.temporaryDirectory.path + "/causeway-board-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        try body(try Folders(profile: "p", environment: ["HOME": home]))
    }

    @Test("each choice is added to the other; a folder is made")
    func kept() throws {
        try withFolders { folders in
            #expect(try BoardChoices.read(folders) == BoardChoices())
            try BoardChoices.keep(.language(.traditionalChinese), folders)
            try BoardChoices.keep(.colours(.redUp), folders)
            #expect(try BoardChoices.read(folders) == BoardChoices(language: .traditionalChinese, colours: .redUp))
            try BoardChoices.keep(.language(.english), folders)
            #expect(try BoardChoices.read(folders) == BoardChoices(language: .english, colours: .redUp))
        }
    }

    @Test(
        "what is not understood is said, and replaced by the next choice",
        arguments: ["", "{", #"{"language":"fr"}"#, #"{"colours":"pink"}"#, String(repeating: " ", count: 5_000)])
    func damaged(text: String) throws {
        try withFolders { folders in
            let path = folders.config + "/board.json"
            try FileManager.default.createDirectory(atPath: folders.config, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: Failure(.boardChoices, .init("path", path))) { _ = try BoardChoices.read(folders) }
            try BoardChoices.keep(.colours(.none), folders)
            #expect(try BoardChoices.read(folders) == BoardChoices(colours: Colours.none))
        }
    }

    @Test("where it cannot be written that is said")
    func unwritable() throws {
        try withFolders { folders in
            let parent = (folders.config as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(
                atPath: (parent as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: parent))
            #expect(throws: Failure(.boardUnkept, .init("path", folders.config + "/board.json"))) {
                try BoardChoices.keep(.colours(.redUp), folders)
            }
        }
    }
}

@Suite("B-8 the rows of `watch` on a terminal")
struct WatchTableTests {
    private func instrument(_ symbol: String, _ name: String) -> Instrument {
        Instrument(
            id: InstrumentID(1), market: .xhkg, code: symbol, symbol: symbol, kind: .stock, currency: .hkd,
            names: .init(english: name, simplified: name, traditional: name), lot: Quantity(units: 10_000_000_000), multiplier: 1,
            decimals: 3, tickTable: "HK-A")
    }

    private func row(_ symbol: String, last: String = "367.60", name: String) -> [String] {
        ["10:00:00 HKT", symbol, last, "+1.20", "+0.33%", "366.40", "2.6M", "Open", name, "Recorded 2022-04-13"]
    }

    @Test("columns stand where the header's do, in each language", arguments: Language.allCases)
    func aligned(language: Language) {
        var table = WatchTable([instrument("700.HK", "Tencent Holdings Limited"), instrument("HSI2612.HKFE", "腾讯")], language)
        let header = table.header(within: nil)
        let rows = [row("700.HK", name: "Tencent Holdings Limited"), row("HSI2612.HKFE", last: "22,948", name: "腾讯")]
            .map { table.line($0, within: nil) }
        func column(_ line: String, before text: String) -> Int? {
            line.range(of: text).map { DisplayWidth.columns(of: line[..<$0.lowerBound]) }
        }
        let symbols = column(header, before: Text.fieldSymbol.words(in: language))
        #expect(symbols == 14 && column(rows[0], before: "700.HK") == 14 && column(rows[1], before: "HSI2612") == 14)
        let sources = column(header, before: Text.fieldSource.words(in: language))
        #expect(rows.allSatisfy { column($0, before: "Recorded") == sources })
        let ends = [header, rows[0], rows[1]].map { line in
            [Text.fieldLast.words(in: language), "367.60", "22,948"].compactMap { text in
                line.range(of: text).map { DisplayWidth.columns(of: line[..<$0.upperBound]) }
            }.first
        }
        #expect(Set(ends).count == 1)
    }

    @Test("a wider price widens its column for good; names are cut where the terminal is narrow, harmless everywhere")
    func wide() {
        var table = WatchTable([instrument("700.HK", "Tencent Holdings Limited")], .english)
        let wide = table.line(row("700.HK", last: "1,234,567.890", name: "a\u{202E}b"), within: nil)
        #expect(wide.contains("1,234,567.890    +1.20") && wide.contains(#"a\u{202E}b"#))
        #expect(table.line(row("700.HK", name: "x"), within: nil).contains("       367.60    +1.20"))
        let narrow = table.line(row("700.HK", name: "Tencent Holdings Limited"), within: 100)
        #expect(narrow.contains("Tencent Hol…  Recorded"))
    }
}
