import Exact
import Foundation
import Instruments
import Journal
import Messages
import Streams
import Synchronization
import Testing

@testable import Feeds

/// A folder that is removed with the test.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.path + "/causeway-recording-\(UUID().uuidString)"
    func part(_ name: String) -> FileFolder { FileFolder.live(path: path + "/" + name) }

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit {
        do { try FileManager.default.removeItem(atPath: path) } catch { print("left behind: \(path)") }
    }

    func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))) }

    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name)) }
}

struct FeedRecorderTests {
    let facts: MarketFacts
    let recordings: Recordings
    let folder: TemporaryFolder

    init() throws {
        (facts, recordings) = try Shipped.result.get()
        folder = try TemporaryFolder()
    }

    @Test("D-9 Q-4: where nothing can be recorded the reason is said in words")
    func oddTargets() throws {
        try folder.write([1], "file")
        for name in ["file", "file/under"] {
            #expect(throws: RecordingFault.failed(path: folder.path + "/" + name, reason: "Not a directory")) {
                _ = try FeedRecorder(folder.part(name), marketDate: recordings.marketDate, instruments: [])
            }
        }
    }

    /// Steps a hub by hand until `end`; what it told but the clock.
    private func play(
        _ hub: FeedHub, _ clock: ManualClock, step: Duration, until end: MarketInstant, seek: (at: MarketInstant, to: MarketInstant)? = nil
    )
        -> [FeedEvent]
    {
        var told: [FeedEvent] = []
        var hasSought = false
        while true {
            let batch = hub.step()
            told += batch.filter {
                switch $0.body {
                case .clock, .past, .feed, .refused: false
                case .quote, .book, .trade, .phase, .bar, .fx: true
                }
            }
            let now = hub.marketClock.now
            if let seek, !hasSought, now >= seek.at { hasSought = hub.seek(to: seek.to) }
            if batch.count < FeedHub.batch, now >= end { return told }
            clock.nanoseconds.withLock { $0 += step.nanoseconds }
        }
    }

    private func record(_ told: [FeedEvent], _ name: String, instruments: [Instrument]? = nil) throws {
        let recorder = try FeedRecorder(
            folder.part(name), marketDate: recordings.marketDate, instruments: instruments ?? facts.instruments.all)
        for start in stride(from: 0, to: told.count, by: 1_000) { recorder.record(Array(told[start..<min(told.count, start + 1_000)])) }
        recorder.close()
        #expect(recorder.fault == nil)
    }

    private func hash(_ events: [FeedEvent]) throws -> UInt64 {
        var hash: UInt64 = 1
        try digest(events, into: &hash)
        return hash
    }

    @Test func whatWasRecordedIsToldAgain() throws {  // F-7
        let clock = ManualClock()
        let hub = try FeedHub(
            facts: facts, recordings: recordings, clock: clock.port, start: utc("2026-11-30T01:00:00Z"),
            speed: .times(micros: 60_000_000))
        let end = try utc("2026-11-30T03:00:00Z")
        let jump = (at: try utc("2026-11-30T01:40:00Z"), to: try utc("2026-11-30T02:30:00Z"))
        let told = play(hub, clock, step: .milliseconds(500), until: end, seek: jump)
        #expect(told.count > 5_000)
        try record(told, "whole")
        let feed = try RecordedFeed(folder.part("whole"), facts: facts)
        #expect(feed.cut == nil && feed.marketDate == recordings.marketDate)
        let again = ManualClock()
        let second = try FeedHub(
            facts: feed.facts, recordings: recordings.withoutTapes, source: feed, clock: again.port, speed: .times(micros: 7_000_000))
        let replayed = play(second, again, step: .seconds(1), until: end)
        #expect(second.quarantine.counts == [:] && second.missing == 0)
        #expect(replayed.count == told.count)
        #expect(try hash(replayed) == hash(told))
        #expect(second.end <= end)
    }

    @Test func aSimulatedMarketBringsItsInstruments() throws {  // F-7, H-5
        let plan = SyntheticPlan(seed: 3, instruments: 40, interval: .seconds(30))
        let wide = SyntheticMarket.facts(facts, for: plan, on: recordings.marketDate)
        var source = try SyntheticFeed(plan, facts: wide, recordings: recordings)
        let events = source.next(until: try utc("2026-11-30T02:00:00Z"), maximum: .max)
        try record(events, "wide", instruments: SyntheticMarket.chosen(wide, plan, on: recordings.marketDate))
        var feed = try RecordedFeed(folder.part("wide"), facts: facts)
        #expect(feed.facts.instruments.all.count > facts.instruments.all.count)
        #expect(try hash(feed.next(until: .init(nanoseconds: .max), maximum: .max)) == hash(events))
        #expect(throws: RecordingFault.exists(path: folder.path + "/wide")) {
            try FeedRecorder(folder.part("wide"), marketDate: recordings.marketDate, instruments: [])
        }
    }

    @Test func aRecordingCutAnywhereIsReadUpToThere() throws {  // F-7
        let plan = SyntheticPlan(seed: 3, instruments: 3, interval: .seconds(600))
        var source = try SyntheticFeed(plan, facts: facts, recordings: recordings)
        let events = Array(source.next(until: try utc("2026-11-30T02:00:00Z"), maximum: .max).prefix(30))
        try record(events, "whole", instruments: [])
        let bytes = try folder.bytes("whole/events")
        try FileManager.default.createDirectory(atPath: folder.path + "/cut", withIntermediateDirectories: true)
        try folder.write(folder.bytes("whole/recording.csv"), "cut/recording.csv")
        var ends: [Int] = [0]
        for event in events { ends.append((ends.last ?? 0) + (RecordingFormat.frame(event)?.count ?? 0)) }
        #expect(ends.last == bytes.count)
        for size in 0...bytes.count {
            try folder.write(Array(bytes[..<size]), "cut/events")
            let whole = ends.lastIndex { $0 <= size } ?? 0
            let part = folder.part("cut")
            guard whole > 0 else {
                #expect(throws: RecordingFault.damaged(path: part.path, reason: "events has no event")) {
                    try RecordedFeed(part, facts: facts)
                }
                continue
            }
            var feed = try RecordedFeed(part, facts: facts)
            let read = feed.next(until: .init(nanoseconds: .max), maximum: .max)
            #expect(read.count == whole)
            #expect(feed.cut == (ends[whole] == size ? nil : .init(readable: ends[whole], size: size)))
            #expect(try hash(read) == hash(Array(events.prefix(whole))))
        }
        // A tail of zeros is a cut, other bytes in the middle are damage.
        try folder.write(bytes + Array(repeating: 0, count: 300_000), "cut/events")
        #expect(try RecordedFeed(folder.part("cut"), facts: facts).cut?.readable == bytes.count)
        for place in [4, 8, 40, bytes.count / 2] {
            var flipped = bytes
            flipped[place] ^= 0x10
            try folder.write(flipped, "cut/events")
            let part = folder.part("cut")
            #expect { try RecordedFeed(part, facts: facts) } throws: { error in
                if case RecordingFault.damaged = error { true } else { false }
            }
        }
    }

    @Test func aRecordingOfAnotherDayThanItSaysIsRefused() throws {  // F-8
        var source = try SyntheticFeed(SyntheticPlan(seed: 3, instruments: 3), facts: facts, recordings: recordings)
        try record(source.next(until: try utc("2026-11-30T02:00:00Z"), maximum: 50), "dated", instruments: [])
        for date in ["2026-11-01", "2027-01-04"] {
            try folder.write(Array("key,value\nformat,1\nmarket_date,\(date)\n".utf8), "dated/recording.csv")
            let part = folder.part("dated")
            #expect(throws: RecordingFault.damaged(path: part.path, reason: "events is not of \(date)")) {
                try RecordedFeed(part, facts: facts)
            }
        }
    }

    /// Whole frames with such times ended the process.
    @Test(arguments: [Int64.max, Int64.max - 3_600_000_000_000, Int64.min, 0]) func aTimeOutOfTheDayIsDamage(time: Int64) throws {  // F-8
        var source = try SyntheticFeed(SyntheticPlan(seed: 3, instruments: 3), facts: facts, recordings: recordings)
        var events = source.next(until: try utc("2026-11-30T02:00:00Z"), maximum: 50)
        events[20].time = MarketInstant(nanoseconds: time)
        try record(events, "far", instruments: [])
        let part = folder.part("far")
        #expect(throws: RecordingFault.damaged(path: part.path, reason: "events is not of \(recordings.marketDate)")) {
            try RecordedFeed(part, facts: facts)
        }
    }

    @Test func whatWasRecordedIntoARemovedFolderIsNotSaidToBeThere() throws {  // F-7
        let recorder = try FeedRecorder(folder.part("gone"), marketDate: recordings.marketDate, instruments: [])
        try FileManager.default.removeItem(atPath: folder.path + "/gone")
        recorder.close()
        #expect(recorder.fault != nil)
    }

    @Test func anotherFormatIsRefused() throws {  // F-7
        try record([], "new")
        let part = folder.part("new")
        try folder.write(Array("key,value\nformat,2\nmarket_date,2026-11-30\n".utf8), "new/recording.csv")
        #expect(throws: RecordingFault.version(path: folder.path + "/new", found: "2", supported: 1)) {
            try RecordedFeed(part, facts: facts)
        }
        let whole = "key,value\nformat,1\nmarket_date,2026-11-30\n"
        for size in 0..<whole.utf8.count {
            try folder.write(Array(whole.utf8.prefix(size)), "new/recording.csv")
            #expect(throws: RecordingFault.self) { try RecordedFeed(part, facts: facts) }
        }
    }

    @Test func whatWasLiveIsRecordedNowAndIdsGoBySymbol() throws {  // F-6, F-7, H-5
        var apple = try instrument("AAPL", facts)
        apple.id = InstrumentID(123_456)
        var tick = Tick()
        (tick.instrument, tick.timeNs, tick.price, tick.size) = (
            123_456, try utc("2026-11-30T15:00:00Z").nanoseconds, 150_000_000_000, 100_000_000
        )
        tick.provenance = .live
        var stranger = tick
        stranger.instrument = 123_457
        let time = MarketInstant(nanoseconds: tick.timeNs)
        let other = try instrument("MSFT", facts)
        var foreign = other
        (foreign.id, foreign.symbol, foreign.code) = (InstrumentID(123_457), "NOSUCH.US", "NOSUCH")
        try record(
            [.init(sequence: 1, time: time, body: .trade(tick)), .init(sequence: 2, time: time, body: .trade(stranger))], "live",
            instruments: [apple, foreign])
        var feed = try RecordedFeed(folder.part("live"), facts: facts)
        let ticks = feed.next(until: time, maximum: .max).compactMap { event -> Tick? in
            if case .trade(let tick) = event.body { tick } else { nil }
        }
        #expect(try ticks.first?.instrument == instrument("AAPL", facts).id.rawValue)
        #expect(ticks.first?.provenance == .recorded && ticks.first?.recordedOn == 20_261_130)
        // Nobody's number: the filter refuses it.
        #expect(ticks.last?.instrument == 0)
    }

    @Test func aFullDiskEndsTheRecordingNotTheFeed() throws {  // F-7
        let disk = Mutex(200)
        let file = File(
            size: { () throws(FileError) in 0 }, read: { (_, _) throws(FileError) in [] },
            write: { (bytes, _) throws(FileError) in
                let isFull = disk.withLock { room in
                    room -= bytes.count
                    return room < 0
                }
                if isFull { throw .full }
            }, truncate: { (_) throws(FileError) in }, sync: { () throws(FileError) in }, close: {})
        let part = FileFolder(
            path: "nowhere", list: { () throws(FileError) in [] }, open: { (_) throws(FileError) in file },
            rename: { (_, _) throws(FileError) in }, remove: { (_) throws(FileError) in }, sync: { () throws(FileError) in })
        let recorder = try FeedRecorder(part, marketDate: recordings.marketDate, instruments: [])
        var schedule = try ReplaySchedule(recordings, facts: facts)
        recorder.record(schedule.next(until: try utc("2026-11-30T01:31:00Z"), maximum: .max))
        #expect(recorder.fault == .full)
        recorder.close()
    }
}
