import Glibc

extension FileFolder {
    /// The folder at `path`, made with mode 0700 with its first file; files get mode 0600.
    public static func live(path: String) -> FileFolder {
        FileFolder(
            path: path,
            list: { () throws(FileError) in try LiveFiles.list(path) },
            open: { (name) throws(FileError) in
                if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileError(operation: "mkdir") }
                return try LiveFiles.open("\(path)/\(name)")
            },
            rename: { (from, to) throws(FileError) in
                if Glibc.rename("\(path)/\(from)", "\(path)/\(to)") != 0 { throw FileError(operation: "rename") }
            },
            remove: { (name) throws(FileError) in
                if unlink("\(path)/\(name)") != 0 { throw FileError(operation: "unlink") }
            },
            sync: { () throws(FileError) in
                let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                if descriptor < 0 { throw FileError(operation: "open") }
                defer { _ = Glibc.close(descriptor) }
                if fsync(descriptor) != 0 { throw FileError(operation: "fsync") }
            })
    }
}

extension FileError {
    /// From errno, right after a call failed.
    fileprivate init(operation: String) {
        let code = errno
        self = code == ENOSPC || code == EDQUOT ? .full : .failed(operation: operation, code: code)
    }
}

private enum LiveFiles {
    static func list(_ path: String) throws(FileError) -> [String] {
        guard let directory = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FileError(operation: "opendir")
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    static func open(_ path: String) throws(FileError) -> File {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw FileError(operation: "open") }
        return File(
            size: { () throws(FileError) in
                var status = stat()
                if fstat(descriptor, &status) != 0 { throw FileError(operation: "fstat") }
                return Int(status.st_size)
            },
            read: { (offset, count) throws(FileError) in try read(descriptor, offset, count) },
            write: { (bytes, offset) throws(FileError) in try write(descriptor, bytes, offset) },
            truncate: { (size) throws(FileError) in
                if ftruncate(descriptor, off_t(size)) != 0 { throw FileError(operation: "ftruncate") }
            },
            sync: { () throws(FileError) in
                if fdatasync(descriptor) != 0 { throw FileError(operation: "fdatasync") }
            },
            close: { _ = Glibc.close(descriptor) })
    }

    private static func read(_ descriptor: CInt, _ offset: Int, _ count: Int) throws(FileError) -> [UInt8] {
        var failure: FileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            while used < count, let base = buffer.baseAddress {
                let got = pread(descriptor, base + used, count - used, off_t(offset + used))
                if got < 0 {
                    if errno == EINTR { continue }
                    failure = FileError(operation: "pread")
                    return
                }
                if got == 0 { return }
                used += got
            }
        }
        if let failure { throw failure }
        return bytes
    }

    private static func write(_ descriptor: CInt, _ bytes: [UInt8], _ offset: Int) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count, let base = buffer.baseAddress {
                let wrote = pwrite(descriptor, base + done, buffer.count - done, off_t(offset + done))
                if wrote < 0 {
                    if errno == EINTR { continue }
                    failure = FileError(operation: "pwrite")
                    return
                }
                done += wrote
            }
        }
        if let failure { throw failure }
    }
}
