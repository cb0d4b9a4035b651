import Messages
import Streams
import Synchronization
import Testing
import WireCodec

@testable import TradeGateway

// O-3: the end of a server, as a client with a command under way sees it.
@Suite(.timeLimit(.minutes(1))) struct DrainTests {
    @Test("O-3 C-3 draining takes nothing new, waits for the command under way, and ends once it is answered")
    func commandUnderWay() async throws {
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        var order = Order()
        order.orderID = 7
        let door = try Door(order: order) {
            enter.yield()
            for await _ in released {}
        }
        let client = Client(door.server)
        let other = Client(door.server)
        try await client.join()
        try await other.join(process: "q")
        var place = PlaceOrder()
        (place.tradingAccount, place.commandID) = ("SA", Array(0..<16))
        try client.request(request(.place, place))
        for await _ in entered { break }
        let hasDrained = Mutex(false)
        async let drained: Void = {
            await door.gateway.drain()
            hasDrained.withLock { $0 = true }
        }()
        var query = OrdersQuery()
        query.tradingAccount = "SA"
        var answers: [String] = []
        repeat {
            try other.request(request(.orders, query))
            answers.append(try #require(try await other.envelope()).returnCode)
        } while answers.last == "" && answers.count < 100_000
        // From the refusal on nothing is taken any more, a command least of all.
        #expect(answers.last == "server.unavailable")
        try other.request(request(.place, place))
        #expect(try await other.envelope()?.returnCode == "server.unavailable")
        #expect(!hasDrained.withLock { $0 })
        release.finish()
        await drained
        client.leave()
        let reply = try #require(try await client.envelope())
        #expect(reply.type == .place && reply.returnCode.isEmpty)
        #expect(try CommandReply(serializedBytes: reply.payload).order.orderID == 7)
    }
}
