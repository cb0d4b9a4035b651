/// The prices that may be quoted, as bands of steps: a band is over `over`, up to and including `upTo`; nil is open. Every multiple of
/// a band's tick inside it is valid. Bands follow one another without a gap. All × 10⁻⁹.
package struct PriceGrid: Hashable, Sendable {
    package struct Band: Hashable, Sendable {
        package var over: Int64?
        package var upTo: Int64?
        package var tick: Int64
        package var confidence: Confidence
        package var note: String?

        func holds(_ nanos: Int64) -> Bool { (over.map { $0 < nanos } ?? true) && (upTo.map { nanos <= $0 } ?? true) }
    }

    package internal(set) var bands: [Band] = []

    package func band(at nanos: Int64) -> Band? { bands.first { $0.holds(nanos) } }

    package func isValid(_ nanos: Int64) -> Bool { band(at: nanos).map { nanos % $0.tick == 0 } ?? false }

    /// The least valid price above; nil at the top.
    package func above(_ nanos: Int64) -> Int64? {
        for band in bands {
            if let upTo = band.upTo, upTo <= nanos { continue }
            guard let floor = Self.floor(max(nanos, band.over ?? nanos), band.tick) else { return nil }
            let (candidate, overflow) = floor.addingReportingOverflow(band.tick)
            if overflow { return nil }
            if band.holds(candidate) { return candidate }
        }
        return nil
    }

    /// The greatest valid price below; nil at the bottom.
    package func below(_ nanos: Int64) -> Int64? {
        let (less, overflow) = nanos.subtractingReportingOverflow(1)
        if overflow { return nil }
        for band in bands.reversed() {
            if let over = band.over, over >= less { continue }
            guard let candidate = Self.floor(min(less, band.upTo ?? less), band.tick) else { return nil }
            if band.holds(candidate) { return candidate }
        }
        return nil
    }

    /// The greatest multiple of `step` not above `value`; nil beyond Int64.
    private static func floor(_ value: Int64, _ step: Int64) -> Int64? {
        let rest = value % step
        let (result, overflow) = (value - rest).subtractingReportingOverflow(rest < 0 ? step : 0)
        return overflow ? nil : result
    }
}

extension PriceGrid.Band {
    /// Whether some price is in both.
    func meets(_ other: PriceGrid.Band) -> Bool {
        let isBelow = upTo.map { upTo in other.over.map { upTo <= $0 } ?? false } ?? false
        let isAbove = over.map { over in other.upTo.map { $0 <= over } ?? false } ?? false
        return !isBelow && !isAbove
    }
}
