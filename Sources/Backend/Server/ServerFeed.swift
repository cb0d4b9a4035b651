import Diagnostics
public import Feeds
import Instruments
import Journal
import QuoteServer
import Streams
public import Texts

extension ErrorCode {
    /// The market time asked for is not in the data: `at`, `from`, `to`.
    public static let feedTimeOutside = ErrorCode("feed.time-outside")
    /// A recording would be written where something lies: `path`.
    public static let recordingExists = ErrorCode("recording.exists")
}

extension Failure {
    /// Why a recording cannot be made or played.
    public init(_ fault: RecordingFault) {
        switch fault {
        case .version(let path, let found, let supported):
            self.init(.dataNewer, .init("path", path), .init("found", found), .init("supported", String(supported)))
        case .damaged(let path, let reason): self.init(.dataCorrupt, .init("path", "\(path): \(reason)"))
        case .exists(let path): self.init(.recordingExists, .init("path", path))
        case .full: self.init(.storageFull)
        case .failed(let path, let reason): self.init(.storageFailed, .init("reason", "\(path): \(reason)"))
        }
    }
}

/// Makes the hub a server stands on, with the source its configuration names.
enum ServerFeed {
    /// With what pushes into it, where it is live; its key was tried.
    static func open(
        _ configuration: ServerConfiguration, _ shipped: DataFolder
    ) async throws(Failure) -> (hub: FeedHub, live: FinnhubFeed?) {
        let (hub, live) = try hub(configuration, shipped)
        try await live?.checkKey()
        return (hub, live)
    }

    private static func hub(
        _ configuration: ServerConfiguration, _ shipped: DataFolder
    ) throws(Failure) -> (hub: FeedHub, live: FinnhubFeed?) {
        let hub: FeedHub
        var live: FinnhubFeed?
        do {
            let facts = try configuration.replay?.facts ?? MarketFacts(shipped)
            let recordings =
                try configuration.replay?.recordings ?? Recordings(shipped, facts: facts, userFolder: configuration.recordings)
            if case .finnhub(let plan, let ports) = configuration.feed {
                let feed = try FinnhubFeed(
                    plan, ports, facts: facts, clock: configuration.clock, wall: configuration.wall, log: configuration.log)
                hub = try make(configuration, facts, recordings, live: feed.live)
                live = feed
            } else {
                hub = try make(configuration, facts, recordings)
            }
        } catch let failure as Failure {
            throw failure
        } catch let fault as DataFault {
            throw Failure(.dataCorrupt, .init("path", fault.description))
        } catch let fault as CalendarFault {
            throw fault.failure
        } catch let fault as RecordingFault {
            throw Failure(fault)
        } catch {
            throw Failure(.dataCorrupt, .init("path", "\(error)"))
        }
        if let start = configuration.start, !hub.isLive, start < hub.origin || start > hub.end {
            throw Failure(
                .feedTimeOutside, .init("at", start.isoText()), .init("from", hub.origin.isoText()), .init("to", hub.end.isoText(up: true)))
        }
        return (hub, live)
    }

    /// Of what is pushed into `feed`, from now on. No recording is played beside it: what has no live price has none.
    private static func make(
        _ configuration: ServerConfiguration, _ facts: MarketFacts, _ recordings: Recordings, live feed: LiveFeed
    ) throws -> FeedHub {
        let now = MarketInstant(nanoseconds: configuration.wall.now())
        let day = try facts.calendar.tradingDay(.unitedStates, at: now)
        return try FeedHub(
            facts: facts, recordings: recordings.withoutTapes(on: day), source: feed.source(at: now), clock: configuration.clock,
            wall: configuration.wall, log: configuration.log)
    }

    private static func make(_ configuration: ServerConfiguration, _ facts: MarketFacts, _ recordings: Recordings) throws -> FeedHub {
        let (clock, log, start, speed) = (configuration.clock, configuration.log, configuration.start, configuration.speed)
        switch configuration.feed {
        case .finnhub: preconditionFailure("a live feed is made with what pushes into it")
        case .replay:
            return try FeedHub(facts: facts, recordings: recordings, clock: clock, log: log, start: start, speed: speed)
        case .synthetic(let plan):
            let wide = SyntheticMarket.facts(facts, for: plan, on: recordings.marketDate)
            let source = try SyntheticFeed(plan, facts: wide, recordings: recordings)
            return try FeedHub(
                facts: wide, recordings: recordings.withoutTapes, source: source, clock: clock, log: log,
                start: start ?? source.opening, speed: speed)
        case .recording(let folder):
            let source = try RecordedFeed(FileFolder.live(path: folder), facts: facts)
            if let cut = source.cut {
                log.write(
                    .warning, "feeds.recording-cut",
                    [(name: "readable", value: "\(cut.readable)"), (name: "size", value: "\(cut.size)")])
            }
            return try FeedHub(
                facts: source.facts, recordings: recordings.withoutTapes(on: source.marketDate), source: source, clock: clock, log: log,
                start: start, speed: speed)
        }
    }

    /// Runs feed and quotes and keeps `readiness` told; `begun` ends when market time runs, or when it is stopped before that.
    static func run(
        _ feed: FeedHub, _ live: FinnhubFeed?, _ quotes: QuoteServer, _ readiness: Readiness
    ) -> (tasks: [Task<Void, Never>], begun: AsyncStream<Void>) {
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let tasks = [
            Task { await quotes.run() },
            Task {
                await feed.run {
                    readiness.set(.starting, false)
                    beginning.finish()
                }
                beginning.finish()
                readiness.set(.feed, true)
            },
        ]
        return (tasks + (live.map { live in [Task { await live.run() }] } ?? []), begun)
    }

    /// Begins the recording that was asked for.
    static func recorder(_ configuration: ServerConfiguration, _ feed: FeedHub) throws(Failure) -> FeedRecorder? {
        guard let path = configuration.recordingFolder else { return nil }
        let instruments = feed.ends.keys.sorted().compactMap { feed.facts.instruments[$0] }
        do throws(RecordingFault) {
            return try FeedRecorder(
                FileFolder.live(path: path), marketDate: feed.marketDate, instruments: instruments, log: configuration.log)
        } catch { throw Failure(error) }
    }
}

/// What the filter threw out, for `/metrics` (F-8).
struct FeedCounts: Sendable {
    private let quarantined: Gauge
    private let missing: Gauge

    init(_ metrics: Metrics) {
        quarantined = metrics.gauge("causeway_feed_quarantined", help: "Events of the feed that were not believed")
        missing = metrics.gauge("causeway_feed_missing", help: "Numbers of the feed that never came")
    }

    func set(_ feed: FeedHub) {
        quarantined.set(Int64(clamping: feed.quarantine.total))
        missing.set(Int64(clamping: feed.missing))
    }
}
