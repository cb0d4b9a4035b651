public import Streams

/// The one connection state machine (B-1), for quotes and for trade, told apart by its policy: a pure value, no clock and no socket inside.
/// Performs nothing itself: the owner carries the effects out in order and says `.clock` when `nextDeadline` has come.
public struct ConnectionMachine: Sendable {
    private enum Timer: Hashable, Sendable { case connect, retry, cool, stable, settle, silence }

    public let policy: ConnectionPolicy
    public private(set) var state: ConnectionState = .disconnected
    /// The latest dial; 0 = none yet.
    public private(set) var dial = 0
    private var jitter: ConnectionJitter
    private var timers = DeadlineTable<Timer>()
    private var isWanted = false
    private var isInBackground = false
    private var hasNetwork = true
    private var credential: ConnectionCredential?
    /// The credential shown on the present link.
    private var shownCredential: ConnectionCredential?
    private var isAuthenticated = false
    private var lastDial: MonotonicInstant?
    /// Dials in a row without ready.
    private var dialsWithoutReady = 0
    /// Waits in a row without a stable ready.
    private var waits = 0
    private var silence: Duration?
    private var isBusy = false
    private var rebuildsWhenIdle = false
    private var effects: [ConnectionEffect] = []

    public init(policy: ConnectionPolicy, jitter: ConnectionJitter) {
        self.policy = policy
        self.jitter = jitter
    }

    public var nextDeadline: MonotonicInstant? { timers.next }
    /// The user's credential that the next handshake shows.
    public var currentCredential: ConnectionCredential? { credential }

    /// Whether that dial's link is the present one and not over.
    public func isLive(_ number: Int) -> Bool { number == dial && hasLink }

    private var hasLink: Bool {
        switch state {
        case .connecting, .authenticating, .ready: true
        case .disconnected, .waiting, .cooling, .suspended, .closed: false
        }
    }

    public mutating func handle(_ event: ConnectionEvent, at now: MonotonicInstant) -> [ConnectionEffect] {
        effects = []
        switch event {
        case .connect: connect(at: now)
        case .nudge: nudge(at: now)
        case .disconnect: disconnect()
        case .credential(let credential?): take(credential, at: now)
        case .credential(nil): signedOut()
        case .foreground: foreground(at: now)
        case .background: background()
        case .networkLost: networkLost()
        case .networkBack: networkBack(at: now)
        case .networkChanged: networkChanged(at: now)
        case .busy(let isBusy): busy(isBusy, at: now)
        case .clock: timePassed(now)
        case .opened(let number, let silence): if isLive(number) { opened(silence, at: now) }
        case .failed(let number, let failure): if isLive(number) { failed(failure, at: now) }
        case .pinged(let number): if isLive(number) { pinged(at: now) }
        case .lost(let number, let code): if isLive(number) { lost(code, at: now) }
        case .authenticated(let number): if isLive(number) { authenticated() }
        case .refused(let number): if isLive(number) { refused(at: now) }
        case .dead(let number): if isLive(number) { rebuildLater(at: now) }
        case .unsupported(let number): if isLive(number) { end(.unsupported) }
        case .ready(let number): if isLive(number) { ready(at: now) }
        case .unready(let number): if isLive(number) { unready() }
        }
        defer { effects = [] }
        return effects
    }

    // MARK: The user and callers

    private mutating func connect(at now: MonotonicInstant) {
        isWanted = true
        switch state {
        case .disconnected, .closed: tryDial(at: now)
        case .waiting: if !isThrottled(by: policy.throttle, at: now) { tryDial(at: now) }
        // On its way or there already: connecting twice makes one connection. The cool-down ignores requests; so does the background.
        case .connecting, .authenticating, .ready, .cooling, .suspended: break
        }
    }

    private mutating func nudge(at now: MonotonicInstant) {
        guard isWanted else { return }
        switch state {
        case .disconnected: tryDial(at: now)
        case .waiting:
            var least = policy.throttle
            if case .backOff(let low, _, _, _, _) = policy.retry { least = max(least, low) }
            if !isThrottled(by: least, at: now) { tryDial(at: now) }
        case .connecting, .authenticating, .ready, .cooling, .suspended, .closed: break
        }
    }

    private func isThrottled(by least: Duration, at now: MonotonicInstant) -> Bool {
        guard let lastDial else { return false }
        return lastDial.duration(to: now) < least
    }

    private mutating func disconnect() {
        isWanted = false
        switch state {
        case .closed(.user): break
        case .disconnected, .connecting, .authenticating, .ready, .waiting, .cooling, .suspended, .closed: end(.user)
        }
    }

    // MARK: The credential (A-7, B-4)

