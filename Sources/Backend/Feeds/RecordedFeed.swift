import Exact
public import Instruments
public import Journal
import Messages
public import Streams

/// A recording as a source: the events that were recorded, at their times (F-7, Q-2). Read piece by piece.
public struct RecordedFeed: FeedSource {
    public let marketDate: TradingDay
    public let origin: MarketInstant
    public let end: MarketInstant
    public let ends: [InstrumentID: MarketInstant]
    /// The tables with the simulated instruments of the recording added.
    public let facts: MarketFacts
    /// Where it was cut off: bytes that could be read, of how many; nil: it is whole.
    public let cut: Cut?
    private let file: File
    /// What the recording's ids are called in this run.
    private let ids: [UInt32: UInt32]
    private let intact: Int
    private var offset: Int
    private var buffer: [UInt8] = []
    private var place = 0
    private var waiting: RecordingFrame?
    private var sequence: UInt64 = 0

    public struct Cut: Hashable, Sendable {
        public var readable: Int
        public var size: Int
    }

    public var pace: FeedPace { .played(marketDate) }

    private static let piece = 1 << 18
    private static let mostSettings = 4_096

    /// Opens a recording and looks through it once. Throws where it is of another format or damaged elsewhere than at its end.
    public init(_ folder: FileFolder, facts: MarketFacts) throws(RecordingFault) {
        marketDate = try Self.settings(folder)
        let size: Int
        do throws(FileError) {
            guard try folder.list().contains(RecordingFormat.eventsName) else { throw .missing(name: RecordingFormat.eventsName) }
            file = try folder.open(RecordingFormat.eventsName)
            size = try file.size()
        } catch { throw RecordingFault(error, folder.path) }
        var survey = RecordingSurvey(facts: facts, day: marketDate)
        var scan = FrameScan(file: file, path: folder.path, size: size)
        while let frame = try scan.next() { survey.take(frame, endsAt: scan.position) }
        var known = facts
        known.add(survey.made)
        self.facts = known
        ids = survey.ids
        ends = survey.ends
        guard let first = survey.origin else {
            throw .damaged(path: folder.path, reason: "\(RecordingFormat.eventsName) has no event")
        }
        for time in [survey.times?.lowerBound, survey.times?.upperBound] {
            guard let time, Self.belongs(time, to: marketDate) else {
                throw .damaged(path: folder.path, reason: "\(RecordingFormat.eventsName) is not of \(marketDate)")
            }
        }
        origin = MarketInstant(nanoseconds: first)
        end = survey.ends.values.max() ?? origin
        cut = scan.position < size ? Cut(readable: scan.position, size: size) : nil
        offset = survey.firstEvent
        intact = scan.position
        look()
    }

    /// A day's night session may come before it by a long holiday; everywhere on earth a day begins within one of its midnight.
    private static func belongs(_ time: Int64, to day: TradingDay) -> Bool {
        let midnight = Int64(day.daysSince1970) * 86_400
        return (midnight - 12 * 86_400...midnight + 2 * 86_400).contains(time / 1_000_000_000)
    }

    private static func settings(_ folder: FileFolder) throws(RecordingFault) -> TradingDay {
        let bytes: [UInt8]
        do throws(FileError) {
            guard try folder.list().contains(RecordingFormat.settingsName) else { throw .missing(name: RecordingFormat.settingsName) }
            let file = try folder.open(RecordingFormat.settingsName)
            bytes = try file.read(0, mostSettings)
            file.close()
        } catch { throw RecordingFault(error, folder.path) }
        func damaged(_ reason: String) -> RecordingFault { .damaged(path: folder.path, reason: reason) }
        let table: CSVTable
        do throws(DataFault) {
            table = try CSVTable(
                text: String(decoding: bytes, as: UTF8.self), file: RecordingFormat.settingsName, required: ["key", "value"])
        } catch { throw damaged(error.description) }
        func value(_ key: String) -> String? {
            table.rows.first { $0.fields[table.index("key")] == key }.map { String($0.fields[table.index("value")]) }
        }
        guard let format = value("format") else { throw damaged("\(RecordingFormat.settingsName) has no format") }
        guard format == "\(RecordingFormat.version)" else {
            throw .version(path: folder.path, found: String(format.prefix(20)), supported: RecordingFormat.version)
        }
        // The last line ends: a date that was cut off is another date.
        guard bytes.last == 10, let text = value("market_date"), let day = TradingDay(text) else {
            throw damaged("\(RecordingFormat.settingsName) has no market_date as YYYY-MM-DD")
        }
        return day
    }

    public var nextTime: MarketInstant? { waiting.map { MarketInstant(nanoseconds: $0.time) } }

