import Charting
import Exact
import Foundation
import HTTP
import Instruments
import Sealed
import Streams
import Testing
import Texts

@testable import Drawings

private func price(_ text: String) throws -> Price { try Price(text) }

struct DrawingStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("drawings-\(UUID().uuidString)").path
    private let id = InstrumentID(700)
    private var path: String { folder + "/700.json" }
    private var store: DrawingStore { DrawingStore(folder: folder) { await Task.yield() } }

    private func anchors() throws -> [Drawing.Anchor] {
        [
            .init(ChartTime(day: 20_261_002), try price("580")),
            .init(ChartTime(day: 20_261_120, minute: 575), try price("-612.500000001")),
        ]
    }

    @Test func aTextOfBeforeWithWhatIsNoCharacterIsRead() throws {  // G-5, Q-2
        let text = try Drawing(id: 1, tool: .text, anchors: [try anchors()[0]], text: "a?b")
        guard case .object(var members) = text.json, let place = members.firstIndex(where: { $0.name == "text" }) else {
            Issue.record("no text")
            return
        }
        members[place] = .init("text", .string("a\u{FFFE}b"))
        #expect(try Drawing(json: .object(members)).text == "a\u{FFFD}b")
    }

    private func add(_ store: DrawingStore, to id: InstrumentID) async throws -> Drawing {
        let anchors = try anchors()
        return try await store.edit(id) { set throws(Failure) in try set.add(.trend, anchors) }.result
    }

    @Test func drawingsAreKeptExactly() async throws {  // G-5, Q-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await store.load(id).set.drawings.isEmpty)
        let anchors = try anchors()
        let style = try Drawing.Style(colour: 3, width: 2, dash: .dotted)
        let made = try await store.edit(id) { set throws(Failure) in
            [
                try set.add(.trend, anchors, style: style),
                try set.add(.text, [anchors[0]], text: "支撑 \"here\" \\ é"),
                try set.add(.channel, anchors + [anchors[0]]),
            ]
        }.result
        #expect(made.map(\.id) == [1, 2, 3])
        // By another process, after a restart.
        #expect(try await DrawingStore(folder: folder) {}.load(id).set.drawings == made)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(#""price":"-612.500000001""#) && text.contains(#""minute":575"#))
    }

    @Test func numbersAreNotGivenTwice() async throws {  // G-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try await add(store, to: id).id == 1)
        #expect(try await add(store, to: id).id == 2)
        _ = try await store.edit(id) { set throws(Failure) in try set.remove(2) }
        _ = try await store.edit(id) { set throws(Failure) in try set.remove(1) }
        #expect(try await add(store, to: id).id == 3)
        await #expect(throws: Failure(.drawingUnknown, .init("id", "2"))) {
            try await store.edit(id) { set throws(Failure) in try set.remove(2) }
        }
        #expect(try await store.load(id).set.drawings.map(\.id) == [3])
    }

    @Test func aRenamedSymbolKeepsItsDrawings() async throws {  // G-5, H-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func table(_ symbol: String) throws -> InstrumentTable {
            let meta = Instrument(
                id: InstrumentID(41_007), market: .xnas, code: symbol, symbol: symbol + ".US", kind: .stock, currency: .usd,
                names: .init(english: symbol, simplified: symbol, traditional: symbol), lot: try Quantity("1"), multiplier: 1, decimals: 2,
                tickTable: "US")
            return InstrumentTable(version: 1, instruments: [meta])
        }
        let (then, now) = (try #require(TradingDay("2022-06-01")), try #require(TradingDay("2026-11-30")))
        let before = try table("FB").resolve("FB.US", on: then).get()
        let drawn = try await add(store, to: before.id)
        let after = try table("META").resolve("META.US", on: now).get()
        #expect(try await store.load(after.id).set.drawings == [drawn])
        #expect(try await store.load(InstrumentID(5)).set.drawings.isEmpty)
    }

    @Test func aDamagedFileIsSetAside() async throws {  // G-5, Q-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let drawn = try await add(store, to: id)
        let good = try String(contentsOfFile: path, encoding: .utf8)
        let bad = [
            "", "{", "[]", "{\"format\":0}", good.replacingOccurrences(of: "\"trend\"", with: "\"spiral\""),
            good.replacingOccurrences(of: "20261002", with: "20261302"), good.replacingOccurrences(of: ":700", with: ":701"),
            good.replacingOccurrences(of: "\"next\":2", with: "\"next\":1"), good.replacingOccurrences(of: "\"580\"", with: "580.0"),
            good.replacingOccurrences(of: "\"580\"", with: "\"1e9\""), good.replacingOccurrences(of: "\"colour\":8", with: "\"colour\":9"),
            String(repeating: " ", count: DrawingStore.limit + 1),
        ]
        for (number, text) in bad.enumerated() {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let found = try await store.load(id)
            #expect(found.set.drawings.isEmpty && found.setAside == path + ".damaged-\(number + 1)", "\(text.prefix(80))")
            #expect(try String(contentsOfFile: path + ".damaged-\(number + 1)", encoding: .utf8) == text)
            #expect(try await store.load(id) == .init())
        }
        // The next drawing begins a new file.
        try good.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try await store.load(id).set.drawings == [drawn])
    }

    @Test func whatIsNewerStays() async throws {  // G-5, Q-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try await add(store, to: id)
        let newer = #"{"format":2,"instrument":700,"shapes":{}}"#
        try newer.write(toFile: path, atomically: true, encoding: .utf8)
        await #expect(throws: Failure(.dataNewer, .init("path", path))) { try await store.load(id) }
        await #expect(throws: Failure(.dataNewer, .init("path", path))) { try await add(store, to: id) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == newer)
    }

    @Test func thereIsABound() async throws {  // G-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let anchor = try anchors()[0]
        let words = String(repeating: "\u{1F600}", count: Drawing.longestText)
        _ = try await store.edit(id) { set throws(Failure) in
            for _ in 0..<DrawingSet.most { _ = try set.add(.text, [anchor], text: words) }
        }
        #expect(try await store.load(id).set.drawings.count == DrawingSet.most)
        await #expect(throws: Failure(.drawingTooMany, .init("most", "500"))) { try await add(store, to: id) }
    }

    @Test func twoThatDrawAtOnceLoseNothing() async throws {  // G-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let anchors = try anchors()
        // Each with a store of its own, as processes have.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let store = DrawingStore(folder: folder) { await Task.yield() }
                group.addTask {
                    for _ in 0..<5 {
                        var isDone = false
                        while !isDone {
                            do {
                                _ = try await store.edit(InstrumentID(700)) { set throws(Failure) in try set.add(.ray, anchors) }
                                isDone = true
                            } catch let failure as Failure where failure.code == .dataInUse { await Task.yield() }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.load(id).set.drawings.map(\.id) == Array(1...20))
        let held = try #require(try FileLock.tryAcquire(folder + "/lock"))
        await #expect(throws: Failure(.dataInUse, .init("path", folder))) { try await add(store, to: id) }
        withExtendedLifetime(held) {}
    }

    @Test func aRefusedChangeWritesNothing() async throws {  // G-5
        defer { try? FileManager.default.removeItem(atPath: folder) }
        await #expect(throws: Failure(.drawingInvalid, .init("reason", "drawing-text-empty"))) {
            let anchor = try anchors()[0]
            _ = try await store.edit(id) { set throws(Failure) in
                _ = try set.add(.horizontal, [anchor])
                _ = try set.add(.text, [anchor], text: "")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        await #expect(throws: Failure.self) { try await store.load(id) }
    }
}
