import Accounts
import Instruments
import Streams
import Testing
import Texts

@testable import MarketData

@Suite struct QuoteNodesTests {
    private func nodes(_ announced: [(String, String)]) throws -> QuoteNodes {
        try QuoteNodes(announced.map { .init(market: $0.0, url: $0.1) })
    }

    @Test("B-11: each market has its node, the rest the one that is told for it, which comes first")
    func choice() throws {
        let chosen = try nodes([("HK", "ws://127.0.0.1:2/q"), ("US", "ws://127.0.0.1:3/q"), ("*", "ws://127.0.0.1:1/q")])
        #expect(chosen.urls == ["ws://127.0.0.1:1/q", "ws://127.0.0.1:2/q", "ws://127.0.0.1:3/q"])
        #expect(chosen.node(of: .xhkg) == 1 && chosen.node(of: .xnas) == 2 && chosen.node(of: .arcx) == 2)
        #expect(chosen.node(of: .xhkf) == 0 && chosen.node(of: .indx) == 0)
    }

    @Test("B-11: one address is one node, whatever markets it is told for; the first of two nodes of a market counts")
    func distinct() throws {
        let alone = try nodes([("HK", "ws://127.0.0.1:1/q"), ("US", "ws://127.0.0.1:1/q")])
        #expect(alone.urls == ["ws://127.0.0.1:1/q"] && alone.node(of: .xcme) == 0)
        let twice = try nodes([("*", "ws://127.0.0.1:1/q"), ("HK", "ws://127.0.0.1:2/q"), ("HK", "ws://127.0.0.1:3/q")])
        #expect(twice.urls.count == 2 && twice.node(of: .xhkg) == 1)
    }

    @Test("B-11: without one for the rest a market may have none")
    func none() throws {
        let chosen = try nodes([("HK", "ws://127.0.0.1:2/q"), ("US", "ws://127.0.0.1:3/q")])
        #expect(chosen.node(of: .xhkg) == 0 && chosen.node(of: .xcme) == nil)
        #expect(throws: Failure(.serverUnavailable)) { _ = try nodes([]) }
    }

    @Test("O-3: no credential goes in the clear to another machine, whoever names it")
    func insecure() {
        #expect(throws: Failure(.connectionInsecure, .init("host", "10.0.0.1"))) { _ = try nodes([("*", "ws://10.0.0.1/q")]) }
        #expect(throws: Failure(.serverUnavailable)) { _ = try nodes([("*", "http://127.0.0.1/q")]) }
    }

    @Test("B-8: several connections are connected only when all are; a change is told once")
    func joint() {
        var status = JointStatus()
        #expect(status.set(0, .connected) == nil)
        #expect(status.set(1, .connecting) == .connecting)
        #expect(status.set(1, .connected) == .connected)
        #expect(status.set(0, .reconnecting) == .reconnecting)
        #expect(status.set(1, .reconnecting) == nil)
        #expect(status.set(0, .connected) == nil)
        #expect(status.set(1, .connected) == .connected)
        #expect(status.set(1, .updateNeeded) == .updateNeeded)
        #expect(JointStatus.joint([.ended, .connected]) == .ended)
    }

    private func reading(_ seconds: Int64, speed: Int64 = 1) -> MarketClockReading {
        MarketClockReading(time: .init(nanoseconds: seconds * 1_000_000_000), speedMicros: speed * 1_000_000, epoch: 1)
    }

    @Test("Q-1, C-8: nodes agree within a minute at the pace they run at; a paused one does not agree with one that runs")
    func agreement() {
        func later(_ seconds: Int64) -> MonotonicInstant { .init(nanoseconds: seconds * 1_000_000_000) }
        let reference = QuoteReference()
        #expect(reference.agrees(with: reading(5), at: later(0)))
        reference.set(reading(1_000), at: later(0))
        #expect(reference.agrees(with: reading(1_160), at: later(100)) && !reference.agrees(with: reading(1_161), at: later(100)))
        #expect(reference.agrees(with: reading(1_040), at: later(100)) && !reference.agrees(with: reading(1_039), at: later(100)))
        #expect(!reference.agrees(with: reading(1_100, speed: 0), at: later(100)))
        reference.set(reading(1_000, speed: 60), at: later(0))
        #expect(
            reference.agrees(with: reading(4_600, speed: 60), at: later(0))
                && !reference.agrees(with: reading(4_601, speed: 60), at: later(0)))
        // Whatever a server says: no trap.
        for edge in [Int64.min, .max] {
            let far = MarketClockReading(time: .init(nanoseconds: edge), speedMicros: .max, epoch: 0)
            reference.set(far, at: later(0))
            _ = reference.agrees(with: far, at: .init(nanoseconds: .max))
            _ = reference.agrees(with: MarketClockReading(time: .init(nanoseconds: 0), speedMicros: .max, epoch: 0), at: later(9))
        }
    }
}
