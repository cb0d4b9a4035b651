import HTTP

/// Why a peer's bytes are no request we serve: the answer's status, after which the connection ends.
struct HTTPRefusal: Error, Hashable {
    var status: Int
    var reason: String
    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// A request's line and fields, checked (RFC 9112). Strict where leniency lets two parsers disagree about where a request ends.
struct HTTPRequestHead: Hashable {
    var method: String
    var path: String
    var query: String
    var fields: HTTPFields
    static let mostFields = 100
    var keepAlive: Bool
    var body: Body
    var expectsContinue: Bool

    enum Body: Hashable {
        case none
        case length(Int)
        case chunked
    }

    /// `text`: everything up to and without the blank line.
    init(_ text: some Collection<UInt8>) throws(HTTPRefusal) {
        var lines = try Self.lines(text)[...]
        guard let line = lines.popFirst() else { throw .init(400, "empty request") }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3 else { throw .init(400, "request line") }
        guard words[0].utf8.count <= 20, Self.isToken(words[0]) else { throw .init(400, "method") }
        method = String(words[0])
        let isOld = words[2] == "HTTP/1.0"
        guard isOld || words[2] == "HTTP/1.1" else { throw .init(words[2].hasPrefix("HTTP/") ? 505 : 400, "version") }
        (path, query) = try Self.target(words[1])
        fields = try Self.fields(lines)
        let hosts = fields.values("host")
        guard hosts.count == 1 || (isOld && hosts.isEmpty) else { throw .init(400, "one Host field is needed") }
        let connection = fields.tokens("connection")
        keepAlive = isOld ? connection.contains("keep-alive") : !connection.contains("close")
        body = try Self.body(fields, isOld: isOld)
        expectsContinue = !isOld && fields["expect"]?.lowercased() == "100-continue"
        if fields["expect"] != nil && !expectsContinue { throw .init(417, "expectation") }
    }

    private static func lines(_ text: some Collection<UInt8>) throws(HTTPRefusal) -> [Substring] {
        for byte in text where byte < 0x20 && byte != 0x0D && byte != 0x0A && byte != 0x09 || byte == 0x7F {
            throw .init(400, "control character in header")
        }
        guard let whole = String(validating: text, as: UTF8.self) else { throw .init(400, "header is not UTF-8") }
        let lines = whole.split(separator: "\r\n", omittingEmptySubsequences: false)
        for line in lines where line.utf8.contains(0x0D) || line.utf8.contains(0x0A) { throw .init(400, "bare line break") }
        return lines
    }

    /// Also the reader of an answer's fields.
    static func fields(_ lines: some Collection<Substring>) throws(HTTPRefusal) -> HTTPFields {
        guard lines.count <= mostFields else { throw .init(431, "too many fields") }
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .init(400, "field without colon") }
            let name = line[..<colon]
            guard isToken(name) else { throw .init(400, "field name") }
            fields.append(String(name), trimmed(line[line.utf8.index(after: colon)...]))
        }
        return fields
    }

    private static func body(_ fields: HTTPFields, isOld: Bool) throws(HTTPRefusal) -> Body {
        let lengths = fields.values("content-length")
        let codings = fields.values("transfer-encoding")
        if !codings.isEmpty {
            guard lengths.isEmpty, !isOld else { throw .init(400, "Transfer-Encoding beside Content-Length or in HTTP/1.0") }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else { throw .init(501, "transfer coding") }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        guard lengths.count == 1, (1...18).contains(length.utf8.count), length.utf8.allSatisfy({ (48...57).contains($0) }),
            let count = Int(length)
        else { throw .init(400, "Content-Length") }
        return count == 0 ? .none : .length(count)
    }

    private static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
        while let last = rest.utf8.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
        return String(rest)
    }

    // MARK: Target

    private static func target(_ text: Substring) throws(HTTPRefusal) -> (path: String, query: String) {
        var text = text
        let lower = text.prefix(8).lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") {
            text = text.dropFirst(lower.hasPrefix("http://") ? 7 : 8)
            text = text[(text.firstIndex(of: "/") ?? text.endIndex)...]
            if text.isEmpty { text = "/" }
        }
        guard text.utf8.first == UInt8(ascii: "/"), !text.utf8.contains(UInt8(ascii: "#")), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { throw .init(400, "request target") }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (try decodedPath(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    /// Percent-decoded; refuses what could mean another path to another reader: encoded slashes, backslashes, controls, dot segments.
    static func decodedPath(_ raw: Substring) throws(HTTPRefusal) -> String {
        var bytes: [UInt8] = []
        var rest = raw.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                throw .init(400, "percent encoding")
            }
            let decoded = high << 4 | low
            guard decoded != UInt8(ascii: "/") else { throw .init(400, "encoded slash in path") }
            bytes.append(decoded)
        }
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }),
            let path = String(validating: bytes, as: UTF8.self)
        else { throw .init(400, "path") }
        // By bytes: a combining mark after a slash would hide it from a split by characters.
        for segment in bytes.split(separator: UInt8(ascii: "/")) where segment == [0x2E] || segment == [0x2E, 0x2E] {
            throw .init(400, "dot segment in path")
        }
        return path
    }

    static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 48...57: byte - 48
        case 65...70: byte - 55
        case 97...102: byte - 87
        default: nil
        }
    }
}

extension HTTPFields {
    /// All values of a name (given in lower case).
    func values(_ name: String) -> [String] { fields.filter { $0.name.lowercased() == name }.map(\.value) }

    /// The comma-separated words of a name's values in lower case.
    func tokens(_ name: String) -> [String] { list(name).map { $0.lowercased() } }

    /// The comma-separated words of a name's values as written.
    func list(_ name: String) -> [String] {
        values(name).flatMap { value in
            value.split(separator: ",").map { word in
                String(word.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
            }
        }.filter { !$0.isEmpty }
    }
}
