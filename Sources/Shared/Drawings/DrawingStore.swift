import Files
import Foundation
import HTTP
public import Instruments
import Sealed
public import Texts

/// The user's drawings on the disk: a file an instrument, named by its number, so that a renamed symbol keeps them; the owner's only,
/// replaced whole or not at all.
public struct DrawingStore: Sendable {
    private let folder: String
    /// Waits a little for another process.
    private let pause: @Sendable () async -> Void

    static let version: Int64 = 1
    /// Bytes of a file. 500 drawings with texts of 800 bytes have less.
    static let limit = 1 << 20
    /// How often another process that edits is waited for.
    static let tries = 100

    /// `folder`: made when first needed. `pause`: ten milliseconds or so.
    public init(folder: String, pause: @escaping @Sendable () async -> Void) {
        self.folder = folder
        self.pause = pause
    }

    /// What was read. A damaged file is set aside and told once: the drawings are those of a new file then.
    public struct Found: Hashable, Sendable {
        public var set = DrawingSet()
        /// Where the damaged file is now.
        public var setAside: String?
    }

    private enum Reading {
        case set(DrawingSet)
        case damaged
    }

    /// - Throws: `data.newer` (the file stays), `storage.failed`; `data.in-use` where a damaged one cannot be set aside yet.
    public func load(_ instrument: InstrumentID) async throws(Failure) -> Found {
        if case .set(let set) = try read(instrument) { return Found(set: set) }
        // Another process may have replaced it by now.
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        return try settled(instrument)
    }

    /// Under the lock.
    private func settled(_ instrument: InstrumentID) throws(Failure) -> Found {
        switch try read(instrument) {
        case .set(let set): Found(set: set)
        case .damaged: Found(setAside: try setAside(path(instrument)))
        }
    }

    private func read(_ instrument: InstrumentID) throws(Failure) -> Reading {
        let path = path(instrument)
        let bytes: [UInt8]
        do throws(RegularFile.Fault) { bytes = try RegularFile.read(path, limit: Self.limit) } catch {
            switch error {
            case .missing: return .set(DrawingSet())
            case .tooLong: return .damaged
            case .notRegular: throw Failure(.storageFailed, .init("reason", "\(path): no regular file"))
            case .unreadable(let reason): throw Failure(.storageFailed, .init("reason", "\(path): \(reason)"))
            }
        }
        guard let value = try? JSONValue(parsing: bytes, limits: .init(bytes: Self.limit, depth: 8)),
            let format = value["format"]?.int64Value
        else { return .damaged }
        guard format <= Self.version else { throw Failure(.dataNewer, .init("path", path)) }
        guard format == Self.version, value["instrument"]?.int64Value == Int64(instrument.rawValue), let set = try? DrawingSet(json: value)
        else { return .damaged }
        return .set(set)
    }

    /// Changes the drawings of an instrument, one process at a time; on the disk on return.
    /// - Throws: what `change` throws, and nothing is written then; as `load`; `data.in-use` where another process does not end.
    public func edit<Result: Sendable>(
        _ instrument: InstrumentID, _ change: @Sendable (inout DrawingSet) throws(Failure) -> Result
    ) async throws(Failure) -> (result: Result, setAside: String?) {
        let lock = try await lock()
        defer { withExtendedLifetime(lock) {} }
        var found = try settled(instrument)
        let result = try change(&found.set)
        let path = path(instrument)
        do throws(SealedError) {
            if found.set == DrawingSet() {
                try PrivateFile.remove(path)
            } else {
                let members =
                    [
                        JSONValue.Member("format", .number("\(Self.version)")),
                        .init("instrument", .number("\(instrument.rawValue)")),
                    ] + (found.set.json.members ?? [])
                try PrivateFile.write(JSONValue.object(members).serializedBytes(), to: path)
            }
        } catch { throw Self.failure(error) }
        return (result, found.setAside)
    }

    private func path(_ instrument: InstrumentID) -> String { "\(folder)/\(instrument.rawValue).json" }

    private func lock() async throws(Failure) -> FileLock {
        for _ in 0..<Self.tries {
            do throws(SealedError) { if let lock = try FileLock.tryAcquire(folder + "/lock") { return lock } } catch {
                throw Self.failure(error)
            }
            await pause()
        }
        throw Failure(.dataInUse, .init("path", folder))
    }

    /// Under the first free name beside it: what was there before is not lost either.
    private func setAside(_ path: String) throws(Failure) -> String {
        let names = (1...100).lazy.map { path + ".damaged-\($0)" }
        guard let aside = names.first(where: { !FileManager.default.fileExists(atPath: $0) }) else {
            throw Failure(.dataCorrupt, .init("path", path))
        }
        do { try FileManager.default.moveItem(atPath: path, toPath: aside) } catch {
            throw Failure(.storageFailed, .init("reason", "\(path): \((error as NSError).localizedDescription)"))
        }
        return aside
    }

    private static func failure(_ error: SealedError) -> Failure {
        switch error {
        case .full: Failure(.storageFull)
        case .file, .wrongKey, .damaged, .newer, .outOfMemory: Failure(.storageFailed, .init("reason", error.reason))
        }
    }
}
