import Diagnostics
import Instruments
import Journal
public import Streams
import Synchronization
public import Texts

extension ErrorCode {
    /// The market time asked for lies before what the folder has reached: `at`, `reached`.
    public static let serverTimePassed = ErrorCode("server.time-passed")
}

/// What a restarted server goes on from: how far market time came in this folder, and which epochs were given away.
final class FolderMarks: Sendable {
    /// Epochs set aside at a start: more than a run can use, one a connection.
    static let epochsPerRun: UInt64 = 1 << 32

    private let time: Mark
    private let epochs: Mark
    /// Outside the journal's folder, so that an older one put in its place is known (N-5).
    private let journal: Mark
    private let path: String
    private let log: Log
    /// Whether the last write failed: told once.
    private let isFailing = Atomic(false)

    init(_ folder: ServerFolder, log: Log) throws(Failure) {
        self.log = log
        path = folder.path
        time = try Self.open("market-time", in: folder)
        epochs = try Self.open("epochs", in: folder)
        journal = try Self.open("journal-end", in: folder)
    }

    /// How many records the journal must have; nil: never written.
    var journalEnd: JournalWitness? { journal.value.map { JournalWitness(name: path + "/journal-end", sequence: $0) } }

    /// Begins a run of the exchange with that many durable records.
    func begin(journalled: UInt64) {
        if journal.value == nil, journalled > 0 { log.write(.warning, "journal.mark-missing", [("file", path + "/journal-end")]) }
        keep { () throws(JournalError) in try self.journal.raiseDurably(to: journalled) }
    }

    /// Market time as of the last event told; zero in a new folder. After a power cut it may be as old as the last start or clean stop.
    var reached: MarketInstant { MarketInstant(nanoseconds: Int64(clamping: time.value ?? 0)) }

    /// Survives the end of the process.
    func reach(_ now: MarketInstant) {
        keep { () throws(JournalError) in try self.time.raise(to: UInt64(clamping: now.nanoseconds)) }
    }

    /// Survives the end of the process. Never more than is durable.
    func reach(journalled: UInt64) {
        keep { () throws(JournalError) in try self.journal.raise(to: journalled) }
    }

    /// Survives a power cut; at a clean stop.
    func settle(_ now: MarketInstant, journalled: UInt64) {
        keep { () throws(JournalError) in
            try self.time.raiseDurably(to: UInt64(clamping: now.nanoseconds))
            try self.journal.raiseDurably(to: journalled)
        }
    }

    private func keep(_ write: () throws(JournalError) -> Void) {
        do throws(JournalError) {
            try write()
            isFailing.store(false, ordering: .relaxed)
        } catch {
            if !isFailing.exchange(true, ordering: .relaxed) {
                log.write(.warning, "server.market-time-not-kept", [("reason", "\(error)")])
            }
        }
    }

    /// Above every epoch of earlier runs, whatever the wall clock says now (C-9): `wall` in milliseconds, or what follows the ones set aside.
    func firstEpoch(wall: UInt64) throws(Failure) -> UInt64 {
        let used = epochs.value ?? 0
        guard used < UInt64.max / 2, wall < UInt64.max / 2 else { throw Failure(.dataCorrupt, .init("path", path + "/epochs")) }
        let first = max(wall, used + 1)
        do throws(JournalError) { try epochs.raiseDurably(to: first + Self.epochsPerRun) } catch {
            throw Self.failure(error, path + "/epochs")
        }
        return first
    }

    func close() {
        time.close()
        epochs.close()
        journal.close()
    }

    private static func open(_ name: String, in folder: ServerFolder) throws(Failure) -> Mark {
        do throws(JournalError) { return try Mark(name, in: FileFolder.live(path: folder.path)) } catch {
            throw failure(error, folder.path + "/" + name)
        }
    }

    private static func failure(_ error: JournalError, _ path: String) -> Failure {
        switch error {
        case .full: Failure(.storageFull)
        case .corrupt: Failure(.dataCorrupt, .init("path", path))
        case .newer: Failure(.dataNewer, .init("path", path))
        case .failed(let reason): Failure(.storageFailed, .init("reason", "\(path): \(reason)"))
        default: Failure(.storageFailed, .init("reason", "\(path): \(error)"))
        }
    }
}

/// A number that only grows, whose file is made with the first one: opening changes nothing.
private final class Mark: Sendable {
    private let name: String
    private let files: FileFolder
    private let file: Mutex<HighWater?>

    init(_ name: String, in files: FileFolder) throws(JournalError) {
        self.name = name
        self.files = files
        file = Mutex(try HighWater.open(name, in: files))
    }

    /// Nil before the first.
    var value: UInt64? { file.withLock { $0?.value } }

    func raise(to value: UInt64) throws(JournalError) {
        try change(orMakeAt: value) { (file) throws(JournalError) in try file.raise(to: value) }
    }

    func raiseDurably(to value: UInt64) throws(JournalError) {
        try change(orMakeAt: value) { (file) throws(JournalError) in try file.raiseDurably(to: value) }
    }

    func close() { file.withLock { $0?.close() } }

    private func change(orMakeAt value: UInt64, _ body: (HighWater) throws(JournalError) -> Void) throws(JournalError) {
        let result = file.withLock { file in
            Result { () throws(JournalError) in
                if let file { return try body(file) }
                file = try HighWater.make(name, in: files, at: value)
            }
        }
        try result.get()
    }
}

/// Says once that the recorded day is over: from then on no price moves, and orders that need one are refused.
final class ClosingNote: Sendable {
    private let date: TradingDay
    private let end: MarketInstant
    private let log: Log
    private let isTold = Atomic(false)

    init(date: TradingDay, end: MarketInstant, log: Log) {
        self.date = date
        self.end = end
        self.log = log
    }

    func reached(_ now: MarketInstant) {
        guard now >= end, !isTold.exchange(true, ordering: .relaxed) else { return }
        log.write(
            .warning, "server.market-date-over",
            [("date", date.description), ("since", end.isoText()), ("begin-anew", "causeway serve --data NEW-FOLDER")])
    }
}

extension MarketInstant {
    /// RFC 3339 in Hong Kong time, in whole seconds: the one this moment is in, or the first that is not before it.
    public func isoText(up: Bool = false) -> String {
        let second: Int64 = 1_000_000_000
        let whole = nanoseconds - nanoseconds % second
        return TimeFormat.hongKong.rfc3339(up && whole < nanoseconds ? min(whole, .max - second) + second : whole)
    }
}
