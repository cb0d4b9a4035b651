import Accounts
import Curl
import Feeds
import Foundation
import HTTP
import Instruments
import LWS
import MarketData
import Sealed
import Streams
import Synchronization
import Testing
import Texts
import Transport

@testable import Server

/// O-3: while the past of its start is not known a server lets nobody in, and says so.
@Suite(.serialized, .timeLimit(.minutes(5))) struct StartingTests {
    /// A simulated market from `hour` in Hong Kong on; what came before it is played first.
    private func configuration(_ folder: String, _ instruments: Int, every interval: Duration, from hour: Int64) throws
        -> ServerConfiguration
    {
        var configuration = ServerConfiguration(dataFolder: folder)
        configuration.port = 0
        configuration.passwordCost = .least
        configuration.feed = .synthetic(SyntheticPlan(seed: 5, instruments: instruments, interval: interval))
        let day = try #require(TradingDay("2026-11-30"))
        configuration.start = MarketInstant(nanoseconds: (Int64(day.daysSince1970) * 86_400 + (hour - 8) * 3600) * 1_000_000_000)
        return configuration
    }

    /// The answer to an upgrade: 101, or why not.
    private func upgrade(_ test: TestServer, _ url: String, _ subprotocol: String?) async -> Int {
        let (answers, answer) = AsyncStream.makeStream(of: Int.self)
        let socket = test.sockets.dialer.dial(WebSocketDialRequest(url: url, subprotocol: subprotocol)) { event in
            switch event {
            case .opened: answer.yield(101)
            case .failed(.refused(let status, _)): answer.yield(status)
            case .failed: answer.yield(0)
            case .message, .pong, .closed: break
            }
        }
        defer { socket.close(WebSocketClosure(code: 1000)) }
        return await answers.first { _ in true } ?? 0
    }

    @Test("O-3: quotes and orders are refused with 503 while a long start is played, and a stop does not wait for it")
    func refused() async throws {
        let test = try TestServer()
        let server = try await CausewayServer.start(configuration(test.folder, 60, every: .milliseconds(20), from: 15))
        let place = "127.0.0.1:\(server.port)"
        #expect(await upgrade(test, "ws://\(place)/quotes", "causeway.quotes.v1") == 503)
        #expect(await upgrade(test, "ws://\(place)/socket.io/?EIO=4&transport=websocket", nil) == 503)
        let ready = try await test.curl.client.perform(HTTPRequest(method: "GET", url: "http://\(place)/readyz"))
        #expect(ready.status == 503 && String(decoding: ready.body, as: UTF8.self) == "starting\n")
        await server.stop()
        await test.remove()
    }

    @Test("B-2: who dials a server that has not begun waits and is let in by itself")
    func waits() async throws {
        let test = try TestServer()
        let server = try await CausewayServer.start(configuration(test.folder, 30, every: .seconds(10), from: 10))
        let api = try test.api(server)
        let grant = try await api.call(
            AccountEndpoints.register, SignInInput(name: "early", password: "correct horse", device: TestServer.device))
        let info = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
        let connection = QuoteConnection(
            dialer: test.sockets.dialer, clock: .live,
            configuration: .init(url: "ws://127.0.0.1:\(server.port)/quotes", deviceID: TestServer.device.id), seed: 1
        ) { _ in (info.quoteCredential, .seconds(info.quoteExpiresIn), .seconds(info.quoteExpiresIn)) }
        try await connection.ready(within: .seconds(120))
        #expect(await connection.status == .connected)
        await connection.disconnect()
        await server.stop()
        await test.remove()
    }
}
