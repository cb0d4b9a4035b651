import Glibc

/// Files a user asked for by name: whole or not at all, and never in place of what is not a file.
///
/// A name that is free gets a new file; a regular file is replaced by a whole one, with its mode kept. A link is not followed and not
/// replaced: who named it may mean either.
public enum OutputFile {
    public enum Fault: Error, Hashable, Sendable {
        /// A folder, a pipe, a device, a socket, a link.
        case notRegular
        /// The system's own text.
        case unwritable(String)
    }

    public static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
        let mode = try mode(path)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? path[..<path.startIndex]
        let (draft, descriptor) = try draft(in: folder, mode ?? 0o666)
        do throws(Fault) {
            if let mode, fchmod(descriptor, mode) != 0 { throw fault() }
            try fill(descriptor, bytes)
            if fsync(descriptor) != 0 { throw fault() }
        } catch {
            close(descriptor)
            unlink(draft)
            throw error
        }
        guard close(descriptor) == 0, rename(draft, path) == 0 else {
            let fault = fault()
            unlink(draft)
            throw fault
        }
    }

    /// Whether a file can be there, without writing: for what takes long to make.
    public static func check(_ path: String) throws(Fault) { _ = try mode(path) }

    /// Of the file that is replaced; nil: the name is free.
    private static func mode(_ path: String) throws(Fault) -> mode_t? {
        var found = stat()
        guard lstat(path, &found) == 0 else {
            if errno == ENOENT, !path.hasSuffix("/") { return nil }
            throw fault()
        }
        guard found.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        return found.st_mode & 0o777
    }

    /// A new file with a name nobody has: that of a process may be what a killed one left behind.
    private static func draft(in folder: Substring, _ mode: mode_t) throws(Fault) -> (path: String, descriptor: Int32) {
        for _ in 0..<16 {
            let path = "\(folder).causeway-\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
            // Exclusive: a name that is taken, be it by a link, is not opened.
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
            if descriptor >= 0 { return (path, descriptor) }
            guard errno == EEXIST || errno == EINTR else { break }
        }
        throw fault()
    }

    private static func fill(_ descriptor: Int32, _ bytes: [UInt8]) throws(Fault) {
        var failure: Fault?
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let written = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
                if written >= 0 {
                    done += written
                } else if errno != EINTR {
                    failure = fault()
                    return
                }
            }
        }
        if let failure { throw failure }
    }

    private static func fault() -> Fault { .unwritable(String(cString: strerror(errno))) }
}

/// Folders a user asked for by name.
public enum OutputFolder {
    public enum Fault: Error, Hashable, Sendable {
        /// A file, a pipe, a device, a socket, a link to what is no folder.
        case notFolder
        /// The system's own text.
        case unwritable(String)
    }

    /// Whether it is a folder, or can be made as one: the name is free in a folder that is there. Nothing is made.
    public static func check(_ path: String) throws(Fault) {
        var found = stat()
        if stat(path, &found) == 0 {
            guard found.st_mode & S_IFMT == S_IFDIR else { throw .notFolder }
            return
        }
        let reason = errno
        // A link to nothing is a name that is taken.
        if lstat(path, &found) == 0 { throw .notFolder }
        guard reason == ENOENT, !path.isEmpty else { throw .unwritable(String(cString: strerror(reason))) }
        var name = path[...]
        while name.count > 1, name.hasSuffix("/") { name.removeLast() }
        let parent = name.lastIndex(of: "/").map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? "."
        guard stat(parent, &found) == 0 else { throw .unwritable(String(cString: strerror(errno))) }
        guard found.st_mode & S_IFMT == S_IFDIR else { throw .unwritable(String(cString: strerror(ENOTDIR))) }
    }
}
