import Streams

/// The fields of a row of bars, read from bytes without making a text of each.
enum BarText {
    private static let powers: [Double] = (0...22).map { (0..<$0).reduce(1.0) { result, _ in result * 10 } }

    /// NaN where empty; nil: neither empty nor a finite decimal of at most 40 characters. The nearest number there is.
    static func number(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        if text.isEmpty { return .nan }
        guard text.count <= 40 else { return nil }
        var place = text[0] == 45 || text[0] == 43 ? 1 : 0
        var mantissa: UInt64 = 0
        var (digits, decimals, point) = (0, 0, false)
        while place < text.count {
            let byte = text[place]
            if byte &- 48 < 10 {
                if digits == 19 { return slow(text) }
                mantissa = mantissa &* 10 &+ UInt64(byte &- 48)
                digits += mantissa == 0 ? 0 : 1
                decimals += point ? 1 : 0
            } else if byte == 46, !point {
                point = true
            } else {
                return slow(text)
            }
            place += 1
        }
        // Both exact, so that their quotient is the nearest; without a digit the slow way says no.
        guard mantissa < 1 << 53, decimals <= 22, text[place - 1] &- 48 < 10 else { return slow(text) }
        let value = Double(mantissa) / powers[decimals]
        return text[0] == 45 ? -value : value
    }

    private static func slow(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        guard text.allSatisfy({ $0 &- 48 < 10 || [43, 45, 46, 69, 101].contains($0) }),
            let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// That say something: two of `552.0000`, which is how prices are written, four of `0.1234`.
    static func decimals(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        guard let point = text.firstIndex(of: 46) else { return 0 }
        var (count, telling) = (0, 0)
        for byte in text[(point + 1)...] {
            guard byte &- 48 < 10 else { break }
            count += 1
            if byte != 48 { telling = count }
        }
        return max(min(count, 2), telling)
    }

    /// `YYYY-MM-DD` or `YYYYMMDD` and, where it is told, ` HH:MM` or `THH:MM`; what follows the minute does not matter here.
    static func time(_ text: UnsafeBufferPointer<UInt8>) -> ChartTime? {
        let end = text.firstIndex { $0 == 32 || $0 == 84 } ?? text.count
        let dashed = end == 10 && text[4] == 45 && text[7] == 45
        guard dashed || end == 8, let year = digits(text, 0, 4), let month = digits(text, dashed ? 5 : 4, 2),
            let day = digits(text, dashed ? 8 : 6, 2), let date = TradingDay(year: year, month: month, day: day)?.yyyymmdd
        else { return nil }
        if end >= text.count - 1 { return end == text.count ? ChartTime(day: date) : nil }
        // One digit or two.
        guard let colon = text[(end + 1)...].firstIndex(of: 58), (1...2).contains(colon - end - 1),
            let hour = digits(text, end + 1, colon - end - 1), hour < 24
        else { return nil }
        let minutes = text[(colon + 1)...].prefix { $0 &- 48 < 10 }.count
        guard (1...2).contains(minutes), let minute = digits(text, colon + 1, minutes), minute < 60 else { return nil }
        return ChartTime(day: date, minute: hour * 60 + minute)
    }

    private static func digits(_ text: UnsafeBufferPointer<UInt8>, _ first: Int, _ count: Int) -> Int? {
        guard first + count <= text.count else { return nil }
        var value = 0
        for place in first..<first + count {
            guard text[place] &- 48 < 10 else { return nil }
            value = value * 10 + Int(text[place] &- 48)
        }
        return value
    }
}
