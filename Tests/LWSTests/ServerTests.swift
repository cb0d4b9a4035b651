import Foundation
import HTTP
import Synchronization
import Testing
import Transport

@testable import LWS

/// Answers `METHOD path?query body-length`, and the body on /echo; /wait never answers by itself.
private func handle(_ request: HTTPServerRequest) async -> HTTPResponse {
    switch request.path {
    case "/echo": return HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: request.body)
    case "/big": return HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: 3_000_000))
    case "/wait":
        try? await Task.sleep(for: .seconds(30))
        return HTTPResponse(status: 200)
    case "/evil": return HTTPResponse(status: 200, headers: ["X-A": "1\r\nX-B: 2", "X-C": "3"])
    default: return HTTPResponse(status: 200, body: Array("\(request.method) \(request.path)?\(request.query)".utf8))
    }
}

/// Echoes on any path but /no; on /attach it greets at once, on /flood the test sends through `floods`.
private func accept(_ request: HTTPServerRequest) -> WebSocketAcceptance {
    if request.path == "/no" { return .refuse(HTTPResponse(status: 403, body: Array("not you".utf8))) }
    let offered = request.headers["sec-websocket-protocol"]
    if let offered, offered != "causeway.quotes.v1" { return .refuse(HTTPResponse(status: 400, body: Array("subprotocol".utf8))) }
    let options = WebSocketAcceptOptions(
        subprotocol: offered, maximumMessageSize: 100_000, maximumQueuedBytes: 200_000, deflate: request.path == "/deflate")
    let path = request.path
    return .accept(options) { socket in
        if path == "/attach" { _ = socket.send(.text("hello")) }
        return { event in
            switch event {
            case .message(.text("flood")): while socket.send(.binary([UInt8](repeating: 1, count: 10_000))) {}
            case .message(.text("bye")): socket.close(.init(code: 4001, reason: "bye"))
            case .message(let message): _ = socket.send(message)
            case .pong(let bytes): _ = socket.send(.binary(bytes))
            case .opened, .failed, .closed: break
            }
        }
    }
}

private func makeServer(_ change: (inout LWSServerConfiguration) -> Void = { _ in }) throws -> LWSServer {
    var configuration = LWSServerConfiguration(port: 0, http: handle, webSocket: accept)
    change(&configuration)
    return try LWSServer(configuration)
}

private let upgrade =
    "Host: x\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

