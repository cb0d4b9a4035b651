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

    var account: SignedInAccount
    var pair: CredentialPair
    /// Wall clock at receipt, milliseconds since 1970: a monotonic clock does not outlive the machine's run.
    var receivedAt: Int64

    enum Reading {
        case none
        case damaged
        case session(StoredSession)
    }

    static func read(_ store: SecretStore, wall: Int64, now: MonotonicInstant, policy: CredentialPolicy) throws(SealedError) -> Reading {
        guard let bytes = try store.read(item) else { return .none }
        guard let json = try? JSONValue(parsing: bytes), let session = try? StoredSession(json, wall: wall, now: now, policy: policy) else {
            return .damaged
        }
        return .session(session)
    }

    func write(_ store: SecretStore, now: MonotonicInstant) throws(SealedError) { try store.write(Self.item, json(now).serializedBytes()) }

    init(account: SignedInAccount, pair: CredentialPair, receivedAt: Int64) {
        self.account = account
        self.pair = pair
        self.receivedAt = receivedAt
    }

    private init(_ json: JSONValue, wall: Int64, now: MonotonicInstant, policy: CredentialPolicy) throws(Failure) {
        account = SignedInAccount(
            server: try json.string("server"), account: try json.string("account"), name: try json.string("name"))
        receivedAt = try json.integer("receivedAt")
        let length = Duration.milliseconds(try json.integer("lifetime"))
        let passed = Duration.milliseconds(max(0, wall - receivedAt))
        pair = CredentialPair(
            access: try json.string("access"), refresh: try json.string("refresh"),
            lifetime: Lifetime(length: length, left: length - passed, now: now), generation: try json.integer("generation"))
        guard !pair.refresh.isEmpty, !pair.access.isEmpty else { throw .invalid("refresh") }
    }

    private func json(_ now: MonotonicInstant) -> JSONValue {
        .object([
            .init("server", .string(account.server)), .init("account", .string(account.account)), .init("name", .string(account.name)),
            .init("access", .string(pair.access)), .init("refresh", .string(pair.refresh)),
            .init("lifetime", .int(pair.lifetime.length.nanoseconds / 1_000_000)), .init("generation", .int(pair.generation)),
            .init("receivedAt", .int(receivedAt)),
        ])
    }
}
