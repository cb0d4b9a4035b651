import Files
import Foundation
import Instruments
import Sealed
public import Streams
public import Texts

extension ErrorCode {
    /// What is offered is older than what is here: `offered`, `present`.
    public static let symbolsOlder = ErrorCode("symbols.older")
    /// What came is not what its hash says; the database in use stays.
    public static let symbolsHash = ErrorCode("symbols.hash")
    /// The offer says the same version as the one here, with other rows: `version`.
    public static let symbolsConflict = ErrorCode("symbols.conflict")
    /// The offer has no rows.
    public static let symbolsEmpty = ErrorCode("symbols.empty")
    /// The offer lacks more than a tenth of the rows that are here: `removed`, `present` (numbers of rows).
    public static let symbolsShrunk = ErrorCode("symbols.shrunk")
}

/// Where newer rows come from: a server. Live closures stand on `GatewayEndpoints`.
public struct SymbolOrigin: Sendable {
    /// The release and its hash as the origin says it; may come without blocks where `since` is its version.
    public var release: @Sendable (_ since: Int64?) async throws(Failure) -> (release: SymbolRelease, hash: String)
    /// The lines of a block.
    public var block: @Sendable (UInt32) async throws(Failure) -> [String]

    public init(
        release: @escaping @Sendable (Int64?) async throws(Failure) -> (release: SymbolRelease, hash: String),
        block: @escaping @Sendable (UInt32) async throws(Failure) -> [String]
    ) {
        self.release = release
        self.block = block
    }
}

/// Brings the user's symbol database up to date (H-1). What was fetched stays in a folder beside it until all is there, so an update
/// that was cut off goes on where it was; the database itself is replaced whole, after everything agrees with its hash, or not at all.
public struct SymbolUpdate: Sendable {
    /// The database that is replaced; need not exist.
    public let path: String
    /// What is made of the database once it is in place (an index beside it), before another update may begin.
    private let whenReplaced: @Sendable (_ path: String) throws(Failure) -> Void
    private var parts: String { path + ".parts" }

    static let maximumBytes = 256 << 20

    public init(path: String, whenReplaced: @escaping @Sendable (_ path: String) throws(Failure) -> Void = { _ in }) {
        self.path = path
        self.whenReplaced = whenReplaced
    }

    public struct Report: Hashable, Sendable {
        public var from: Int64?
        public var version: Int64
        public var added = 0
        public var changed = 0
        public var removed = 0
        /// Blocks that were asked for; the others were here.
        public var fetched = 0
        public var isCurrent: Bool { from == version }
    }

    /// - Parameters:
    ///   - present: the database in use, here or elsewhere.
    ///   - today: by this machine's clock.
    /// - Throws: `symbols.ahead`, `symbols.older`, `symbols.hash`, `symbols.conflict`, `symbols.empty`, `symbols.shrunk`,
    ///   `symbols.inconsistent`, `data.in-use`, or why the origin does not answer; the present one stays as it is.
    public func run(from origin: SymbolOrigin, present: SymbolDatabase?, today: TradingDay) async throws(Failure) -> Report {
        let turn = try turn()
        defer { withExtendedLifetime(turn) {} }
        let known = present?.release
        let (release, hash) = try await origin.release(known?.version)
        guard release.isWellFormed else { throw Failure(.symbolsHash) }
        try release.check(on: today)
        var report = Report(from: known?.version, version: release.version)
        if let known, try Self.isKnown(release.version, hash, known) { return report }
        guard release.hash == hash, release.blocks.blocks.count <= SymbolRelease.mostBlocks,
            Set(release.blocks.blocks.map(\.number)).count == release.blocks.blocks.count
        else {
            throw Failure(.symbolsHash)
        }
        guard release.rows > 0 else { throw Failure(.symbolsEmpty) }
        let old = try present?.allRows() ?? []
        let here = Dictionary(grouping: old) { $0.instrument.id.rawValue / SymbolBlocks.size }.mapValues { rows in rows.map(\.line) }
        var rows: [SymbolRow] = []
        for block in release.blocks.blocks {
            if let lines = here[block.number], SymbolBlocks.hash(lines) == block.hash {
                rows += try Self.rows(lines, block.number)
            } else {
                let (lines, wasFetched) = try await lines(of: block, origin)
                if wasFetched { report.fetched += 1 }
                rows += try Self.rows(lines, block.number)
            }
        }
        guard rows.count == release.rows else { throw Failure(.symbolsHash) }
        report.count(old, rows)
        try report.checkLoss(of: old.count)
        try SymbolContents.check(rows, known: old)
        try put(rows, release)
        try? FileManager.default.removeItem(atPath: parts)
        return report
    }

    /// Takes the rows of a database file, once it was read whole and agrees with its hashes. What is installed is made of the rows anew:
    /// whatever else is in the file (triggers, a write-ahead log, other tables) stays out.
    /// - Parameter shipped: the release that came with the program; it is taken whatever is here, so that there is always a way back.
    public func run(fromFile file: String, present: SymbolDatabase?, shipped: SymbolRelease? = nil, today: TradingDay) throws(Failure)
        -> Report
    {
        let turn = try turn()
        defer { withExtendedLifetime(turn) {} }
        let (release, rows) = try offered(file)
        try release.check(on: today)
        var report = Report(from: present?.release.version, version: release.version)
        guard !rows.isEmpty else { throw Failure(.symbolsEmpty) }
        let isShipped = release == shipped
        if let known = present?.release {
            if isShipped, known == release { return report }
            if !isShipped, try Self.isKnown(release.version, release.hash, known) { return report }
        }
        let old = try present?.allRows() ?? []
        report.count(old, rows)
        if !isShipped {
            try report.checkLoss(of: old.count)
            try SymbolContents.check(rows, known: old)
        }
        try put(rows, release)
        return report
    }