@Suite(.timeLimit(.minutes(5))) struct HTTPServerTests {
    /// Sends one request text and gives everything up to the server's end of the connection.
    private func exchange(_ text: String, _ change: (inout LWSServerConfiguration) -> Void = { _ in }) async throws -> String {
        let server = try makeServer(change)
        let port = server.port
        let out = try await onThread {
            let peer = try RawSocket(port: port)
            try peer.say(text)
            return String(decoding: try peer.hearToEnd(), as: UTF8.self)
        }
        await server.stop()
        return out
    }

    // O-3, B-12
    @Test func answersOnKeptConnectionsInOrder() async throws {
        let server = try makeServer()
        let port = server.port
        let (first, second, body, head) = try await onThread {
            let peer = try RawSocket(port: port)
            // Two requests in one write, a third byte by byte, a HEAD.
            try peer.say("GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\nPOST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc")
            let first = try peer.hearHead() + String(decoding: try peer.hear(exactly: 10), as: UTF8.self)
            let second = try peer.hearHead() + String(decoding: try peer.hear(exactly: 3), as: UTF8.self)
            for byte in "POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nde\r\n1;x=y\r\nf\r\n0\r\nT: u\r\n\r\n"
                .utf8
            {
                try peer.say([byte])
            }
            _ = try peer.hearHead()
            let body = try peer.hear(exactly: 3)
            try peer.say("HEAD /h HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return (first, second, body, String(decoding: try peer.hearToEnd(), as: UTF8.self))
        }
        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n") && first.hasSuffix("\r\n\r\nGET /a?b=c"))
        #expect(first.contains("X-Content-Type-Options: nosniff\r\n") && first.contains("Connection: keep-alive\r\n"))
        #expect(second.hasSuffix("\r\n\r\nabc") && second.contains("Content-Type: text/plain\r\n"))
        #expect(body == Array("def".utf8))
        #expect(head.contains("Content-Length: 7\r\n") && head.hasSuffix("\r\n\r\n"))
        await server.stop()
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("rubbish\r\n\r\n", 400), ("GET /../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /%2e%2e/x HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GET /../\u{301}x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET /%2e%2e/%CC%81x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1048577\r\n\r\n", 413),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n", 413),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "y", count: 20_000) + "\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X: y\r\n", count: 200) + "\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{0}\r\n\r\n", 400),
    ]) func refuses(_ text: String, _ status: Int) async throws {
        let answer = try await exchange(text)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        #expect(
            answer.contains("Connection: close\r\n") && answer.contains(status == 413 || status == 431 ? "request.too-large" : "request."))
    }

    @Test func saysContinueToWhoWaits() async throws {
        let answer = try await exchange(
            "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"
        ) {
            $0.limits.bodyDeadline = .milliseconds(200)
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 408 "))
    }

    // A slow client: half a header, half a body.
    @Test(arguments: ["GET / HT", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc"]) func endsSlowRequests(_ text: String)
        async throws
    {
        let answer = try await exchange(text) {
            $0.limits.headerDeadline = .milliseconds(200)
            $0.limits.bodyDeadline = .milliseconds(200)
        }
        #expect(answer.hasPrefix("HTTP/1.1 408 "))
    }

    @Test func endsSilentConnectionsAndSlowHandlers() async throws {
        let silent = try await exchange("") { $0.limits.headerDeadline = .milliseconds(100) }
        #expect(silent == "")
        let idle = try await exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n") { $0.limits.idleDeadline = .milliseconds(100) }
        #expect(idle.hasPrefix("HTTP/1.1 200 "))
        let slow = try await exchange("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n") { $0.limits.answerDeadline = .milliseconds(200) }
        #expect(slow.hasPrefix("HTTP/1.1 503 ") && slow.contains("server.unavailable"))
    }

    // A peer that never begins TLS.
    @Test func endsSilentTLSConnections() async throws {
        let silent = try await exchange("") {
            $0.tls = .init(certificate: fixture("tls/server.pem").path, key: fixture("tls/server.key").path)
            $0.limits.headerDeadline = .milliseconds(100)
        }
        #expect(silent == "")
        let plain = try await exchange("GET / HTTP/1.1\r\nHost: a\r\n\r\n") {
            $0.tls = .init(certificate: fixture("tls/server.pem").path, key: fixture("tls/server.key").path)
            $0.limits.headerDeadline = .milliseconds(500)
        }
        #expect(!plain.contains("HTTP/1.1 200"))
    }

    @Test func sendsBigAnswersWholeAndDropsBrokenFields() async throws {
        let big = try await exchange("GET /big HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(big.utf8.count > 3_000_000 && big.utf8.suffix(3_000_000).allSatisfy { $0 == 7 })
        let evil = try await exchange("GET /evil HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(!evil.contains("X-B") && evil.contains("X-C: 3\r\n"))
    }

    @Test func portInUseIsTyped() async throws {
        let server = try makeServer()
        let port = server.port
        #expect(throws: LWSFailure.portInUse(host: "127.0.0.1", port: port)) { try makeServer { $0.port = port } }
        await server.stop()
        let again = try makeServer { $0.port = port }
        await again.stop()
    }

    @Test func refusesMoreConnectionsThanAllowed() async throws {
        let server = try makeServer { $0.limits.connections = 1 }
        let port = server.port
        let (first, second) = try await onThread {
            let one = try RawSocket(port: port)
            try one.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let first = try one.hearHead()
            let two = try RawSocket(port: port)
            return (first, try two.hearToEnd())
        }
        #expect(first.hasPrefix("HTTP/1.1 200 ") && second.isEmpty)
        await server.stop()
    }

    // A handler is told that nobody waits any more.
    @Test func cancelsTheHandlerOfAPeerThatLeft() async throws {
        let cancelled = AsyncStream.makeStream(of: Void.self)
        let entered = AsyncStream.makeStream(of: Void.self)
        let server = try makeServer {
            $0.http = { _ in
                entered.continuation.yield()
                do { try await Task.sleep(for: .seconds(50)) } catch { cancelled.continuation.yield() }
                return HTTPResponse(status: 200)
            }
        }
        do {
            let peer = try RawSocket(port: server.port)
            try peer.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            for await _ in entered.stream { break }
        }
        for await _ in cancelled.stream { break }
        await server.stop()
    }

    @Test func drainAnswersWhatWasAsked() async throws {
        let entered = AsyncStream.makeStream(of: Void.self)
        let release = AsyncStream.makeStream(of: Void.self)
        let server = try makeServer {
            $0.http = { _ in
                entered.continuation.yield()
                for await _ in release.stream { break }
                return HTTPResponse(status: 201)
            }
        }
        let port = server.port
        async let answer = onThread {
            let peer = try RawSocket(port: port)
            try peer.say("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            return String(decoding: try peer.hearToEnd(), as: UTF8.self)
        }
        for await _ in entered.stream { break }
        async let stopped: Void = server.stop()
        release.continuation.yield()
        #expect(try await answer.hasPrefix("HTTP/1.1 201 "))
        await stopped
    }
}

@Suite(.timeLimit(.minutes(5))) struct WebSocketServerTests {
    /// Upgrades on a path and says the bytes; gives the answer's head and what follows up to the end.
    private func exchange(_ path: String, _ bytes: [UInt8], extra: String = "") async throws -> (head: String, rest: [UInt8]) {
        let server = try makeServer()
        let port = server.port
        let out = try await onThread {
            let peer = try RawSocket(port: port)
            // The frames come glued to the request's last bytes (WS-1).
            try peer.say(Array("GET \(path) HTTP/1.1\r\n\(upgrade)\(extra)\r\n".utf8) + bytes)
            return (try peer.hearHead(), try peer.hearToEnd())
        }
        await server.stop()
        return out
    }

    @Test func acceptsAndEchoesAndCloses() async throws {
        let bytes = masked(0x81, Array("腾讯".utf8)) + masked(0x82, [1, 2]) + masked(0x89, [9]) + masked(0x88, [0x03, 0xE8])
        let (head, rest) = try await exchange("/e", bytes)
        #expect(head.hasPrefix("HTTP/1.1 101 ") && head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(rest == hex("8801") || rest.suffix(4).elementsEqual(hex("880203e8")))
    }

    @Test(arguments: [
        ("8103616263", 1002), ("83820000000001", 1002), ("c18100000000" + "61", 1002), ("8900", 1002), ("098000000000", 1002),
        ("888100000000" + "03", 1002), ("888200000000" + "03ed", 1002), ("888200000000" + "03e7", 1002), ("888200000000" + "ffff", 1002),
        ("888300000000" + "03e8ff", 1007), ("818200000000" + "fffe", 1007), ("818300000000" + "eda080", 1007),
        ("818200000000" + "e885", 1007),
        ("808100000000" + "78", 1002), ("018100000000" + "78" + "818100000000" + "78", 1002), ("81fe000500000000" + "68656c6c6f", 1002),
        ("82ff000000000001ffff00000000", 1009), ("82ffffffffffffffffff00000000", 1002), ("82fe000000000000", 1002),
    ]) func failsBrokenFrames(_ frames: String, _ code: Int) async throws {
        let (_, rest) = try await exchange("/e", hex(frames))
        #expect(rest.first == 0x88 && Array(rest.dropFirst(2).prefix(2)) == [UInt8(code >> 8), UInt8(code & 0xFF)])
    }

    @Test func joinsFragmentsAroundControlFrames() async throws {
        let bytes = masked(0x01, [0xE8]) + masked(0x89, [1]) + masked(0x00, [0x85]) + masked(0x80, [0xBE]) + masked(0x81, Array("bye".utf8))
        let (_, rest) = try await exchange("/e", bytes)
        #expect(rest.starts(with: hex("8a0101") + hex("8103e885be")) || rest.starts(with: hex("8103e885be8a0101")))
        #expect(rest.suffix(7).elementsEqual(hex("88050fa1627965")))
    }

    @Test func greetsBeforeTheFirstFrame() async throws {
        let (_, rest) = try await exchange("/attach", masked(0x88, []))
        #expect(rest == hex("810568656c6c6f8800"))
    }

    @Test(arguments: [
        ("/no", "", 403), ("/e", "Sec-WebSocket-Protocol: other\r\n", 400), ("/e", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n", 400),
        ("/e", "Sec-WebSocket-Version: 8\r\n", 426),
    ]) func refusesUpgrades(_ path: String, _ extra: String, _ status: Int) async throws {
        let (head, rest) = try await exchange(path, [], extra: extra)
        #expect(head.hasPrefix("HTTP/1.1 \(status) "))
        if status == 403 { #expect(rest == Array("not you".utf8)) }
        // RFC 6455 4.4, RFC 9110 15.5.22: which version would do.
        #expect(head.contains("\r\nSec-WebSocket-Version: 13\r\n") == (status == 426))
        #expect(head.contains("\r\nUpgrade: websocket\r\n") == (status == 426))
    }

    @Test func agreesOnTheSubprotocol() async throws {
        let (head, _) = try await exchange("/e", masked(0x88, []), extra: "Sec-WebSocket-Protocol: causeway.quotes.v1\r\n")
        #expect(head.hasPrefix("HTTP/1.1 101 ") && head.contains("Sec-WebSocket-Protocol: causeway.quotes.v1\r\n"))
    }

    // B-10: a reader that takes nothing is closed with 1013, however full its socket is, and whether the flood comes at once or not.
    @Test(arguments: [false, true]) func dropsSlowReaders(_ inPieces: Bool) async throws {
        let closed = AsyncStream.makeStream(of: WebSocketClosure.self)
        let server = try makeServer {
            $0.webSocket = { _ in
                .accept(WebSocketAcceptOptions(maximumQueuedBytes: 8 << 20)) { socket in
                    { event in
                        let piece = WebSocketMessage.binary([UInt8](repeating: 1, count: 60_000))
                        if case .message = event, !inPieces { while socket.send(piece) {} }
                        if case .message = event, inPieces {
                            // Waits for the service thread between messages until the kernel takes no more.
                            Task.detached {
                                var before = 0
                                while socket.send(piece) {
                                    for _ in 0..<1000 where socket.queuedBytes() > before { await Task.yield() }
                                    before = socket.queuedBytes()
                                }
                            }
                        }
                        if case .closed(let closure) = event { closed.continuation.yield(closure) }
                    }
                }
            }
        }
        let peer = try RawSocket(port: server.port, receiveBuffer: 4096)
        try peer.say(Array("GET / HTTP/1.1\r\n\(upgrade)\r\n".utf8) + masked(0x81, Array("go".utf8)))
        for await closure in closed.stream {
            #expect(closure.code == 1013)
            break
        }
        await server.stop()
    }

    @Test func drainClosesWith1001() async throws {
        let server = try makeServer()
        let port = server.port
        async let heard = onThread {
            let peer = try RawSocket(port: port)
            try peer.say(Array("GET /e HTTP/1.1\r\n\(upgrade)\r\n".utf8) + masked(0x81, Array("up".utf8)))
            _ = try peer.hearHead()
            let echo = try peer.hear(exactly: 4)
            return (echo, peer)
        }
        let (echo, peer) = try await heard
        #expect(echo == hex("81027570"))
        async let rest = onThread {
            let head = try peer.hear(exactly: 4)
            try peer.say(masked(0x88, [0x03, 0xE9]))
            return try head + peer.hearToEnd()
        }
        await server.stop()
        #expect(try await rest.prefix(4).dropFirst(2).elementsEqual([0x03, 0xE9]))
    }
}
