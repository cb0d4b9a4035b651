public import Streams
public import Texts

/// Times of the user credential's and the quote credential's life.
public struct CredentialPolicy: Hashable, Sendable {
    /// Renew when less than life ÷ this is left …
    public var renewDivisor: Int64
    /// … or less than this, though never more than half the life.
    public var renewFloor: Duration
    /// The life of a credential that came without one.
    public var defaultLifetime: Duration
    /// A renewal without answer ends, waiting callers with it.
    public var renewTimeout: Duration
    /// No renewal sooner after a failed one.
    public var retryAfter: Duration
    /// Waits before each repetition of a replayable request whose connection broke (B-12).
    public var repeats: [Duration]

    public init(
        renewDivisor: Int64 = 6, renewFloor: Duration = .seconds(60), defaultLifetime: Duration = .seconds(7200),
        renewTimeout: Duration = .seconds(15), retryAfter: Duration = .seconds(1), repeats: [Duration] = [.zero, .milliseconds(500)]
    ) {
        self.renewDivisor = renewDivisor
        self.renewFloor = renewFloor
        self.defaultLifetime = defaultLifetime
        self.renewTimeout = renewTimeout
        self.retryAfter = retryAfter
        self.repeats = repeats
    }

    /// Less left than this: renew.
    public func renewalMargin(lifetime: Duration) -> Duration {
        max(lifetime / Int(max(renewDivisor, 1)), min(renewFloor, lifetime / 2))
    }
}

/// How long something lives, counted on the monotonic clock from its receipt: the user's wall clock has no say.
public struct Lifetime: Hashable, Sendable {
    public var length: Duration
    public var end: MonotonicInstant

    /// `left` nil: received just now, whole.
    public init(length: Duration, left: Duration? = nil, now: MonotonicInstant) {
        self.length = max(length, .zero)
        end = now.advanced(by: min(max(left ?? self.length, .zero), self.length))
    }

    public func left(at now: MonotonicInstant) -> Duration { now.duration(to: end) }
    public func isOver(at now: MonotonicInstant) -> Bool { left(at: now) <= .zero }
    public func isRenewalDue(at now: MonotonicInstant, _ policy: CredentialPolicy) -> Bool {
        left(at: now) < policy.renewalMargin(lifetime: length)
    }
}

/// Access and refresh credential, life and generation: ONE item, stored whole.
public struct CredentialPair: Hashable, Sendable {
    public var access: String
    public var refresh: String
    public var lifetime: Lifetime
    /// The server's number of this pair in its family; grows with each rotation.
    public var generation: Int64

    public init(access: String, refresh: String, lifetime: Lifetime, generation: Int64) {
        self.access = access
        self.refresh = refresh
        self.lifetime = lifetime
        self.generation = generation
    }
}

extension CredentialPair: CustomStringConvertible, CustomReflectable {
    /// Says nothing secret, whoever prints it.
    public var description: String { "CredentialPair(generation \(generation))" }
    public var customMirror: Mirror { Mirror(self, children: ["generation": generation]) }
}

public enum SignOutReason: Hashable, Sendable {
    case user
    /// The server refused the refresh credential or the account; the code says why and gives the text.
    case refused(ErrorCode)
    /// Signed in without a refresh credential.
    case damaged

    /// The text's code; nil where the user asked for it.
    public var code: ErrorCode? {
        switch self {
        case .user: nil
        case .refused(let code): code
        case .damaged: .authDamaged
        }
    }
}

public enum CredentialState: Hashable, Sendable {
    case signedOut(SignOutReason?)
    case signedIn
}

/// Occasions to look at the credential.
public enum CredentialTrigger: Hashable, Sendable, CaseIterable {
    case launch, page, foreground, networkBack
}

/// What an answer to the renewal said.
public enum RenewalAnswer: Hashable, Sendable {
    /// `refresh` nil: not rotated, the old one stays. `lifetime` nil: the default, counted from receipt.
    case renewed(access: String, refresh: String?, lifetime: Duration?, left: Duration?, generation: Int64?)
    /// The refresh credential is no good, or the account is not: signs out.
    case refused(ErrorCode)
    /// Offline, time-out, 5xx, an answer that cannot be read: stays signed in.
    case failed(Failure)
}

/// Why no answer to a request came.
public enum RequestBreak: Hashable, Sendable {
    /// It may have been executed.
    case lost
    case timedOut
    /// It was never sent.
    case offline
}
