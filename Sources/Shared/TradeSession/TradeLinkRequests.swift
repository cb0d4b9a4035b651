import Streams
import Transport

// Requests, logins and sequences of the pure trade link.
extension TradeLink {
    // MARK: Requests (B-6, C-3)

    mutating func request(_ id: ID, _ kind: TradeRequestKind, _ counter: TradeCounter, _ commandID: [UInt8], at now: MonotonicInstant) {
        precondition(inFlight[id] == nil, "a request id is used twice")
        let isOpen =
            switch (kind, state(of: counter)) {
            case (_, .ready), (.cancel, .reconciling), (.query, .reconciling): true
            case (_, .disconnected), (_, .opening), (.place, .reconciling), (.modify, .reconciling): false
            }
        guard isOpen, inFlight.count < policy.maximumInFlight else {
            effects.append(.outcome(id, .notConnected))
            return pass(.nudge, at: now)
        }
        inFlight.add(id, .request(kind), counter, commandID: commandID, epoch: counters[counter]?.epoch ?? 0)
        if case .query(let name?) = kind { counters[counter]?.newestQuery[name] = id }
        timers.set(.request(id), at: now.advanced(by: kind.isCommand ? policy.orderTimeout : policy.queryTimeout))
        effects.append(.send(id, kind, counter))
        reportBusy(at: now)
    }

    mutating func reportBusy(at now: MonotonicInstant) { pass(.busy(inFlight.isAnythingAwaited), at: now) }

    mutating func requestTimedOut(_ id: ID, at now: MonotonicInstant) {
        guard let entry = inFlight[id] else { return }
        if entry.purpose.isCommand {
            inFlight.setUnknown(id)
            effects.append(.outcome(id, .unknown))
            query(entry, at: now)
        } else {
            inFlight.remove(id)
            effects.append(.outcome(id, .timedOut))
        }
        reportBusy(at: now)
    }

    mutating func replied(
        _ counter: TradeCounter, _ id: ID, _ reply: Reply, session: String?, endsSession: Bool, at now: MonotonicInstant
    ) {
        if let entry = inFlight[id] {
            switch entry.stage {
            // A late reply is not applied; what it would say is asked for (C-3).
            case .unknown(query: 0): query(entry, at: now)
            case .unknown: break
            case .sent: answered(entry, reply, session: session, at: now)
            }
        }
        if endsSession { endSession(counter, kickedOut: false) }
        reportBusy(at: now)
    }

    private mutating func answered(_ entry: InFlightTable<ID>.Entry, _ reply: Reply, session: String?, at now: MonotonicInstant) {
        switch entry.purpose {
        case .request(.query(let name?)):
            guard counters[entry.counter]?.newestQuery[name] == entry.id else { return }  // The newer one's answer counts for both.
            counters[entry.counter]?.newestQuery[name] = nil
            let same = inFlight.sorted { $0.counter == entry.counter && $0.purpose == entry.purpose }
            for other in same { finish(other.id, .replied(reply)) }
        case .request: finish(entry.id, .replied(reply))
        case .login(let isSilent):
            finish(entry.id, .replied(reply))
            if let session {
                counters[entry.counter]?.wasKickedOut = false
                setSession(entry.counter, session)
                counters[entry.counter]?.unansweredBeats = 0
                timers.set(.beat(entry.counter), at: now.advanced(by: policy.connection.beat))
            } else if !isSilent {
                effects.append(.loginFailed(entry.counter, reply))
            }
        }
    }

    private mutating func finish(_ id: ID, _ outcome: TradeOutcome<Reply>) {
        timers.cancel(.request(id))
        timers.cancel(.query(id))
        inFlight.remove(id)
        effects.append(.outcome(id, outcome))
    }

    // MARK: What became of an order

    mutating func query(_ entry: InFlightTable<ID>.Entry, at now: MonotonicInstant) {
        guard state(of: entry.counter) == .ready || state(of: entry.counter) == .reconciling else { return }  // Asked once it is ready.
        let attempt = inFlight.beginQuery(entry.id)
        timers.set(.query(entry.id), at: now.advanced(by: policy.queryTimeout))
        effects.append(.query(entry.id, attempt: attempt, entry.counter, commandID: entry.commandID))
    }

    mutating func queryAnswered(_ id: ID, _ attempt: Int, _ reply: Reply?, at now: MonotonicInstant) {
        guard let entry = inFlight[id], entry.stage == .unknown(query: attempt) else { return }  // Only the newest answer counts.
        if let reply { return finish(id, .found(reply)) }
        if let epoch = counters[entry.counter]?.epoch, epoch > entry.epoch { return finish(id, .notExecuted) }
        // The gateway it was sent to may still have it in hand.
        timers.set(.query(id), at: now.advanced(by: policy.unresolvedPause))
    }

    // MARK: Trading sessions (D-1 to D-5)

    mutating func login(_ id: ID, _ counter: TradeCounter, isSilent: Bool, at now: MonotonicInstant) {
        precondition(inFlight[id] == nil, "a request id is used twice")
        guard let current = counters[counter], current.state == .ready || current.state == .reconciling else {
            effects.append(.outcome(id, .notConnected))
            return pass(.nudge, at: now)
        }
        if isSilent, current.wasKickedOut { return effects.append(.outcome(id, .refusedAfterKickOut)) }
        if let last = current.lastLogin, last.duration(to: now) < policy.gate { return effects.append(.outcome(id, .gated)) }
        counters[counter]?.lastLogin = now
        inFlight.add(id, .login(isSilent: isSilent), counter, epoch: current.epoch)
        timers.set(.request(id), at: now.advanced(by: policy.orderTimeout))
        effects.append(.login(id, counter))
        reportBusy(at: now)
    }

