import Diagnostics
import Exact
import Feeds
import Foundation
import Instruments
import Messages
import SQLite
import Streams
import Synchronization
import Testing

@testable import BarStore

/// A feed's way through a recorder, with as many stops as a test wants.
private struct Run {
    let recorder: BarRecorder
    /// What a quote server has beside the kept bars.
    var minutes: FeedMinutes
    let begin: Int64

    init(_ folder: TestFolder, _ facts: MarketFacts, at begin: Int64, days: Int = 30) throws {
        self.begin = begin
        let instant = MarketInstant(nanoseconds: begin)
        recorder = try BarRecorder(folder.file, facts: facts, days: days, begin: instant, log: folder.log)
        minutes = FeedMinutes(facts: facts, heardFrom: instant)
        // As the hub tells them at its start.
        for bar in recorder.newest { tell(FeedEvent(sequence: 1, time: instant, body: .bar(bar))) }
    }

    mutating func tell(_ event: FeedEvent) {
        _ = minutes.apply(event)
        recorder.handle([event])
    }

    /// As `QuoteBoard` joins them.
    func shown(_ id: InstrumentID) -> [Bar] {
        let own = minutes.bars(id)
        return recorder.history(id).intraday.filter { $0.startNs < own.first?.startNs ?? .max } + own
    }
}

