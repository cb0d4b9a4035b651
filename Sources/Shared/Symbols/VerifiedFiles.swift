public import Files
import Sealed

/// Which files were read whole and found right, so that each is read whole once and not at every opening: a private file for each in a
/// folder, with what the file system said of it then. A file that was replaced, written to or touched since is not known any more.
public struct VerifiedFiles: Hashable, Sendable {
    /// Made when first needed.
    public var folder: String
    public init(folder: String) { self.folder = folder }

    private func mark(_ path: String) -> String {
        folder + "/" + SymbolBlocks.hexadecimal(Array(Digest.sha256(Array(path.utf8)).prefix(16)))
    }

    /// - Parameter content: its hash, or what else tells its contents from others.
    public func knows(_ path: String, _ identity: FileIdentity, content: String) -> Bool {
        guard let bytes = try? RegularFile.read(mark(path), limit: 16 << 10) else { return false }
        return bytes == Self.text(path, identity, content)
    }

    /// Where it cannot be kept, the file is read whole the next time as well.
    public func keep(_ path: String, _ identity: FileIdentity, content: String) {
        try? PrivateFile.write(Self.text(path, identity, content), to: mark(path))
    }

    /// Read whole the next time.
    public func forget(_ path: String) { try? PrivateFile.remove(mark(path)) }

    private static func text(_ path: String, _ identity: FileIdentity, _ content: String) -> [UInt8] {
        Array("causeway-verified 1\n\(identity.text)\n\(content)\n\(path)\n".utf8)
    }
}
