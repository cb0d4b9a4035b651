/// A sum over a moving window that one missing value does not spoil for ever and that does not drift: it is made anew every 256 bars.
struct RunningSum: Sendable {
    private var sum = 0.0
    /// Values in the window that are not numbers.
    private var missing = 0

    /// The sum of `value` at `place` and the `period - 1` places before; NaN where the window is not full or holds a missing value.
    @inline(__always)
    mutating func slide(_ place: Int, _ period: Int, _ value: (Int) -> Double) -> Double {
        if place & 255 == 0 {
            sum = 0
            missing = 0
            for each in max(0, place - period + 1)...place { add(value(each)) }
        } else {
            let new = value(place)
            let old = place >= period ? value(place - period) : 0
            if new.isNaN || old.isNaN {
                add(new)
                if old.isNaN { missing -= 1 } else { sum -= old }
            } else {
                // Apart from the sum, so that bar waits for bar by one addition only.
                sum += new - old
            }
        }
        return place >= period - 1 && missing == 0 ? sum : .nan
    }

    private mutating func add(_ value: Double) { if value.isNaN { missing += 1 } else { sum += value } }
}

/// The largest value of a moving window; looked for again only when it leaves. Missing values are passed over.
struct RunningMaximum: Sendable {
    private var place = -1
    private(set) var value = Double.nan

    @inline(__always)
    mutating func slide(_ now: Int, _ period: Int, _ series: (Int) -> Double) -> Double {
        let new = series(now)
        if !(new < value), !new.isNaN {
            value = new
            place = now
        } else if place <= now - period {
            value = .nan
            for each in max(0, now - period + 1)...now {
                let candidate = series(each)
                if !(candidate < value), !candidate.isNaN {
                    value = candidate
                    place = each
                }
            }
        }
        return value
    }
}

/// Exponential smoothing; a missing value leaves it as it was.
struct Smoothing: Sendable {
    private(set) var value = Double.nan
    private var sum = 0.0
    private var seen = 0

    /// Seeded with the mean of the first `seed` values; NaN until then. Each value then counts `weight`.
    @inline(__always)
    mutating func add(_ new: Double, weight: Double, seed: Int) -> Double {
        if new.isNaN { return .nan }
        if seen < seed {
            sum += new
            seen += 1
            if seen == seed { value = sum / Double(seed) }
            return value
        }
        value = value * (1 - weight) + new * weight
        return value
    }
}

extension SIMD4<Double> {
    init(_ x: Double) { self.init(x, .nan, .nan, .nan) }
    init(_ x: Double, _ y: Double) { self.init(x, y, .nan, .nan) }
    init(_ x: Double, _ y: Double, _ z: Double) { self.init(x, y, z, .nan) }
}
