import HTTP
import Texts

/// A server that cannot be reached, as people are told: which, what to do where it is one of this machine, and whether anything changed.
struct NoConnection {
    var server: String
    /// The command would have changed something.
    var isChange: Bool

    var failure: Failure { Failure(.connectionNotConnected, arguments: [.init("server", server)]) }

    func text(in language: Language) -> String {
        var parts = [Text.connectionNone(server: server)]
        if let start { parts.append(.connectionStartIt(command: start)) }
        if isChange { parts.append(.connectionUnchanged) }
        return parts.map { $0.words(in: language) }.joined(separator: language == .english ? ". " : "。")
    }

    /// The command that starts it; nil where it is another machine's, or one that takes more than a port.
    private var start: String? {
        guard server.hasPrefix("http://"), let host = (try? ServerAddress(server))?.host, ["127.0.0.1", "localhost"].contains(host) else {
            return nil
        }
        let port = server.split(separator: ":").last.map(String.init) ?? ""
        return port == "7701" ? "causeway serve" : "causeway serve --port " + (UInt16(port) == nil ? "80" : port)
    }
}
