import Foundation
import HTTP
import Streams
import Synchronization
import Testing
import Transport

@testable import LWS

private final class State: Sendable {
    let link = Mutex<WebSocket?>(nil)
    let count = Atomic<Int>(0)
}

@Suite(.timeLimit(.minutes(1))) struct SocketIOEventTests {
    private static let handlers = SocketIOServerHandlers(
        connect: { _, _, _ in .accept(payload: nil) },
        event: { session, namespace, name, _, _ in
            guard name == "go" else { return }
            for sender in 0..<16 as Range<UInt8> {
                Task.detached {
                    for number in 0..<20 as Range<UInt8> {
                        let parts = (0..<(number % 4)).map { SocketIOValue.binary([sender, number, $0]) }
                        session.emit(namespace: namespace, name: "e", arguments: [.binary([sender, number, 255])] + parts)
                        await Task.yield()
                    }
                }
            }
        }, disconnected: { _, _, _ in })

    // SIO: what belongs to an event follows it at once, whoever else sends.
    @Test(arguments: [1, 2, 3, 4, 5]) func attachmentsOfManySendersNeverInterleave(_ round: Int) async throws {
        let sockets = SocketIOServer(policy: SocketIOServerPolicy(namespaces: ["/"]), clock: .live, handlers: Self.handlers)
        let server = try LWSServer(
            LWSServerConfiguration(port: 0, http: { sockets.answer($0) }, webSocket: { sockets.accept($0) }))
        let client = try LWSClient()
        let expected = 16 * (0..<20).reduce(0) { $0 + 2 + $1 % 4 }
        let state = State()
        let events = Events()
        let opened = AsyncStream.makeStream(of: Void.self)
        let socket = client.dialer.dial(
            WebSocketDialRequest(url: "ws://127.0.0.1:\(server.port)/socket.io/?EIO=4&transport=websocket")
        ) { event in
            switch event {
            case .message(.text(let text)) where text.hasPrefix("0"): opened.continuation.yield()
            case .message(.text(let text)) where text.hasPrefix("40"): _ = state.link.withLock { $0 }?.send(.text("42[\"go\"]"))
            case .message(.text("2")): _ = state.link.withLock { $0 }?.send(.text("3"))
            case .message:
                events.receive(event)
                if state.count.wrappingAdd(1, ordering: .relaxed).newValue == expected {
                    state.link.withLock { $0 }?.close(.init(code: 1000))
                }
            case .opened, .pong: break
            case .failed, .closed: events.receive(event)
            }
        }
        state.link.withLock { $0 = socket }
        for await _ in opened.stream { break }
        _ = socket.send(.text("40"))
        let heard = await events.collect().messages
        var (left, sender, seen) = (0, UInt8(0), [[UInt8]]())
        for message in heard {
            switch message {
            case .text(let text):
                #expect(left == 0 && text.hasPrefix("45"))
                left = Int(text.dropFirst(2).prefix { $0 != "-" }) ?? 0
            case .binary(let bytes):
                if bytes.last == 255 {
                    sender = bytes[0]
                    seen.append(bytes)
                }
                #expect(left > 0 && bytes[0] == sender && bytes[1] == seen.last?[1])
                left -= 1
            }
        }
        #expect(heard.count == expected && left == 0 && Set(seen).count == 320)
        // Each sender's own events are in order.
        for sender in 0..<16 as Range<UInt8> { #expect(seen.filter { $0[0] == sender }.map { $0[1] } == Array(0..<20)) }
        await client.stop()
        await server.stop()
    }
}
