import Exact
import Exchange
import Feeds
import Instruments
import Messages
import Streams
import Synchronization
import Texts

/// The market of the orders bench: the shipped replay, from a moment of its market date when Hong Kong trades.
struct BenchMarket: Sendable {
    let rules: ExchangeRules
    let hub: FeedHub
    let instrument: Instrument

    init(symbol: String, timeOfDay: String) throws {
        do {
            let shipped = try DataFolder.locate()
            rules = try ExchangeRules(shipped)
            let recordings = try Recordings(shipped, facts: rules.facts)
            hub = try FeedHub(
                facts: rules.facts, recordings: recordings, clock: .live,
                start: Timestamp.read(recordings.marketDate.description + timeOfDay))
        } catch let fault as DataFault {
            throw Failure(.dataCorrupt, .init("path", fault.description))
        } catch let fault as CalendarFault {
            throw fault.failure
        }
        instrument = try rules.facts.instruments.resolve(symbol, on: hub.marketDate).get()
    }

    /// Lets the market run; returns when the exchange knows it.
    func play(into exchange: Exchange) async -> Task<Void, Never> {
        let (first, input) = AsyncStream.makeStream(of: Void.self)
        hub.register("exchange") { events in
            await exchange.feed(events)
            input.finish()
        }
        let playing = Task { await hub.run() }
        for await _ in first {}
        return playing
    }

    /// A tenth below the last price, on the tick grid: the market will not come there while the bench runs.
    func restingPrice() throws -> Price {
        guard let quote = hub.quote(instrument.id), quote.hasLast,
            let price = rules.facts.ticks.rounded(Price(nanos: quote.last / 10 * 9), .down, for: instrument, on: hub.marketDate)
        else { throw Failure(.dataCorrupt, .init("path", "replay/" + instrument.symbol)) }
        return price
    }
}

/// Makes the bench's orders, each with a command id of its own, over accounts that take turns.
final class OrderSource: Sendable {
    /// So many that none comes to the most working orders an account may have (1,000) before `most` are sent.
    static let accounts = 1000
    static let most: UInt64 = 900_000

    let tally: OrderTally
    private let instrument: Instrument
    private let lot: Quantity
    private let limit = Mutex(Price(nanos: 0))
    private let count = Atomic<UInt64>(0)

    init(instrument: Instrument, lot: Quantity, tally: OrderTally) {
        self.instrument = instrument
        self.lot = lot
        self.tally = tally
    }

    static func name(_ account: Int) -> String { "S\(account)" }

    var hasRoom: Bool { count.load(ordering: .relaxed) < Self.most }

    func setLimit(_ price: Price) { limit.withLock { $0 = price } }

    func open(_ account: Int, at exchange: Exchange) async throws {
        // A thousand lots are to be held against it.
        let money = try Money("100000000", currency: instrument.currency)
        try await exchange.openAccount(Self.name(account), counter: .securities, funds: [money])
    }

    func next() -> PlaceOrder {
        let number = count.add(1, ordering: .relaxed).oldValue
        var command = PlaceOrder()
        command.tradingAccount = Self.name(Int(number % UInt64(Self.accounts)))
        command.commandID = (0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) : 0 }
        command.instrument = instrument.id.rawValue
        command.side = .buy
        command.type = .limit
        command.quantity = lot.units
        command.limit = limit.withLock(\.nanos)
        command.timeInForce = .day
        return command
    }
}

/// What came of the orders.
final class OrderTally: Sendable {
    struct Acknowledged: Hashable, Sendable {
        var command: [UInt8]
        var order: UInt64
    }

    private struct State {
        var acknowledged: [Acknowledged] = []
        var refused = 0
        var latencies: [Double] = []
        var perSecond: [Int] = []
    }

    private let state = Mutex(State())

    /// Of all rounds.
    var acknowledged: [Acknowledged] { state.withLock(\.acknowledged) }
    var refused: Int { state.withLock(\.refused) }
    /// Milliseconds, of this round.
    var latencies: [Double] { state.withLock(\.latencies) }
    /// Acknowledgements by second of this round.
    var perSecond: [Int] { state.withLock(\.perSecond) }

    /// A new round.
    func begin() {
        state.withLock {
            $0.latencies = []
            $0.perSecond = []
        }
    }

    func add(_ command: PlaceOrder, _ result: CommandResult, _ took: Duration, second: Int = 0) {
        state.withLock { state in
            guard result.failure == nil, let order = result.order else {
                state.refused += 1
                return
            }
            state.acknowledged.append(Acknowledged(command: command.commandID, order: order.orderID))
            state.latencies.append(Double(took.nanoseconds) / 1e6)
            while state.perSecond.count <= second { state.perSecond.append(0) }
            state.perSecond[second] += 1
        }
    }
}