    public mutating func next(until limit: MarketInstant, maximum: Int) -> [FeedEvent] {
        var events: [FeedEvent] = []
        while events.count < maximum, let frame = waiting, frame.time <= limit.nanoseconds {
            // What cannot be read leaves its number missing; the hub counts it.
            sequence += 1
            let id = frame.kind == .fx ? 0 : ids[frame.instrument] ?? frame.instrument
            if let body = frame.body(id: id, recordedOn: marketDate) {
                events.append(FeedEvent(sequence: sequence, time: MarketInstant(nanoseconds: frame.time), body: body))
            }
            look()
        }
        return events
    }

    /// Fetches the next event's frame. The file was whole up to `intact`: what cannot be read now ends the recording.
    private mutating func look() {
        waiting = nil
        while true {
            switch RecordingFrame.read(buffer, at: place) {
            case .frame(let frame, let next):
                place = next
                if frame.kind == .instrument { continue }
                waiting = frame
                return
            case .damaged: return
            case .cut:
                guard offset < intact else { return }
                let more: [UInt8]
                do throws(FileError) { more = try file.read(offset, min(Self.piece, intact - offset)) } catch { return }
                guard !more.isEmpty else { return }
                offset += more.count
                buffer = Array(buffer[place...]) + more
                place = 0
            }
        }
    }
}

/// Goes through the frames of a file, piece by piece.
struct FrameScan {
    let file: File
    let path: String
    let size: Int
    /// Everything before it was whole.
    private(set) var position = 0
    private var buffer: [UInt8] = []
    private var place = 0
    private var fetched = 0

    init(file: File, path: String, size: Int) {
        self.file = file
        self.path = path
        self.size = size
    }

    /// Nil: the end, or where the file was cut off.
    mutating func next() throws(RecordingFault) -> RecordingFrame? {
        while true {
            switch RecordingFrame.read(buffer, at: place) {
            case .frame(let frame, let next):
                position += next - place
                place = next
                return frame
            case .damaged:
                // A machine that lost power may leave a tail of zeros.
                if try isZeroToTheEnd() { return nil }
                throw .damaged(path: path, reason: "\(RecordingFormat.eventsName), byte \(position)")
            case .cut:
                guard fetched < size else { return nil }
                try fetch()
            }
        }
    }

    private mutating func fetch() throws(RecordingFault) {
        do throws(FileError) {
            let more = try file.read(fetched, min(1 << 18, size - fetched))
            guard !more.isEmpty else { throw .missing(name: RecordingFormat.eventsName) }
            fetched += more.count
            buffer = Array(buffer[place...]) + more
            place = 0
        } catch { throw RecordingFault(error, path) }
    }

    private mutating func isZeroToTheEnd() throws(RecordingFault) -> Bool {
        while true {
            guard buffer[place...].allSatisfy({ $0 == 0 }) else { return false }
            if fetched == size { return true }
            place = buffer.count
            try fetch()
        }
    }
}

/// What the first look through a recording finds.
struct RecordingSurvey {
    /// Simulated instruments of the recording alone.
    private(set) var made: [Instrument] = []
    private(set) var ids: [UInt32: UInt32] = [:]
    private(set) var ends: [InstrumentID: MarketInstant] = [:]
    private(set) var origin: Int64?
    /// From the least to the greatest time of an event.
    private(set) var times: ClosedRange<Int64>?
    /// Where the events begin.
    private(set) var firstEvent = 0
    private let facts: MarketFacts
    private let day: TradingDay

    init(facts: MarketFacts, day: TradingDay) {
        self.facts = facts
        self.day = day
    }

    mutating func take(_ frame: RecordingFrame, endsAt position: Int) {
        guard frame.kind == .instrument else {
            if origin == nil { origin = frame.time }
            times = times.map { min($0.lowerBound, frame.time)...max($0.upperBound, frame.time) } ?? frame.time...frame.time
            if frame.isPrice {
                let id = InstrumentID(ids[frame.instrument] ?? frame.instrument)
                ends[id] = max(ends[id] ?? MarketInstant(nanoseconds: .min), MarketInstant(nanoseconds: frame.time))
            }
            return
        }
        if origin == nil { firstEvent = position }
        guard let instrument = try? frame.listing() else { return }
        if case .success(let known) = facts.instruments.resolve(instrument.symbol, on: day), known.symbol == instrument.symbol {
            ids[frame.instrument] = known.id.rawValue
        } else if instrument.id >= .firstSimulated, ids[frame.instrument] == nil {
            made.append(instrument)
            ids[frame.instrument] = frame.instrument
        } else {
            // Another instrument may have that number here: zero is none, and is quarantined.
            ids[frame.instrument] = 0
        }
    }
}
