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

    private let time: HighWater
    private let epochs: HighWater
    private let path: String
    private let log: Log
    /// Whether the last write failed: told once.
    private let isFailing = Mutex(false)

    init(_ folder: ServerFolder, log: Log) throws(Failure) {
        self.log = log
        path = folder.path
        time = try Self.open("market-time", in: folder)
        epochs = try Self.open("epochs", in: folder)
    }

    /// Market time as of the last event told; zero in a new folder. After a power cut it may be as old as the last start or clean stop.
    var reached: MarketInstant { MarketInstant(nanoseconds: Int64(clamping: time.value)) }

    /// Survives the end of the process.
    func reach(_ now: MarketInstant) {
        keep { () throws(JournalError) in try self.time.raise(to: UInt64(clamping: now.nanoseconds)) }
    }

    /// Survives a power cut; at a clean stop.
    func settle(_ now: MarketInstant) {
        keep { () throws(JournalError) in try self.time.raiseDurably(to: UInt64(clamping: now.nanoseconds)) }
    }

    private func keep(_ write: () throws(JournalError) -> Void) {
        do throws(JournalError) {
            try write()
            isFailing.withLock { $0 = false }
        } catch {
            let isNew = isFailing.withLock { failing in
                defer { failing = true }
                return !failing
            }
            if isNew { log.write(.warning, "server.market-time-not-kept", [("reason", "\(error)")]) }
        }
    }

    /// Above every epoch of earlier runs, whatever the wall clock says now (C-9): `wall` in milliseconds, or what follows the ones set aside.
    func firstEpoch(wall: UInt64) throws(Failure) -> UInt64 {
        guard epochs.value < UInt64.max / 2, wall < UInt64.max / 2 else { throw Failure(.dataCorrupt, .init("path", path + "/epochs")) }
        let first = max(wall, epochs.value + 1)
        do throws(JournalError) { try epochs.raiseDurably(to: first + Self.epochsPerRun) } catch {
            throw Self.failure(error, path + "/epochs")
        }
        return first
    }

    func close() {
        time.close()
        epochs.close()
    }

    private static func open(_ name: String, in folder: ServerFolder) throws(Failure) -> HighWater {
        let path = folder.path + "/" + name
        let files: FileFolder
        do throws(FileError) { files = try FileFolder.live(path: folder.path) } catch {
            throw Failure(.storageFailed, .init("reason", "\(path): \(error)"))
        }
        do throws(JournalError) {
            if let known = try HighWater.open(name, in: files) { return known }
            return try HighWater.make(name, in: files, at: 0)
        } catch { throw failure(error, path) }
    }

    private static func failure(_ error: JournalError, _ path: String) -> Failure {
        switch error {
        case .full: Failure(.storageFull)
        case .corrupt: Failure(.dataCorrupt, .init("path", path))
        case .newer: Failure(.dataNewer, .init("path", path))
        default: Failure(.storageFailed, .init("reason", "\(path): \(error)"))
        }
    }
}

/// Says once that the recorded day is over: from then on no price moves, and orders that need one are refused.
final class ClosingNote: Sendable {
    private let date: TradingDay
    private let end: MarketInstant
    private let log: Log
    private let told = Mutex(false)

    init(date: TradingDay, end: MarketInstant, log: Log) {
        self.date = date
        self.end = end
        self.log = log
    }

    func reached(_ now: MarketInstant) {
        guard now >= end else { return }
        let isNew = told.withLock { told in
            defer { told = true }
            return !told
        }
        guard isNew else { return }
        log.write(
            .warning, "server.market-date-over",
            [("date", date.description), ("since", end.isoText()), ("begin-anew", "causeway serve --data NEW-FOLDER")])
    }
}

extension MarketInstant {
    /// ISO 8601 in Hong Kong time, in whole seconds: the one this moment is in, or the first that is not before it.
    public func isoText(up: Bool = false) -> String {
        let zone: Int64 = 8 * 3600
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let seconds = whole + (up && rest > 0 ? 1 : 0) + zone
        guard seconds >= 0, let day = TradingDay(daysSince1970: Int(seconds / 86_400)) else { return "\(nanoseconds) ns" }
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = seconds % 86_400
        return "\(day)T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))+08:00"
    }
}
