public import Texts

extension ErrorCode {
    /// A page of another site sent this: its Origin is not this server.
    public static let requestOrigin = ErrorCode("request.origin")
    /// A body that is not declared as `application/json`.
    public static let requestMediaType = ErrorCode("request.media-type")
}

extension HTTPServerRequest {
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
