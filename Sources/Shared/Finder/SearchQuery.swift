import Texts

/// What a person typed, as the forms it may have.
struct SearchQuery {
    /// As names are folded.
    var folded: [UInt8]
    var codes: [Code]
    /// Letters only, blanks left out: pinyin or initials. Nil where there is anything else.
    var letters: [UInt8]?
    /// Folded words.
    var words: [[UInt8]]
    /// Chinese characters and letters that spell some, one by one; nil where it is not both.
    var mixed: [UInt32]?
    /// Two to eight Chinese characters, one by one; nil where it is anything else.
    var characters: [UInt32]?

    static let longest = 64

    /// One way to read the query as a code.
    struct Code: Hashable {
        /// With a dot for any separator.
        var key: [UInt8]
        /// What the market's suffix begins with.
        var venue: [UInt8] = []
    }

    init(_ text: String, _ index: SearchIndex, _ file: RawSpan) throws(Failure) {
        guard text.unicodeScalars.count <= Self.longest else { throw Failure(.searchLong, .init("most", "\(Self.longest)")) }
        let (from, to) = (index.tables[SearchLayout.Table.foldFrom], index.tables[SearchLayout.Table.foldTo])
        let all = 0..<from.count
        let folded = Folding.fold(text) { value in
            if value < 0xC0 { return value }
            let place = from.first(all, file) { $0 >= value }
            return place < all.upperBound && from.number(place, file) == value ? to.number(place, file) : value
        }
        if folded.isEmpty { throw Failure(.searchEmpty) }
        self.init(text, folded: folded)
    }

    init(_ text: String, folded: [UInt8]) {
        self.folded = folded
        codes = Self.codes(text)
        words = folded.split(separator: 0x20).map(Array.init)
        let squeezed = folded.filter { $0 != 0x20 }
        letters = !squeezed.isEmpty && squeezed.allSatisfy(Self.isLetter) ? squeezed : nil
        mixed = letters == nil ? Self.mixture(squeezed) : nil
        let values = String(decoding: folded, as: UTF8.self).unicodeScalars.map(\.value)
        characters = (2...8).contains(values.count) && values.allSatisfy(Folding.isHan) ? values : nil
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    private static func mixture(_ squeezed: [UInt8]) -> [UInt32]? {
        let values = String(decoding: squeezed, as: UTF8.self).unicodeScalars.map(\.value)
        var (hasHan, hasLetters) = (false, false)
        for value in values {
            if Folding.isHan(value) {
                hasHan = true
            } else if value < 0x80, isLetter(UInt8(value)) {
                hasLetters = true
            } else {
                return nil
            }
        }
        return hasHan && hasLetters ? values : nil
    }

    /// What people write for a market besides the suffix of its symbols.
    private static let venues: [String: String] = [
        "sehk": "hk", "hkex": "hk", "nasdaq": "us", "nyse": "us", "amex": "us", "arca": "us", "hk": "hk", "us": "us", "hkfe": "hkfe",
        "cme": "cme", "comex": "comex", "indx": "indx", "nymex": "nymex", "cbot": "cbot", "shfe": "shfe", "cffex": "cffex",
    ]

    private static func codes(_ text: String) -> [Code] {
        guard let (parts, isSpaced) = parts(text), let first = parts.first, let last = parts.last else { return [] }
        var codes: [Code] = []
        // Words with blanks between are a code only as a class share: BRK B.
        if !isSpaced || (parts.count == 2 && last.count == 1) { codes.append(Code(key: joined(parts))) }
        if parts.count >= 2 {
            let (rest, tail) = (Array(parts.dropFirst()), Array(parts.dropLast()))
            if let venue = venues[String(decoding: first, as: UTF8.self)] {
                codes.append(Code(key: joined(rest), venue: Array(venue.utf8)))
            }
            if let venue = venues[String(decoding: last, as: UTF8.self)] {
                codes.append(Code(key: joined(tail), venue: Array(venue.utf8)))
            } else if venues.keys.contains(where: { $0.utf8.starts(with: last) }) {
                codes.append(Code(key: joined(tail), venue: last))
            }
        } else if first.count > 2, first.count <= 7, first.starts(with: "hk".utf8), first.dropFirst(2).allSatisfy(isDigit) {
            codes.append(Code(key: Array(first.dropFirst(2)), venue: Array("hk".utf8)))
        }
        return codes
    }

    private static func joined(_ parts: [[UInt8]]) -> [UInt8] { Array(parts.joined(separator: [0x2E])) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Letters and digits between separators; nil where anything else is in it.
    private static func parts(_ text: String) -> (parts: [[UInt8]], isSpaced: Bool)? {
        var parts: [[UInt8]] = [[]]
        var isSpaced = false
        for scalar in text.unicodeScalars {
            let value = (0xFF01...0xFF5E).contains(scalar.value) ? scalar.value - 0xFEE0 : scalar.value
            switch value {
            case 0x200B...0x200F, 0xFEFF, 9, 10, 13: continue
            case 0x24 where parts == [[]]: continue
            case 0x30...0x39, 0x61...0x7A: parts[parts.count - 1].append(UInt8(value))
            case 0x41...0x5A: parts[parts.count - 1].append(UInt8(value) + 0x20)
            case 0x2D, 0x2E, 0x2F, 0x3A, 0x5F, 0x20, 0xA0, 0x3000: parts.append([])
            default: return nil
            }
        }
        // Blanks around do not count.
        let inner = text.split(whereSeparator: \.isWhitespace)
        isSpaced = inner.count > 1
        parts.removeAll(where: \.isEmpty)
        if parts.count == 3, let last = parts.last, ["equity", "index", "comdty"].contains(String(decoding: last, as: UTF8.self)) {
            parts.removeLast()
        }
        return parts.isEmpty || parts.count > 4 ? nil : (parts, isSpaced)
    }
}

extension SearchQuery.Code {
    /// Digits of Hong Kong without the zeros before them, as the index has them besides the five digits.
    var short: [UInt8]? {
        guard key.count <= 5, key.first == 0x30, key.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let short = Array(key.drop { $0 == 0x30 })
        return short.isEmpty ? nil : short
    }
}
