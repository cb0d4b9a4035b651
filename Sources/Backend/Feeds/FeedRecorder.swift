public import Diagnostics
public import Instruments
public import Journal
import Messages
public import Streams
import Synchronization

/// Writes what a feed says as a recording that the hub can play (F-7). When the disk refuses, recording ends and the feed goes on.
public final class FeedRecorder: Sendable {
    private struct State: Sendable {
        var offset = 0
        var unsynced = 0
        var fault: RecordingFault?
        var isClosed = false
    }

    private let folder: FileFolder
    private let log: Log
    private let file: File
    private let state = Mutex(State())
    /// At most so much is lost with the machine's power.
    private static let syncEvery = 4 << 20

    /// Begins a recording in an empty or missing folder. `marketDate`: the day whose tables judge it when it is played, and the day live
    /// prices are said to be recorded on.
    public init(
        _ folder: FileFolder, marketDate: TradingDay, instruments: [Instrument], log: Log = .none
    ) throws(RecordingFault) {
        self.folder = folder
        self.log = log
        let present: [String]
        do throws(FileError) { present = try folder.list() } catch { throw RecordingFault(error, folder.path) }
        guard present.isEmpty else { throw .exists(path: folder.path) }
        do throws(FileError) {
            let settings = try folder.open(RecordingFormat.settingsName)
            let text = "key,value\nformat,\(RecordingFormat.version)\nmarket_date,\(marketDate)\n"
            try settings.write(Array(text.utf8), 0)
            try settings.sync()
            settings.close()
            file = try folder.open(RecordingFormat.eventsName)
            try folder.sync()
        } catch { throw RecordingFault(error, folder.path) }
        append(instruments.flatMap { RecordingFormat.frame($0) })
        if let fault { throw fault }
    }

    /// Takes back a recording that nothing was recorded in: the run it was for does not begin.
    public func discard() {
        state.withLock { $0.isClosed = true }
        file.close()
        do throws(FileError) {
            for name in [RecordingFormat.eventsName, RecordingFormat.settingsName] { try folder.remove(name) }
            try folder.sync()
        } catch {
            log.write(.warning, "feeds.recording-left", [(name: "folder", value: folder.path), (name: "reason", value: "\(error)")])
        }
    }

    /// Why nothing more is written; nil: it goes on.
    public var fault: RecordingFault? { state.withLock { $0.fault } }

    /// Adds events in order; those of the clock are left out.
    public func record(_ events: [FeedEvent]) {
        append(events.flatMap { RecordingFormat.frame($0) ?? [] })
    }

    private func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let fault = state.withLock { state -> RecordingFault? in
            guard state.fault == nil, !state.isClosed else { return nil }
            do throws(FileError) {
                try file.write(bytes, state.offset)
                state.offset += bytes.count
                state.unsynced += bytes.count
                if state.unsynced >= Self.syncEvery {
                    try file.sync()
                    state.unsynced = 0
                }
            } catch { state.fault = RecordingFault(error, folder.path) }
            return state.fault
        }
        if let fault { log.write(.error, "feeds.recording-ended", [(name: "reason", value: "\(fault)")]) }
    }

    /// Everything is on the disk when it returns, or `fault` says why not; nothing is written after it.
    public func close() {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        do throws(FileError) {
            try file.sync()
            // What was written into a folder that was removed meanwhile is nowhere.
            guard try folder.list().contains(RecordingFormat.eventsName) else { throw .missing(name: RecordingFormat.eventsName) }
        } catch {
            state.withLock { $0.fault = $0.fault ?? RecordingFault(error, folder.path) }
            log.write(.error, "feeds.recording-ended", [(name: "reason", value: "\(error)")])
        }
        file.close()
    }
}
