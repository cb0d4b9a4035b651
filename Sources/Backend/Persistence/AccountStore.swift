/// An account as it is kept. Password hashes are argon2id strings; nothing here can be used to sign in.
public struct AccountRecord: Hashable, Sendable {
    /// Given by the auth centre, never reused, e.g. `u7Q2…`.
    public var id: String
    public var name: String
    public var passwordHash: String
    public var tradingPasswordHash: String
    public var isFrozen: Bool
    /// Milliseconds since 1970.
    public var createdAt: Int64

    public init(
        id: String, name: String, passwordHash: String, tradingPasswordHash: String, isFrozen: Bool = false, createdAt: Int64
    ) {
        self.id = id
        self.name = name
        self.passwordHash = passwordHash
        self.tradingPasswordHash = tradingPasswordHash
        self.isFrozen = isFrozen
        self.createdAt = createdAt
    }
}

/// One sign-in of one device: the family of credentials that grew from it. Credentials themselves are not kept.
public struct FamilyRecord: Hashable, Sendable {
    public var id: String
    public var accountID: String
    public var deviceID: String
    public var deviceName: String
    public var platform: String
    /// Of the newest pair; grows by one with each rotation.
    public var generation: Int64
    /// Milliseconds since 1970: the sign-in, and the newest pair's issue.
    public var signedInAt: Int64
    public var issuedAt: Int64
    /// Of the pair before the newest; equal to `issuedAt` while there was none.
    public var previousIssuedAt: Int64
    public var isRevoked: Bool

    public init(
        id: String, accountID: String, deviceID: String, deviceName: String, platform: String, generation: Int64 = 1, signedInAt: Int64,
        issuedAt: Int64, previousIssuedAt: Int64, isRevoked: Bool = false
    ) {
        self.id = id
        self.accountID = accountID
        self.deviceID = deviceID
        self.deviceName = deviceName
        self.platform = platform
        self.generation = generation
        self.signedInAt = signedInAt
        self.issuedAt = issuedAt
        self.previousIssuedAt = previousIssuedAt
        self.isRevoked = isRevoked
    }
}

/// What stands against a name or an account for wrong passwords. Kept so that a restart forgives nothing (A-11, D-1).
public struct AttemptRecord: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable { case name, trading }

    public var kind: Kind
    /// Whom it stands against; nothing that a person typed in the clear.
    public var key: String
    /// For a name: milliseconds until it has drained, counted from `time`. For trading: wrong tries so far.
    public var level: Int64
    /// Milliseconds since 1970. For trading: the end of the lock, 0 where there is none.
    public var time: Int64

    public init(kind: Kind, key: String, level: Int64, time: Int64) {
        self.kind = kind
        self.key = key
        self.level = level
        self.time = time
    }
}

/// What stored numbers may be; anything else is damage.
public enum StoredRange {
    /// Milliseconds since 1970, to the end of the year 9999.
    public static let times: ClosedRange<Int64> = 0...253_402_300_799_999
    public static let generations: ClosedRange<Int64> = 1...(1 << 53)
    /// Of attempts: tries, or milliseconds of draining.
    public static let levels: ClosedRange<Int64> = 0...86_400_000
}

public enum StoreError: Error, Hashable, Sendable {
    /// The name belongs to somebody.
    case taken
    case full
    case newer(found: Int, known: Int)
    /// The file is no database or is damaged; it was not changed.
    case corrupt(String)
    case failed(String)
}

/// Port: accounts and sign-ins of the auth centre. Everything a call changes is durable when it returns.
public struct AccountStore: Sendable {
    /// Whether there is any account.
    public var hasAccounts: @Sendable () throws(StoreError) -> Bool
    public var add: @Sendable (AccountRecord) throws(StoreError) -> Void
    public var account: @Sendable (_ id: String) throws(StoreError) -> AccountRecord?
    public var accountNamed: @Sendable (_ name: String) throws(StoreError) -> AccountRecord?
    public var addFamily: @Sendable (FamilyRecord) throws(StoreError) -> Void
    /// Every family that is not revoked.
    public var liveFamilies: @Sendable () throws(StoreError) -> [FamilyRecord]
    /// Compare-and-swap: writes `new` only where the stored generation still is `generation` and the family is not revoked.
    public var replaceFamily: @Sendable (_ new: FamilyRecord, _ generation: Int64) throws(StoreError) -> Bool
    /// `elsewhere`: another device ended it. Ended already: stays as it was.
    public var revokeFamily: @Sendable (_ id: String, _ elsewhere: Bool) throws(StoreError) -> Void
    /// Whether another device ended that sign-in of that device.
    public var endedElsewhere: @Sendable (_ id: String, _ device: String) throws(StoreError) -> Bool
    /// Accounts of live families that are frozen.
    public var frozenAccounts: @Sendable () throws(StoreError) -> [String]
    public var attempts: @Sendable () throws(StoreError) -> [AttemptRecord]
    /// Writes over what stood under that kind and key.
    public var saveAttempt: @Sendable (AttemptRecord) throws(StoreError) -> Void
    public var removeAttempt: @Sendable (AttemptRecord.Kind, _ key: String) throws(StoreError) -> Void
    /// Names whose level has drained by then are forgotten.
    public var removeDrained: @Sendable (_ now: Int64) throws(StoreError) -> Void
    /// The server's own random secrets, made on first use.
    public var secret: @Sendable (_ name: String, _ make: () -> [UInt8]) throws(StoreError) -> [UInt8]

    public init(
        hasAccounts: @escaping @Sendable () throws(StoreError) -> Bool,
        add: @escaping @Sendable (AccountRecord) throws(StoreError) -> Void,
        account: @escaping @Sendable (_ id: String) throws(StoreError) -> AccountRecord?,
        accountNamed: @escaping @Sendable (_ name: String) throws(StoreError) -> AccountRecord?,
        addFamily: @escaping @Sendable (FamilyRecord) throws(StoreError) -> Void,
        liveFamilies: @escaping @Sendable () throws(StoreError) -> [FamilyRecord],
        replaceFamily: @escaping @Sendable (_ new: FamilyRecord, _ generation: Int64) throws(StoreError) -> Bool,
        revokeFamily: @escaping @Sendable (_ id: String, _ elsewhere: Bool) throws(StoreError) -> Void,
        endedElsewhere: @escaping @Sendable (_ id: String, _ device: String) throws(StoreError) -> Bool,
        frozenAccounts: @escaping @Sendable () throws(StoreError) -> [String],
        attempts: @escaping @Sendable () throws(StoreError) -> [AttemptRecord],
        saveAttempt: @escaping @Sendable (AttemptRecord) throws(StoreError) -> Void,
        removeAttempt: @escaping @Sendable (AttemptRecord.Kind, _ key: String) throws(StoreError) -> Void,
        removeDrained: @escaping @Sendable (_ now: Int64) throws(StoreError) -> Void,
        secret: @escaping @Sendable (_ name: String, _ make: () -> [UInt8]) throws(StoreError) -> [UInt8]
    ) {
        self.hasAccounts = hasAccounts
        self.add = add
        self.account = account
        self.accountNamed = accountNamed
        self.addFamily = addFamily
        self.liveFamilies = liveFamilies
        self.replaceFamily = replaceFamily
        self.revokeFamily = revokeFamily
        self.endedElsewhere = endedElsewhere
        self.frozenAccounts = frozenAccounts
        self.attempts = attempts
        self.saveAttempt = saveAttempt
        self.removeAttempt = removeAttempt
        self.removeDrained = removeDrained
        self.secret = secret
    }
}
