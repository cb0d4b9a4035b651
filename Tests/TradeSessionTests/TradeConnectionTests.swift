import Exact
import Instruments
import Messages
import Streams
import Testing
import Texts
import Transport
import WireCodec

@testable import TradeSession

/// The actor over a Socket.IO server in memory, on one manual clock.
@Suite(.timeLimit(.minutes(5)))
struct TradeConnectionTests {
    private struct Rig {
        let clock = ManualClock()
        let gateway = ScriptedGateway()
        let sessions = MemorySessions()
        let network: MemoryNetwork
        let connection: TradeConnection
        /// Credentials that were named as refused.
        let refused: AsyncStream<String>

        init() {
            let server = gateway.server(clock.clock)
            network = MemoryNetwork { server.accept($0) }
            let (stream, continuation) = AsyncStream.makeStream(of: String.self)
            refused = stream
            connection = Self.connection(network, clock, sessions) { continuation.yield($0) }
        }

        static func connection(
            _ network: MemoryNetwork, _ clock: ManualClock, _ sessions: MemorySessions,
            renew: @escaping @Sendable (String) -> Void = { _ in }
        ) -> TradeConnection {
            TradeConnection(
                dialer: network.dialer, clock: clock.clock,
                configuration: .init(
                    url: "http://127.0.0.1:1", deviceID: String(repeating: "0", count: 32), tradingAccounts: [.securities: "S1"]),
                store: sessions.store, seed: 1, renewCredential: { renew($0) })
        }

        func ready() async throws {
            await connection.credential("T0", account: "a")
            try await connection.ready(.securities)
        }

        func loggedIn() async throws {
            try await ready()
            await gateway.on(.login) { request in
                var reply = TradeLoginReply()
                reply.code = .ok
                reply.sessionID = "X1"
                return Self.envelope(request, reply)
            }
            #expect(await connection.login(.securities, password: "p") == .ok)
        }

        static func envelope(_ request: TradeEnvelope, _ message: some Message, code: String = "") -> TradeEnvelope {
            var envelope = request
            envelope.payload = (try? message.serializedBytes()) ?? []
            envelope.returnCode = code
            return envelope
        }
    }

    private static let ticket = OrderTicket(
        instrument: InstrumentID(7), side: .buy, quantity: Quantity(units: 100_00000000), limit: Price(nanos: 320_000_000_000))

    private static func order(_ id: UInt64, _ sequence: UInt64 = 1) -> Order {
        var order = Order()
        order.orderID = id
        order.status = .working
        order.sequence = sequence
        return order
    }

