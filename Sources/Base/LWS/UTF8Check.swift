/// Checks UTF-8 that arrives in pieces (RFC 3629: no surrogates, no overlong forms, nothing beyond U+10FFFF).
struct UTF8Check {
    /// Continuation bytes still missing, and the range the next one must be in.
    private var missing = 0
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    /// Whether everything so far ends on a whole character.
    var isWhole: Bool { missing == 0 }

    /// False: no continuation can make this valid.
    mutating func accept(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes {
            if missing > 0 {
                guard byte >= lower && byte <= upper else { return false }
                missing -= 1
                (lower, upper) = (0x80, 0xBF)
            } else if byte >= 0x80 {
                guard start(byte) else { return false }
            }
        }
        return true
    }

    private mutating func start(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lower) = (2, 0xA0)
        case 0xED: (missing, upper) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lower) = (3, 0x90)
        case 0xF4: (missing, upper) = (3, 0x8F)
        case 0xF1...0xF3: missing = 3
        default: return false
        }
        return true
    }
}
