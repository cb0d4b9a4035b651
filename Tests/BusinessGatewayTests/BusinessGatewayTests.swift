import Accounts
import Exact
import Feeds
import HTTP
import Instruments
import Streams
import Testing
import Texts

@testable import BusinessGateway

@Suite struct BusinessGatewayTests {
    private func router(lastPrice: LastPrice? = nil) throws -> Router {
        let day = try #require(TradingDay("2026-11-30"))
        let tencent = Instrument(
            id: InstrumentID(1), market: .xhkg, code: "00700", symbol: "700.HK", kind: .stock, currency: .hkd,
            names: .init(english: "Tencent", simplified: "腾讯", traditional: "騰訊"), lot: try Quantity("100"), multiplier: 1, decimals: 2,
            tickTable: "HK-A")
        var router = Router { access in
            access == "good"
                ? .success(Principal(accountID: "A", deviceID: "d", platform: "linux", scopes: [.account, .quotes]))
                : .failure(Failure(.authInvalid))
        }
        BusinessGateway(
            GatewaySources(
                name: { _ in "mei" }, quoteCredential: { _ in ("Q", 7200) },
                tradingAccounts: { [.init(id: "S" + $0, counter: "securities")] },
                instruments: { InstrumentTable(version: 3, instruments: [tencent]) }, lastPrice: { _ in lastPrice },
                symbolRelease: { () throws(Failure) in
                    SymbolReleaseInfo(version: 7, timestamp: "2026-03-23", rows: 1, hash: "h", blocks: [.init(number: 0, hash: "b")])
                },
                symbolBlock: { number throws(Failure) in SymbolBlockRows(version: 7, rows: ["row of \(number)"]) },
                rates: { [FXFixing(rate: FXRate(nanos: 7_845_685_643, base: .usd, quote: .hkd), date: day)] },
                clock: { MarketClockReading(time: MarketInstant(nanoseconds: 0), speedMicros: 1_500_000, epoch: 2) }, marketDate: day,
                quoteNodes: { [.init(market: "*", url: "ws://\($0)/quotes")] }, tradeURL: { "http://\($0)" })
        ).addRoutes(to: &router)
        return router
    }

    private func get(_ router: Router, _ path: String, query: String = "", access: String? = "good") async throws -> (Int, JSONValue) {
        var headers: HTTPFields = ["Host": "desk.example:7701"]
        if let access { headers.append("Authorization", "Bearer " + access) }
        let answer = await router.answer(
            HTTPServerRequest(method: "GET", path: path, query: query, headers: headers, remoteAddress: "127.0.0.1"))
        return (answer.status, try JSONValue(parsing: answer.body))
    }

    @Test("A-12, B-11: account info names nodes by the host that was asked, with a quote credential")
    func account() async throws {
        let (status, body) = try await get(try router(), "/gateway/v1/account")
        let info = try AccountInfo(json: body)
        #expect(status == 200 && info.quoteCredential == "Q" && info.quoteNodes[0].url == "ws://desk.example:7701/quotes")
        #expect(info.tradingAccounts == [.init(id: "SA", counter: "securities")])
    }

    @Test("A missing price is an error, never zero; prices are text (C-6)")
    func lastPrice() async throws {
        #expect(try await get(try router(), "/gateway/v1/last-price", query: "symbol=700").1["error"]?["code"] == "price.unknown")
        let last = LastPrice(
            price: try Price("367.6"), time: MarketInstant(nanoseconds: 1_000_000_000), recordedOn: TradingDay("2022-04-13"),
            provenance: "derived")
        let (_, body) = try await get(try router(lastPrice: last), "/gateway/v1/last-price", query: "symbol=0700.HK")
        #expect(body["price"] == "367.6" && body["symbol"] == "700.HK" && body["recordedOn"] == "2022-04-13")
        #expect(try await get(try router(), "/gateway/v1/last-price", query: "symbol=NOPE").1["error"]?["code"] == "symbol.unknown")
        #expect(try await get(try router(), "/gateway/v1/last-price").0 == 400)
    }

    @Test("B-13: symbols only where the version differs; rates and clock as text; nothing without a credential")
    func rest() async throws {
        let router = try router()
        #expect(try await get(router, "/gateway/v1/symbols").1["instruments"]?.arrayValue?.count == 1)
        #expect(try await get(router, "/gateway/v1/symbols", query: "since=3").1["instruments"]?.arrayValue?.count == 0)
        #expect(try await get(router, "/gateway/v1/fx").1["rates"]?[0]?["rate"] == "7.845685643")
        #expect(try await get(router, "/gateway/v1/fx").1["rates"]?[0]?["fixedOn"] == "2026-11-30")
        let (_, start) = try await get(router, "/gateway/v1/start-up")
        #expect(start["clock"]?["speed"] == "1.5" && start["marketDate"] == "2026-11-30")
        for path in ["account", "symbols", "fx", "start-up"] {
            #expect(try await get(router, "/gateway/v1/\(path)", access: nil).0 == 401)
        }
    }

    @Test("H-1: the symbol database's blocks, none where the version is known")
    func symbolDatabase() async throws {
        let router = try router()
        let (_, release) = try await get(router, "/gateway/v1/symbols/release", query: "since=6")
        #expect(try SymbolReleaseInfo(json: release).blocks == [.init(number: 0, hash: "b")])
        let (_, same) = try await get(router, "/gateway/v1/symbols/release", query: "since=7")
        #expect(try SymbolReleaseInfo(json: same).blocks == [])
        // As a client writes the number into the path.
        let number = try #require(SymbolBlockInput(number: 12).json["number"]?.stringValue)
        let (_, block) = try await get(router, "/gateway/v1/symbols/blocks/" + number)
        #expect(try SymbolBlockRows(json: block).rows == ["row of 12"])
        #expect(try await get(router, "/gateway/v1/symbols/blocks/-1").0 == 400)
        #expect(try await get(router, "/gateway/v1/symbols/release", access: nil).0 == 401)
    }
}
