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

    /// Takes up to `quantity` from the side opposite to `side`, best price first, never worse than `limit`.
    mutating func take(_ side: OrderSide, upTo quantity: Int64, limit: Int64?) -> [Take] {
        var left = quantity
        var takes: [Take] = []
        func walk(_ levels: inout [BookLevel], _ within: (Int64) -> Bool) {
            for index in levels.indices where left > 0 && within(levels[index].price) {
                let taken = min(left, levels[index].size)
                guard taken > 0 else { continue }
                takes.append(Take(price: levels[index].price, quantity: taken))
                levels[index].size -= taken
                left -= taken
            }
        }
        if side == .buy {
            walk(&book.asks) { price in limit.map { price <= $0 } ?? true }
        } else {
            walk(&book.bids) { price in limit.map { price >= $0 } ?? true }
        }
        return takes
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
