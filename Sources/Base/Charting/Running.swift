/// What windows keep beside the state of a formula, which is copied at each tick.
final class Scratch {
    private var taken: [UnsafeMutableRawPointer] = []

    /// Lies at a multiple of 16 bytes and stays until all is given back.
    func take<Value: BitwiseCopyable>(_ count: Int, of value: Value) -> UnsafeMutablePointer<Value> {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Value>.stride, alignment: 16)
        taken.append(bytes)
        return bytes.initializeMemory(as: Value.self, repeating: value, count: count)
    }

    func giveBack() {
        for bytes in taken { bytes.deallocate() }
        taken.removeAll()
    }

    deinit { giveBack() }
}

/// One number or two.
protocol Summand: BitwiseCopyable {
    static var zero: Self { get }
    static var missing: Self { get }
    static func + (a: Self, b: Self) -> Self
}

extension Double: Summand { static var missing: Double { .nan } }
extension SIMD2<Double>: Summand { static var missing: Self { SIMD2(repeating: .nan) } }

/// A sum over a moving window. Nothing is ever taken away from it: what left the window leaves no rounding behind, be it however large,
/// missing or infinite; sums of zeros are 0; and there is no drift.
///
/// Windows are cut at every `period` bars. What lies before the cut is read from a list of sums that is made at the cut, from its end
/// backwards; what came since is added up.
struct RunningSum<Value: Summand>: BitwiseCopyable {
    /// The sum of the block before from each bar to its end, and nothing.
    private let ends: UnsafeMutablePointer<Value>
    private let period: Int
    private var offset: Int
    /// What came since the cut: to the last place that four divides, and after. So bar waits for bar by a quarter of the additions.
    private var base = Value.zero
    private var part = Value.zero

    init(_ period: Int, _ scratch: Scratch) {
        self.period = period
        offset = period - 1
        ends = scratch.take(period + 1, of: .missing)
        ends[period] = .zero
    }

    /// Whether the window is cut before the next bar.
    var isAtCut: Bool { @inline(__always) get { offset &+ 1 == period } }
    /// Whether it is cut before none of the next four.
    var isWhole: Bool { @inline(__always) get { offset &+ 4 < period } }

    /// The sum of `value` at `place` and the `period - 1` places before; missing where there are not so many, or one is missing. Is to be
    /// asked at each place in turn, from 0. `sure`: the window is not cut here.
    @inline(__always)
    mutating func slide(_ place: Int, sure: Bool = false, _ value: (Int) -> Value) -> Value {
        let new = value(place)
        if !sure && isAtCut {
            offset = 0
            if place > 0 { cut(place, value) }
            base = .zero
            part = new
        } else {
            offset &+= 1
            if place & 3 == 0 {
                base = base + part
                part = new
            } else {
                part = part + new
            }
        }
        return base + part + ends[offset &+ 1]
    }

    @inline(__always)
    private func cut(_ place: Int, _ value: (Int) -> Value) {
        let first = place &- period
        var (sum, each) = (Value.zero, period)
        while each >= 4 {
            each &-= 4
            let (a, b) = (value(first &+ each &+ 3), value(first &+ each &+ 2))
            let (c, d) = (value(first &+ each &+ 1), value(first &+ each))
            ends[each &+ 3] = sum + a
            ends[each &+ 2] = sum + (a + b)
            ends[each &+ 1] = sum + (a + b + c)
            sum = sum + (a + b + (c + d))
            ends[each] = sum
        }
        while each > 0 {
            each &-= 1
            sum = sum + value(first &+ each)
            ends[each] = sum
        }
    }
}

/// A moving sum in which the oldest value counts once, the newest `period` times; cut as `RunningSum` is.
struct WeightedSum: BitwiseCopyable {
    /// The same of the block before, from each bar to its end, whose first counts once.
    private let ends: UnsafeMutablePointer<Double>
    private let period: Int
    private var offset: Int
    /// The plain sum since the cut, and the sum of all these sums.
    private var base = 0.0
    private var part = 0.0
    private var sumsBase = 0.0
    private var sumsPart = 0.0

    init(_ period: Int, _ scratch: Scratch) {
        self.period = period
        offset = period - 1
        ends = scratch.take(period + 1, of: .nan)
        ends[period] = 0
    }

    /// Whether the window is cut before none of the next four bars.
    var isWhole: Bool { @inline(__always) get { offset &+ 4 < period } }

