import HTTP
import Sealed
import Texts

/// Certificates a profile's user accepted by their fingerprint, one a server (O-3). A file of lines `HOST:PORT FINGERPRINT KEY` after a first
/// one that names the format; its owner's only, replaced whole or not at all.
struct KnownServers {
    struct Entry: Hashable {
        var fingerprint: CertificateFingerprint
        /// SHA-256 of its public key, base64, as `TLSTrust.pinned` takes it.
        var key: String
    }

    private static let format = "known-servers 1"
    /// More would be somebody's mistake; the file stays small enough to read at every start.
    static let most = 1000

    let path: String
    private(set) var entries: [String: Entry] = [:]

    /// - Throws: `data.newer`, `data.corrupt`, `storage.failed`.
    init(path: String) throws(Failure) {
        self.path = path
        let found: [UInt8]?
        do throws(SealedError) { found = try PrivateFile.read(path) } catch { throw Failure(error, path) }
        guard let found else { return }
        let lines = String(decoding: found, as: UTF8.self).split(separator: "\n")
        guard let first = lines.first, first.hasPrefix("known-servers ") else { throw Failure(.dataCorrupt, .init("path", path)) }
        guard first == Self.format else { throw Failure(.dataNewer, .init("path", path)) }
        for line in lines.dropFirst() {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, let fingerprint = CertificateFingerprint(String(words[1])), words[2].utf8.count == 44,
                entries.updateValue(Entry(fingerprint: fingerprint, key: String(words[2])), forKey: String(words[0])) == nil,
                entries.count <= Self.most
            else { throw Failure(.dataCorrupt, .init("path", path)) }
        }
    }

    subscript(server: String) -> Entry? { entries[server] }

    /// Keeps it, or with nil forgets the server; on the disk on return.
    mutating func set(_ entry: Entry?, for server: String) throws(Failure) {
        var next = entries
        next[server] = entry
        guard next.count <= Self.most else { throw Failure(.storageFailed, .init("reason", "\(path): \(Self.most) servers")) }
        let lines = next.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.fingerprint) \($0.value.key)\n" }
        let bytes = Array((Self.format + "\n" + lines.joined()).utf8)
        do throws(SealedError) { try PrivateFile.write(bytes, to: path) } catch { throw Failure(error, path) }
        entries = next
    }
}
