import Accounts
import AuthCentre
import Curl
import Foundation
import HTTP
import Instruments
import LWS
import MarketData
import Messages
import Streams
import Testing
import Texts

@testable import Server

@Suite struct QuoteNodeAddressTests {
    @Test("B-11: markets are the words after a symbol's dot, or * for the rest; others are refused")
    func markets() throws {
        for market in ["HK", "US", "HKFE", "CME", "COMEX", "INDX", "*"] {
            #expect(try QuoteNodeAddress(market: market, url: "ws://127.0.0.1:1/quotes").market == market)
        }
        for market in ["", "hk", "HKK", "XHKG", "**"] {
            #expect(throws: Failure.invalid("market")) { _ = try QuoteNodeAddress(market: market, url: "ws://127.0.0.1:1/quotes") }
        }
        #expect(throws: Failure(.connectionInsecure, .init("host", "10.1.1.1"))) {
            _ = try QuoteNodeAddress(market: "HK", url: "ws://10.1.1.1/quotes")
        }
    }

    @Test("B-11: two nodes of one market are refused before anything is made")
    func twice() async throws {
        let test = try TestServer()
        let nodes = try [1, 2].map { try QuoteNodeAddress(market: "HK", url: "ws://127.0.0.1:\($0)/quotes") }
        await #expect(throws: Failure(.nodeTwice, .init("market", "HK"))) { _ = try await test.start(nodes: nodes) }
        #expect(!FileManager.default.fileExists(atPath: test.folder))
        await test.remove()
    }
}

@Suite(.timeLimit(.minutes(5))) struct QuoteNodeTests {
    private func refusal(_ body: () throws -> NodeKey) -> ErrorCode? {
        do { _ = try body() } catch { return (error as? Failure)?.code }
        return nil
    }

    @Test("A-12, O-3: the key is written once, for its owner only, and never over something else")
    func keyFile() async throws {
        let test = try TestServer()
        let path = test.folder + ".key"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await test.start(nodeKeyFile: path).stop()
        let key = try NodeKeyFile.read(path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        // Again: the same key, which is left alone.
        try await test.start(nodeKeyFile: path).stop()
        #expect(try NodeKeyFile.read(path) == key)
        // Open to others, of another kind, not there.
        #expect(chmod(path, 0o640) == 0)
        #expect(refusal { try NodeKeyFile.read(path) } == .nodeKeyOpen)
        #expect(refusal { try NodeKeyFile.read(test.folder + "/accounts.sqlite.credentials") } == .nodeKey)
        #expect(refusal { try NodeKeyFile.read(test.folder + "/none") } == .nodeKey)
        #expect(refusal { try NodeKeyFile.read(test.folder) } == .nodeKey)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        await #expect(throws: Failure(.nodeKeyTaken, .init("path", path))) { _ = try await test.start(nodeKeyFile: path) }
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        await test.remove()
    }

    @Test("B-11, O-1: the gateway tells its nodes, and itself for the rest; a node has health and quotes, and nothing else")
    func announced() async throws {
        let test = try TestServer()
        let path = test.folder + ".key"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let nodes = [try QuoteNodeAddress(market: "HK", url: "ws://127.0.0.1:7711/quotes")]
        let server = try await test.start(nodes: nodes, nodeKeyFile: path)
        let api = try test.api(server)
        let grant = try await api.call(
            AccountEndpoints.register, SignInInput(name: "story", password: "correct horse", device: TestServer.device))
        let info = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
        #expect(
            info.quoteNodes == [
                .init(market: "HK", url: "ws://127.0.0.1:7711/quotes"), .init(market: "*", url: "ws://127.0.0.1:\(server.port)/quotes"),
            ])
        let node = try await test.node(key: try NodeKeyFile.read(path))
        func status(_ path: String) async throws -> Int {
            try await test.curl.client.perform(HTTPRequest(method: "GET", url: "http://127.0.0.1:\(node.port)" + path)).status
        }
        for (path, expected) in ["/healthz": 200, "/readyz": 200, "/metrics": 200, "/gateway/v1/account": 404, "/socket.io/": 404] {
            #expect(try await status(path) == expected, "\(path)")
        }
        await node.stop()
        await server.stop()
        await test.remove()
    }

    @Test("B-11, A-12, B-8, F-9: two nodes behind one gateway; one that goes is told, the other's quotes go on, and it comes back whole")
    func twoNodes() async throws {
        let test = try TestServer()
        let path = test.folder + ".key"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await test.start(nodeKeyFile: path).stop()
        let key = try NodeKeyFile.read(path)
        let hongKong = try await test.node(key: key)
        var states = try await test.node(key: key)
        let nodes = try [("HK", hongKong), ("US", states)].map {
            try QuoteNodeAddress(market: $0.0, url: "ws://127.0.0.1:\($0.1.port)/quotes")
        }
        let server = try await test.start(nodes: nodes)
        await server.hasBegun()
        let api = try test.api(server)
        let grant = try await api.call(
            AccountEndpoints.register, SignInInput(name: "story", password: "correct horse", device: TestServer.device))
        let info = try await api.call(AccountEndpoints.account, Empty(), bearer: grant.access)
        let router = QuoteRouter(
            nodes: try QuoteNodes(info.quoteNodes), dialer: test.sockets.dialer, clock: .live,
            configuration: .init(url: "", deviceID: TestServer.device.id), seed: 1
        ) { _ in (info.quoteCredential, .seconds(info.quoteExpiresIn), .seconds(info.quoteExpiresIn)) }
        try await router.ready()
        let (table, day) = (await router.instruments, try #require(await router.marketDate))
        let (tencent, apple) = (try table.resolve("700", on: day).get().id, try table.resolve("AAPL", on: day).get().id)
        var updates = try await router.subscribe([.snapshot(tencent), .snapshot(apple)], withStatus: true).makeAsyncIterator()
        func quotes(_ wanted: Set<InstrumentID>) async throws {
            var missing = wanted
            while !missing.isEmpty {
                if case .quote(let quote) = try #require(await updates.next()) { missing.remove(InstrumentID(quote.instrument)) }
            }
        }
        func status(_ wanted: ConnectionStatus) async throws {
            while true { if case .status(wanted) = try #require(await updates.next()) { return } }
        }
        try await quotes([tencent, apple])
        #expect(try await router.snapshot([apple, tencent]).map { InstrumentID($0.instrument) } == [apple, tencent])
        let port = states.port
        await states.stop()
        try await status(.reconnecting)
        try await quotes([tencent])
        states = try await test.node(key: key, port: port)
        try await status(.connected)
        try await quotes([apple, tencent])
        await router.disconnect()
        for node in [hongKong, states] { await node.stop() }
        await server.stop()
        await test.remove()
    }
}
