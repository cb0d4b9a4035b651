import Persistence

/// Times of credentials at the auth centre.
public struct AuthPolicy: Hashable, Sendable {
    /// Lives, in milliseconds.
    public var accessLife: Int64 = 7_200_000
    public var refreshLife: Int64 = 30 * 86_400_000
    public var quoteLife: Int64 = 7_200_000
    /// A rotated refresh credential used again by its own device within this gets the same successor.
    public var grace: Int64 = 30_000
    /// Trading password: wrong tries before the lock, and its length.
    public var tradingTries = 5
    public var tradingLock: Int64 = 900_000
    /// Sign-ins of one account that live at once; the oldest ends first.
    public var families = 20
    public init() {}
}

/// What a shown refresh credential means for its family. Pure.
enum RotationVerdict: Hashable {
    /// Store this, then answer with its pair.
    case rotate(FamilyRecord)
    /// The answer was lost: the newest pair once more.
    case again
    case invalid
    /// Somebody else has it: the family ends.
    case revoke
}

extension FamilyRecord {
    func rotation(shown generation: Int64, device: String, now: Int64, policy: AuthPolicy) -> RotationVerdict {
        guard !isRevoked, generation <= self.generation, generation > 0 else { return .invalid }
        guard device == deviceID else { return .revoke }
        if generation == self.generation {
            guard now - issuedAt < policy.refreshLife else { return .invalid }
            var next = self
            next.generation += 1
            next.previousIssuedAt = issuedAt
            next.issuedAt = now
            return .rotate(next)
        }
        return generation == self.generation - 1 && now - issuedAt <= policy.grace ? .again : .revoke
    }

    /// Milliseconds of life an access credential of that generation still has; nil for one that no longer counts.
    func accessLeft(generation: Int64, now: Int64, policy: AuthPolicy) -> Int64? {
        guard !isRevoked else { return nil }
        let issued: Int64
        switch self.generation - generation {
        case 0: issued = issuedAt
        case 1: issued = previousIssuedAt  // Requests under way when the pair was renewed.
        default: return nil
        }
        return max(0, issued + policy.accessLife - now)
    }
}

/// Counts failures by name and by address; what stands full refuses until it has drained. Pure, bounded.
struct AttemptLimiter {
    var capacity: Int
    /// Milliseconds in which one attempt drains.
    var drain: Int64
    var maximumKeys = 100_000
    private var levels: [String: (level: Int64, at: Int64)] = [:]

    /// Milliseconds until the key has drained, counted from `at`.
    subscript(key: String) -> (level: Int64, at: Int64)? {
        get { levels[key] }
        set { levels[key] = newValue }
    }

    init(capacity: Int, drain: Int64) {
        self.capacity = capacity
        self.drain = drain
    }

    /// Seconds until an attempt is let through; nil: now.
    func wait(_ key: String, now: Int64) -> Int64? {
        let level = level(key, now: now)
        let full = Int64(capacity) * drain
        return level < full ? nil : max(1, (level - full + drain + 999) / 1000)
    }

    mutating func count(_ key: String, now: Int64) {
        if levels.count >= maximumKeys { levels = levels.filter { now - $0.value.at < $0.value.level } }
        if levels.count >= maximumKeys { levels.removeAll() }
        levels[key] = (level(key, now: now) + drain, now)
    }

    mutating func takeBack(_ key: String, now: Int64) {
        guard levels[key] != nil else { return }
        levels[key] = (max(0, level(key, now: now) - drain), now)
    }

    private func level(_ key: String, now: Int64) -> Int64 {
        guard let entry = levels[key] else { return 0 }
        return max(0, entry.level - max(0, now - entry.at))
    }
}
