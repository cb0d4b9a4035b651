import HTTP
import Synchronization
import Testing
import Transport

@testable import LWS

@Suite(.timeLimit(.minutes(5))) struct LoadTests {
    // B-7, B-9: one server multicasts to a thousand connections; nothing is lost, reordered or mixed up.
    @Test func multicastsToAThousandConnections() async throws {
        let (connections, messages) = (1000, 50)
        let sockets = Mutex<[WebSocket]>([])
        let attached = AsyncStream.makeStream(of: Void.self)
        let server = try LWSServer(
            LWSServerConfiguration(port: 0, http: { _ in HTTPResponse(status: 404) }) { _ in
                .accept(WebSocketAcceptOptions()) { socket in
                    sockets.withLock { $0.append(socket) }
                    attached.continuation.yield()
                    return { _ in }
                }
            })
        let client = try LWSClient()
        let wrong = Atomic<Int>(0)
        let done = AsyncStream.makeStream(of: Void.self)
        for _ in 0..<connections {
            let next = Counter()
            _ = client.dialer.dial(WebSocketDialRequest(url: "ws://127.0.0.1:\(server.port)/", connectTimeout: .seconds(30))) { event in
                switch event {
                case .message(.binary(let bytes)):
                    let expected = next.step()
                    if bytes.count != 100 || bytes[0] != UInt8(expected) { wrong.wrappingAdd(1, ordering: .relaxed) }
                    if expected == messages - 1 { done.continuation.yield() }
                case .failed, .closed: wrong.wrappingAdd(1, ordering: .relaxed)
                case .opened, .pong, .message: break
                }
            }
        }
        for await _ in attached.stream where sockets.withLock({ $0.count }) == connections { break }
        let all = sockets.withLock { $0 }
        let start = ContinuousClock.now
        for number in 0..<messages {
            let message = WebSocketMessage.binary([UInt8](repeating: UInt8(number), count: 100))
            for socket in all where !socket.send(message) { wrong.wrappingAdd(1, ordering: .relaxed) }
        }
        var finished = 0
        for await _ in done.stream {
            finished += 1
            if finished == connections { break }
        }
        let time = ContinuousClock.now - start
        print("\(connections * messages) messages to \(connections) connections in \(time)")
        #expect(wrong.load(ordering: .relaxed) == 0)
        await client.stop()
        await server.stop()
    }
}

private final class Counter: Sendable {
    private let value = Atomic<Int>(0)
    func step() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
