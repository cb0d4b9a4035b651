import Foundation
import HTTP
import LWS
import Synchronization
import Transport

/// One case of the WebSocket vectors: the bytes a server sends right after its 101, a write each, and what must come of them.
struct WebSocketFrameCase {
    let writes: [[UInt8]]
    /// The extension the server's answer names.
    let negotiated: String?
    private let expect: JSONValue

    /// True: the file has the layout of WebSocket vectors.
    static func recognises(_ json: JSONValue) -> Bool {
        json["cases"]?[0]?["server_bytes_hex"] != nil || json["cases"]?[0]?["server_bytes_base64"] != nil
    }

    init(_ json: JSONValue) throws {
        if let lines = json["server_bytes_hex"]?.arrayValue {
            writes = try lines.map { try Self.bytes($0.stringValue ?? "") }
        } else {
            guard let data = Data(base64Encoded: json["server_bytes_base64"]?.stringValue ?? "") else { throw RawTCPError("no bytes") }
            writes = [Array(data)]
        }
        negotiated = json["negotiated"]?.stringValue
        expect = json["expect"] ?? .null
    }

    /// `LONG:HEX:TOTAL…` is a header with filler behind it.
    private static func bytes(_ text: String) throws -> [UInt8] {
        guard text.hasPrefix("LONG:") else { return try hexBytes(text) }
        let parts = text.dropFirst(5).split(separator: ":")
        guard parts.count == 2, let total = Int(parts[1].drop { !$0.isNumber }) else { throw RawTCPError("bad LONG: \(text)") }
        let start = try hexBytes(String(parts[0]))
        return start + [UInt8](repeating: 0x71, count: total - start.count)
    }

    /// Codes of which the reading end must fail the connection with one; empty: it must not.
    var failures: [Int] {
        let either = expect["messages_or_fail"]?.arrayValue?.compactMap(\.intValue) ?? []
        return either + [expect["fail"]?.intValue].compactMap { $0 } + (expect["fail_any"]?.arrayValue?.compactMap(\.intValue) ?? [])
    }

    /// The code the peer's close frame gives.
    var close: Int? { expect["close"]?.intValue }
    var pongs: [String] { expect["pongs"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
    /// Whether the reading end closes without the peer's end of stream.
    var endsItself: Bool { close != nil || !failures.isEmpty && !isEither }
    /// Whether the whole messages may come instead of a failure.
    private var isEither: Bool { expect["messages_or_fail"] != nil }

    /// What is wrong with what a reading end made of the bytes; nil: nothing.
    func fault(messages: [WebSocketMessage], closure: WebSocketClosure?, pongs: [[UInt8]]) -> String? {
        let wanted =
            expect["messages"]?.arrayValue ?? (isEither ? expect["messages_or_fail"]?.arrayValue?.filter { $0.intValue == nil } : nil)
        let code = closure.map { Int($0.code) }
        let hasFailed = code.map(failures.contains) ?? false
        if let wanted, !(isEither && hasFailed) {
            guard wanted.count == messages.count, zip(wanted, messages).allSatisfy(Self.agree) else { return "messages \(messages)" }
        }
        if !failures.isEmpty && !hasFailed && !isEither { return "closed with \(code.map(String.init) ?? "nothing")" }
        if let close, code != close { return "close code \(code.map(String.init) ?? "none")" }
        if let reason = expect["reason"]?.stringValue, closure?.reason != reason { return "close reason \(closure?.reason ?? "none")" }
        if failures.isEmpty && close == nil, let code, code != 1006 { return "closed with \(code)" }
        return pongs.map(hexText) == self.pongs ? nil : "pongs \(pongs.map(hexText))"
    }

    private static func agree(_ wanted: JSONValue, _ message: WebSocketMessage) -> Bool {
        switch message {
        case .text(let text): wanted["text"]?.stringValue == text || wanted["len"]?.intValue == text.utf8.count
        case .binary(let bytes): wanted["hex"]?.stringValue == hexText(bytes) || wanted["len"]?.intValue == bytes.count
        }
    }
}

/// How the bytes are cut.
enum WebSocketCut: String, CaseIterable {
    case asWritten = "as written"
    /// All in the same write as the handshake.
    case glued
    case bytewise = "one byte a write"

    /// More writes than this say nothing new.
    private static let mostWrites = 4096

    func writes(_ handshake: [UInt8], _ writes: [[UInt8]]) -> [[UInt8]] {
        switch self {
        case .asWritten: [handshake] + writes
        case .glued: [handshake + writes.flatMap { $0 }]
        case .bytewise:
            [handshake] + writes.flatMap { $0 }.prefix(Self.mostWrites).map { [$0] } + [
                Array(writes.flatMap { $0 }.dropFirst(Self.mostWrites))
            ]
        }
    }
}

/// The same frames as the other side would send them: masked where they were not, unmasked where they were; cut at the same places.
func mirrored(_ writes: [[UInt8]]) -> [[UInt8]] {
    let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    var out: [[UInt8]] = []
    /// Of the frame at hand: its header so far, payload bytes to come, and how many went.
    var header: [UInt8] = []
    var (remaining, gone): (UInt64, Int) = (0, 0)
    for write in writes {
        var cut: [UInt8] = []
        for byte in write {
            if remaining > 0 {
                // A frame that was masked loses its mask by the same XOR.
                let mask = header[1] & 0x80 == 0 ? key : Array(header.suffix(4))
                cut.append(byte ^ mask[gone & 3])
                (remaining, gone) = (remaining - 1, gone + 1)
                if remaining == 0 { header = [] }
                continue
            }
            header.append(byte)
            let extended = header.count < 2 ? 0 : [126: 2, 127: 8][header[1] & 0x7F] ?? 0
            let isMasked = header.count >= 2 && header[1] & 0x80 != 0
            if header.count <= 2 + extended { cut.append(header.count == 2 ? byte ^ 0x80 : byte) }
            guard header.count == 2 + extended + (isMasked ? 4 : 0), header.count >= 2 else { continue }
            if !isMasked { cut += key }
            let length = extended == 0 ? UInt64(header[1] & 0x7F) : header[2..<2 + extended].reduce(0) { $0 << 8 | UInt64($1) }
            (remaining, gone) = (length, 0)
            if remaining == 0 { header = [] }
        }
        out.append(cut)
    }
    return out
}

/// Short frames that one of our ends sent.
func frames(in bytes: [UInt8]) -> [(opcode: UInt8, payload: [UInt8])] {
    var out: [(opcode: UInt8, payload: [UInt8])] = []
    var rest = bytes[...]
    while rest.count >= 2 {
        let (first, second) = (rest[rest.startIndex], rest[rest.startIndex + 1])
        let count = Int(second & 0x7F)
        let key = second & 0x80 == 0 ? [0, 0, 0, 0] : Array(rest.dropFirst(2).prefix(4))
        let start = second & 0x80 == 0 ? 2 : 6
        guard count < 126, rest.count >= start + count else { return out }
        out.append((first & 0x0F, rest.dropFirst(start).prefix(count).enumerated().map { $1 ^ key[$0 % 4] }))
        rest = rest.dropFirst(start + count)
    }
    return out
}
