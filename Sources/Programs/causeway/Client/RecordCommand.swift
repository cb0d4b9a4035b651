import Feeds
import Files
import Foundation
import Glibc
import HTTP
import Instruments
import Journal
import MarketData
import Messages
import Server
import Streams
import Texts

extension ErrorCode {
    /// Market time `now` is already after what was asked for: `until`, `now`.
    static let recordUntilPassed = ErrorCode("record.until-passed")
}

/// `record`: quotes, books and trades of a server, as a recording that `serve --feed recording` plays.
enum RecordCommand {
    static func record(_ open: @escaping ClientOpener) -> Command {
        Command(
            words: ["record"], summary: .helpCommandRecord, arguments: "SYMBOL…", count: 1...100,
            options: [
                .value("out", "DIR", .helpOptionRecordOut), .value("for", "DURATION", .helpOptionRecordFor),
                .value("until", "TIME", .helpOptionRecordUntil),
            ]
        ) { invocation in
            guard let path = invocation["out"] else { throw Usage.option(.missing, "out") }
            do throws(OutputFolder.Fault) { try OutputFolder.check(path) } catch { throw Failure(error, path) }
            if invocation["for"] != nil, invocation["until"] != nil { throw Usage.conflict("for", "until") }
            let length = try invocation["for"].map(duration)
            let until = try invocation["until"].map { text in
                guard let time = Timestamp.read(text) else { throw Usage.invalid("--until", text, .time) }
                return time
            }
            let context = try await open(invocation)
            let now = try await context.marketTime()
            if let until, until <= now {
                throw Failure(.recordUntilPassed, .init("until", until.isoText()), .init("now", now.isoText()))
            }
            var instruments: [Instrument] = []
            for word in invocation.positional { instruments.append(try await context.instrument(word)) }
            let day = try await context.tradingDay()
            let recorder: FeedRecorder
            do throws(RecordingFault) {
                recorder = try FeedRecorder(FileFolder.live(path: path), marketDate: day, instruments: instruments)
            } catch { throw Failure(error) }
            defer { recorder.close() }
            let topics = instruments.map(\.id).flatMap { [QuoteTopic.snapshot($0), .book($0), .ticks($0)] }
            let updates = try await context.watch(topics)
            let termination = Termination()
            let recording = Task { try await follow(updates, recorder, until: until, context) }
            let stopping = Task {
                await termination.wait()
                recording.cancel()
            }
            let ending = length.map { length in
                Task {
                    try await MonotonicClock.live.sleep(MonotonicClock.live.now().advanced(by: length))
                    recording.cancel()
                }
            }
            defer {
                stopping.cancel()
                ending?.cancel()
            }
            let transcript = try await recording.value
            recorder.close()
            if let fault = recorder.fault { throw Failure(fault) }
            invocation.output.show(
                .object([
                    .init("folder", .string(path)), .init("events", .int(transcript.count)),
                    .init("quotes", .int(transcript.kinds.quotes)), .init("books", .int(transcript.kinds.books)),
                    .init("trades", .int(transcript.kinds.trades)), .init("phases", .int(transcript.kinds.phases)),
                    .init("conflated", .int(Int(clamping: updates.conflated))),
                ]),
                text: [
                    Text.recordEnded(
                        books: transcript.kinds.books, events: transcript.count, folder: path, quotes: transcript.kinds.quotes,
                        trades: transcript.kinds.trades
                    ).words(in: invocation.language)
                ])
        }
    }

