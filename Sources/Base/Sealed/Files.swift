import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Files that hold secrets: mode 0600 in folders of mode 0700, replaced whole or not at all.
public enum PrivateFile {
    /// Nil where there is none. At most `limit` bytes.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(SealedError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw .damaged }
        }
    }

    /// Writes beside it, syncs, renames over it, syncs the folder.
    public static func write(_ bytes: [UInt8], to path: String) throws(SealedError) {
        let temporary = try writeBeside(bytes, path)
        guard rename(temporary, path) == 0 else {
            let error = failure(path)
            unlink(temporary)
            throw error
        }
        syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// As `write`, whole or not at all, but only where nothing is: false = another was first.
    public static func create(_ bytes: [UInt8], at path: String) throws(SealedError) -> Bool {
        let temporary = try writeBeside(bytes, path)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 else {
            if errno == EEXIST { return false }
            throw failure(path)
        }
        syncFolder((path as NSString).deletingLastPathComponent)
        return true
    }

    private static func writeBeside(_ bytes: [UInt8], _ path: String) throws(SealedError) -> String {
        try makeFolder((path as NSString).deletingLastPathComponent)
        let temporary = path + ".new-" + Base64URL.encode(randomBytes(9))
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        do throws(SealedError) {
            defer { close(descriptor) }
            try writeAll(bytes, descriptor, path)
            guard fsync(descriptor) == 0 else { throw failure(path) }
        } catch {
            unlink(temporary)
            throw error
        }
        return temporary
    }

    /// Nothing is there afterwards; no error where nothing was.
    public static func remove(_ path: String) throws(SealedError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
        syncFolder((path as NSString).deletingLastPathComponent)
    }

    static func makeFolder(_ folder: String) throws(SealedError) {
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .file(path: folder, reason: "the folder cannot be made")
        }
    }

    private static func writeAll(_ bytes: [UInt8], _ descriptor: Int32, _ path: String) throws(SealedError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            sent += count
        }
    }

    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    static func failure(_ path: String) -> SealedError {
        errno == ENOSPC || errno == EDQUOT ? .full(path: path) : .file(path: path, reason: String(cString: strerror(errno)))
    }
}

/// An advisory lock that the kernel gives up with the process (flock). Held until `release` or `deinit`.
public final class FileLock: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Nil where another holder has it, in this process or another.
    public static func tryAcquire(_ path: String) throws(SealedError) -> FileLock? {
        try PrivateFile.makeFolder((path as NSString).deletingLastPathComponent)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PrivateFile.failure(path) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let busy = errno == EWOULDBLOCK
            let error = PrivateFile.failure(path)
            close(descriptor)
            if busy { return nil }
            throw error
        }
        return FileLock(descriptor: descriptor)
    }

    deinit { close(descriptor) }
}
