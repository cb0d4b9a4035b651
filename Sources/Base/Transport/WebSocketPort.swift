public import HTTP

/// One whole message (fragments joined, deflate undone, UTF-8 checked).
public enum WebSocketMessage: Hashable, Sendable {
    case text(String)
    case binary([UInt8])
}

/// How a WebSocket ended. Code 1005: the peer's close had no code; 1006: no close frame came (local use only, RFC 6455 §7.4.1).
public struct WebSocketClosure: Hashable, Sendable {
    public var code: UInt16
    public var reason: String
    public init(code: UInt16, reason: String = "") {
        self.code = code
        self.reason = reason
    }
}

/// Why a dial did not open.
public enum WebSocketDialFailure: Error, Hashable, Sendable {
    case network(String)
    case timedOut
    case refused(status: Int, body: [UInt8])
    case untrusted(String)
    case badURL(String)
}

/// What happens on a dialled WebSocket, in order: one `opened` or one `failed`; after `opened`, messages and pongs, then one `closed`.
public enum WebSocketEvent: Sendable {
    case opened
    case failed(WebSocketDialFailure)
    case message(WebSocketMessage)
    case pong([UInt8])
    case closed(WebSocketClosure)
}

public struct WebSocketDialRequest: Sendable {
    /// `ws://` or `wss://`.
    public var url: String
    public var headers: HTTPFields
    public var subprotocol: String?
    public var connectTimeout: Duration
    public var trust: TLSTrust
    /// A longer message closes with 1009.
    public var maximumMessageSize: Int
    /// Offer permessage-deflate.
    public var deflate: Bool

    public init(
        url: String, headers: HTTPFields = [:], subprotocol: String? = nil, connectTimeout: Duration = .seconds(8),
        trust: TLSTrust = .system, maximumMessageSize: Int = 4 << 20, deflate: Bool = false
    ) {
        self.url = url
        self.headers = headers
        self.subprotocol = subprotocol
        self.connectTimeout = connectTimeout
        self.trust = trust
        self.maximumMessageSize = maximumMessageSize
        self.deflate = deflate
    }
}

/// One end of an open (or opening) WebSocket. All calls are thread-safe and never block.
public struct WebSocket: Sendable {
    /// Queues a message. False: it was not queued (closed, not open yet, or the outgoing queue is full and the connection is being closed).
    public var send: @Sendable (WebSocketMessage) -> Bool
    /// As `send`, but may go out only after `wake`: many messages to many sockets cost the service thread one wake.
    public var queue: @Sendable (WebSocketMessage) -> Bool
    /// Sends what was queued; nothing to do: no cost.
    public var wake: @Sendable () -> Void
    /// Sends a ping; false as for `send`.
    public var ping: @Sendable ([UInt8]) -> Bool
    /// Starts the closing handshake; bounded by 2 s, then the socket is dropped. Again or late: ignored.
    public var close: @Sendable (WebSocketClosure) -> Void
    /// Bytes accepted by `send` and not yet handed to the kernel.
    public var queuedBytes: @Sendable () -> Int

    /// `queue` nil: queued messages are sent at once.
    public init(
        send: @escaping @Sendable (WebSocketMessage) -> Bool, queue: (@Sendable (WebSocketMessage) -> Bool)? = nil,
        wake: @escaping @Sendable () -> Void = {}, ping: @escaping @Sendable ([UInt8]) -> Bool,
        close: @escaping @Sendable (WebSocketClosure) -> Void, queuedBytes: @escaping @Sendable () -> Int
    ) {
        self.send = send
        self.queue = queue ?? send
        self.wake = wake
        self.ping = ping
        self.close = close
        self.queuedBytes = queuedBytes
    }
}

/// Port: dials. Events arrive on the service thread, in order; the receiver hops off it at once.
public struct WebSocketDialer: Sendable {
    public var dial: @Sendable (WebSocketDialRequest, _ receive: @escaping @Sendable (WebSocketEvent) -> Void) -> WebSocket
    public init(dial: @escaping @Sendable (WebSocketDialRequest, _ receive: @escaping @Sendable (WebSocketEvent) -> Void) -> WebSocket) {
        self.dial = dial
    }
}

/// A server's answer to an upgrade request.
public enum WebSocketAcceptance: Sendable {
    case refuse(HTTPResponse)
    /// `attach` is called once with the open socket, before any event, and returns the receiver of its messages, pongs and close.
    case accept(
        WebSocketAcceptOptions, attach: @Sendable (WebSocket) -> @Sendable (WebSocketEvent) -> Void)
}

public struct WebSocketAcceptOptions: Sendable {
    public var subprotocol: String?
    public var maximumMessageSize: Int
    /// Most bytes that may wait for a slow reader; beyond it the connection closes with 1013.
    public var maximumQueuedBytes: Int
    public var deflate: Bool

    public init(
        subprotocol: String? = nil, maximumMessageSize: Int = 4 << 20, maximumQueuedBytes: Int = 8 << 20, deflate: Bool = false
    ) {
        self.subprotocol = subprotocol
        self.maximumMessageSize = maximumMessageSize
        self.maximumQueuedBytes = maximumQueuedBytes
        self.deflate = deflate
    }
}

/// Port: decides about an upgrade request, on the service thread, at once.
public typealias WebSocketAcceptor = @Sendable (HTTPServerRequest) -> WebSocketAcceptance
