public import Streams
public import Texts

/// The life of the user credential on the client, as a pure reducer (A-1… ): when it is renewed, who waits, what is replayed,
/// what signs out. `Request` names callers: requests and those who want the credential itself.
public struct CredentialMachine: Sendable {
    public typealias CallerID = UInt64

    public enum Event: Sendable {
        case signedIn(CredentialPair)
        /// The stored item at launch; `pair` nil where there is none. `isDamaged`: it lacks its refresh credential.
        case loaded(CredentialPair?, isDamaged: Bool)
        /// Another process stored this newer item.
        case adopted(CredentialPair)
        case signOut
        case trigger(CredentialTrigger)
        /// A caller wants a request sent. `isReplayable`: may be repeated after a broken connection.
        case request(CallerID, isReplayable: Bool)
        /// The answer to the caller's latest sending was a refusal for authentication; `code` as far as the body said one.
        case refused(CallerID, code: ErrorCode?)
        /// Any other answer.
        case answered(CallerID)
        case broke(CallerID, RequestBreak)
        /// A caller wants the credential itself; `isNewer`: one newer than now.
        case credential(CallerID, isNewer: Bool)
        case cancel(CallerID)
        case renewal(attempt: UInt64, RenewalAnswer)
        case renewalTimeout(attempt: UInt64)
        case repeatDue(CallerID)
    }

    public enum Effect: Sendable {
        /// Send the caller's request with this access credential.
        case send(CallerID, access: String)
        case renew(attempt: UInt64, refresh: String, generation: Int64)
        case startRenewalTimer(attempt: UInt64, at: MonotonicInstant)
        case startRepeatTimer(CallerID, at: MonotonicInstant)
        /// Durable before the effects after it.
        case store(CredentialPair?)
        /// The stream of credentials; nil: signed out.
        case publish(access: String?)
        case finish(CallerID, Outcome)
        /// Told to the user, once.
        case signedOut(SignOutReason)
    }

    public enum Outcome: Hashable, Sendable {
        /// The request was answered: its answer stands.
        case answered
        /// Refused for authentication, finally: its answer stands.
        case refused
        case credential(String)
        case signedOut(SignOutReason?)
        /// The renewal that it waited for failed.
        case renewalFailed(Failure)
        case broke(RequestBreak)
        case cancelled
    }

    private struct Caller: Sendable {
        enum Need: Sendable {
            case request(isReplayable: Bool)
            case credential
        }
        enum Phase: Hashable, Sendable {
            case sent
            case waiting
            case repeating
        }
        var need: Need
        var phase: Phase
        /// With which it was sent last.
        var access = ""
        var wasRefused = false
        var repeats = 0
    }

    private struct Flight: Sendable {
        var attempt: UInt64
        /// The item it renews; a result for another one is dropped.
        var base: CredentialPair
    }

    public private(set) var state: CredentialState = .signedOut(nil)
    public private(set) var pair: CredentialPair?
    private let policy: CredentialPolicy
    private var callers: [(id: CallerID, caller: Caller)] = []
    /// The renewal that is under way; `superseded` are those whose time ran out though their answer may still come.
    private var flight: Flight?
    private var superseded: [Flight] = []
    private var attempts: UInt64 = 0
    private var noRenewalBefore: MonotonicInstant?
    private var effects: [Effect] = []

    public init(policy: CredentialPolicy = .init()) { self.policy = policy }

    public var isRenewing: Bool { flight != nil }

