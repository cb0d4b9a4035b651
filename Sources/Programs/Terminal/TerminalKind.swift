public import Texts

/// Whether the board can be drawn on the terminal that an environment describes. Pure.
public enum TerminalKind: Hashable, Sendable {
    case capable
    /// `TERM` is `dumb` or not set: no cursor to move.
    case dumb
    /// The locale names another character set than UTF-8.
    case otherCharacters(String)

    /// By POSIX the first of `LC_ALL`, `LC_CTYPE`, `LANG` that is set and not empty counts. One without a character set (`C`, `POSIX`,
    /// none: a container's) says nothing about the terminal and is taken for UTF-8.
    public init(_ environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        guard !term.isEmpty, term != "dumb" else {
            self = .dumb
            return
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let parts = locale.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let name = parts[1].split(separator: "@").first else {
            self = .capable
            return
        }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        self = plain == "utf8" ? .capable : .otherCharacters(String(name.prefix(32)))
    }

    /// What to tell the user; nil where the board can be drawn.
    public var failure: Failure? {
        switch self {
        case .capable: nil
        case .dumb: Failure(.terminalDumb)
        case .otherCharacters(let name): Failure(.terminalCharacters, .init("charset", name))
        }
    }
}

extension ErrorCode {
    /// The terminal cannot move its cursor.
    public static let terminalDumb = ErrorCode("terminal.dumb")
    /// The locale's character set is not UTF-8. `charset`.
    public static let terminalCharacters = ErrorCode("terminal.characters")
}
