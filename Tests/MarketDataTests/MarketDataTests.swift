import Instruments
import Messages
import Streams
import Testing
import Transport

@testable import MarketData

@Suite struct MarketDataUpdateTests {
    /// A slow recorder lost trades without a word.
    @Test("F-7: trades that wait are not replaced by later ones; quotes are")
    func joining() {
        func ticks(_ numbers: ClosedRange<UInt64>) -> MarketDataUpdate {
            .ticks(
                numbers.map {
                    var tick = Tick()
                    tick.sequence = $0
                    return tick
                })
        }
        guard case .ticks(let both)? = MarketDataUpdate.joined(ticks(1...2), ticks(3...3)) else {
            Issue.record("not joined")
            return
        }
        #expect(both.map(\.sequence) == [1, 2, 3])
        guard case .ticks(let newest)? = MarketDataUpdate.joined(ticks(1...10_000), ticks(10_001...10_005)) else {
            Issue.record("not joined")
            return
        }
        #expect(newest.count == MarketDataUpdate.mostTicks && newest.first?.sequence == 6)
        #expect(MarketDataUpdate.joined(.quote(Quote()), .quote(Quote())) == nil)
    }
}

@Suite struct QuoteMergeTests {
    @Test("F-9: a partial update changes what it says; the rest keeps its value and its own time")
    func merge() {
        var whole = Quote()
        whole.instrument = 7
        whole.timeNs = 100
        whole.last = 367_600_000_000
        whole.lastTimeNs = 90
        whole.previousClose = 366_400_000_000
        whole.bid = 367_400_000_000
        whole.phase = .continuous
        whole.provenance = .derived
        whole.recordedOn = 20_220_413
        whole.delaySeconds = 900
        var update = Quote()
        update.instrument = 7
        update.timeNs = 200
        update.bid = 367_200_000_000
        update.bookProvenance = .simulated
        var merged = whole
        merged.merge(update)
        #expect(merged.timeNs == 200 && merged.bid == 367_200_000_000 && merged.bookProvenance == .simulated)
        #expect(merged.last == whole.last && merged.lastTimeNs == 90 && merged.previousClose == whole.previousClose)
        #expect(merged.phase == .continuous && merged.provenance == .derived && merged.recordedOn == 20_220_413)
        #expect(!merged.hasAsk && merged.delaySeconds == 900)
        // Nobody bids any more: an old bid must not stay.
        var empty = Quote()
        (empty.instrument, empty.timeNs, empty.bidSize) = (merged.instrument, 300, 0)
        merged.merge(empty)
        #expect(!merged.hasBid && merged.hasBidSize && merged.bidSize == 0)
    }

    @Test("Topics are what they are asked for: depth counts for books only")
    func topics() {
        let id = InstrumentID(7)
        #expect(QuoteTopic.book(id, depth: 5) != .book(id, depth: 10) && QuoteTopic.snapshot(id) != .ticks(id))
        #expect(QuoteTopic.book(id, depth: 5).message.depth == 5 && QuoteTopic.snapshot(id).message.kind == .snapshot)
    }
}

@Suite struct QuoteRevocationTests {
    private let now = MonotonicInstant(nanoseconds: 0)

    private func ready() -> QuoteLink<QuoteTopic, UInt64> {
        var link = QuoteLink<QuoteTopic, UInt64>(jitter: ConnectionJitter(seed: 1))
        _ = link.handle(.connection(.connect), at: now)
        _ = link.handle(.connection(.opened(dial: 1, silence: nil)), at: now)
        _ = link.handle(.credential(value: "old", left: .seconds(600), lifetime: .seconds(600)), at: now)
        _ = link.handle(.loginAnswered(dial: 1, .ok), at: now)
        return link
    }

    @Test("A-8, A-10, B-3: a link closed as revoked asks for a newer credential at once and never shows the old one again")
    func revoked() throws {
        var link = ready()
        #expect(link.state == .ready)
        let effects = link.handle(.connection(.lost(dial: 1, code: 4401)), at: now)
        #expect(effects.contains(.down(1)) && effects.last == .needCredential(forced: true))
        // Refused: the link waits for its next dial all the same, and asks once more there.
        _ = link.handle(.credentialFailed, at: now)
        let later = try #require(link.nextDeadline)
        #expect(link.handle(.clock, at: later).contains(.dial(2)))
        #expect(link.handle(.connection(.opened(dial: 2, silence: nil)), at: later).last == .needCredential(forced: true))
        let login = link.handle(.credential(value: "new", left: .seconds(600), lifetime: .seconds(600)), at: later)
        #expect(login == [.login(credential: "new")])
    }

    @Test("B-3: a newer credential that comes before the next dial is shown there; a late close of an older dial asks for nothing")
    func renewedBeforeTheDial() throws {
        var link = ready()
        _ = link.handle(.connection(.lost(dial: 1, code: 4401)), at: now)
        #expect(link.handle(.connection(.lost(dial: 1, code: 4401)), at: now) == [])
        #expect(link.handle(.credential(value: "new", left: .seconds(600), lifetime: .seconds(600)), at: now) == [])
        let later = try #require(link.nextDeadline)
        _ = link.handle(.clock, at: later)
        #expect(link.handle(.connection(.opened(dial: 2, silence: nil)), at: later).last == .login(credential: "new"))
    }
}
