public import Texts

extension ErrorCode {
    /// A page of another site sent this: its Origin is not this server.
    public static let requestOrigin = ErrorCode("request.origin")
    /// The request names a host that this server is not: `host` (O-3).
    public static let requestHost = ErrorCode("request.host")
    /// A body that is not declared as `application/json`.
    public static let requestMediaType = ErrorCode("request.media-type")
}

/// The names under which a server answers (O-3). A page of another site may let its own name point at this machine (DNS rebinding): its
/// `Origin` is then the `Host` asked, and only the name tells. A numeric address is no name: whoever asks for it means that machine.
public struct HostRules: Hashable, Sendable {
    private let names: Set<String>

    /// `names`: beside `localhost` and numeric addresses; compared without case and without a final dot.
    public init(names: [String] = []) { self.names = Set(names.map(Self.plain)).union(["localhost"]) }

    /// Whether the request may be answered; one without a Host field (HTTP/1.0) may.
    public func allows(_ request: HTTPServerRequest) -> Bool {
        guard let host = request.headers["host"] else { return true }
        return allows(host: host)
    }

    /// `host`: as in the Host field, with or without a port.
    public func allows(host: String) -> Bool {
        var name = Substring(host)
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return false }
            let rest = name[name.index(after: end)...]
            let inside = name[..<end].dropFirst()
            let isAddress = inside.utf8.contains(58) && inside.utf8.allSatisfy { Self.isHex($0) || $0 == 58 || $0 == 46 }
            return isAddress && Self.isPort(rest)
        }
        if let colon = name.firstIndex(of: ":") {
            guard Self.isPort(name[colon...]) else { return false }
            name = name[..<colon]
        }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 4 && parts.allSatisfy({ UInt8($0) != nil && $0.utf8.first != 43 }) { return true }
        return names.contains(Self.plain(String(name)))
    }

    /// The refusal where it is not allowed: 421, RFC 9110 §15.5.20.
    public func refusal(of request: HTTPServerRequest, describe: (Failure) -> String = { $0.code.rawValue }) -> HTTPResponse? {
        guard !allows(request) else { return nil }
        let failure = Failure(.requestHost)
        return .json(failure.json(text: describe(failure)), status: failure.httpStatus)
    }

    private static func plain(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil && text.utf8.dropFirst().first != 43
    }

    private static func isHex(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte) || (65...70).contains(byte) }
}

extension HTTPServerRequest {
    /// Whether the peer is this machine.
    public var isFromLoopback: Bool { Self.isLoopback(remoteAddress) }

    /// A numeric address of this machine.
    public static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
    }

    /// Whether a browser says that a page of another site sent this (O-3): there is an `Origin`, and it is not the `Host` asked. Programs
    /// send none. `null` and whatever cannot be read are foreign.
    public var isFromForeignOrigin: Bool {
        guard let origin = headers["origin"] else { return false }
        guard let host = headers["host"], let mark = origin.firstRange(of: "://") else { return true }
        let scheme = origin[..<mark.lowerBound].lowercased()
        let defaultPort: String
        switch scheme {
        case "http", "ws": defaultPort = ":80"
        case "https", "wss": defaultPort = ":443"
        default: return true
        }
        func plain(_ authority: some StringProtocol) -> String {
            let text = authority.lowercased()
            return text.hasSuffix(defaultPort) ? String(text.dropLast(defaultPort.count)) : text
        }
        return plain(origin[mark.upperBound...]) != plain(host)
    }

    /// The refusal of an upgrade that a page of another site asked for; nil: let it through (O-3).
    public func originRefusal(describe: (Failure) -> String = { $0.code.rawValue }) -> HTTPResponse? {
        guard isFromForeignOrigin else { return nil }
        let failure = Failure(.requestOrigin)
        return .json(failure.json(text: describe(failure)), status: failure.httpStatus)
    }

    /// Whether the body is declared as JSON in UTF-8. A page of another site can send forms and plain text without asking, JSON never.
    var hasJSONBody: Bool {
        guard let field = headers["content-type"] else { return body.isEmpty }
        var parts = field.split(separator: ";", omittingEmptySubsequences: false).map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        guard parts.removeFirst() == "application/json" else { return false }
        return parts.allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" || !$0.hasPrefix("charset=") }
    }
}