    private mutating func take(_ new: ConnectionCredential, at now: MonotonicInstant) {
        let old = credential
        credential = new
        guard new != old else { return }
        switch state {
        case .closed(.signedOut): if isWanted { tryDial(at: now) }
        case .disconnected: if isWanted { tryDial(at: now) }
        case .cooling: if new != shownCredential { tryDial(at: now) }
        case .waiting: if policy.usesUserCredential { tryDial(at: now) }
        case .authenticating, .ready:
            guard policy.usesUserCredential, let shown = shownCredential else { return }
            if shown.account != new.account {
                rebuild(at: now)
            } else if isAuthenticated {
                shownCredential = new
                effects.append(.renewInBand(dial))
            }
        // Connecting: the newest is shown when the link is up.
        case .connecting, .suspended, .closed: break
        }
    }

    private mutating func signedOut() {
        credential = nil
        shownCredential = nil
        switch state {
        case .disconnected: if isWanted { end(.signedOut) }
        case .connecting, .authenticating, .ready, .waiting, .cooling, .suspended: end(.signedOut)
        case .closed: break
        }
    }

    // MARK: The platform (B-5)

    private mutating func foreground(at now: MonotonicInstant) {
        isInBackground = false
        switch state {
        case .suspended, .waiting, .disconnected:
            restartCounts()
            if isWanted { tryDial(at: now) } else { enter(.disconnected) }
        case .connecting, .authenticating, .ready, .cooling, .closed: break
        }
    }

    private mutating func background() {
        guard policy.suspendsInBackground else { return }
        isInBackground = true
        switch state {
        case .connecting, .authenticating, .ready:
            hangUp()
            enter(.suspended)
        case .waiting: enter(.suspended)
        case .disconnected, .cooling, .suspended, .closed: break
        }
    }

    private mutating func networkLost() {
        hasNetwork = false
        // A link that still looks alive is judged by its heartbeats.
        if case .waiting = state { timers.cancel(.retry) }
    }

    private mutating func networkBack(at now: MonotonicInstant) {
        hasNetwork = true
        switch state {
        case .waiting, .disconnected:
            guard isWanted else { return }
            restartCounts()
            tryDial(at: now)
        case .connecting, .authenticating, .ready, .cooling, .suspended, .closed: break
        }
    }

    private mutating func networkChanged(at now: MonotonicInstant) {
        hasNetwork = true
        switch state {
        case .connecting, .authenticating, .ready, .waiting: timers.set(.settle, at: now.advanced(by: policy.settle))
        case .disconnected, .cooling, .suspended, .closed: break
        }
    }

    private mutating func settled(at now: MonotonicInstant) {
        restartCounts()
        switch state {
        case .connecting, .authenticating, .ready:
            if isBusy { rebuildsWhenIdle = true } else { rebuild(at: now) }
        case .waiting: tryDial(at: now)
        case .disconnected, .cooling, .suspended, .closed: break
        }
    }

    private mutating func busy(_ isBusy: Bool, at now: MonotonicInstant) {
        self.isBusy = isBusy
        if !isBusy, rebuildsWhenIdle, hasLink { rebuild(at: now) }
    }

    // MARK: The transport and what stands on it

    private mutating func opened(_ silence: Duration?, at now: MonotonicInstant) {
        guard case .connecting = state else { return }  // A second opening of one dial says nothing new.
        timers.cancel(.connect)
        self.silence = silence
        if let silence { timers.set(.silence, at: now.advanced(by: silence)) }
        isAuthenticated = false
        shownCredential = credential
        enter(.authenticating)
        effects.append(.authenticate(dial))
    }

    private mutating func failed(_ failure: ConnectionDialFailure, at now: MonotonicInstant) {
        switch failure {
        case .network: linkOver(at: now)
        case .unsupported: end(.unsupported, hangsUp: false)
        case .unauthorized:
            if policy.usesUserCredential {
                shownCredential = credential
                cool(at: now)
            } else {
                linkOver(at: now)
            }
        }
    }

    private mutating func pinged(at now: MonotonicInstant) {
        if let silence { timers.set(.silence, at: now.advanced(by: silence)) }
        effects.append(.pong(dial))
    }

    private mutating func lost(_ code: UInt16?, at now: MonotonicInstant) {
        if code == 4001 { end(.kicked, hangsUp: false) } else { linkOver(at: now) }
    }

    private mutating func authenticated() {
        isAuthenticated = true
        // A newer credential came while the older one was being judged.
        if policy.usesUserCredential, let credential, credential != shownCredential {
            shownCredential = credential
            effects.append(.renewInBand(dial))
        }
    }

