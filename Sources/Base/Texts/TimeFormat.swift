import Foundation

/// Market times in an exchange's own zone, which is always named. Instants are nanoseconds since 1970-01-01T00:00:00Z.
public struct TimeFormat: Hashable, Sendable {
    /// What is shown behind a time, e.g. `HKT`.
    public let tag: String
    private let zone: TimeZone

    /// Nil where the system's tz database has no such zone. `identifier`: `Asia/Hong_Kong`.
    public init?(zone identifier: String, tag: String) {
        guard let zone = TimeZone(identifier: identifier) else { return nil }
        self.zone = zone
        self.tag = tag
    }

    private init(zone: TimeZone, tag: String) {
        self.zone = zone
        self.tag = tag
    }

    public static let utc = TimeFormat(zone: TimeZone(secondsFromGMT: 0) ?? .current, tag: "UTC")

    /// `14:36:08`.
    public func clock(_ nanoseconds: Int64) -> String {
        let local = civil(nanoseconds)
        return "\(two(local.hour)):\(two(local.minute)):\(two(local.second))"
    }

    /// `14:36:08 HKT`.
    public func named(_ nanoseconds: Int64) -> String { clock(nanoseconds) + " " + tag }

    /// Of the civil day, from 0.
    public func minuteOfDay(_ nanoseconds: Int64) -> Int {
        let local = civil(nanoseconds)
        return local.hour * 60 + local.minute
    }

    /// `2026-11-30`.
    public func date(_ nanoseconds: Int64) -> String {
        let local = civil(nanoseconds)
        return "\(four(local.year))-\(two(local.month))-\(two(local.day))"
    }

    /// `2026-11-30 14:36`.
    public func minute(_ nanoseconds: Int64) -> String { date(nanoseconds) + " " + clock(nanoseconds).prefix(5) }

    /// RFC 3339 with the zone's offset; the fraction only where there is one: `2026-11-30T14:36:08.25+08:00`.
    public func rfc3339(_ nanoseconds: Int64) -> String {
        let local = civil(nanoseconds)
        var fraction = ""
        if local.nanosecond > 0 {
            fraction = String(String(1_000_000_000 + local.nanosecond).dropFirst())
            while fraction.last == "0" { fraction.removeLast() }
            fraction = "." + fraction
        }
        let minutes = abs(local.offset) / 60
        let offset = local.offset == 0 ? "Z" : (local.offset < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
        return "\(date(nanoseconds))T\(clock(nanoseconds))\(fraction)\(offset)"
    }

    /// `2 min 27 s`, `2 分 27 秒`, `3 h 5 min`; below a minute only seconds, always whole, rounded down.
    public static func length(_ duration: Duration, in language: Language) -> String {
        let total = max(0, duration.components.seconds)
        let units =
            switch language {
            case .english: ["d", "h", "min", "s"]
            case .simplifiedChinese: ["天", "小时", "分", "秒"]
            case .traditionalChinese: ["日", "小時", "分", "秒"]
            }
        let values = [total / 86_400, total / 3600 % 24, total / 60 % 60, total % 60]
        let first = values.firstIndex { $0 > 0 } ?? 3
        return (first...min(first + 1, 3)).filter { $0 == first || values[$0] > 0 }
            .map { "\(values[$0]) \(units[$0])" }.joined(separator: " ")
    }

    private struct Civil {
        var year, month, day, hour, minute, second, nanosecond, offset: Int
    }

    private func civil(_ nanoseconds: Int64) -> Civil {
        let (second, part) = Self.floorDivide(nanoseconds, 1_000_000_000)
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(second)))
        let (days, ofDay) = Self.floorDivide(second + Int64(offset), 86_400)
        let (year, month, day) = Self.date(daysSince1970: Int(days))
        let time = Int(ofDay)
        return Civil(
            year: year, month: month, day: day, hour: time / 3600, minute: time / 60 % 60, second: time % 60, nanosecond: Int(part),
            offset: offset)
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = a.quotientAndRemainder(dividingBy: b)
        return remainder < 0 ? (quotient - 1, remainder + b) : (quotient, remainder)
    }

    /// Proleptic Gregorian date of a day number (H. Hinnant's civil_from_days).
    private static func date(daysSince1970 days: Int) -> (Int, Int, Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private func two(_ n: Int) -> String { n < 10 ? "0\(n)" : "\(n)" }
    private func four(_ n: Int) -> String { String(repeating: "0", count: max(0, 4 - String(n).count)) + String(n) }
}
