import Streams
import Instruments
import Messages

/// A made-up book around the last trade, marked simulated: never crossed, the last trade inside or at its touch. Sizes change slowly and
/// are a function of seed, instrument, price and `turn` alone.
struct SimulatedDepth {
    let grid: PriceGrid
    let seed: UInt64
    let levels: Int
    let lot: Int64
    /// About how many lots one level holds.
    let typicalLots: Int64

    func book(last: Int64, side: TradeSide, time: Int64, turn: UInt64) -> Book {
        var book = Book()
        book.instrument = grid.instrument.id.rawValue
        book.timeNs = time
        book.provenance = .simulated
        var bid: Int64?
        var ask: Int64?
        if side == .buyer {
            ask = last
            bid = grid.below(last)
        } else {
            bid = last
            ask = grid.above(last)
        }
        book.bids.reserveCapacity(levels)
        book.asks.reserveCapacity(levels)
        for depth in 0..<levels {
            if let price = bid {
                if price <= 0, grid.instrument.kind != .future { bid = nil }
                if bid != nil { book.bids.append(level(price, depth, turn, 1)) }
                bid = grid.below(price)
            }
            if let price = ask {
                book.asks.append(level(price, depth, turn, 2))
                ask = grid.above(price)
            }
        }
        return book
    }

    private func level(_ price: Int64, _ depth: Int, _ turn: UInt64, _ side: UInt64) -> BookLevel {
        var random = SeededRandom(seed: seed, UInt64(grid.instrument.id.rawValue), UInt64(bitPattern: price), turn / 8, side)
        let most = max(1, typicalLots * Int64(2 + depth))
        let lots = 1 + random.below(most)
        var level = BookLevel()
        level.price = price
        level.size = lots * lot
        level.orders = UInt32(1 + random.below(min(lots, 40)))
        return level
    }
}

extension Quote {
    /// The best of each side; a side where nobody stands has the size 0 and no price.
    mutating func show(_ book: Book) {
        if let bid = book.bids.first { self.bid = bid.price } else { clearBid() }
        if let ask = book.asks.first { self.ask = ask.price } else { clearAsk() }
        bidSize = book.bids.first?.size ?? 0
        askSize = book.asks.first?.size ?? 0
    }
}
