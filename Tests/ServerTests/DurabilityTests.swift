import Exact
import Exchange
import Foundation
import Sealed
import Testing
import Texts

@testable import Server

/// N-5: a data folder that lost something is refused, in one line, and left as it is.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DurabilityTests {
    /// A server that had one account with one trading account, stopped.
    private func used() async throws -> TestServer {
        let test = try TestServer()
        let server = try await test.start()
        let account = try await test.register(server, name: "mei")
        try await server.trading.exchange.openAccount(
            "S" + account, counter: .securities, funds: [try Money("1000", currency: .hkd)])
        await server.stop()
        return test
    }

    private func refusal(_ test: TestServer) async -> Failure? {
        do {
            await (try await test.start()).stop()
            return nil
        } catch { return error as? Failure }
    }

    @Test("N-5: accounts that are emptied, missing or of another time are refused untouched", arguments: ["empty", "missing", "fresh"])
    func accountsGone(how: String) async throws {
        let test = try await used()
        let path = test.folder + "/accounts.sqlite"
        try FileManager.default.removeItem(atPath: path)
        if how == "empty" { try Data().write(to: URL(fileURLWithPath: path)) }
        if how == "fresh" {
            let other = try TestServer()
            await (try await other.start()).stop()
            try FileManager.default.copyItem(atPath: other.folder + "/accounts.sqlite", toPath: path)
            await other.remove()
        }
        let before = FileManager.default.contents(atPath: path)
        #expect(await refusal(test) == Failure(.dataMismatch, .init("path", path), .init("other", test.folder + "/journal")))
        #expect(FileManager.default.contents(atPath: path) == before)
        await test.remove()
    }

    @Test("N-5: a damaged account file is refused untouched", arguments: [0, 4096, 8192])
    func accountsDamaged(offset: Int) async throws {
        let test = try await used()
        let path = test.folder + "/accounts.sqlite"
        var bytes = try #require(FileManager.default.contents(atPath: path))
        bytes.replaceSubrange(offset..<(offset + 64), with: [UInt8](repeating: 0xA5, count: 64))
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(await refusal(test)?.code == .dataCorrupt)
        #expect(FileManager.default.contents(atPath: path) == bytes)
        await test.remove()
    }

    @Test(
        "A-11, N-5: a credential key of the wrong length, or gone beside accounts, is refused untouched",
        arguments: [nil, 0, 1, 20, 31, 33])
    func keyDamaged(bytes: Int?) async throws {
        let test = try await used()
        let path = test.folder + "/accounts.sqlite.credentials"
        if let bytes {
            try Data(repeating: 7, count: bytes).write(to: URL(fileURLWithPath: path))
        } else {
            try FileManager.default.removeItem(atPath: path)
        }
        let before = FileManager.default.contents(atPath: path)
        #expect(await refusal(test)?.code == .dataCorrupt)
        #expect(FileManager.default.contents(atPath: path) == before)
        await test.remove()
    }

    @Test("N-5: a journal that is gone beside accounts is refused")
    func journalGone() async throws {
        let test = try await used()
        try FileManager.default.removeItem(atPath: test.folder + "/journal")
        #expect(await refusal(test) == Failure(ErrorCode("data.journal-missing"), .init("path", test.folder + "/journal")))
        await test.remove()
    }

    @Test("D-4, N-5: a trading session whose account the journal does not know is refused")
    func journalOlder() async throws {
        let test = try await used()
        let path = test.folder + "/trading-sessions.json"
        let text = #"[{"tradingAccount":"Sother","account":"other","device":"d","platform":"linux","digest":"x"}]"#
        try PrivateFile.write(Array(text.utf8), to: path)
        #expect(await refusal(test) == Failure(.dataMismatch, .init("path", test.folder + "/journal"), .init("other", path)))
        await test.remove()
    }

    @Test("O-3: only its owner reads the data folder, whatever made its files")
    func privateModes() async throws {
        let test = try await used()
        func modes() throws -> Set<String> {
            let names = try #require(FileManager.default.enumerator(atPath: test.folder)).compactMap { $0 as? String }
            return Set(
                try ([""] + names).map { name in
                    let found = try FileManager.default.attributesOfItem(atPath: test.folder + "/" + name)
                    let mode = try #require(found[.posixPermissions] as? Int)
                    return "\(found[.type] as? FileAttributeType == .typeDirectory ? "d" : "f")\(String(mode, radix: 8))"
                })
        }
        #expect(try modes() == ["d700", "f600"])
        for name in ["", "/accounts.sqlite", "/journal", "/format"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: test.folder + name)
        }
        #expect(await refusal(test) == nil)
        #expect(try modes() == ["d700", "f600"])
        await test.remove()
    }
}
