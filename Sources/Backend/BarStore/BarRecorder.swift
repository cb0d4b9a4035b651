public import Diagnostics
public import Feeds
public import Instruments
public import Messages
import Persistence
import SQLite
public import Streams
import Synchronization
public import Texts

/// The minutes of a live feed as they end, kept in one file and in memory (issue 5): what a server knows of its own past. Register `handle`
/// with the hub, tell the hub `newest` before it runs, `close` after it ended. When the disk refuses, recording ends and the feed goes on.
public final class BarRecorder: Sendable {
    private struct Key: Hashable, Sendable {
        var instrument: UInt32
        var start: Int64
    }

    private struct State: Sendable {
        var finished: FinishedMinutes
        var kept: KeptBars
        /// Not on the disk yet.
        var pending: [Key: Bar] = [:]
        var isWriting = false
        /// Why nothing more is written.
        var end: String?
        var today = Int32.min
        /// Days before it are forgotten, and still have to be in the file.
        var oldest: Int32?
    }

    /// More wait for the disk only where it hangs.
    static let mostPending = 100_000

    private let state: Mutex<State>
    private let file: Mutex<BarFile?>
    private let facts: MarketFacts
    private let days: Int
    private let log: Log
    private let thread = WorkThread(name: "bars", capacity: 4)

    /// Reads what is kept; keeps `days` calendar days. `begin`: when the feed begins. A damaged file is put aside; where no file is to be had
    /// nothing is kept. Both are logged. Throws `data.newer`.
    public init(_ path: String, facts: MarketFacts, days: Int, begin: MarketInstant, log: Log = .none) throws(Failure) {
        self.facts = facts
        self.days = max(days, 1)
        self.log = log
        var stored: [StoredBar] = []
        var opened: BarFile?
        var end: String?
        do throws(SQLiteError) { (opened, stored) = try BarFile.open(path, log: log) } catch {
            if case .newer = error { throw Self.failure(error, path) }
            end = "\(error)"
        }
        let kept = KeptBars(stored, facts: facts)
        if kept.unknown > 0 { log.write(.warning, "bars.unknown-symbols", [(name: "bars", value: "\(kept.unknown)")]) }
        state = Mutex(State(finished: FinishedMinutes(facts: facts, from: begin), kept: kept, end: end))
        file = Mutex(opened)
        if let end { Self.tell(end, log) }
        if let today = kept.newest.map(\.tradingDay).max() { state.withLock { startDay(today, &$0) } }
    }

    /// Throws `data.newer` where the file is of a newer version; writes nothing.
    public static func refuseNewer(_ path: String) throws(Failure) {
        do throws(SQLiteError) { try BarFile.refuseNewer(path) } catch { throw failure(error, path) }
    }

    private static func failure(_ error: SQLiteError, _ path: String) -> Failure {
        guard case .newer(let found, let known) = error else { return Failure(.storageFailed, .init("reason", "\(path): \(error.reason)")) }
        return Failure(.dataNewer, .init("path", path), .init("found", String(found)), .init("supported", String(known)))
    }

    /// The minutes of each instrument's newest day: for the feed to go on from.
    public var newest: [Bar] { state.withLock { $0.kept.newest } }

    /// All that is kept of an instrument, the running day too.
    public func history(_ id: InstrumentID) -> Recordings.History { state.withLock { $0.kept.history(id) } }

    /// Why nothing more is written; nil: it goes on.
    public var ended: String? { state.withLock { $0.end } }

    /// Takes events in; never waits for the disk.
    public func handle(_ events: [FeedEvent]) {
        let (isWork, tooMany) = state.withLock { state in
            for event in events { for bar in state.finished.handle(event) { keep(bar, &state) } }
            guard !state.pending.isEmpty, !state.isWriting else { return (false, state.pending.count > Self.mostPending) }
            state.isWriting = true
            return (true, false)
        }
        if tooMany { end("the disk does not keep up") }
        if isWork {
            Task {
                // One piece of work at a time: there is room for it.
                do throws(Failure) { try await thread.run { self.write() } } catch { self.end("\(error.code)") }
            }
        }
    }

    private func keep(_ bar: Bar, _ state: inout State) {
        if bar.tradingDay > state.today { startDay(bar.tradingDay, &state) }
        guard state.kept.put(bar), state.end == nil else { return }
        state.pending[Key(instrument: bar.instrument, start: bar.startNs)] = bar
    }

    /// A day comes: an old one goes.
    private func startDay(_ day: Int32, _ state: inout State) {
        state.today = day
        let oldest = TradingDay(yyyymmdd: day).flatMap { TradingDay(daysSince1970: $0.daysSince1970 - days + 1) }
        guard let oldest else { return }
        state.oldest = oldest.yyyymmdd
        state.kept.prune(before: oldest.yyyymmdd)
    }

    /// Writes what waits, the minutes under way too; nothing is written after it. After the feed's end.
    public func close() {
        state.withLock { state in for bar in state.finished.rest() { keep(bar, &state) } }
        write()
        file.withLock { $0 = nil }
        state.withLock { $0.end = $0.end ?? "closed" }
    }

    /// Writes until nothing waits. What waits is taken while the file is held: a newer state of a minute is never written before an older.
    private func write() {
        while true {
            let isMore = file.withLock { file -> Bool in
                let (batch, oldest) = state.withLock { state in
                    defer { (state.pending, state.oldest) = ([:], nil) }
                    state.isWriting = !state.pending.isEmpty
                    return (state.pending.values.sorted { ($0.startNs, $0.instrument) < ($1.startNs, $1.instrument) }, state.oldest)
                }
                guard let file, !batch.isEmpty || oldest != nil else { return false }
                do throws(SQLiteError) {
                    try file.write(batch.compactMap(stored))
                    if let oldest { try file.prune(before: oldest) }
                } catch {
                    end("\(error)")
                    return false
                }
                return true
            }
            guard isMore else { return }
        }
    }

    /// For tests: what the minute under way is made of so far.
    func running(_ id: InstrumentID) -> Bar? { state.withLock { $0.finished.last(id) } }

    /// For tests: the file, while nobody else has it.
    func use(_ body: (BarFile) throws(SQLiteError) -> Void) throws(SQLiteError) {
        let result = file.withLock { file in Result { () throws(SQLiteError) in if let file { try body(file) } } }
        try result.get()
    }

    private func stored(_ bar: Bar) -> StoredBar? {
        facts.instruments[InstrumentID(bar.instrument)].map { StoredBar(symbol: $0.symbol, bar: bar) }
    }

    private func end(_ reason: String) {
        let isFirst = state.withLock { state in
            defer { state.end = state.end ?? reason }
            (state.pending, state.isWriting) = ([:], false)
            return state.end == nil
        }
        if isFirst { Self.tell(reason, log) }
    }

    private static func tell(_ reason: String, _ log: Log) { log.write(.error, "bars.recording-ended", [(name: "reason", value: reason)]) }
}
