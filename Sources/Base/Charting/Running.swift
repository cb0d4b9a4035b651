/// A sum over a moving window that one missing value does not spoil for ever and that does not drift: it is made anew at fixed places, and
/// where it fell so far that what rounding left of larger ones would show.
struct RunningSum: PlainState {
    /// NaN: to be made anew.
    private var sum = Double.nan
    /// The first place whose window may be free of missing values, as far as is known.
    private var clean = 0
    /// The largest it was since it was made anew.
    private var peak = 0.0

    /// Whether a sum is made anew at a place.
    @inline(__always)
    static func isAnew(_ place: Int, every: Int = 1_024) -> Bool { place & (every - 1) == 0 }

    /// Whether the last window was full.
    var isFull: Bool { @inline(__always) get { !sum.isNaN } }

    /// The sum of `value` at `place` and the `period - 1` places before; NaN where the window is not full or holds a missing value.
    /// `every`: a power of two, after how many places it is made anew. `sure`: the last window was full and the value is there.
    @inline(__always)
    mutating func slide(_ place: Int, _ period: Int, every: Int = 1_024, sure: Bool = false, _ value: (Int) -> Double) -> Double {
        if !sure && sum.isNaN || Self.isAnew(place, every: every) {
            (sum, clean) = Self.anew(place, period, clean, value)
            peak = abs(sum)
        } else {
            // Apart from the sum, so that bar waits for bar by one addition only. A missing value makes it NaN.
            sum += value(place) - value(place &- period)
            peak = max(peak, abs(sum))
            if Self.isWorn(sum, peak) {
                (sum, clean) = Self.anew(place, period, clean, value)
                peak = abs(sum)
            }
        }
        return sum
    }

    /// Whether a sum is so much smaller than it was that rounding of then may be in its digits of now.
    @inline(__always)
    static func isWorn(_ sum: Double, _ peak: Double) -> Bool { abs(sum) * 1_024 < peak }

    /// The sum and the next `clean`; apart, so that the state of a loop stays in registers.
    private static func anew(_ place: Int, _ period: Int, _ clean: Int, _ value: (Int) -> Double) -> (Double, Int) {
        let clean = value(place).isNaN ? place + period : max(clean, period - 1)
        guard place >= clean else { return (.nan, clean) }
        var sum = 0.0
        for each in stride(from: place, to: place - period, by: -1) {
            let new = value(each)
            if new.isNaN { return (.nan, each + period) }
            sum += new
        }
        // Infinities of both signs: not looked at again before they are out.
        return (sum, sum.isNaN ? place + period : clean)
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

    /// In numbers; an even one.
    static func scratch(_ period: Int) -> Int { 2 * (period + 2) }

    /// `scratch` lies at a multiple of 16 bytes.
    init(_ period: Int, _ scratch: UnsafeMutablePointer<Double>) {
        ends = UnsafeMutableRawPointer(scratch).bindMemory(to: SIMD2<Double>.self, capacity: period + 2)
        self.period = period
        offset = period - 1
        ends.initialize(repeating: SIMD2(repeating: -.infinity), count: period + 1)
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
