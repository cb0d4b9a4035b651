import Diagnostics
import Feeds
import Instruments
import Messages
import Streams
import Synchronization
import Testing
import Texts

@testable import QuoteServer

/// Issue 5.2, G-1: what was kept of earlier runs, and what is heard in this one.
struct KeptBarsTests {
    private func minute(_ hour: Int64, _ minute: Int64, volume: Int64, day: Int32 = 20_261_130) -> Bar {
        var bar = Bar()
        (bar.instrument, bar.period, bar.tradingDay) = (tencent, .minute1, day)
        bar.startNs = hongKong(hour, minute).nanoseconds
        (bar.open, bar.high, bar.low, bar.close) = (366_000_000_000, 367_000_000_000, 365_000_000_000, 366_200_000_000)
        (bar.volume, bar.provenance) = (volume, .live)
        return bar
    }

    private func trade(_ hour: Int64, _ minute: Int64, _ size: Int64) -> FeedEvent {
        var tick = Tick()
        (tick.instrument, tick.price, tick.size, tick.provenance) = (tencent, 366_000_000_000, size, .live)
        tick.timeNs = hongKong(hour, minute).nanoseconds + 1_000_000_000
        return FeedEvent(sequence: 1, time: MarketInstant(nanoseconds: tick.timeNs), body: .trade(tick))
    }

    @Test func keptMinutesComeBeforeThoseHeardAndNoneTwice() throws {
        let (facts, recordings) = try Shipped.result.get()
        let kept = [minute(9, 30, volume: 1), minute(9, 31, volume: 2), minute(9, 32, volume: 3)]
        var whole = minute(9, 30, volume: 900, day: 20_261_130)
        whole.period = .day
        var before = whole
        (before.tradingDay, before.volume) = (20_261_127, 800)
        let history = Recordings.History(days: [before, whole], intraday: kept)
        var board = QuoteBoard(facts: facts, marketDate: recordings.marketDate) { _ in history }
        let instrument = try #require(facts.instruments[InstrumentID(tencent)])
        #expect(board.bars(instrument, .minute1, count: 10).map(\.volume) == [1, 2, 3])
        #expect(board.bars(instrument, .day, count: 10).map(\.volume) == [800, 900])
        // The running minute goes on from what the hub tells of it.
        _ = board.apply(FeedEvent(sequence: 1, time: hongKong(9, 32), body: .bar(kept[2])))
        _ = board.apply(trade(9, 32, 10))
        _ = board.apply(trade(9, 33, 20))
        #expect(board.bars(instrument, .minute1, count: 10).map(\.volume) == [1, 2, 13, 20])
        #expect(board.bars(instrument, .minute5, count: 10).map(\.volume) == [36])
        // The day under way is the one heard, not the one kept.
        var quote = Quote()
        (quote.instrument, quote.tradingDay, quote.timeNs) = (tencent, 20_261_130, hongKong(9, 33).nanoseconds)
        _ = board.apply(FeedEvent(sequence: 1, time: hongKong(9, 33), body: .quote(quote)))
        #expect(board.bars(instrument, .day, count: 10).map(\.volume) == [800, 33])
    }

    /// A day that is told to begin still has the figures of the day before: they are not its own.
    @Test func aDayThatHasNotTradedHasNoBar() throws {
        let (facts, recordings) = try Shipped.result.get()
        var board = QuoteBoard(facts: facts, marketDate: recordings.marketDate) { _ in Recordings.History() }
        let instrument = try #require(facts.instruments[InstrumentID(tencent)])
        let day: Int64 = 86_400_000_000_000
        var quote = Quote()
        (quote.instrument, quote.tradingDay, quote.provenance) = (tencent, 20_261_127, .live)
        (quote.open, quote.high, quote.low, quote.last) = (366_000_000_000, 367_000_000_000, 365_000_000_000, 366_200_000_000)
        quote.lastTimeNs = hongKong(15, 59).nanoseconds - 3 * day
        quote.timeNs = quote.lastTimeNs
        _ = board.apply(FeedEvent(sequence: 1, time: MarketInstant(nanoseconds: quote.timeNs), body: .quote(quote)))
        #expect(board.bars(instrument, .day, count: 9).map(\.tradingDay) == [20_261_127])
        var next = Quote()
        (next.instrument, next.tradingDay, next.timeNs, next.phase) = (tencent, 20_261_130, hongKong(9, 0).nanoseconds, .auctionInput)
        _ = board.apply(FeedEvent(sequence: 2, time: hongKong(9, 0), body: .quote(next)))
        #expect(board.bars(instrument, .day, count: 9).isEmpty)
    }

    @Test func barsThatAreRefusedAreCountedAndLogged() throws {  // F-8
        let lines = Mutex<[String]>([])
        let log = Log { _, event, fields in lines.withLock { $0.append(event + fields.map { " \($0.name)=\($0.value)" }.joined()) } }
        let metrics = Metrics()
        let server = QuoteServer(
            board: try board(), marketClock: MarketClock { MarketClockReading(time: hongKong(10, 0), speedMicros: 1, epoch: 1) },
            clock: .live, log: log, metrics: metrics
        ) { _ in .failure(Failure(ErrorCode("auth.invalid"))) }
        var wrong = minute(9, 30, volume: 1)
        wrong.high = wrong.low - 1
        let event = FeedEvent(sequence: 1, time: hongKong(9, 31), body: .bar(wrong))
        for _ in 0..<5 { server.handle(event) }
        #expect(metrics.prometheusText().contains("causeway_quote_bars_refused 5"))
        #expect(lines.withLock { $0 } == [1, 2, 4].map { "quotes.bars-refused count=\($0)" })
    }
}
