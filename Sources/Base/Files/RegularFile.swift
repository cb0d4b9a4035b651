import Glibc

/// Files that others may have put in place: a pipe, a device or a folder under the name of a file neither hangs the program nor is read.
public enum RegularFile {
    public enum Fault: Error, Hashable, Sendable {
        case missing
        /// A pipe, a device, a socket, a folder.
        case notRegular
        /// Longer than the limit, or growing while it is read.
        case tooLong
        /// The system's own text.
        case unreadable(String)
    }

    /// All of a file.
    /// - Parameter limit: bytes it may have.
    public static func read(_ path: String, limit: Int) throws(Fault) -> [UInt8] {
        let (descriptor, identity) = try opened(path)
        defer { close(descriptor) }
        guard identity.size <= limit else { throw .tooLong }
        // One byte more than it says: what is longer by now is noticed.
        let bytes = try filled(descriptor, Int(identity.size) + 1)
        guard bytes.count <= Int(identity.size) else { throw .tooLong }
        return bytes
    }

    /// A file from its beginning to its end in pieces, so that it need not fit into memory.
    /// - Parameters:
    ///   - limit: bytes it may have.
    ///   - take: is given a megabyte, the last time less; what it throws ends the reading.
    public static func pieces(_ path: String, limit: Int, take: ([UInt8]) throws -> Void) throws {
        let (descriptor, identity) = try opened(path)
        defer { close(descriptor) }
        guard identity.size <= limit else { throw Fault.tooLong }
        var left = limit
        while true {
            let piece = try filled(descriptor, min(1 << 20, left + 1))
            guard piece.count <= left else { throw Fault.tooLong }
            if piece.isEmpty { return }
            left -= piece.count
            try take(piece)
        }
    }

    private static func filled(_ descriptor: Int32, _ room: Int) throws(Fault) -> [UInt8] {
        var failure: Fault?
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            while count < room {
                let got = Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), room - count)
                if got > 0 {
                    count += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = .unreadable(reason(errno))
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Its first bytes, fewer where it is shorter.
    public static func head(_ path: String, bytes: Int) throws(Fault) -> [UInt8] {
        let (descriptor, identity) = try opened(path)
        defer { close(descriptor) }
        return try filled(descriptor, Int(min(Int64(bytes), identity.size)))
    }

    /// What tells a file from a later one of that name.
    public static func identity(_ path: String) throws(Fault) -> FileIdentity {
        let (descriptor, identity) = try opened(path)
        close(descriptor)
        return identity
    }

    /// Not waiting for a writer, as opening a pipe does.
    private static func opened(_ path: String) throws(Fault) -> (descriptor: Int32, identity: FileIdentity) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: throw .missing
            // A socket, a device without a driver.
            case ENXIO, ENODEV: throw .notRegular
            default: throw .unreadable(reason(errno))
            }
        }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else {
            let reason = reason(errno)
            close(descriptor)
            throw .unreadable(reason)
        }
        guard found.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .notRegular
        }
        return (descriptor, FileIdentity(found))
    }

    private static func reason(_ number: Int32) -> String { String(cString: strerror(number)) }
}

/// A file as the file system knows it: replaced, written to or touched, it is another.
public struct FileIdentity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    /// Bytes.
    public var size: Int64
    /// When its contents changed, nanoseconds since 1970.
    public var modified: Int64
    /// When anything of it changed, its times included.
    public var changed: Int64

    init(_ found: stat) {
        func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
        device = UInt64(found.st_dev)
        inode = UInt64(found.st_ino)
        size = Int64(found.st_size)
        modified = nanoseconds(found.st_mtim)
        changed = nanoseconds(found.st_ctim)
    }

    /// One line; two are of the same file when they are equal.
    public var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }
}
