import Messages
import WireCodec

/// Every message of the two connections that comes by itself, read and written for the counting of allocations.
enum HotLoop: String, CaseIterable, Sendable {
    case quote, tick, bar, book, order, fill, position, funds

    /// Those without lists and texts.
    static let prices: Set<Self> = [.quote, .tick, .bar]

    func run(_ work: CodecLoop.Work, times: Int) throws(WireError) {
        switch self {
        case .quote: try Self.loop(Self.quoteMessage, work, times)
        case .tick: try Self.loop(Self.tickMessage, work, times)
        case .bar: try Self.loop(Self.barMessage, work, times)
        case .book: try Self.loop(Self.bookMessage, work, times)
        case .order: try Self.loop(Self.orderMessage, work, times)
        case .fill: try Self.loop(Self.fillMessage, work, times)
        case .position: try Self.loop(Self.positionMessage, work, times)
        case .funds: try Self.loop(Self.fundsMessage, work, times)
        }
    }

    /// Room for the message and its bytes is made once; what is left are the allocations of each time.
    @inline(never)
    private static func loop<M: Message>(_ message: M, _ work: CodecLoop.Work, _ times: Int) throws(WireError) {
        let bytes = try message.serializedBytes()
        switch work {
        case .decode:
            for _ in 0..<times {
                let decoded = try M(serializedBytes: bytes.span.bytes)
                precondition(decoded.unknownFields.isEmpty)
            }
        case .encode:
            var writer = WireWriter(capacity: 1_024)
            for _ in 0..<times {
                message.write(to: &writer)
                let count = try writer.finish { $0.byteCount }
                precondition(count == bytes.count)
            }
        }
    }

    private static let account = "S00c1a2b3c4d5e6f7"
    private static let time: Int64 = 1_796_003_000_000_000_000
    private static let price: Int64 = 367_600_000_000

    private static var quoteMessage: Quote {
        var quote = Quote()
        (quote.instrument, quote.timeNs, quote.last, quote.bid, quote.ask) = (700, time, price, price, price + 200_000_000)
        (quote.open, quote.high, quote.low, quote.volume, quote.phase) = (price, price, price, 1 << 50, .continuous)
        return quote
    }

    private static var tickMessage: Tick {
        var tick = Tick()
        (tick.instrument, tick.timeNs, tick.price, tick.size, tick.sequence) = (700, time, price, 10_000_000_000, 77)
        return tick
    }

    private static var barMessage: Bar {
        var bar = Bar()
        (bar.instrument, bar.period, bar.startNs, bar.open, bar.high, bar.low) = (700, .minute1, time, price, price, price)
        (bar.close, bar.volume, bar.turnover) = (price, 1 << 50, 1 << 55)
        return bar
    }

    private static var bookMessage: Book {
        func levels(_ step: Int64) -> [BookLevel] {
            (1...10).map { (number: Int64) in
                var level = BookLevel()
                (level.price, level.size, level.orders) = (price + number * step, 10_000_000_000 * number, 3)
                return level
            }
        }
        var book = Book()
        (book.instrument, book.timeNs, book.bids, book.asks) = (700, time, levels(-200_000_000), levels(200_000_000))
        return book
    }

    private static var orderMessage: Order {
        var order = Order()
        (order.orderID, order.tradingAccount, order.commandID, order.instrument) = (7, account, Array(0..<16), 700)
        (order.side, order.type, order.quantity, order.limit, order.status) = (.buy, .limit, 10_000_000_000, price, .working)
        (order.placedNs, order.updatedNs, order.sequence) = (time, time, 99)
        return order
    }

    private static var fillMessage: Fill {
        var fee = FeeItem()
        (fee.rule, fee.amount, fee.currency) = ("stamp-duty", 37_000_000, "HKD")
        var fill = Fill()
        (fill.fillID, fill.orderID, fill.tradingAccount, fill.instrument, fill.currency) = (1, 7, account, 700, "HKD")
        (fill.price, fill.quantity, fill.timeNs, fill.fees) = (price, 10_000_000_000, time, [fee, fee, fee, fee])
        return fill
    }

    private static var positionMessage: Position {
        var position = Position()
        (position.tradingAccount, position.instrument, position.quantity, position.currency) = (account, 700, 1 << 40, "HKD")
        return position
    }

    private static var fundsMessage: FundsReply {
        var line = FundsLine()
        (line.currency, line.cash, line.available) = ("HKD", 1_000_000_000_000, 1_000_000_000_000)
        var funds = FundsReply()
        (funds.tradingAccount, funds.lines, funds.baseCurrency) = (account, [line, line], "HKD")
        return funds
    }
}
