import Streams
import Exact

extension SeededRandom {
    /// Whole numbers of all sizes, small ones and edges often.
    mutating func int64() -> Int64 {
        switch next() % 8 {
        case 0: return [0, 1, -1, .max, .min + 1, 100_000_000, 1_000_000_000][Int(next() % 7)]
        case 1: return Int64(bitPattern: next()) >> Int64(next() % 63)
        default: return Int64(bitPattern: next()) >> Int64(20 + next() % 40)
        }
    }
}

/// A natural number as decimal digits, lowest first: slow and plain.
struct Digits: Equatable {
    var digits: [Int] = []

    init(_ text: String) {
        digits = text.reversed().compactMap(\.wholeNumberValue)
        trim()
    }

    mutating func trim() { while digits.last == 0 { digits.removeLast() } }

    var text: String { digits.isEmpty ? "0" : digits.reversed().map(String.init).joined() }
    var isOdd: Bool { (digits.first ?? 0) % 2 == 1 }

    static func * (a: Digits, b: Digits) -> Digits {
        var sum = Array(repeating: 0, count: a.digits.count + b.digits.count + 1)
        for (i, x) in a.digits.enumerated() { for (j, y) in b.digits.enumerated() { sum[i + j] += x * y } }
        return carried(sum)
    }

    static func + (a: Digits, b: Digits) -> Digits {
        var sum = Array(repeating: 0, count: max(a.digits.count, b.digits.count) + 1)
        for (i, x) in a.digits.enumerated() { sum[i] += x }
        for (i, x) in b.digits.enumerated() { sum[i] += x }
        return carried(sum)
    }

    private static func carried(_ sums: [Int]) -> Digits {
        var result = Digits("")
        var carry = 0
        for sum in sums {
            result.digits.append((sum + carry) % 10)
            carry = (sum + carry) / 10
        }
        while carry > 0 {
            result.digits.append(carry % 10)
            carry /= 10
        }
        result.trim()
        return result
    }

    static func < (a: Digits, b: Digits) -> Bool {
        if a.digits.count != b.digits.count { return a.digits.count < b.digits.count }
        return a.digits.reversed().lexicographicallyPrecedes(b.digits.reversed())
    }

    private mutating func subtract(_ other: Digits) {
        var borrow = 0
        for index in digits.indices {
            var digit = digits[index] - borrow - (index < other.digits.count ? other.digits[index] : 0)
            borrow = digit < 0 ? 1 : 0
            if digit < 0 { digit += 10 }
            digits[index] = digit
        }
        trim()
    }

    func divided(by divisor: Digits) -> (quotient: Digits, remainder: Digits) {
        var (quotient, remainder) = ("", Digits(""))
        for digit in digits.reversed() {
            remainder.digits.insert(digit, at: 0)
            remainder.trim()
            var count = 0
            while !(remainder < divisor) {
                remainder.subtract(divisor)
                count += 1
            }
            quotient += String(count)
        }
        return (Digits(quotient), remainder)
    }
}

/// ±numerator / denominator rounded to a whole number, as text; `-0` is `0`.
func oracle(_ isNegative: Bool, _ numerator: Digits, over denominator: Digits, _ rounding: Rounding) -> String {
    let (quotient, remainder) = numerator.divided(by: denominator)
    let twice = remainder + remainder
    let isInexact = remainder != Digits("")
    let grows: Bool =
        switch rounding {
        case .halfUp: isInexact && !(twice < denominator)
        case .halfEven: denominator < twice || (twice == denominator && isInexact && quotient.isOdd)
        case .towardZero: false
        case .up: isInexact
        case .ceiling: isInexact && !isNegative
        case .floor: isInexact && isNegative
        }
    let magnitude = (grows ? quotient + Digits("1") : quotient).text
    return isNegative && magnitude != "0" ? "-" + magnitude : magnitude
}

func magnitude(_ value: Int64) -> Digits { Digits(String(value.magnitude)) }
