import Feeds
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
            let count = try await recording.value
            recorder.close()
            if let fault = recorder.fault { throw Failure(fault) }
            invocation.output.show(
                .object([
                    .init("folder", .string(path)), .init("events", .int(count)),
                    .init("conflated", .int(Int(clamping: updates.conflated))),
                ]),
                text: [Text.recordEnded(events: count, folder: path).words(in: invocation.language)])
        }
    }

    /// Writes until cancelled, until market time is there, or until the link is gone; returns how many events were written.
    private static func follow(
        _ updates: MarketDataSubscription, _ recorder: FeedRecorder, until: MarketInstant?, _ context: ClientContext
    ) async throws -> Int {
        var transcript = QuoteTranscript()
        for await update in updates {
            if case .status(let status) = update {
                if status == .updateNeeded { throw Failure(ErrorCode("update.needed")) }
                if status == .ended { throw await context.signedOut() ?? Failure(.connectionLost) }
                continue
            }
            let events = transcript.events(update)
            recorder.record(events)
            if recorder.fault != nil || until.map({ transcript.time >= $0 }) ?? false { break }
        }
        return transcript.count
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

/// Turns what a subscription delivers into events of a feed: in order of time, each trade once, phases told where they change.
struct QuoteTranscript {
    private(set) var time = MarketInstant(nanoseconds: .min)
    private(set) var count = 0
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
        case .bar, .status: return []
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
        return FeedEvent(sequence: UInt64(count), time: time, body: body)
    }
}
