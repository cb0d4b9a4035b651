import Exact
import Instruments
import Journal
import Messages
import Streams
import Synchronization

@testable import Feeds

/// A feed recording of sound frames with any bodies, played through the hub: what comes out is in order of time, of known instruments, with
/// prices and sizes that can be (F-8). Each frame: length, kind, instrument, tenths of a second since the one before (2 bytes), message.
/// With an odd first byte the rest is the file as it is.
enum FeedFuzz {
    private static let sources = Result {
        let folder = try DataFolder.locate()
        let facts = try MarketFacts(folder)
        return (facts, try Recordings(folder, facts: facts))
    }
    private static let symbols = ["700.HK", "AAPL.US", "HSI2612.HKFE", "HSI.INDX"]
    /// 2026-11-30 09:00 in Hong Kong.
    private static let opening: Int64 = 1_796_000_400_000_000_000

    static func check(_ input: [UInt8]) throws {
        guard let kind = input.first else { return }
        let (facts, recordings) = try sources.get()
        let ids = try symbols.map { try facts.instruments.resolve($0, on: recordings.marketDate).get().id.rawValue }
        let disk = MemoryFolder()
        let events = kind & 1 == 1 ? Array(input.dropFirst()) : frames(input.dropFirst(), ids)
        disk.files.withLock {
            $0["recording.csv"] = Array("key,value\nformat,1\nmarket_date,\(recordings.marketDate)\n".utf8)
            $0["events"] = events
        }
        let feed: RecordedFeed
        do throws(RecordingFault) { feed = try RecordedFeed(disk.port, facts: facts) } catch { return }
        let clock = MonotonicClock(now: { MonotonicInstant(nanoseconds: 0) }, sleep: { _ in })
        let hub = try FeedHub(facts: feed.facts, recordings: recordings.withoutTapes, source: feed, clock: clock, speed: .max)
        var latest = MarketInstant(nanoseconds: .min)
        var sequence: UInt64 = 0
        for _ in 0..<200 {
            let told = hub.step()
            for event in told {
                guard event.sequence == sequence + 1, event.time >= latest else { throw FuzzFault("an event out of order: \(event)") }
                (sequence, latest) = (event.sequence, event.time)
                try check(event, facts)
            }
            if told.isEmpty { return }
        }
    }

    private static func check(_ event: FeedEvent, _ facts: MarketFacts) throws {
        func known(_ id: UInt32) throws {
            if facts.instruments[InstrumentID(id)] == nil { throw FuzzFault("an unknown instrument was told: \(id)") }
        }
        switch event.body {
        case .quote(let quote):
            try known(quote.instrument)
            if quote.hasVolume, quote.volume < 0 { throw FuzzFault("a negative volume was told") }
        case .book(let book):
            try known(book.instrument)
            if (book.bids + book.asks).contains(where: { $0.size < 0 }) { throw FuzzFault("a negative size was told") }
        case .trade(let tick):
            try known(tick.instrument)
            if tick.size <= 0 { throw FuzzFault("a trade of nothing was told") }
        case .bar(let bar):
            try known(bar.instrument)
            if bar.high < max(bar.open, bar.close) || bar.low > min(bar.open, bar.close) || bar.volume < 0 {
                throw FuzzFault("a bar that contradicts itself was told: \(bar)")
            }
        case .past(let trades): for trade in trades { try known(trade.instrument) }
        case .phase(let id, _): try known(id.rawValue)
        case .fx(let rate): if rate.nanos <= 0 { throw FuzzFault("a rate of nothing was told") }
        case .clock, .feed: break
        case .refused(let reason): throw FuzzFault("what was refused was told: \(reason)")
        }
    }

    private static func frames(_ input: ArraySlice<UInt8>, _ ids: [UInt32]) -> [UInt8] {
        var rest = input
        var time = opening
        var bytes: [UInt8] = []
        while rest.count >= 5 {
            let head = Array(rest.prefix(5))
            let message = rest.dropFirst(5).prefix(Int(head[0]))
            rest = rest.dropFirst(5 + message.count)
            time += (Int64(head[3]) << 8 | Int64(head[4])) * 100_000_000
            let body = [head[1]] + little(ids[Int(head[2]) % ids.count]) + little(UInt64(bitPattern: time)) + message
            bytes += little(UInt32(body.count)) + little(CRC32C.checksum(body)) + body
        }
        return bytes
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
