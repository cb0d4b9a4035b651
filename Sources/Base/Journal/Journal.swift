import Dispatch
import Synchronization

/// An append-only log whose `append` returns when the bytes are on the disk (N-5). Batches that arrive while one is being synced
/// share the next sync. Order of completion = order of `enqueue`.
public final class Journal: Sendable {
    private struct Batch {
        var payloads: [[UInt8]]
        var completion: @Sendable (Result<JournalPosition, JournalError>) -> Void
    }

    private struct Inbox {
        var batches: [Batch] = []
        var scheduled = false
    }

    private let inbox = Mutex(Inbox())
    private let log: Mutex<JournalLog>
    private let queue = DispatchQueue(label: "causeway.journal", qos: .userInitiated)
    private let snapshotLimit: Int
    private let folder: FileFolder

    /// Opens the journal in `folder`, or makes it unless it `mustExist`. A tail that was never acknowledged is set aside, which `notice` is
    /// told; where acknowledged records are missing it throws. `notice` may be called on the journal's thread.
    public convenience init(
        folder: FileFolder, mustExist: Bool = false, notice: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws(JournalError) {
        try self.init(folder: folder, limits: JournalLog.Limits(), mustExist: mustExist, notice: notice)
    }

    package convenience init(
        folder: FileFolder, limits: JournalLog.Limits, mustExist: Bool = false,
        notice: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws(JournalError) {
        try self.init(JournalContents(folder: folder, limits: limits, mustExist: mustExist, witness: nil), notice: notice)
    }

    /// Goes on from what was found. A tail that was never acknowledged is set aside.
    public init(
        _ contents: JournalContents, notice: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws(JournalError) {
        folder = contents.folder
        snapshotLimit = contents.limits.snapshotBytes
        log = Mutex(try JournalLog(contents, notice: notice))
    }

    /// The last durable record.
    public var position: JournalPosition { log.withLock { JournalPosition(sequence: $0.durable) } }

    /// Takes its place in the order at once; `completion` is called on the journal's thread when the entries, and all before them,
    /// are durable. No entries: a barrier.
    public func enqueue(_ payloads: [[UInt8]], _ completion: @escaping @Sendable (Result<JournalPosition, JournalError>) -> Void) {
        let schedule = inbox.withLock { inbox in
            inbox.batches.append(Batch(payloads: payloads, completion: completion))
            let first = !inbox.scheduled
            inbox.scheduled = true
            return first
        }
        if schedule { queue.async { self.flush() } }
    }

    /// Returns when the entries are durable.
    public func append(_ payloads: [[UInt8]]) async throws(JournalError) -> JournalPosition {
        let result = await withCheckedContinuation { continuation in
            enqueue(payloads) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }

    /// Every durable record after `position`, in order.
    public func replay(
        from position: JournalPosition, visit: (JournalPosition, ArraySlice<UInt8>) throws -> Void
    ) throws(JournalError) {
        let copy = log.withLock { $0 }
        try copy.replay(from: position, visit: visit)
    }

    /// The newest sound snapshot.
    public func snapshot() throws(JournalError) -> (position: JournalPosition, payload: ArraySlice<UInt8>)? {
        try JournalSnapshots(folder: folder, limit: snapshotLimit).newest()
    }

    /// Writes the state as of `position`, which must be durable.
    public func writeSnapshot(_ payload: [UInt8], at position: JournalPosition) throws(JournalError) {
        guard position <= self.position else { throw .failed(reason: "a snapshot may not run ahead of the log") }
        try JournalSnapshots(folder: folder, limit: snapshotLimit).write(payload, at: position.sequence)
    }

    /// After a write that failed: cuts what was not acknowledged off and takes entries again, or throws where there is still no room.
    public func resume() throws(JournalError) {
        let result = log.withLock { log in
            Result { () throws(JournalError) in try log.resume() }
        }
        try result.get()
    }

    /// Returns when all that was enqueued has succeeded or failed.
    public func drain() { queue.sync { flush() } }

    /// Finishes what was enqueued and closes the files.
    public func close() {
        queue.sync {
            flush()
            log.withLock { $0.close() }
        }
    }

    private func flush() {
        while true {
            let batches = inbox.withLock { inbox in
                let taken = inbox.batches
                inbox.batches = []
                if taken.isEmpty { inbox.scheduled = false }
                return taken
            }
            guard !batches.isEmpty else { return }
            let results = log.withLock { log in Self.carryOut(batches, on: &log) }
            for (batch, result) in zip(batches, results) { batch.completion(result) }
        }
    }

    private static func carryOut(_ batches: [Batch], on log: inout JournalLog) -> [Result<JournalPosition, JournalError>] {
        var ends: [Result<UInt64, JournalError>] = []
        for batch in batches {
            do throws(JournalError) {
                try log.write(batch.payloads)
                ends.append(.success(log.written))
            } catch { ends.append(.failure(error)) }
        }
        do throws(JournalError) { try log.syncWhatWasWritten() } catch {
            return batches.map { _ in .failure(error) }
        }
        return ends.map { end in end.map { JournalPosition(sequence: $0) } }
    }
}
