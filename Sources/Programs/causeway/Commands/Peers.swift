import HTTP
import LWS
import Texts
import Transport

extension Commands {
    static let serveSocketIOCommand = Command(
        words: ["serve", "socketio"], summary: .helpCommandServeSocketio,
        options: [
            .value("port", "N", .helpOptionPort(port: "7702")), .value("ping-interval", "MS", .helpOptionMilliseconds),
            .value("ping-timeout", "MS", .helpOptionMilliseconds),
        ],
        isInternal: true
    ) { invocation in
        let interval = try invocation.integer("ping-interval", in: 10...600_000, default: 10_000)
        let timeout = try invocation.integer("ping-timeout", in: 10...600_000, default: 10_000)
        try await serveSocketIO(
            port: try invocation.integer("port", in: 0...65_535, default: 7702), pingInterval: .milliseconds(interval),
            pingTimeout: .milliseconds(timeout)
        ) { announce("socketio", port: $0, output: invocation.output) }
    }

    static let serveWebSocketCommand = Command(
        words: ["serve", "websocket"], summary: .helpCommandServeWebsocket,
        options: [.value("port", "N", .helpOptionPort(port: "7703"))],
        isInternal: true
    ) { invocation in
        try await serveWebSocketEcho(port: try invocation.integer("port", in: 0...65_535, default: 7703))
    }

    static let connectSocketIOCommand = Command(
        words: ["connect", "socketio"], summary: .helpCommandConnectSocketio, arguments: "URL",
        count: 1...1,
        options: [.value("namespace", "NAME", .helpOptionNamespace)]
    ) { invocation in
        _ = try await connectSocketIO(url: invocation.positional[0], namespace: invocation["namespace"] ?? "/", payload: nil) {
            invocation.output.line($0.serialized())
        }
    }

    static let connectWebSocketCommand = Command(
        words: ["connect", "websocket"], summary: .helpCommandConnectWebsocket, arguments: "URL", count: 1...1
    ) { invocation in
        do {
            try await connectWebSocket(url: invocation.positional[0])
        } catch is WebSocketDialFailure {
            throw Failure(.connectionNotConnected)
        }
    }

    static let versionCommand = Command(words: ["version"], summary: .helpCommandVersion) { invocation in
        invocation.output.show(
            .object([.init("version", .string(Causeway.version))]), text: ["causeway \(Causeway.version)"])
    }
}
