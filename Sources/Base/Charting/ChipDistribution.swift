/// At what prices the shares in float were bought (G-3), as far as it can be told from bars: moving cost distribution, CYQ.
///
/// Each bar a share `t = min(1, VOL / float)` of all holdings changes hands: of every older cost the part `t` leaves, and the part `t` of the
/// float comes in, spread over the bar's prices as a triangle from LOW to HIGH that is highest at `(HIGH + LOW + CLOSE) / 3`. What was held
/// before the first bar has no known cost and is left out: `known` says how much of the float the distribution speaks of.
/// Source: the usual construction of Chinese programs, with the triangle and a decay of 1. A bar without prices or volume changes nothing.
public struct ChipDistribution: Hashable, Sendable {
    /// Prices of a bin: a step of 1, 2 or 5 × 10ⁿ, the smallest with at most `mostBins` bins from the lowest low to the highest high.
    public private(set) var step = 1.0
    /// The number of the first bin: it begins at `firstBin × step`.
    public private(set) var firstBin = 0
    /// Share of the float with costs in each bin.
    public private(set) var masses: [Double] = []
    /// Of all costs together, as a share of the float.
    public private(set) var known = 0.0
    /// The sum of cost × share, free of bins.
    private var weighted = 0.0
    /// Of the last bar that counted.
    public private(set) var close: Double?

    public static let mostBins = 200

    fileprivate init(_ range: ClosedRange<Double>) {
        step = Self.step(range)
        firstBin = Int(clamping: (range.lowerBound / step).rounded(.down))
        let lastBin = Int(clamping: (range.upperBound / step).rounded(.down))
        masses = Array(repeating: 0, count: lastBin - firstBin + 1)
    }

    init() {}

    // MARK: Figures

    /// Lower edge of a bin.
    public func price(_ bin: Int) -> Double { Double(firstBin + bin) * step }

    /// Of what is known; NaN where nothing is.
    public var averageCost: Double { known > 0 ? weighted / known : .nan }

    /// Share of what is known that cost no more than a price; even inside a bin.
    public func share(upTo price: Double) -> Double {
        guard known > 0, !price.isNaN else { return .nan }
        var sum = 0.0
        for (bin, mass) in masses.enumerated() {
            let low = self.price(bin)
            if price >= low + step { sum += mass } else if price > low { sum += mass * (price - low) / step }
        }
        return min(sum / known, 1)
    }

    /// Share of what is known that is in profit at the last close.
    public var profitShare: Double { close.map(share(upTo:)) ?? .nan }

    /// The price below which `share` of what is known was bought; NaN where nothing is.
    public func cost(_ share: Double) -> Double {
        guard known > 0 else { return .nan }
        let wanted = share * known
        var sum = 0.0
        var last = Double.nan
        for (bin, mass) in masses.enumerated() where mass > 0 {
            if sum + mass >= wanted { return price(bin) + max(wanted - sum, 0) / mass * step }
            sum += mass
            last = price(bin) + step
        }
        return last
    }

    /// Where the middle part of the costs lies: for 0.9 between the dearest and the cheapest twentieth.
    public func range(_ share: Double) -> (low: Double, high: Double) { (cost((1 - share) / 2), cost((1 + share) / 2)) }

    /// (high − low) / (high + low) of that range: 0 where all cost the same.
    public func concentration(_ share: Double) -> Double {
        let (low, high) = range(share)
        return high + low != 0 ? (high - low) / (high + low) : .nan
    }

    // MARK: A bar

    /// 1, 2 or 5 × 10ⁿ; no finer than a hundred thousandth of the largest price, nor than 10⁻⁹.
    private static func step(_ range: ClosedRange<Double>) -> Double {
        let (low, high) = (range.lowerBound, range.upperBound)
        let least = max(max(abs(low), abs(high)) * 1e-5, 1e-9)
        for power in powers {
            for factor in [1, 2, 5] as [Double] where factor * power >= least && fits(low, high, factor * power) { return factor * power }
        }
        // Prices are below 10¹².
        return 1e12
    }

    /// 10⁻⁹ to 10¹², each the nearest number there is.
    private static let powers: [Double] = {
        let whole = (0...12).map { (0..<$0).reduce(1.0) { power, _ in power * 10 } }
        return whole[1...9].reversed().map { 1 / $0 } + whole
    }()

    private static func fits(_ low: Double, _ high: Double, _ step: Double) -> Bool {
        (high / step).rounded(.down) - (low / step).rounded(.down) < Double(mostBins)
    }