    public mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        effects = []
        switch event {
        case .signedIn(let new): begin(new, now)
        case .loaded(let stored, let isDamaged): load(stored, isDamaged, now)
        case .adopted(let new): adopt(new, now)
        case .signOut: if state == .signedIn { end(.user) }
        case .trigger: renewIfDue(now)
        case .request(let id, let isReplayable): request(id, isReplayable, now)
        case .credential(let id, let isNewer): credential(id, isNewer, now)
        case .refused(let id, let code): refused(id, code, now)
        case .answered(let id): if isSent(id) { finish(id, .answered) }
        case .broke(let id, let how): broke(id, how, now)
        case .cancel(let id): finish(id, .cancelled)
        case .renewal(let attempt, let answer): renewal(attempt, answer, now)
        case .renewalTimeout(let attempt): timeOut(attempt, now)
        case .repeatDue(let id): if index(of: id, in: .repeating) != nil { dispatch(id, now) }
        }
        return effects
    }

    // MARK: Session

    private mutating func begin(_ new: CredentialPair, _ now: MonotonicInstant) {
        // Whoever still waits belongs to the session before.
        if state == .signedIn { failAll(.signedOut(.user)) }
        flight = nil
        superseded = []
        noRenewalBefore = nil
        state = .signedIn
        take(new)
    }

    private mutating func load(_ stored: CredentialPair?, _ isDamaged: Bool, _ now: MonotonicInstant) {
        guard !isDamaged else { return end(.damaged) }
        guard let stored else { return }
        state = .signedIn
        pair = stored
        // One that is over is of no use to anybody: the stream starts with its successor.
        if !stored.lifetime.isOver(at: now) { effects.append(.publish(access: stored.access)) }
    }

    private mutating func adopt(_ new: CredentialPair, _ now: MonotonicInstant) {
        guard state == .signedIn, let pair, new.generation > pair.generation else { return }
        self.pair = new
        effects.append(.publish(access: new.access))
        release(now)
    }

    private mutating func end(_ reason: SignOutReason) {
        state = .signedOut(reason)
        pair = nil
        flight = nil
        superseded = []
        noRenewalBefore = nil
        effects.append(.store(nil))
        effects.append(.publish(access: nil))
        effects.append(.signedOut(reason))
        failAll(.signedOut(reason))
    }

    private mutating func take(_ new: CredentialPair) {
        pair = new
        effects.append(.store(new))
        effects.append(.publish(access: new.access))
    }

    // MARK: Callers

    private mutating func request(_ id: CallerID, _ isReplayable: Bool, _ now: MonotonicInstant) {
        admit(id, Caller(need: .request(isReplayable: isReplayable), phase: .waiting))
        dispatch(id, now)
    }

    private mutating func credential(_ id: CallerID, _ isNewer: Bool, _ now: MonotonicInstant) {
        admit(id, Caller(need: .credential, phase: .waiting))
        if isNewer, state == .signedIn { wait(id, now) } else { dispatch(id, now) }
    }

    private mutating func admit(_ id: CallerID, _ caller: Caller) {
        precondition(!callers.contains { $0.id == id }, "a caller's id is used twice")
        callers.append((id, caller))
    }

    /// Serves a caller with the credential there is, or lets it wait for a valid one.
    private mutating func dispatch(_ id: CallerID, _ now: MonotonicInstant) {
        guard case .signedIn = state, let pair else { return finish(id, .signedOut(signOutReason)) }
        guard !pair.lifetime.isOver(at: now) else { return wait(id, now) }
        serve(id, pair)
        renewIfDue(now)
    }

    private mutating func serve(_ id: CallerID, _ pair: CredentialPair) {
        guard let index = callers.firstIndex(where: { $0.id == id }) else { return }
        switch callers[index].caller.need {
        case .credential: finish(id, .credential(pair.access))
        case .request:
            callers[index].caller.phase = .sent
            callers[index].caller.access = pair.access
            effects.append(.send(id, access: pair.access))
        }
    }

    /// The caller goes on with the next credential; fails at once where none may be fetched now.
    private mutating func wait(_ id: CallerID, _ now: MonotonicInstant) {
        guard let index = callers.firstIndex(where: { $0.id == id }) else { return }
        callers[index].caller.phase = .waiting
        if flight == nil, !startRenewal(now) { finish(id, .renewalFailed(Failure(.connectionNotConnected))) }
    }

    private mutating func refused(_ id: CallerID, _ code: ErrorCode?, _ now: MonotonicInstant) {
        guard let index = index(of: id, in: .sent) else { return }
        guard case .signedIn = state, let pair else { return finish(id, .signedOut(signOutReason)) }
        let caller = callers[index].caller
        if code == .authFrozen {
            // Renewing helps nobody. A refusal of an older credential counts the same: the account is what is frozen.
            return end(.refused(.authFrozen))
        }
        guard !caller.wasRefused else { return finish(id, .refused) }
        callers[index].caller.wasRefused = true
        // A refusal of an older credential says nothing about the one there is now.
        if caller.access != pair.access { dispatch(id, now) } else { wait(id, now) }
    }

    private mutating func broke(_ id: CallerID, _ how: RequestBreak, _ now: MonotonicInstant) {
        guard let index = index(of: id, in: .sent) else { return }
        let caller = callers[index].caller
        guard case .request(isReplayable: true) = caller.need, how == .lost, caller.repeats < policy.repeats.count else {
            return finish(id, .broke(how))
        }
        let pause = policy.repeats[caller.repeats]
        callers[index].caller.repeats += 1
        callers[index].caller.phase = .repeating
        if pause <= .zero { dispatch(id, now) } else { effects.append(.startRepeatTimer(id, at: now.advanced(by: pause))) }
    }

    private func index(of id: CallerID, in phase: Caller.Phase) -> Int? {
        callers.firstIndex { $0.id == id && $0.caller.phase == phase }
    }

    private func isSent(_ id: CallerID) -> Bool { index(of: id, in: .sent) != nil }

    private mutating func finish(_ id: CallerID, _ outcome: Outcome) {
        guard let index = callers.firstIndex(where: { $0.id == id }) else { return }
        callers.remove(at: index)
        effects.append(.finish(id, outcome))
    }

    private mutating func failAll(_ outcome: Outcome) {
        for (id, _) in callers { finish(id, outcome) }
    }

    private var waiting: [CallerID] { callers.filter { $0.caller.phase == .waiting }.map(\.id) }

    private var signOutReason: SignOutReason? {
        if case .signedOut(let reason) = state { reason } else { nil }
    }

    // MARK: Renewal

    private mutating func renewIfDue(_ now: MonotonicInstant) {
        guard state == .signedIn, let pair, flight == nil, pair.lifetime.isRenewalDue(at: now, policy) else { return }
        _ = startRenewal(now)
    }

    /// False where a renewal failed less than `retryAfter` ago.
    private mutating func startRenewal(_ now: MonotonicInstant) -> Bool {
        guard let pair else { preconditionFailure("renewing while \(state)") }
        if let noRenewalBefore, now < noRenewalBefore { return false }
        attempts += 1
        flight = Flight(attempt: attempts, base: pair)
        effects.append(.startRenewalTimer(attempt: attempts, at: now.advanced(by: policy.renewTimeout)))
        effects.append(.renew(attempt: attempts, refresh: pair.refresh, generation: pair.generation))
        return true
    }

    private mutating func renewal(_ attempt: UInt64, _ answer: RenewalAnswer, _ now: MonotonicInstant) {
        let isCurrent = flight?.attempt == attempt
        let known = isCurrent ? flight : superseded.first { $0.attempt == attempt }
        superseded.removeAll { $0.attempt == attempt }
        // After sign-out nothing is known any more; an answer about an older item is dropped.
        guard state == .signedIn, let known, let pair else { return }
        if isCurrent { flight = nil }
        guard known.base == pair else {
            if isCurrent { release(now) }
            return
        }
        switch answer {
        case .renewed(let access, let refresh, let lifetime, let left, let generation):
            noRenewalBefore = nil
            flight = nil
            take(
                CredentialPair(
                    access: access, refresh: refresh ?? pair.refresh,
                    lifetime: Lifetime(length: lifetime ?? policy.defaultLifetime, left: left, now: now),
                    generation: max(generation ?? pair.generation + 1, pair.generation + 1)))
            release(now)
        case .refused(let code): end(.refused(code))
        case .failed(let failure): if isCurrent { fail(failure, now) }
        }
    }

    private mutating func timeOut(_ attempt: UInt64, _ now: MonotonicInstant) {
        guard let current = flight, current.attempt == attempt else { return }
        superseded.append(current)
        if superseded.count > 4 { superseded.removeFirst() }
        flight = nil
        fail(Failure(.connectionTimedOut), now)
    }

    private mutating func fail(_ failure: Failure, _ now: MonotonicInstant) {
        noRenewalBefore = now.advanced(by: policy.retryAfter)
        for id in waiting { finish(id, .renewalFailed(failure)) }
    }

    /// The waiting callers go on with the credential there is now.
    private mutating func release(_ now: MonotonicInstant) {
        guard let pair else { return }
        for id in waiting { serve(id, pair) }
    }
}
