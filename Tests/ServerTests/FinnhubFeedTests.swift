import Accounts
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
import SQLite
import Streams
import Synchronization
import Testing
import Texts
import Transport

@testable import BarStore
@testable import Server

/// F-7: a server on Finnhub's prices, with both ways out in memory.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FinnhubFeedTests {
    private static let secret = "c0ffee-Secret_9"

    /// What was asked and logged.
    private final class Seen: Sendable {
        let texts = Mutex<[String]>([])
        let requests = Mutex<[HTTPRequest]>([])
        let dials = Mutex<[String]>([])
        let sockets = NewsQueue<WebSocket>()
        let subscriptions = NewsQueue<String>()

        var log: Log {
            Log { _, event, fields in self.texts.withLock { $0.append(event + fields.map { " \($0.name)=\($0.value)" }.joined()) } }
        }

        func ports(_ status: Int = 200, _ body: String = #"{"c":0,"t":0}"#) -> LivePorts {
            let network = MemoryNetwork { _ in
                .accept(WebSocketAcceptOptions()) { socket in
                    self.sockets.add(socket)
                    return { if case .message(.text(let text)) = $0 { self.subscriptions.add(text) } }
                }
            }
            let dialer = WebSocketDialer { request, receive in
                self.dials.withLock { $0.append(request.url) }
                return network.dialer.dial(request, receive)
            }
            let http = HTTPClient { (request) throws(HTTPFailure) in
                self.requests.withLock { $0.append(request) }
                return HTTPResponse(status: status, body: Array(body.utf8))
            }
            return LivePorts(dialer: dialer, http: http)
        }
    }

    private func configuration(_ folder: String, _ seen: Seen, _ ports: LivePorts, at time: Int64) throws -> ServerConfiguration {
        var configuration = ServerConfiguration(dataFolder: folder)
        configuration.port = 0
        configuration.log = seen.log
        configuration.feed = .finnhub(try #require(FinnhubPlan(key: Self.secret)), ports)
        let ahead = time - WallClock.live.now()
        configuration.wall = WallClock { WallClock.live.now() + ahead }
        return configuration
    }

    /// 2026-11-30 10:00 in New York.
    private static let open: Int64 = 1_796_050_800_000_000_000

    private func refusal(_ configuration: ServerConfiguration) async -> Failure? {
        do throws(Failure) {
            let server = try await CausewayServer.start(configuration)
            await server.stop()
            return nil
        } catch { return error }
    }

    @Test("F-7: trades of the stream are the last price, live and of level last; the key is nowhere else")
    func streams() async throws {
        let test = try TestServer()
        let seen = Seen()
        let server = try await CausewayServer.start(configuration(test.folder, seen, seen.ports(500), at: Self.open))
        #expect(await seen.subscriptions.next() == #"{"type":"subscribe","symbol":"AAPL"}"#)
        let socket = try #require(await seen.sockets.next())
        let time = server.hub.marketClock.now.nanoseconds / 1_000_000
        #expect(socket.send(.text(#"{"type":"trade","data":[{"s":"AAPL","p":150.25,"v":10,"t":\#(time)}]}"#)))
        #expect(socket.send(.text(#"{"type":"error","msg":"odd \#(Self.secret)"}"#)))
        let id = try #require(server.hub.facts.instruments.all.first { $0.symbol == "AAPL.US" }).id
        while server.hub.quote(id)?.hasLast != true { await Task.yield() }
        let quote = try #require(server.hub.quote(id))
        #expect(quote.last == 150_250_000_000 && quote.provenance == .live && quote.level == .last && quote.phase == .continuous)
        while !seen.texts.withLock({ $0.contains { $0.hasPrefix("finnhub.objected") } }) { await Task.yield() }
        // Hong Kong has no price here, and no recorded one stands in for it.
        let tencent = try #require(server.hub.facts.instruments.all.first { $0.symbol == "700.HK" }).id
        #expect(server.hub.quote(tencent) == nil && server.hub.isLive && server.hub.marketDate == TradingDay("2026-11-30"))
        await server.stop()
        #expect(seen.dials.withLock { $0 } == ["wss://ws.finnhub.io/?token=" + Self.secret])
        let requests = seen.requests.withLock { $0 }
        #expect(requests.first?.url == "https://finnhub.io/api/v1/quote?symbol=AAPL")
        #expect(requests.allSatisfy { $0.headers["X-Finnhub-Token"] == Self.secret && !$0.url.contains(Self.secret) })
        #expect(seen.texts.withLock { $0.allSatisfy { !$0.contains("c0ffee") } })
        await test.remove()
    }

    @Test("F-7: a key that is refused ends the start, before anything is written")
    func refusedKey() async throws {
        let test = try TestServer()
        let seen = Seen()
        #expect(await refusal(try configuration(test.folder, seen, seen.ports(401), at: Self.open)) == Failure(.feedKeyRefused))
        #expect(!FileManager.default.fileExists(atPath: test.folder + "/accounts.sqlite"))
        // No network at the start is no reason not to start.
        #expect(await refusal(try configuration(test.folder, seen, seen.ports(503), at: Self.open)) == nil)
        await test.remove()
    }

    @Test("F-7: a folder that was played into the future is not for a live feed")
    func folderAhead() async throws {
        let test = try TestServer()
        let seen = Seen()
        #expect(await refusal(try configuration(test.folder, seen, seen.ports(503), at: Self.open)) == nil)
        let day: Int64 = 86_400_000_000_000
        let refused = await refusal(try configuration(test.folder, seen, seen.ports(503), at: Self.open - day))
        #expect(refused?.code == .feedFolderAhead, "\(String(describing: refused))")
        #expect(await refusal(try configuration(test.folder, seen, seen.ports(503), at: Self.open + day)) == nil)
        await test.remove()
    }

    /// The minutes a client is shown.
    private func shown(_ test: TestServer, _ server: CausewayServer, count: Int) async throws -> [Bar] {
        let api = try test.api(server)
        let name = "reader\(UUID().uuidString.prefix(8).lowercased())"
        let grant = try await api.call(
            AccountEndpoints.register, SignInInput(name: name, password: "correct horse", device: TestServer.device))
        let connection = QuoteConnection(
            dialer: test.sockets.dialer, clock: .live,
            configuration: .init(url: "ws://127.0.0.1:\(server.port)/quotes", deviceID: TestServer.device.id), seed: 1
        ) { _ in
            let info = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
            return (info.quoteCredential, .seconds(info.quoteExpiresIn), .seconds(info.quoteExpiresIn))
        }
        try await connection.ready()
        let id = try #require(server.hub.facts.instruments.all.first { $0.symbol == "AAPL.US" }).id
        var bars: [Bar] = []
        while bars.count < count {
            try Task.checkCancellation()
            bars = try await connection.bars(id, .minute1, count: 1_000).bars
            await Task.yield()
        }
        await connection.disconnect()
        return bars
    }

    @Test("issue 5.2, G-1: a live feed's minutes are there after a restart, the one it was stopped in goes on")
    func keepsMinutes() async throws {
        let test = try TestServer()
        let seen = Seen()
        // Seconds after ten o'clock, what is traded then, and the minutes that are known after it.
        let runs: [(at: Int64, price: String, size: Int, shown: [String])] = [
            (2, "150.25", 10, ["15:0 150.25 150.25 10"]), (20, "149.5", 7, ["15:0 150.25 149.5 17"]),
            (310, "151", 5, ["15:0 150.25 149.5 17", "15:5 151 151 5"]),
        ]
        for (number, run) in runs.enumerated() {
            let server = try await CausewayServer.start(
                configuration(test.folder, seen, seen.ports(500), at: Self.open + run.at * 1_000_000_000))
            await server.hasBegun()
            _ = await seen.subscriptions.next()
            let socket = try #require(await seen.sockets.next())
            // What the stop left is shown before anything is heard.
            if number > 0 {
                #expect(try await shown(test, server, count: runs[number - 1].shown.count).map(\.text) == runs[number - 1].shown)
            }
            let time = server.hub.marketClock.now.nanoseconds / 1_000_000
            #expect(socket.send(.text(#"{"type":"trade","data":[{"s":"AAPL","p":\#(run.price),"v":\#(run.size),"t":\#(time)}]}"#)))
            let id = try #require(server.hub.facts.instruments.all.first { $0.symbol == "AAPL.US" }).id
            let bars = try #require(server.bars)
            while bars.running(id)?.text != run.shown.last {
                try Task.checkCancellation()
                await Task.yield()
            }
            #expect(try await shown(test, server, count: run.shown.count).map(\.text) == run.shown)
            await server.stop()
        }
        #expect(seen.texts.withLock { $0.allSatisfy { !$0.hasPrefix("bars.") } })
        await test.remove()
    }

    @Test("issue 5.2, Q-5: kept bars of a newer version end the start; a feed that is played keeps none")
    func newerBars() async throws {
        let test = try TestServer()
        let seen = Seen()
        let file = test.folder + "/bars.sqlite"
        await (try await test.start()).stop()
        #expect(!FileManager.default.fileExists(atPath: file))
        let after = Self.open + 86_400_000_000_000
        #expect(await refusal(try configuration(test.folder, seen, seen.ports(503), at: after)) == nil)
        #expect(FileManager.default.fileExists(atPath: file))
        let database = try Database(path: file)
        try database.execute("PRAGMA user_version = 9")
        let before = try FileManager.default.subpathsOfDirectory(atPath: test.folder).sorted()
        let refused = await refusal(try configuration(test.folder, seen, seen.ports(503), at: after + 3_600_000_000_000))
        #expect(refused == Failure(.dataNewer, .init("path", file), .init("found", "9"), .init("supported", "2")))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: test.folder).sorted() == before)
        await test.remove()
    }

    @Test("O-3: a stand-in is on this machine, or it is none")
    func standIns() throws {
        let plan = try #require(FinnhubPlan(key: " \(Self.secret)\n"))
        let local = try #require(plan.standIn(at: "http://127.0.0.1:7000"))
        #expect(local.stream == "ws://127.0.0.1:7000" && local.api == "http://127.0.0.1:7000/api/v1")
        for url in [
            "http://127.0.0.1.example.com:80", "http://example.com:80", "https://127.0.0.1:80", "http://127.0.0.1:",
            "http://localhost:80/x",
        ] {
            #expect(plan.standIn(at: url) == nil, "\(url)")
        }
        var dumped = ""
        dump(plan, to: &dumped)
        #expect(!"\(plan)\(dumped)".contains("c0ffee"))
    }
}

extension Bar {
    /// Hour and minute in UTC, open, close, volume.
    fileprivate var text: String {
        let minute = startNs / 60_000_000_000
        return "\(minute / 60 % 24):\(minute % 60) \(Price(nanos: open)) \(Price(nanos: close)) \(Quantity(units: volume))"
    }
}
