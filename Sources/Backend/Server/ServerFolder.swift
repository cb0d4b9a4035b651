import Foundation
import Glibc
import Synchronization
public import Texts

extension ErrorCode {
    /// The folder is not what it should be: `folder`, `detail` (a word of the texts: `not-made`, `not-locked`, `not-writable`,
    /// `foreign-files`, `format-damaged`, `not-set`; or the system's own text).
    public static let dataFolder = ErrorCode("data.folder")
    /// Two parts of the folder are not from the same time: `path` lacks accounts that `other` knows of.
    public static let dataMismatch = ErrorCode("data.mismatch")
}

/// The server's data folder, held by one process: `format` names the version that wrote it, `lock` is held with flock(2) until `release`,
/// or as long as this value lives.
public final class ServerFolder: Sendable {
    /// Folder layout this program writes. A higher number in `format` is refused untouched.
    public static let format = 1

    public let path: String
    private let lock: Mutex<Int32?>

    /// Makes the folder (0700) where it is missing, takes the lock, then checks the format.
    public init(path: String) throws(Failure) {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Self.unusable(path, "not-made")
        }
        let found = try Self.storedFormat(path)
        if let found, found > Self.format {
            throw Failure(
                .dataNewer, .init("path", path), .init("found", String(found)), .init("supported", String(Self.format)))
        }
        let descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unusable(path, String(cString: strerror(errno))) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let busy = errno == EWOULDBLOCK
            close(descriptor)
            throw busy ? Failure(.dataInUse, .init("path", path)) : Self.unusable(path, "not-locked")
        }
        if found == nil {
            do {
                try Data("\(Self.format)\n".utf8).write(to: URL(fileURLWithPath: path + "/format"), options: .atomic)
            } catch {
                close(descriptor)
                throw Self.unusable(path, "not-writable")
            }
        }
        lock = Mutex(descriptor)
        try Self.makePrivate(path)
    }

    /// Moves a folder out of the way and returns its new path, the first of `PATH-1`, `PATH-2`, … that is free. Refused where a server
    /// runs in it.
    public static func setAside(_ path: String) throws(Failure) -> String {
        let folder = try ServerFolder(path: path)
        defer { folder.release() }
        for number in 1...99_999 where !FileManager.default.fileExists(atPath: "\(path)-\(number)") {
            guard rename(path, "\(path)-\(number)") == 0 else { throw unusable(path, String(cString: strerror(errno))) }
            return "\(path)-\(number)"
        }
        throw unusable(path, "has too many kept beside it")
    }

    /// Whether a file of the folder has anything in it.
    func hasBytes(_ name: String) -> Bool {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 && status.st_size > 0
    }

    /// Tries: whether a file of the folder can be made and written now.
    var isWritable: Bool {
        let probe = path + "/.ready"
        let descriptor = open(probe, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer {
            close(descriptor)
            unlink(probe)
        }
        return write(descriptor, "ready\n", 6) == 6
    }

    /// Whether an exchange journal was begun here.
    var hasJournal: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path + "/journal")) ?? []
        return !names.isEmpty || hasBytes("journal-end")
    }

    /// Only its owner reads what is in the folder: 0700 for folders, 0600 for files, whatever made them.
    private static func makePrivate(_ path: String) throws(Failure) {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        for name in [""] + names {
            let item = name.isEmpty ? path : path + "/" + name
            var status = stat()
            guard lstat(item, &status) == 0 else { throw unusable(path, String(cString: strerror(errno))) }
            let wanted: mode_t
            switch status.st_mode & S_IFMT {
            case S_IFDIR: wanted = 0o700
            case S_IFREG: wanted = 0o600
            default: continue
            }
            guard status.st_mode & 0o777 == wanted || chmod(item, wanted) == 0 else {
                throw unusable(path, String(cString: strerror(errno)))
            }
        }
    }

    deinit { release() }

    /// Lets another process have the folder.
    func release() {
        lock.withLock { descriptor in
            if let open = descriptor { close(open) }
            descriptor = nil
        }
    }

    private static func storedFormat(_ path: String) throws(Failure) -> Int? {
        let file = path + "/format"
        guard FileManager.default.fileExists(atPath: file) else {
            let others = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            guard others.allSatisfy({ $0 == "lock" }) else { throw unusable(path, "foreign-files") }
            return nil
        }
        guard let data = FileManager.default.contents(atPath: file), data.count <= 32,
            let number = Int(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)), number > 0
        else { throw unusable(path, "format-damaged") }
        return number
    }

    private static func unusable(_ path: String, _ detail: String) -> Failure {
        Failure(.dataFolder, .init("folder", path), .init("detail", detail))
    }
}
