public import Accounts
public import Diagnostics
public import HTTP
public import Persistence
public import Sealed
public import Streams
import Synchronization
public import Texts

/// Registration, sign-in, renewal, sign-out and devices; says who a credential stands for. Names compare without case.
/// What takes long happens on threads of its own; the forms of a call that block are for those threads and for tests.
public final class AuthCentre: Sendable {
    private let store: AccountStore
    private let policy: AuthPolicy
    private let cost: PasswordCost
    private let wall: @Sendable () -> Int64
    private let monotonic: @Sendable () -> MonotonicInstant
    private let time: Mutex<SteadyTime>
    private let log: Log
    private let tokens: Tokens
    /// Checked against where a name is unknown, so that the answer takes as long.
    private let decoy: String
    private let check: PasswordCheck
    private let book: Mutex<Book>
    /// Each waits for its own kind of work: a storm of sign-ins delays neither trade logins nor renewals.
    let signInThread = WorkThread(name: "auth-sign-in", capacity: 64, isPatient: true)
    private let tradingThread = WorkThread(name: "auth-trading", capacity: 64, isPatient: true)
    let storeThread = WorkThread(name: "auth-store", capacity: 1024)

    /// What is asked on every request, kept in memory; the store is written first.
    private struct Book: Sendable {
        var signIns = SignIns()
        var frozen: Set<String> = []
        var byName = AttemptLimiter.byName
        var byAddress = AttemptLimiter.byAddress
        var trading: [String: (wrong: Int, lockedUntil: Int64)] = [:]
        var savedNames = 0
        var revocation: @Sendable (_ account: String, _ device: String) -> Void = { _, _ in }
    }

    /// Length of the key that makes credentials.
    public static let keyBytes = 32

    /// Whether a password belongs to a hash; throws where that could not be found out.
    public typealias PasswordCheck = @Sendable (_ password: String, _ hash: String) throws(SealedError) -> Bool

    public static let checkPassword: PasswordCheck = { password, hash throws(SealedError) in
        try PasswordHash.verify(password, against: hash)
    }

    /// `now`: milliseconds since 1970, for lives that outlast this process; `monotonic`: for what goes by while it runs, whatever becomes of
    /// the wall clock.
    public init(
        store: AccountStore, policy: AuthPolicy = .init(), cost: PasswordCost = .standard, now: @escaping @Sendable () -> Int64,
        monotonic: @escaping @Sendable () -> MonotonicInstant,
        log: Log = .none, check: @escaping PasswordCheck = AuthCentre.checkPassword
    ) throws(Failure) {
        self.store = store
        self.check = check
        self.policy = policy
        self.cost = cost
        wall = now
        self.monotonic = monotonic
        let started = now()
        time = Mutex(SteadyTime(wall: started, at: monotonic()))
        self.log = log
        do throws(StoreError) {
            let key = try store.secret("credentials") { randomBytes(Self.keyBytes) }
            // With none, anyone could make credentials; with a short one, nobody's would be read.
            guard key.count == Self.keyBytes else { throw .corrupt("the key of the credentials is not \(Self.keyBytes) bytes long") }
            tokens = Tokens(key: key)
            book = Mutex(try Self.restored(store, policy, now: started))
        } catch {
            throw Failure(error)
        }
        decoy = PasswordHash.unmatched(cost: cost)
    }

    /// What the store holds as it counts at `now`. What comes from a clock that was ahead is written back as it counts, so that another
    /// start does not begin it anew.
    private static func restored(_ store: AccountStore, _ policy: AuthPolicy, now: Int64) throws(StoreError) -> Book {
        var book = Book()
        for family in try store.liveFamilies() {
            let anchored = family.anchored(now: now, policy: policy)
            if anchored != family { _ = try store.replaceFamily(anchored, family.generation) }
            book.signIns.put(anchored)
        }
        book.frozen = Set(try store.frozenAccounts())
        try store.removeDrained(now)
        for var attempt in try store.attempts() {
            let stored = attempt
            switch attempt.kind {
            case .name:
                book.byName.restore(attempt.key, level: attempt.level, at: attempt.time, now: now)
                if let entry = book.byName[attempt.key] { (attempt.level, attempt.time) = (entry.level, entry.at) }
            case .trading:
                attempt.level = min(max(0, attempt.level), Int64(policy.tradingTries))
                attempt.time = min(attempt.time, now + policy.tradingLock)
                book.trading[attempt.key] = (Int(attempt.level), attempt.time)
            }
            if attempt != stored { try store.saveAttempt(attempt) }
        }
        return book
    }

