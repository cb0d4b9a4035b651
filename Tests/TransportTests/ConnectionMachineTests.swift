import Streams
import Testing
import Transport

struct ConnectionMachineTests {
    /// A machine, the time and what it asked for last.
    private struct Bench {
        var machine: ConnectionMachine
        var now = MonotonicInstant(nanoseconds: 0)

        init(_ policy: ConnectionPolicy, jitter: [Double] = [0]) {
            machine = ConnectionMachine(policy: policy, jitter: ConnectionJitter(fractions: jitter))
        }

        @discardableResult mutating func tell(_ event: ConnectionEvent) -> [ConnectionEffect] { machine.handle(event, at: now) }

        @discardableResult mutating func pass(_ duration: Duration) -> [ConnectionEffect] {
            now = now.advanced(by: duration)
            return machine.handle(.clock, at: now)
        }

        /// Time until the next deadline.
        var wait: Duration? { machine.nextDeadline.map { now.duration(to: $0) } }

        /// Goes to the next deadline; how long that was.
        @discardableResult mutating func passToDeadline() -> Duration? {
            guard let wait else { return nil }
            pass(wait)
            return wait
        }

        /// Connects and gets ready on the next dial.
        mutating func getReady() {
            if machine.state != .connecting { tell(.connect) }
            tell(.opened(dial: machine.dial, silence: nil))
            tell(.authenticated(dial: machine.dial))
            tell(.ready(dial: machine.dial))
        }

        static func trade(jitter: [Double] = [0]) -> Bench {
            var bench = Bench(.trade, jitter: jitter)
            bench.tell(.credential(.init(value: "one", account: "a")))
            return bench
        }
    }

    // MARK: Dialling

    // B-1
    @Test func `connecting twice makes one connection`() {
        var bench = Bench(.quote)
        #expect(bench.tell(.connect) == [.entered(.connecting), .dial(1)])
        #expect(bench.tell(.connect) == [])
        #expect(bench.tell(.opened(dial: 1, silence: nil)) == [.entered(.authenticating), .authenticate(1)])
        #expect(bench.tell(.opened(dial: 1, silence: nil)) == [])
        #expect(bench.tell(.connect) == [])
        #expect(bench.tell(.ready(dial: 1)) == [.entered(.ready)])
        #expect(bench.tell(.connect) == [])
    }

    // B-2
    @Test func `a dial that takes eight seconds is hung up, and what comes of it later is ignored`() {
        var bench = Bench(.quote)
        bench.tell(.connect)
        #expect(bench.pass(.milliseconds(7_999)) == [])
        #expect(bench.pass(.milliseconds(1)) == [.hangUp(1), .down(1), .entered(.waiting(attempt: 1))])
        #expect(bench.tell(.opened(dial: 1, silence: nil)) == [])
        #expect(bench.tell(.lost(dial: 1, code: 4001)) == [])
        #expect(bench.pass(.seconds(2)) == [.entered(.connecting), .dial(2)])
        #expect(bench.tell(.opened(dial: 1, silence: nil)) == [])
        #expect(bench.machine.state == .connecting)
    }

    // B-2
    @Test(arguments: [(0.0, 48.0), (0.5, 60.0)])
    func `quotes are tried five times at the check period, then every sixty seconds give or take a fifth`(jitter: Double, slow: Double) {
        var bench = Bench(.quote, jitter: [jitter])
        bench.tell(.connect)
        for number in 1..<5 {
            bench.tell(.failed(dial: number, .network))
            #expect(bench.passToDeadline() == .seconds(10))
            #expect(bench.machine.dial == number + 1)
        }
        bench.tell(.failed(dial: 5, .network))
        #expect(bench.wait == .seconds(slow))
        #expect(bench.machine.state == .waiting(attempt: 5))
    }

    // B-2
    @Test func `trade waits two to six seconds ten times, then half as long again up to thirty`() {
        let low = [
            2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 2_000, 3_000, 4_500, 6_750, 10_125, 15_188, 22_781, 30_000,
        ]
        var (least, most) = (Bench.trade(), Bench.trade(jitter: [0.999]))
        least.tell(.connect)
        most.tell(.connect)
        for (index, milliseconds) in (low + [30_000, 30_000]).enumerated() {
            least.tell(.failed(dial: index + 1, .network))
            #expect(least.passToDeadline() == .milliseconds(milliseconds), "try \(index + 1)")
            most.tell(.failed(dial: index + 1, .network))
            let longest = most.passToDeadline() ?? .zero
            #expect(longest >= .milliseconds(index < 10 ? 5_900 : milliseconds) && longest <= .seconds(30), "try \(index + 1)")
        }
    }

