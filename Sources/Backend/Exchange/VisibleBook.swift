import Exact
import Messages

/// What the feed shows of one instrument, less what our users took since it was shown.
struct VisibleBook {
    var book: Book
    var fromBook: Bool

    struct Take {
        var price: Int64
        var quantity: Int64
    }

    /// What an order would take of the side opposite to `side`: up to `quantity`, best price first, never worse than `limit`.
    func reach(_ side: OrderSide, upTo quantity: Int64, limit: Int64?) -> [Take] {
        var left = quantity
        var takes: [Take] = []
        for level in side == .buy ? book.asks : book.bids where left > 0 && level.size > 0 {
            if let limit, side == .buy ? level.price > limit : level.price < limit { continue }
            takes.append(Take(price: level.price, quantity: min(left, level.size)))
            left -= takes[takes.count - 1].quantity
        }
        return takes
    }

    /// Takes what `reach` told.
    mutating func remove(_ takes: [Take], _ side: OrderSide) {
        for take in takes {
            if side == .buy { Self.remove(take, &book.asks) } else { Self.remove(take, &book.bids) }
        }
    }

    private static func remove(_ take: Take, _ levels: inout [BookLevel]) {
        guard let place = levels.firstIndex(where: { $0.price == take.price && $0.size > 0 }) else { return }
        levels[place].size -= take.quantity
    }

    /// The size shown at `price` on the order's own side: 0 where the price is inside the shown range or better than it and nothing
    /// stands there, nil where it lies beyond what is shown.
    func queue(_ side: OrderSide, at price: Int64) -> Int64? {
        let levels = side == .buy ? book.bids : book.asks
        if let level = levels.first(where: { $0.price == price }) { return level.size }
        guard let worst = levels.last?.price else { return nil }
        return (side == .buy ? price > worst : price < worst) ? 0 : nil
    }
}
