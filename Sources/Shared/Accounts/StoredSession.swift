import HTTP
import Sealed
import Streams
import Texts

/// Who is signed in, where: what a client keeps beside the credential.
public struct SignedInAccount: Hashable, Sendable {
    public var server: String
    public var account: String
    public var name: String

    public init(server: String, account: String, name: String) {
        self.server = server
        self.account = account
        self.name = name
    }
}

/// The ONE stored item of a sign-in: both credentials, life, generation and whose they are.
struct StoredSession: Sendable {
    static let item = "session"
    static let version: Int64 = 1

    var account: SignedInAccount
    /// Made at random at each sign-in, so that another process's sign-in is told from its renewal.
    var signIn: String
    var pair: CredentialPair
    /// Wall clock at receipt, milliseconds since 1970: a monotonic clock does not outlive the machine's run.
    var receivedAt: Int64

    enum Reading {
        case none
        case damaged
        /// Written by a newer version: stays untouched.
        case newer
        case session(StoredSession)
    }

    static func read(_ store: SecretStore, wall: Int64, now: MonotonicInstant, policy: CredentialPolicy) throws(SealedError) -> Reading {
        guard let bytes = try store.read(item) else { return .none }
        guard let json = try? JSONValue(parsing: bytes) else { return .damaged }
        if let version = json["version"]?.int64Value, version > Self.version { return .newer }
        guard let session = try? StoredSession(json, wall: wall, now: now, policy: policy) else { return .damaged }
        return .session(session)
    }

    func write(_ store: SecretStore, now: MonotonicInstant) throws(SealedError) { try store.write(Self.item, json(now).serializedBytes()) }

    init(account: SignedInAccount, signIn: String, pair: CredentialPair, receivedAt: Int64) {
        self.account = account
        self.signIn = signIn
        self.pair = pair
        self.receivedAt = receivedAt
    }

    private init(_ json: JSONValue, wall: Int64, now: MonotonicInstant, policy: CredentialPolicy) throws(Failure) {
        account = SignedInAccount(
            server: try json.string("server"), account: try json.string("account"), name: try json.string("name"))
        signIn = try json.string("signIn")
        receivedAt = try json.integer("receivedAt")
        // Numbers of any size do not trap.
        let life = min(max(0, try json.integer("lifetime")), 100 * 365 * 86_400_000)
        let (elapsed, overflow) = wall.subtractingReportingOverflow(receivedAt)
        let length = Duration.milliseconds(life)
        let passed = Duration.milliseconds(overflow ? life : min(max(0, elapsed), life))
        pair = CredentialPair(
            access: try json.string("access"), refresh: try json.string("refresh"),
            lifetime: Lifetime(length: length, left: length - passed, now: now), generation: try json.integer("generation"))
        guard !pair.refresh.isEmpty, !pair.access.isEmpty else { throw .invalid("refresh") }
    }

    private func json(_ now: MonotonicInstant) -> JSONValue {
        .object([
            .init("version", .int(Self.version)), .init("signIn", .string(signIn)), .init("server", .string(account.server)),
            .init("account", .string(account.account)), .init("name", .string(account.name)),
            .init("access", .string(pair.access)), .init("refresh", .string(pair.refresh)),
            .init("lifetime", .int(pair.lifetime.length.nanoseconds / 1_000_000)), .init("generation", .int(pair.generation)),
            .init("receivedAt", .int(receivedAt)),
        ])
    }
}

extension Failure {
    /// What a secret store could not do, without its contents.
    init(_ error: SealedError) {
        switch error {
        case .newer: self.init(.dataNewer, .init("path", StoredSession.item))
        case .full: self.init(.storageFull)
        case .wrongKey, .damaged, .outOfMemory, .file: self.init(.storageFailed, .init("reason", error.reason))
        }
    }
}