    // B-2
    @Test func `tries count from one again only after ten seconds of ready`() {
        var bench = Bench.trade()
        bench.tell(.connect)
        bench.tell(.failed(dial: 1, .network))
        bench.passToDeadline()
        bench.getReady()
        bench.pass(.milliseconds(9_999))
        bench.tell(.lost(dial: 2, code: 1006))
        #expect(bench.machine.state == .waiting(attempt: 2))
        bench.passToDeadline()
        bench.getReady()
        bench.pass(.seconds(10))
        bench.tell(.lost(dial: 3, code: nil))
        #expect(bench.machine.state == .waiting(attempt: 1))
    }

    // B-2
    @Test func `a caller's wish within eight seconds of the last quote dial is ignored; foreground passes`() {
        var bench = Bench(.quote)
        bench.tell(.connect)
        bench.tell(.failed(dial: 1, .network))
        bench.pass(.milliseconds(7_999))
        #expect(bench.tell(.connect) == [])
        #expect(bench.tell(.nudge) == [])
        #expect(bench.tell(.foreground) == [.entered(.connecting), .dial(2)])
        bench.tell(.failed(dial: 2, .network))
        bench.pass(.seconds(8))
        #expect(bench.tell(.nudge) == [.entered(.connecting), .dial(3)])
    }

    // B-6
    @Test func `a command without a connection starts one only where one is wanted`() {
        var bench = Bench.trade()
        #expect(bench.tell(.nudge) == [])
        bench.tell(.connect)
        bench.tell(.disconnect)
        #expect(bench.tell(.nudge) == [])
    }

    // B-2
    @Test func `a link silent for longer than its pings allow is dead`() {
        var bench = Bench.trade()
        bench.tell(.connect)
        bench.tell(.opened(dial: 1, silence: .seconds(20)))
        bench.pass(.seconds(19))
        #expect(bench.tell(.pinged(dial: 1)) == [.pong(1)])
        #expect(bench.pass(.seconds(19)) == [])
        #expect(bench.pass(.seconds(1)) == [.hangUp(1), .down(1), .entered(.waiting(attempt: 1))])
    }

    // MARK: Ends

    // B-2, D-5
    @Test(arguments: [ConnectionPolicy.quote, .trade])
    func `after another device came only the user connects`(policy: ConnectionPolicy) {
        var bench = Bench(policy)
        bench.tell(.credential(.init(value: "one")))
        bench.getReady()
        #expect(bench.tell(.lost(dial: 1, code: 4001)) == [.down(1), .entered(.closed(.kicked))])
        let byThemselves: [ConnectionEvent] = [
            .nudge, .background, .foreground, .networkLost, .networkBack, .networkChanged, .credential(.init(value: "two")), .clock,
        ]
        for event in byThemselves {
            #expect(bench.tell(event) == [])
            #expect(bench.pass(.seconds(120)) == [])
        }
        #expect(bench.machine.nextDeadline == nil)
        #expect(bench.tell(.connect) == [.entered(.connecting), .dial(2)])
    }

    // B-2
    @Test func `a close we asked for does not reconnect`() {
        var bench = Bench.trade()
        bench.getReady()
        #expect(bench.tell(.disconnect) == [.hangUp(1), .down(1), .entered(.closed(.user))])
        #expect(bench.tell(.lost(dial: 1, code: 1000)) == [])
        #expect(bench.tell(.disconnect) == [])
        #expect(bench.machine.nextDeadline == nil)
    }

    //
    @Test func `signing out closes, the next sign-in connects`() {
        var bench = Bench.trade()
        bench.getReady()
        #expect(bench.tell(.credential(nil)) == [.hangUp(1), .down(1), .entered(.closed(.signedOut))])
        #expect(bench.tell(.nudge) == [])
        #expect(bench.tell(.credential(.init(value: "two"))) == [.entered(.connecting), .dial(2)])
    }

    // C-7
    @Test func `a peer that speaks no version of ours is not dialled again`() {
        var bench = Bench(.quote)
        bench.tell(.connect)
        #expect(bench.tell(.failed(dial: 1, .unsupported)) == [.down(1), .entered(.closed(.unsupported))])
        #expect(bench.machine.nextDeadline == nil)
    }
}
