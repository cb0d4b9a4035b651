import Instruments
import Messages
import Testing

@testable import MarketData

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
    }

    @Test("Topics are what they are asked for: depth counts for books only")
    func topics() {
        let id = InstrumentID(7)
        #expect(QuoteTopic.book(id, depth: 5) != .book(id, depth: 10) && QuoteTopic.snapshot(id) != .ticks(id))
        #expect(QuoteTopic.book(id, depth: 5).message.depth == 5 && QuoteTopic.snapshot(id).message.kind == .snapshot)
    }
}
