import CWebSockets
import HTTP
import Transport

/// Base64 of the SHA-1 that proves the server read the key (RFC 6455 §4.2.2).
package func webSocketAcceptValue(key: String) -> String {
    let input = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
    var digest = [UInt8](repeating: 0, count: 20)
    _ = SHA1(input, input.count, &digest)
    return base64(digest)
}

func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var out: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = (0..<3).map { start + $0 < bytes.count ? UInt32(bytes[start + $0]) : 0 }
        let bits = group[0] << 16 | group[1] << 8 | group[2]
        for place in 0..<4 {
            out.append(start + place - 1 < bytes.count || place < 2 ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
        }
    }
    return String(decoding: out, as: UTF8.self)
}

/// Checks an upgrade request's own fields; gives the key. Nil: it asks for no WebSocket.
func webSocketKey(_ head: HTTPRequestHead) throws(HTTPRefusal) -> String? {
    guard head.fields.tokens("upgrade").contains("websocket"), head.fields.tokens("connection").contains("upgrade") else { return nil }
    guard head.method == "GET", head.body == .none, head.keepAlive else { throw .init(400, "upgrade request") }
    guard head.fields.values("sec-websocket-version") == ["13"] else { throw .init(426, "Sec-WebSocket-Version 13") }
    let keys = head.fields.values("sec-websocket-key")
    guard keys.count == 1, keys[0].utf8.count == 24, keys[0].hasSuffix("==") else { throw .init(400, "Sec-WebSocket-Key") }
    return keys[0]
}

/// The 101 answer.
func webSocketUpgradeAnswer(key: String, subprotocol: String?, extensions: String?) -> [UInt8] {
    var text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    text += "Sec-WebSocket-Accept: \(webSocketAcceptValue(key: key))\r\n"
    if let subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if let extensions { text += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
    return Array((text + "\r\n").utf8)
}

/// A dial's URL, cut.
struct WebSocketURL: Hashable {
    var isSecure: Bool
    var host: String
    var port: Int
    /// Path and query, at least `/`.
    var target: String

    /// Nil: not `ws://` or `wss://` with a host, or characters that do not belong.
    init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), text.utf8.count <= 8192 else { return nil }
        let lower = text.prefix(6).lowercased()
        guard lower.hasPrefix("ws://") || lower == "wss://" else { return nil }
        isSecure = lower == "wss://"
        let rest = text.dropFirst(isSecure ? 6 : 5)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        var authority = rest[..<end]
        let tail = rest[end...].prefix { $0 != "#" }
        target = tail.hasPrefix("/") ? String(tail) : "/" + tail
        guard !authority.contains("@") else { return nil }
        port = isSecure ? 443 : 80
        if let colon = authority.lastIndex(of: ":"), authority[colon...].firstIndex(of: "]") == nil {
            guard let number = Int(authority[authority.index(after: colon)...]), (1...65_535).contains(number) else { return nil }
            port = number
            authority = authority[..<colon]
        }
        if authority.hasPrefix("[") && authority.hasSuffix("]") { authority = authority.dropFirst().dropLast() }
        guard !authority.isEmpty, authority.utf8.count <= 253 else { return nil }
        host = String(authority)
    }

    /// The Host field.
    var hostField: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }
}

/// The client's request.
func webSocketRequest(_ url: WebSocketURL, key: String, _ request: WebSocketDialRequest) -> [UInt8] {
    var text = "GET \(url.target) HTTP/1.1\r\nHost: \(url.hostField)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
    if let subprotocol = request.subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if request.deflate { text += "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover\r\n" }
    for field in request.headers.fields where !field.name.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F || $0 == 0x3A }) {
        guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { continue }
        text += "\(field.name): \(field.value)\r\n"
    }
    return Array((text + "\r\n").utf8)
}

/// Reads the answer to our upgrade request.
struct WebSocketAnswerReader {
    private let key: String
    private let subprotocol: String?
    private let deflate: Bool
    private var buffer: [UInt8] = []
    private var refusal: (status: Int, start: Int, length: Int?)?
    private static let limit = 64 << 10

    enum Outcome: Hashable {
        case opened(deflate: DeflateAgreement?, rest: [UInt8])
        case failed(WebSocketDialFailure)
    }

    init(key: String, subprotocol: String?, deflate: Bool) {
        self.key = key
        self.subprotocol = subprotocol
        self.deflate = deflate
    }

    /// Nil: more bytes are needed.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Outcome? {
        buffer.append(contentsOf: bytes)
        if let refusal { return outcome(of: refusal) }
        guard let end = Self.blankLine(buffer) else {
            return buffer.count > 16 << 10 ? .failed(.network("answer header too large")) : nil
        }
        do {
            return try judge(end)
        } catch {
            return .failed(.network("bad answer to the upgrade: \(error.reason)"))
        }
    }

    /// The peer closed; a refusal's body may end so.
    func ended() -> WebSocketDialFailure {
        guard let refusal else { return .network("connection closed during the upgrade") }
        return .refused(status: refusal.status, body: Array(buffer[refusal.start...]))
    }

    private mutating func judge(_ end: Int) throws(HTTPRefusal) -> Outcome? {
        guard let text = String(validating: buffer[..<end], as: UTF8.self) else { throw .init(400, "not UTF-8") }
        var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let words = (lines.popFirst() ?? "").split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (100...599).contains(status) else {
            throw .init(400, "status line")
        }
        let fields = try HTTPRequestHead.fields(lines)
        guard status == 101 else {
            let found = (status, end + 4, fields["content-length"].flatMap { Int($0) })
            refusal = found
            return outcome(of: found)
        }
        guard fields.tokens("upgrade") == ["websocket"], fields.tokens("connection").contains("upgrade") else {
            throw .init(400, "no upgrade")
        }
        guard fields.values("sec-websocket-accept") == [webSocketAcceptValue(key: key)] else { throw .init(400, "Sec-WebSocket-Accept") }
        if let chosen = fields["sec-websocket-protocol"], chosen != subprotocol { throw .init(400, "subprotocol not asked for") }
        if subprotocol != nil && fields["sec-websocket-protocol"] == nil { throw .init(400, "subprotocol not accepted") }
        let deflate = try deflateAgreement(from: fields, offered: deflate)
        return .opened(deflate: deflate, rest: Array(buffer[(end + 4)...]))
    }

    private func outcome(of refusal: (status: Int, start: Int, length: Int?)) -> Outcome? {
        let have = buffer.count - refusal.start
        let wanted = min(refusal.length ?? Self.limit, Self.limit)
        guard have >= wanted else { return nil }
        return .failed(.refused(status: refusal.status, body: Array(buffer[refusal.start...].prefix(wanted))))
    }

    private static func blankLine(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first {
            bytes[$0] == 0x0D && bytes[$0 + 1] == 0x0A && bytes[$0 + 2] == 0x0D && bytes[$0 + 3] == 0x0A
        }
    }
}
