import Foundation
import SQLite
import Testing

@testable import Persistence

/// F-5: what is kept of alerts.
@Suite struct AlertStoreTests {
    private func file(_ path: String = ":memory:") throws -> AccountFile {
        let file = try AccountFile(path: path)
        for name in ["a", "b"] where try file.accounts.account(name) == nil {
            try file.accounts.add(AccountRecord(id: name, name: name, passwordHash: "h", tradingPasswordHash: "t", createdAt: 5))
        }
        return file
    }

    private func alert(_ account: String = "a", repeats: Bool = false) -> AlertRecord {
        AlertRecord(account: account, symbol: "700.HK", condition: "above", threshold: 450, repeats: repeats, since: 10)
    }

    private func firing(_ alert: Int64, _ account: String = "a", time: Int64 = 20) -> AlertChange {
        .fired(
            FiringRecord(
                account: account, alert: alert, symbol: "700.HK", condition: "above", threshold: 450, value: 451, time: time,
                provenance: "derived", recordedOn: 0))
    }

    @Test("A firing takes its alert with it and is kept once, however often it is handed in")
    func once() throws {
        let store = try file().alerts
        let id = try store.add(alert())
        #expect(try store.keep([firing(id)]).map(\.number) == [1])
        #expect(try store.alerts() == [])
        #expect(try store.keep([firing(id)]) == [])
        #expect(try store.firings("a", 0, 10).count == 1)
        // The number is not given again.
        #expect(try store.add(alert()) > id)
    }

    @Test("A repeating alert rests with its firing until it is armed again")
    func repeating() throws {
        let store = try file().alerts
        let id = try store.add(alert(repeats: true))
        #expect(try store.keep([firing(id), firing(id)]).count == 1)
        #expect(try store.alerts().map { [$0.isArmed ? 1 : 0, $0.since] } == [[0, 20]])
        #expect(try store.keep([.rearmed(alert: id, time: 25), firing(id, time: 30)]).map(\.number) == [2])
    }

    @Test("A removed alert keeps no firing; an account has its own numbers and its own alerts")
    func accounts() throws {
        let store = try file().alerts
        let (first, second) = (try store.add(alert()), try store.add(alert("b")))
        #expect(try store.remove(first, "b") == false)
        #expect(try store.remove(first, "a"))
        #expect(try store.keep([firing(first), firing(second, "b")]).map(\.number) == [1])
        #expect(try store.firings("a", 0, 10) == [])
        #expect(throws: StoreError.taken) { _ = try store.add(alert("nobody")) }
    }

    @Test("The newest firings are kept; their numbers show what is gone")
    func bounded() throws {
        let store = try file().alerts
        let id = try store.add(alert(repeats: true))
        let most = AlertStore.firingsKept
        let changes = (1...(most + 5)).flatMap { [firing(id, time: $0), .rearmed(alert: id, time: $0)] }
        #expect(try store.keep(changes).count == Int(most) + 5)
        #expect(try store.firings("a", 0, 1).map(\.number) == [6])
        #expect(try store.firings("a", most, 10).map(\.number) == [most + 1, most + 2, most + 3, most + 4, most + 5])
    }

    @Test("What was acknowledged never goes back, nor beyond the newest firing")
    func acknowledged() throws {
        let store = try file().alerts
        let id = try store.add(alert())
        #expect(try store.acknowledge("a", 5) == 0)
        _ = try store.keep([firing(id)])
        #expect(try store.acknowledge("a", 5) == 1)
        #expect(try store.acknowledge("a", 0) == 1)
        #expect(try store.acknowledged("a") == 1)
        #expect(try store.acknowledged("b") == 0)
    }

