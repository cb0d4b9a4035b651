import Foundation
import HTTP
import LWS
import Synchronization
import Transport

/// Runs the WebSocket vectors over loopback: a raw server says the bytes to the shipped client, a raw client says them masked to the shipped
/// server, each as written, glued to the handshake and one byte a write (B-10).
final class WebSocketRuns {
    private let client: LWSClient
    private let server: LWSServer
    private let listener: (listener: RawTCP, port: Int)
    private let receiver = Receiver()

    /// What the server's end of the connection at hand tells.
    private final class Receiver: Sendable {
        let current = Mutex<@Sendable (WebSocketEvent) -> Void>({ _ in })
    }

    /// What one end told its program.
    private final class Seen: Sendable {
        private let state = Mutex<(messages: [WebSocketMessage], closure: WebSocketClosure?, failure: WebSocketDialFailure?)>(
            ([], nil, nil))
        private let end = DispatchSemaphore(value: 0)

        var found: (messages: [WebSocketMessage], closure: WebSocketClosure?, failure: WebSocketDialFailure?) { state.withLock { $0 } }

        func take(_ event: WebSocketEvent) {
            switch event {
            case .opened, .pong: return
            case .message(let message): return state.withLock { $0.messages.append(message) }
            case .closed(let closure): state.withLock { $0.closure = closure }
            case .failed(let failure): state.withLock { $0.failure = failure }
            }
            end.signal()
        }

        func hasEnded() -> Bool { end.wait(timeout: .now() + 5) == .success }
    }

    init() throws {
        client = try LWSClient()
        listener = try RawTCP.listening()
        let options = WebSocketAcceptOptions(maximumMessageSize: Self.mostBytes, deflate: true)
        let receiver = receiver
        server = try LWSServer(
            LWSServerConfiguration(
                port: 0, http: { _ in HTTPResponse(status: 404) },
                webSocket: { _ in .accept(options) { _ in receiver.current.withLock { $0 } } }))
    }

    private static let mostBytes = 6_000_000
    /// One message packed with the context of another: our server's answer forbids that to clients.
    private static let clientOnly: Set<String> = ["ws-34"]

    /// Nil: the case passes at both ends, however it is cut.
    func failure(of json: JSONValue) -> String? {
        do {
            let test = try WebSocketFrameCase(json)
            for cut in WebSocketCut.allCases {
                if let fault = try clientFault(test, cut) { return "client, \(cut.rawValue): \(fault)" }
                if Self.clientOnly.contains(json["id"]?.stringValue ?? "") { continue }
                if let fault = try serverFault(test, cut) { return "server, \(cut.rawValue): \(fault)" }
            }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func clientFault(_ test: WebSocketFrameCase, _ cut: WebSocketCut) throws -> String? {
        let seen = Seen()
        let request = WebSocketDialRequest(
            url: "ws://127.0.0.1:\(listener.port)/", maximumMessageSize: Self.mostBytes, deflate: test.negotiated != nil)
        let socket = client.dialer.dial(request) { seen.take($0) }
        let peer = try listener.listener.accepting()
        let head = try peer.hearHead()
        let key = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("sec-websocket-key:") }?.dropFirst(18) ?? ""
        var answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        answer += "Sec-WebSocket-Accept: \(webSocketAcceptValue(key: key.trimmingCharacters(in: .whitespaces)))\r\n"
        if let extensions = test.negotiated { answer += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
        for write in cut.writes(Array((answer + "\r\n").utf8), test.writes) { peer.say(write) }
        defer { socket.close(.init(code: 1000)) }
        return try fault(test, peer, pongHeader: 6, seen)
    }

    private func serverFault(_ test: WebSocketFrameCase, _ cut: WebSocketCut) throws -> String? {
        let seen = Seen()
        receiver.current.withLock { $0 = { seen.take($0) } }
        let peer = try RawTCP.connecting(to: server.port)
        var request = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        request += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if let extensions = test.negotiated { request += "Sec-WebSocket-Extensions: \(extensions)\r\n" }
        for write in cut.writes(Array((request + "\r\n").utf8), mirrored(test.writes)) { peer.say(write) }
        guard try peer.hearHead().hasPrefix("HTTP/1.1 101 ") else { return "refused" }
        return try fault(test, peer, pongHeader: 2, seen)
    }

    /// Listens to the end and compares what our end said and told.
    private func fault(_ test: WebSocketFrameCase, _ peer: RawTCP, pongHeader: Int, _ seen: Seen) throws -> String? {
        // A pong needs a peer that still listens when it is due.
        var heard = try peer.hear(test.pongs.reduce(0) { $0 + pongHeader + $1.utf8.count / 2 })
        if !test.endsItself { peer.endWriting() }
        heard += try peer.hear(.max)
        guard seen.hasEnded() else { return "never told the end" }
        if let failure = seen.found.failure { return "dial failed: \(failure)" }
        let said = frames(in: heard)
        let pongs = said.filter { $0.opcode == 10 }.map(\.payload)
        if let fault = test.fault(messages: seen.found.messages, closure: seen.found.closure, pongs: pongs) { return fault }
        guard let code = seen.found.closure?.code, code != 1006 else { return nil }
        let payload: [UInt8] = code == 1005 ? [] : [UInt8(code >> 8), UInt8(code & 0xFF)]
        guard let last = said.last, last.opcode == 8, last.payload.starts(with: payload), !payload.isEmpty || last.payload.isEmpty else {
            return "close frame for \(code) not said: \(said)"
        }
        return nil
    }
}
