import CSodium

/// libsodium, made ready once per process.
enum Sodium {
    static let ready: Void = precondition(sodium_init() >= 0, "libsodium could not be initialised: no source of random bytes")
}

/// What an operation of this part may run into. Never carries a secret.
public enum SealedError: Error, Hashable, Sendable {
    /// Wrong passphrase, or the bytes were changed.
    case wrongKey
    /// The file is no sealed file.
    case damaged
    /// Written by a newer version.
    case newer(version: Int)
    /// Too little memory for the hash.
    case outOfMemory
    /// A system call failed; `reason` is the system's own text.
    case file(path: String, reason: String)
    /// The disk is full.
    case full(path: String)

    /// For a reader.
    public var reason: String {
        switch self {
        case .wrongKey: "wrong passphrase, or changed"
        case .damaged: "is damaged"
        case .newer: "was written by a newer version"
        case .outOfMemory: "Cannot allocate memory"
        case .file(let path, let reason): "\(path): \(reason)"
        case .full(let path): "\(path): No space left on device"
        }
    }
}

/// Random bytes from the system's generator.
public func randomBytes(_ count: Int) -> [UInt8] {
    _ = Sodium.ready
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { room in
        if let start = room.baseAddress { randombytes_buf(start, room.count) }
    }
    return bytes
}

/// Equal? The time taken depends on the lengths only.
public func constantTimeEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    _ = Sodium.ready
    guard a.count == b.count else { return false }
    return a.isEmpty || sodium_memcmp(a, b, a.count) == 0
}

/// One-way digests.
public enum Digest {
    /// SHA-256; 32 bytes.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        _ = Sodium.ready
        var out = [UInt8](repeating: 0, count: 32)
        _ = crypto_hash_sha256(&out, bytes, UInt64(bytes.count))
        return out
    }

    /// BLAKE2b with a key of 16 to 64 bytes (a message authentication code), or without one; 32 bytes.
    public static func blake2b(_ bytes: [UInt8], key: [UInt8] = []) -> [UInt8] {
        _ = Sodium.ready
        precondition(key.isEmpty || (16...64).contains(key.count), "a BLAKE2b key has 16 to 64 bytes")
        var out = [UInt8](repeating: 0, count: 32)
        let status = crypto_generichash(&out, out.count, bytes, UInt64(bytes.count), key.isEmpty ? nil : key, key.count)
        precondition(status == 0, "BLAKE2b refused its parameters")
        return out
    }
}

/// Bytes as text without padding, safe in headers and addresses (RFC 4648 §5).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    public static func encode(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var held = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                out.append(alphabet[Int(bits >> UInt32(held) & 63)])
            }
        }
        if held > 0 { out.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil for any other character, for padding, and for bits left over.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var out: [UInt8] = []
        var bits: UInt32 = 0
        var held = 0
        for character in text.utf8 {
            let value: UInt8
            switch character {
            case 65...90: value = character - 65
            case 97...122: value = character - 71
            case 48...57: value = character + 4
            case 45: value = 62
            case 95: value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            held += 6
            if held >= 8 {
                held -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        guard held < 6, bits & (1 << UInt32(held) - 1) == 0 else { return nil }
        return out
    }
}
