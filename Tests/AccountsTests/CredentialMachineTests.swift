import Streams
import Testing
import Texts

@testable import Accounts

/// Any order of events: what holds whatever happens (A-2…A-5).
struct CredentialMachineTests {
    private struct Run {
        var random: SeededRandom
        var machine = CredentialMachine()
        var now = MonotonicInstant(nanoseconds: 0)
        var open: Set<UInt64> = []
        var sent: Set<UInt64> = []
        var sendings: [UInt64: Int] = [:]
        var replayable: Set<UInt64> = []
        var attempts: [UInt64] = []
        var lastCaller: UInt64 = 0
        var stored: CredentialPair?
        var generations: [Int64] = []

        mutating func step() {
            now = now.advanced(by: .milliseconds(Int64.random(in: 0...4000, using: &random)))
            let caller = open.sorted().randomElement(using: &random) ?? 0
            let busy = sent.sorted().randomElement(using: &random) ?? 0
            let attempt = attempts.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<14, using: &random) {
            case 0: if machine.state != .signedIn { handle(.signedIn(pair(life: 60))) }
            case 1: if Int.random(in: 0..<8, using: &random) == 0 { handle(.signOut) }
            case 2, 3:
                let isReplayable = Bool.random(using: &random)
                lastCaller += 1
                open.insert(lastCaller)
                if isReplayable { replayable.insert(lastCaller) }
                handle(.request(lastCaller, isReplayable: isReplayable))
            case 4:
                lastCaller += 1
                open.insert(lastCaller)
                handle(.credential(lastCaller, isNewer: Bool.random(using: &random)))
            case 5: handle(.cancel(caller))
            case 6: handle(.answered(busy))
            case 7, 8: handle(.refused(busy, code: .authExpired))
            case 9: handle(.broke(busy, .lost))
            case 10: handle(.repeatDue(caller))
            case 11: handle(.renewalTimeout(attempt: attempt))
            case 12: handle(.trigger(.page))
            default:
                let answers: [RenewalAnswer] = [
                    .renewed(access: "T\(attempt)", refresh: nil, lifetime: .seconds(60), left: nil, generation: nil),
                    .failed(Failure(.serverUnavailable)), .refused(.authRefreshInvalid),
                ]
                handle(.renewal(attempt: attempt, answers[min(2, Int.random(in: 0..<12, using: &random) / 5)]))
            }
        }

        func pair(life: Int64) -> CredentialPair {
            CredentialPair(access: "T0", refresh: "R0", lifetime: Lifetime(length: .seconds(life), now: now), generation: 1)
        }

        mutating func handle(_ event: CredentialMachine.Event) {
            let wasRenewing = machine.isRenewing
            if case .signedIn = event { generations = [] }
            for effect in machine.handle(event, at: now) {
                switch effect {
                case .send(let id, _):
                    #expect(open.contains(id), "sent for nobody")
                    sent.insert(id)
                    sendings[id, default: 0] += 1
                    // Once, once more after a refusal, and at most twice after a broken connection where that is allowed.
                    #expect(sendings[id] ?? 0 <= (replayable.contains(id) ? 4 : 2))
                case .finish(let id, _):
                    #expect(open.remove(id) != nil, "a caller ended twice")
                    sent.remove(id)
                case .renew(let attempt, _, _):
                    #expect(!attempts.contains(attempt))
                    if case .renewalTimeout = event {} else { #expect(!wasRenewing, "two renewals at once") }
                    attempts.append(attempt)
                case .store(let pair):
                    stored = pair
                    if let pair {
                        #expect(pair.generation > generations.last ?? 0, "an older item over a newer")
                        generations.append(pair.generation)
                    }
                case .publish, .signedOut, .startRenewalTimer, .startRepeatTimer: break
                }
            }
            #expect(stored == machine.pair)
            #expect((machine.state == .signedIn) == (machine.pair != nil))
            if machine.state != .signedIn { #expect(open.isEmpty && !machine.isRenewing, "somebody waits for nothing") }
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func `whatever comes, every caller ends once and one renewal is under way`(seed: UInt64) {
        var run = Run(random: SeededRandom(seed: seed))
        for _ in 0..<300 { run.step() }
        run.handle(.signOut)
        #expect(run.open.isEmpty)
    }
}
