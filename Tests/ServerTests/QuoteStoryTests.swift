import Accounts
import AuthCentre
import Curl
import Diagnostics
import Exact
import Feeds
import Foundation
import HTTP
import Instruments
import LWS
import MarketData
import Messages
import Sealed
import Streams
import Testing
import Texts

@testable import Server

/// A server in a folder of its own that goes away with the test.
struct TestServer {
    let folder = NSTemporaryDirectory() + "causeway-server-" + UUID().uuidString
    let curl: CurlClient
    let sockets: LWSClient

    /// Read once for all servers of these tests: in a debug build that is most of a start.
    private static let replay = Result { () throws -> (facts: MarketFacts, recordings: Recordings) in
        let folder = try DataFolder.locate()
        let facts = try MarketFacts(folder)
        return (facts, try Recordings(folder, facts: facts))
    }

    init() throws {
        curl = CurlClient(.init(trust: .system))
        sockets = try LWSClient()
    }

    /// A new folder's market time begins at 10:00 in Hong Kong.
    func start(
        port: Int = 0, cost: PasswordCost = .least, log: Log = .none, nodes: [QuoteNodeAddress] = [], nodeKeyFile: String? = nil
    ) async throws -> CausewayServer {
        var configuration = ServerConfiguration(dataFolder: folder)
        configuration.port = port
        configuration.quoteNodes = nodes
        configuration.nodeKeyFile = nodeKeyFile
        configuration.log = log
        configuration.passwordCost = cost
        configuration.replay = try Self.replay.get()
        let day = try #require(TradingDay("2026-11-30"))
        // A folder that is there goes on from where it is.
        if !FileManager.default.fileExists(atPath: folder) {
            configuration.start = MarketInstant(nanoseconds: Int64(day.daysSince1970) * 86_400_000_000_000 + 2 * 3_600_000_000_000)
        }
        let server = try await CausewayServer.start(configuration)
        // Nobody is let in before.
        await server.hasBegun()
        return server
    }

    /// Quotes alone; market time from the same moment.
    func node(key: NodeKey, port: Int = 0) async throws -> QuoteNode {
        var configuration = ServerConfiguration(dataFolder: "")
        configuration.port = port
        configuration.replay = try Self.replay.get()
        configuration.start = MarketInstant(nanoseconds: 1_796_004_000_000_000_000)
        let node = try await QuoteNode.start(configuration, key: key)
        // Its market time stands until then.
        await node.hasBegun()
        return node
    }

    func api(_ server: CausewayServer) throws -> APIClient {
        try APIClient(base: "http://127.0.0.1:\(server.port)", http: curl.client, clock: .live)
    }

    /// Registers by HTTP; the account's id.
    func register(_ server: CausewayServer, name: String) async throws -> String {
        try await api(server).call(
            AccountEndpoints.register, SignInInput(name: name, password: "correct horse", device: TestServer.device)
        ).account
    }