    private func now() -> Int64 { time.withLock { $0.now(wall: wall(), at: monotonic()) } }

    func record(_ event: String, _ fields: [(name: String, value: String)]) { log.write(.info, event, fields) }

    // MARK: Who is it

    /// Who an access credential stands for: `auth.invalid`, `auth.expired` or `auth.frozen` otherwise.
    public func verify(access: String) -> Result<Principal, Failure> {
        guard let content = tokens.read(.access, access) else { return .failure(Failure(.authInvalid)) }
        let now = now()
        return book.withLock { book in
            guard let family = book.signIns[Base64URL.encode(content.family)] else { return .failure(Failure(.authInvalid)) }
            if book.frozen.contains(family.accountID) { return .failure(Failure(.authFrozen)) }
            guard let left = family.accessLeft(generation: content.stamp, now: now, policy: policy), left > 0 else {
                return .failure(Failure(.authExpired))
            }
            return .success(family.principal([.account, .quotes, .trade, .tradeRead, .watchlist]))
        }
    }

    /// A quote credential for the quote nodes, with its life in seconds.
    public func quoteCredential(for principal: Principal) throws(Failure) -> (value: String, expiresIn: Int64) {
        let family = families(of: principal.accountID).first { $0.deviceID == principal.deviceID }?.id
        guard let family, let bytes = Base64URL.decode(family) else { throw Failure(.authInvalid) }
        return (tokens.make(.quote, family: bytes, stamp: now() + policy.quoteLife), policy.quoteLife / 1000)
    }

    /// What a quote node needs to know this server's quote credentials by.
    public var nodeKey: NodeKey { NodeKey(bytes: tokens.quoteKey) }

    /// Who a quote credential stands for: `auth.invalid` or `auth.expired` otherwise.
    public func verify(quoteCredential: String) -> Result<Principal, Failure> {
        guard let content = tokens.read(.quote, quoteCredential) else { return .failure(Failure(.authInvalid)) }
        // More than a life left: made by a clock that was ahead.
        guard let left = elapsed(since: now(), now: content.stamp), left > 0, left <= policy.quoteLife else {
            return .failure(Failure(.authExpired))
        }
        return book.withLock { book in
            guard let family = book.signIns[Base64URL.encode(content.family)], !book.frozen.contains(family.accountID) else {
                return .failure(Failure(.authInvalid))
            }
            return .success(family.principal([.quotes]))
        }
    }

    // MARK: In and out

    package func register(_ input: SignInInput, from address: String) throws(Failure) -> SessionGrant {
        try letThrough(name: nil, address)
        return try makeAccount(input)
    }

    /// Unknown names and wrong passwords take the same time and get the same answer.
    package func signIn(_ input: SignInInput, from address: String) throws(Failure) -> SessionGrant {
        try letThrough(name: input.name, address)
        return try judge(input, from: address)
    }

    /// Counts a try by its address and, where there is one, its name; `rate.limited` where too many stand against them. Counted before
    /// anything is judged or waits, so that a burst of guesses at once counts in full. Quick.
    func letThrough(name: String?, _ address: String) throws(Failure) {
        let time = now()
        let key = name.map(key(of:))
        let wait = book.withLock { book in
            var wait = book.byAddress.wait(address, now: time) ?? 0
            if let key { wait = max(wait, book.byName.wait(key, now: time) ?? 0) }
            if wait == 0 {
                if let key { book.byName.count(key, now: time) }
                book.byAddress.count(address, now: time)
            }
            return wait
        }
        if wait > 0 { throw Failure(.rateLimited, .init("seconds", String(wait))) }
    }

