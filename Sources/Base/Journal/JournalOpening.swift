extension JournalLog {
    /// What is in the folder, before anything is changed.
    struct Survey {
        /// The newest segment with a sound head; nil: none.
        var last: (name: String, scan: Scan)?
        /// Segments after it whose own head never reached the disk: nothing durable can be in them.
        var torn: [String] = []
        var mark: HighWater?
        /// Whether there ever was a journal here.
        var exists: Bool { last != nil || mark != nil }
        var reached: UInt64 { last?.scan.last ?? 0 }
    }

    /// Throws where the records end before what was acknowledged, by the mark, a snapshot, a later segment or `outside`.
    static func survey(
        _ folder: FileFolder, _ limits: Limits, _ outside: JournalWitness? = nil
    ) throws(JournalError) -> Survey {
        var survey = Survey(mark: try HighWater.open(markName, in: folder))
        var witness = (name: markName, sequence: survey.mark?.value ?? 0)
        if let outside, outside.sequence > witness.sequence { witness = (outside.name, outside.sequence) }
        let snapshots = JournalSnapshots(folder: folder, limit: limits.snapshotBytes)
        if let newest = try snapshots.newestName(), newest.sequence > witness.sequence { witness = newest }
        var segments = try segments(in: folder)
        var end = (file: SegmentHead.name(after: 0), offset: 0, sequence: UInt64(0))
        while let last = segments.popLast() {
            let scan = try scan(last.name, in: folder, expecting: last.after, limits: limits, atLeast: 0)
            if survey.torn.isEmpty { end = (last.name, scan.end, scan.last) }
            guard scan.headTorn else {
                survey.last = (last.name, scan)
                break
            }
            survey.torn.append(last.name)
            // It was begun when all before it was on the disk.
            if last.after > witness.sequence { witness = (last.name, last.after) }
        }
        let reached = survey.reached
        guard reached >= witness.sequence else {
            if let outside, witness.name == outside.name, !survey.exists, survey.torn.isEmpty { throw .absent }
            throw .incomplete(file: end.file, offset: end.offset, missing: witness.sequence - reached, witness: witness.name)
        }
        return survey
    }

    /// Copies what follows `end` into a file of its own, then cuts it off; the rest is durable on return.
    static func trim(
        _ name: String, to end: Int, in folder: FileFolder, _ notice: (JournalNotice) -> Void
    ) throws(JournalError) -> File {
        do throws(FileError) {
            let file = try folder.open(name)
            let size = try file.size()
            if size > end {
                let copy = try unusedName("\(name).torn-\(end)", in: folder)
                let aside = try folder.open(copy)
                defer { aside.close() }
                try aside.write(try file.read(end, size - end), 0)
                try aside.sync()
                try folder.sync()
                try file.truncate(end)
                notice(.setAside(file: name, offset: end, bytes: size - end, copy: copy))
            }
            try file.sync()
            return file
        } catch { throw JournalError(error) }
    }

    /// A segment without a sound head leaves the line of segments; its bytes, if any, stay under another name.
    static func setHeadAside(_ name: String, in folder: FileFolder, _ notice: (JournalNotice) -> Void) throws(JournalError) {
        do throws(FileError) {
            let file = try folder.open(name)
            let size = try file.size()
            file.close()
            if size == 0 {
                try folder.remove(name)
            } else {
                let copy = try unusedName("\(name).torn-0", in: folder)
                try folder.rename(name, copy)
                notice(.setAside(file: name, offset: 0, bytes: size, copy: copy))
            }
            try folder.sync()
        } catch { throw JournalError(error) }
    }

    private static func unusedName(_ wanted: String, in folder: FileFolder) throws(FileError) -> String {
        let names = Set(try folder.list())
        var name = wanted
        var number = 2
        while names.contains(name) {
            name = "\(wanted).\(number)"
            number += 1
        }
        return name
    }
}
