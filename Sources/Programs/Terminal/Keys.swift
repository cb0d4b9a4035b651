/// A key as the board knows it.
public enum Key: Hashable, Sendable {
    case character(Character)
    case up, down, left, right
    case enter, escape, tab
    /// Ctrl C.
    case interrupt
}

/// Bytes of a terminal in raw mode → keys. Pure; a sequence may arrive in pieces. Sequences that mean nothing here are dropped whole.
public struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []
    private static let longest = 16

    public init() {}

    /// True where the bytes so far may be the start of a sequence, or the Escape key alone: `flush` decides after a short wait.
    public var isWaiting: Bool { !pending.isEmpty }

    public mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            pending.append(byte)
            if let key = take() { keys.append(contentsOf: key) }
            if pending.count > Self.longest { pending = [] }
        }
        return keys
    }

    /// Nothing followed: a lone Escape is the Escape key, an unfinished sequence is nothing.
    public mutating func flush() -> [Key] {
        defer { pending = [] }
        return pending == [0x1B] ? [.escape] : []
    }

    /// The keys of a finished sequence (none where it means nothing); nil where more bytes are needed.
    private mutating func take() -> [Key]? {
        guard let first = pending.first else { return nil }
        if first == 0x1B { return takeEscape() }
        if first >= 0x80 { return takeUnicode(first) }
        pending = []
        switch first {
        case 0x03: return [.interrupt]
        case 0x09: return [.tab]
        case 0x0A, 0x0D: return [.enter]
        case 0x20..<0x7F: return [.character(Character(Unicode.Scalar(first)))]
        default: return []
        }
    }

    private mutating func takeEscape() -> [Key]? {
        guard pending.count > 1 else { return nil }
        if pending[1] == 0x1B {
            pending = [0x1B]
            return [.escape]
        }
        guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            // Alt and a key: not used here.
            pending = []
            return []
        }
        guard pending.count > 2, let last = pending.last, (0x40...0x7E).contains(last) else { return nil }
        let plain = pending.count == 3
        pending = []
        guard plain else { return [] }
        switch last {
        case UInt8(ascii: "A"): return [.up]
        case UInt8(ascii: "B"): return [.down]
        case UInt8(ascii: "C"): return [.right]
        case UInt8(ascii: "D"): return [.left]
        default: return []
        }
    }

    private mutating func takeUnicode(_ first: UInt8) -> [Key]? {
        if pending.count > 1, let last = pending.last, last & 0xC0 != 0x80 {
            // Broken UTF-8: what follows counts by itself.
            pending = [last]
            return take()
        }
        let length = first >= 0xF8 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
        guard pending.count >= length else { return nil }
        let text = String(validating: pending, as: UTF8.self)
        pending = []
        return text.map { $0.map { Key.character($0) } } ?? []
    }
}
