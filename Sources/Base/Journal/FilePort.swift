import Glibc

/// Why a file operation failed.
public enum FileError: Error, Hashable, Sendable {
    /// No room on the device or over quota.
    case full
    case missing(name: String)
    /// `operation` is the system call's name, `code` its errno.
    case failed(operation: String, code: Int32)

    /// For a reader, in the system's words.
    public var reason: String {
        switch self {
        case .full: "No space left on device"
        case .missing(let name): "\(name) is missing"
        case .failed(_, let code): String(cString: strerror(code))
        }
    }
}

/// Port: one open file. Bytes are durable only after `sync` returned; until then a crash may lose, tear or reorder them.
public struct File: Sendable {
    public var size: @Sendable () throws(FileError) -> Int
    /// Up to `count` bytes from `offset`; fewer only at the end of the file.
    public var read: @Sendable (_ offset: Int, _ count: Int) throws(FileError) -> [UInt8]
    /// Writes all bytes at `offset` or throws; after a throw any prefix may have been written.
    public var write: @Sendable (_ bytes: [UInt8], _ offset: Int) throws(FileError) -> Void
    public var truncate: @Sendable (_ size: Int) throws(FileError) -> Void
    public var sync: @Sendable () throws(FileError) -> Void
    public var close: @Sendable () -> Void

    public init(
        size: @escaping @Sendable () throws(FileError) -> Int,
        read: @escaping @Sendable (_ offset: Int, _ count: Int) throws(FileError) -> [UInt8],
        write: @escaping @Sendable (_ bytes: [UInt8], _ offset: Int) throws(FileError) -> Void,
        truncate: @escaping @Sendable (_ size: Int) throws(FileError) -> Void,
        sync: @escaping @Sendable () throws(FileError) -> Void,
        close: @escaping @Sendable () -> Void
    ) {
        self.size = size
        self.read = read
        self.write = write
        self.truncate = truncate
        self.sync = sync
        self.close = close
    }
}

/// Port: the folder that holds a journal. Names are plain file names in it.
public struct FileFolder: Sendable {
    /// Says where it is, for error texts.
    public var path: String
    /// Empty where the folder is missing.
    public var list: @Sendable () throws(FileError) -> [String]
    /// Opens for reading and writing, making the file where it is missing.
    public var open: @Sendable (_ name: String) throws(FileError) -> File
    /// Replaces `to` in one step.
    public var rename: @Sendable (_ from: String, _ to: String) throws(FileError) -> Void
    public var remove: @Sendable (_ name: String) throws(FileError) -> Void
    /// Makes names (new, renamed, removed) durable.
    public var sync: @Sendable () throws(FileError) -> Void

    public init(
        path: String, list: @escaping @Sendable () throws(FileError) -> [String],
        open: @escaping @Sendable (_ name: String) throws(FileError) -> File,
        rename: @escaping @Sendable (_ from: String, _ to: String) throws(FileError) -> Void,
        remove: @escaping @Sendable (_ name: String) throws(FileError) -> Void,
        sync: @escaping @Sendable () throws(FileError) -> Void
    ) {
        self.path = path
        self.list = list
        self.open = open
        self.rename = rename
        self.remove = remove
        self.sync = sync
    }
}
