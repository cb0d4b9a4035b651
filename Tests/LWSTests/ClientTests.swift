import Foundation
import HTTP
import Testing
import Transport

@testable import LWS

@Suite(.timeLimit(.minutes(5))) struct WebSocketClientTests {
    private func dial(
        _ url: String, _ change: (inout WebSocketDialRequest) -> Void = { _ in },
        until isLast: @Sendable (WebSocketEvent) -> Bool = { _ in false }
    ) async throws -> [WebSocketEvent] {
        let client = try LWSClient()
        let events = Events()
        var request = WebSocketDialRequest(url: url)
        change(&request)
        _ = client.dialer.dial(request, events.receive)
        let seen = await events.collect(until: isLast)
        await client.stop()
        return seen
    }

    // WS-1: the first frame in the same segment as the 101, and one byte per write.
    @Test(arguments: [false, true]) func deliversWhatIsGluedToTheAnswer(_ bytewise: Bool) async throws {
        let listener = try RawListener()
        async let peer = onThread { try listener.takeWebSocket(glued: hex("81023430"), bytewise: bytewise) }
        let seen = try await dial("ws://127.0.0.1:\(listener.port)", until: { if case .message = $0 { true } else { false } })
        #expect(seen.messages == [.text("40")])
        _ = try await peer
    }

    // WS-8: FIN, RST, half a frame and FIN; told within a second.
    @Test(arguments: ["fin", "rst", "half"]) func reportsALostServer(_ how: String) async throws {
        let listener = try RawListener()
        async let said = onThread {
            let peer = try listener.takeWebSocket(glued: hex("810161"))
            if how == "half" { try peer.say(hex("810561")) }
            if how == "rst" { peer.resetOnClose() }
        }
        let client = try LWSClient()
        let events = Events()
        _ = client.dialer.dial(WebSocketDialRequest(url: "ws://127.0.0.1:\(listener.port)"), events.receive)
        try await said
        let start = ContinuousClock.now
        let seen = await events.collect()
        await client.stop()
        #expect(seen.closure?.code == 1006)
        #expect(how == "rst" || seen.messages == [.text("a")])
        #expect(ContinuousClock.now - start < .seconds(6))
    }

    // WS-10
    @Test func pingsAndHearsPongs() async throws {
        let listener = try RawListener()
        let client = try LWSClient()
        let events = Events()
        let socket = client.dialer.dial(WebSocketDialRequest(url: "ws://127.0.0.1:\(listener.port)/"), events.receive)
        let peer = try await onThread { try listener.takeWebSocket() }
        _ = await events.collect { if case .opened = $0 { true } else { false } }
        #expect(socket.ping([0x6B, 0x31]))
        let ping = try await onThread { try peer.hear(exactly: 8) }
        #expect(unmasked(ping).first?.opcode == 9 && unmasked(ping).first?.payload == [0x6B, 0x31])
        try peer.say(hex("8a026b31"))
        let seen = await events.collect { if case .pong = $0 { true } else { false } }
        #expect(seen.pongs == [[0x6B, 0x31]])
        socket.close(.init(code: 4002, reason: "enough"))
        #expect(!socket.send(.text("late")))
        let close = try await onThread { try peer.hear(exactly: 14) }
        #expect(unmasked(close).first?.payload == [0x0F, 0xA2] + Array("enough".utf8))
        try peer.say(hex("88020fa2"))
        let rest = await events.collect()
        #expect(rest.closure == WebSocketClosure(code: 4002))
        await client.stop()
    }

    // A server that never answers the close is dropped after two seconds.
    @Test func closesWithoutThePeersHelp() async throws {
        let listener = try RawListener()
        let client = try LWSClient()
        let events = Events()
        let socket = client.dialer.dial(WebSocketDialRequest(url: "ws://127.0.0.1:\(listener.port)/"), events.receive)
        let peer = try await onThread { try listener.takeWebSocket() }
        _ = await events.collect { if case .opened = $0 { true } else { false } }
        let start = ContinuousClock.now
        socket.close(.init(code: 1000))
        #expect(await events.collect().closure?.code == 1006)
        #expect(ContinuousClock.now - start < .seconds(8))
        _ = peer
        await client.stop()
    }

    @Test func classifiesFailures() async throws {
        #expect(try await dial("http://127.0.0.1/").failure.map { if case .badURL = $0 { true } else { false } } == true)
        #expect(try await dial("ws://127.0.0.1:1/").failure.map { if case .network = $0 { true } else { false } } == true)
        #expect(try await dial("ws://nowhere.invalid/").failure.map { if case .network = $0 { true } else { false } } == true)
        let listener = try RawListener()
        #expect(try await dial("ws://127.0.0.1:\(listener.port)/") { $0.connectTimeout = .milliseconds(200) }.failure == .timedOut)
        let refusing = try RawListener()
        async let said: Void = onThread {
            let peer = try refusing.take()
            _ = try peer.hearHead()
            try peer.say("HTTP/1.1 403 Forbidden\r\nContent-Length: 3\r\n\r\nno!")
            _ = try peer.hear()
        }
        #expect(try await dial("ws://127.0.0.1:\(refusing.port)/").failure == .refused(status: 403, body: Array("no!".utf8)))
        try await said
    }

    // O-3: an authority, a pin, and those that must not do.
    @Test func judgesCertificates() async throws {
        let files = LWSServerConfiguration.TLSFiles(certificate: fixture("tls/server.pem").path, key: fixture("tls/server.key").path)
        let server = try LWSServer(
            LWSServerConfiguration(port: 0, tls: files, http: { _ in HTTPResponse(status: 200) }) { _ in
                .accept(WebSocketAcceptOptions()) { socket in
                    _ = socket.send(.text(String(repeating: "x", count: 200_000)))
                    return { _ in }
                }
            })
        let pin = try String(contentsOf: fixture("tls/server.pin"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let good: [TLSTrust] = [.authorities(file: fixture("tls/ca.pem").path), .pinned(sha256: pin)]
        for host in ["127.0.0.1", "localhost"] {
            for trust in good {
                let seen = try await dial("wss://\(host):\(server.port)/", { $0.trust = trust }) {
                    if case .message = $0 { true } else { false }
                }
                #expect(seen.messages.count == 1, "\(host) \(trust) \(seen)")
            }
        }
        let bad: [TLSTrust] = [
            .system, .authorities(file: fixture("tls/other-ca.pem").path), .pinned(sha256: base64([UInt8](repeating: 1, count: 32))),
            .authorities(file: "/nowhere.pem"),
        ]
        for trust in bad {
            let failure = try await dial("wss://127.0.0.1:\(server.port)/") { $0.trust = trust }.failure
            #expect(failure.map { if case .untrusted = $0 { true } else { false } } == true, "\(trust) \(String(describing: failure))")
        }
        await server.stop()
        let wrong = LWSServerConfiguration.TLSFiles(certificate: files.certificate, key: fixture("tls/ca.pem").path)
        #expect(throws: LWSFailure.self) {
            try LWSServer(
                LWSServerConfiguration(port: 0, tls: wrong, http: { _ in HTTPResponse(status: 200) }) { _ in
                    .refuse(HTTPResponse(status: 404))
                })
        }
    }
}