    /// Registers a caller that was let through. Takes long.
    func makeAccount(_ input: SignInInput) throws(Failure) -> SessionGrant {
        let name = try Self.checked(name: input.name)
        guard input.password.unicodeScalars.count >= 8 else { throw Failure(.authPasswordShort, .init("minimum", "8")) }
        let hash = try Self.hash(input.password, cost)
        let record = AccountRecord(
            id: Base64URL.encode(randomBytes(12)), name: name, passwordHash: hash, tradingPasswordHash: hash, createdAt: now())
        do throws(StoreError) { try store.add(record) } catch {
            throw error == .taken ? Failure(.authNameTaken) : Failure(error)
        }
        return try begin(record, input.device)
    }

    /// Signs in a caller that was let through: the count is on the disk before the password is judged, and a right one is taken back.
    /// Takes long.
    func judge(_ input: SignInInput, from address: String) throws(Failure) -> SessionGrant {
        let name = input.name.lowercased()
        let key = key(of: name)
        try save(name: key)
        let record = try stored { store throws(StoreError) in try store.accountNamed(name) }
        let isRight: Bool
        do throws(SealedError) {
            isRight = try check(input.password, record?.passwordHash ?? decoy)
        } catch {
            // Nothing was judged, so nothing counts.
            book.withLock { book in
                book.byName.takeBack(key, now: now())
                book.byAddress.takeBack(address, now: now())
            }
            try save(name: key)
            throw Failure(.serverUnavailable)
        }
        guard let record, isRight else { throw Failure(.authWrongPassword) }
        guard !record.isFrozen else { throw Failure(.authFrozen) }
        try stored { store throws(StoreError) in try store.removeAttempt(.name, key) }
        book.withLock { book in
            book.byName.forget(key)
            book.byAddress.takeBack(address, now: now())
        }
        return try begin(record, input.device)
    }

    /// Under which tries with a name are kept: people type passwords into name fields.
    private func key(of name: String) -> String {
        Base64URL.encode(Array(Digest.blake2b(Array(name.lowercased().utf8), key: tokens.key).prefix(16)))
    }

    private func save(name key: String) throws(Failure) {
        let (entry, isCleaning) = book.withLock { book in
            book.savedNames += 1
            return (book.byName[key], book.savedNames.isMultiple(of: 1024))
        }
        let time = now()
        try stored { store throws(StoreError) in
            if isCleaning { try store.removeDrained(time) }
            if let entry { try store.saveAttempt(.init(kind: .name, key: key, level: entry.level, time: entry.at)) }
        }
    }

    /// Rotates by compare-and-swap.
    package func refresh(_ input: RefreshInput) throws(Failure) -> SessionGrant {
        guard let content = tokens.read(.refresh, input.refresh) else { throw Failure(.authRefreshInvalid) }
        let id = Base64URL.encode(content.family)
        // One more round where another request rotated in between.
        for _ in 0..<2 {
            guard let family = book.withLock({ $0.signIns[id] }) else { throw try ended(id, device: input.deviceID) }
            guard !book.withLock({ $0.frozen.contains(family.accountID) }) else { throw Failure(.authFrozen) }
            switch family.rotation(shown: content.stamp, device: input.deviceID, now: now(), policy: policy) {
            case .invalid: throw Failure(.authRefreshInvalid)
            case .again: return try grant(family)
            case .revoke:
                try revoke(id)
                // Not the family: its id is the beginning of its credentials.
                log.write(.warning, "refresh-reused", [("account", family.accountID), ("device", family.deviceID)])
                throw Failure(.authRefreshReused)
            case .rotate(let next):
                if try stored({ store throws(StoreError) in try store.replaceFamily(next, family.generation) }) {
                    guard book.withLock({ $0.signIns.replace(next) }) else { throw try ended(id, device: input.deviceID) }
                    return try grant(next)
                }
            }
        }
        throw Failure(.serverUnavailable)
    }

