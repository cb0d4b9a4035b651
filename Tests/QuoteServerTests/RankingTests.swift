import Exact
import Feeds
import Instruments
import Messages
import Streams
import Testing

@testable import QuoteServer

struct RankingTests {
    let table: InstrumentTable

    init() throws { table = try Shipped.result.get().0.instruments }

    private func query(_ kind: RankingKind, markets: [String] = [], kinds: [ProductKind] = [], count: UInt32 = 100) -> RankingQuery {
        var query = RankingQuery()
        (query.kind, query.markets, query.kinds, query.count) = (kind, markets, kinds, count)
        return query
    }

    private func ranked(_ quotes: [Quote], _ query: RankingQuery, rates: [FXRate] = []) throws -> [UInt32] {
        var state = FeedState()
        for (index, body) in (rates.map { FeedEvent.Body.fx($0) } + quotes.map { .quote($0) }).enumerated() {
            state.apply(FeedEvent(sequence: UInt64(index + 1), time: .init(nanoseconds: 0), body: body))
        }
        return try #require(Ranking(query)).first(of: state, table).map(\.instrument)
    }

    private func quote(_ instrument: Instrument, last: Int64, previous: Int64 = 100, volume: Int64 = 1, turnover: Int64? = nil) -> Quote {
        var quote = Quote()
        quote.instrument = instrument.id.rawValue
        (quote.last, quote.previousClose, quote.volume) = (last, previous, volume)
        if let turnover { quote.turnover = turnover }
        return quote
    }

    @Test func theOrderIsExactAndEqualOnesComeById() throws {  // F-4
        let stocks = table.all.filter { $0.kind == .stock }.sorted { $0.id < $1.id }
        #expect(stocks.count >= 4)
        // 1/3 and a little more: a Double holds them equal.
        let third = (last: Int64(4_000_000_000_000_000_000), previous: Int64(3_000_000_000_000_000_000))
        let quotes = [
            quote(stocks[0], last: third.last, previous: third.previous),
            quote(stocks[1], last: third.last + 1, previous: third.previous),
            quote(stocks[2], last: third.last, previous: third.previous),
            quote(stocks[3], last: 99),
        ]
        let ids = stocks.map(\.id.rawValue)
        #expect(try ranked(quotes, query(.gainers)) == [ids[1], ids[0], ids[2]])
        #expect(try ranked(quotes, query(.losers)) == [ids[3]])
        #expect(try ranked(quotes, query(.gainers, count: 2)) == [ids[1], ids[0]])
    }

    @Test func whatLacksAFigureIsLeftOut() throws {  // F-4
        let stock = try #require(table.all.first { $0.kind == .stock })
        var unknown = Quote()
        unknown.instrument = stock.id.rawValue
        let untraded = quote(stock, last: 110, volume: 0)
        let negative = quote(stock, last: 5, previous: -5)
        for quote in [unknown, untraded, negative] { #expect(try ranked([quote], query(.gainers)).isEmpty) }
        #expect(try ranked([unknown], query(.amplitude)).isEmpty)
        #expect(try ranked([untraded], query(.volume)).isEmpty)
        let index = try #require(table.all.first { $0.kind == .index })
        var level = quote(index, last: 101)
        level.clearVolume()
        #expect(try ranked([level], query(.gainers)) == [index.id.rawValue])
        #expect(try ranked([level], query(.gainers, kinds: [.stock])).isEmpty)
        #expect(try ranked([level], query(.gainers, markets: ["XHKG"])).isEmpty)
    }

    @Test func turnoverIsComparedInOneCurrency() throws {  // F-4, C-4
        let home = try #require(table.all.first { $0.kind == .stock && $0.currency == .hkd })
        let away = try #require(table.all.first { $0.kind == .stock && $0.currency == .usd })
        let quotes = [quote(home, last: 100, turnover: 7_000_000), quote(away, last: 100, turnover: 1_000_000)]
        let rate = try FXRate("7.8", base: .usd, quote: .hkd)
        #expect(try ranked(quotes, query(.turnover), rates: [rate]) == [away.id.rawValue, home.id.rawValue])
        let inverse = try FXRate("0.1282", base: .hkd, quote: .usd)
        #expect(try ranked(quotes, query(.turnover), rates: [inverse]) == [away.id.rawValue, home.id.rawValue])
        #expect(try ranked(quotes, query(.turnover)) == [home.id.rawValue])
    }

    @Test func extremesDoNotOverflow() throws {  // F-8
        let stocks = table.all.filter { $0.kind == .stock }.sorted { $0.id < $1.id }.prefix(4)
        var quotes: [Quote] = []
        for (stock, (last, previous)) in zip(
            stocks, [(Int64.max, 1), (Int64.min, Int64.max), (Int64.max, Int64.max), (Int64.min, 1)] as [(Int64, Int64)])
        {
            var extreme = quote(stock, last: last, previous: previous, volume: .max, turnover: .max)
            (extreme.high, extreme.low) = (.max, .min)
            quotes.append(extreme)
        }
        let rate = FXRate(nanos: .max, base: .usd, quote: .hkd)
        #expect(try ranked(quotes, query(.gainers), rates: [rate]).count == 1)
        #expect(try ranked(quotes, query(.losers), rates: [rate]).count == 2)
        for kind in [RankingKind.turnover, .volume, .amplitude] {
            #expect(try ranked(quotes, query(kind), rates: [rate]).count == quotes.count)
        }
    }

    @Test func brokersStandInLineForEveryOrderAndAreMarked() throws {  // F-1, C-8
        var bench = try Bench()
        try bench.logIn()
        try bench.play(until: hongKong(10, 0))
        var query = InstrumentsQuery()
        let stocks = table.all.filter { $0.kind == .stock }
        query.instruments = stocks.map(\.id.rawValue)
        let queues = try reply(bench.send(.brokersQuery, query), .brokersReply, as: BrokerQueueBatch.self).queues
        #expect(queues.contains { $0.instrument == tencent } && queues.allSatisfy { $0.provenance == .simulated })
        for queue in queues {
            #expect(table[InstrumentID(queue.instrument)]?.market == .xhkg)
            let book = try #require(bench.board.book(queue.instrument, depth: 0))
            for (levels, side) in [(book.bids, queue.bids), (book.asks, queue.asks)] {
                #expect(side.map(\.brokers.count).reduce(0, +) == min(40, levels.map { Int($0.orders) }.reduce(0, +)))
                #expect(side.map(\.price) == levels.filter { $0.orders > 0 }.prefix(side.count).map(\.price))
            }
        }
        #expect(queues == (try reply(bench.send(.brokersQuery, query), .brokersReply, as: BrokerQueueBatch.self).queues))
    }

    @Test func badQueriesAreRefused() throws {
        var bench = try Bench()
        try bench.logIn()
        for query in [
            query(.unspecified), query(.UNRECOGNIZED(9)), query(.gainers, markets: ["MARS"]), query(.gainers, kinds: [.unspecified]),
            query(.gainers, count: 0), query(.gainers, count: 101),
        ] {
            let refusal = try reply(bench.send(.rankingQuery, query), .errorReply, as: ErrorInfo.self)
            #expect(refusal.code == "request.invalid")
        }
        try bench.play(until: hongKong(10, 0))
        let answer = try reply(bench.send(.rankingQuery, query(.gainers, markets: ["XHKG"])), .rankingReply, as: QuoteBatch.self)
        #expect(answer.quotes.contains { $0.instrument == tencent })
    }
}
