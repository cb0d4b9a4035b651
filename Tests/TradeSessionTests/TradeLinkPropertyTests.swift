import Streams
import Testing
import TradeSession
import Transport

/// Random events of users, platform and gateway against what a trade link may never do (C-3, C-9, B-4, B-6, D-2).
struct TradeLinkPropertyTests {
    private typealias Link = TradeLink<Int, UInt64, Int>
    private struct Books: Hashable {
        var counter: TradeCounter
        var account: String
    }

    private struct Run {
        var link: Link
        var random: SeededRandom
        var now = MonotonicInstant(nanoseconds: 0)
        var lastID = 0
        var kinds: [Int: TradeRequestKind] = [:]
        var silent: Set<Int> = []
        var sent: [Int: UInt64] = [:]
        var outcomes: [Int: [TradeOutcome<Int>]] = [:]
        /// The user is signing out: nobody may ask any more what became of a command.
        var isSigningOut = false
        var queries: [(id: Int, attempt: Int)] = []
        var asked: [Books: UInt64] = [:]
        var applied: [Books: UInt64] = [:]
        var epochs: [TradeCounter: UInt64] = [:]
        var alive: Set<Int> = []
        var opened: Set<Int> = []
        var authenticated: Set<Int> = []
        var kickedOut: Set<TradeCounter> = []
        var counters: [Int: TradeCounter] = [:]
        /// What has happened, so that a run proves something.
        var seen: Set<String> = []

        init(seed: UInt64) {
            link = Link(policy: TradeLinkPolicy(), jitter: ConnectionJitter(seed: seed))
            random = SeededRandom(seed: seed)
        }

        mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
        mutating func counter() -> TradeCounter { Bool.random(using: &random) ? .securities : .futures }
        mutating func dial() -> Int { chance(6) ? Int.random(in: 0...link.dial, using: &random) : link.dial }
        /// Mostly one of late.
        mutating func anyID() -> Int { Int.random(in: (chance(4) ? 0 : max(0, lastID - 4))...lastID + 1, using: &random) }

        // MARK: What happens

        mutating func request() -> Link.Event {
            lastID += 1
            let kind = [TradeRequestKind.place, .modify, .cancel, .query(nil), .query("orders")].randomElement(using: &random) ?? .place
            kinds[lastID] = kind
            return .request(lastID, kind, counter(), commandID: [UInt8(truncatingIfNeeded: lastID)])
        }

        mutating func login() -> Link.Event {
            lastID += 1
            let isSilent = Bool.random(using: &random)
            if isSilent { silent.insert(lastID) }
            return .login(lastID, counter(), isSilent: isSilent)
        }

        mutating func ofConnection() -> Link.Event {
            let dial = dial()
            switch Int.random(in: 0..<16, using: &random) {
            case 0...3: return .connection(.connect)
            case 4: return .connection(chance(3) ? .lost(dial: dial, code: 1006) : .connect)
            case 5: return .connection(chance(3) ? .failed(dial: dial, .network) : .connect)
            case 6: return .connection(.networkChanged)
            case 7: return .connection(chance(2) ? .networkLost : .networkBack)
            case 8: return .connection(chance(4) ? .disconnect : .connect)
            case 9: return .connection(.credential(chance(8) ? nil : .init(value: "\(Int.random(in: 0..<3, using: &random))")))
            default: return .connection(.opened(dial: dial, silence: nil))
            }
        }

        mutating func ofGateway() -> Link.Event {
            let (dial, counter, sequence) = (dial(), counter(), UInt64.random(in: 0..<40, using: &random))
            let account = Bool.random(using: &random) ? "1" : "2"
            switch Int.random(in: 0..<12, using: &random) {
            // No answer before the link is up.
            case 0, 1: return opened.contains(dial) ? .authAnswered(dial: dial, chance(12) ? .other : .ok) : .clock
            case 2, 3: return ready(dial, counter, [(account, sequence)])
            case 4: return .counterLost(dial: dial, counter)
            case 5:
                let next = (applied[Books(counter: counter, account: account)] ?? 0) + UInt64.random(in: 0...3, using: &random)
                return .pushed(dial: dial, counter, account: account, sequence: next, next)
            case 6:
                let next = (asked[Books(counter: counter, account: account)] ?? 0) + 1
                return .sinceAnswered(
                    dial: dial, counter, account: account, (next..<next + 3).map { ($0, $0) }, upTo: chance(3) ? nil : next + 4,
                    isComplete: !chance(4))
            case 7, 8: return .replied(dial: dial, counter, anyID(), 1, session: chance(2) ? "s\(sequence)" : nil, endsSession: chance(20))
            case 9:
                guard let query = queries.randomElement(using: &random) else { return .clock }
                return .queryAnswered(dial: dial, query.id, attempt: query.attempt, chance(2) ? nil : 2)
            case 10: return .duplicateLogin(dial: dial, counter, session: "s\(sequence)")
            default: return .beatAnswered(dial: dial, counter)
            }
        }

