import Streams
import Testing

@testable import Transport

private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

private func at(_ milliseconds: Int) -> MonotonicInstant { .init(nanoseconds: Int64(milliseconds) * 1_000_000) }
private func trade(_ jitter: [Double] = [0.5]) -> ConnectionMachine { .init(policy: .trade, jitter: .init(fractions: jitter)) }

/// A-7, B-5, and promises over random events (B-1, B-2).
struct ConnectionRulesTests {
    private func readyTrade() -> ConnectionMachine {
        var machine = trade()
        _ = machine.handle(.credential(.init(value: "T0", account: "a")), at: at(0))
        _ = machine.handle(.connect, at: at(0))
        _ = machine.handle(.opened(dial: 1, silence: nil), at: at(0))
        _ = machine.handle(.authenticated(dial: 1), at: at(0))
        _ = machine.handle(.ready(dial: 1), at: at(0))
        return machine
    }

    @Test func `a trade connection without a credential dials when it comes`() {
        var machine = trade()
        #expect(machine.handle(.connect, at: at(0)).isEmpty)
        #expect(machine.handle(.credential(.init(value: "T0")), at: at(5)) == [.entered(.connecting), .dial(1)])
    }

    @Test func `a newer credential is shown in band, another account's dials anew`() {
        var machine = readyTrade()
        #expect(machine.handle(.credential(.init(value: "T1", account: "a")), at: at(1)) == [.renewInBand(1)])
        let effects = machine.handle(.credential(.init(value: "U0", account: "b")), at: at(2))
        #expect(effects == [.hangUp(1), .down(1), .entered(.connecting), .dial(2)])
    }

    @Test func `a change of network waits for what is in flight`() {
        var machine = readyTrade()
        _ = machine.handle(.busy(true), at: at(100))
        _ = machine.handle(.networkChanged, at: at(200))
        #expect(machine.handle(.clock, at: at(1200)).isEmpty)
        #expect(machine.handle(.busy(false), at: at(3000)) == [.hangUp(1), .down(1), .entered(.connecting), .dial(2)])
    }

    @Test func `a credential's description has no value`() {
        let credential = ConnectionCredential(value: "secret", account: "a")
        #expect(!"\(credential) \(String(reflecting: credential))".contains("secret"))
    }

    /// Whatever comes in whatever order: no trap, at most one link at a time, no dial while closed, in the background or without a network.
    @Test(arguments: UInt64(0)..<200)
    func `random events keep the machine's promises`(seed: UInt64) {
        var random = Seeded(state: seed)
        let policy: ConnectionPolicy = seed.isMultiple(of: 2) ? .trade : .quote
        var machine = ConnectionMachine(policy: policy, jitter: .init(seed: seed))
        var (now, open, background, network) = (0, Set<Int>(), false, true)
        for _ in 0..<400 {
            now += Int.random(in: 0...4000, using: &random)
            let event = Self.event(&random, machine)
            switch event {
            case .background: background = policy.suspendsInBackground
            case .foreground: background = false
            case .networkLost: network = false
            case .networkBack, .networkChanged: network = true
            default: break
            }
            for effect in machine.handle(event, at: at(now)) {
                switch effect {
                case .dial(let dial):
                    #expect(open.isEmpty && !background && network)
                    open.insert(dial)
                case .down(let dial): #expect(open.remove(dial) != nil)
                case .entered(.closed): #expect(open.isEmpty)
                default: break
                }
            }
            if case .closed = machine.state { #expect(machine.nextDeadline == nil && open.isEmpty) }
        }
    }

    private static func event(_ random: inout Seeded, _ machine: ConnectionMachine) -> ConnectionEvent {
        let dial = max(0, machine.dial - (Int.random(in: 0..<5, using: &random) == 0 ? 1 : 0))
        let value = ConnectionCredential(value: "T\(Int.random(in: 0..<3, using: &random))", account: "a")
        let isUp = machine.isLive(dial) && machine.state != .connecting
        let all: [ConnectionEvent] = [
            .connect, .connect, .nudge, .disconnect, .credential(value), .credential(value), .credential(nil), .foreground, .background,
            .networkLost, .networkBack, .networkChanged, .opened(dial: dial, silence: .seconds(20)), .opened(dial: dial, silence: nil),
            .failed(dial: dial, .network), .failed(dial: dial, .unauthorized), .pinged(dial: dial), .lost(dial: dial, code: nil),
            .lost(dial: dial, code: 4001), .authenticated(dial: dial), .refused(dial: dial), .dead(dial: dial), .unready(dial: dial),
            .busy(true), .busy(false), .clock, .clock, .clock,
        ]
        return (all + (isUp ? [.ready(dial: dial), .ready(dial: dial)] : [])).randomElement(using: &random) ?? .clock
    }
}
