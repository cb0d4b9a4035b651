import Diagnostics
import Exact
import Feeds
import Foundation
import Journal
import Messages
import Streams
import Synchronization
import Testing
import Texts

@testable import Exchange

/// A disk without room: nothing is told that is not kept, and when there is room again it goes on (N-5).
struct FullDiskTests {
    typealias F = Fixture

    /// A folder whose writes fail while it is full.
    private final class Disk: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("causeway-full-\(UUID().uuidString)").path
        private let full = Mutex(false)
        private let reads = Mutex(0)
        private let lines = Mutex<[String]>([])

        var isFull: Bool {
            get { full.withLock { $0 } }
            set { full.withLock { $0 = newValue } }
        }
        /// How often a segment was read from its beginning.
        var rebuilds: Int { reads.withLock { $0 } }
        var logged: [String] { lines.withLock { $0 } }
        var log: Log { Log { [self] _, event, _ in lines.withLock { $0.append(event) } } }

        func port() throws -> FileFolder {
            let live = FileFolder.live(path: path)
            var port = live
            port.open = { [self] (name) throws(FileError) in
                let inner = try live.open(name)
                var file = inner
                file.write = { [self] (bytes, offset) throws(FileError) in
                    if isFull { throw .full }
                    try inner.write(bytes, offset)
                }
                file.read = { [self] (offset, count) throws(FileError) in
                    if name.hasSuffix(".journal"), offset == 0 { reads.withLock { $0 += 1 } }
                    return try inner.read(offset, count)
                }
                return file
            }
            return port
        }
    }

    private let disk = Disk()

    private func exchange() async throws -> Exchange {
        let clock = MarketClock { MarketClockReading(time: F.at(10, 0, 1), speedMicros: 0, epoch: 1) }
        let exchange = try Exchange(folder: try disk.port(), rules: try F.rules(), clock: clock, log: disk.log)
        try await exchange.openAccount("S", counter: .securities, funds: [Money(micros: 1_000_000_000_000, currency: .hkd)])
        let shown = F.book(bids: [(400 * F.one, 1000)], asks: [(400_200_000_000, 300)], at: F.at(10))
        await exchange.feed([event(.book(shown), F.at(10))])
        #expect(await exchange.place(F.order(1, .buy, 200, at: 400 * F.one)).failure == nil)
        return exchange
    }

    private func event(_ body: FeedEvent.Body, _ time: MarketInstant) -> FeedEvent { FeedEvent(sequence: 1, time: time, body: body) }

    private func trade(_ exchange: Exchange, _ price: Int64, _ shares: Int64, at time: MarketInstant) async {
        await exchange.feed([event(.trade(F.tick(price, shares, at: time)), time)])
    }

    private func clock(_ exchange: Exchange, at time: MarketInstant) async {
        await exchange.feed([event(.clock(MarketClockReading(time: time, speedMicros: 0, epoch: 1)), time)])
    }

    private func first(_ exchange: Exchange) async throws -> Order {
        try #require(try await exchange.orders("S").orders.first { $0.orderID == 1 })
    }

    @Test func whatTheFeedSaidIsStillKnown() async throws {  // N-2, N-3
        let exchange = try await exchange()
        defer { try? FileManager.default.removeItem(atPath: disk.path) }
        disk.isFull = true
        #expect(await exchange.place(F.order(2, .buy, 100, at: 300 * F.one)).failure == Failure(.storageFull))
        // What was not kept was not done.
        #expect(await exchange.cancel(F.cancel(3, 1)).failure == Failure(.storageFull))
        #expect(await exchange.place(F.order(5, .buy, 200, at: 400_200_000_000, .ioc)).failure == Failure(.storageFull))
        disk.isFull = false
        let taken = await exchange.place(F.order(4, .buy, 300, at: 400_200_000_000, .ioc))
        #expect(taken.failure == nil && taken.order?.status == .filled && taken.order?.orderID == 2)
        // The queue before the first order still stands there, and what was earlier than the order does not touch it.
        await trade(exchange, 399 * F.one, 500, at: F.at(10))
        await trade(exchange, 400 * F.one, 900, at: F.at(10, 0, 2))
        #expect(try await first(exchange).filled == 0)
        await trade(exchange, 400 * F.one, 200, at: F.at(10, 0, 3))
        #expect(try await first(exchange).filled == 100 * F.share)
        exchange.stop()
    }

    @Test func anEpisodeIsOneRebuildAndTwoLines() async throws {
        let exchange = try await exchange()
        defer { try? FileManager.default.removeItem(atPath: disk.path) }
        let rebuilds = disk.rebuilds
        let before = try await exchange.order("S", byCommandID: F.id(1))
        disk.isFull = true
        for number in UInt64(2)...20 {
            #expect(await exchange.place(F.order(number, .buy, 100, at: 300 * F.one)).failure == Failure(.storageFull))
        }
        // What is known is told: the same command has the same result (C-4).
        #expect(try await exchange.order("S", byCommandID: F.id(1)) == before)
        #expect(await exchange.place(F.order(1, .buy, 200, at: 400 * F.one)).order == before.orders.first)
        #expect(try await exchange.order("S", byCommandID: F.id(2)).orders.isEmpty)
        #expect(disk.logged == ["exchange.journal-failed"])
        disk.isFull = false
        #expect(await exchange.place(F.order(2, .buy, 100, at: 300 * F.one)).order?.orderID == 2)
        #expect(disk.logged == ["exchange.journal-failed", "exchange.recovered"])
        #expect(disk.rebuilds == rebuilds + 1)
        let bytes = try exchange.canonicalBytes()
        exchange.stop()
        let again = try Exchange(
            folder: try disk.port(), rules: try F.rules(),
            clock: MarketClock { MarketClockReading(time: F.at(10), speedMicros: 0, epoch: 1) })
        #expect(try again.canonicalBytes() == bytes)
        again.stop()
    }

    @Test func marketTimeFindsTheRoom() async throws {
        let exchange = try await exchange()
        defer { try? FileManager.default.removeItem(atPath: disk.path) }
        let told = Mutex<[UInt64]>([])
        exchange.subscribe { _, events in told.withLock { $0 += events.map(\.sequence) } }
        let sequence = try await exchange.sequence("S")
        disk.isFull = true
        await trade(exchange, 399 * F.one, 100, at: F.at(10, 0, 2))
        #expect(await exchange.place(F.order(2, .buy, 100, at: 300 * F.one)).failure == Failure(.storageFull))
        await clock(exchange, at: F.at(10, 0, 3))
        await trade(exchange, 399 * F.one, 100, at: F.at(10, 0, 4))
        #expect(try await first(exchange).filled == 0)
        await clock(exchange, at: F.at(16))
        #expect(try await first(exchange).status == .working)
        disk.isFull = false
        await clock(exchange, at: F.at(10, 0, 5))
        #expect(disk.logged == ["exchange.journal-failed", "exchange.recovered"])
        await trade(exchange, 399 * F.one, 100, at: F.at(10, 0, 6))
        await clock(exchange, at: F.at(16))
        let order = try await first(exchange)
        #expect(order.filled == 100 * F.share && order.status == .expired)
        exchange.stop()
        told.withLock { #expect($0 == Array(sequence + 1...sequence + UInt64($0.count)) && $0.count == 6) }
    }
}
