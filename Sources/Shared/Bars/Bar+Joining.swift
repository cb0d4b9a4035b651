public import Messages

extension Bar {
    /// Whether its four prices agree with one another; nothing about ticks.
    public var isConsistent: Bool { low <= min(open, close) && max(open, close) <= high && volume >= 0 && (!hasTurnover || turnover >= 0) }

    /// Takes in a part of its time; provenance becomes the weaker of both, and what lacks something goes on lacking it. False, and unchanged, where a sum does not fit.
    mutating func absorb(_ part: Bar, opens: Bool, closes: Bool) -> Bool {
        let volume = volume.addingReportingOverflow(part.volume)
        let turnover = turnover.addingReportingOverflow(part.turnover)
        guard !volume.overflow, !turnover.overflow else { return false }
        self.volume = volume.partialValue
        if hasTurnover, part.hasTurnover { self.turnover = turnover.partialValue } else { clearTurnover() }
        if opens { open = part.open }
        if closes {
            close = part.close
            if part.recordedOn != 0 { recordedOn = part.recordedOn }
        }
        high = max(high, part.high)
        low = min(low, part.low)
        if part.partial { partial = true }
        if part.provenance.rawValue > provenance.rawValue { provenance = part.provenance }
        return true
    }
}