    mutating func setSession(_ counter: TradeCounter, _ session: String?) {
        guard counters[counter] != nil, counters[counter]?.session != session else { return }
        counters[counter]?.session = session
        if session == nil { timers.cancel(.beat(counter)) }
        effects.append(.session(counter, session))
    }

    /// The gateway says so; the app account and the connection stay (D-5).
    mutating func endSession(_ counter: TradeCounter, kickedOut: Bool) {
        guard counters[counter]?.session != nil else { return }
        if kickedOut { counters[counter]?.wasKickedOut = true }
        setSession(counter, nil)
        effects.append(.sessionEnded(counter))
    }

    /// Another process of this device logged in or out, or this is the start (D-8).
    mutating func stored(_ counter: TradeCounter, _ session: String?, at now: MonotonicInstant) {
        guard counters[counter] != nil, counters[counter]?.session != session else { return }
        counters[counter]?.session = session
        counters[counter]?.unansweredBeats = 0
        timers.cancel(.beat(counter))
        if session != nil {
            counters[counter]?.wasKickedOut = false
            if state(of: counter) == .ready { timers.set(.beat(counter), at: now.advanced(by: policy.connection.beat)) }
        }
    }

    mutating func signOut() {
        for counter in policy.counters {
            setSession(counter, nil)
            counters[counter]?.accounts = [:]
            counters[counter]?.wasKickedOut = false
            counters[counter]?.lastLogin = nil
        }
    }

    /// The user has gone, and nobody is left who may ask what became of a command: it stays unknown, and its caller is told so.
    mutating func abandon() {
        for entry in inFlight.sorted(where: { _ in true }) {
            timers.cancel(.request(entry.id))
            timers.cancel(.query(entry.id))
            switch (entry.stage, entry.purpose.isCommand) {
            case (.unknown, _): effects.append(.outcome(entry.id, .unknown))
            case (.sent, true): effects += [.outcome(entry.id, .unknown), .outcome(entry.id, .unknown)]
            case (.sent, false): effects.append(.outcome(entry.id, .lost))
            }
        }
        inFlight = InFlightTable()
    }

    // MARK: Account sequences (B-9, C-9)

    mutating func pushed(_ counter: TradeCounter, _ account: String, _ sequence: UInt64, _ item: Item, at now: MonotonicInstant) {
        // Before its ready message it means nothing; `since` brings it.
        guard state(of: counter) == .ready || state(of: counter) == .reconciling else { return }
        guard let verdict = counters[counter]?.accounts[account]?.take(sequence, item, maximumHeld: policy.maximumHeld) else { return }
        switch verdict {
        case .old: break
        case .gap: if counters[counter]?.accounts[account]?.isAsking == false { askSince(counter, account, at: now) }
        case .apply:
            effects.append(.deliver(counter, account: account, sequence: sequence, item))
            deliverHeld(counter, account)
        }
    }

    private mutating func deliverHeld(_ counter: TradeCounter, _ account: String) {
        while let next = counters[counter]?.accounts[account]?.takeNext() {
            effects.append(.deliver(counter, account: account, sequence: next.sequence, next.item))
        }
    }

    mutating func askSince(_ counter: TradeCounter, _ account: String, at now: MonotonicInstant) {
        guard let applied = counters[counter]?.accounts[account]?.applied else { return }
        counters[counter]?.accounts[account]?.isAsking = true
        timers.set(.since(counter, account), at: now.advanced(by: policy.queryTimeout))
        effects.append(.since(counter, account: account, sequence: applied))
    }

    mutating func sinceAnswered(
        _ counter: TradeCounter, _ account: String, _ items: [(sequence: UInt64, item: Item)], upTo: UInt64?, isComplete: Bool,
        at now: MonotonicInstant
    ) {
        guard let before = counters[counter]?.accounts[account], before.isAsking else { return }  // Late: nothing is asked for any more.
        for (sequence, item) in items where counters[counter]?.accounts[account]?.takeAnswered(sequence) == true {
            effects.append(.deliver(counter, account: account, sequence: sequence, item))
        }
        deliverHeld(counter, account)
        guard let after = counters[counter]?.accounts[account] else { return }
        if !isComplete, after.applied > before.applied { return askSince(counter, account, at: now) }
        timers.cancel(.since(counter, account))
        if let upTo, after.applied < upTo {
            // The gateway cannot give every step: begin anew from its books.
            counters[counter]?.accounts[account] = SequencedAccount(applied: upTo)
            effects.append(.resynchronise(counter, account: account, sequence: upTo))
        } else if counters[counter]?.accounts[account]?.hasGap() == true {
            // A push overtook what comes before it.
            timers.set(.since(counter, account), at: now.advanced(by: policy.unresolvedPause))
            return
        }
        counters[counter]?.accounts[account]?.isAsking = false
        reconciled(counter, at: now)
    }
}