        mutating func ready(_ dial: Int, _ counter: TradeCounter, _ sequences: [(account: String, sequence: UInt64)]) -> Link.Event {
            .counterReady(dial: dial, counter, epoch: (epochs[counter] ?? 0) + (chance(3) ? 0 : 1), sequences: sequences)
        }

        mutating func step() {
            if let next = link.nextDeadline, chance(8) { now = max(now, next) }
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: handle(request())
            case 3: handle(login())
            case 4, 5: handle(ofConnection())
            case 6: handle(.clock)
            default: handle(ofGateway())
            }
        }

        // MARK: What may come of it

        mutating func handle(_ event: Link.Event) {
            if case .connection(.opened(let dial, _)) = event, alive.contains(dial) { opened.insert(dial) }
            if case .authAnswered(let dial, .ok) = event, alive.contains(dial) { authenticated.insert(dial) }
            let effects = link.handle(event, at: now)
            if case .connection(.credential(nil)) = event { isSigningOut = true }
            defer { isSigningOut = false }
            if case .counterReady(let dial, let counter, let epoch, let sequences) = event, alive.contains(dial),
                authenticated.contains(dial)
            {
                epochs[counter] = epoch
                for (account, sequence) in sequences where applied[Books(counter: counter, account: account)] == nil {
                    applied[Books(counter: counter, account: account)] = sequence
                }
            }
            for effect in effects {
                check(effect)
                if case .queryAnswered(_, let id, let attempt, _) = event, case .outcome(id, _) = effect {
                    #expect(attempt == queries.last { $0.id == id }?.attempt, "only the newest answer counts")
                }
            }
            if case .duplicateLogin(_, let counter, _) = event,
                effects.contains(where: { if case .sessionEnded = $0 { true } else { false } })
            {
                kickedOut.insert(counter)
                seen.insert("kicked")
            }
            if case .connection(.credential(nil)) = event {
                for (id, ends) in outcomes where ends == [.unknown] { Issue.record("command \(id) was dropped silently") }
                applied = [:]
                kickedOut = []
            }
        }

        private mutating func check(_ effect: Link.Effect) {
            switch effect {
            case .dial(let number):
                #expect(alive.isEmpty)
                alive.insert(number)
            case .down(let number): #expect(alive.remove(number) != nil)
            case .send(let id, _, let counter):
                #expect(!alive.isEmpty)
                counters[id] = counter
                let isNew = kinds[id] == .place || kinds[id] == .modify
                #expect(!isNew || link.state(of: counter) == .ready, "new orders only after reconciliation")
                #expect(sent.updateValue(epochs[counter] ?? 0, forKey: id) == nil, "never sent twice")
                #expect(outcomes[id] == nil, "never sent after its end")
            case .login(let id, let counter):
                #expect(sent.updateValue(0, forKey: id) == nil)
                #expect(!silent.contains(id) || !kickedOut.contains(counter), "no silent login after a kick-out")
            case .query(let id, let attempt, _, _):
                #expect(outcomes[id] == [.unknown], "only what is unknown is asked for")
                queries.append((id, attempt))
            case .since(let counter, let account, let sequence):
                #expect(applied[Books(counter: counter, account: account)] == sequence)
                asked[Books(counter: counter, account: account)] = sequence
            case .deliver(let counter, let account, let sequence, let item):
                #expect(item == sequence)
                seen.insert("delivered")
                #expect(applied.updateValue(sequence, forKey: Books(counter: counter, account: account)) == sequence - 1, "n + 1 only")
            case .resynchronise(let counter, let account, let sequence): applied[Books(counter: counter, account: account)] = sequence
            case .outcome(let id, let outcome): ended(id, outcome)
            case .beat(let counter): #expect(link.session(of: counter) != nil)
            case .session(let counter, let session):
                if session != nil { kickedOut.remove(counter) }
            default: break
            }
        }