    fileprivate mutating func add(high: Double, low: Double, close: Double, turnover: Double) {
        self.close = close
        // Parts of less are no numbers any more.
        guard turnover > 1e-200 else { return }
        let stays = 1 - turnover
        for bin in masses.indices { masses[bin] *= stays }
        known = known * stays + turnover
        let middle = (high + low + close) / 3
        weighted = weighted * stays + turnover * (high + low + middle) / 3
        let first = max(Int(clamping: (low / step).rounded(.down)) - firstBin, 0)
        let last = min(Int(clamping: (high / step).rounded(.down)) - firstBin, masses.count - 1)
        var below = 0.0
        for bin in first...last {
            let upTo = bin == last ? 1 : Self.part(low, middle, high, upTo: price(bin) + step)
            masses[bin] += turnover * (upTo - below)
            below = upTo
        }
    }

    /// The part of a triangle from `low` to `high`, highest at `middle`, that lies below a price.
    private static func part(_ low: Double, _ middle: Double, _ high: Double, upTo price: Double) -> Double {
        if price <= low { return 0 }
        if price >= high { return 1 }
        if price <= middle { return (price - low) * (price - low) / ((high - low) * (middle - low)) }
        return 1 - (high - price) * (high - price) / ((high - low) * (high - middle))
    }
}

/// The distribution over bars that grow and whose last one changes: a tick costs as much as there are bins, unless prices leave the range
/// known so far by so much that bins become wider; the same as computed anew, to the last bit.
public struct ChipSeries: Sendable {
    public let float: Double
    /// After all bars.
    public private(set) var now = ChipDistribution()
    /// After all but the last.
    private var before = ChipDistribution()
    private var known = 0
    private var range: ClosedRange<Double>?

    /// `float`: shares that can be traded, above zero.
    public init?(float: Double) {
        guard float.isFinite, float > 0 else { return nil }
        self.float = float
    }

    /// All at once.
    public static func of(_ bars: BarColumns, float: Double) -> ChipDistribution? {
        var series = ChipSeries(float: float)
        series?.update(bars, changed: 0)
        return series?.now
    }

    /// `changed`: the first bar that differs from the last call, `bars.count` where none does.
    public mutating func update(_ bars: BarColumns, changed: Int) {
        guard bars.count > 0 else {
            self = ChipSeries(float: float) ?? self
            return
        }
        var settled = min(known - 1, changed)
        if settled < known - 1 || settled < 0 || bars.count < known { settled = 0 }
        if settled == 0 { range = nil }
        let end = bars.count - 1
        for place in settled..<end { range = Self.union(range, Self.prices(bars, place)) }
        guard let whole = Self.union(range, Self.prices(bars, end)) else {
            (before, now, known) = (ChipDistribution(), ChipDistribution(), bars.count)
            return
        }
        var grid = ChipDistribution(whole)
        if settled > 0, grid.step == before.step, !before.masses.isEmpty {
            grid.take(before)
            before = grid
            for place in settled..<end { before.add(bars, place, float) }
        } else {
            before = grid
            for place in 0..<end { before.add(bars, place, float) }
        }
        now = before
        now.add(bars, end, float)
        known = bars.count
    }

    private static func prices(_ bars: BarColumns, _ place: Int) -> ClosedRange<Double>? {
        let (low, high, close) = (bars.low[place], bars.high[place], bars.close[place])
        guard low.isFinite, high.isFinite, close.isFinite, low <= close, close <= high, abs(low) < 1e12, abs(high) < 1e12 else {
            return nil
        }
        return low...high
    }

    private static func union(_ a: ClosedRange<Double>?, _ b: ClosedRange<Double>?) -> ClosedRange<Double>? {
        guard let a, let b else { return a ?? b }
        return min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
    }

    fileprivate static func isKnown(_ bars: BarColumns, _ place: Int) -> Bool {
        prices(bars, place) != nil && bars.volume[place].isFinite && bars.volume[place] >= 0
    }
}

extension ChipDistribution {
    fileprivate mutating func add(_ bars: BarColumns, _ place: Int, _ float: Double) {
        guard ChipSeries.isKnown(bars, place) else { return }
        add(
            high: bars.high[place], low: bars.low[place], close: bars.close[place], turnover: min(1, bars.volume[place] / float))
    }

    /// What is in narrower bounds with the same bins.
    fileprivate mutating func take(_ other: ChipDistribution) {
        let shift = other.firstBin - firstBin
        for (bin, mass) in other.masses.enumerated() where masses.indices.contains(bin + shift) { masses[bin + shift] = mass }
        known = other.known
        weighted = other.weighted
        close = other.close
    }
}
