/// A moment on this process's monotonic clock: nanoseconds since an arbitrary origin.
public struct MonotonicInstant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    public func advanced(by duration: Duration) -> Self { .init(nanoseconds: nanoseconds + duration.nanoseconds) }
    public func duration(to other: Self) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }
}

extension Duration {
    /// Whole nanoseconds, clamped to what an Int64 holds (292 years).
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carried ? (seconds < 0 ? .min : .max) : sum
    }
}

/// Time for token life, heartbeats, time-outs, back-off and limits. Market time is `MarketInstant`.
public struct MonotonicClock: Sendable {
    public var now: @Sendable () -> MonotonicInstant
    /// Returns at that instant, at once when it has passed; throws `CancellationError` when the task is cancelled.
    public var sleep: @Sendable (_ until: MonotonicInstant) async throws -> Void

    public init(
        now: @escaping @Sendable () -> MonotonicInstant, sleep: @escaping @Sendable (_ until: MonotonicInstant) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }
}

/// A moment of market time: nanoseconds since 1970-01-01T00:00:00Z.
public struct MarketInstant: Hashable, Comparable, Sendable {
    public var nanoseconds: Int64
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    public func advanced(by duration: Duration) -> Self { .init(nanoseconds: nanoseconds + duration.nanoseconds) }
    public func duration(to other: Self) -> Duration { .nanoseconds(other.nanoseconds - nanoseconds) }
}

/// A civil date that names a trading day of a market, e.g. 2026-11-30. Has no time zone of its own.
public struct TradingDay: Hashable, Comparable, Sendable {
    /// Year × 10,000 + month × 100 + day, e.g. 20261130. Kept valid by the initialisers.
    public let yyyymmdd: Int32

    /// Nil where the calendar has no such date.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
        yyyymmdd = Int32(year * 10_000 + month * 100 + day)
    }

    public init?(yyyymmdd: Int32) {
        self.init(year: Int(yyyymmdd) / 10_000, month: Int(yyyymmdd) / 100 % 100, day: Int(yyyymmdd) % 100)
    }

    public var year: Int { Int(yyyymmdd) / 10_000 }
    public var month: Int { Int(yyyymmdd) / 100 % 100 }
    public var day: Int { Int(yyyymmdd) % 100 }

    public static func < (a: Self, b: Self) -> Bool { a.yyyymmdd < b.yyyymmdd }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    public var daysSince1970: Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Its week, from Monday to Sunday; 0 is that of 1970-01-01, those before are below zero.
    public var week: Int {
        let days = daysSince1970 + 3
        return (days < 0 ? days - 6 : days) / 7
    }

    /// The date that many days after 1970-01-01. Nil outside the years 1 to 9999.
    public init?(daysSince1970 days: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        self.init(year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

extension TradingDay: CustomStringConvertible {
    /// `2026-11-30`.
    public var description: String {
        func pad(_ n: Int, _ width: Int) -> String { String(repeating: "0", count: max(0, width - String(n).count)) + String(n) }
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(day, 2))"
    }

    /// Reads `2026-11-30`; nil for any other form or a date that does not exist.
    @inlinable
    public init?(_ text: some StringProtocol) {
        var place = 0
        var number = 0
        for byte in text.utf8 {
            switch (place, byte) {
            case (4, 45), (7, 45): break
            case (0...3, 48...57), (5...6, 48...57), (8...9, 48...57): number = number * 10 + Int(byte - 48)
            default: return nil
            }
            place += 1
        }
        guard place == 10 else { return nil }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}

/// Where market time stands and how fast it runs. The server says it in each login reply and on change; a client never derives it
/// from its own wall clock.
public struct MarketClockReading: Hashable, Sendable {
    public var time: MarketInstant
    /// Millionths of real time: 1,000,000 = live pace, 0 = paused.
    public var speedMicros: Int64
    /// Grows by one with every seek or change of speed.
    public var epoch: UInt64

    public init(time: MarketInstant, speedMicros: Int64, epoch: UInt64) {
        self.time = time
        self.speedMicros = speedMicros
        self.epoch = epoch
    }
}

/// Market time: replay and `--speed` act here and nowhere else. Phase and trading day of a market at an instant: `Instruments`.
public struct MarketClock: Sendable {
    public var reading: @Sendable () -> MarketClockReading
    public var now: MarketInstant { reading().time }
    public init(reading: @escaping @Sendable () -> MarketClockReading) { self.reading = reading }
}
