public import Texts

/// A WebSocket's address, checked (O-3).
public struct WebSocketAddress: Hashable, Sendable {
    /// `ws(s)://host[:port]/path`; scheme and host in lower case.
    public let url: String

    /// - Throws: `connection.insecure` for `ws:` to another machine, `request.invalid` for what is no such address.
    public init(_ text: String) throws(Failure) {
        let isSecure = text.lowercased().hasPrefix("wss://")
        guard isSecure || text.lowercased().hasPrefix("ws://") else { throw .invalid("url") }
        let rest = text.dropFirst(isSecure ? 6 : 5)
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        // Printable ASCII without query and fragment: a secret has no place there.
        let isPath = path.utf8.count <= 256 && path.utf8.allSatisfy { (33...126).contains($0) && $0 != 35 && $0 != 63 }
        guard !path.isEmpty, isPath else { throw .invalid("url") }
        do throws(Failure) {
            let server = try ServerAddress((isSecure ? "https://" : "http://") + authority)
            url = (isSecure ? "wss" : "ws") + server.url.dropFirst(isSecure ? 5 : 4) + path
        } catch { throw error.code == .connectionInsecure ? error : .invalid("url") }
    }
}