    /// Writes until cancelled, until market time is there, or until the link is gone; returns how many events were written.
    private static func follow(
        _ updates: MarketDataSubscription, _ recorder: FeedRecorder, until: MarketInstant?, _ context: ClientContext
    ) async throws -> QuoteTranscript {
        var transcript = QuoteTranscript()
        let progress = RecordProgress(context.language)
        defer { progress.end() }
        for await update in updates {
            if case .status(let status) = update {
                if status == .updateNeeded { throw Failure(ErrorCode("update.needed")) }
                if status == .ended { throw await context.signedOut() ?? Failure(.connectionLost) }
                continue
            }
            // Nothing more comes of a replay that is over.
            if case .feed(let info) = update, info.status == .ended { break }
            let events = transcript.events(update)
            recorder.record(events)
            progress.show(transcript)
            if recorder.fault != nil || until.map({ transcript.time >= $0 }) ?? false { break }
        }
        return transcript
    }

    /// `90s`, `30m`, `2h`.
    private static func duration(_ text: String) throws -> Duration {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
        guard let last = text.last, let unit = units[last], let number = Int(text.dropLast()), (1...1_000_000).contains(number) else {
            throw Usage.invalid("--for", text, .duration)
        }
        return .seconds(number * unit)
    }
}

/// How far a recording is, on a terminal's error output: one line, written anew at most once a second.
private final class RecordProgress {
    private let language: Language
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shownAt = MonotonicInstant(nanoseconds: .min)

    init(_ language: Language) { self.language = language }

    func show(_ transcript: QuoteTranscript) {
        guard isShown else { return }
        let now = MonotonicClock.live.now()
        guard shownAt.nanoseconds == .min || shownAt.duration(to: now) >= .seconds(1) else { return }
        shownAt = now
        let time = TimeFormat.hongKong.named(transcript.time.nanoseconds)
        // Back to the line's start, and what was longer before goes.
        write("\r\u{1B}[K" + Text.recordProgress(events: transcript.count, time: time).words(in: language))
    }

    func end() { if isShown, shownAt.nanoseconds != .min { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

/// Turns what a subscription delivers into events of a feed: in order of time, each trade once, phases told where they change.
struct QuoteTranscript {
    /// How many events of each kind.
    struct Kinds: Hashable {
        var quotes = 0
        var books = 0
        var trades = 0
        var phases = 0
    }

    private(set) var time = MarketInstant(nanoseconds: .min)
    private(set) var count = 0
    private(set) var kinds = Kinds()
    private var phases: [UInt32: Phase] = [:]
    /// The newest trade of each instrument.
    private var ticks: [UInt32: (time: Int64, number: UInt64)] = [:]

    mutating func events(_ update: MarketDataUpdate) -> [FeedEvent] {
        switch update {
        case .quote(let quote):
            var events: [FeedEvent] = []
            if phases.updateValue(quote.phase, forKey: quote.instrument) != quote.phase {
                events.append(event(.phase(instrument: InstrumentID(quote.instrument), quote.phase), quote.timeNs))
            }
            events.append(event(.quote(quote), quote.timeNs))
            return events
        case .book(let book): return [event(.book(book), book.timeNs)]
        case .ticks(let list): return list.compactMap { add($0) }
        case .bar, .status, .feed: return []
        }
    }

    /// Nil: it came before, as after a reconnection.
    private mutating func add(_ tick: Tick) -> FeedEvent? {
        if let newest = ticks[tick.instrument] {
            let isNewer = tick.timeNs > newest.time || tick.timeNs == newest.time && tick.sequence > newest.number
            guard isNewer else { return nil }
        }
        ticks[tick.instrument] = (tick.timeNs, tick.sequence)
        return event(.trade(tick), tick.timeNs)
    }

    private mutating func event(_ body: FeedEvent.Body, _ nanoseconds: Int64) -> FeedEvent {
        time = max(time, MarketInstant(nanoseconds: nanoseconds))
        count += 1
        switch body {
        case .quote: kinds.quotes += 1
        case .book: kinds.books += 1
        case .trade: kinds.trades += 1
        case .phase: kinds.phases += 1
        case .bar, .fx, .clock, .past, .feed, .refused: break
        }
        return FeedEvent(sequence: UInt64(count), time: time, body: body)
    }
}
