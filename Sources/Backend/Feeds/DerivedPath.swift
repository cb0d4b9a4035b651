import Streams
import Messages

/// A path inside a bar: starts at its open, ends at its close, touches high and low, never leaves them, stays on the price grid, and its
/// sizes add up to the bar's volume. The same generator state gives the same path.
struct DerivedPath {
    let grid: PriceGrid
    /// Sizes are whole lots; what the volume holds beyond whole lots goes to the last print. Zero: an index, prices without sizes.
    let lot: Int64

    /// About `wanted` prints in `bar.start..<bar.end`, fewer where there are fewer lots; strictly later one by one.
    func prints(_ bar: TapeBar, wanted: Int, random: inout SeededRandom) -> [Print] {
        let lots = lot > 0 ? bar.volume / lot : 0
        if lot > 0, bar.volume == 0, bar.high == bar.low { return [] }
        let anchors = anchors(bar, lots: lot > 0 ? lots : .max, &random)
        let room = Int(clamping: max(1, (bar.end - bar.start) / 1000))
        var count = lot > 0 ? Int(min(Int64(wanted), max(lots, 1))) : wanted
        count = min(max(count, anchors.count), max(room, anchors.count))
        let prices = prices(anchors, count: count, bar, &random)
        let sizes = sizes(bar.volume, lots: lots, count: count, &random)
        var result: [Print] = []
        result.reserveCapacity(count)
        let span = bar.end - bar.start
        var side = TradeSide.buyer
        for i in 0..<count {
            let from = bar.start + slice(span, i, count)
            let width = max(1, slice(span, i + 1, count) - slice(span, i, count))
            let previous = i > 0 ? prices[i - 1] : prices[i]
            if prices[i] != previous {
                side = prices[i] > previous ? .buyer : .seller
            } else if random.below(2) == 0 {
                side = side == .buyer ? .seller : .buyer
            }
            result.append(Print(time: from + random.below(width), price: prices[i], size: sizes[i], side: side))
        }
        return result
    }

    private func slice(_ span: Int64, _ i: Int, _ count: Int) -> Int64 { Int64(Int128(span) * Int128(i) / Int128(count)) }

    /// The prices that must be touched, in order.
    private func anchors(_ bar: TapeBar, lots: Int64, _ random: inout SeededRandom) -> [Int64] {
        func chain(_ middle: [Int64]) -> [Int64] {
            var chain = [bar.open]
            for price in middle + [bar.close] where price != chain.last { chain.append(price) }
            return chain
        }
        let up = chain([bar.high, bar.low])
        let down = chain([bar.low, bar.high])
        let direct = chain([])
        let shorter = up.count <= down.count ? up : down
        if direct.contains(bar.high), direct.contains(bar.low) {
            return random.below(2) == 0 || lots < Int64(shorter.count) ? direct : shorter
        }
        if lots < Int64(max(up.count, down.count)) { return shorter }
        return random.below(2) == 0 ? up : down
    }

    private func prices(_ anchors: [Int64], count: Int, _ bar: TapeBar, _ random: inout SeededRandom) -> [Int64] {
        var prices = [Int64](repeating: bar.open, count: count)
        guard anchors.count > 1 else { return prices }
        var places: Set<Int> = [0, count - 1]
        while places.count < anchors.count { places.insert(1 + Int(random.below(Int64(count - 2)))) }
        let fixed = places.sorted()
        let range = bar.high - bar.low
        let noise = max(range / max(1, integerSquareRoot(Int64(count))), grid.tick(bar.low) ?? 1)
        for k in 1..<fixed.count {
            var current = anchors[k - 1]
            let target = anchors[k]
            prices[fixed[k - 1]] = current
            for place in (fixed[k - 1] + 1)..<max(fixed[k], fixed[k - 1] + 1) {
                let steps = Int64(fixed[k] - place + 1)
                let wish = current + (target - current) / steps + random.below(2 * noise + 1) - noise
                current = min(max(grid.nearest(wish) ?? current, bar.low), bar.high)
                prices[place] = current
            }
            prices[fixed[k]] = target
        }
        return prices
    }

    private func sizes(_ volume: Int64, lots: Int64, count: Int, _ random: inout SeededRandom) -> [Int64] {
        var sizes = [Int64](repeating: 0, count: count)
        guard lot > 0 else { return sizes }
        let whole = Int64(count) <= lots
        for i in 0..<count where whole || Int64(count - i) <= lots { sizes[i] = lot }
        if whole, lots > Int64(count) {
            let weights = (0..<count).map { _ in
                let draw = random.below(1000) + 1
                return draw * draw / 100 + 1
            }
            let total = weights.reduce(0, +)
            let spare = lots - Int64(count)
            for i in 0..<count { sizes[i] += Int64(Int128(spare) * Int128(weights[i]) / Int128(total)) * lot }
        }
        sizes[count - 1] += volume - sizes.reduce(0, +)
        return sizes
    }
}
