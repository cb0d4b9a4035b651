/// SplitMix64: small, fast, the same numbers on every machine. Not for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// A generator of its own for each combination of `parts`.
    public init(seed: UInt64, _ parts: UInt64...) {
        state = seed
        for part in parts { state = Self.mix(state ^ Self.mix(part &+ 0x9E37_79B9_7F4A_7C15)) }
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Uniform enough in `0..<bound`; the bias is below 2⁻³² for the bounds used here (under 2³²).
    mutating func below(_ bound: Int64) -> Int64 {
        precondition(bound > 0, "SeededRandom.below(\(bound))")
        return Int64(next() % UInt64(bound))
    }

    /// About normal, mean 0, deviation 2¹⁶ (sum of twelve uniforms).
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
