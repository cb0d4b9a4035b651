/// What became of a try with the trading password (D-1).
public enum TradingPasswordVerdict: Hashable, Sendable {
    case right
    case wrong(triesLeft: Int)
    /// Seconds until tries count again.
    case locked(seconds: Int64)
}
