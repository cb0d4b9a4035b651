import HTTP
import Testing
import Transport

@testable import LWS

/// permessage-deflate to the letter of RFC 7692: what is agreed on, and what of it is refused.
@Suite(.timeLimit(.minutes(5))) struct DeflateTests {
    // B-10, RFC 7692 §7.1: the server takes the first offer it can keep and refuses what breaks the grammar by not taking it.
    @Test(arguments: [
        ("permessage-deflate", ""),
        ("permessage-deflate; client_max_window_bits", ""),
        ("permessage-deflate; client_max_window_bits=12; server_no_context_takeover", ""),
        ("permessage-deflate; server_max_window_bits=12; client_max_window_bits=12", "; server_max_window_bits=12"),
        ("permessage-deflate ;\tserver_max_window_bits = \"15\"", "; server_max_window_bits=15"),
        ("x-webkit-deflate-frame, permessage-deflate", ""),
        ("permessage-deflate; server_max_window_bits=8, permessage-deflate", ""),
        ("permessage-deflate; unheard_of, permessage-deflate; server_max_window_bits=9", "; server_max_window_bits=9"),
        ("permessage-deflate; server_max_window_bits=8", nil),
        ("permessage-deflate; server_max_window_bits", nil),
        ("permessage-deflate; server_max_window_bits=16", nil),
        ("permessage-deflate; server_max_window_bits=012", nil),
        ("permessage-deflate; server_max_window_bits=+9", nil),
        ("permessage-deflate; client_max_window_bits=7", nil),
        ("permessage-deflate; server_no_context_takeover=1", nil),
        ("permessage-deflate; client_no_context_takeover; client_no_context_takeover", nil),
        ("permessage-deflate; unheard_of", nil),
        ("permessage-deflate; server no_context_takeover", nil),
        ("permessage-deflate;", nil),
        ("x-webkit-deflate-frame", nil),
    ]) func serverAgrees(_ offer: String, _ added: String?) async throws {
        let options = WebSocketAcceptOptions(deflate: true)
        let server = try LWSServer(
            LWSServerConfiguration(
                port: 0, http: { _ in HTTPResponse(status: 404) }, webSocket: { _ in .accept(options) { _ in { _ in } } }))
        let port = server.port
        let head = try await onThread {
            let peer = try RawSocket(port: port)
            let upgrade = "Host: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            try peer.say("GET / HTTP/1.1\r\n\(upgrade)\(key)Sec-WebSocket-Extensions: \(offer)\r\n\r\n")
            return try peer.hearHead()
        }
        await server.stop()
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Extensions: ") }
        let ours = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover"
        #expect(line.map(String.init) == added.map { ours + $0 })
    }

    // B-10, RFC 7692 §7.1: the client takes only an answer that its offer allows.
    @Test(arguments: [
        ("permessage-deflate", true), ("permessage-deflate; server_no_context_takeover", true),
        ("permessage-deflate; client_no_context_takeover; server_max_window_bits=8", true),
        ("permessage-deflate; server_max_window_bits=\"10\"", true),
        ("permessage-deflate; client_max_window_bits=15", false), ("permessage-deflate; server_max_window_bits=16", false),
        ("permessage-deflate; server_max_window_bits", false), ("permessage-deflate; unheard_of", false),
        ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", false),
        ("permessage-deflate; server_no_context_takeover=no", false), ("permessage-deflate, permessage-deflate", false),
        ("x-webkit-deflate-frame", false),
    ]) func clientJudgesTheAnswer(_ answer: String, _ isGood: Bool) async throws {
        let listener = try RawListener()
        let client = try LWSClient()
        let events = Events()
        async let heard = onThread { try listener.takeWebSocket(extensions: answer, glued: [0x88, 0x00]).hearToEnd() }
        _ = client.dialer.dial(.init(url: "ws://127.0.0.1:\(listener.port)/", deflate: true), events.receive)
        let seen = await events.collect()
        _ = try await heard
        #expect((seen.failure == nil) == isGood)
        if isGood { #expect(seen.closure?.code == 1005) }
        await client.stop()
    }

    private func read(_ frames: [UInt8], limit: Int = 100_000) -> [WebSocketArrival] {
        var reader = WebSocketReader(side: .client, maximumMessageSize: limit, inflater: Inflater())
        var arrivals: [WebSocketArrival] = []
        frames.withUnsafeBytes { reader.read($0, into: &arrivals) }
        return arrivals
    }

    private func frame(_ first: UInt8, _ payload: String) -> [UInt8] { [first, UInt8(payload.count / 2)] + hex(payload) }

    // RFC 7692 §7.2.3: the examples; a final block, and a window that lives on over it.
    @Test(arguments: [
        ["f248cdc9c90700"], ["000500faff48656c6c6f00"], ["f348cdc9c9070000"], ["f248050000 00ffffcac9c90700"],
        ["f348cdc9c90700"],
    ]) func examplesOfTheStandard(_ payloads: [String]) {
        let bytes = payloads.flatMap { frame(0xC1, $0.filter { $0 != " " }) }
        #expect(read(bytes) == payloads.map { _ in .message(.text("Hello")) })
    }

    @Test func theWindowLivesOnOverAFinalBlock() {
        // "Hello" in a final block, then "Hello" as a reference to it (made by zlib with the first as its dictionary).
        #expect(read(frame(0xC1, "f348cdc9c9070000") + frame(0xC1, "f200110000")) == [.message(.text("Hello")), .message(.text("Hello"))])
    }

    // B-10: a message cut short is not half a message.
    @Test(arguments: ["f248cdc9", "f2", "000500faff4865", ""]) func halfAMessageIsNone(_ payload: String) {
        #expect(read(frame(0xC1, payload)) == [.failure(.init(code: 1007, reason: "bad deflate data"))])
    }

    // The inflater works in pieces of 16 KiB: a message that ends with one is whole too.
    @Test(arguments: [1, 2, 4], [-1, 0, 1]) func messagesAsLongAsPiecesSurvive(_ pieces: Int, _ more: Int) throws {
        var state = UInt64(pieces)
        let plain = (0..<pieces << 14 + more).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        let packed = try #require(Deflater()?.deflate(plain))
        #expect(try Inflater().inflate(packed, limit: 1 << 20).get() == plain)
    }

    // RFC 7692 §6: RSV1 stands on the first frame of a data message only.
    @Test func theBitStandsOnTheFirstFrameOnly() {
        let half = [UInt8](arrayLiteral: 0x41, 0x03) + hex("f248cd")
        let ping: [UInt8] = [0x89, 0x00]
        #expect(read(half + ping + [0x80, 0x04] + hex("c9c90700")) == [.ping([]), .message(.text("Hello"))])
        #expect(read(half + [0xC0, 0x04] + hex("c9c90700")).last == .failure(.protocolError("RSV1 set")))
        #expect(read([0xC9, 0x00]) == [.failure(.protocolError("RSV1 set"))])
        #expect(read([0xC8, 0x00]) == [.failure(.protocolError("RSV1 set"))])
    }

    // B-10: what inflates beyond the limit is not inflated.
    @Test func aBombIsTooBig() throws {
        let packed = try #require(Deflater()?.deflate([UInt8](repeating: 0, count: 10_000_000)))
        let header: [UInt8] = [0xC2, 126, UInt8(packed.count >> 8), UInt8(packed.count & 0xFF)]
        #expect(packed.count < 20_000)
        #expect(read(header + packed) == [.failure(.tooBig)])
    }
}
