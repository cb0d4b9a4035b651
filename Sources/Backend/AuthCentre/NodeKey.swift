import Sealed
public import Streams
import Synchronization
public import Texts

/// What a quote node knows a gateway's quote credentials by: made from the gateway's key, of no use for any other credential. Goes
/// from the gateway to its nodes as a file, never over the network.
public struct NodeKey: Hashable, Sendable {
    let bytes: [UInt8]

    private static let head = "causeway node key 1 "

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The file's bytes; nil where they are none that `fileBytes` made.
    public init?(fileBytes: [UInt8]) {
        guard fileBytes.count <= 128, let text = String(validating: fileBytes, as: UTF8.self), text.hasPrefix(Self.head),
            text.hasSuffix("\n"), let bytes = Base64URL.decode(String(text.dropFirst(Self.head.count).dropLast())), bytes.count == 32
        else { return nil }
        self.bytes = bytes
    }

    /// One line of text; to be kept where only its owner reads.
    public var fileBytes: [UInt8] { Array((Self.head + Base64URL.encode(bytes) + "\n").utf8) }
}

extension ErrorCode {
    /// The quote node does not know the credential: it was made with another key than the node's.
    public static let nodeCredential = ErrorCode("node.credential")
}

/// Judges quote credentials where there are no accounts. What has become of a sign-in since is not known here: the credential's life is the
/// bound.
public final class QuoteVerifier: Sendable {
    private let key: NodeKey
    private let policy: AuthPolicy
    private let wall: @Sendable () -> Int64
    private let monotonic: @Sendable () -> MonotonicInstant
    private let time: Mutex<SteadyTime>

    /// How far the gateway's clock may be ahead of this one, in milliseconds.
    package static let skew: Int64 = 60_000

    /// `now`: milliseconds since 1970.
    public init(
        key: NodeKey, policy: AuthPolicy = .init(), now: @escaping @Sendable () -> Int64,
        monotonic: @escaping @Sendable () -> MonotonicInstant
    ) {
        self.key = key
        self.policy = policy
        wall = now
        self.monotonic = monotonic
        time = Mutex(SteadyTime(wall: now(), at: monotonic()))
    }

    /// What is left of its life, at most a whole one; `node.credential` or `auth.expired` otherwise.
    public func verify(quoteCredential: String) -> Result<Duration, Failure> {
        guard let content = Tokens.read(.quote, quoteCredential, key.bytes) else { return .failure(Failure(.nodeCredential)) }
        let now = time.withLock { $0.now(wall: wall(), at: monotonic()) }
        guard let left = elapsed(since: now, now: content.stamp), left > 0, left <= policy.quoteLife + Self.skew else {
            return .failure(Failure(.authExpired))
        }
        return .success(.milliseconds(min(left, policy.quoteLife)))
    }
}