    @Test("Q-5: a file of the version before gets the tables, also where that was cut off half way", arguments: [false, true])
    func migration(isCutOff: Bool) throws {
        let path = NSTemporaryDirectory() + "causeway-alerts-" + UUID().uuidString
        let copy = path + "-copy"
        defer {
            for file in [path, copy] {
                for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: file + suffix) }
            }
        }
        do {
            let database = try Database(path: path)
            try database.migrate([AccountTables.first, AccountTables.second])
            try database.execute("INSERT INTO account VALUES ('a', 'mei', 'h', 't', 0, 5)")
            if isCutOff {
                // As a process leaves it that is killed while it writes: pages of the step in the file, its journal beside it.
                try database.execute("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
                try AlertTables.first(database)
                try database.execute("CREATE TABLE filler (text TEXT)")
                for _ in 0..<200 { try database.run("INSERT INTO filler VALUES (?)", [.text(String(repeating: "x", count: 2_000))]) }
                #expect(FileManager.default.fileExists(atPath: path + "-journal"))
            }
            for suffix in ["", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
            }
        }
        let file = try AccountFile(path: copy)
        #expect(try file.accounts.account("a")?.name == "mei")
        let id = try file.alerts.add(alert())
        #expect(try AccountFile(path: copy).alerts.alerts().map(\.id) == [id])
        #expect(try Database(path: copy).userVersion() == 5)
    }

    @Test("Q-5: a file of version 4 opens, its alerts and firings are kept, and it takes formulas")
    func formulas() throws {
        let path = NSTemporaryDirectory() + "causeway-alerts-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            let database = try Database(path: path)
            try database.migrate([AccountTables.first, AccountTables.second, AlertTables.first, WatchlistTables.first])
            try database.execute(
                """
                INSERT INTO account VALUES ('a', 'mei', 'h', 't', 0, 5);
                INSERT INTO alert VALUES (3, 'a', '700.HK', 'above', 450, 1, 0, 10);
                INSERT INTO firing VALUES ('a', 1, 2, '700.HK', 'below', 7, 6, 9, 'derived', 20220413);
                """)
        }
        let formula = FormulaRecord(text: "CLOSE>5", period: "5m")
        do {
            let store = try AccountFile(path: path).alerts
            #expect(try store.alerts().map(\.id) == [3] && store.alerts().first?.formula == nil)
            #expect(try store.firings("a", 0, 10).map(\.value) == [6] && store.firings("a", 0, 10).first?.formula == nil)
            let id = try store.add(
                AlertRecord(account: "a", symbol: "700.HK", condition: "when", threshold: 0, formula: formula, repeats: false, since: 10))
            // One that fires once may rest: it was true when it was made.
            _ = try store.keep([.judged(alert: id, time: 20, isTrue: true), .judged(alert: 3, time: 20, isTrue: true)])
        }
        let store = try AccountFile(path: path).alerts
        let kept = try #require(try store.alerts().last)
        #expect(kept.formula == formula && !kept.isArmed && kept.since == 20)
        // Of a figure nothing is judged at the end of a bar.
        #expect(try store.alerts().first?.since == 10)
        let fired = FiringRecord(
            account: "a", alert: kept.id, symbol: "700.HK", condition: "when", threshold: 0, formula: formula, value: 6, time: 30,
            provenance: "derived", recordedOn: 0)
        #expect(try store.keep([.judged(alert: kept.id, time: 25, isTrue: false), .fired(fired), .fired(fired)]).map(\.number) == [2])
        #expect(try AccountFile(path: path).alerts.firings("a", 1, 10).map(\.formula) == [formula])
    }

    @Test(
        "Q-5: a row with a number that is never written is damage, told when the file is opened",
        arguments: [
            "UPDATE alert SET threshold = 0", "UPDATE alert SET armed = 0", "UPDATE alert SET since = -1", "UPDATE firing SET number = 0",
            "INSERT INTO firing_mark VALUES ('a', 9)",
        ])
    func damage(sql: String) throws {
        let path = NSTemporaryDirectory() + "causeway-alerts-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try file(path).alerts
        _ = try store.keep([firing(try store.add(alert()))])
        _ = try store.add(alert())
        _ = try AccountFile(path: path)
        try Database(path: path).execute(sql)
        let table = sql.split(separator: " ")[sql.hasPrefix("UPDATE") ? 1 : 2]
        #expect(throws: StoreError.corrupt("a number out of range in table \(table)")) { _ = try AccountFile(path: path) }
    }
}
