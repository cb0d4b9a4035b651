import Charting
import Drawings
import Exact
import Foundation
import HTTP
import Instruments
import Streams
import Testing
import Texts

@testable import causeway

@Suite("G-5 drawings by command")
struct DrawCommandTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("draw-\(UUID().uuidString)").path

    private func run(_ words: String...) async throws { try await run(all: words) }

    private func run(all words: [String]) async throws {
        let folder = folder
        let store = DrawingStore(folder: folder) { await Task.yield() }
        let commands = DrawCommands.all { invocation in
            DrawClient(
                language: invocation.language, store: store,
                instrument: { text in
                    guard text == "700" else { throw Failure(.symbolUnknown, .init("symbol", text)) }
                    return Instrument(
                        id: InstrumentID(700), market: .xhkg, code: "700", symbol: "700.HK", kind: .stock, currency: .hkd,
                        names: .init(english: "Tencent", simplified: "腾讯", traditional: "騰訊"), lot: try Quantity("100"), multiplier: 1,
                        decimals: 2, tickTable: "HK-A")
                }, today: { Catalogue.civilDay })
        }
        guard case .invoke(let invocation) = try Parser(commands: commands).parse(words + ["--json"]) else {
            Issue.record("\(words)")
            return
        }
        try await invocation.command.run(invocation)
    }

    private func drawings() async throws -> [Drawing] {
        try await DrawingStore(folder: folder) {}.load(InstrumentID(700)).set.drawings
    }

    @Test("what is typed is what is kept, to the last digit") func kept() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await run("draw", "add", "700", "trend", "2026-10-02,580", "2026-11-20T10:30,612.500000001")
        try await run("draw", "add", "700", "horizontal", "-5.25", "--colour", "3", "--width", "2", "--dash", "dashed")
        try await run("draw", "add", "700", "text", "2026-10-02 09:30,580", "--text", "支撑")
        let made = try await drawings()
        #expect(made.map(\.tool) == [.trend, .horizontal, .text] && made[2].text == "支撑")
        #expect(
            try made[0].anchors == [
                .init(ChartTime(day: 20_261_002), Price("580")),
                .init(ChartTime(day: 20_261_120, minute: 630), Price("612.500000001")),
            ])
        #expect(try made[1].anchors[0].price == Price("-5.25") && made[1].style == Drawing.Style(colour: 3, width: 2, dash: .dashed))
        try await run("draw", "list", "700")
        try await run("draw", "remove", "700", "2")
        #expect(try await drawings().map(\.id) == [1, 3])
    }

    @Test(
        "what cannot be drawn is refused, and nothing is kept",
        arguments: [
            (["line", "2026-10-02,580", "2026-11-20,600"], "usage.choice"),
            (["trend", "2026-10-02,580"], "drawing.invalid"), (["trend", "2026-10-02,580", "2026-10-03"], "usage.argument-invalid"),
            (["horizontal", "580", "590"], "drawing.invalid"), (["horizontal", "5x"], "usage.argument-invalid"),
            (["trend", "2026-10-02,1,580", "2026-11-20,600"], "usage.argument-invalid"),
            (["trend", "2026-02-30,580", "2026-11-20,600"], "usage.argument-invalid"),
            (["trend", "2026-10-02T24:00,580", "2026-11-20,600"], "usage.argument-invalid"),
            (["trend", "2026-10-02,0.0000000001", "2026-11-20,600"], "usage.argument-invalid"),
            (["text", "2026-10-02,580"], "drawing.invalid"), (["trend", "2026-10-02,1", "2026-11-20,2", "--text", "x"], "drawing.invalid"),
            (["horizontal", "580", "--colour", "9"], "usage.argument-range"), (["horizontal", "580", "--dash", "wavy"], "usage.choice"),
        ])
    func refused(words: [String], code: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            try await run(all: ["draw", "add", "700"] + words)
            Issue.record("\(words) was drawn")
        } catch let failure as Failure {
            #expect(failure.code.rawValue == code, "\(words)")
            for language in Language.allCases { #expect(!failure.text(in: language).contains("{")) }
        }
        #expect(try await drawings().isEmpty)
    }

    @Test("the example is of the tool; too many decimals and a missing tool are said as that") func examples() async throws {
        func failure(_ words: String...) async throws -> Failure? {
            do { try await run(all: ["draw", "add", "700"] + words) } catch let failure as Failure { return failure }
            return nil
        }
        func value(_ name: String, _ failure: Failure?) -> String? { failure?.arguments.first { $0.name == name }?.value }
        let level = try await failure("horizontal", "abc")
        #expect(value("example", level) == "580" && value("form", level) == "form-price")
        #expect(value("example", try await failure("trend", "abc", "def")) == "2026-10-02,580")
        #expect(value("form", try await failure("horizontal", "1.0000000001")) == "form-price-places")
        #expect(value("choices", try await failure())?.contains("fibonacci") == true)
        #expect(try await failure("trend")?.code.rawValue == "usage.argument-missing")
    }

    @Test("what is not there cannot be removed") func unknown() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(throws: Failure(.drawingUnknown, .init("id", "4"))) { try await run("draw", "remove", "700", "4") }
        await #expect(throws: Failure.self) { try await run("draw", "remove", "700", "x") }
        await #expect(throws: Failure(.symbolUnknown, .init("symbol", "9"))) { try await run("draw", "list", "9") }
    }
}
