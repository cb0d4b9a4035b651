import Foundation
import HTTP
import LWS
import Synchronization
import Transport

/// `causeway serve websocket --port P`: sends every message back as it came. Runs until the task is cancelled; prints the port.
func serveWebSocketEcho(port: Int) async throws {
    let server = try LWSServer(
        LWSServerConfiguration(port: port, http: { _ in HTTPResponse(status: 426, headers: ["Upgrade": "websocket"]) }) { request in
            let offered = request.headers["sec-websocket-protocol"]?.split(separator: ",").first.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let options = WebSocketAcceptOptions(
                subprotocol: offered, maximumMessageSize: 16 << 20, maximumQueuedBytes: 64 << 20, deflate: true)
            return .accept(options) { socket in
                { event in
                    // A full queue closes the connection by itself.
                    if case .message(let message) = event { _ = socket.send(message) }
                }
            }
        })
    FileHandle.standardOutput.write(Data("listening on 127.0.0.1:\(server.port)\n".utf8))
    let never = AsyncStream<Void> { _ in }
    for await _ in never {}
    await server.stop()
}

/// `causeway connect websocket URL`: lines of standard input go out as text messages, what comes in goes to standard output (binary
/// messages as `hex:…`), and the end with its code. Throws the dial's failure. Ends when the server closes, or after standard input.
func connectWebSocket(url: String) async throws {
    let client = try LWSClient()
    let (events, continuation) = AsyncStream.makeStream(of: WebSocketEvent.self)
    let socket = client.dialer.dial(WebSocketDialRequest(url: url, maximumMessageSize: 16 << 20, deflate: true)) { event in
        continuation.yield(event)
        switch event {
        case .closed, .failed: continuation.finish()
        case .opened, .message, .pong: break
        }
    }
    var failure: WebSocketDialFailure?
    for await event in events {
        switch event {
        case .opened: sendStandardInput(to: socket)
        case .message(.text(let text)): putLine(text)
        case .message(.binary(let bytes)): putLine("hex:" + hexText(bytes))
        case .pong: break
        case .closed(let closure): putLine("closed \(closure.code)" + (closure.reason.isEmpty ? "" : " \(closure.reason)"))
        case .failed(let reason): failure = reason
        }
    }
    await client.stop()
    if let failure { throw failure }
}

private func putLine(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

/// On a thread of its own, for reading blocks.
private func sendStandardInput(to socket: WebSocket) {
    let thread = Thread {
        while let line = readLine() { if !socket.send(.text(line)) { return } }
        socket.close(.init(code: 1000))
    }
    thread.start()
}