    /// What its refresh credential is told of a sign-in that is over.
    private func ended(_ id: String, device: String) throws(Failure) -> Failure {
        let elsewhere = try stored { store throws(StoreError) in try store.endedElsewhere(id, device) }
        return Failure(elsewhere ? .authSignedOutElsewhere : .authRefreshInvalid)
    }

    /// Ends the caller's sign-in.
    package func signOut(_ principal: Principal) throws(Failure) {
        for family in families(of: principal.accountID) where family.deviceID == principal.deviceID { try revoke(family.id) }
    }

    package func devices(of principal: Principal) -> DeviceList {
        DeviceList(
            devices: families(of: principal.accountID).map { family in
                DeviceList.Entry(
                    id: family.id, name: family.deviceName, platform: family.platform, signedInAt: family.signedInAt,
                    isCurrent: family.deviceID == principal.deviceID)
            })
    }

    package func remove(device id: String, of principal: Principal) throws(Failure) {
        guard let family = families(of: principal.accountID).first(where: { $0.id == id }) else { throw Failure(.requestUnknown) }
        try revoke(id, elsewhere: family.deviceID != principal.deviceID)
    }

    // MARK: Trading password

    /// `server.full` where too many tries wait.
    public func verifyTradingPassword(account: String, _ password: String) async throws(Failure) -> TradingPasswordVerdict {
        try await tradingThread.run { () throws(Failure) in try self.judgeTradingPassword(account: account, password) }
    }

    /// A try counts, on the disk, before it is judged, so that neither a burst of tries at once nor a restart gives more of them; a right
    /// one clears the count. Takes long.
    package func judgeTradingPassword(account: String, _ password: String) throws(Failure) -> TradingPasswordVerdict {
        let time = now()
        let wrong: Int? = book.withLock { book in
            let tries = book.trading[account] ?? (0, 0)
            guard tries.lockedUntil <= time else { return nil }
            let count = tries.wrong + 1
            book.trading[account] = count >= policy.tradingTries ? (0, time + policy.tradingLock) : (count, 0)
            return count
        }
        guard let wrong else {
            let until = book.withLock { $0.trading[account]?.lockedUntil ?? 0 }
            return .locked(seconds: max(1, (until - time + 999) / 1000))
        }
        let record = try stored { store throws(StoreError) in
            let until = wrong >= policy.tradingTries ? time + policy.tradingLock : 0
            try store.saveAttempt(.init(kind: .trading, key: account, level: until > 0 ? 0 : Int64(wrong), time: until))
            return try store.account(account)
        }
        guard let record, try isRight(password, record, account) else {
            return wrong >= policy.tradingTries
                ? .locked(seconds: policy.tradingLock / 1000) : .wrong(triesLeft: policy.tradingTries - wrong)
        }
        try stored { store throws(StoreError) in try store.removeAttempt(.trading, account) }
        book.withLock { $0.trading[account] = nil }
        return .right
    }

    /// A password that could not be judged for lack of memory is no try: the count goes back to what it was.
    private func isRight(_ password: String, _ record: AccountRecord, _ account: String) throws(Failure) -> Bool {
        do throws(SealedError) { return try check(password, record.tradingPasswordHash) } catch {
            let entry = book.withLock { book in
                let tries = book.trading[account] ?? (0, 0)
                // A lock that this try began is taken back too.
                let wrong = tries.lockedUntil > 0 ? policy.tradingTries - 1 : max(0, tries.wrong - 1)
                book.trading[account] = wrong == 0 ? nil : (wrong, 0)
                return wrong
            }
            try stored { store throws(StoreError) in
                if entry == 0 { return try store.removeAttempt(.trading, account) }
                try store.saveAttempt(.init(kind: .trading, key: account, level: Int64(entry), time: 0))
            }
            throw Failure(.serverUnavailable)
        }
    }

