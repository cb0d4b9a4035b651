public import Messages
public import Texts

/// Lists, each "books as of" a sequence (C-9), ascending by id.
extension Exchange {
    /// One page, or the whole list where no limit is asked for; `request.too-large` where that is too long for one answer.
    public func orders(_ query: OrdersQuery) async throws(Failure) -> OrderList {
        let most = ExchangeLimits.rows(query.limit)
        let list = try await self.query(query.tradingAccount) {
            $0.orderList(workingOnly: query.workingOnly, after: query.after, most: most)
        }
        if query.limit == 0, list.more { throw Failure(.requestTooLarge) }
        return list
    }

    /// Every order, however many.
    public func orders(_ account: String, workingOnly: Bool = false) async throws(Failure) -> OrderList {
        try await query(account) { $0.orderList(workingOnly: workingOnly, after: 0, most: .max) }
    }

    /// One page of the fills after a sequence, of one order (0: all), or the whole list, as `orders`.
    public func fills(_ query: FillsQuery) async throws(Failure) -> FillList {
        let most = ExchangeLimits.rows(query.limit)
        let list = try await self.query(query.tradingAccount) {
            $0.fillList(order: query.orderID, since: query.sinceSequence, after: query.after, most: most)
        }
        if query.limit == 0, list.more { throw Failure(.requestTooLarge) }
        return list
    }

    /// Every fill, however many.
    public func fills(_ account: String) async throws(Failure) -> FillList {
        try await query(account) { $0.fillList(order: 0, since: 0, after: 0, most: .max) }
    }
}

extension ExchangeLimits {
    /// How many rows an answer may have; 0: no limit was asked for.
    fileprivate static func rows(_ limit: UInt32) -> Int { limit == 0 ? listRows : min(Int(limit), pageRows) }
}

extension AccountBook {
    func orderList(workingOnly: Bool, after: UInt64, most: Int) -> OrderList {
        var list = OrderList()
        list.sequence = sequence
        let ids = workingOnly ? working.sorted() : orderIDs
        let rest = ids[ids.index(above: after) { $0 }...]
        list.orders = rest.prefix(most).compactMap { orders[$0]?.order }
        list.more = rest.count > most
        return list
    }

    func fillList(order: UInt64, since: UInt64, after: UInt64, most: Int) -> FillList {
        var list = FillList()
        list.sequence = sequence
        let start = max(fills.index(above: after) { $0.fillID }, fills.index(above: since) { $0.sequence })
        for fill in fills[start...] where order == 0 || fill.orderID == order {
            if list.fills.count == most {
                list.more = true
                break
            }
            list.fills.append(fill)
        }
        return list
    }
}