/// Issue 5.2, G-1: minutes over stops and restarts.
@Suite(.timeLimit(.minutes(5))) struct BarRecorderTests {
    let facts: MarketFacts
    let apple: InstrumentID
    let ibm: InstrumentID

    init() throws {
        facts = try Shipped.facts.get()
        let date = try #require(TradingDay("2026-11-30"))
        apple = try facts.instruments.resolve("AAPL.US", on: date).get().id
        ibm = try facts.instruments.resolve("IBM.US", on: date).get().id
    }

    private func price(_ cents: Int64) -> Int64 { 150_000_000_000 + cents * 10_000_000 }

    /// Whatever the schedule of stops: the same minutes as without one, of what was heard. Not heard is what comes while the server is
    /// stopped, and what is told after a restart of a time before it, for that may have been counted.
    @Test(arguments: UInt64(0)..<60) func anyScheduleOfStopsGivesTheSameBars(seed: UInt64) throws {
        var dice = SeededRandom(seed: seed)
        let folder = try TestFolder()
        var expected = FeedMinutes(facts: facts)
        var run: Run? = try Run(folder, facts, at: opening - minute)
        var known: Set<InstrumentID> = []
        var now = opening
        var stops = 0
        for _ in 0..<400 {
            now += dice.below(9) * second + dice.below(1_000) * 1_000_000 + 1
            switch dice.below(40) {
            case 0 where run != nil:
                run?.recorder.close()
                run = nil
                stops += 1
            case 1, 2, 3:
                if run == nil { run = try Run(folder, facts, at: now) }
            default: break
            }
            let id = dice.below(3) == 0 ? ibm : apple
            // Some come late.
            let event = trade(
                id, dice.below(10) == 0 ? max(opening, now - dice.below(5) * second) : now, price(dice.below(900)), 1 + dice.below(500))
            guard let begin = run?.begin else { continue }
            run?.tell(event)
            if dice.below(4) == 0 { run?.tell(clock(now)) }
            if event.time.nanoseconds > begin || !known.contains(id) { _ = expected.apply(event) }
            if stops == 0 || event.time.nanoseconds > begin { known.insert(id) }
        }
        run?.recorder.close()
        let last = try Run(folder, facts, at: now + second)
        for id in [apple, ibm] {
            // What was not heard whole says so; here the rest counts.
            let shown = last.shown(id).map { bar in
                var bar = bar
                bar.partial = false
                return bar
            }
            let difference = zip(shown, expected.bars(id)).first { $0 != $1 }
            #expect(difference == nil && shown.count == expected.bars(id).count, "\(id)")
        }
        #expect(folder.lines.withLock { $0 } == [])
    }

    /// The minutes in which listening began or ended are not whole, in the file and after a restart; those between are (G-1).
    @Test func minutesJoinedInTheMiddleSaySo() throws {
        let folder = try TestFolder()
        let start = opening + 30 * second
        var run = try Run(folder, facts, at: start)
        for number in 0..<4 {
            run.tell(trade(apple, start + Int64(number) * minute, price(Int64(number)), 5))
            run.tell(clock(start + Int64(number) * minute + second))
        }
        run.recorder.close()
        // In the same minute, and in a later one.
        for (at, expected) in [(200, [true, false, false, true]), (400, [true, false, false, true, true])] as [(Int64, [Bool])] {
            run = try Run(folder, facts, at: opening + at * second + 30 * second)
            run.tell(trade(apple, opening + (at + 32) * second, price(9), 5))
            run.tell(clock(opening + (at + 100) * second))
            #expect(run.shown(apple).map(\.partial) == expected)
            run.recorder.close()
        }
        #expect(try Run(folder, facts, at: opening + 1_000 * second).shown(apple).map(\.partial) == [true, false, false, true, true])
    }

    @Test func aMinuteIsWrittenWhenItIsOverAndAgainWhenALateTradeCorrectsIt() throws {
        var finished = FinishedMinutes(facts: facts, from: MarketInstant(nanoseconds: opening))
        func tell(_ event: FeedEvent) -> [Bar] { finished.handle(event) }
        #expect(tell(trade(apple, opening + 10 * second, price(1), 5)).isEmpty)
        #expect(tell(clock(opening + minute - 1)).isEmpty)
        #expect(tell(clock(opening + minute)).map(\.volume) == [5])
        #expect(tell(clock(opening + minute + second)).isEmpty)
        #expect(tell(trade(apple, opening + 59 * second, price(2), 7)).isEmpty)
        #expect(tell(trade(apple, opening + 61 * second, price(3), 9)).isEmpty)
        #expect(tell(clock(opening + minute + 2 * second)).map(\.volume) == [12])
        #expect(finished.rest().map(\.volume) == [9])
        #expect(finished.rest().isEmpty)
    }

    /// A last price from before the run, as an answer by HTTP tells it, is no minute to keep.
    @Test func aPriceFromBeforeTheStartIsNotKept() throws {
        let folder = try TestFolder()
        var run = try Run(folder, facts, at: opening + 30 * minute)
        var quote = Quote()
        (quote.instrument, quote.last, quote.lastTimeNs, quote.timeNs) = (apple.rawValue, price(5), opening, opening + 30 * minute)
        (quote.provenance, quote.tradingDay) = (.live, 20_261_130)
        run.tell(FeedEvent(sequence: 1, time: MarketInstant(nanoseconds: quote.timeNs), body: .quote(quote)))
        run.tell(trade(apple, opening + 31 * minute, price(7), 3))
        run.recorder.close()
        #expect(try BarFile(path: folder.file).bars().map(\.bar.startNs) == [opening + 31 * minute])
    }

    @Test func aFullDiskEndsTheRecordingOnceAndNothingElse() async throws {
        let folder = try TestFolder()
        try BarFile(path: folder.file).write([StoredBar(symbol: "AAPL.US", bar: bar(0, opening, price(0)))])
        var run = try Run(folder, facts, at: opening + minute - 1)
        try run.recorder.use { file throws(SQLiteError) in
            let pages = try file.database.query("PRAGMA page_count") { $0.integer(0) }[0]
            try file.database.execute("PRAGMA max_page_count = \(pages)")
        }
        for number in 1..<300 as Range<Int64> {
            run.tell(trade(apple, opening + number * minute, price(number), 1))
            run.tell(clock(opening + number * minute + minute))
        }
        run.recorder.close()
        #expect(folder.lines.withLock { $0 } == ["bars.recording-ended reason=full"])
        // What is known of this run is shown all the same.
        #expect(run.shown(apple).count == 300 && run.recorder.history(apple).intraday.count == 300)
        let kept = try BarFile(path: folder.file).bars()
        #expect(!kept.isEmpty && kept.count < 300)
    }

    @Test func whereNoFileIsToBeHadTheFeedGoesOn() throws {
        let folder = try TestFolder()
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: true)
        var run = try Run(folder, facts, at: opening)
        run.tell(trade(apple, opening + second, price(1), 1))
        run.tell(clock(opening + minute))
        run.recorder.close()
        #expect(run.shown(apple).count == 1)
        #expect(folder.lines.withLock { $0.map { $0.hasPrefix("bars.recording-ended") } } == [true])
    }

    @Test func aDayIsMadeOfItsMinutesWhereItWasHeardWhole() throws {  // G-1
        let folder = try TestFolder()
        var bars: [StoredBar] = []
        // Friday was a half day: it ends at 18:00 in UTC. Apple trades each minute, IBM now and then.
        for number in 0..<210 as Range<Int64> {
            bars.append(StoredBar(symbol: "AAPL.US", bar: bar(0, opening - 3 * day + number * minute, price(number), day: 20_261_127)))
        }
        for number in [3, 100, 200] as [Int64] {
            bars.append(StoredBar(symbol: "IBM.US", bar: bar(0, opening - 3 * day + number * minute, price(number), day: 20_261_127)))
        }
        // On Monday the server was off for six minutes, and on Wednesday before it was on for an hour.
        for number in 0..<390 as Range<Int64> where !(50..<56).contains(number) {
            bars.append(StoredBar(symbol: "AAPL.US", bar: bar(0, opening + number * minute, price(number))))
        }
        for number in 0..<60 as Range<Int64> {
            bars.append(StoredBar(symbol: "AAPL.US", bar: bar(0, opening - 5 * day + number * minute, price(number), day: 20_261_125)))
        }
        try BarFile(path: folder.file).write(bars)
        let run = try Run(folder, facts, at: opening + day)
        let days = run.recorder.history(apple).days
        #expect(days.map(\.tradingDay) == [20_261_127] && days[0].period == .day && days[0].volume == 21_000)
        #expect(days[0].open == price(0) - 2 && days[0].close == price(209) && days[0].high == price(209) + 3)
        #expect(days[0].provenance == .live)
        #expect(run.recorder.history(ibm).days.map(\.volume) == [300])
        #expect(run.recorder.newest.filter { $0.instrument == apple.rawValue }.count == 384)
    }

    @Test func oldDaysAreForgotten() throws {
        let folder = try TestFolder()
        let bars = [27, 28, 29].map {
            StoredBar(symbol: "AAPL.US", bar: bar(0, opening - (57 - $0) * day, price(1), day: 20_261_000 + Int32($0 - 26) + 2))
        }
        try BarFile(path: folder.file).write(bars)
        var run = try Run(folder, facts, at: opening, days: 30)
        run.tell(trade(apple, opening + second, price(1), 1))
        run.recorder.close()
        // Thirty days with today: from 1 November on.
        #expect(try BarFile(path: folder.file).bars().map(\.bar.tradingDay) == [20_261_130])
        #expect(run.recorder.history(apple).intraday.map(\.tradingDay) == [20_261_130])
    }

    /// Ids are of one release's table, symbols are not; what no table has any more is kept and not shown.
    @Test func barsAreKnownByTheirSymbols() throws {
        let folder = try TestFolder()
        let gone = StoredBar(symbol: "GONE.US", bar: bar(77, opening, price(2)))
        let bars = [StoredBar(symbol: "AAPL.US", bar: bar(99, opening, price(1))), gone]
        try BarFile(path: folder.file).write(bars)
        let run = try Run(folder, facts, at: opening + minute)
        #expect(run.recorder.history(apple).intraday.map(\.instrument) == [apple.rawValue])
        #expect(folder.lines.withLock { $0 } == ["bars.unknown-symbols bars=1"])
        run.recorder.close()
        #expect(try BarFile(path: folder.file).bars().map(\.symbol) == ["AAPL.US", "GONE.US"])
    }
}
