import Diagnostics
import Instruments
import Messages
import Streams
import Synchronization
import Testing

@testable import Feeds

/// Clients are told when no more prices come, and why (B-8).
struct FeedConditionTests {
    private func conditions(_ events: [FeedEvent]) -> [FeedInfo] {
        events.compactMap { if case .feed(let info) = $0.body { info } else { nil } }
    }

    private func hub(_ clock: ManualClock, start: MarketInstant? = nil, speed: ReplaySpeed = .live) throws -> FeedHub {
        let (facts, recordings) = try Shipped.result.get()
        return try FeedHub(facts: facts, recordings: recordings, clock: clock.port, start: start, speed: speed)
    }

    /// Every event of one second of real time each.
    private func step(_ hub: FeedHub, _ clock: ManualClock, seconds: Int64 = 1) -> [FeedEvent] {
        clock.nanoseconds.withLock { $0 += seconds * 1_000_000_000 }
        return hub.step()
    }

    @Test func aReplayThatIsOverSaysSoOnce() throws {
        let clock = ManualClock()
        let hub = try hub(clock, start: nil, speed: .live)
        #expect(hub.seek(to: hub.end.advanced(by: .seconds(-2))))
        #expect(conditions(step(hub, clock)).isEmpty && hub.condition.status == .running)
        let told = conditions(step(hub, clock, seconds: 2))
        #expect(told.map(\.status) == [.ended] && told.first?.sinceNs == hub.end.nanoseconds)
        #expect(conditions(step(hub, clock, seconds: 7_200)).isEmpty && hub.condition.status == .ended)
    }

    @Test func aStartAfterTheEndSaysSoAtOnce() throws {
        let clock = ManualClock()
        let hub = try hub(clock)
        #expect(hub.seek(to: hub.end.advanced(by: .seconds(60))))
        #expect(conditions(step(hub, clock)).map(\.status) == [.ended])
    }

    @Test func aPauseIsToldAndItsEndToo() throws {
        let clock = ManualClock()
        let hub = try hub(clock, start: utc("2026-11-30T02:00:00Z"))
        #expect(conditions(step(hub, clock)).isEmpty)
        hub.setSpeed(.paused)
        let told = conditions(step(hub, clock))
        #expect(try told.map(\.status) == [.paused] && told.first?.sinceNs == utc("2026-11-30T02:00:01Z").nanoseconds)
        hub.setSpeed(.times(micros: 60_000_000))
        #expect(conditions(step(hub, clock)).map(\.status) == [.running])
    }

    @Test func fullSpeedEndsToo() throws {
        let clock = ManualClock()
        let hub = try hub(clock, start: utc("2026-11-30T20:58:00Z"), speed: .max)
        var told: [FeedInfo] = []
        for _ in 0..<2_000 where told.isEmpty { told += conditions(step(hub, clock)) }
        #expect(told.map(\.status) == [.ended])
    }

    /// 2026-11-30, 10:30 in New York: the market trades.
    @Test func aLiveFeedThatIsSilentOrStopsForGoodIsTold() throws {
        let clock = ManualClock()
        let (facts, recordings) = try Shipped.result.get()
        let start = try utc("2026-11-30T15:30:00Z")
        let wall = WallClock { start.nanoseconds + clock.nanoseconds.withLock { $0 } }
        let apple = try instrument("AAPL", facts)
        let live = LiveFeed([apple.id], facts: facts)
        let hub = try FeedHub(
            facts: facts, recordings: recordings.withoutTapes(on: recordings.marketDate), source: live.source(at: start),
            clock: clock.port, wall: wall)
        var quote = Quote()
        (quote.instrument, quote.last, quote.provenance) = (apple.id.rawValue, 441_400_000_000, .live)
        func push(_ number: UInt64) {
            quote.timeNs = wall.now()
            quote.lastTimeNs = wall.now()
            live.push([FeedEvent(sequence: number, time: MarketInstant(nanoseconds: quote.timeNs), body: .quote(quote))])
        }
        push(1)
        #expect(conditions(step(hub, clock)).isEmpty)
        push(2)
        let heard = wall.now()
        _ = hub.step()
        #expect(conditions(step(hub, clock, seconds: 59)).isEmpty)
        // Noticed after the step that crosses the minute, told with the next.
        let told = conditions(step(hub, clock) + step(hub, clock))
        #expect(told.map(\.status) == [.stale] && told.first?.sinceNs == heard)
        push(3)
        #expect(conditions(step(hub, clock) + step(hub, clock)).map(\.status) == [.running])
        hub.markStopped()
        #expect(conditions(step(hub, clock)).map(\.status) == [.stopped])
    }
}
