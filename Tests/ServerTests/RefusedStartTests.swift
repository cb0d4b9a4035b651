import Streams
import Diagnostics
import Exact
import Exchange
import Foundation
import Journal
import Synchronization
import Testing
import Texts

@testable import Server

/// N-5: a start that is refused leaves every file as it was; parts of a folder from different times are refused.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RefusedStartTests {
    private struct Damage: Sendable {
        var name: String
        var change: @Sendable (_ folder: String) throws -> Void
    }

    /// A server that had one account with one trading account and one session, stopped.
    private func used() async throws -> TestServer {
        let test = try TestServer()
        let server = try await test.start()
        try await openAccount(test, server, "mei")
        await server.stop()
        return test
    }

    private func openAccount(_ test: TestServer, _ server: CausewayServer, _ name: String) async throws {
        let account = try await test.register(server, name: name)
        try await server.trading.exchange.openAccount(
            "S" + account, counter: .securities, funds: [try Money("1000", currency: .hkd)])
    }

    private func refusal(_ test: TestServer, log: Log = .none) async -> Failure? {
        do {
            await (try await test.start(log: log)).stop()
            return nil
        } catch { return error as? Failure ?? Failure(ErrorCode("internal"), .init("reason", "\(error)")) }
    }

    /// Every file's bytes by its name.
    private func contents(_ folder: String) throws -> [String: Data] {
        let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
        return names.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: folder + "/" + $1) }
    }

    private static func put(_ text: String, _ name: String) -> Damage {
        Damage(name: "\(name) = \(text)") { try Data(text.utf8).write(to: URL(fileURLWithPath: $0 + "/" + name)) }
    }

    private static let known: [Damage] = [
        put("", "trading-sessions.json"), put("[", "trading-sessions.json"), put("{}", "trading-sessions.json"),
        put("[1]", "trading-sessions.json"), put("", "accounts.sqlite.credentials"), put("x", "market-time"), put("x", "epochs"),
        put("x", "journal/acknowledged"), put("", "accounts.sqlite"), put("2", "format"),
        Damage(name: "mark and records gone") { folder in
            try FileManager.default.removeItem(atPath: folder + "/journal/acknowledged")
            for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/journal") {
                let path = folder + "/journal/" + name
                if name.hasSuffix(".snapshot") { try FileManager.default.removeItem(atPath: path) }
                if name.hasSuffix(".journal") { truncate(path, 20) }
            }
        },
        Damage(name: "journal gone") { try FileManager.default.removeItem(atPath: $0 + "/journal") },
        Damage(name: "sessions damaged, marks gone") { folder in
            for name in ["journal/acknowledged", "market-time", "epochs"] {
                try FileManager.default.removeItem(atPath: folder + "/" + name)
            }
            try Data("[".utf8).write(to: URL(fileURLWithPath: folder + "/trading-sessions.json"))
        },
    ]

    @Test("N-5: a folder with known damage is refused and left as it is")
    func knownDamage() async throws {
        try await everyStart(of: Self.known.count) { folder, round in
            try Self.known[round].change(folder)
        } ends: { round, failure in
            #expect(failure != nil, "\(Self.known[round].name)")
        }
    }

    @Test("N-5: whatever is damaged, a start that is refused leaves every file as it was")
    func anyDamage() async throws {
        var dice = SeededRandom(seed: 7)
        var refused = 0
        try await everyStart(of: 24) { folder, round in
            for _ in 0...(round % 2) { try damage(folder, &dice) }
        } ends: { _, failure in
            refused += failure == nil ? 0 : 1
        }
        #expect(refused > 8)
    }

    /// Damages the same folder in so many ways; what is refused must have changed nothing.
    private func everyStart(
        of rounds: Int, damage: (_ folder: String, _ round: Int) throws -> Void, ends: (_ round: Int, Failure?) -> Void
    ) async throws {
        let (test, whole) = (try await used(), NSTemporaryDirectory() + "causeway-whole-" + UUID().uuidString)
        try FileManager.default.copyItem(atPath: test.folder, toPath: whole)
        defer { try? FileManager.default.removeItem(atPath: whole) }
        for round in 0..<rounds {
            try FileManager.default.removeItem(atPath: test.folder)
            try FileManager.default.copyItem(atPath: whole, toPath: test.folder)
            try damage(test.folder, round)
            let before = try contents(test.folder)
            let failure = await refusal(test)
            ends(round, failure)
            guard failure != nil else { continue }
            let after = try contents(test.folder)
            let changed = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            #expect(changed.isEmpty, "round \(round)")
        }
        await test.remove()
    }

    /// Empties, cuts, flips a bit of, or removes one file.
    private func damage(_ folder: String, _ dice: inout SeededRandom) throws {
        let names = try contents(folder).filter { $0.key != "lock" }.keys.sorted()
        let path = folder + "/" + names[dice.below(names.count)]
        var bytes = try #require(FileManager.default.contents(atPath: path))
        switch dice.below(4) {
        case 0: return try FileManager.default.removeItem(atPath: path)
        case 1: bytes = Data()
        case 2: bytes = bytes.prefix(dice.below(bytes.count + 1))
        default: if !bytes.isEmpty { bytes[dice.below(bytes.count)] ^= 1 << UInt8(dice.below(8)) }
        }
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test("N-5, C-9: a start that finds its port taken leaves every file as it was: no epoch set aside, no mark raised")
    func portTaken() async throws {
        let test = try await used()
        let other = try TestServer()
        let holder = try await other.start()
        let before = try contents(test.folder)
        do {
            await (try await test.start(port: holder.port)).stop()
            Issue.record("two servers on one port")
        } catch { #expect((error as? Failure)?.code == .portInUse) }
        let after = try contents(test.folder)
        #expect(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] } == [])
        await holder.stop()
        await other.remove()
        await test.remove()
    }

    @Test("N-5: a journal older than the rest of the folder is refused untouched")
    func olderJournal() async throws {
        let test = try await used()
        let old = NSTemporaryDirectory() + "causeway-old-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: old) }
        try FileManager.default.copyItem(atPath: test.folder + "/journal", toPath: old)
        let server = try await test.start()
        try await openAccount(test, server, "wei")
        // Before it was answered, not only at a clean stop.
        #expect(try HighWater.open("journal-end", in: .live(path: test.folder))?.value == server.trading.exchange.journalled)
        await server.stop()
        try FileManager.default.removeItem(atPath: test.folder + "/journal")
        try FileManager.default.copyItem(atPath: old, toPath: test.folder + "/journal")
        let before = try contents(test.folder)
        let failure = await refusal(test)
        #expect(failure?.code == .dataIncomplete)
        #expect(failure?.arguments.last?.value == test.folder + "/journal-end")
        #expect(try contents(test.folder) == before)
        // The loss is accepted as the text says.
        try FileManager.default.removeItem(atPath: test.folder + "/journal-end")
        #expect(await refusal(test) == nil)
        await test.remove()
    }

    @Test("N-5: a mark that is gone beside records is said", arguments: ["journal/acknowledged", "journal-end"])
    func markGone(name: String) async throws {
        let test = try await used()
        let lines = Mutex<[String]>([])
        let log = Log { _, event, fields in
            guard event == "journal.mark-missing" else { return }
            lines.withLock { $0.append(fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")) }
        }
        #expect(await refusal(test, log: log) == nil)
        #expect(lines.withLock { $0 } == [])
        try FileManager.default.removeItem(atPath: test.folder + "/" + name)
        #expect(await refusal(test, log: log) == nil)
        #expect(lines.withLock { $0 } == ["file=\(test.folder)/\(name)"])
        await test.remove()
    }
}
