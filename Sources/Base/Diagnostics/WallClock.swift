import Foundation
import Streams

/// Port: the civil time of this machine, for stamps in logs and files only. Deadlines use `MonotonicClock`, trading uses `MarketClock`.
public struct WallClock: Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public var now: @Sendable () -> Int64
    public init(now: @escaping @Sendable () -> Int64) { self.now = now }

    /// The machine's clock.
    public static let live = WallClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// `2026-11-30T01:30:00.000Z` for nanoseconds since 1970; cut to whole milliseconds. Years outside 1 to 9999 give the raw number.
public func utcStamp(nanoseconds: Int64) -> String {
    let milliseconds = floorDivide(nanoseconds, 1_000_000)
    let days = floorDivide(milliseconds, 86_400_000)
    let rest = milliseconds - days * 86_400_000
    guard let day = TradingDay(daysSince1970: Int(days)) else { return "\(nanoseconds)ns" }
    func pad(_ n: Int64, _ width: Int) -> String {
        let text = String(n)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }
    return "\(day)T\(pad(rest / 3_600_000, 2)):\(pad(rest / 60_000 % 60, 2)):\(pad(rest / 1000 % 60, 2)).\(pad(rest % 1000, 3))Z"
}

private func floorDivide(_ a: Int64, _ b: Int64) -> Int64 {
    let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
    return remainder < 0 ? quotient - 1 : quotient
}
