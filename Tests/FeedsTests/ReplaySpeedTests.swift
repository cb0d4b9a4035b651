import Exact
import Foundation
import Instruments
import Journal
import Messages
import Streams
import Synchronization
import Testing

@testable import Feeds

/// F-7, Q-2: a recorded day gives the same bars and ticks at 1×, 60× and as fast as it goes.
struct ReplaySpeedTests {
    let facts: MarketFacts
    let recordings: Recordings
    init() throws { (facts, recordings) = try Shipped.result.get() }

    struct Outcome: Hashable {
        var told: UInt64 = 1
        var ticks = 0
        var minutes: UInt64 = 1
    }

    /// Plays a source to its end through the hub on a clock moved by hand.
    private func play(_ source: any FeedSource, _ facts: MarketFacts, _ speed: ReplaySpeed, step: Duration) throws -> Outcome {
        let clock = ManualClock()
        let hub = try FeedHub(facts: facts, recordings: recordings, source: source, clock: clock.port, speed: speed)
        var outcome = Outcome()
        var minutes = FeedMinutes(facts: facts)
        while true {
            let events = hub.step()
            var kept: [FeedEvent] = []
            for event in events {
                _ = minutes.apply(event)
                switch event.body {
                case .trade:
                    outcome.ticks += 1
                    kept.append(event)
                case .bar: kept.append(event)
                case .quote, .book, .phase, .fx, .clock, .past, .feed, .refused: break
                }
            }
            try digest(kept, into: &outcome.told)
            if events.count < FeedHub.batch, hub.marketClock.now >= hub.end { break }
            clock.nanoseconds.withLock { $0 += step.nanoseconds }
        }
        for instrument in facts.instruments.all {
            let bars = minutes.bars(instrument.id).map { FeedEvent(sequence: 0, time: .init(nanoseconds: $0.startNs), body: .bar($0)) }
            try digest(bars, into: &outcome.minutes)
        }
        #expect(hub.quarantine.counts == [:] && hub.missing == 0)
        return outcome
    }

    @Test func aRecordedDayIsTheSameAtAnySpeed() throws {
        let live = try play(ReplaySchedule(recordings, facts: facts), facts, .live, step: .seconds(9))
        let fast = try play(ReplaySchedule(recordings, facts: facts), facts, .times(micros: 60_000_000), step: .milliseconds(470))
        let full = try play(ReplaySchedule(recordings, facts: facts), facts, .max, step: .milliseconds(1))
        #expect(live.ticks > 10_000)
        #expect(live == fast)
        #expect(live == full)
    }

    @Test func aRecordingOfASimulatedDayIsTheSameAtAnySpeed() throws {
        let plan = SyntheticPlan(seed: 11, instruments: 24, interval: .seconds(30))
        let wide = SyntheticMarket.facts(facts, for: plan, on: recordings.marketDate)
        let folder = try TemporaryFolder()
        let recorder = try FeedRecorder(
            folder.part("day"), marketDate: recordings.marketDate,
            instruments: SyntheticMarket.chosen(wide, plan, on: recordings.marketDate))
        var source = try SyntheticFeed(plan, facts: wide, recordings: recordings)
        recorder.record(source.next(until: source.end, maximum: .max))
        recorder.close()
        let first = try play(SyntheticFeed(plan, facts: wide, recordings: recordings), wide, .max, step: .milliseconds(1))
        for (speed, step) in [
            (ReplaySpeed.live, Duration.seconds(11)), (.times(micros: 60_000_000), .milliseconds(700)), (.max, .milliseconds(1)),
        ] {
            let feed = try RecordedFeed(folder.part("day"), facts: facts)
            #expect(try play(feed, feed.facts, speed, step: step) == first)
        }
    }
}
