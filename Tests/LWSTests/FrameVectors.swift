import Foundation
import Testing
import Transport

@testable import LWS

func acceptValue(_ key: String) -> String { webSocketAcceptValue(key: key) }

/// One case of `Tests/Fixtures/ws/ws_frames.json`: what a server sends right after a good 101, and what must come of it.
struct FrameVector: Sendable, CustomTestStringConvertible {
    var id: String
    var writes: [[UInt8]]
    var extensions: String?
    var messages: [Expected]?
    var pongs: [[UInt8]]
    var fail: [UInt16]
    var close: UInt16?
    var reason: String?
    var testDescription: String { id }

    enum Expected: Hashable {
        case message(WebSocketMessage)
        case length(Int)
        func matches(_ message: WebSocketMessage) -> Bool {
            switch (self, message) {
            case (.message(let wanted), _): wanted == message
            case (.length(let count), .binary(let bytes)): bytes.count == count
            case (.length(let count), .text(let text)): text.utf8.count == count
            }
        }
    }

    static let all: [FrameVector] = {
        guard let data = try? Data(contentsOf: fixture("ws/ws_frames.json")),
            let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let cases = file["cases"] as? [[String: Any]]
        else { return [] }
        return cases.compactMap(FrameVector.init)
    }()

    private init?(_ item: [String: Any]) {
        guard let id = item["id"] as? String, let expect = item["expect"] as? [String: Any] else { return nil }
        self.id = id
        extensions = item["negotiated"] as? String
        if let lines = item["server_bytes_hex"] as? [String] {
            writes = lines.map(Self.bytes)
        } else {
            guard let text = item["server_bytes_base64"] as? String, let data = Data(base64Encoded: text) else { return nil }
            writes = [Array(data)]
        }
        let either = expect["messages_or_fail"] as? [Any]
        messages = (expect["messages"] as? [[String: Any]] ?? either?.compactMap { $0 as? [String: Any] })?.map(Self.expected)
        pongs = (expect["pongs"] as? [String] ?? []).map(hex)
        fail = (expect["fail"] as? Int).map { [UInt16($0)] } ?? (expect["fail_any"] as? [Int])?.map { UInt16($0) } ?? []
        close = (expect["close"] as? Int).map { UInt16($0) }
        reason = expect["reason"] as? String
    }

    private static func bytes(_ text: String) -> [UInt8] {
        guard text.hasPrefix("LONG:") else { return hex(text) }
        let parts = text.dropFirst(5).split(separator: ":")
        let total = parts.last.flatMap { Int($0.dropFirst(6)) } ?? 0
        let start = hex(String(parts[0]))
        return start + [UInt8](repeating: 0x71, count: total - start.count)
    }

    private static func expected(_ item: [String: Any]) -> Expected {
        if let text = item["text"] as? String { return .message(.text(text)) }
        if let text = item["hex"] as? String { return .message(.binary(hex(text))) }
        return .length(item["len"] as? Int ?? -1)
    }

    var isBreaking: Bool { !fail.isEmpty }
}

@Suite struct FrameVectorTests {
    @Test func areAllRead() { #expect(FrameVector.all.count == 36) }

    // B-10, cases WS: the reader alone, as written and one byte at a time.
    @Test(arguments: FrameVector.all, [false, true]) func reader(_ vector: FrameVector, bytewise: Bool) {
        let inflater = vector.extensions == nil ? nil : Inflater()
        var reader = WebSocketReader(side: .client, maximumMessageSize: 6_000_000, inflater: inflater)
        var arrivals: [WebSocketArrival] = []
        for write in vector.writes {
            if bytewise {
                for byte in write { [byte].withUnsafeBytes { reader.read($0, into: &arrivals) } }
            } else {
                write.withUnsafeBytes { reader.read($0, into: &arrivals) }
            }
        }
        let messages = arrivals.compactMap { if case .message(let message) = $0 { message } else { nil } }
        if let wanted = vector.messages {
            #expect(messages.count == wanted.count)
            #expect(zip(wanted, messages).allSatisfy { $0.matches($1) })
        }
        #expect(arrivals.compactMap { if case .ping(let bytes) = $0 { bytes } else { nil } } == vector.pongs)
        switch arrivals.last {
        case .failure(let closure): #expect(vector.fail.contains(closure.code))
        case .close(let closure):
            #expect(closure.code == vector.close)
            if let reason = vector.reason { #expect(closure.reason == reason) }
        default: #expect(vector.fail.isEmpty && vector.close == nil)
        }
    }

    // B-10, WS-1, WS-2, WS-4, WS-5, WS-7: the whole client against a raw server.
    @Test(.timeLimit(.minutes(5)), arguments: FrameVector.all) func client(_ vector: FrameVector) async throws {
        let listener = try RawListener()
        let client = try LWSClient()
        let events = Events()
        async let heard = onThread { () -> [UInt8] in
            let peer = try listener.takeWebSocket(extensions: vector.extensions)
            for write in vector.writes { try peer.say(write) }
            // A pong needs a peer that still listens when it is due.
            let pongs = try vector.pongs.flatMap { try peer.hear(exactly: 6 + $0.count) }
            if !vector.isBreaking && vector.close == nil { peer.endWriting() }
            return try pongs + peer.hearToEnd()
        }
        let request = WebSocketDialRequest(
            url: "ws://127.0.0.1:\(listener.port)/x", maximumMessageSize: 6_000_000, deflate: vector.extensions != nil)
        _ = client.dialer.dial(request, events.receive)
        let seen = await events.collect()
        let sent = try await heard
        if let wanted = vector.messages {
            #expect(seen.messages.count == wanted.count)
            #expect(zip(wanted, seen.messages).allSatisfy { $0.matches($1) })
        }
        let code = try #require(seen.closure?.code)
        let frames = unmasked(sent)
        if vector.isBreaking {
            #expect(vector.fail.contains(code))
            #expect(frames.last.map { $0.opcode == 8 && Array($0.payload.prefix(2)) == [UInt8(code >> 8), UInt8(code & 0xFF)] } == true)
        } else if let close = vector.close {
            #expect(code == close)
            #expect(frames.last?.payload == (close == 1005 ? [] : [UInt8(close >> 8), UInt8(close & 0xFF)]))
        } else {
            #expect(code == 1006)
        }
        #expect(frames.filter { $0.opcode == 10 }.map(\.payload) == vector.pongs)
        await client.stop()
    }
}

/// Frames a client sent, unmasked; short ones only.
func unmasked(_ bytes: [UInt8]) -> [(opcode: UInt8, payload: [UInt8])] {
    var out: [(opcode: UInt8, payload: [UInt8])] = []
    var rest = bytes[...]
    while rest.count >= 6 {
        let start = rest.startIndex
        let count = Int(rest[start + 1] & 0x7F)
        let key = Array(rest[(start + 2)..<(start + 6)])
        guard count < 126, rest.count >= 6 + count else { return out }
        out.append((rest[start] & 0x0F, rest[(start + 6)..<(start + 6 + count)].enumerated().map { $1 ^ key[$0 % 4] }))
        rest = rest.dropFirst(6 + count)
    }
    return out
}

/// A masked frame as a client sends it.
func masked(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let key: [UInt8] = [0x11, 0x22, 0x33, 0x44]
    var out: [UInt8] = [first]
    if payload.count < 126 {
        out.append(0x80 | UInt8(payload.count))
    } else {
        out += [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    }
    return out + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
}
