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

    /// Does the password belong to the hash? Compares in constant time; false for a malformed hash. Throws `outOfMemory` where the machine
    /// lacks what the hash's cost asks for: nothing is known of the password then.
    public static func verify(_ password: String, against hash: String) throws(SealedError) -> Bool {
        guard let parts = Parts(hash) else { return false }
        // Not `crypto_pwhash_str_verify`: it says of a hash that it could not compute that the password does not match.
        let made = try key(Array(password.utf8), salt: parts.salt, cost: parts.cost)
        return constantTimeEqual(made, parts.hash)
    }

    /// What an argon2id text of ours says: `$argon2id$v=19$m=KIB,t=PASSES,p=1$SALT$HASH`.
    private struct Parts {
        var cost: PasswordCost
        var salt: [UInt8]
        var hash: [UInt8]

        init?(_ text: String) {
            let fields = text.split(separator: "$", omittingEmptySubsequences: false)
            guard text.utf8.count < causeway_pwhash_str_bytes(), fields.count == 6, fields[0].isEmpty, fields[1] == "argon2id",
                fields[2] == "v=19"
            else { return nil }
            let costs = fields[3].split(separator: ",", omittingEmptySubsequences: false)
            guard costs.count == 3, costs[2] == "p=1", let memory = Self.number("m=", costs[0]), let passes = Self.number("t=", costs[1]),
                memory >= 8, passes >= 1, let salt = Self.bytes(fields[4], causeway_pwhash_salt_bytes()),
                let hash = Self.bytes(fields[5], 32)
            else { return nil }
            cost = PasswordCost(operations: UInt64(passes), memory: Int(memory) << 10)
            self.salt = salt
            self.hash = hash
        }

        private static func number(_ name: String, _ text: Substring) -> UInt32? {
            guard text.hasPrefix(name), let first = text.dropFirst(2).utf8.first, (49...57).contains(first) else { return nil }
            return UInt32(text.dropFirst(2))
        }

        private static func bytes(_ text: Substring, _ count: Int) -> [UInt8]? {
            var out = [UInt8](repeating: 0, count: count)
            var length = 0
            let plain = String(text)
            let code = sodium_base642bin(
                &out, count, plain, plain.utf8.count, nil, &length, nil, causeway_base64_original_no_padding())
            return code == 0 && length == count ? out : nil
        }
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