    private mutating func refused(at now: MonotonicInstant) {
        effects.append(.hangUp(dial))
        if credential != nil, credential != shownCredential {
            linkDown()
            tryDial(at: now)
        } else {
            cool(at: now)
        }
    }

    private mutating func cool(at now: MonotonicInstant) {
        linkDown()
        timers.set(.cool, at: now.advanced(by: policy.cool))
        enter(.cooling)
        effects.append(.needCredential)
    }

    private mutating func ready(at now: MonotonicInstant) {
        switch state {
        case .authenticating:
            dialsWithoutReady = 0
            if policy.stable == .zero { waits = 0 } else { timers.set(.stable, at: now.advanced(by: policy.stable)) }
            enter(.ready)
        case .ready: break
        case .connecting: preconditionFailure("ready before the link was up")
        case .disconnected, .waiting, .cooling, .suspended, .closed: preconditionFailure("ready without a link")
        }
    }

    private mutating func unready() {
        guard case .ready = state else { return }  // Not ready as a whole anyway.
        timers.cancel(.stable)
        enter(.authenticating)
    }

    // MARK: Dialling and waiting

    private mutating func tryDial(at now: MonotonicInstant) {
        timers.cancel(.retry)
        timers.cancel(.cool)
        timers.cancel(.settle)
        if isInBackground { return enter(.suspended) }
        if policy.usesUserCredential, credential == nil { return enter(.disconnected) }
        guard hasNetwork else { return enter(.waiting(attempt: max(1, waits))) }
        dial += 1
        dialsWithoutReady += 1
        lastDial = now
        rebuildsWhenIdle = false
        timers.set(.connect, at: now.advanced(by: policy.connectTimeout))
        enter(.connecting)
        effects.append(.dial(dial))
    }

    /// Hangs up and dials again at once.
    private mutating func rebuild(at now: MonotonicInstant) {
        hangUp()
        tryDial(at: now)
    }

    /// Hangs up and dials again after the wait.
    private mutating func rebuildLater(at now: MonotonicInstant) {
        effects.append(.hangUp(dial))
        linkOver(at: now)
    }

    private mutating func hangUp() {
        effects.append(.hangUp(dial))
        linkDown()
    }

    private mutating func linkDown() {
        for timer in [Timer.connect, .stable, .settle, .silence] { timers.cancel(timer) }
        isAuthenticated = false
        rebuildsWhenIdle = false
        isBusy = false
        effects.append(.down(dial))
    }

    private mutating func linkOver(at now: MonotonicInstant) {
        linkDown()
        if !isWanted { return enter(.disconnected) }
        if isInBackground { return enter(.suspended) }
        waits += 1
        if hasNetwork { timers.set(.retry, at: retryInstant(after: now)) }
        enter(.waiting(attempt: waits))
    }

    private mutating func retryInstant(after now: MonotonicInstant) -> MonotonicInstant {
        switch policy.retry {
        case .check(let quick, let slow, let spread):
            let last = lastDial ?? now
            if dialsWithoutReady >= quick { return max(now, last.advanced(by: slow * (0.8 + 0.4 * jitter.draw()))) }
            return max(last.advanced(by: policy.check), now.advanced(by: spread * jitter.draw()))
        case .backOff(let low, let high, let flat, let factor, let cap):
            func milliseconds(_ duration: Duration) -> Double { Double(duration.nanoseconds / 1_000_000) }
            var wait = milliseconds(low) + milliseconds(high - low) * jitter.draw()
            // Bounded: the cap is reached long before.
            for _ in 0..<min(64, max(0, waits - flat)) { wait *= factor }
            return now.advanced(by: .milliseconds(Int64(min(milliseconds(cap), wait).rounded())))
        }
    }

    private mutating func end(_ reason: ConnectionEnd, hangsUp: Bool = true) {
        if hasLink {
            if hangsUp { effects.append(.hangUp(dial)) }
            linkDown()
        }
        timers.cancelAll()
        restartCounts()
        enter(.closed(reason))
    }

    private mutating func restartCounts() {
        dialsWithoutReady = 0
        waits = 0
    }

    private mutating func enter(_ new: ConnectionState) {
        guard new != state else { return }
        state = new
        effects.append(.entered(new))
    }

    private mutating func timePassed(_ now: MonotonicInstant) {
        while let timer = timers.takeDue(at: now) {
            switch timer {
            case .connect, .silence: rebuildLater(at: now)
            case .retry: tryDial(at: now)
            // Nothing is tried by itself: a refused credential would be renewed over and over.
            case .cool: enter(.disconnected)
            case .stable: waits = 0
            case .settle: settled(at: now)
            }
        }
    }
}
