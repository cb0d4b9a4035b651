import Streams

extension SeededRandom {
    /// About normal, mean 0, deviation 2¹⁶ (sum of twelve uniforms).
    @inline(__always)
    mutating func normal16() -> Int64 {
        var sum: Int64 = 0
        for _ in 0..<3 {
            let bits = next()
            for shift in 0..<4 { sum += Int64(bits >> UInt64(shift * 16) & 0xFFFF) }
        }
        return sum - 6 * 65_535
    }
}

/// ⌊√value⌋ of a non-negative number.
func integerSquareRoot(_ value: Int64) -> Int64 {
    var root: Int64 = 0
    var bit: Int64 = 1 << 62
    var rest = value
    while bit > rest { bit >>= 2 }
    while bit != 0 {
        if rest >= root + bit {
            rest -= root + bit
            root = (root >> 1) + bit
        } else {
            root >>= 1
        }
        bit >>= 2
    }
    return root
}
