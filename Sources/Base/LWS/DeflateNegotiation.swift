import HTTP

/// What both ends agreed on. Our own end never takes a context over from message to message and lets the peer do so.
struct DeflateAgreement: Hashable, Sendable {
    /// log2 of the window we send with.
    var sendWindowBits = 15
}

/// The parameters of one permessage-deflate offer or answer (RFC 7692 §7.1).
struct DeflateParameters: Hashable {
    var serverTakesNothingOver = false
    var clientTakesNothingOver = false
    var serverWindowBits: Int?
    /// `.some(nil)`: offered without a value.
    var clientWindowBits: Int??

    /// Nil: another extension, an unknown or doubled parameter, or a value that does not belong; such an offer is declined, such an answer
    /// fails the connection.
    init?(_ text: String) {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(Self.trimmed)[...]
        guard parts.popFirst()?.lowercased() == "permessage-deflate" else { return nil }
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
            guard take(pair[0].lowercased(), pair.count > 1 ? Self.unquoted(pair[1]) : nil) else { return nil }
        }
    }

    private mutating func take(_ name: String, _ value: String?) -> Bool {
        switch name {
        case "server_no_context_takeover" where !serverTakesNothingOver && value == nil: serverTakesNothingOver = true
        case "client_no_context_takeover" where !clientTakesNothingOver && value == nil: clientTakesNothingOver = true
        case "server_max_window_bits" where serverWindowBits == nil:
            guard let bits = value.flatMap(Self.bits) else { return false }
            serverWindowBits = bits
        case "client_max_window_bits" where clientWindowBits == nil:
            let bits = value.flatMap(Self.bits)
            guard value == nil || bits != nil else { return false }
            clientWindowBits = .some(bits)
        default: return false
        }
        return true
    }

    /// 8 to 15, without a sign or leading noughts.
    private static func bits(_ text: String) -> Int? { (8...15).first { String($0) == text } }

    private static func trimmed(_ text: Substring) -> String {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = text.drop(while: isBlank)
        return String(start[..<(start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex)])
    }

    private static func unquoted(_ text: String) -> String {
        text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : text
    }
}

/// A server's choice among a client's offers: the first it can keep. Nil: none.
func deflateAnswer(to fields: HTTPFields) -> (agreement: DeflateAgreement, field: String)? {
    for offer in fields.list("sec-websocket-extensions") {
        guard let asked = DeflateParameters(offer), Deflater.windowBits.contains(asked.serverWindowBits ?? 15) else { continue }
        let window = asked.serverWindowBits.map { "; server_max_window_bits=\($0)" } ?? ""
        return (
            DeflateAgreement(sendWindowBits: asked.serverWindowBits ?? 15),
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover" + window
        )
    }
    return nil
}

/// A server's answer to our offer (`client_no_context_takeover` alone, so it must not limit our window). Nil in `agreement`: no deflate.
func deflateAgreement(from fields: HTTPFields, offered: Bool) throws(HTTPRefusal) -> DeflateAgreement? {
    let answers = fields.list("sec-websocket-extensions")
    guard let answer = answers.first else { return nil }
    guard offered, answers.count == 1, let given = DeflateParameters(answer), given.clientWindowBits == nil else {
        throw .init(400, "extension not asked for")
    }
    return DeflateAgreement()
}
