import Sealed

/// The auth centre's credentials: opaque text that names a family and a generation and carries a keyed hash of both, so that nothing that
/// could be used is ever stored, and a lost answer can be given again word for word. The kinds do not stand for one another.
struct Tokens: Sendable {
    /// 32 bytes; whoever has them can make any credential.
    let key: [UInt8]
    /// Made from `key`: whoever has it can make quote credentials, and no others.
    let quoteKey: [UInt8]

    init(key: [UInt8]) {
        self.key = key
        quoteKey = Digest.blake2b(Array("quote nodes".utf8), key: key)
    }

    enum Kind: UInt8 { case access = 1, refresh = 2, quote = 3 }

    /// What a credential says. `stamp`: generation, or for quotes the end of life in milliseconds since 1970.
    struct Content: Hashable {
        var family: [UInt8]
        var stamp: Int64
    }

    static let familyBytes = 16

    func make(_ kind: Kind, family: [UInt8], stamp: Int64) -> String {
        let body = family + bytes(of: stamp)
        return Base64URL.encode(body + Self.mac(kind, body, key(of: kind)))
    }

    /// Nil where the text was not made here for this use.
    func read(_ kind: Kind, _ text: String) -> Content? { Self.read(kind, text, key(of: kind)) }

    static func read(_ kind: Kind, _ text: String, _ key: [UInt8]) -> Content? {
        guard text.utf8.count <= 96, let bytes = Base64URL.decode(text), bytes.count == familyBytes + 8 + 32 else { return nil }
        let body = Array(bytes.prefix(familyBytes + 8))
        guard constantTimeEqual(mac(kind, body, key), Array(bytes.dropFirst(body.count))) else { return nil }
        let stamp = body.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Content(family: Array(body.prefix(familyBytes)), stamp: Int64(bitPattern: stamp))
    }

    private func key(of kind: Kind) -> [UInt8] { kind == .quote ? quoteKey : key }

    private static func mac(_ kind: Kind, _ body: [UInt8], _ key: [UInt8]) -> [UInt8] { Digest.blake2b([kind.rawValue] + body, key: key) }

    private func bytes(of stamp: Int64) -> [UInt8] {
        let bits = UInt64(bitPattern: stamp)
        return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
    }
}
