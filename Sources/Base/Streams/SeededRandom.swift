/// SplitMix64: small, fast, the same numbers on every machine. For simulations and tests; not for secrets.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    @usableFromInline
    var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// A generator of its own for each combination of `parts`.
    public init(seed: UInt64, _ parts: UInt64...) {
        state = seed
        for part in parts { state = Self.mix(state ^ Self.mix(part &+ 0x9E37_79B9_7F4A_7C15)) }
    }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Uniform enough in `0..<bound`; the bias is below 2⁻³² for bounds under 2³². Inlinable: a generic call into another
    /// module goes through tables, which made up a fifth of a synthetic market.
    @inlinable
    public mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
        precondition(bound > 0, "SeededRandom.below(\(bound))")
        return Number(next() % UInt64(bound))
    }
}