    func remove() async {
        await sockets.stop()
        await curl.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    static let device = DeviceInfo(id: String(repeating: "0", count: 32), platform: "linux", name: "test")
}

@Suite(.timeLimit(.minutes(5))) struct QuoteStoryTests {
    @Test("B-3, F-9: login, rows in band, whole quotes, book, bars; the subscription survives a restart of the server")
    func quotes() async throws {
        let test = try TestServer()
        var server = try await test.start()
        let api = try test.api(server)
        let grant = try await api.call(
            AccountEndpoints.register, SignInInput(name: "story", password: "correct horse", device: TestServer.device))
        let connection = QuoteConnection(
            dialer: test.sockets.dialer, clock: .live,
            configuration: .init(url: "ws://127.0.0.1:\(server.port)/quotes", deviceID: TestServer.device.id), seed: 1
        ) { _ in
            let info = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
            return (info.quoteCredential, .seconds(info.quoteExpiresIn), .seconds(info.quoteExpiresIn))
        }
        try await connection.ready()
        let day = try #require(await connection.marketDate)
        let table = await connection.instruments
        let tencent = try table.resolve("700", on: day).get()
        #expect(tencent.symbol == "700.HK" && tencent.lot.description == "100")
        let subscription = await connection.subscribe([.snapshot(tencent.id), .book(tencent.id)], withStatus: true)
        var seen: (quote: Quote?, book: Book?) = (nil, nil)
        for await update in subscription {
            switch update {
            case .quote(let quote): seen.quote = quote
            case .book(let book): seen.book = book
            case .ticks, .bar, .status, .feed: break
            }
            if let quote = seen.quote, seen.book != nil, quote.hasLast { break }
        }
        let quote = try #require(seen.quote)
        #expect(quote.hasPreviousClose && quote.recordedOn / 10_000 == 2022)
        #expect(try #require(seen.book).bids.count == 10)
        let bars = try await connection.bars(tencent.id, .minute1, count: 5).bars
        #expect(bars.count == 5 && bars.allSatisfy { $0.low <= $0.close && $0.close <= $0.high })
        let apple = try table.resolve("AAPL.US", on: day).get()
        let printed = try await connection.bars(apple.id, .day, count: 200)
        let forward = try await connection.bars(apple.id, .day, count: 200, adjustment: .forward)  // G-2
        #expect(printed.adjustment == .none && forward.adjustment == .forward && forward.actions == 3)
        let (first, adjusted) = (try #require(printed.bars.first), try #require(forward.bars.first))
        #expect(first.close - adjusted.close == 7_950_000_000)
        #expect(await connection.status == .connected)

        // The same port again: the connection comes back by itself and asks for its topics again (B-3).
        let port = server.port
        await server.stop()
        for await status in await connection.statuses() where status == .reconnecting { break }
        server = try await test.start(port: port)
        // In order: nothing between lost and connected, then a whole quote (B-8).
        var states: [ConnectionStatus] = []
        for await update in subscription {
            if case .status(let status) = update { states.append(status) }
            if states.first != nil, case .quote(let quote) = update {
                #expect(states == [.reconnecting, .connected] && quote.hasPreviousClose)
                break
            }
        }
        #expect(await connection.status == .connected)
        await connection.disconnect()
        await server.stop()
        await test.remove()
    }

    @Test("A-8, A-10: quotes of a device that another one signs out end at once, and its client is told why", arguments: [true, false])
    func signedOut(isElsewhere: Bool) async throws {
        let test = try TestServer()
        let server = try await test.start()
        let api = try test.api(server)
        var input = SignInInput(name: "story", password: "correct horse", device: TestServer.device)
        let grant = try await api.call(AccountEndpoints.register, input)
        let (refusals, refusal) = AsyncStream.makeStream(of: ErrorCode?.self)
        let connection = QuoteConnection(
            dialer: test.sockets.dialer, clock: .live,
            configuration: .init(url: "ws://127.0.0.1:\(server.port)/quotes", deviceID: TestServer.device.id), seed: 1
        ) { _ in
            do throws(Failure) {
                let info = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
                return (info.quoteCredential, .seconds(info.quoteExpiresIn), .seconds(info.quoteExpiresIn))
            } catch {
                refusal.yield(error.code)
                throw error
            }
        }
        try await connection.ready()
        if isElsewhere {
            input.device.id = String(repeating: "1", count: 32)
            let other = try await api.call(AccountEndpoints.signIn, input)
            let devices = try await api.call(AccountEndpoints.devices, Empty(), bearer: other.access).devices
            let first = try #require(devices.first { !$0.isCurrent })
            _ = try await api.call(AccountEndpoints.removeDevice, DeviceReference(id: first.id), bearer: other.access)
        } else {
            _ = try await api.call(AccountEndpoints.signOut, Empty(), bearer: grant.access)
        }
        for await code in refusals {
            #expect(code == .authInvalid)
            break
        }
        #expect(await connection.status != .connected)
        await connection.disconnect()
        await server.stop()
        await test.remove()
    }
}