        private mutating func ended(_ id: Int, _ outcome: TradeOutcome<Int>) {
            let before = outcomes[id] ?? []
            outcomes[id] = before + [outcome]
            seen.insert("\(outcome)")
            switch outcome {
            case .notConnected, .gated, .refusedAfterKickOut: #expect(before.isEmpty && sent[id] == nil)
            case .replied: #expect(before.isEmpty && sent[id] != nil)
            case .unknown:
                #expect(sent[id] != nil && kinds[id]?.isCommand == true)
                #expect(before.isEmpty || before == [.unknown] && isSigningOut, "unknown for good only where the user signs out")
            case .found: #expect(before == [.unknown])
            case .notExecuted:
                #expect(before == [.unknown])
                let (now, then) = (counters[id].flatMap { epochs[$0] } ?? 0, sent[id] ?? 0)
                #expect(now > then, "final only on a newer epoch")
            case .timedOut, .lost: #expect(before.isEmpty && sent[id] != nil && kinds[id]?.isCommand != true)
            }
        }

        // MARK: Afterwards

        /// A good link again; every question is answered "no such order".
        mutating func settle() {
            handle(.connection(.networkBack))
            handle(.connection(.disconnect))
            handle(.connection(.credential(.init(value: "last"))))
            handle(.connection(.connect))
            handle(.connection(.opened(dial: link.dial, silence: nil)))
            handle(.authAnswered(dial: link.dial, .ok))
            for counter in TradeCounter.allCases {
                handle(.counterReady(dial: link.dial, counter, epoch: (epochs[counter] ?? 0) + 1, sequences: []))
            }
            for query in queries { handle(.queryAnswered(dial: link.dial, query.id, attempt: query.attempt, nil)) }
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func `a command is sent at most once and gets exactly one end`(seed: UInt64) {
        var run = Run(seed: seed)
        run.handle(.connection(.credential(.init(value: "0"))))
        for _ in 0..<500 { run.step() }
        run.settle()
        #expect(run.link.state == .ready)
        for (id, kind) in run.kinds where kind.isCommand {
            let outcomes = run.outcomes[id] ?? []
            #expect(outcomes.count == (outcomes.first == .unknown ? 2 : 1), "command \(id), \(kind): \(outcomes)")
        }
    }

    // C-3, C-9: asked before the gateway took the order, answered after a newer epoch began.
    @Test func `an older question's "no such order" does not end a command`() {
        let now = MonotonicInstant(nanoseconds: 0)
        var link = Link(policy: TradeLinkPolicy(), jitter: ConnectionJitter(fractions: [0]))
        func tell(_ event: Link.Event, after seconds: Int = 0) -> [Link.Effect] {
            link.handle(event, at: now.advanced(by: .seconds(seconds)))
        }
        func outcomes(_ effects: [Link.Effect]) -> [TradeOutcome<Int>] {
            effects.compactMap { if case .outcome(1, let outcome) = $0 { outcome } else { nil } }
        }
        for event in [ConnectionEvent.credential(.init(value: "one")), .connect, .opened(dial: 1, silence: nil)] {
            _ = tell(.connection(event))
        }
        _ = tell(.authAnswered(dial: 1, .ok))
        _ = tell(.counterReady(dial: 1, .securities, epoch: 1, sequences: []))
        _ = tell(.request(1, .place, .securities, commandID: [1]))
        #expect(outcomes(tell(.clock, after: 10)) == [.unknown])
        _ = tell(.counterLost(dial: 1, .securities), after: 11)
        _ = tell(.counterReady(dial: 1, .securities, epoch: 2, sequences: []), after: 12)
        #expect(outcomes(tell(.queryAnswered(dial: 1, 1, attempt: 1, nil), after: 12)) == [])
        #expect(outcomes(tell(.queryAnswered(dial: 1, 1, attempt: 2, 7), after: 12)) == [.found(7)])
        #expect(outcomes(tell(.queryAnswered(dial: 1, 1, attempt: 2, nil), after: 12)) == [])
    }

    @Test func `the random runs reach every outcome, kick-outs and deliveries`() {
        var seen: Set<String> = []
        for seed in UInt64(0)..<40 {
            var run = Run(seed: seed)
            run.handle(.connection(.credential(.init(value: "0"))))
            for _ in 0..<500 { run.step() }
            seen.formUnion(run.seen)
        }
        let all = [
            "replied(1)", "notConnected", "unknown", "found(2)", "notExecuted", "timedOut", "lost", "gated", "refusedAfterKickOut",
            "kicked",
            "delivered",
        ]
        #expect(seen == Set(all))
    }
}
