/// What says from outside the journal's folder how many records were acknowledged: `name` is its path, for error texts.
public struct JournalWitness: Sendable {
    public var name: String
    public var sequence: UInt64

    public init(name: String, sequence: UInt64) {
        self.name = name
        self.sequence = sequence
    }
}

/// What can be read of a journal, open or not.
public protocol ReadableJournal {
    /// The newest sound snapshot.
    func snapshot() throws(JournalError) -> (position: JournalPosition, payload: ArraySlice<UInt8>)?
    /// Every record after `position` that is kept, in order. What `visit` throws is reported as damage at that record.
    func replay(
        from position: JournalPosition, visit: (JournalPosition, ArraySlice<UInt8>) throws -> Void
    ) throws(JournalError)
}

extension Journal: ReadableJournal {}

/// A journal as it lies in its folder, read and not changed: what a `Journal` goes on from.
public struct JournalContents: ReadableJournal {
    let folder: FileFolder
    let limits: JournalLog.Limits
    let found: JournalLog.Survey

    /// Throws where acknowledged records are missing, by what is in the folder or by `witness`, or all of it is and it `mustExist`.
    public init(folder: FileFolder, mustExist: Bool = false, witness: JournalWitness? = nil) throws(JournalError) {
        try self.init(folder: folder, limits: JournalLog.Limits(), mustExist: mustExist, witness: witness)
    }

    init(folder: FileFolder, limits: JournalLog.Limits, mustExist: Bool, witness: JournalWitness?) throws(JournalError) {
        self.folder = folder
        self.limits = limits
        found = try JournalLog.survey(folder, limits, witness)
        guard found.exists || !mustExist else { throw .absent }
    }

    /// The last sound record.
    public var position: JournalPosition { JournalPosition(sequence: found.reached) }

    public func snapshot() throws(JournalError) -> (position: JournalPosition, payload: ArraySlice<UInt8>)? {
        try JournalSnapshots(folder: folder, limit: limits.snapshotBytes).newest()
    }

    public func replay(
        from position: JournalPosition, visit: (JournalPosition, ArraySlice<UInt8>) throws -> Void
    ) throws(JournalError) {
        let segments = try JournalLog.segments(in: folder).filter { !found.torn.contains($0.name) }
        try JournalLog.replay(segments, in: folder, limits, from: position, through: found.reached, visit: visit)
    }
}
