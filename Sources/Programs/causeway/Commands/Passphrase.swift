import Foundation
import HTTP
import Sealed
import Texts

extension Commands {
    static let passphraseCommand = Command(
        words: ["passphrase"], summary: .helpCommandPassphrase
    ) { invocation in
        let language = invocation["language"].flatMap { Language(tag: $0) } ?? Causeway.chosenLanguage([])
        let folder = try Folders(profile: invocation["profile"]).config
        let path = folder + "/passphrase"
        // An existing one is never replaced: what it sealed would be lost.
        guard !FileManager.default.fileExists(atPath: path) else { throw Failure(ErrorCode("passphrase.exists"), .init("path", path)) }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try PrivateFile.write(Array((Base64URL.encode(randomBytes(32)) + "\n").utf8), to: path)
        } catch {
            throw Failure(.storageFailed, .init("reason", path))
        }
        invocation.output.show(.object([.init("path", .string(path))]), text: [Text.passphraseMade(path: path).words(in: language)])
    }
}