    @inline(__always)
    mutating func slide(_ place: Int, sure: Bool, _ value: (Int) -> Double) -> Double {
        let new = value(place)
        offset &+= 1
        if !sure && offset == period {
            offset = 0
            if place > 0 { cut(place, value) }
            (base, part, sumsBase, sumsPart) = (0, new, 0, new)
        } else if place & 3 == 0 {
            base += part
            sumsBase += sumsPart
            part = new
            sumsPart = base + new
        } else {
            part += new
            sumsPart += base + part
        }
        return Double(period &+ 1) * (base + part) - (sumsBase + sumsPart) + ends[offset &+ 1]
    }

    @inline(__always)
    private func cut(_ place: Int, _ value: (Int) -> Double) {
        let first = place &- period
        var (sum, sums) = (0.0, 0.0)
        for each in stride(from: period - 1, through: 0, by: -1) {
            sum += value(first &+ each)
            sums += sum
            ends[each] = sums
        }
    }
}

/// The largest values of two series in a moving window: the highs, and the lows with their signs turned. Missing values are passed over,
/// and at the start shorter windows are what there is.
///
/// Windows are cut at every `period` bars: the largest of what lies before the cut is read from a list made at the cut, the rest is
/// followed. So a bar costs the same whether prices rise or fall (van Herk, Gil and Werman).
struct RunningRange: BitwiseCopyable {
    /// The largest from each bar of the block before to its end, one more for nothing, and for which block they are.
    private let ends: UnsafeMutablePointer<SIMD2<Double>>
    private let period: Int
    private var offset: Int
    private var sinceCut = SIMD2(repeating: -Double.infinity)

    init(_ period: Int, _ scratch: Scratch) {
        self.period = period
        offset = period - 1
        ends = scratch.take(period + 2, of: SIMD2(repeating: -.infinity))
        ends[period + 1] = SIMD2(repeating: 0)
    }

    /// Is to be asked at each place in turn, from 0. −∞ where all values are missing.
    @inline(__always)
    mutating func slide(_ now: Int, _ series: (Int) -> SIMD2<Double>) -> SIMD2<Double> {
        let new = series(now)
        offset &+= 1
        if offset == period {
            offset = 0
            cut(now, series)
            sinceCut = SIMD2(repeating: -.infinity)
        }
        sinceCut = Self.larger(new, sinceCut)
        // Number by number: each is used by itself, and of both at once the compiler would make branches.
        let before = ends[offset &+ 1]
        return SIMD2(before.x > sinceCut.x ? before.x : sinceCut.x, before.y > sinceCut.y ? before.y : sinceCut.y)
    }

    /// The window's highest high and lowest low.
    @inline(__always)
    mutating func slide(_ bars: BarView, _ place: Int) -> (high: Double, low: Double) {
        let both = slide(place) { SIMD2(bars.high[$0], -bars.low[$0]) }
        return (both.x, -both.y)
    }

    /// A bar that comes again finds the list made.
    @inline(__always)
    private func cut(_ now: Int, _ series: (Int) -> SIMD2<Double>) {
        guard ends[period &+ 1].x != Double(now) else { return }
        ends[period &+ 1].x = Double(now)
        let first = now &- period
        var most = SIMD2(repeating: -Double.infinity)
        var place = period
        while place > 0 {
            place &-= 1
            most = Self.larger(series(first &+ place), most)
            ends[place] = most
        }
    }

    /// `b` where `a` is missing. No branch, which would be guessed wrong often.
    @inline(__always)
    private static func larger(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> { b.replacing(with: a, where: a .> b) }
}

/// Exponential smoothing; a missing value leaves it as it was.
///
/// The values since the last place that four divides are weighed against the one before them (`base`), so that bar waits for bar by a
/// quarter of the arithmetic.
struct Smoothing: PlainState {
    private(set) var value = Double.nan
    private var base = 0.0
    /// What is left of `base`.
    private var rest = 1.0
    /// What the values since `base` weigh; before the first value their sum.
    private var sum = 0.0
    private var seen = 0

    /// Seeded with the mean of the first `seed` values; NaN until then. Each value then counts `weight`. `sure`: it is seeded and `new` is
    /// not missing.
    @inline(__always)
    mutating func add(_ new: Double, _ place: Int, weight: Double, seed: Int, sure: Bool = false) -> Double {
        let keep = 1 - weight
        if !sure {
            if new.isNaN { return .nan }
            if seen < seed {
                seen &+= 1
                sum += new
                guard seen == seed else { return .nan }
                value = sum / Double(seed)
                (base, rest, sum) = (value, 1, 0)
                return value
            }
        }
        if place & 3 == 0 {
            base = value
            rest = keep
            sum = new * weight
        } else {
            rest *= keep
            sum = sum * keep + new * weight
        }
        value = base * rest + sum
        return value
    }
}