    // D-1, D-8: the session id is stored, carried, and survives the process.
    @Test func `a fresh process needs no second login`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        await rig.gateway.on(.funds) { Rig.envelope($0, FundsReply()) }
        let other = Rig.connection(rig.network, rig.clock, rig.sessions)
        await rig.connection.stored()
        await other.credential("T0", account: "a")
        try await other.ready(.securities)
        _ = try await other.funds(.securities)
        #expect(await rig.gateway.request(.funds).sessionID == "X1")
        #expect(await rig.gateway.count(.login) == 1)
    }

    // D-1: a refused login's own code, beside the envelope's.
    @Test func `a wrong password says how many tries are left`() async throws {
        let rig = Rig()
        try await rig.ready()
        await rig.gateway.on(.login) { request in
            var reply = TradeLoginReply()
            reply.code = .wrongPassword
            reply.triesLeft = 4
            return Rig.envelope(request, reply, code: "trade.wrong-password")
        }
        let result = await rig.connection.login(.securities, password: "p")
        #expect(result == .wrongPassword(triesLeft: 4))
        #expect(await rig.connection.login(.securities, password: "p") == .tooFrequent)
        #expect(await !rig.connection.isLoggedIn(.securities))
    }

    // A-3, B-4: who renews is told which credential was refused, so that a renewal that came since is not done again.
    @Test func `a refused handshake names its credential once, and a newer one is let in`() async throws {
        let rig = Rig()
        await rig.gateway.refuse(1)
        await rig.connection.credential("T0", account: "a")
        await rig.connection.connect()
        for await refused in rig.refused {
            #expect(refused == "T0")
            break
        }
        await rig.connection.credential("T1", account: "a")
        try await rig.connection.ready(.securities)
        #expect(await rig.gateway.handshakes == 2)
    }

    // C-9: a list longer than a message is asked for page by page; what is pushed in between is in it, once.
    @Test func `a list in pages is as of one sequence`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        await rig.gateway.on(.orders) { request in
            guard let query = try? OrdersQuery(serializedBytes: request.payload) else { return nil }
            var list = OrderList()
            list.orders = query.after == 0 ? [Self.order(1), Self.order(2)] : [Self.order(3)]
            list.sequence = query.after == 0 ? 4 : 5
            list.more = query.after == 0
            return query.limit > 0 && [0, 2].contains(query.after) ? Rig.envelope(request, list) : nil
        }
        await rig.gateway.on(.since) { request in
            guard let query = try? SinceQuery(serializedBytes: request.payload), query.sequence == 4 else { return nil }
            var reply = SinceReply()
            var event = AccountEvent()
            event.sequence = 5
            event.order = Self.order(1, 5)
            event.order.status = .cancelled
            reply.events = [event]
            reply.sequence = 5
            reply.complete = true
            return Rig.envelope(request, reply)
        }
        let all = try await rig.connection.orders(.securities)
        #expect(all.sequence == 5)
        #expect(all.orders.map(\.orderID) == [1, 2, 3])
        #expect(all.orders.map(\.status) == [.cancelled, .working, .working])
        #expect(try await rig.connection.orders(.securities, workingOnly: true).orders.map(\.orderID) == [2, 3])
    }

    // C-3, C-4
    @Test func `an order is accepted or refused once, with its command id and session`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        await rig.gateway.on(.place) { request in
            var reply = CommandReply()
            reply.order = Self.order(11)
            return Rig.envelope(request, reply)
        }
        let command = CommandID()
        #expect(await rig.connection.place(Self.ticket, on: .securities, commandID: command) == .accepted(Self.order(11)))
        let sent = try PlaceOrder(serializedBytes: await rig.gateway.request(.place).payload)
        #expect(sent.commandID == command.bytes && sent.limit == 320_000_000_000 && sent.quantity == 100_00000000)
        await rig.gateway.on(.place) { Rig.envelope($0, CommandReply(), code: "order.funds") }
        #expect(await rig.connection.place(Self.ticket, on: .securities) == .refused(Failure(ErrorCode("order.funds"))))
        // One that stands in the books as rejected says its number there.
        await rig.gateway.on(.place) { request in
            var reply = CommandReply()
            reply.order = Self.order(12)
            reply.order.status = .rejected
            reply.order.reason.code = "order.tick"
            return Rig.envelope(request, reply)
        }
        let refused = Failure(ErrorCode("order.tick"), .init("order", "12"))
        #expect(await rig.connection.place(Self.ticket, on: .securities) == .refused(refused))
    }

    // B-6
    @Test func `an order without a connection is not sent, now or later`() async throws {
        let rig = Rig()
        #expect(await rig.connection.place(Self.ticket, on: .securities) == .notConnected)
        try await rig.loggedIn()
        #expect(await rig.gateway.count(.place) == 0)
    }

    // C-3, B-9: the link breaks under an order; the query after the reconnect says what became of it.
    @Test func `an order under a broken link is unknown, then resolved by a query, never sent again`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        await rig.gateway.on(.since) { request in
            var reply = SinceReply()
            reply.complete = true
            return Rig.envelope(request, reply)
        }
        await rig.gateway.on(.orderByCommand) { request in
            var list = OrderList()
            list.orders = [Self.order(12)]
            return Rig.envelope(request, list)
        }
        let news = await rig.connection.news()
        let command = CommandID()
        async let first = rig.connection.place(Self.ticket, on: .securities, commandID: command)
        _ = await rig.gateway.request(.place)
        rig.network.breakAll()
        #expect(await first == .unknown)
        rig.clock.advance(by: .seconds(6))
        for await item in news {
            guard case .resolved(let id, let result) = item else { continue }
            #expect(id == command && result == .accepted(Self.order(12)))
            break
        }
        #expect(await rig.gateway.count(.place) == 1)
        let query = try OrderByCommand(serializedBytes: await rig.gateway.request(.orderByCommand).payload)
        #expect(query.commandID == command.bytes && query.tradingAccount == "S1")
    }

    // A-8, C-3: whoever waits for the end of an unknown order is told that nobody finds out any more.
    @Test func `an unknown order at sign-out ends as unknown, and is not asked for by the next user`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        let news = await rig.connection.news()
        let command = CommandID()
        async let first = rig.connection.place(Self.ticket, on: .securities, commandID: command)
        _ = await rig.gateway.request(.place)
        rig.clock.advance(by: .seconds(10))
        #expect(await first == .unknown)
        _ = await rig.gateway.request(.orderByCommand)
        await rig.connection.credential(nil, account: "a")
        for await item in news {
            guard case .resolved(let id, let result) = item else { continue }
            #expect(id == command && result == .unknown)
            break
        }
        await rig.connection.credential("T1", account: "b")
        try await rig.connection.ready(.securities)
        #expect(await rig.gateway.count(.orderByCommand) == 1)
    }

    // C-3: its answer was not awaited yet when the user signed out.
    @Test func `an order under way at sign-out is told as unknown, then as unknown for good`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        let news = await rig.connection.news()
        let command = CommandID()
        async let first = rig.connection.place(Self.ticket, on: .securities, commandID: command)
        _ = await rig.gateway.request(.place)
        await rig.connection.credential(nil, account: "a")
        #expect(await first == .unknown)
        for await item in news {
            guard case .resolved(let id, let result) = item else { continue }
            #expect(id == command && result == .unknown)
            break
        }
    }

    // C-9: pushes in sequence; a gap asks for what is missing.
    @Test func `a gap in the account sequence is filled before anything newer is told`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        await rig.gateway.on(.since) { request in
            var reply = SinceReply()
            reply.events = [UInt64(2), 3].map { number in
                var event = AccountEvent()
                event.sequence = number
                event.order = Self.order(number, number)
                return event
            }
            reply.sequence = 3
            reply.complete = true
            return Rig.envelope(request, reply)
        }
        let news = await rig.connection.news()
        try await rig.gateway.push(.orderPush, Self.order(1, 1), sequence: 1)
        try await rig.gateway.push(.orderPush, Self.order(3, 3), sequence: 3)
        try await rig.gateway.push(.orderPush, Self.order(4, 4), sequence: 4)
        var told: [UInt64] = []
        for await item in news {
            if case .account(_, _, let event) = item { told.append(event.sequence) }
            if told.count == 4 { break }
        }
        #expect(told == [1, 2, 3, 4])
        #expect(try SinceQuery(serializedBytes: await rig.gateway.request(.since).payload).sequence == 1)
    }

    // D-5: the newest session is another device's.
    @Test func `another device ends the session and clears the stored id`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        let news = await rig.connection.news()
        var other = SessionNews()
        other.sessionID = "X9"
        other.deviceID = "other"
        other.platform = "linux"
        try await rig.gateway.push(.duplicateLogin, other)
        var told: [String] = []
        for await item in news {
            if case .sessionEnded(.securities) = item { told.append("ended") }
            if case .loggedInElsewhere(.securities, let platform) = item {
                told.append(platform ?? "")
                break
            }
        }
        #expect(told == ["ended", "linux"])
        #expect(await !rig.connection.isLoggedIn(.securities))
        #expect(await rig.connection.state(of: .securities) == .ready)
        #expect(await rig.connection.login(.securities, password: "p", isSilent: true) == .failed(Failure(.tradeKicked)))
        for await id in rig.sessions.changes where id == nil { break }
    }

    // C-3: a late reply is not applied.
    @Test func `an order without an answer is unknown after ten seconds and asked for at once`() async throws {
        let rig = Rig()
        try await rig.loggedIn()
        let news = await rig.connection.news()
        async let first = rig.connection.place(Self.ticket, on: .securities)
        let sent = await rig.gateway.request(.place)
        rig.clock.advance(by: .seconds(10))
        #expect(await first == .unknown)
        let query = await rig.gateway.request(.orderByCommand)
        var late = CommandReply()
        late.order = Self.order(99)
        try await rig.gateway.reply(sent, late)
        var list = OrderList()
        list.orders = [Self.order(13)]
        try await rig.gateway.reply(query, list)
        for await item in news {
            guard case .resolved(_, let result) = item else { continue }
            #expect(result == .accepted(Self.order(13)))
            break
        }
    }
}
