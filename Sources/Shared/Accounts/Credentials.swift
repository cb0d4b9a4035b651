public import HTTP
public import Sealed
public import Streams
public import Texts

/// The user's credential on this machine (A-1…A-8): performs what `CredentialMachine` decides. One renewal is in flight, ever: inside the
/// process by this actor, across processes by a lock file, with the store read again once the lock is held.
public actor Credentials {
    public struct Configuration: Sendable {
        public var device: DeviceInfo
        public var store: SecretStore
        /// Locked during a renewal; nil where nothing is shared with other processes.
        public var lockFile: String?
        public var policy: CredentialPolicy
        /// Other secrets of the signed-in account in `store`: they go with the sign-in, and a new sign-in finds none.
        public var alsoForgotten: [String]
        /// Milliseconds since 1970.
        public var wall: @Sendable () -> Int64

        public init(
            device: DeviceInfo, store: SecretStore, lockFile: String?, policy: CredentialPolicy = .init(), alsoForgotten: [String] = [],
            wall: @escaping @Sendable () -> Int64
        ) {
            self.device = device
            self.store = store
            self.lockFile = lockFile
            self.policy = policy
            self.alsoForgotten = alsoForgotten
            self.wall = wall
        }
    }

    /// What the latest sending of a caller's request met.
    private enum Answer: Sendable {
        case response(HTTPResponse)
        case broke(Failure)
    }

    private let api: APIClient
    private let clock: MonotonicClock
    private let configuration: Configuration
    private var machine: CredentialMachine
    private var lastCaller: UInt64 = 0
    private var sends: [UInt64: HTTPRequest] = [:]
    private var answers: [UInt64: Answer] = [:]
    private var outcomes: [UInt64: CheckedContinuation<CredentialMachine.Outcome, Never>] = [:]
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var timer: Task<Void, Never>?
    private var listeners: [Int: AsyncStream<String?>.Continuation] = [:]
    private var lastListener = 0
    /// What is stored is what is here, as far as this process knows.
    private var isWritten = false
    /// What another process stored is being taken over: it is not written again.
    private var isFollowing = false

    /// Names this sign-in on this installation, no secret; what was fetched under another one is stale.
    package private(set) var session: String?
    public private(set) var account: SignedInAccount?
    /// Why the last sign-in ended, until the next one.
    public private(set) var signOutReason: SignOutReason?
    /// The credential could not be written down and lives in memory only.
    public private(set) var isMemoryOnly: Bool

    public init(api: APIClient, clock: MonotonicClock, configuration: Configuration) {
        self.api = api
        self.clock = clock
        self.configuration = configuration
        machine = CredentialMachine(policy: configuration.policy)
        isMemoryOnly = !configuration.store.isLasting
    }

    deinit { for listener in listeners.values { listener.finish() } }

    public var isSignedIn: Bool { machine.state == .signedIn }
    public var isRenewing: Bool { machine.isRenewing }

    // MARK: In and out

    /// Takes up the stored sign-in at launch, where there is one at this server, and renews it where that is due.
    /// - Throws: `data.newer`, `storage.failed` (a wrong passphrase too): what is stored stays untouched.
    public func restore() throws(Failure) {
        guard !isSignedIn else { return }
        switch try stored() {
        case .none: handle(.loaded(nil, isDamaged: false))
        case .damaged: handle(.loaded(nil, isDamaged: true))
        case .newer: throw Failure(.dataNewer, .init("path", StoredSession.item))
        case .session(let session):
            guard session.account.server == api.base else { return }
            take(session.account, session.signIn)
            isWritten = true
            handle(.loaded(session.pair, isDamaged: false))
            handle(.trigger(.launch))
        }
    }

    /// Makes the account and signs in: `auth.name-taken`, and what `signIn` throws.
    public func register(name: String, password: String) async throws(Failure) {
        try await begin(AccountEndpoints.register, name, password)
    }

    /// - Throws: `auth.wrong-password`, `auth.frozen`, `rate.limited`, connection codes.
    public func signIn(name: String, password: String) async throws(Failure) {
        try await begin(AccountEndpoints.signIn, name, password)
    }

    /// Forgets everything at once, then tells the server; what is returned is why it could not be told.
    @discardableResult
    public func signOut() async -> Failure? {
        let access = machine.pair?.access
        handle(.signOut)
        guard let access else { return nil }
        do throws(Failure) {
            _ = try await api.call(AccountEndpoints.signOut, Empty(), bearer: access)
            return nil
        } catch {
            return error
        }
    }

    private func begin(_ endpoint: Endpoint<SignInInput, SessionGrant>, _ name: String, _ password: String) async throws(Failure) {
        let grant = try await api.call(endpoint, SignInInput(name: name, password: password, device: configuration.device))
        guard !grant.refresh.isEmpty, !grant.access.isEmpty else {
            handle(.loaded(nil, isDamaged: true))
            throw Failure(.authDamaged)
        }
        // The account changes: connections that stand with the old credential end.
        if isSignedIn { handle(.signOut) } else { forgetOthers() }
        take(SignedInAccount(server: api.base, account: grant.account, name: grant.name), Base64URL.encode(randomBytes(12)))
        handle(.signedIn(CredentialPair(grant, configuration.policy, at: clock.now())))
    }

    private func take(_ account: SignedInAccount, _ signIn: String) {
        self.account = account
        session = signIn
        signOutReason = nil
    }

    // MARK: Use

    /// The credential, valid now; `isNewer`: a newer one than now, by a forced renewal.
    /// - Throws: `auth.signed-out` or why the session ended, `request.cancelled`, why the renewal failed.
    public func credential(isNewer: Bool = false) async throws(Failure) -> String {
        let outcome = await ask(nextCaller()) { .credential($0, isNewer: isNewer) }
        switch outcome {
        case .credential(let access): return access
        case .answered, .refused: preconditionFailure("a credential was asked for and an answer came")
        default: throw Self.failure(outcome)
        }
    }

    /// The credential, another one than `refused`: where a renewal has come since that was sent, no other is forced.
    public func credential(newerThan refused: String) async throws(Failure) -> String {
        try await credential(isNewer: machine.pair?.access == refused)
    }

    /// Calls with the credential. Refused for authentication: held, the credential renewed, sent once more.
    public func call<Input, Output>(_ endpoint: Endpoint<Input, Output>, _ input: Input) async throws(Failure) -> Output {
        if case .none = endpoint.authentication { return try await api.call(endpoint, input) }
        return try APIClient.output(of: try await perform(try api.request(endpoint, input), isReplayable: endpoint.isReplaySafe))
    }

    /// The one path of every form of request to our server: with the credential, held and sent once more as in `call`.
    /// - Parameter isReplayable: may be sent again after a broken connection (B-12).
    /// - Returns: an answer of any status, a second refusal too.
    public func perform(_ request: HTTPRequest, isReplayable: Bool) async throws(Failure) -> HTTPResponse {
        // The credential goes to no other machine.
        guard request.url.hasPrefix(api.base + "/") else { throw .invalid("url") }
        let id = nextCaller()
        sends[id] = request
        defer {
            sends[id] = nil
            answers[id] = nil
        }
        let outcome = await ask(id) { .request($0, isReplayable: isReplayable) }
        switch (outcome, answers[id]) {
        case (.answered, .response(let response)), (.refused, .response(let response)): return response
        case (.answered, _), (.refused, _): preconditionFailure("an answered request without its answer")
        case (.broke, .broke(let failure)): throw failure
        default: throw Self.failure(outcome)
        }
    }

    /// An occasion to look at the credential; never waits.
    public func trigger(_ trigger: CredentialTrigger) { handle(.trigger(trigger)) }

    /// The credentials from now on, the present one first; nil: signed out, `signOutReason` says why.
    public func changes() -> AsyncStream<String?> {
        let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(8))
        lastListener += 1
        let number = lastListener
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { await self?.stopListening(number) }
        }
        // One that is over is of no use: its successor comes first.
        if let pair = machine.pair {
            if !pair.lifetime.isOver(at: clock.now()) { continuation.yield(pair.access) }
        } else {
            continuation.yield(nil)
        }
        return stream
    }

    private func stopListening(_ number: Int) { listeners[number] = nil }

    private func nextCaller() -> UInt64 {
        lastCaller += 1
        return lastCaller
    }

    private func ask(_ id: UInt64, _ event: (UInt64) -> CredentialMachine.Event) async -> CredentialMachine.Outcome {
        guard !Task.isCancelled else { return .cancelled }
        let first = event(id)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                outcomes[id] = continuation
                handle(first)
            }
        } onCancel: {
            Task { await self.handle(.cancel(id)) }
        }
    }

    private static func failure(_ outcome: CredentialMachine.Outcome) -> Failure {
        switch outcome {
        case .signedOut(let reason): Failure(reason?.code ?? .authSignedOut)
        case .renewalFailed(let failure): failure
        case .broke(.lost): Failure(.connectionLost)
        case .broke(.timedOut): Failure(.connectionTimedOut)
        case .broke(.offline): Failure(.connectionNotConnected)
        case .cancelled: Failure(.requestCancelled)
        case .answered, .refused, .credential: preconditionFailure("a success is no failure")
        }
    }

    // MARK: Performing

    private func handle(_ event: CredentialMachine.Event) {
        for effect in machine.handle(event, at: clock.now()) {
            switch effect {
            case .send(let id, let access): send(id, access)
            case .renew(let attempt, let refresh, _):
                let deadline = clock.now().advanced(by: configuration.policy.renewTimeout)
                Task { await renew(attempt, refresh, until: deadline) }
            case .startRenewalTimer(let attempt, let instant):
                timer?.cancel()
                timer = later(instant, .renewalTimeout(attempt: attempt))
            case .startRepeatTimer(let id, let instant): tasks[id] = later(instant, .repeatDue(id))
            case .store(let pair): keep(pair)
            case .publish(let access): for listener in listeners.values { listener.yield(access) }
            case .finish(let id, let outcome):
                tasks.removeValue(forKey: id)?.cancel()
                outcomes.removeValue(forKey: id)?.resume(returning: outcome)
            case .signedOut(let reason):
                signOutReason = reason
                account = nil
                session = nil
            }
        }
        if !machine.isRenewing, let timer {
            timer.cancel()
            self.timer = nil
        }
    }

    private func later(_ instant: MonotonicInstant, _ event: CredentialMachine.Event) -> Task<Void, Never> {
        Task { [weak self, clock] in
            do { try await clock.sleep(instant) } catch { return }  // Cancelled: not wanted any more.
            await self?.handle(event)
        }
    }

    private func send(_ id: UInt64, _ access: String) {
        guard var request = sends[id] else { preconditionFailure("caller \(id) has no request to send") }
        request.headers["authorization"] = "Bearer " + access
        tasks[id] = Task { [api, request] in
            do throws(HTTPFailure) {
                take(try await api.perform(request), for: id)
            } catch {
                guard sends[id] != nil else { return }
                answers[id] = .broke(error.failure)
                handle(.broke(id, error.breakKind))
            }
        }
    }

    /// Nobody waits any more: dropped. A wrong password inside a request is an answer, not a refusal of the credential.
    private func take(_ response: HTTPResponse, for id: UInt64) {
        guard sends[id] != nil else { return }
        answers[id] = .response(response)
        let code = Failure(errorBody: response.body)?.code
        switch (response.status, code) {
        case (401, nil), (401, .authInvalid), (401, .authExpired), (401, .authSignedOutElsewhere), (401, .authFrozen), (403, .authFrozen):
            handle(.refused(id, code: code))
        default: handle(.answered(id))
        }
    }

    // MARK: Store

    /// What cannot be removed the server refuses: it ended with the sign-in there.
    private func forgetOthers() {
        for name in configuration.alsoForgotten {
            do throws(SealedError) { try configuration.store.write(name, nil) } catch { continue }
        }
    }

    private func keep(_ pair: CredentialPair?) {
        guard !isFollowing else { return }
        if pair == nil { forgetOthers() }
        do throws(SealedError) {
            if let pair, let account, let session {
                try StoredSession(account: account, signIn: session, pair: pair, receivedAt: configuration.wall()).write(
                    configuration.store, now: clock.now())
            } else {
                try configuration.store.write(StoredSession.item, nil)
            }
            isWritten = pair != nil
            isMemoryOnly = !configuration.store.isLasting
        } catch {
            // It stays in memory, and the status says so.
            isWritten = false
            isMemoryOnly = true
        }
    }

    private func stored() throws(Failure) -> StoredSession.Reading {
        do throws(SealedError) {
            return try StoredSession.read(
                configuration.store, wall: configuration.wall(), now: clock.now(), policy: configuration.policy)
        } catch {
            throw Failure(error)
        }
    }

    /// Takes over what another process stored: its renewal, its sign-in, its sign-out. False: what is stored is what is here, or cannot
    /// be read, which changes nothing.
    private func followStore() -> Bool {
        guard isWritten, let pair = machine.pair, let reading = try? stored() else { return false }
        isFollowing = true
        defer { isFollowing = false }
        switch reading {
        case .damaged, .newer: return false
        case .none: handle(.signOut)
        case .session(let found) where found.signIn != session:
            handle(.signOut)
            guard found.account.server == api.base else { return true }
            take(found.account, found.signIn)
            handle(.signedIn(found.pair))
        case .session(let found):
            guard found.pair.generation > pair.generation else { return false }
            handle(.adopted(found.pair))
        }
        return true
    }

    // MARK: Renewal

    /// Asks once, never by itself again.
    private func renew(_ attempt: UInt64, _ refresh: String, until deadline: MonotonicInstant) async {
        let lock = await acquireLock(until: deadline)
        defer { withExtendedLifetime(lock) {} }
        // Another process may have renewed while we waited for the lock.
        guard machine.pair?.refresh == refresh, !followStore() else { return drop(attempt) }
        let answer = await renewal(refresh, until: deadline)
        // It may have signed out or in while we asked.
        guard machine.pair?.refresh == refresh, !followStore() else { return drop(attempt) }
        handle(.renewal(attempt: attempt, answer))
    }

    /// What that attempt was to renew is not there any more.
    private func drop(_ attempt: UInt64) { handle(.renewal(attempt: attempt, .failed(Failure(.requestCancelled)))) }

    private func renewal(_ refresh: String, until deadline: MonotonicInstant) async -> RenewalAnswer {
        let left = clock.now().duration(to: deadline)
        guard left > .zero else { return .failed(Failure(.connectionTimedOut)) }
        var request: HTTPRequest
        do throws(Failure) {
            request = try api.request(AccountEndpoints.refresh, RefreshInput(refresh: refresh, deviceID: configuration.device.id))
        } catch {
            return .failed(error)
        }
        request.timeout = min(request.timeout, left)
        do throws(HTTPFailure) {
            return RenewalAnswer(try await api.perform(request))
        } catch {
            return .failed(error.failure)
        }
    }

    /// Nil where there is none to take, it cannot be made, or the time passed waiting: the server's grace bears two renewals.
    private func acquireLock(until deadline: MonotonicInstant) async -> FileLock? {
        guard let path = configuration.lockFile else { return nil }
        while clock.now() < deadline {
            do {
                if let lock = try FileLock.tryAcquire(path) { return lock }
                try await clock.sleep(clock.now().advanced(by: .milliseconds(20)))
            } catch {
                return nil
            }
        }
        return nil
    }
}
