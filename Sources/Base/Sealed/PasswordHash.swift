import CSodium

/// What one password costs to try.
public struct PasswordCost: Hashable, Sendable {
    /// Passes over the memory.
    public var operations: UInt64
    /// Bytes.
    public var memory: Int

    public init(operations: UInt64, memory: Int) {
        self.operations = operations
        self.memory = memory
    }

    /// argon2id with 3 passes over 64 MiB: the second recommended choice of RFC 9106 §4, for machines of small memory.
    public static let standard = PasswordCost(operations: 3, memory: 64 << 20)
    /// The least libsodium takes. For tests.
    public static let least = PasswordCost(operations: 1, memory: 8 << 10)
}

/// argon2id hashes of passwords as text (`$argon2id$…`) that names its own salt and cost.
public enum PasswordHash {
    /// Takes as long as `cost` says: not for a thread that others wait for.
    public static func make(_ password: String, cost: PasswordCost) throws(SealedError) -> String {
        _ = Sodium.ready
        var out = [CChar](repeating: 0, count: causeway_pwhash_str_bytes())
        let bytes = Array(password.utf8).map { CChar(bitPattern: $0) }
        guard crypto_pwhash_str_alg(&out, bytes, UInt64(bytes.count), cost.operations, cost.memory, causeway_pwhash_algorithm()) == 0 else {
            throw .outOfMemory
        }
        return String(decoding: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// A hash that no password is known to have, at random: checking against it takes as long as against one made at that cost, making it
    /// takes no time. Costs in whole KiB.
    public static func unmatched(cost: PasswordCost) -> String {
        func text(_ count: Int) -> String {
            let bytes = randomBytes(count)
            var out = [CChar](repeating: 0, count: count * 4 / 3 + 4)
            sodium_bin2base64(&out, out.count, bytes, bytes.count, causeway_base64_original_no_padding())
            return String(decoding: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        let salt = text(causeway_pwhash_salt_bytes())
        return "$argon2id$v=19$m=\(cost.memory >> 10),t=\(cost.operations),p=1$\(salt)$\(text(32))"
    }

    /// Does the password belong to the hash? Compares in constant time; false for a malformed hash.
    public static func verify(_ password: String, against hash: String) -> Bool {
        _ = Sodium.ready
        let bytes = Array(password.utf8).map { CChar(bitPattern: $0) }
        guard hash.utf8.count < causeway_pwhash_str_bytes() else { return false }
        return crypto_pwhash_str_verify(hash, bytes, UInt64(bytes.count)) == 0
    }

    /// A key of 32 bytes from a passphrase.
    static func key(_ passphrase: [UInt8], salt: [UInt8], cost: PasswordCost) throws(SealedError) -> [UInt8] {
        _ = Sodium.ready
        precondition(salt.count == causeway_pwhash_salt_bytes(), "an argon2id salt has 16 bytes")
        var out = [UInt8](repeating: 0, count: 32)
        let characters = passphrase.map { CChar(bitPattern: $0) }
        guard
            crypto_pwhash(
                &out, UInt64(out.count), characters, UInt64(characters.count), salt, cost.operations, cost.memory,
                causeway_pwhash_algorithm()) == 0
        else { throw .outOfMemory }
        return out
    }
}
