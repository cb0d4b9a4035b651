import Messages

/// The resting orders of one instrument in order of execution: each side's better price first, then the earlier. Finding, adding and
/// taking out cost O(log n), spread over many; a walk costs what it visits.
struct RestingOrders {
    struct Place: Hashable {
        var price: Int64
        var id: UInt64
    }

    /// The orders of one price. An entry is the id × 2, plus one when it has gone; the gone are swept out when they are the most.
    private struct Level {
        var key: Int64
        var entries: [UInt64] = []
        /// The first that is there.
        var head = 0
        var count = 0

        func index(of id: UInt64) -> Int { entries.index(id << 1) { $0 } }

        mutating func remove(_ id: UInt64) {
            let place = index(of: id)
            guard place < entries.count, entries[place] == id << 1 else { return }
            entries[place] |= 1
            count -= 1
            while head < entries.count, entries[head] & 1 == 1 { head += 1 }
            guard entries.count > 2 * count + 32 else { return }
            entries.removeAll { $0 & 1 == 1 }
            head = 0
        }
    }

    /// Best first: ascending keys.
    private var buys: [Level] = []
    private var sells: [Level] = []

    var isEmpty: Bool { buys.isEmpty && sells.isEmpty }

    /// Grows as a price gets worse for that side's owner to wait at; never overflows.
    private static func key(_ side: OrderSide, _ price: Int64) -> Int64 { side == .buy ? ~price : price }

    mutating func insert(_ id: UInt64, _ side: OrderSide, at price: Int64) {
        let key = Self.key(side, price)
        if side == .buy { Self.insert(id, key, &buys) } else { Self.insert(id, key, &sells) }
    }

    mutating func remove(_ id: UInt64, _ side: OrderSide, at price: Int64) {
        let key = Self.key(side, price)
        if side == .buy { Self.remove(id, key, &buys) } else { Self.remove(id, key, &sells) }
    }

    private static func insert(_ id: UInt64, _ key: Int64, _ levels: inout [Level]) {
        let place = levels.index(key, \.key)
        if place == levels.count || levels[place].key != key { levels.insert(Level(key: key), at: place) }
        let index = levels[place].index(of: id)
        if index < levels[place].entries.count, levels[place].entries[index] >> 1 == id {
            guard levels[place].entries[index] & 1 == 1 else { return }
            levels[place].entries[index] = id << 1
        } else {
            levels[place].entries.insert(id << 1, at: index)
        }
        levels[place].head = min(levels[place].head, index)
        levels[place].count += 1
    }

    private static func remove(_ id: UInt64, _ key: Int64, _ levels: inout [Level]) {
        let place = levels.index(key, \.key)
        guard place < levels.count, levels[place].key == key else { return }
        levels[place].remove(id)
        if levels[place].count == 0 { levels.remove(at: place) }
    }

    /// The next order to be executed after `place`, which may have gone meanwhile; nil: none.
    func next(_ side: OrderSide, after place: Place?) -> Place? {
        side == .buy
            ? Self.next(buys, place, key: Self.key(.buy, place?.price ?? 0)) { ~$0 }
            : Self.next(sells, place, key: place?.price ?? 0) { $0 }
    }

    private static func next(_ levels: [Level], _ place: Place?, key: Int64, _ price: (Int64) -> Int64) -> Place? {
        var index = place == nil ? 0 : levels.index(key, \.key)
        while index < levels.count {
            var entry = levels[index].head
            if let place, levels[index].key == key { entry = max(entry, levels[index].index(of: place.id + 1)) }
            while entry < levels[index].entries.count, levels[index].entries[entry] & 1 == 1 { entry += 1 }
            if entry < levels[index].entries.count {
                return Place(price: price(levels[index].key), id: levels[index].entries[entry] >> 1)
            }
            index += 1
        }
        return nil
    }
}

extension Array {
    /// The first place, of an ascending array, whose value is not below `value`.
    func index<Value: Comparable>(_ value: Value, _ of: (Element) -> Value) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if of(self[middle]) < value { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first place, of an array that ascends by `of`, whose value is above `value`.
    func index(above value: UInt64, _ of: (Element) -> UInt64) -> Int { value == .max ? count : index(value + 1, of) }
}
