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
        /// Milliseconds since 1970.
        public var wall: @Sendable () -> Int64

        public init(
            device: DeviceInfo, store: SecretStore, lockFile: String?, policy: CredentialPolicy = .init(),
            wall: @escaping @Sendable () -> Int64
        ) {
            self.device = device
            self.store = store
            self.lockFile = lockFile
            self.policy = policy
            self.wall = wall
        }
    }

    private let api: APIClient
    private let clock: MonotonicClock
    private let configuration: Configuration
    private var machine: CredentialMachine
    private var lastCaller: UInt64 = 0
    private var sends: [UInt64: HTTPRequest] = [:]
    private var answers: [UInt64: HTTPResponse] = [:]
    private var outcomes: [UInt64: CheckedContinuation<CredentialMachine.Outcome, Never>] = [:]
    private var listeners: [AsyncStream<String?>.Continuation] = []

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

    deinit { for listener in listeners { listener.finish() } }

    public var isSignedIn: Bool { machine.state == .signedIn }

    // MARK: In and out

    /// Takes up the stored sign-in, where there is one.
    public func restore() throws(Failure) {
        switch try stored() {
        case .none: perform(machine.handle(.loaded(nil, isDamaged: false), at: clock.now()))
        case .damaged: perform(machine.handle(.loaded(nil, isDamaged: true), at: clock.now()))
        case .session(let session):
            account = session.account
            perform(machine.handle(.loaded(session.pair, isDamaged: false), at: clock.now()))
        }
    }

    public func register(name: String, password: String) async throws(Failure) {
        try await begin(AccountEndpoints.register, name, password)
    }

    public func signIn(name: String, password: String) async throws(Failure) {
        try await begin(AccountEndpoints.signIn, name, password)
    }

    /// Tells the server where it can be reached, then forgets everything.
    public func signOut() async {
        if let access = machine.pair?.access { _ = try? await api.call(AccountEndpoints.signOut, Empty(), bearer: access) }
        perform(machine.handle(.signOut, at: clock.now()))
    }

    private func begin(_ endpoint: Endpoint<SignInInput, SessionGrant>, _ name: String, _ password: String) async throws(Failure) {
        let grant = try await api.call(endpoint, SignInInput(name: name, password: password, device: configuration.device))
        account = SignedInAccount(server: api.base, account: grant.account, name: grant.name)
        signOutReason = nil
        let lifetime = Lifetime(length: .seconds(grant.expiresIn), now: clock.now())
        let pair = CredentialPair(access: grant.access, refresh: grant.refresh, lifetime: lifetime, generation: grant.generation)
        perform(machine.handle(.signedIn(pair), at: clock.now()))
    }

    // MARK: Use

    /// The credential, valid now; `isNewer`: a newer one than now, by a forced renewal.
    public func credential(isNewer: Bool = false) async throws(Failure) -> String {
        let outcome = await ask { .credential($0, isNewer: isNewer) }
        switch outcome {
        case .credential(let access): return access
        case .answered, .refused: preconditionFailure("a credential was asked for and an answer came")
        default: throw Self.failure(outcome)
        }
    }

    /// Sends a request with the credential. Refused for authentication: held, the credential renewed, sent once more.
    public func call<Input, Output>(_ endpoint: Endpoint<Input, Output>, _ input: Input) async throws(Failure) -> Output {
        let request = try api.request(endpoint, input)
        let id = nextCaller()
        sends[id] = request
        defer {
            sends[id] = nil
            answers[id] = nil
        }
        let outcome = await ask(id) { .request($0, isReplayable: endpoint.isReplaySafe) }
        switch outcome {
        case .answered, .refused:
            guard let answer = answers[id] else { preconditionFailure("an answered request without its answer") }
            return try APIClient.output(of: answer)
        default: throw Self.failure(outcome)
        }
    }

    /// An occasion to look at the credential; never waits.
    public func trigger(_ trigger: CredentialTrigger) { perform(machine.handle(.trigger(trigger), at: clock.now())) }

    /// The credentials from now on, the present one first; nil: signed out.
    public func changes() -> AsyncStream<String?> {
        let (stream, continuation) = AsyncStream.makeStream(of: String?.self, bufferingPolicy: .bufferingNewest(8))
        continuation.yield(machine.pair?.access)
        listeners.append(continuation)
        return stream
    }

    private func nextCaller() -> UInt64 {
        lastCaller += 1
        return lastCaller
    }

    private func ask(_ event: (UInt64) -> CredentialMachine.Event) async -> CredentialMachine.Outcome { await ask(nextCaller(), event) }

    private func ask(_ id: UInt64, _ event: (UInt64) -> CredentialMachine.Event) async -> CredentialMachine.Outcome {
        let first = event(id)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                outcomes[id] = continuation
                perform(machine.handle(first, at: clock.now()))
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: UInt64) {
        guard outcomes[id] != nil else { return }
        perform(machine.handle(.cancel(id), at: clock.now()))
    }

    private static func failure(_ outcome: CredentialMachine.Outcome) -> Failure {
        switch outcome {
        case .signedOut(let reason): Failure(reason?.code ?? .authSignedOut)
        case .renewalFailed(let failure): failure
        case .broke(.lost): Failure(.connectionLost)
        case .broke(.timedOut): Failure(.connectionTimedOut)
        case .broke(.offline): Failure(.connectionNotConnected)
        case .cancelled: Failure(.requestCancelled)
        case .answered, .refused, .credential: preconditionFailure("\(outcome) is no failure")
        }
    }

    // MARK: Performing

    private func handle(_ event: CredentialMachine.Event) { perform(machine.handle(event, at: clock.now())) }

    private func perform(_ effects: [CredentialMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let id, let access): send(id, access)
            case .renew(let attempt, let refresh, let generation): renew(attempt, refresh, generation)
            case .startRenewalTimer(let attempt, let at): later(at) { .renewalTimeout(attempt: attempt) }
            case .startRepeatTimer(let id, let at): later(at) { .repeatDue(id) }
            case .store(let pair): keep(pair)
            case .publish(let access): for listener in listeners { listener.yield(access) }
            case .finish(let id, let outcome): outcomes.removeValue(forKey: id)?.resume(returning: outcome)
            case .signedOut(let reason):
                signOutReason = reason
                account = nil
            }
        }
    }

    private func later(_ instant: MonotonicInstant, _ event: @escaping @Sendable () -> CredentialMachine.Event) {
        let clock = clock
        Task { [weak self] in
            do { try await clock.sleep(instant) } catch { return }
            await self?.handle(event())
        }
    }

    private func send(_ id: UInt64, _ access: String) {
        guard var request = sends[id] else { return }
        request.headers["authorization"] = "Bearer " + access
        let api = api
        let ready = request
        Task {
            do throws(HTTPFailure) {
                let answer = try await api.perform(ready)
                take(answer, for: id)
            } catch {
                handle(.broke(id, error.breakKind))
            }
        }
    }

    private func take(_ answer: HTTPResponse, for id: UInt64) {
        answers[id] = answer
        if answer.status == 401 {
            handle(.refused(id, code: APIClient.failure(of: answer).code))
        } else {
            handle(.answered(id))
        }
    }

    private func keep(_ pair: CredentialPair?) {
        do throws(SealedError) {
            if let pair, let account {
                try StoredSession(account: account, pair: pair, receivedAt: configuration.wall()).write(
                    configuration.store, now: clock.now())
            } else {
                try configuration.store.write(StoredSession.item, nil)
            }
            isMemoryOnly = !configuration.store.isLasting
        } catch {
            // It stays in memory, and the status says so.
            isMemoryOnly = true
        }
    }

    private func stored() throws(Failure) -> StoredSession.Reading {
        do throws(SealedError) {
            return try StoredSession.read(
                configuration.store, wall: configuration.wall(), now: clock.now(), policy: configuration.policy)
        } catch {
            throw Failure(.storageFailed, .init("reason", "\(error)"))
        }
    }

    // MARK: Renewal

    private func renew(_ attempt: UInt64, _ refresh: String, _ generation: Int64) {
        let api = api
        let device = configuration.device.id
        Task {
            let lock = await acquireLock()
            defer { withExtendedLifetime(lock) {} }
            // Another process may have renewed while we waited for the lock.
            if configuration.lockFile != nil, case .session(let session)? = try? stored(), session.pair.generation > generation {
                handle(.adopted(session.pair))
                return handle(.renewal(attempt: attempt, .failed(Failure(.requestCancelled))))
            }
            do throws(Failure) {
                let grant = try await api.call(AccountEndpoints.refresh, RefreshInput(refresh: refresh, deviceID: device))
                handle(
                    .renewal(
                        attempt: attempt,
                        .renewed(
                            access: grant.access, refresh: grant.refresh, lifetime: .seconds(grant.expiresIn), left: nil,
                            generation: grant.generation)))
            } catch {
                let refusals: [ErrorCode] = [
                    .authRefreshInvalid, .authRefreshReused, .authFrozen, .authSignedOutElsewhere, .authInvalid, .authExpired,
                ]
                handle(.renewal(attempt: attempt, refusals.contains(error.code) ? .refused(error.code) : .failed(error)))
            }
        }
    }

    /// Nil where there is none to take, or the time of a renewal has passed waiting for it.
    private func acquireLock() async -> FileLock? {
        guard let path = configuration.lockFile else { return nil }
        let end = clock.now().advanced(by: configuration.policy.renewTimeout)
        while clock.now() < end {
            if let lock = try? FileLock.tryAcquire(path) { return lock }
            do { try await clock.sleep(clock.now().advanced(by: .milliseconds(20))) } catch { return nil }
        }
        return nil
    }
}

extension HTTPFailure {
    fileprivate var breakKind: RequestBreak {
        switch self {
        case .offline, .untrusted, .badURL, .cancelled: .offline
        case .timedOut: .timedOut
        case .connectionLost, .tooLarge: .lost
        }
    }
}
