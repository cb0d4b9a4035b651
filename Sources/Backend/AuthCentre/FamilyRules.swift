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
        let age = elapsed(since: issuedAt, now: now)
        if generation == self.generation {
            // Issued in the future: renewed, and so brought back to this clock.
            guard (age ?? 0) < policy.refreshLife, generation < StoredRange.generations.upperBound else { return .invalid }
            var next = self
            next.generation += 1
            next.previousIssuedAt = issuedAt
            next.issuedAt = now
            return .rotate(next)
        }
        guard generation == self.generation - 1, let age, age <= policy.grace else { return .revoke }
        return .again
    }

    /// Milliseconds of life an access credential of that generation still has; nil for one that no longer counts.
    func accessLeft(generation: Int64, now: Int64, policy: AuthPolicy) -> Int64? {
        guard !isRevoked else { return nil }
        let issued: Int64
        if generation == self.generation {
            issued = issuedAt
        } else if generation > 0, generation < .max, generation + 1 == self.generation {
            issued = previousIssuedAt  // Requests under way when the pair was renewed.
        } else {
            return nil
        }
        // Issued in the future: nobody knows how old it is.
        guard let age = elapsed(since: issued, now: now) else { return 0 }
        return max(0, policy.accessLife - age)
    }

    /// As it counts for a server that starts at `now`. Issued in the future, the clock having gone back: access has run out, and the
    /// refresh credential's life is counted from here.
    func anchored(now: Int64, policy: AuthPolicy) -> FamilyRecord {
        guard issuedAt > now || previousIssuedAt > now else { return self }
        var record = self
        if issuedAt > now { record.issuedAt = max(StoredRange.times.lowerBound, now - policy.accessLife) }
        record.previousIssuedAt = min(previousIssuedAt, record.issuedAt)
        return record
    }
}

/// Counts failures by name and by address; what stands full refuses until it has drained. Pure, bounded.
struct AttemptLimiter {
    var capacity: Int
    /// Milliseconds in which one attempt drains.
    var drain: Int64
    var maximumKeys = 100_000

    /// Sign-in and registration.
    static let byName = AttemptLimiter(capacity: 10, drain: 30_000)
    static let byAddress = AttemptLimiter(capacity: 60, drain: 5_000)

    private var levels: [String: (level: Int64, at: Int64)] = [:]

    /// Milliseconds until the key has drained, counted from `at`.
    subscript(key: String) -> (level: Int64, at: Int64)? { levels[key] }

    /// Most that ever stands against a key; so nobody waits longer than one attempt drains.
    private var most: Int64 { Int64(capacity) * drain }

    /// What was kept from before `now`; drains from `now` on where it was kept by a clock that has gone back.
    mutating func restore(_ key: String, level: Int64, at: Int64, now: Int64) {
        levels[key] = (min(max(0, level), most), min(max(0, at), now))
    }

    mutating func forget(_ key: String) { levels[key] = nil }

    init(capacity: Int, drain: Int64) {
        self.capacity = capacity
        self.drain = drain
    }

    /// Seconds until an attempt is let through, at most `drain`; nil: now.
    mutating func wait(_ key: String, now: Int64) -> Int64? {
        if let entry = levels[key], entry.at > now { levels[key] = (entry.level, now) }
        let excess = level(key, now: now) + drain - most
        return excess <= 0 ? nil : (excess + 999) / 1000
    }

    mutating func count(_ key: String, now: Int64) {
        if levels.count >= maximumKeys { levels = levels.filter { (elapsed(since: $0.value.at, now: now) ?? 0) < $0.value.level } }
        if levels.count >= maximumKeys { levels.removeAll() }
        levels[key] = (min(level(key, now: now) + drain, most), now)
    }

    mutating func takeBack(_ key: String, now: Int64) {
        guard levels[key] != nil else { return }
        levels[key] = (max(0, level(key, now: now) - drain), now)
    }

    private func level(_ key: String, now: Int64) -> Int64 {
        guard let entry = levels[key] else { return 0 }
        return max(0, entry.level - (elapsed(since: entry.at, now: now) ?? 0))
    }
}
