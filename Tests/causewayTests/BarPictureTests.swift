import Charting
import Foundation
import Testing
import Texts

@testable import causeway

/// Pictures and figures of bars in the user's own file.
struct BarPictureTests {
    private let folder = NSTemporaryDirectory() + "bars-" + UUID().uuidString
    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func file(_ lines: [String]) throws -> String {
        let path = folder + "/bars.csv"
        try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func run(_ words: String...) async throws {
        guard case .invoke(let invocation) = try Parser(commands: Commands.all).parse(words) else {
            Issue.record("\(words) is no command")
            return
        }
        try await invocation.command.run(invocation)
    }

    @Test("G-3 the smallest volume there is makes figures, not a crash") func smallestVolume() async throws {
        let path = try file(["time,open,high,low,close,volume", "2026-11-30,10,12,9,11,5e-324"])
        do { try await run("indicator", "chips", "--input", path, "--float", "1") } catch is Failure {}
        do { try await run("chart", "--input", path, "--chips", "--float", "1", "--output", folder + "/a.svg") } catch is Failure {}
    }

    @Test("G-3 a name with commas is one field of CSV") func quoted() {
        #expect(IndicatorCommand.quoted("MA(CLOSE,5)") == "\"MA(CLOSE,5)\"")
        #expect(IndicatorCommand.quoted("a\"b") == "\"a\"\"b\"" && IndicatorCommand.quoted("K 2") == "K 2")
    }

    @Test("G-3 an expression has its own text for a name, what is only true or false stands in columns") func expressions() throws {
        let plot = try #require(try IndicatorCommand.plots("EMA(CLOSE,12)-EMA(CLOSE,26)").first)
        #expect(plot.title == "EMA(CLOSE,12)-EMA(CLOSE,26)")
        #expect(plot.outputs([[0.5, 1, .nan]]).map(\.style) == [.line] && plot.outputs([[0, 1, .nan]]).map(\.style) == [.columns])
        #expect(plot.outputs([[.nan]]).map(\.style) == [.line])
        let long = try #require(try IndicatorCommand.plots("EMA(CLOSE,12)-EMA(CLOSE,26)+EMA(CLOSE,50)-EMA(OPEN,99)").first)
        #expect(long.title.count == 40 && long.title.hasPrefix("EMA(CLOSE,12)-EMA(CL…") && long.title.hasSuffix("EMA(OPEN,99)"))
    }

    @Test("G-5 prices of a file have two decimals at least") func decimals() throws {
        #expect(try BarFile(path: try file(["time,open,high,low,close,volume", "2026-11-30,360.8,361,360,360.8,5"])).decimals == 2)
    }
}
