import HTTP
import Synchronization

/// For tests, as `ManualClock` is: joins the dialer's port to an acceptor in memory. `isMuted`: from then on nothing passes and nothing closes, as on a dead line.
package final class MemoryNetwork: Sendable {
    private let acceptor: WebSocketAcceptor
    private let muted = Atomic(false)
    private let lost = Mutex<[@Sendable () -> Void]>([])

    package init(_ acceptor: @escaping WebSocketAcceptor) { self.acceptor = acceptor }

    package func mute() { muted.store(true, ordering: .relaxed) }

    /// Breaks every connection without a close frame.
    package func breakAll() { for action in lost.withLock({ $0 }) { action() } }

    package var dialer: WebSocketDialer {
        WebSocketDialer { request, receive in self.dial(request, receive) }
    }

    private final class Server: Sendable {
        let receive = Mutex<(@Sendable (WebSocketEvent) -> Void)?>(nil)
        let isClosed = Atomic(false)
        func take(_ event: WebSocketEvent) { receive.withLock { $0 }?(event) }
    }

    private func dial(_ request: WebSocketDialRequest, _ receive: @escaping @Sendable (WebSocketEvent) -> Void) -> WebSocket {
        let parts = request.url.split(separator: "?", maxSplits: 1)
        let upgrade = HTTPServerRequest(
            method: "GET", path: "/socket.io/", query: parts.count > 1 ? String(parts[1]) : "", remoteAddress: "127.0.0.1")
        let server = Server()
        let close: @Sendable (WebSocketClosure) -> Void = { closure in
            guard !server.isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
            receive(.closed(closure))
            server.take(.closed(closure))
            server.receive.withLock { $0 = nil }
        }
        switch acceptor(upgrade) {
        case .refuse(let response): receive(.failed(.refused(status: response.status, body: response.body)))
        case .accept(_, let attach):
            lost.withLock { $0.append { close(.init(code: 1006)) } }
            receive(.opened)
            let taker = attach(
                WebSocket(
                    send: { message in
                        guard !server.isClosed.load(ordering: .acquiring) else { return false }
                        if !self.muted.load(ordering: .relaxed) { receive(.message(message)) }
                        return true
                    }, ping: { _ in true }, close: close, queuedBytes: { 0 }))
            server.receive.withLock { $0 = taker }
        }
        return WebSocket(
            send: { message in
                guard !server.isClosed.load(ordering: .acquiring) else { return false }
                if !self.muted.load(ordering: .relaxed) { server.take(.message(message)) }
                return true
            }, ping: { _ in true }, close: close, queuedBytes: { 0 })
    }
}

/// For tests: news in order, awaited one by one.
package final class NewsQueue<Item: Sendable>: Sendable {
    private let continuation: AsyncStream<Item>.Continuation
    private let stream: AsyncStream<Item>

    package init() { (stream, continuation) = AsyncStream.makeStream() }
    package func add(_ item: Item) { continuation.yield(item) }

    /// The next one.
    package func next() async -> Item? {
        for await item in stream { return item }
        return nil
    }
}
