public import Streams

/// How often somebody may do something: `burst` at once, then `perSecond`.
public struct RateLimit: Hashable, Sendable {
    public var burst: Int
    public var perSecond: Int
    public init(burst: Int, perSecond: Int) {
        precondition(burst > 0 && perSecond > 0, "a rate limit that lets nothing through: \(burst), \(perSecond)/s")
        self.burst = burst
        self.perSecond = perSecond
    }
}

/// Token buckets by key, in whole nanoseconds, with time as input. Bounded: when more keys are in use than `maximumKeys`, the newcomers
/// share one bucket, so that nobody gets a fresh one by making keys up.
public struct RateTable: Sendable {
    public let limit: RateLimit
    public let maximumKeys: Int
    /// When each key's bucket is full again; what has passed is forgotten.
    private var full: [String: Int64] = [:]
    private var shared: Int64 = .min
    private var cleaned: Int64 = .min

    public init(_ limit: RateLimit, maximumKeys: Int = 10_000) {
        self.limit = limit
        self.maximumKeys = maximumKeys
    }

    public var count: Int { full.count }

    /// Takes a token of the key's; nil: let through. Otherwise whole seconds, at least one, until there is one.
    public mutating func take(_ key: String, at now: MonotonicInstant) -> Int? {
        let time = now.nanoseconds
        if full[key] == nil && full.count >= maximumKeys { clean(time) }
        let isShared = full[key] == nil && full.count >= maximumKeys
        let interval = 1_000_000_000 / Int64(limit.perSecond)
        let next = max(time, isShared ? shared : full[key] ?? time) + interval
        let late = next - time - Int64(limit.burst) * interval
        guard late <= 0 else { return Int((late + 999_999_999) / 1_000_000_000) }
        if isShared { shared = next } else { full[key] = next }
        return nil
    }

    /// Forgets full buckets, at most once a second: looking through all of them must not be what an attacker pays us to do.
    private mutating func clean(_ time: Int64) {
        guard cleaned == .min || time - cleaned >= 1_000_000_000 else { return }
        cleaned = time
        full = full.filter { $0.value > time }
    }
}

/// The server's limits by class of request, one value (O-3). Sign-in and registration are limited by the auth centre, by address and name.
public struct RatePolicy: Hashable, Sendable {
    /// Requests without a credential, by address.
    public var anonymous = RateLimit(burst: 200, perSecond: 50)
    /// Reads with a credential, by account.
    public var reads = RateLimit(burst: 400, perSecond: 100)
    /// Changes with a credential, by account.
    public var changes = RateLimit(burst: 40, perSecond: 5)
    /// WebSocket upgrades, by address.
    public var upgrades = RateLimit(burst: 100, perSecond: 10)
    /// Whether what counts by address counts for this machine itself too, where programs and users share one.
    public var countsLoopback = false
    public init() {}
}

/// What a request counts as.
public enum RateClass: String, CaseIterable, Sendable { case anonymous, reads, changes, upgrades }

/// All buckets of a server. Pure.
public struct RateLimiter: Sendable {
    public let policy: RatePolicy
    private var tables: [RateClass: RateTable]

    public init(_ policy: RatePolicy = .init()) {
        self.policy = policy
        tables = [
            .anonymous: RateTable(policy.anonymous), .reads: RateTable(policy.reads), .changes: RateTable(policy.changes),
            .upgrades: RateTable(policy.upgrades),
        ]
    }

    /// Seconds to wait; nil: let through.
    public mutating func take(_ kind: RateClass, _ key: String, at now: MonotonicInstant) -> Int? {
        tables[kind]?.take(key, at: now)
    }
}
