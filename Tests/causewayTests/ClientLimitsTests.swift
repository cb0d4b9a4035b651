import Drawings
import Foundation
import Testing
import Texts

@testable import Charting
@testable import causeway

/// What a client takes of a user's own, and the page of limits that says so (O-3).
@Suite struct ClientLimitsTests {
    @Test("O-3: docs/limits.md has every limit of the client with the code's own value")
    func page() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../docs/limits.md").standardized
        let page = try String(contentsOf: file, encoding: .utf8)
        let client = try #require(page.range(of: "## Of a client"))
        let shown = page[client.upperBound...].split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.contains("---") }
        #expect(shown.dropFirst().map(String.init) == rows.map { "| \($0.0) | \($0.1) | \($0.2) | \($0.3) |" })
    }

    private var rows: [(String, String, String, String)] {
        func number(_ value: Int) -> String { NumberFormat.grouped(Int64(value)) }
        return [
            ("bars of a file, of all files of a comparison", number(BarReader.mostBars), "`bars.file`", "`BarReader`"),
            ("bytes of a file of bars", "\(BarFile.mostBytes >> 30) GiB", "`bars.unreadable`", "`BarFile`"),
            ("bytes of a row", number(BarReader.mostBytesOfRow), "`bars.file`", "`BarReader`"),
            ("columns of a row", number(BarReader.mostColumns), "`bars.file`", "`BarReader`"),
            ("indicators and expressions of a list", number(IndicatorCommand.mostPlots), "`indicator.invalid`", "`IndicatorCommand`"),
            ("values of all lines of a list over all bars", number(IndicatorCommand.mostValues), "`indicator.heavy`", "`IndicatorCommand`"),
            ("steps of all expressions of a list", number(IndicatorCommand.mostSteps), "`indicator.slow`", "`IndicatorCommand`"),
            ("fields of a table or of one JSON object", number(IndicatorCommand.mostShown), "`indicator.rows`", "`IndicatorCommand`"),
            ("bytes of an expression", number(Expression.maximumBytes), "`indicator.formula`", "`Expression`"),
            ("parts of an expression", number(Expression.maximumNodes), "`indicator.formula`", "`Expression`"),
            ("depth of an expression", number(Expression.maximumDepth), "`indicator.formula`", "`Expression`"),
            ("files or symbols in one comparison", number(ComparedChart.most), "`usage.argument-many`", "`ComparedChart`"),
            ("drawings of an instrument", number(DrawingSet.most), "`drawing.too-many`", "`DrawingSet`"),
            ("characters of a drawn text", number(Drawing.longestText), "`drawing.invalid`", "`Drawing`"),
        ]
    }

    private func fault(_ text: String, bars: Int, in language: Language = .english) throws -> String? {
        let plots = try IndicatorCommand.plots(ofList: text)
        do throws(Failure) { try IndicatorCommand.check(plots, text, bars: bars) } catch { return error.text(in: language) }
        return nil
    }

    @Test("G-3 O-3: lines times bars are counted before anything is computed")
    func heavy() throws {
        let many = Array(repeating: "dmi", count: 32).joined(separator: ",")
        #expect(
            try fault(many, bars: 10_000_000)
                == "\(many.prefix(60)): 128 values a bar over 10,000,000 bars are 1,280,000,000; at most 67,108,864 are computed at once")
        #expect(
            try fault(many, bars: 10_000_000, in: .simplifiedChinese)
                == "\(many.prefix(60))：每根 K 线 128 个值，10,000,000 根 K 线共 1,280,000,000 个；一次最多计算 67,108,864 个")
        #expect(try fault(many, bars: 500_000) == nil)
        #expect(try fault("dmi", bars: 10_000_000) == nil)
        #expect(try fault("CLOSE+1+2+3", bars: 10_000_000)?.contains("8 values a bar") == true)
        let slow = "STD(CLOSE,10000)"
        #expect(try fault(slow, bars: 200_000) == nil)
        #expect(try fault("\(slow),\(slow)", bars: 200_000)?.contains("20,006 steps a bar over 200,000 bars") == true)
    }

    @Test("O-3: a table or an object is of so many fields at most")
    func shown() throws {
        #expect(throws: Failure.self) { try IndicatorCommand.checkShown(rows: 1_000_000, columns: 3) }
        try IndicatorCommand.checkShown(rows: 20, columns: 130)
    }

    @Test("G-3: a list is what it is for both commands: names with numbers, expressions with commas")
    func lists() throws {
        #expect(try IndicatorCommand.plots(ofList: "ma:5,macd").map(\.title) == ["MA(5)", "MACD(12,26,9)"])
        #expect(try IndicatorCommand.plots(ofList: "ma:5:10,MAX(OPEN,CLOSE), kdj").map(\.names.count) == [1, 1, 1, 3])
    }

    @Test("Q-3 what is wrong with a file of bars is said in each language: every reason there is")
    func reasons() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/causeway-bars-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let header = "date,open,high,low,close,volume\n"
        for (number, text) in [
            "", "\n", header, "open\n", "a,a\n", "\u{FEFF}" + header + "2024-01-02,1,1,1,1\n", header + "x,1,1,1,1,1\n",
            header + "2024-01-02,1,1,1,y,1\n", header + "2024-01-02,1,1,1,,1\n", header + "2024-01-02,1,1,1,1,-1\n",
            header + "2024-01-02,1,1,1,2,1\n", header + "2024-01-02,1,1,1,1,1\n2024-01-02,1,1,1,1,1\n", header + "\"2024",
            header + String(repeating: "1,", count: 70) + "\n", String(repeating: "x", count: 70_000),
        ].enumerated() {
            let path = "\(folder)/\(number).csv"
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let failure = #expect(throws: Failure.self) { _ = try BarFile(path: path) }
            for language in [Language.simplifiedChinese, .traditionalChinese] {
                let said = try #require(failure).text(in: language).replacing(path, with: "")
                #expect(
                    said.unicodeScalars.contains { $0.value >= 0x4E00 && $0.value < 0xA000 && !"第行列".unicodeScalars.contains($0) },
                    "\(said)")
                #expect(!said.contains(" is ") && !said.contains(" has "), "\(said)")
            }
        }
        let failure = #expect(throws: Failure.self) { _ = try BarFile(path: folder) }
        #expect(failure?.text(in: .simplifiedChinese) == "\(folder)：不是普通文件")
        #expect(failure?.text(in: .english) == "\(folder): is no regular file")
    }

    @Test("Q-3 what an indicator is made of is told in each language; symbols are the same in all")
    func formulas() throws {
        for indicator in Indicator.all {
            for wording in [indicator.formula, indicator.seed, indicator.source] {
                let english = wording.text(in: .english)
                guard case .words = wording else {
                    // Names of series and of functions, one-letter parameters; no word of English.
                    #expect(
                        english.split { !$0.isLetter }.allSatisfy {
                            $0.count < 3 || $0 == $0.uppercased()
                                || ["fast", "slow", "signal", "short", "long", "TALib", "Lib"].contains(String($0))
                        }, "\(english)")
                    continue
                }
                for language in [Language.simplifiedChinese, .traditionalChinese] {
                    let said = wording.text(in: language)
                    #expect(said != english && !said.contains(" the ") && !said.contains(" where "), "\(indicator.name): \(said)")
                }
            }
        }
        let swing = try #require(Indicator.all.first { $0.name == "OBV" })
        #expect(swing.formula.text(in: .english) == "OBV' + VOL where the close rose, OBV' - VOL where it fell")
        #expect(swing.formula.text(in: .simplifiedChinese) == "收盘价上涨时 OBV' + VOL，下跌时 OBV' - VOL")
    }
}
