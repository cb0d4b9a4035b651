import HTTP
import LWS
import Texts
import Transport

extension Commands {
    static let serveSocketIOCommand = Command(
        words: ["serve", "socketio"], summary: "a Socket.IO server for the suites of other implementations",
        options: [
            .value("port", "N", "default 7702; 0: any free port"), .value("ping-interval", "MS", "default 10000"),
            .value("ping-timeout", "MS", "default 10000"),
        ]
    ) { invocation in
        let interval = try invocation.integer("ping-interval", in: 10...600_000, default: 10_000)
        let timeout = try invocation.integer("ping-timeout", in: 10...600_000, default: 10_000)
        try await serveSocketIO(
            port: try invocation.integer("port", in: 0...65_535, default: 7702), pingInterval: .milliseconds(interval),
            pingTimeout: .milliseconds(timeout)
        ) { announce("socketio", port: $0, output: invocation.output) }
    }

    static let serveWebSocketCommand = Command(
        words: ["serve", "websocket"], summary: "a WebSocket server that sends every message back",
        options: [.value("port", "N", "default 7703; 0: any free port")]
    ) { invocation in
        try await serveWebSocketEcho(port: try invocation.integer("port", in: 0...65_535, default: 7703))
    }

    static let connectSocketIOCommand = Command(
        words: ["connect", "socketio"], summary: "join a Socket.IO namespace; lines of JSON arrays are emitted", arguments: "URL",
        count: 1...1,
        options: [.value("namespace", "NAME", "default /")]
    ) { invocation in
        _ = try await connectSocketIO(url: invocation.positional[0], namespace: invocation["namespace"] ?? "/", payload: nil) {
            invocation.output.line($0.serialized())
        }
    }

    static let connectWebSocketCommand = Command(
        words: ["connect", "websocket"], summary: "send lines as text messages, print what comes in", arguments: "URL", count: 1...1
    ) { invocation in
        do {
            try await connectWebSocket(url: invocation.positional[0])
        } catch is WebSocketDialFailure {
            throw Failure(.connectionNotConnected)
        }
    }

    static let versionCommand = Command(words: ["version"], summary: "the program's version") { invocation in
        invocation.output.show(
            .object([.init("version", .string(Causeway.version))]), text: ["causeway \(Causeway.version)"])
    }
}
