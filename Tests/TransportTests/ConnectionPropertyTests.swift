import Streams
import Testing
import Transport

/// Random events against a small model of what may be dialled (B-1, B-2, B-5).
struct ConnectionPropertyTests {
    private struct Run {
        var machine: ConnectionMachine
        var random: SeededRandom
        var now = MonotonicInstant(nanoseconds: 0)
        /// Dials that are not over.
        var alive: Set<Int> = []
        var hungUp: Set<Int> = []
        /// Dials whose link came up.
        var opened: Set<Int> = []
        var isInBackground = false
        var hasNetwork = true
        var hasCredential = false

        init(_ policy: ConnectionPolicy, seed: UInt64) {
            machine = ConnectionMachine(policy: policy, jitter: ConnectionJitter(seed: seed))
            random = SeededRandom(seed: seed)
        }

        mutating func dialNumber() -> Int {
            // Mostly the present dial, sometimes an older or one that never was.
            Int.random(in: 0..<4, using: &random) > 0 ? machine.dial : Int.random(in: 0...machine.dial + 1, using: &random)
        }

        mutating func event() -> ConnectionEvent {
            let dial = dialNumber()
            switch Int.random(in: 0..<30, using: &random) {
            case 0, 1: return .connect
            case 2: return .nudge
            case 3: return Int.random(in: 0..<4, using: &random) == 0 ? .disconnect : .connect
            case 4: return .credential(Int.random(in: 0..<5, using: &random) == 0 ? nil : newCredential())
            case 5: return .foreground
            case 6: return .background
            case 7: return .networkLost
            case 8: return .networkBack
            case 9: return .networkChanged
            case 10...13: return .opened(dial: dial, silence: Bool.random(using: &random) ? .seconds(20) : nil)
            case 14: return .failed(dial: dial, [.network, .unauthorized, .unsupported].randomElement(using: &random) ?? .network)
            case 15: return .pinged(dial: dial)
            case 16: return .lost(dial: dial, code: [nil, 1006, 4001].randomElement(using: &random) ?? nil)
            case 17: return .authenticated(dial: dial)
            case 18: return .refused(dial: dial)
            case 19: return .dead(dial: dial)
            case 20: return .unready(dial: dial)
            case 21: return .busy(Bool.random(using: &random))
            // What stands on a link cannot be ready before the link is up.
            case 22...24: return opened.contains(dial) || dial != machine.dial ? .ready(dial: dial) : .clock
            default: return .clock
            }
        }

        private mutating func newCredential() -> ConnectionCredential {
            .init(value: "\(Int.random(in: 0..<3, using: &random))", account: "\(Int.random(in: 0..<2, using: &random))")
        }

        /// To the deadline, or some time before or after it.
        mutating func timePasses() {
            if let next = machine.nextDeadline, Bool.random(using: &random) { now = max(now, next) }
            if Bool.random(using: &random) { now = now.advanced(by: .milliseconds(Int.random(in: 0..<5_000, using: &random))) }
        }

        mutating func step() {
            timePasses()
            let (event, before) = (event(), machine.state)
            note(event)
            let effects = machine.handle(event, at: now)
            for effect in effects { check(effect, of: event, before: before) }
            checkState(after: event, effects)
        }

        private mutating func note(_ event: ConnectionEvent) {
            switch event {
            case .background: isInBackground = machine.policy.suspendsInBackground
            case .foreground: isInBackground = false
            case .networkLost: hasNetwork = false
            case .networkBack, .networkChanged: hasNetwork = true
            case .credential(let credential): hasCredential = credential != nil
            case .opened(let dial, _): if alive.contains(dial) { opened.insert(dial) }
            default: break
            }
        }

        private mutating func check(_ effect: ConnectionEffect, of event: ConnectionEvent, before: ConnectionState) {
            switch effect {
            case .dial(let number):
                #expect(alive.isEmpty, "one dial at a time")
                #expect(number == machine.dial)
                alive.insert(number)
                #expect(hasNetwork && !isInBackground)
                #expect(hasCredential || !machine.policy.usesUserCredential)
                switch before {
                case .closed(.signedOut):
                    if case .credential = event { break }
                    #expect(event == .connect)
                case .closed: #expect(event == .connect)
                case .disconnected, .connecting, .authenticating, .ready, .waiting, .cooling, .suspended: break
                }
            case .hangUp(let number):
                #expect(alive.contains(number))
                hungUp.insert(number)
            case .down(let number):
                #expect(alive.remove(number) != nil, "down comes once")
                switch event {
                case .lost(number, _), .failed(number, _): break
                default: #expect(hungUp.contains(number), "a link that we give up is hung up")
                }
            case .pong(let number), .authenticate(let number), .renewInBand(let number): #expect(alive.contains(number))
            case .needCredential, .entered: break
            }
        }

        private func checkState(after event: ConnectionEvent, _ effects: [ConnectionEffect]) {
            let entered = effects.compactMap { if case .entered(let state) = $0 { state } else { nil } }
            if let last = entered.last { #expect(last == machine.state) }
            switch machine.state {
            case .connecting, .authenticating, .ready: #expect(alive == [machine.dial])
            case .disconnected, .waiting, .cooling, .suspended, .closed: #expect(alive.isEmpty)
            }
            switch machine.state {
            // Never stuck where something is to come by itself.
            case .connecting, .cooling: #expect(machine.nextDeadline != nil)
            case .waiting: #expect(!hasNetwork || machine.nextDeadline != nil)
            case .closed, .suspended: #expect(machine.nextDeadline == nil || machine.state == .suspended)
            case .disconnected, .authenticating, .ready: break
            }
            if event == .clock, let next = machine.nextDeadline { #expect(next > now, "time passed is over") }
        }
    }

    @Test(arguments: UInt64(0)..<200)
    func `random events make one dial at a time and none that is not allowed`(seed: UInt64) {
        for policy in [ConnectionPolicy.quote, .trade] {
            var run = Run(policy, seed: seed)
            for _ in 0..<400 { run.step() }
        }
    }

    // B-2: two clients are not in step, and a run repeats.
    @Test(arguments: UInt64(0)..<200)
    func `waits repeat with the seed and keep their bounds`(seed: UInt64) {
        func waits(_ seed: UInt64) -> [Duration] {
            var machine = ConnectionMachine(policy: .trade, jitter: ConnectionJitter(seed: seed))
            var now = MonotonicInstant(nanoseconds: 0)
            var waits: [Duration] = []
            _ = machine.handle(.credential(.init(value: "one")), at: now)
            _ = machine.handle(.connect, at: now)
            for _ in 0..<20 {
                _ = machine.handle(.failed(dial: machine.dial, .network), at: now)
                guard let next = machine.nextDeadline else { break }
                waits.append(now.duration(to: next))
                now = next
                _ = machine.handle(.clock, at: now)
            }
            return waits
        }
        let drawn = waits(seed)
        #expect(drawn.count == 20)
        #expect(drawn == waits(seed))
        #expect(drawn != waits(seed + 1))
        #expect(drawn.prefix(10).allSatisfy { $0 >= .seconds(2) && $0 <= .seconds(6) })
        #expect(drawn.dropFirst(10).allSatisfy { $0 >= .seconds(3) && $0 <= .seconds(30) })
    }
}
