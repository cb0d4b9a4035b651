import Exact
import Instruments
import Journal
import Messages
import Streams
import WireCodec

/// A recording of a feed: a folder with `recording.csv` (format, market date) and `events`, one frame an event. A frame is its body's length
/// and CRC-32C (4 bytes each, little endian), then kind (1), instrument (4), market time (8) and the message. What was cut off anywhere is
/// read up to there.
enum RecordingFormat {
    static let version = 1
    static let settingsName = "recording.csv"
    static let eventsName = "events"
    static let headBytes = 8
    static let fixedBytes = 13
    /// More than any event of ours.
    static let mostBytes = 1 << 20

    enum Kind: UInt8 { case instrument = 1, quote, book, trade, phase, bar, fx }

    static func frame(_ instrument: Instrument) -> [UInt8] { frame(.instrument, instrument.id.rawValue, 0, encoded(instrument.row)) }

    /// Nil: the clock, which each run has its own of, and what was not told.
    static func frame(_ event: FeedEvent) -> [UInt8]? {
        let time = event.time.nanoseconds
        switch event.body {
        case .quote(let quote): return frame(.quote, quote.instrument, time, encoded(quote))
        case .book(let book): return frame(.book, book.instrument, time, encoded(book))
        case .trade(let tick): return frame(.trade, tick.instrument, time, encoded(tick))
        case .bar(let bar): return frame(.bar, bar.instrument, time, encoded(bar))
        case .phase(let id, let phase):
            var quote = Quote()
            quote.phase = phase
            return frame(.phase, id.rawValue, time, encoded(quote))
        case .fx(let rate):
            return frame(.fx, 0, time, little(UInt64(bitPattern: rate.nanos)) + Array("\(rate.base)\(rate.quote)".utf8))
        case .clock, .past, .feed, .refused: return nil
        }
    }

    /// Messages of ours are within the codec's bounds.
    private static func encoded(_ message: some Message) -> [UInt8] {
        do throws(WireError) { return try message.serializedBytes() } catch { preconditionFailure("an event cannot be encoded: \(error)") }
    }

    private static func frame(_ kind: Kind, _ instrument: UInt32, _ time: Int64, _ message: [UInt8]) -> [UInt8] {
        let body = [kind.rawValue] + little(instrument) + little(UInt64(bitPattern: time)) + message
        precondition(body.count <= mostBytes, "an event of \(body.count) bytes")
        return little(UInt32(body.count)) + little(CRC32C.checksum(body)) + body
    }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}

/// One frame taken apart; its message is decoded when it is asked for.
struct RecordingFrame {
    var kind: RecordingFormat.Kind?
    var instrument: UInt32
    var time: Int64
    var message: ArraySlice<UInt8>

    enum Reading {
        case frame(RecordingFrame, next: Int)
        /// The bytes end inside it.
        case cut
        case damaged
    }

    /// The frame that begins at `start` of `bytes`.
    static func read(_ bytes: [UInt8], at start: Int) -> Reading {
        guard bytes.count - start >= RecordingFormat.headBytes else { return .cut }
        let length = Int(RecordingFormat.number(bytes[start..<start + 4]))
        guard (RecordingFormat.fixedBytes...RecordingFormat.mostBytes).contains(length) else { return .damaged }
        let begin = start + RecordingFormat.headBytes
        guard bytes.count - begin >= length else { return .cut }
        let body = bytes[begin..<begin + length]
        guard UInt64(CRC32C.checksum(body)) == RecordingFormat.number(bytes[start + 4..<begin]) else { return .damaged }
        return .frame(
            RecordingFrame(
                kind: RecordingFormat.Kind(rawValue: body[begin]), instrument: UInt32(RecordingFormat.number(body[begin + 1..<begin + 5])),
                time: Int64(bitPattern: RecordingFormat.number(body[begin + 5..<begin + 13])), message: body[(begin + 13)...]),
            next: begin + length)
    }

    /// Whether a price may be in it.
    var isPrice: Bool { kind == .quote || kind == .book || kind == .trade || kind == .bar }

    func listing() throws -> Instrument { try Instrument(InstrumentRow(serializedBytes: Array(message))) }

    /// The event under the id of this run's table; what was live when recorded is a recording now (F-6). Nil: not an event, or not readable.
    func body(id: UInt32, recordedOn: TradingDay) -> FeedEvent.Body? {
        let bytes = Array(message)
        do throws(WireError) {
            switch kind {
            case .quote:
                var quote = try Quote(serializedBytes: bytes)
                quote.instrument = id
                if relabel(&quote.provenance) { (quote.recordedOn, quote.delaySeconds) = (recordedOn.yyyymmdd, 0) }
                _ = relabel(&quote.bookProvenance)
                return .quote(quote)
            case .book:
                var book = try Book(serializedBytes: bytes)
                book.instrument = id
                if relabel(&book.provenance) { book.recordedOn = recordedOn.yyyymmdd }
                return .book(book)
            case .trade:
                var tick = try Tick(serializedBytes: bytes)
                tick.instrument = id
                if relabel(&tick.provenance) { tick.recordedOn = recordedOn.yyyymmdd }
                return .trade(tick)
            case .bar:
                var bar = try Bar(serializedBytes: bytes)
                bar.instrument = id
                if relabel(&bar.provenance) { bar.recordedOn = recordedOn.yyyymmdd }
                return .bar(bar)
            case .phase: return .phase(instrument: InstrumentID(id), try Quote(serializedBytes: bytes).phase)
            case .fx:
                guard bytes.count == 14, let base = Currency(String(decoding: bytes[8..<11], as: UTF8.self)),
                    let quote = Currency(String(decoding: bytes[11...], as: UTF8.self))
                else { return nil }
                return .fx(FXRate(nanos: Int64(bitPattern: RecordingFormat.number(bytes[0..<8])), base: base, quote: quote))
            case .instrument, nil: return nil
            }
        } catch { return nil }
    }

    private func relabel(_ provenance: inout Provenance) -> Bool {
        guard provenance == .live || provenance == .delayed else { return false }
        provenance = .recorded
        return true
    }
}

/// Why a recording cannot be made or played.
public enum RecordingFault: Error, Hashable, Sendable {
    /// Of another format than this program reads.
    case version(path: String, found: String, supported: Int)
    case damaged(path: String, reason: String)
    /// The folder holds something already.
    case exists(path: String)
    case full
    case failed(path: String, reason: String)

    init(_ error: FileError, _ path: String) {
        switch error {
        case .full: self = .full
        case .missing: self = .damaged(path: path, reason: error.reason)
        case .failed: self = .failed(path: path, reason: error.reason)
        }
    }
}