    /// The right to replace the database, until it is let go; what killed updates left behind is swept, for none of them has it now.
    /// - Throws: `data.in-use` where another update runs.
    private func turn() throws(Failure) -> FileLock {
        let (folder, name) = (try folder(), (path as NSString).lastPathComponent)
        let lock: FileLock?
        do throws(SealedError) { lock = try FileLock.tryAcquire(folder + "/" + Self.lockFile) } catch {
            throw Failure(.storageFailed, .init("reason", "write"))
        }
        guard let lock else { throw Failure(.dataInUse, .init("path", folder)) }
        let stem = (name as NSString).deletingPathExtension
        for left in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where left.hasPrefix(SymbolFile.workPrefix) || left.hasPrefix(name + ".new-") || left.hasPrefix(stem + ".index.new-") {
            try? FileManager.default.removeItem(atPath: folder + "/" + left)
        }
        return lock
    }

    static let lockFile = ".symbols.lock"

    private func offered(_ file: String) throws(Failure) -> (SymbolRelease, [SymbolRow]) {
        var bytes: [UInt8]
        do throws(RegularFile.Fault) { bytes = try RegularFile.read(file, limit: Self.maximumBytes) } catch {
            switch error {
            case .missing: throw Failure(ErrorCode("data.missing"), .init("path", file))
            case .notRegular, .tooLong: throw Failure(.dataCorrupt, .init("path", file))
            case .unreadable: throw Failure(.storageFailed, .init("reason", "read"))
            }
        }
        guard SymbolFile.isDatabase(bytes) else { throw Failure(.dataCorrupt, .init("path", file)) }
        (bytes[18], bytes[19]) = (1, 1)
        // SQLite may make files beside it; they go with the folder.
        let work = try folder() + "/\(SymbolFile.workPrefix)trial-" + Base64URL.encode(randomBytes(9))
        defer { try? FileManager.default.removeItem(atPath: work) }
        try Self.write(bytes, work + "/trial")
        do throws(Failure) {
            let trial = try SymbolDatabase(path: work + "/trial")
            try trial.verify()
            return (trial.release, try trial.allRows())
        } catch {
            // Not the path of the trial.
            throw Failure(error.code, arguments: error.arguments.map { $0.name == "path" ? .init("path", file) : $0 })
        }
    }

    /// Whether nothing is to be done.
    private static func isKnown(_ version: Int64, _ hash: String, _ known: SymbolRelease) throws(Failure) -> Bool {
        if version < known.version {
            throw Failure(.symbolsOlder, .init("offered", String(version)), .init("present", String(known.version)))
        }
        guard version == known.version else { return false }
        guard hash == known.hash else { throw Failure(.symbolsConflict, .init("version", String(known.version))) }
        return true
    }

    private func folder() throws(Failure) -> String {
        let folder = (path as NSString).deletingLastPathComponent
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
            throw Failure(.storageFailed, .init("reason", "folder"))
        }
        return folder
    }

    private func put(_ rows: [SymbolRow], _ release: SymbolRelease) throws(Failure) {
        try Self.write(
            try SymbolFile.bytes(rows, version: release.version, timestamp: release.timestamp, workingIn: folder()), path)
        try whenReplaced(path)
    }

    private static func write(_ bytes: [UInt8], _ path: String) throws(Failure) {
        do throws(SealedError) { try PrivateFile.write(bytes, to: path) } catch { throw Failure(.storageFailed, .init("reason", "write")) }
    }

    /// A block that an earlier try left, or a fresh one; both must have the hash.
    private func lines(of block: SymbolBlocks.Block, _ origin: SymbolOrigin) async throws(Failure) -> (lines: [String], wasFetched: Bool) {
        guard block.hash.utf8.count == 64, block.hash.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            throw Failure(.symbolsHash)
        }
        let part = parts + "/" + block.hash
        if let bytes = try? RegularFile.read(part, limit: 4 << 20), let text = String(validating: bytes, as: UTF8.self),
            text.hasSuffix("\n")
        {
            let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
            if SymbolBlocks.hash(lines) == block.hash { return (lines, false) }
        }
        let lines = try await origin.block(block.number)
        guard lines.count <= Int(SymbolBlocks.size), SymbolBlocks.hash(lines) == block.hash else { throw Failure(.symbolsHash) }
        try Self.write(Array((lines.joined(separator: "\n") + "\n").utf8), part)
        return (lines, true)
    }

    /// In the block's range, by id, each once.
    private static func rows(_ lines: [String], _ number: UInt32) throws(Failure) -> [SymbolRow] {
        var rows: [SymbolRow] = []
        for line in lines {
            let row: SymbolRow
            do throws(SymbolRowFault) { row = try SymbolRow(line: line) } catch { throw Failure(.symbolsHash) }
            guard row.instrument.id.rawValue / SymbolBlocks.size == number, rows.last.map({ $0.instrument.id < row.instrument.id }) ?? true
            else { throw Failure(.symbolsHash) }
            rows.append(row)
        }
        return rows
    }
}

extension SymbolUpdate.Report {
    fileprivate mutating func count(_ old: [SymbolRow], _ new: [SymbolRow]) {
        let before = Dictionary(old.map { ($0.instrument.id, $0) }) { first, _ in first }
        for row in new {
            if let known = before[row.instrument.id] { changed += known == row ? 0 : 1 } else { added += 1 }
        }
        removed = before.count - (new.count - added)
    }

    /// Lists shrink by a few rows a day; one that is cut short or made to do harm lacks many.
    fileprivate func checkLoss(of before: Int) throws(Failure) {
        guard removed * 10 > before else { return }
        throw Failure(.symbolsShrunk, .init("removed", String(removed)), .init("present", String(before)))
    }
}
