import Accounts
import HTTP
import Texts

extension Commands {
    static let api = Command(words: ["api"], summary: .helpCommandApi) { invocation in
        let entries = APIList.all.map { JSONValue.string($0.endpoint) }
        invocation.output.show(.object([.init("endpoints", .array(entries))]), text: APIDocument.lines)
    }
}

/// `docs/api.md`, made from the list of endpoints.
enum APIDocument {
    static var lines: [String] {
        head + APIList.all.flatMap(section) + [
            "Quotes travel over WebSocket `/quotes`, orders over Socket.IO `/socket.io/`: [messages](messages.md)."
        ]
    }

    private static let head = [
        "<!-- Made by scripts/api from Sources/Shared/Accounts. Do not edit. -->", "# HTTP API", "",
        "JSON in UTF-8, one port for everything. Prices, quantities and money are decimal text. With GET and DELETE members travel in path and",
        "query, else in a body of `application/json`, each name once. `Authorization: Bearer ACCESS` where a scope is named. Every answer has an",
        "`X-Request-Id`; a client's own is kept where it is 1 to 64 letters, digits, `-` or `_`.", "",
        "An error is `{\"error\":{\"code\",\"args\",\"text\"}}`. Any address may answer `request.invalid` 400, `auth.invalid` and `auth.expired` 401,",
        "`auth.scope` and `request.origin` 403, `request.too-large` 413, `request.media-type` 415, `request.host` 421, `rate.limited` 429 with",
        "`Retry-After`, `server.unavailable` and `server.full` 503, `storage.full` 507.", "",
    ]

    private static func section(_ entry: APIEntry) -> [String] {
        var lines = ["## \(entry.endpoint)", "", entry.summary, ""]
        let scope: String
        switch entry.authentication {
        case .none: scope = "none"
        case .bearer(let needed): scope = "`\(needed.rawValue)`"
        case .loopbackOr(let needed): scope = "none on the server's machine, `\(needed.rawValue)` from elsewhere"
        }
        lines.append("- scope: \(scope)")
        lines.append("- after a broken connection: " + (entry.isReplaySafe ? "may be sent again" : "never sent again by itself"))
        if !entry.errors.isEmpty {
            let errors = entry.errors.map { "`\($0.rawValue)` \(Failure($0).httpStatus)" }
            lines.append("- errors: " + errors.joined(separator: ", "))
        }
        if let input = entry.input { lines.append("- example: `\(input.serialized())`") }
        lines += ["- answer: `\(entry.output)`", ""]
        return lines
    }
}
