import Foundation
import SQLite
import Testing

@testable import Persistence

@Suite struct AccountStoreTests {
    private func family(generation: Int64 = 1) -> FamilyRecord {
        FamilyRecord(
            id: "f1", accountID: "a1", deviceID: "d1", deviceName: "desk", platform: "linux", generation: generation, signedInAt: 1,
            issuedAt: generation, previousIssuedAt: generation - 1)
    }

    private func store(_ path: String = ":memory:") throws -> AccountStore {
        let store = try AccountStore.sqlite(path: path)
        if try store.account("a1") == nil {
            try store.add(AccountRecord(id: "a1", name: "mei", passwordHash: "h", tradingPasswordHash: "t", createdAt: 5))
        }
        return store
    }

    @Test("A-11: rotation is compare-and-swap: of two that saw the same generation one wins")
    func compareAndSwap() throws {
        let store = try store()
        try store.addFamily(family())
        #expect(try store.replaceFamily(family(generation: 2), 1))
        #expect(try store.replaceFamily(family(generation: 2), 1) == false)
        #expect(try store.liveFamilies() == [family(generation: 2)])
        try store.revokeFamily("f1", false)
        #expect(try store.replaceFamily(family(generation: 3), 2) == false)
        #expect(try store.liveFamilies() == [])
    }

    @Test("A name belongs to one account; everything is there after a restart, the server's secret unchanged")
    func restart() throws {
        let path = NSTemporaryDirectory() + "causeway-accounts-" + UUID().uuidString
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        let first = try store(path)
        #expect(throws: StoreError.taken) {
            try first.add(AccountRecord(id: "a2", name: "mei", passwordHash: "h", tradingPasswordHash: "t", createdAt: 6))
        }
        let secret = try first.secret("credentials") { [1, 2, 3] }
        let again = try AccountStore.sqlite(path: path)
        #expect(try again.accountNamed("mei")?.createdAt == 5)
        #expect(try again.accountNamed("nobody") == nil)
        #expect(try again.secret("credentials") { [9] } == secret)
    }

    @Test(
        "Q-5: a row with a number that is never written is damage, told when the file is opened",
        arguments: [
            "UPDATE family SET issued_at = 9223372036854775807", "UPDATE family SET previous_issued_at = -1",
            "UPDATE family SET signed_in_at = 253402300800000", "UPDATE family SET generation = 0",
            "UPDATE family SET generation = 9223372036854775807", "UPDATE family SET revoked = 3",
            "UPDATE account SET created_at = -9223372036854775808", "UPDATE account SET frozen = 2",
            "INSERT INTO attempt VALUES ('name', 'k', 9223372036854775807, 1)",
            "INSERT INTO attempt VALUES ('trading', 'k', 1, 9223372036854775807)",
            "INSERT INTO attempt VALUES ('trading', 'k', -1, 1)", "INSERT INTO attempt VALUES ('other', 'k', 1, 1)",
        ])
    func damage(sql: String) throws {
        let path = NSTemporaryDirectory() + "causeway-accounts-" + UUID().uuidString
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        try store(path).addFamily(family())
        _ = try store(path)
        try Database(path: path).execute(sql)
        let table = sql.split(separator: " ")[sql.hasPrefix("UPDATE") ? 1 : 2]
        #expect(throws: StoreError.corrupt("a number out of range in table \(table)")) { _ = try AccountStore.sqlite(path: path) }
    }
}