    public func name(of account: String) throws(Failure) -> String? {
        try stored { store throws(StoreError) in try store.account(account) }?.name
    }

    // MARK: Inside

    private func begin(_ account: AccountRecord, _ device: DeviceInfo) throws(Failure) -> SessionGrant {
        let time = now()
        // One sign-in a device, and a bound for all.
        let mine = families(of: account.id)
        for family in mine where family.deviceID == device.id { try revoke(family.id) }
        let others = mine.filter { $0.deviceID != device.id }
        for family in others.prefix(max(0, others.count + 1 - policy.families)) {
            try revoke(family.id, elsewhere: true)
        }
        let family = FamilyRecord(
            id: Base64URL.encode(randomBytes(Tokens.familyBytes)), accountID: account.id, deviceID: device.id, deviceName: device.name,
            platform: device.platform, signedInAt: time, issuedAt: time, previousIssuedAt: time)
        try stored { store throws(StoreError) in try store.addFamily(family) }
        book.withLock { $0.signIns.put(family) }
        return try grant(family)
    }

    private func grant(_ family: FamilyRecord) throws(Failure) -> SessionGrant {
        guard let bytes = Base64URL.decode(family.id) else { preconditionFailure("a family id that is no base64url: \(family.id)") }
        let left = family.accessLeft(generation: family.generation, now: now(), policy: policy) ?? 0
        return SessionGrant(
            account: family.accountID, name: try name(of: family.accountID) ?? "",
            access: tokens.make(.access, family: bytes, stamp: family.generation),
            refresh: tokens.make(.refresh, family: bytes, stamp: family.generation), expiresIn: left / 1000,
            generation: family.generation)
    }

    private func families(of account: String) -> [FamilyRecord] {
        book.withLock { $0.signIns.all(of: account) }
    }

    private func revoke(_ id: String, elsewhere: Bool = false) throws(Failure) {
        try stored { store throws(StoreError) in try store.revokeFamily(id, elsewhere) }
        let (family, told) = book.withLock { ($0.signIns.remove(id), $0.revocation) }
        if let family { told(family.accountID, family.deviceID) }
    }

    /// Told of every sign-in that ends, once it counts no more.
    public func onRevocation(_ tell: @escaping @Sendable (_ account: String, _ device: String) -> Void) {
        book.withLock { $0.revocation = tell }
    }

    private func stored<Value>(_ body: (AccountStore) throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) { return try body(store) } catch { throw Failure(error) }
    }

    private static func hash(_ password: String, _ cost: PasswordCost) throws(Failure) -> String {
        do throws(SealedError) { return try PasswordHash.make(password, cost: cost) } catch { throw Failure(.serverUnavailable) }
    }

    /// 3 to 64 characters, no white space, no control or direction marks; lower case.
    private static func checked(name: String) throws(Failure) -> String {
        let scalars = name.unicodeScalars
        let isPlain = scalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && ![.control, .format, .privateUse, .unassigned].contains(scalar.properties.generalCategory)
        }
        guard (3...64).contains(scalars.count), isPlain else {
            throw Failure(.authNameInvalid, .init("minimum", "3"), .init("maximum", "64"))
        }
        return name.lowercased()
    }
}

extension FamilyRecord {
    fileprivate func principal(_ scopes: Set<Scope>) -> Principal {
        Principal(accountID: accountID, deviceID: deviceID, platform: platform, scopes: scopes)
    }
}

extension Failure {
    init(_ error: StoreError) {
        switch error {
        case .taken: self.init(.authNameTaken)
        case .full: self.init(.storageFull)
        case .newer(let found, let known):
            self.init(.dataNewer, .init("path", "accounts.sqlite"), .init("found", String(found)), .init("supported", String(known)))
        case .corrupt(let reason): self.init(.dataCorrupt, .init("path", reason))
        case .failed(let reason): self.init(.storageFailed, .init("reason", reason))
        }
    }
}
