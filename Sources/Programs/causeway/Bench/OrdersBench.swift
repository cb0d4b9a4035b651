import Exact
import Exchange
import Feeds
import Foundation
import Instruments
import Journal
import Messages
import Streams
import Synchronization
import Texts

/// Orders into the exchange on real files, while the replay's market goes on at live pace: how long until one is durable, how many a
/// second, and whether all that were acknowledged are there after the journal is read anew.
///
/// Every order buys one lot of 700.HK by a limit far below the market, so that it is checked, held against funds and rests. Accounts
/// take turns. A command's time is from `place` to its completion, which comes after the journal's sync.
struct OrdersBench: Sendable {
    /// How long each of the five paced rounds lasts.
    var paced: Duration
    /// How long the highest rate is held.
    var sustained: Duration
    var clock = MonotonicClock.live

    private static let rounds = 5
    private static let rate: Int64 = 1000
    /// Orders on the way at once while the highest rate is sought.
    private static let window = 256
    private static let symbol = "700.HK"
    private static let morning = "T10:00:00+08:00"

    func run() async throws -> BenchReport {
        let folder = try BenchFolder()
        defer { folder.remove() }
        let market = try BenchMarket(symbol: Self.symbol, timeOfDay: Self.morning)
        let exchange = try Exchange(folder: journal(folder), rules: market.rules, clock: market.hub.marketClock)
        let source = OrderSource(instrument: market.instrument, lot: market.instrument.lot, tally: OrderTally())
        for account in 0..<OrderSource.accounts { try await source.open(account, at: exchange) }
        let playing = await market.play(into: exchange)
        defer { playing.cancel() }
        source.setLimit(try market.restingPrice())
        var rounds: [PacedRound] = []
        for _ in 0..<Self.rounds { rounds.append(try await pace(source, exchange)) }
        let load = await hold(source, exchange)
        // The market stands still and nothing is on the way: two may not write the journal.
        playing.cancel()
        await playing.value
        _ = try await exchange.sequence(OrderSource.name(0))
        let missing = try await missing(source, folder, market)
        guard source.tally.refused == 0 else {
            throw Failure(ErrorCode("internal"), .init("reason", "\(source.tally.refused) orders of the bench were refused"))
        }
        return report(rounds, load, acknowledged: source.tally.acknowledged.count, missing: missing)
    }

    private func report(_ rounds: [PacedRound], _ load: SustainedLoad, acknowledged: Int, missing: Int) -> BenchReport {
        var figures: [BenchFigure] = []
        for (number, round) in rounds.enumerated() {
            figures.append(.init("p50_round_\(number + 1)", round.p50, "ms"))
            figures.append(.init("p99_round_\(number + 1)", round.p99, "ms"))
        }
        figures += [
            .init("paced_rate", Samples.median(rounds.map(\.rate)), "per second"),
            .init("paced_worst", rounds.map(\.worst).max() ?? 0, "ms"),
            .init("sustained_seconds", load.seconds, "s"), .init("sustained_slowest_second", Double(load.perSecond.min() ?? 0), "orders"),
            .init("sustained_first_second", Double(load.perSecond.first ?? 0), "orders"),
            .init("sustained_last_second", Double(load.perSecond.last ?? 0), "orders"),
            .init("sustained_p50", load.p50, "ms"), .init("sustained_p99", load.p99, "ms"),
            .init("acknowledged", Double(acknowledged), "orders"),
        ]
        return BenchReport(
            .orders, figures: figures,
            values: [
                "lost": Double(missing), "p50_at_1000": Samples.median(rounds.map(\.p50)), "p99_at_1000": Samples.median(rounds.map(\.p99)),
                "sustained": load.rate,
            ])
    }

    private func journal(_ folder: BenchFolder) -> FileFolder { FileFolder.live(path: folder.path + "/journal") }

    // MARK: A thousand a second

    private struct PacedRound {
        var p50: Double
        var p99: Double
        var worst: Double
        var rate: Double
    }

    /// One order each millisecond by the clock; what the timer was late for is sent at once, so that a stall does not thin the load out.
    private func pace(_ source: OrderSource, _ exchange: Exchange) async throws -> PacedRound {
        let begin = clock.now()
        let count = paced.nanoseconds * Self.rate / 1_000_000_000
        source.tally.begin()
        for number in 0..<count {
            let due = begin.advanced(by: .nanoseconds(number * 1_000_000_000 / Self.rate))
            if clock.now() < due { try await clock.sleep(due) }
            let command = source.next()
            let sent = clock.now()
            exchange.place(command) { source.tally.add(command, $0, sent.duration(to: clock.now())) }
        }
        let sending = begin.duration(to: clock.now())
        _ = try await exchange.sequence(OrderSource.name(0))  // A query waits for all before it.
        let times = source.tally.latencies.sorted()
        return PacedRound(
            p50: Samples.percentile(0.5, of: times), p99: Samples.percentile(0.99, of: times), worst: times.last ?? 0,
            rate: Double(count) * 1e9 / Double(max(sending.nanoseconds, 1)))
    }

    // MARK: As many as it takes

    private struct SustainedLoad {
        var seconds: Double
        var rate: Double
        /// Acknowledgements in each whole second.
        var perSecond: [Int]
        var p50: Double
        var p99: Double
    }

    /// Always `window` orders on the way: each acknowledgement sends the next.
    private func hold(_ source: OrderSource, _ exchange: Exchange) async -> SustainedLoad {
        let begin = clock.now()
        let end = begin.advanced(by: sustained)
        source.tally.begin()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.window {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        chain(source, exchange, from: begin, until: end) { continuation.resume() }
                    }
                }
            }
        }
        let took = Double(begin.duration(to: clock.now()).nanoseconds) / 1e9
        let times = source.tally.latencies.sorted()
        let whole = source.tally.perSecond.prefix(Int(Double(sustained.nanoseconds) / 1e9))
        return SustainedLoad(
            seconds: took, rate: Double(times.count) / took, perSecond: Array(whole), p50: Samples.percentile(0.5, of: times),
            p99: Samples.percentile(0.99, of: times))
    }

    private func chain(
        _ source: OrderSource, _ exchange: Exchange, from begin: MonotonicInstant, until end: MonotonicInstant,
        _ done: @escaping @Sendable () -> Void
    ) {
        let command = source.next()
        let sent = clock.now()
        exchange.place(command) { result in
            let now = clock.now()
            source.tally.add(command, result, sent.duration(to: now), second: Int(begin.duration(to: now).nanoseconds / 1_000_000_000))
            if now < end, source.hasRoom { chain(source, exchange, from: begin, until: end, done) } else { done() }
        }
    }

    // MARK: What is left after a restart

    /// Opens the journal as a server does that was killed: the running exchange is not stopped, so no snapshot is written, and the books
    /// come from the records alone.
    private func missing(_ source: OrderSource, _ folder: BenchFolder, _ market: BenchMarket) async throws -> Int {
        let restarted = try Exchange(folder: journal(folder), rules: market.rules, clock: market.hub.marketClock)
        defer { restarted.stop() }
        var known: [[UInt8]: UInt64] = [:]
        for account in 0..<OrderSource.accounts {
            for order in try await restarted.orders(OrderSource.name(account)).orders { known[order.commandID] = order.orderID }
        }
        return source.tally.acknowledged.count { known[$0.command] != $0.order }
    }
}
