import Foundation
import HTTP
import LWS
import Streams
import Synchronization
import Transport

/// `causeway serve socketio --port P --ping-interval MS --ping-timeout MS`: what the suites of other Socket.IO implementations run against.
/// Namespaces `/` and `/custom`; on connect `auth` with the CONNECT payload is emitted; `message` comes back as `message-back`;
/// `message-with-ack` is acknowledged with its arguments. `listening` gets the port; runs until the task is cancelled.
func serveSocketIO(
    port: Int, pingInterval: Duration, pingTimeout: Duration, listening: @Sendable (_ port: Int) -> Void
) async throws {
    let payloads = Mutex<[String: JSONValue]>([:])
    let handlers = SocketIOServerHandlers(
        connect: { session, namespace, payload in
            payloads.withLock { $0[session.id + namespace] = payload ?? .object([]) }
            return .accept(payload: nil)
        },
        connected: { session, namespace in
            let payload = payloads.withLock { $0[session.id + namespace] } ?? .object([])
            session.emit(namespace: namespace, name: "auth", arguments: [SocketIOValue(payload)])
        },
        event: { session, namespace, name, arguments, id in
            switch (name, id) {
            case ("message", _): session.emit(namespace: namespace, name: "message-back", arguments: arguments)
            case ("message-with-ack", let id?): session.acknowledge(namespace: namespace, id: id, arguments: arguments)
            default: break
            }
        },
        disconnected: { _, _, _ in },
        closed: { session, _ in
            payloads.withLock { payloads in for name in ["/", "/custom"] { payloads[session.id + name] = nil } }
        })
    let server = SocketIOServer(
        policy: .init(
            namespaces: ["/", "/custom"], pingInterval: pingInterval, pingTimeout: pingTimeout, connectTimeout: .seconds(1),
            acknowledgesAtOnce: false),
        clock: .live, handlers: handlers)
    let isOurs: @Sendable (HTTPServerRequest) -> Bool = { $0.path == "/socket.io/" || $0.path == "/socket.io" }
    let listener = try LWSServer(
        LWSServerConfiguration(port: port, http: { isOurs($0) ? server.answer($0) : HTTPResponse(status: 404) }) { request in
            isOurs(request) ? server.accept(request) : .refuse(HTTPResponse(status: 404))
        })
    listening(listener.port)
    let never = AsyncStream<Void> { _ in }
    for await _ in never {}
    server.closeAll(.init(code: 1001))
    await listener.stop()
}

/// `causeway connect socketio URL --namespace NAME`: each line of standard input, a JSON array `[name, args…]`, is emitted; each news is
/// handed to `print` as one JSON object: `{"connected": namespace}`, `{"event": [name, args…]}` (binary as `{"hex": …}`),
/// `{"refused": message}`, `{"disconnected": namespace}`, `{"closed": reason}`, `{"error": …}`. Ends with the namespace or the connection,
/// or after standard input; returns the reason.
func connectSocketIO(
    url: String, namespace: String, payload: JSONValue?, print: @escaping @Sendable (JSONValue) -> Void
) async throws -> SocketIOCloseReason {
    let sockets = try LWSClient()
    let (news, continuation) = AsyncStream.makeStream(of: SocketIOClientEvent.self, bufferingPolicy: .bufferingOldest(4096))
    let client = SocketIOClient(dialer: sockets.dialer, clock: .live) { event in continuation.yield(event) }
    await client.connect(.socketIO(base: url), namespace: namespace, payload: payload)
    var reader: Task<Void, Never>?
    var reason: SocketIOCloseReason?
    news: for await event in news {
        switch event {
        case .opened, .pinged: break
        case .namespaceConnected(let name, _):
            print(["connected": .string(name)])
            reader = Task { await emitStandardInput(to: client, namespace: namespace, print) }
        case .namespaceRefused(_, let message, _):
            print(["refused": .string(message)])
            reason = .refused
            break news
        case .event(_, let name, let arguments): print(["event": .array([.string(name)] + arguments.map(jsonWithHex))])
        case .namespaceDisconnected(let name):
            print(["disconnected": .string(name)])
            reason = .server
            break news
        case .closed(let closure):
            print(["closed": .string(closure.reason.rawValue)])
            reason = closure.reason
            break news
        }
    }
    reader?.cancel()
    await client.close()
    await sockets.stop()
    return reason ?? .lost
}

/// Lines are read on a thread of their own, for reading blocks.
private func emitStandardInput(to client: SocketIOClient, namespace: String, _ print: @escaping @Sendable (JSONValue) -> Void) async {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let thread = Thread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
    }
    thread.start()
    for await line in lines {
        guard let elements = (try? JSONValue(parsing: line))?.arrayValue, let name = elements.first?.stringValue else {
            print(["error": "a line is a JSON array whose first element is the event's name"])
            continue
        }
        let outcome = await client.emit(namespace: namespace, name: name, arguments: elements.dropFirst().map { SocketIOValue($0) })
        if outcome != .sent { print(["error": .string("\(outcome)")]) }
    }
    await client.close()
}

private func jsonWithHex(_ value: SocketIOValue) -> JSONValue {
    switch value {
    case .binary(let bytes): ["hex": .string(hexText(bytes))]
    case .array(let elements): .array(elements.map(jsonWithHex))
    case .object(let members): .object(members.map { .init($0.name, jsonWithHex($0.value)) })
    case .null, .bool, .number, .string: value.json ?? .null
    }
}
