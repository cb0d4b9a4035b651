import Exact
import Foundation
import Glibc
import Server
import Streams
import Texts

/// The user's folders for this program: XDG base directories, one folder a profile.
struct Folders: Sendable {
    var config: String
    var data: String
    var state: String
    /// What can be made again, of all profiles.
    var cache: String
    /// The profile's own symbol database; updates replace it.
    var symbols: String { data + "/symbols.sqlite" }

    init(profile: String?, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        let profile = profile ?? "main"
        guard (1...64).contains(profile.utf8.count),
            profile.utf8.allSatisfy({ (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 95 })
        else { throw Failure(ErrorCode("usage.profile"), .init("value", profile)) }
        guard let home = Self.home(environment) else { throw Failure(.dataFolder, .init("folder", "HOME"), .init("detail", "not-set")) }
        func folder(_ variable: String, _ fallback: String) -> String {
            // A relative path is ignored, as the XDG rules say.
            let named = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (named ?? home + "/" + fallback) + "/causeway"
        }
        cache = folder("XDG_CACHE_HOME", ".cache")
        config = folder("XDG_CONFIG_HOME", ".config") + "/" + profile
        data = folder("XDG_DATA_HOME", ".local/share") + "/" + profile
        state = folder("XDG_STATE_HOME", ".local/state") + "/" + profile
    }

    /// `$HOME`, as the XDG rules say; else what the password database says of this user.
    private static func home(_ environment: [String: String]) -> String? {
        if let named = environment["HOME"], named.hasPrefix("/") { return named }
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var buffer = [CChar](repeating: 0, count: 16 << 10)
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let folder = entry.pw_dir else { return nil }
        return String(cString: folder)
    }
}

enum NumberText {
    /// Decimal text in millionths; more than six places are refused.
    static func micros(_ text: String) throws -> Int64 { try Money(text, currency: .usd).micros }
}

/// RFC 3339 times, e.g. `2026-11-30T10:00:00+08:00` or `2026-11-30T02:00:00Z`.
enum Timestamp {
    static func read(_ text: String) -> MarketInstant? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[10] == 84 || bytes[10] == 32, let day = TradingDay(text.prefix(10)),
            let hour = two(bytes, 11), let minute = two(bytes, 14), let second = two(bytes, 17), bytes[13] == 58, bytes[16] == 58,
            hour < 24,
            minute < 60, second < 60
        else { return nil }
        var end = 19
        var nanoseconds: Int64 = 0
        if bytes[end] == 46 {
            var unit: Int64 = 100_000_000
            end += 1
            while end < bytes.count, (48...57).contains(bytes[end]), unit > 0 {
                nanoseconds += Int64(bytes[end] - 48) * unit
                unit /= 10
                end += 1
            }
        }
        guard end < bytes.count, let offset = offset(Array(bytes[end...])) else { return nil }
        let seconds = Int64(day.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(offset)
        guard (-9_000_000_000...9_000_000_000).contains(seconds) else { return nil }
        return MarketInstant(nanoseconds: seconds * 1_000_000_000 + nanoseconds)
    }

    /// Seconds east of UTC.
    private static func offset(_ bytes: [UInt8]) -> Int? {
        if bytes == [90] { return 0 }
        guard bytes.count == 6, bytes[0] == 43 || bytes[0] == 45, bytes[3] == 58, let hours = two(bytes, 1), let minutes = two(bytes, 4),
            hours < 24, minutes < 60
        else { return nil }
        return (bytes[0] == 43 ? 1 : -1) * (hours * 3600 + minutes * 60)
    }

    private static func two(_ bytes: [UInt8], _ at: Int) -> Int? {
        guard (48...57).contains(bytes[at]), (48...57).contains(bytes[at + 1]) else { return nil }
        return Int(bytes[at] - 48) * 10 + Int(bytes[at + 1] - 48)
    }
}
