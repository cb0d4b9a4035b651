import Accounts
import Curl
import Diagnostics
import Exact
import Foundation
import HTTP
import Instruments
import LWS
import MarketData
import Messages
import Portfolio
import Sealed
import Streams
import Synchronization
import Testing
import Texts
import TradeSession

@testable import Server

/// A client made of the parts that the program's is made of, over a wire that can lose.
private struct StoryClient {
    let wire: LossyWire
    let credentials: Credentials
    let quotes: QuoteConnection
    let trade: TradeConnection
    let news: AsyncStream<TradeNews>
    static let password = "correct horse battery"

    init(_ test: TestServer, _ server: CausewayServer) async throws {
        wire = LossyWire(test.sockets.dialer)
        let credentials = Credentials(
            api: try test.api(server), clock: .live,
            configuration: .init(device: TestServer.device, store: .memory(), lockFile: nil, wall: { WallClock.live.now() / 1_000_000 }))
        self.credentials = credentials
        try await credentials.register(name: "story", password: Self.password)
        _ = await credentials.signOut()
        try await credentials.signIn(name: "story", password: Self.password)
        let info = AccountInfoSource(credentials: credentials, clock: .live)
        let account = try await info.info()
        quotes = QuoteConnection(
            dialer: wire.dialer, clock: .live,
            configuration: .init(url: try #require(account.quoteNodes.first).url, deviceID: TestServer.device.id), seed: 1
        ) { try await info.quoteCredential(forced: $0) }
        let accounts = account.tradingAccounts.compactMap { entry in TradeCounter(rawValue: entry.counter).map { ($0, entry.id) } }
        trade = TradeConnection(
            dialer: wire.dialer, clock: .live,
            configuration: .init(
                url: account.tradeURL, deviceID: TestServer.device.id, tradingAccounts: Dictionary(uniqueKeysWithValues: accounts)),
            store: .none, seed: 1
        ) { _ = try? await credentials.credential(newerThan: $0) }
        news = await trade.news()
        await trade.credential(try await credentials.credential(), account: account.account)
    }

    func books() async throws -> (orders: OrderList, fills: FillList, positions: PositionList, funds: FundsReply) {
        (
            try await trade.orders(.securities), try await trade.fills(.securities), try await trade.positions(.securities),
            try await trade.funds(.securities)
        )
    }
}

/// What the client shows, from one load and the pushes after it; a session that ends or books that must be loaded anew are faults.
private struct StoryBooks {
    var centre: DataCentre
    var resolved: [CommandID: CommandResult] = [:]

    init(_ client: StoryClient) async throws {
        let books = try await client.books()
        centre = DataCentre(tradingAccount: books.funds.tradingAccount)
        #expect(centre.load(orders: books.orders, fills: books.fills, positions: books.positions, funds: books.funds) == [.changed])
    }

    mutating func follow(_ client: StoryClient, until isDone: (StoryBooks) -> Bool) async {
        if isDone(self) { return }
        for await item in client.news {
            switch item {
            // Each step is the next one of the same sequence, before and after every restart (C-9).
            case .account(.securities, _, let event): #expect(centre.apply(event) == [.changed])
            case .resolved(let id, let result):
                #expect(resolved[id] == nil)
                resolved[id] = result
            case .sessionEnded, .loggedInElsewhere, .kicked, .resynchronise: Issue.record("\(item)")
            case .account, .connection, .counter, .loggedIn, .clock: break
            }
            if isDone(self) { return }
        }
        Issue.record("the news ended")
    }

