import Synchronization

/// Port: small named secrets of one profile. Live: a sealed folder, memory, later the desktop's keyring.
public struct SecretStore: Sendable {
    /// Nil where there is none. Names are of letters, digits and `-`.
    public var read: @Sendable (_ name: String) throws(SealedError) -> [UInt8]?
    /// Nil removes. Durable when it returns.
    public var write: @Sendable (_ name: String, _ secret: [UInt8]?) throws(SealedError) -> Void
    /// Writes only where there is none, in one step for all processes; false: another was first.
    public var create: @Sendable (_ name: String, _ secret: [UInt8]) throws(SealedError) -> Bool
    /// Whether what is written outlives the process.
    public var isLasting: Bool

    public init(
        isLasting: Bool, read: @escaping @Sendable (_ name: String) throws(SealedError) -> [UInt8]?,
        write: @escaping @Sendable (_ name: String, _ secret: [UInt8]?) throws(SealedError) -> Void,
        create: @escaping @Sendable (_ name: String, _ secret: [UInt8]) throws(SealedError) -> Bool
    ) {
        self.read = read
        self.write = write
        self.create = create
        self.isLasting = isLasting
    }

    /// For a store that nobody shares: creating is reading, then writing.
    public init(
        isLasting: Bool, read: @escaping @Sendable (_ name: String) throws(SealedError) -> [UInt8]?,
        write: @escaping @Sendable (_ name: String, _ secret: [UInt8]?) throws(SealedError) -> Void
    ) {
        self.init(isLasting: isLasting, read: read, write: write) { name, secret throws(SealedError) in
            guard try read(name) == nil else { return false }
            try write(name, secret)
            return true
        }
    }

    /// Gone with the process.
    public static func memory() -> SecretStore {
        let held = Held()
        return SecretStore(isLasting: false) { name in
            held.secrets.withLock { $0[name] }
        } write: { name, secret in
            held.secrets.withLock { $0[name] = secret }
        } create: { name, secret in
            held.secrets.withLock { secrets in
                guard secrets[name] == nil else { return false }
                secrets[name] = secret
                return true
            }
        }
    }

    private final class Held: Sendable {
        let secrets = Mutex<[String: [UInt8]]>([:])
    }

    /// One sealed file per secret in `folder`, opened by a passphrase. The key is derived once per salt and kept in memory.
    public static func sealed(folder: String, passphrase: [UInt8], cost: PasswordCost = .standard) -> SecretStore {
        let sealer = FolderSealer(folder: folder, passphrase: passphrase, cost: cost)
        return SecretStore(isLasting: true) { name throws(SealedError) in
            try sealer.read(name)
        } write: { name, secret throws(SealedError) in
            try sealer.write(name, secret)
        } create: { name, secret throws(SealedError) in
            try sealer.create(name, secret)
        }
    }
}

/// Sealed file: `CWSEAL` · version (1) · log2 of memory in KiB (1) · passes (1) · zero (1) · salt (16) · nonce (24) · ciphertext with tag. Header and name are
/// authenticated with the contents.
final class FolderSealer: Sendable {
    private static let magic = Array("CWSEAL".utf8)
    static let version: UInt8 = 1
    private static let headerCount = 26

    private let folder: String
    private let passphrase: [UInt8]
    private let cost: PasswordCost
    private let keys = Mutex<[[UInt8]: [UInt8]]>([:])

    init(folder: String, passphrase: [UInt8], cost: PasswordCost) {
        precondition(cost.memory >= 8 << 10 && cost.memory.nonzeroBitCount == 1, "sealing memory is a power of two of at least 8 KiB")
        precondition((1...16).contains(cost.operations), "sealing takes 1 to 16 passes")
        self.folder = folder
        self.passphrase = passphrase
        self.cost = cost
    }

    func read(_ name: String) throws(SealedError) -> [UInt8]? {
        guard let bytes = try PrivateFile.read(path(name)) else { return nil }
        let header = try Self.header(of: bytes)
        return try SealedBox.open(Array(bytes[Self.headerCount...]), key: try key(header), context: header + Array(name.utf8))
    }

    func write(_ name: String, _ secret: [UInt8]?) throws(SealedError) {
        guard let secret else { return try PrivateFile.remove(path(name)) }
        try PrivateFile.write(try sealed(name, secret), to: path(name))
    }

    func create(_ name: String, _ secret: [UInt8]) throws(SealedError) -> Bool {
        try PrivateFile.create(try sealed(name, secret), at: path(name))
    }

    private func sealed(_ name: String, _ secret: [UInt8]) throws(SealedError) -> [UInt8] {
        let header = try currentHeader(name)
        return header + SealedBox.seal(secret, key: try key(header), context: header + Array(name.utf8))
    }

    private func path(_ name: String) -> String {
        precondition(!name.isEmpty && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }, "bad name")
        return folder + "/" + name + ".sealed"
    }

    /// The header to write with: that of the file where it opens with our passphrase, else the one this process used before, else new.
    private func currentHeader(_ name: String) throws(SealedError) -> [UInt8] {
        if let bytes = try PrivateFile.read(path(name)) {
            do throws(SealedError) {
                return try Self.header(of: bytes)
            } catch .newer(let version) {
                throw .newer(version: version)
            } catch {
                return newHeader()
            }
        }
        return keys.withLock { $0.keys.first } ?? newHeader()
    }

    private func newHeader() -> [UInt8] {
        let memory = UInt8((cost.memory >> 10).trailingZeroBitCount)
        return Self.magic + [Self.version, memory, UInt8(cost.operations), 0] + randomBytes(16)
    }

    private static func header(of bytes: [UInt8]) throws(SealedError) -> [UInt8] {
        guard bytes.count > headerCount, Array(bytes[..<6]) == magic else { throw .damaged }
        guard bytes[6] <= version else { throw .newer(version: Int(bytes[6])) }
        guard bytes[6] == version, (3...20).contains(bytes[7]), (1...16).contains(bytes[8]) else { throw .damaged }
        return Array(bytes[..<headerCount])
    }

    private func key(_ header: [UInt8]) throws(SealedError) -> [UInt8] {
        if let known = keys.withLock({ $0[header] }) { return known }
        let cost = PasswordCost(operations: UInt64(header[8]), memory: 1 << (10 + Int(header[7])))
        let key = try PasswordHash.key(passphrase, salt: Array(header[10...]), cost: cost)
        keys.withLock {
            if $0.count >= 16 { $0.removeAll() }
            $0[header] = key
        }
        return key
    }
}

/// The installation's own id in this profile (D-8): 16 random bytes, made once, by one of the processes that start at the same time.
public enum DeviceIdentity {
    private static let item = "device"

    /// - Throws: `damaged` where what is stored is no id: another one would be another device.
    public static func load(from store: SecretStore) throws(SealedError) -> [UInt8] {
        let made = randomBytes(16)
        if try store.read(item) == nil, try store.create(item, made) { return made }
        guard let known = try store.read(item), known.count == 16 else { throw .damaged }
        return known
    }
}
