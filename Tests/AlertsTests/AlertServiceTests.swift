import Accounts
import Exact
import Feeds
import HTTP
import Instruments
import Messages
import Persistence
import Streams
import Synchronization
import Testing
import Texts

@testable import Alerts

/// F-5: kept before told, over a disk that refuses and a process that ends.
@Suite struct AlertServiceTests {
    private let file: AccountFile
    private let isFull = Refusal()
    private var store: AlertStore

    private final class Refusal: Sendable {
        let isOn = Atomic(false)
    }

    init() throws {
        file = try AccountFile(path: ":memory:")
        try file.accounts.add(AccountRecord(id: "a", name: "a", passwordHash: "h", tradingPasswordHash: "t", createdAt: 5))
        store = file.alerts
        let (keep, isFull) = (store.keep, isFull)
        store.keep = { changes throws(StoreError) in
            if isFull.isOn.load(ordering: .relaxed) { throw .full }
            return try keep(changes)
        }
    }

    private func service() throws -> AlertService {
        let stock = Instrument(
            id: InstrumentID(1), market: .xhkg, code: "00001", symbol: "1.HK", kind: .stock, currency: .hkd,
            names: .init(english: "One", simplified: "一", traditional: "一"), lot: try Quantity("100"), multiplier: 1, decimals: 2,
            tickTable: "HK-A")
        let old = Instrument(
            id: InstrumentID(2), market: .xhkg, code: "00002", symbol: "2.HK", kind: .stock, currency: .hkd,
            names: .init(english: "Two", simplified: "二", traditional: "二"), lot: try Quantity("100"), multiplier: 1, decimals: 2,
            tickTable: "HK-A", listedTo: TradingDay("2020-01-02"))
        var quote = Quote()
        quote.instrument = 1
        quote.phase = .continuous
        let known = quote
        return try AlertService(
            store: store,
            sources: AlertSources(
                instruments: InstrumentTable(version: 1, instruments: [stock, old]),
                marketDate: try #require(TradingDay("2026-11-30")),
                marketClock: MarketClock { MarketClockReading(time: MarketInstant(nanoseconds: 10), speedMicros: 0, epoch: 1) },
                quote: { $0 == InstrumentID(1) ? known : nil },
                bars: AlertBars(calendar: try MarketFacts(DataFolder.locate()).calendar) { _, _, _, _ in [] }),
            clock: MonotonicClock(now: { MonotonicInstant(nanoseconds: 0) }, sleep: { _ in throw CancellationError() }))
    }

    private func last(_ price: Int64, at time: Int64) -> [FeedEvent] {
        var quote = Quote()
        quote.instrument = 1
        quote.timeNs = time
        quote.last = price
        quote.phase = .continuous
        return [FeedEvent(sequence: UInt64(time), time: MarketInstant(nanoseconds: time), body: .quote(quote))]
    }

    private func call<Input, Output>(_ service: AlertService, _ endpoint: Endpoint<Input, Output>, _ input: Input) async throws -> Output {
        var router = Router { _ in
            .success(Principal(accountID: "a", deviceID: "d", platform: "linux", scopes: [.watchlist]))
        }
        service.addRoutes(to: &router)
        let handler = router.handler
        let client = HTTPClient { request throws(HTTPFailure) in
            let target = request.url.dropFirst("http://127.0.0.1".utf8.count)
            let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
            return await handler(
                HTTPServerRequest(
                    method: request.method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: request.headers,
                    body: request.body, remoteAddress: "127.0.0.1"))
        }
        let clock = MonotonicClock(now: { MonotonicInstant(nanoseconds: 0) }, sleep: { _ in })
        return try await APIClient(base: "http://127.0.0.1", http: client, clock: clock).call(endpoint, input, bearer: "x")
    }

    private let above = AlertInput(symbol: "1.HK", condition: .above, value: "0.00000005", repeats: false)

    @Test("F-5, N-5: what cannot be kept is not told, market time waits for it, and it is told once the disk takes it")
    func diskFull() async throws {
        let service = try service()
        _ = try await call(service, AlertEndpoints.add, above)
        isFull.isOn.store(true, ordering: .relaxed)
        #expect(await service.handle(last(49, at: 11)))
        #expect(await service.handle(last(50, at: 12)) == false)
        #expect(await service.handle(last(10, at: 13)) == false)
        #expect(try await call(service, AlertEndpoints.firings, FiringsInput()).firings == [])
        isFull.isOn.store(false, ordering: .relaxed)
        #expect(await service.handle(last(10, at: 14)))
        let told = try await call(service, AlertEndpoints.firings, FiringsInput()).firings
        #expect(told.map(\.number) == [1] && told.map(\.figure) == ["0.00000005"])
    }

    @Test("F-5: a process that ends before it could keep a firing finds it again, one that ends after does not")
    func processEnds() async throws {
        let first = try service()
        _ = try await call(first, AlertEndpoints.add, above)
        isFull.isOn.store(true, ordering: .relaxed)
        #expect(await first.handle(last(50, at: 12)) == false)
        isFull.isOn.store(false, ordering: .relaxed)
        // Market time was not marked: the same event comes again, twice here.
        for _ in 0..<2 {
            let next = try service()
            _ = await next.handle([
                FeedEvent(sequence: 1, time: MarketInstant(nanoseconds: 1), body: .phase(instrument: InstrumentID(1), .continuous))
            ])
            #expect(await next.handle(last(50, at: 12)))
            #expect(try await call(next, AlertEndpoints.firings, FiringsInput()).firings.map(\.number) == [1])
        }
    }

    @Test("F-5: at most 200 alerts an account; the same one twice is one")
    func bounded() async throws {
        let service = try service()
        var input = above
        for value in 1...AlertBook.mostPerAccount {
            input.value = String(value)
            #expect(try await call(service, AlertEndpoints.add, input).id == Int64(value))
        }
        #expect(try await call(service, AlertEndpoints.add, input).id == Int64(AlertBook.mostPerAccount))
        input.value = "9999"
        await #expect(throws: Failure(.alertFull, .init("limit", "200"))) { try await call(service, AlertEndpoints.add, input) }
    }

    @Test(
        "F-5: a value is taken in its shortest form only", arguments: ["+1", "01", "1.0", "1.", ".5", "1e3", " 1", "1\n", "0", "-1", "１"])
    func canonical(value: String) async throws {
        let service = try service()
        for condition in [AlertCondition.above, .volume, .up] {
            let input = AlertInput(symbol: "1.HK", condition: condition, value: value, repeats: false)
            await #expect(throws: Failure(.alertValue, .init("value", value))) { try await call(service, AlertEndpoints.add, input) }
        }
    }

    @Test("F-5: a symbol is taken as it is written only", arguments: ["1.HK\n", "1.hk", " 1.HK", "1.HK ", "1", "１.HK", ""])
    func symbols(symbol: String) async throws {
        let service = try service()
        let input = AlertInput(symbol: symbol, condition: .above, value: "1", repeats: false)
        await #expect(throws: Failure.invalid("symbol")) { try await call(service, AlertEndpoints.add, input) }
    }

    @Test("F-5: an alert on what is not listed any more is refused") func delisted() async throws {
        let service = try service()
        let input = AlertInput(symbol: "2.HK", condition: .above, value: "1", repeats: false)
        await #expect(throws: Failure(.alertDelisted, .init("symbol", "2.HK"))) { try await call(service, AlertEndpoints.add, input) }
    }
}