    /// What is queried and what was pushed are the same books, once what was asked at is reached.
    mutating func agree(with client: StoryClient) async throws {
        let books = try await client.books()
        await follow(client) { ($0.centre.sequence ?? 0) >= books.funds.sequence }
        #expect(Set(books.orders.orders) == Set(centre.orders.values))
        #expect(Set(books.fills.fills) == Set(centre.fills.values))
        #expect(Set(books.positions.positions) == Set(centre.positions.values))
        #expect(books.funds.lines == centre.funds)
        #expect(books.funds.sequence == centre.sequence)
    }
}

private final class Judged: Sendable { let count = Atomic<Int>(0) }

@Suite(.timeLimit(.minutes(5))) struct TradeStoryTests {
    @Test("B-3, B-4, C-3, C-9, D-4: buy, add up, kill the server twice under a command; same books, nothing placed twice")
    func story() async throws {
        let test = try TestServer()
        var server = try await test.start()
        let port = server.port
        let client = try await StoryClient(test, server)
        let (instrument, quotes) = try await tencent(client)
        try await client.trade.ready(.securities)
        #expect(await client.trade.login(.securities, password: StoryClient.password) == .ok)
        var books = try await StoryBooks(client)

        let market = OrderTicket(instrument: instrument.id, side: .buy, quantity: try Quantity("100"), limit: nil)
        guard case .accepted(let bought) = await client.trade.place(market, on: .securities) else {
            Issue.record("the market order was not accepted")
            return
        }
        await books.follow(client) { $0.centre.orders[bought.orderID]?.status == .filled && $0.centre.fills.count > 0 }
        try await addUp(&books, client, instrument)

        // A refusal names the number that the order took in the books.
        let between = OrderTicket(instrument: instrument.id, side: .buy, quantity: try Quantity("100"), limit: try Price("350.1"))
        let refused = await client.trade.place(between, on: .securities)
        await books.follow(client) { $0.centre.orders.values.contains { $0.status == .rejected } }
        let rejected = try #require(books.centre.orders.values.first { $0.status == .rejected })
        guard case .refused(let failure) = refused else { return }
        #expect(failure.code == ErrorCode("order.tick") && failure.arguments.last == .init("order", String(rejected.orderID)))

        // Killed when the order was executed and its answer was not received.
        let waiting = OrderTicket(instrument: instrument.id, side: .buy, quantity: try Quantity("100"), limit: try Price("300"))
        let executed = CommandID()
        server = try await kill(server, test, client, losing: .inbound, under: waiting, executed)
        await books.follow(client) { $0.resolved[executed] != nil }
        guard case .accepted(let order)? = books.resolved[executed] else {
            Issue.record("resolved as \(String(describing: books.resolved[executed]))")
            return
        }
        await books.follow(client) { $0.centre.orders[order.orderID] != nil }
        try await client.trade.ready(.securities)
        try await books.agree(with: client)

        // Killed when the order had not reached it.
        let unheard = CommandID()
        server = try await kill(server, test, client, losing: .outbound, under: waiting, unheard)
        await books.follow(client) { $0.resolved[unheard] != nil }
        #expect(books.resolved[unheard] == .refused(Failure(.orderNotExecuted)))
        try await client.trade.ready(.securities)
        #expect(await client.trade.isLoggedIn(.securities))
        try await books.agree(with: client)
        #expect(books.centre.orders.count == 3)

        guard case .accepted = await client.trade.cancel(order: order.orderID, on: .securities) else {
            Issue.record("the cancel was not accepted")
            return
        }
        await books.follow(client) { $0.centre.orders[order.orderID]?.status == .cancelled }
        // The quote found here may be one from before the kill: how soon quotes are back is their connection's matter (B-2).
        for await update in quotes { if case .quote = update { break } }
        try await client.quotes.ready()
        #expect(server.port == port)
        await client.trade.disconnect()
        await client.quotes.disconnect()
        await server.stop()
        await test.remove()
    }

    @Test("A-11, N-5: a storm of sign-ins delays neither order commands nor quotes: forty of each are done before half of it is")
    func signInStorm() async throws {
        let test = try TestServer()
        let server = try await test.start(cost: .standard)
        let client = try await StoryClient(test, server)
        let (instrument, quotes) = try await tencent(client)
        try await client.trade.ready(.securities)
        #expect(await client.trade.login(.securities, password: StoryClient.password) == .ok)
        let curl = CurlClient(.init(trust: .system, threads: 40))
        let api = try APIClient(base: "http://127.0.0.1:\(server.port)", http: curl.client, clock: .live)
        let judged = Judged()
        let begun = AsyncStream.makeStream(of: Void.self)
        let storm = (0..<40).map { number in
            Task {
                let input = SignInInput(name: "guess-\(number)", password: "wrong horse", device: TestServer.device)
                do { _ = try await api.call(AccountEndpoints.signIn, input) } catch {
                    #expect((error as? Failure)?.code == .authWrongPassword)
                }
                judged.count.wrappingAdd(1, ordering: .relaxed)
                begun.continuation.yield()
            }
        }
        // The storm is on.
        for await _ in begun.stream { break }
        let ticket = OrderTicket(instrument: instrument.id, side: .buy, quantity: try Quantity("100"), limit: try Price("300"))
        for _ in 0..<20 {
            guard case .accepted(let order) = await client.trade.place(ticket, on: .securities),
                case .accepted = await client.trade.cancel(order: order.orderID, on: .securities)
            else {
                Issue.record("an order was not accepted")
                break
            }
            #expect(try await client.quotes.snapshot([instrument.id]).count == 1)
        }
        #expect(judged.count.load(ordering: .relaxed) < 20)
        for task in storm { await task.value }
        _ = quotes
        await client.trade.disconnect()
        await client.quotes.disconnect()
        await curl.stop()
        await server.stop()
        await test.remove()
    }

    private func tencent(_ client: StoryClient) async throws -> (Instrument, MarketDataSubscription) {
        try await client.quotes.ready()
        let instrument = try await client.quotes.instruments.resolve("700.HK", on: try #require(await client.quotes.marketDate)).get()
        let subscription = await client.quotes.subscribe([.snapshot(instrument.id)])
        for await update in subscription { if case .quote(let quote) = update, quote.hasLast { break } }
        return (instrument, subscription)
    }

    /// Position, cash and profit from the fills alone, with sums of this test's own.
    private func addUp(_ books: inout StoryBooks, _ client: StoryClient, _ instrument: Instrument) async throws {
        try await books.agree(with: client)
        let fills = books.centre.fillList
        let cost = fills.reduce(Int64(0)) { $0 + $1.price / 1000 * ($1.quantity / 100_000_000) }
        let fees = fills.flatMap(\.fees).reduce(Int64(0)) { $0 + $1.amount }
        let position = try #require(books.centre.openPositions.first)
        #expect(fees > 0 && fills.reduce(0) { $0 + $1.quantity } == 100 * 100_000_000)
        #expect(position.quantity == 100 * 100_000_000 && position.cost == cost)
        let cash = try #require(books.centre.funds.first { $0.currency == "HKD" }).cash
        #expect(cash == 1_000_000_000_000 - cost - fees)
        let quote = try #require(try await client.quotes.snapshot([instrument.id]).first)
        let profit = ProfitAndLoss.profit(try #require(Holding(position, of: instrument)), price: Price(nanos: quote.last))
        #expect(profit.own?.money(.hkd) == Money(micros: quote.last / 1000 * 100 - cost, currency: .hkd))
    }

    /// Kills the server under a command and starts it on what a kill leaves: the files as they are at that moment, and no goodbye.
    private func kill(
        _ server: CausewayServer, _ test: TestServer, _ client: StoryClient, losing loss: LossyWire.Loss, under ticket: OrderTicket,
        _ command: CommandID
    ) async throws -> CausewayServer {
        client.wire.lose(loss)
        async let outcome = client.trade.place(ticket, on: .securities, commandID: command)
        for await type in client.wire.lost where type == .place { break }
        let left = test.folder + "-left"
        try FileManager.default.copyItem(atPath: test.folder, toPath: left)
        client.wire.lose(.inbound)
        await server.stop()
        try FileManager.default.removeItem(atPath: test.folder)
        try FileManager.default.moveItem(atPath: left, toPath: test.folder)
        client.wire.cut()
        #expect(await outcome == .unknown)
        return try await test.start(port: server.port)
    }
}
