import Messages
import Synchronization
import Transport
import WireCodec

/// Between a client and its server: lets everything through, or loses one direction; `cut` ends every link without a close, as a kill does.
final class LossyWire: Sendable {
    enum Loss { case none, inbound, outbound }

    private struct Link {
        var receive: @Sendable (WebSocketEvent) -> Void
        var socket: WebSocket?
    }

    private struct State {
        var loss = Loss.none
        var links: [Int: Link] = [:]
        var last = 0
    }

    /// The type of each trade message that was lost, when it was.
    let lost: AsyncStream<TradeMessageType>
    private let losing: AsyncStream<TradeMessageType>.Continuation
    private let state = Mutex(State())
    private let inner: WebSocketDialer

    init(_ inner: WebSocketDialer) {
        self.inner = inner
        (lost, losing) = AsyncStream.makeStream(of: TradeMessageType.self)
    }

    var dialer: WebSocketDialer { WebSocketDialer { self.dial($0, $1) } }

    func lose(_ loss: Loss) { state.withLock { $0.loss = loss } }

    /// Ends what is open and lets everything through that is dialled from now on.
    func cut() {
        let links = state.withLock { state in
            defer {
                state.links = [:]
                state.loss = .none
            }
            return state.links.values
        }
        for link in links {
            link.receive(.closed(WebSocketClosure(code: 1006)))
            link.socket?.close(WebSocketClosure(code: 1001))
        }
    }

    private func dial(_ request: WebSocketDialRequest, _ receive: @escaping @Sendable (WebSocketEvent) -> Void) -> WebSocket {
        let number = state.withLock { state in
            state.last += 1
            state.links[state.last] = Link(receive: receive)
            return state.last
        }
        var socket = inner.dial(request) { self.arrived(number, $0) }
        let send = socket.send
        socket.send = { self.isLost(number, .outbound, $0) ? true : send($0) }
        let whole = socket
        state.withLock { $0.links[number]?.socket = whole }
        return socket
    }

    private func arrived(_ number: Int, _ event: WebSocketEvent) {
        let message: WebSocketMessage? = if case .message(let message) = event { message } else { nil }
        guard !isLost(number, .inbound, message) else { return }
        let receive = state.withLock { $0.links[number]?.receive }
        receive?(event)
    }

    private func isLost(_ number: Int, _ direction: Loss, _ message: WebSocketMessage?) -> Bool {
        guard state.withLock({ $0.loss == direction && $0.links[number] != nil }) else { return false }
        if case .binary(let bytes)? = message, let envelope = try? TradeEnvelope(serializedBytes: bytes) { losing.yield(envelope.type) }
        return true
    }
}
