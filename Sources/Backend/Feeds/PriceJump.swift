import Streams

/// Whether a live price may follow the last one (F-8). One far away is held back until others say the same: then a gap, a split or an opening
/// after a halt is real, and what was held comes through, in order; else it was wrong. A value.
struct PriceJump: Hashable, Sendable {
    /// Further from the last price than a fifth of it, up or down as a ratio, is far: more than any US stock may trade away from the average of
    /// the last five minutes without a halt.
    static let far = (numerator: Int128(6), denominator: Int128(5))
    /// So many in a row, the first one counted, make a far price the new one.
    static let enough = 3
    /// How near the others have to be to the first of them.
    static let near = (numerator: Int128(21), denominator: Int128(20))

    /// So many in a row on one side of the last price make a new one, however far they are apart: a price that runs.
    static let run = 8

    enum Verdict: Hashable, Sendable {
        /// It may follow; what was held before it was wrong.
        case sound
        /// Not yet; `isFirst`: what was held before it was wrong.
        case held(isFirst: Bool)
        /// With what was held.
        case confirmed
    }

    private var first: Int64?
    private var count = 0
    /// Far prices in a row on one side: above zero, as many above the last one; below zero, below it.
    private var side = 0

    /// Prices are positive. `last`: nil where nothing is known to compare with.
    mutating func judge(_ price: Int64, after last: Int64?) -> Verdict {
        guard let last, Self.isBeyond(price, last, Self.far) else {
            self = PriceJump()
            return .sound
        }
        side = price > last ? max(side, 0) + 1 : min(side, 0) - 1
        if side.magnitude >= Self.run {
            self = PriceJump()
            return .confirmed
        }
        if let first, !Self.isBeyond(price, first, Self.near) {
            count += 1
            guard count >= Self.enough else { return .held(isFirst: false) }
            self = PriceJump()
            return .confirmed
        }
        (first, count) = (price, 1)
        return .held(isFirst: true)
    }

    private static func isBeyond(_ a: Int64, _ b: Int64, _ ratio: (numerator: Int128, denominator: Int128)) -> Bool {
        let (high, low) = (Int128(max(a, b)), Int128(min(a, b)))
        return high * ratio.denominator > low * ratio.numerator
    }
}
