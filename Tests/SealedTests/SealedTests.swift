import Foundation
import Testing

@testable import Sealed

@Suite struct SealedTests {
    private func scratch() throws -> String {
        let path = NSTemporaryDirectory() + "causeway-sealed-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test("A-9: what is sealed opens with its passphrase only, in a later process too; the file shows nothing and is private")
    func sealedStore() throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let secret = Array("refresh-credential-0123456789".utf8)
        let passphrase = Array("correct horse".utf8)
        try SecretStore.sealed(folder: folder, passphrase: passphrase, cost: .least).write("session", secret)
        #expect(try SecretStore.sealed(folder: folder, passphrase: passphrase, cost: .least).read("session") == secret)
        #expect(throws: SealedError.self) {
            _ = try SecretStore.sealed(folder: folder, passphrase: Array("wrong".utf8), cost: .least).read("session")
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let file = folder + "/" + name
            let bytes = try #require(FileManager.default.contents(atPath: file))
            #expect(bytes.range(of: Data(secret)) == nil && bytes.range(of: Data(passphrase)) == nil)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test("An altered or cut box never opens", arguments: 0..<58)
    func altered(at index: Int) throws {
        let key = randomBytes(32)
        let sealed = SealedBox.seal(Array("one hundred shares".utf8), key: key, context: [1])
        var bytes = sealed
        bytes[index % bytes.count] ^= 1
        #expect(throws: SealedError.self) { _ = try SealedBox.open(bytes, key: key, context: [1]) }
        #expect(throws: SealedError.self) { _ = try SealedBox.open(Array(sealed.prefix(index)), key: key, context: [1]) }
        #expect(throws: SealedError.self) { _ = try SealedBox.open(sealed, key: key, context: [2]) }
        #expect(try SealedBox.open(sealed, key: key, context: [1]) == Array("one hundred shares".utf8))
    }

    @Test("A-11: argon2id verifies its own password only, and salts")
    func passwords() throws {
        let hash = try PasswordHash.make("correct horse", cost: .least)
        #expect(hash.hasPrefix("$argon2id$"))
        #expect(try PasswordHash.verify("correct horse", against: hash))
        #expect(try !PasswordHash.verify("correct horsf", against: hash))
        #expect(try PasswordHash.make("correct horse", cost: .least) != hash)
        // Costs of another kind than the least; what is no hash of ours matches nothing.
        #expect(try PasswordHash.verify("", against: PasswordHash.make("", cost: PasswordCost(operations: 2, memory: 1 << 20))))
        for broken in [
            "no hash", "", String(hash.dropLast()), hash + "A", hash.replacing("p=1", with: "p=2"), hash.replacing("m=8,", with: "m=0,"),
        ] {
            #expect(try !PasswordHash.verify("correct horse", against: broken))
        }
    }

    // a hash that asks for 4 TiB, on a machine that does not promise what it lacks.
    @Test("A-11: lack of memory is no wrong password")
    func lackOfMemory() throws {
        let promise = try String(contentsOfFile: "/proc/sys/vm/overcommit_memory", encoding: .utf8)
        guard !promise.hasPrefix("1") else { return }
        let hash = PasswordHash.unmatched(cost: PasswordCost(operations: 1, memory: 0xFFFF_FFFF << 10))
        #expect(throws: SealedError.outOfMemory) { _ = try PasswordHash.verify("correct horse", against: hash) }
    }

    @Test("A-11: the stand-in for an unknown name has the form and cost of a real hash, and no password")
    func unmatchedHash() throws {
        let made = try PasswordHash.make("correct horse", cost: .least)
        let standIn = PasswordHash.unmatched(cost: .least)
        let head = try #require(made.range(of: "p=1$")).upperBound
        #expect(standIn.prefix(upTo: standIn.index(standIn.startIndex, offsetBy: made[..<head].count)) == made[..<head])
        #expect(standIn.utf8.count == made.utf8.count)
        #expect(standIn.split(separator: "$").map(\.count) == made.split(separator: "$").map(\.count))
        #expect(try !PasswordHash.verify("correct horse", against: standIn))
        #expect(PasswordHash.unmatched(cost: .least) != standIn)
    }

    @Test("D-8: the device id is made once")
    func device() throws {
        let store = SecretStore.memory()
        let first = try DeviceIdentity.load(from: store)
        #expect(first.count == 16)
        #expect(try DeviceIdentity.load(from: store) == first)
    }

    @Test("D-8: processes that start at once for the first time agree on one device id")
    func deviceRace() async throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ids = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<16 {
                // A store of its own is a process of its own: it shares the folder and nothing else.
                group.addTask {
                    let store = SecretStore.sealed(folder: folder, passphrase: [1, 2, 3], cost: .least)
                    return try DeviceIdentity.load(from: store)
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["device.sealed"])
    }

    @Test("A-2: one holder of a lock; the next gets it when the first is gone")
    func lock() throws {
        let folder = try scratch()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let first = try FileLock.tryAcquire(folder + "/lock")
            #expect(first != nil)
            #expect(try FileLock.tryAcquire(folder + "/lock") == nil)
            withExtendedLifetime(first) {}
        }
        #expect(try FileLock.tryAcquire(folder + "/lock") != nil)
    }

    @Test("Base64URL round trip, and nothing but its own alphabet", arguments: 0..<40)
    func base64(count: Int) {
        let bytes = randomBytes(count)
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        #expect(Base64URL.decode("a+b/") == nil && Base64URL.decode("ab=") == nil)
    }

    @Test func digest() {
        // FIPS 180-4, the example "abc".
        let hex = Digest.sha256(Array("abc".utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
