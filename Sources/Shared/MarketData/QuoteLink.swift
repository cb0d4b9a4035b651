package import Streams
package import Transport

/// Times of the quote login, on top of the connection's (B-2, A-12).
package struct QuoteLinkPolicy: Sendable {
    package var connection: ConnectionPolicy = .quote
    package var loginTimeout: Duration = .seconds(5)
    package var loginTries = 3
    /// Renew when less than this part of the life is left.
    package var renewDivisor = 6
    /// How long a new quote credential may take to come.
    package var credentialTimeout: Duration = .seconds(20)

    package init() {}
}

/// The quote connection as a pure value (B-3): the connection machine, login with a fresh quote credential, heartbeats and the table of
/// subscriptions. `Topic` and `Consumer` are the caller's; payloads never pass through here, only what they are.
package struct QuoteLink<Topic: Hashable & Sendable, Consumer: Hashable & Sendable>: Sendable {
    /// What the login was answered; told by a code, never by text.
    package enum LoginAnswer: Hashable, Sendable {
        case ok
        case alreadyLoggedIn
        /// A newer quote credential is needed.
        case credentialRefused
        case updateNeeded
        case refused
    }

    package enum Event: Sendable {
        case connection(ConnectionEvent)
        case credential(value: String, left: Duration, lifetime: Duration)
        /// No new quote credential could be had.
        case credentialFailed
        case loginAnswered(dial: Int, LoginAnswer)
        case beatAnswered(dial: Int)
        case subscribe([Topic], by: Consumer)
        case unsubscribe([Topic], by: Consumer)
        /// The consumer is gone.
        case left(Consumer)
        case clock
    }

    package enum Effect: Hashable, Sendable {
        case dial(Int)
        case hangUp(Int)
        case pong(Int)
        /// `forced`: the one at hand was refused.
        case needCredential(forced: Bool)
        case login(credential: String)
        case beat
        case subscribe([Topic])
        case unsubscribe([Topic])
        /// Nothing that was asked on this dial will be answered.
        case down(Int)
        case entered(ConnectionState)
    }

    private enum Timer: Hashable, Sendable { case login, credential, beat }
    private struct Credential: Sendable {
        var value: String
        var end: MonotonicInstant
        var lifetime: Duration
    }

    private let policy: QuoteLinkPolicy
    private var connection: ConnectionMachine
    private var timers = DeadlineTable<Timer>()
    private var table = SubscriptionTable<Consumer, Topic>()
    /// Subscribed topics whose first whole message has not come: changes before it mean nothing.
    private var unseen: Set<Topic> = []
    private var credential: Credential?
    private var isCredentialRefused = false
    private var needsCredential = false
    private var logins = 0
    private var unansweredBeats = 0
    private var effects: [Effect] = []

    package init(policy: QuoteLinkPolicy = .init(), jitter: ConnectionJitter) {
        self.policy = policy
        connection = ConnectionMachine(policy: policy.connection, jitter: jitter)
    }

    package var state: ConnectionState { connection.state }
    package var dial: Int { connection.dial }
    package var nextDeadline: MonotonicInstant? { [connection.nextDeadline, timers.next].compactMap { $0 }.min() }
    package var topics: [Topic] { table.topics }
    package func consumers(of topic: Topic) -> Set<Consumer> { table.consumers(of: topic) }

    package mutating func handle(_ event: Event, at now: MonotonicInstant) -> [Effect] {
        effects = []
        switch event {
        case .connection(.lost(let number, Self.revoked)): if connection.isLive(number) { revoked(number, at: now) }
        case .connection(let event): pass(event, at: now)
        case .credential(let value, let left, let lifetime):
            credential = Credential(value: value, end: now.advanced(by: left), lifetime: lifetime)
            isCredentialRefused = false
            if needsCredential { login(at: now) }
        case .credentialFailed: if needsCredential { pass(.dead(dial: dial), at: now) }
        case .loginAnswered(let number, let answer): if number == dial, logins > 0 { answered(answer, at: now) }
        case .beatAnswered(let number): if number == dial { unansweredBeats = 0 }
        case .subscribe(let topics, let consumer): subscribed(topics.filter { table.add(consumer, $0) })
        case .unsubscribe(let topics, let consumer): unsubscribed(topics.filter { table.remove(consumer, $0) })
        case .left(let consumer): unsubscribed(table.remove(consumer))
        case .clock: timePassed(now)
        }
        defer { effects = [] }
        return effects
    }

    /// Whether a message about `topic` from that dial goes to its consumers. `isWhole`: a snapshot, which changes may follow. A late one of
    /// an older dial, one nobody asked for and a change before the snapshot do not.
    package mutating func accepts(dial number: Int, _ topic: Topic, isWhole: Bool) -> Bool {
        guard number == dial, connection.state == .ready, table.isWanted(topic) else { return false }
        if isWhole { unseen.remove(topic) }
        return isWhole || !unseen.contains(topic)
    }

    private mutating func pass(_ event: ConnectionEvent, at now: MonotonicInstant) {
        for effect in connection.handle(event, at: now) {
            switch effect {
            case .dial(let number): effects.append(.dial(number))
            case .hangUp(let number): effects.append(.hangUp(number))
            case .pong(let number): effects.append(.pong(number))
            case .authenticate: login(at: now)
            case .down(let number): down(number)
            case .entered(let state):
                effects.append(.entered(state))
                if state == .ready { becameReady(at: now) }
            // The quote connection does not show the user's credential.
            case .renewInBand, .needCredential: break
            }
        }
    }

    private mutating func down(_ number: Int) {
        timers.cancelAll()
        logins = 0
        needsCredential = false
        unansweredBeats = 0
        effects.append(.down(number))
    }

    // MARK: Login

    /// The close code of a server that no longer takes the credential.
    private static var revoked: UInt16 { 4401 }

    /// Asks for a newer credential now, not at the next dial: whose sign-in has ended learns why at once.
    private mutating func revoked(_ number: Int, at now: MonotonicInstant) {
        isCredentialRefused = true
        pass(.lost(dial: number, code: Self.revoked), at: now)
        effects.append(.needCredential(forced: true))
    }

    /// Fresh enough by A-1's rule: at least one part of the life, at least min(60 s, half the life).
    private func isFresh(_ credential: Credential, at now: MonotonicInstant) -> Bool {
        let least = max(credential.lifetime / policy.renewDivisor, min(.seconds(60), credential.lifetime / 2))
        return !isCredentialRefused && now.duration(to: credential.end) >= least
    }

    private mutating func login(at now: MonotonicInstant) {
        if let credential, isFresh(credential, at: now) || needsCredential {
            needsCredential = false
            timers.cancel(.credential)
            logins += 1
            timers.set(.login, at: now.advanced(by: policy.loginTimeout))
            effects.append(.login(credential: credential.value))
        } else if !needsCredential {
            needsCredential = true
            timers.set(.credential, at: now.advanced(by: policy.credentialTimeout))
            effects.append(.needCredential(forced: isCredentialRefused))
        }
    }

    private mutating func answered(_ answer: LoginAnswer, at now: MonotonicInstant) {
        guard connection.state == .authenticating else { return }  // A second answer, to a login sent again.
        timers.cancel(.login)
        switch answer {
        case .ok, .alreadyLoggedIn: pass(.ready(dial: dial), at: now)
        case .updateNeeded: pass(.unsupported(dial: dial), at: now)
        case .credentialRefused:
            isCredentialRefused = true
            pass(.dead(dial: dial), at: now)
        case .refused: pass(.dead(dial: dial), at: now)
        }
    }

    private mutating func becameReady(at now: MonotonicInstant) {
        unansweredBeats = 0
        timers.set(.beat, at: now.advanced(by: policy.connection.beat))
        unseen = Set(table.topics)
        if table.topicCount > 0 { effects.append(.subscribe(table.topics)) }
    }

    // MARK: Subscriptions (B-7)

    private mutating func subscribed(_ topics: [Topic]) {
        guard !topics.isEmpty else { return }
        if connection.state == .ready {
            unseen.formUnion(topics)
            effects.append(.subscribe(topics))
        }
    }

    private mutating func unsubscribed(_ topics: [Topic]) {
        guard !topics.isEmpty else { return }
        unseen.subtract(topics)
        if connection.state == .ready { effects.append(.unsubscribe(topics)) }
    }

    // MARK: Time

    private mutating func timePassed(_ now: MonotonicInstant) {
        while let timer = timers.takeDue(at: now) {
            switch timer {
            case .login: if logins < policy.loginTries { login(at: now) } else { pass(.dead(dial: dial), at: now) }
            case .credential: pass(.dead(dial: dial), at: now)
            case .beat: beat(at: now)
            }
        }
        pass(.clock, at: now)
    }

    private mutating func beat(at now: MonotonicInstant) {
        if unansweredBeats >= policy.connection.beatsLost { return pass(.dead(dial: dial), at: now) }
        unansweredBeats += 1
        timers.set(.beat, at: now.advanced(by: policy.connection.beat))
        effects.append(.beat)
    }
}
