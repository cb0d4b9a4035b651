import Streams
import Testing

@testable import HTTP

@Suite struct RateLimitTests {
    private func at(_ seconds: Double) -> MonotonicInstant { .init(nanoseconds: Int64(seconds * 1_000_000_000)) }

    @Test("O-3: a burst passes, then the rate; the wait that is told is enough")
    func burstThenRate() {
        var table = RateTable(RateLimit(burst: 3, perSecond: 2))
        let burst = (0..<5).map { _ in table.take("a", at: at(10)) }
        #expect(burst == [nil, nil, nil, 1, 1])
        let other = table.take("b", at: at(10))
        let later = [table.take("a", at: at(10.4)), table.take("a", at: at(10.5)), table.take("a", at: at(10.5))]
        #expect(other == nil && later == [1, nil, 1])
        let rested = (0..<4).map { _ in table.take("a", at: at(100)) }
        #expect(rested == [nil, nil, nil, 1])
    }

    @Test("O-3: beyond the bound newcomers share a bucket; who was there keeps its own; drained ones make room")
    func bounded() {
        var table = RateTable(RateLimit(burst: 2, perSecond: 1), maximumKeys: 10)
        for key in 0..<10 { #expect(table.take("k\(key)", at: at(1)) == nil) }
        let strangers = (0..<100).map { table.take("s\($0)", at: at(1)) }
        #expect(strangers.count { $0 == nil } == 2 && table.count == 10)
        let known = [table.take("k3", at: at(1)), table.take("k3", at: at(1))]
        #expect(known == [nil, 1])
        let afterwards = (0..<10).map { table.take("t\($0)", at: at(10)) }
        #expect(afterwards.allSatisfy { $0 == nil } && table.count == 10)
    }

    // O-3
    @Test(arguments: UInt64(0)..<200) func neverMoreThanTheRateAllows(_ seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let limit = RateLimit(burst: Int.random(in: 1...20, using: &generator), perSecond: Int.random(in: 1...50, using: &generator))
        var table = RateTable(limit)
        var (time, passed) = (0 as Int64, 0)
        for _ in 0..<500 {
            time += Int64.random(in: 0...100_000_000, using: &generator)
            if let wait = table.take("x", at: .init(nanoseconds: time)) {
                // After the wait that was told it is let through.
                var copy = table
                let again = copy.take("x", at: .init(nanoseconds: time + Int64(wait) * 1_000_000_000))
                #expect(again == nil)
            } else {
                passed += 1
            }
        }
        #expect(Double(passed) <= Double(limit.burst) + Double(time) / 1e9 * Double(limit.perSecond) + 1)
    }

    @Test("O-3: a client's request id is taken only where it is short and plain")
    func requestIDs() {
        #expect(RequestID.of(["X-Request-Id": "a-B_9"]) == "a-B_9")
        for bad in ["", "a b", "a\u{202e}", String(repeating: "a", count: 65), "x=1", "\"", "a\n"] {
            let made = RequestID.of(["x-request-id": bad])
            #expect(made != bad && made.utf8.count == 16 && RequestID.isPlain(made))
        }
    }
}
