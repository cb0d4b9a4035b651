import Accounts
import Exchange
import HTTP
import Messages
import Streams
import Synchronization
import Testing
import Texts
import Transport
import WireCodec

@testable import TradeGateway

/// Until the task is cancelled.
func neverReturns() async throws {
    for await _ in AsyncStream<Never>.makeStream().stream {}
    throw CancellationError()
}

/// A client of a gateway without a network: what the server sends comes as a stream.
final class Client: Sendable {
    let sent: AsyncStream<WebSocketMessage>
    private let input: AsyncStream<WebSocketMessage>.Continuation
    let closed = Mutex<WebSocketClosure?>(nil)
    private let receive = Mutex<(@Sendable (WebSocketEvent) -> Void)?>(nil)

    init(_ server: SocketIOServer) {
        (sent, input) = AsyncStream.makeStream()
        let acceptance = server.accept(
            .init(method: "GET", path: "/socket.io/", query: "EIO=4&transport=websocket", remoteAddress: "127.0.0.1"))
        guard case .accept(_, let attach) = acceptance else { return }
        let socket = WebSocket(
            send: { [input] in
                input.yield($0)
                return true
            }, ping: { _ in true },
            close: { [self, input] closure in
                closed.withLock { $0 = closure }
                input.finish()
            }, queuedBytes: { 0 })
        let receive = attach(socket)
        self.receive.withLock { $0 = receive }
    }

    func say(_ text: String) { receive.withLock { $0 }?(.message(.text(text))) }

    func request(_ envelope: TradeEnvelope) throws {
        say(#"451-/securities,["request",{"_placeholder":true,"num":0}]"#)
        receive.withLock { $0 }?(.message(.binary(try envelope.serializedBytes())))
    }

    /// The next envelope; nil once the server closed.
    func envelope() async throws -> TradeEnvelope? {
        for await case .binary(let bytes) in sent { return try TradeEnvelope(serializedBytes: bytes) }
        return nil
    }

    /// Takes nothing that is sent from now on.
    func leave() { input.finish() }

    /// Signs in and joins the securities counter.
    func join(process: String = "p") async throws {
        say(#"40/auth,{"token":"t","process":"\#(process)"}"#)
        await text(#"42/auth,["auth","#)
        say("40/securities,")
        #expect(try await envelope()?.type == .ready)
    }

    func text(_ beginning: String) async {
        for await case .text(let text) in sent where text.hasPrefix(beginning) { return }
    }
}

/// A gateway whose venue has one order, and its door.
struct Door {
    let gateway: TradeGateway
    let server: SocketIOServer

    /// - Parameter placing: runs while a command is under way.
    init(order one: Order, placing: @escaping @Sendable () async -> Void = {}) throws {
        let venue = TradingVenue(
            open: { _, _ throws(Failure) in },
            place: { _ throws(Failure) in
                await placing()
                return one
            }, cancel: { _ throws(Failure) in one },
            orders: { _ throws(Failure) in
                var list = OrderList()
                list.orders = [one]
                return list
            }, orderByCommand: { _ throws(Failure) in OrderList() }, fills: { _ throws(Failure) in FillList() },
            positions: { _ throws(Failure) in PositionList() }, funds: { _ throws(Failure) in FundsReply() },
            since: { _ throws(Failure) in SinceReply() }, sequence: { _ throws(Failure) in 1 })
        let authority = GatewayAuthority(
            verify: { _ in .success(Principal(accountID: "A", deviceID: "d", platform: "linux", scopes: [.trade])) },
            tradingAccount: { _, _ in "SA" }, verifyPassword: { _, _ in .success(.right) }, makeSessionID: { "session" }, digest: { $0 })
        let held = TradingSession(tradingAccount: "SA", account: "A", device: "d", platform: "linux", digest: "session")
        let clock = MonotonicClock(now: { .init(nanoseconds: 0) }, sleep: { _ in try await neverReturns() })
        gateway = try TradeGateway(
            venue: venue, authority: authority, store: .init(load: { () throws(Failure) in [held] }, save: { _ throws(Failure) in }),
            clock: clock, marketClock: .init(reading: { .init(time: .init(nanoseconds: 0), speedMicros: 0, epoch: 1) }), firstEpoch: 1)
        server = SocketIOServer(policy: TradeGateway.policy, clock: clock, handlers: gateway.handlers)
    }
}

func request(_ type: TradeMessageType, _ payload: some Message) throws -> TradeEnvelope {
    var envelope = TradeEnvelope()
    (envelope.requestID, envelope.type, envelope.sessionID) = ("r1", type, "session")
    envelope.payload = try payload.serializedBytes()
    return envelope
}

@Suite struct ReplyTests {
    /// Of a venue whose orders are of that many bytes.
    private func client(orderBytes: Int) async throws -> Client {
        var order = Order()
        order.orderID = 7
        order.reason.code = String(repeating: "x", count: orderBytes)
        let client = Client(try Door(order: order).server)
        try await client.join()
        return client
    }

    private func orders() throws -> TradeEnvelope {
        var query = OrdersQuery()
        query.tradingAccount = "SA"
        return try request(.orders, query)
    }

    @Test("C-9: a list comes as it is; one larger than a packet may be is refused by name, never left unanswered")
    func tooLargeAList() async throws {
        let small = try await client(orderBytes: 10)
        try small.request(orders())
        let reply = try #require(try await small.envelope())
        #expect(reply.returnCode.isEmpty && reply.requestID == "r1")
        #expect(try OrderList(serializedBytes: reply.payload).orders.map(\.orderID) == [7])
        let large = try await client(orderBytes: 1_000_000)
        try large.request(orders())
        let refusal = try #require(try await large.envelope())
        #expect(refusal.returnCode == "request.too-large" && refusal.requestID == "r1" && refusal.payload.isEmpty)
    }

    @Test("C-3: a command that was done is never answered as refused: where its reply cannot be sent, the connection ends")
    func tooLargeAReply() async throws {
        let client = try await client(orderBytes: 1_000_000)
        var order = PlaceOrder()
        (order.tradingAccount, order.commandID) = ("SA", Array(0..<16))
        try client.request(request(.place, order))
        #expect(try await client.envelope() == nil)
        #expect(client.closed.withLock { $0?.code } == 1011)
    }
}
