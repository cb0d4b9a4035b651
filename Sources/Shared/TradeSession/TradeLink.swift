package import Streams
package import Transport

/// The trade connection as a pure value (B-4): the connection machine, `/auth`, the counters with their ready messages and sequences, the
/// in-flight table, trade logins, account heartbeats and kick-outs.
package struct TradeLink<ID: Hashable & Sendable, Item: Sendable, Reply: Sendable>: Sendable {
    package typealias Event = TradeLinkEvent<ID, Item, Reply>
    package typealias Effect = TradeLinkEffect<ID, Item, Reply>

    enum Timer: Hashable, Sendable {
        case auth
        case check(TradeCounter)
        case beat(TradeCounter)
        case request(ID)
        case query(ID)
        case since(TradeCounter, String)
    }

    struct Counter: Sendable {
        var state: CounterState = .disconnected
        var epoch: UInt64 = 0
        var session: String?
        var wasKickedOut = false
        var unansweredBeats = 0
        var lastLogin: MonotonicInstant?
        var accounts: [String: SequencedAccount<Item>] = [:]
        /// Newest query of each kind.
        var newestQuery: [String: ID] = [:]
    }

    let policy: TradeLinkPolicy
    var connection: ConnectionMachine
    var timers = DeadlineTable<Timer>()
    var counters: [TradeCounter: Counter] = [:]
    var inFlight = InFlightTable<ID>()
    var isAuthenticated = false
    var effects: [Effect] = []

    package init(policy: TradeLinkPolicy, jitter: ConnectionJitter) {
        self.policy = policy
        connection = ConnectionMachine(policy: policy.connection, jitter: jitter)
        for counter in policy.counters { counters[counter] = Counter() }
    }

    package var state: ConnectionState { connection.state }
    package var dial: Int { connection.dial }
    package var nextDeadline: MonotonicInstant? { [connection.nextDeadline, timers.next].compactMap { $0 }.min() }
    package func state(of counter: TradeCounter) -> CounterState { counters[counter]?.state ?? .disconnected }
    package func session(of counter: TradeCounter) -> String? { counters[counter]?.session }
    /// The last applied sequence; nil: nothing is known of that account.
    package func sequence(of account: String, _ counter: TradeCounter) -> UInt64? { counters[counter]?.accounts[account]?.applied }

    package mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        effects = []
        dispatch(event, at: now)
        defer { effects = [] }
        return effects
    }

    private mutating func dispatch(_ event: Event, at now: MonotonicInstant) {
        switch event {
        case .connection(let event):
            guard case .credential(nil) = event else { return pass(event, at: now) }
            signOut()
            pass(event, at: now)
            abandon()
        case .authAnswered(let number, let answer): if connection.isLive(number) { authAnswered(answer, at: now) }
        case .counterReady(let number, let counter, let epoch, let sequences):
            if isUp(number, counter) { counterReady(counter, epoch: epoch, sequences, at: now) }
        case .counterLost(let number, let counter): if connection.isLive(number) { counterLost(counter, at: now) }
        case .pushed(let number, let counter, let account, let sequence, let item):
            if isUp(number, counter) { pushed(counter, account, sequence, item, at: now) }
        case .sinceAnswered(let number, let counter, let account, let items, let upTo, let isComplete):
            if isUp(number, counter) { sinceAnswered(counter, account, items, upTo: upTo, isComplete: isComplete, at: now) }
        case .request(let id, let kind, let counter, let commandID): request(id, kind, counter, commandID, at: now)
        case .login(let id, let counter, let isSilent): login(id, counter, isSilent: isSilent, at: now)
        case .replied(let number, let counter, let id, let reply, let session, let endsSession):
            if connection.isLive(number) { replied(counter, id, reply, session: session, endsSession: endsSession, at: now) }
        case .queryAnswered(let number, let id, let attempt, let reply):
            if connection.isLive(number) { queryAnswered(id, attempt, reply, at: now) }
        case .beatAnswered(let number, let counter): if connection.isLive(number) { counters[counter]?.unansweredBeats = 0 }
        case .duplicateLogin(let number, let counter, let session):
            if connection.isLive(number), session != counters[counter]?.session { endSession(counter, kickedOut: true) }
        case .deviceDisconnected(let number, let counter, let platform, let device):
            if connection.isLive(number), platform == policy.platform, device == policy.device { endSession(counter, kickedOut: true) }
        case .storedSession(let counter, let session): stored(counter, session, at: now)
        case .loggedOut(let counter): setSession(counter, nil)
        case .clock: timePassed(now)
        }
    }

    /// Whether a message of the counter from that dial counts.
    private func isUp(_ number: Int, _ counter: TradeCounter) -> Bool {
        connection.isLive(number) && isAuthenticated && counters[counter] != nil
    }

    // MARK: The connection

    mutating func pass(_ event: ConnectionEvent, at now: MonotonicInstant) {
        for effect in connection.handle(event, at: now) {
            switch effect {
            case .dial(let number): effects.append(.dial(number))
            case .hangUp(let number): effects.append(.hangUp(number))
            case .pong(let number): effects.append(.pong(number))
            case .needCredential: effects.append(.needCredential)
            case .authenticate:
                timers.set(.auth, at: now.advanced(by: policy.connection.check))
                effects.append(.auth(credential: connection.currentCredential?.value ?? ""))
            case .renewInBand: effects.append(.renewAuth(credential: connection.currentCredential?.value ?? ""))
            case .down(let number):
                linkDown()
                effects.append(.down(number))
            case .entered(let state):
                effects.append(.entered(state))
                if state == .closed(.kicked) { effects.append(.kicked) }
            }
        }
    }

    private mutating func authAnswered(_ answer: AuthAnswer, at now: MonotonicInstant) {
        timers.cancel(.auth)
        switch answer {
        case .unauthorized: pass(.refused(dial: dial), at: now)
        case .other: pass(.dead(dial: dial), at: now)
        case .ok:
            pass(.authenticated(dial: dial), at: now)
            // The answer to a renewal in band changes nothing else.
            if isAuthenticated { return }
            isAuthenticated = true
            for counter in policy.counters { open(counter, at: now) }
        }
    }

    private mutating func linkDown() {
        isAuthenticated = false
        timers.cancel { timer in
            switch timer {
            case .auth, .check, .beat, .since, .query, .request: true
            }
        }
        for counter in policy.counters { counterDown(counter) }
    }

    // MARK: Counters

    private mutating func open(_ counter: TradeCounter, at now: MonotonicInstant) {
        setState(counter, .opening)
        timers.set(.check(counter), at: now.advanced(by: policy.connection.check))
        effects.append(.open(counter))
    }

    private mutating func counterLost(_ counter: TradeCounter, at now: MonotonicInstant) {
        guard counters[counter] != nil, isAuthenticated else { return }
        timers.cancel { timer in
            switch timer {
            case .check(let other), .beat(let other), .since(let other, _): other == counter
            case .auth, .request, .query: false
            }
        }
        counterDown(counter)
        timers.set(.check(counter), at: now.advanced(by: policy.connection.check))
        pass(.unready(dial: dial), at: now)
        reportBusy(at: now)
    }

    /// What was awaited of the counter will not come.
    private mutating func counterDown(_ counter: TradeCounter) {
        setState(counter, .disconnected)
        counters[counter]?.unansweredBeats = 0
        counters[counter]?.newestQuery = [:]
        for account in counters[counter]?.accounts.keys.sorted() ?? [] {
            counters[counter]?.accounts[account]?.isAsking = false
            counters[counter]?.accounts[account]?.forgetHeld()
        }
        for entry in inFlight.sorted(where: { $0.counter == counter }) {
            timers.cancel(.request(entry.id))
            timers.cancel(.query(entry.id))
            switch entry.stage {
            case .unknown: inFlight.setUnknown(entry.id)
            case .sent:
                if entry.purpose.isCommand {
                    inFlight.setUnknown(entry.id)
                    effects.append(.outcome(entry.id, .unknown))
                } else {
                    inFlight.remove(entry.id)
                    effects.append(.outcome(entry.id, .lost))
                }
            }
        }
    }

    private mutating func counterReady(
        _ counter: TradeCounter, epoch: UInt64, _ sequences: [(account: String, sequence: UInt64)], at now: MonotonicInstant
    ) {
        timers.cancel(.check(counter))
        counters[counter]?.epoch = epoch
        setState(counter, .reconciling)
        for (account, sequence) in sequences {
            guard let known = counters[counter]?.accounts[account] else {
                // The first link: the caller's queries bring the books, pushes go on from here.
                counters[counter]?.accounts[account] = SequencedAccount(applied: sequence)
                continue
            }
            if sequence < known.applied, epoch > 0 {
                // Books that went back cannot be patched.
                counters[counter]?.accounts[account] = SequencedAccount(applied: sequence)
                effects.append(.resynchronise(counter, account: account, sequence: sequence))
            } else {
                askSince(counter, account, at: now)
            }
        }
        reconciled(counter, at: now)
    }

    /// Ready once nothing is being asked for.
    func isAsking(_ counter: TradeCounter) -> Bool { counters[counter]?.accounts.values.contains { $0.isAsking } ?? false }

    mutating func reconciled(_ counter: TradeCounter, at now: MonotonicInstant) {
        guard state(of: counter) == .reconciling, !isAsking(counter) else { return }
        setState(counter, .ready)
        if counters[counter]?.session != nil { timers.set(.beat(counter), at: now.advanced(by: policy.connection.beat)) }
        for entry in inFlight.sorted(where: { $0.counter == counter && $0.stage == .unknown(query: 0) }) { query(entry, at: now) }
        if policy.counters.allSatisfy({ state(of: $0) == .ready }) { pass(.ready(dial: dial), at: now) }
    }

    private mutating func setState(_ counter: TradeCounter, _ new: CounterState) {
        guard counters[counter]?.state != new else { return }
        counters[counter]?.state = new
        effects.append(.counter(counter, new))
    }

    // MARK: Time

    private mutating func timePassed(_ now: MonotonicInstant) {
        while let timer = timers.takeDue(at: now) {
            switch timer {
            case .auth: pass(.dead(dial: dial), at: now)
            // Each counter on its own: trying one again never touches the other.
            case .check(let counter): open(counter, at: now)
            case .beat(let counter): beat(counter, at: now)
            case .request(let id): requestTimedOut(id, at: now)
            case .query(let id): if let entry = inFlight[id] { query(entry, at: now) }
            case .since(let counter, let account): askSince(counter, account, at: now)
            }
        }
        pass(.clock, at: now)
    }

    private mutating func beat(_ counter: TradeCounter, at now: MonotonicInstant) {
        guard let current = counters[counter], current.session != nil, current.state == .ready else { return }
        // The connection is dead; the session is not: the gateway verifies it after ready (D-4).
        if current.unansweredBeats >= policy.connection.beatsLost { return pass(.dead(dial: dial), at: now) }
        counters[counter]?.unansweredBeats += 1
        timers.set(.beat(counter), at: now.advanced(by: policy.connection.beat))
        effects.append(.beat(counter))
    }
}
