import Foundation
import HTTP
import Sealed
import Terminal
import Texts

/// What was chosen on the board with a key, for its next start (M-2, M-6): `board.json` in the profile's folder of settings.
struct BoardChoices: Hashable, Sendable {
    var language: Language?
    var colours: Colours?

    private static let mostBytes = 4_096

    private static func path(_ folders: Folders) -> String { folders.config + "/board.json" }

    /// None where nothing was chosen.
    /// - Throws: `board.choices` where the file is not understood; the next choice replaces it.
    static func read(_ folders: Folders) throws(Failure) -> BoardChoices {
        let path = path(folders)
        do {
            guard let bytes = try PrivateFile.read(path, limit: mostBytes) else { return BoardChoices() }
            let json = try JSONValue(parsing: bytes, limits: JSONLimits(bytes: mostBytes))
            var choices = BoardChoices()
            if let text = json["language"]?.stringValue {
                guard let language = Language(rawValue: text) else { throw Failure(.boardChoices, .init("path", path)) }
                choices.language = language
            }
            if let text = json["colours"]?.stringValue {
                guard let colours = Colours(rawValue: text) else { throw Failure(.boardChoices, .init("path", path)) }
                choices.colours = colours
            }
            return choices
        } catch { throw Failure(.boardChoices, .init("path", path)) }
    }

    /// Adds one to those that are kept.
    static func keep(_ choice: BoardState.Choice, _ folders: Folders) throws(Failure) {
        var choices = (try? read(folders)) ?? BoardChoices()
        switch choice {
        case .language(let language): choices.language = language
        case .colours(let colours): choices.colours = colours
        }
        var members: [JSONValue.Member] = []
        if let language = choices.language { members.append(.init("language", .string(language.rawValue))) }
        if let colours = choices.colours { members.append(.init("colours", .string(colours.rawValue))) }
        let path = path(folders)
        do throws(SealedError) { try PrivateFile.write(Array(JSONValue.object(members).serialized().utf8), to: path) } catch {
            throw Failure(.boardUnkept, .init("path", path))
        }
    }
}

extension ErrorCode {
    /// What was chosen on the board is not understood: `path`.
    static let boardChoices = ErrorCode("board.choices")
    /// What was chosen on the board cannot be written down: `path`.
    static let boardUnkept = ErrorCode("board.unkept")
}
