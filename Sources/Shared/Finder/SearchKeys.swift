import Instruments

/// What one instrument is found by, in folded form. The index is made of these, and the slow search of the tests walks them.
struct SearchKeys: Sendable {
    /// The code with dots for any separator, and without its leading zeros where Hong Kong writes some. What ends in `joined` is the code
    /// with its separators left out.
    var codes: [[UInt8]]
    /// Whole names; each is followed by its core where that is shorter: `apple inc` by `apple`, `腾讯控股` by `腾讯`.
    var names: [Name] = []
    /// Syllables as the words are read.
    var pinyin: [[String]] = []
    /// Other readings of the same characters.
    var pinyinOther: [[String]] = []
    var initials: [[UInt8]] = []
    var initialsOther: [[UInt8]] = []

    struct Name: Hashable, Sendable {
        var text: [UInt8]
        var isCore = false
    }

    /// Behind a code without its separators, so that `ABC` is nearer to ABC than to AB.C.
    static let joined: UInt8 = 1
    /// Other readings of a name that are indexed, at most.
    static let mostReadings = 16

    init(_ instrument: Instrument, _ names: Folded, _ romanisation: Romanisation) {
        codes = Self.codes(instrument)
        for (text, core) in [(names.english, Self.englishCore(names.english))] + names.chinese.map({ ($0, Self.chineseCore($0)) }) {
            guard !text.isEmpty, !self.names.contains(where: { $0.text == text }) else { continue }
            self.names.append(Name(text: text))
            if core != text, !core.isEmpty { self.names.append(Name(text: core, isCore: true)) }
        }
        for name in names.chinese {
            guard let (usual, all) = romanisation.syllables(name), !pinyin.contains(usual) else { continue }
            pinyin.append(usual)
            pinyinOther += Romanisation.others(usual, all, most: Self.mostReadings)
            let first = usual.map { String($0.prefix(1)) }
            initials.append(Array(first.joined().utf8))
            let firsts = all.map { readings in Array(Set(readings.map { String($0.prefix(1)) })).sorted() }
            initialsOther += Romanisation.others(first, firsts, most: Self.mostReadings).map { Array($0.joined().utf8) }
        }
    }

    /// An instrument's names, folded.
    struct Folded {
        var english: [UInt8]
        /// Simplified, and traditional where folding leaves a difference.
        var chinese: [[UInt8]]

        init(_ names: Instrument.Names, _ folding: Folding) {
            english = folding.fold(names.english.prefix(SearchIndexBuilder.longestName))
            chinese = [folding.fold(names.simplified.prefix(SearchIndexBuilder.longestName))]
            let traditional = folding.fold(names.traditional.prefix(SearchIndexBuilder.longestName))
            if traditional != chinese[0] { chinese.append(traditional) }
        }
    }

    private static func codes(_ instrument: Instrument) -> [[UInt8]] {
        var parts: [[UInt8]] = [[]]
        for byte in instrument.code.utf8 {
            switch byte {
            case 0x30...0x39, 0x61...0x7A: parts[parts.count - 1].append(byte)
            case 0x41...0x5A: parts[parts.count - 1].append(byte + 0x20)
            default: parts.append([])
            }
        }
        parts.removeAll(where: \.isEmpty)
        guard let first = parts.first else { return [] }
        if parts.count > 1 { return [Array(parts.joined(separator: [0x2E])), Array(parts.joined()) + [joined]] }
        let isNumber = first.allSatisfy { (0x30...0x39).contains($0) }
        guard isNumber, instrument.market.suffix == "HK", first.first == 0x30 else { return [first] }
        let short = Array(first.drop { $0 == 0x30 })
        return short.isEmpty ? [first] : [first, short]
    }

    private static let generic: Set<String> = [
        "ads", "adr", "ag", "american", "class", "co", "common", "companies", "company", "corp", "corporation", "depositary", "depository",
        "group", "holding", "holdings", "inc", "incorporated", "limited", "ltd", "nv", "ordinary", "plc", "receipt", "receipts", "sa", "se",
        "share", "shares", "stock", "the",
    ]

    /// Without `the` before it and the words of its legal form and share class behind it.
    private static func englishCore(_ name: [UInt8]) -> [UInt8] {
        var words = name.split(separator: 0x20)
        func text(_ place: Int) -> String { String(decoding: words[place], as: UTF8.self) }
        if words.count > 1, text(0) == "the" { words.removeFirst() }
        while words.count > 1 {
            let last = text(words.count - 1)
            if generic.contains(last) {
                words.removeLast()
            } else if words.count > 2, last.utf8.count == 1, text(words.count - 2) == "class" {
                words.removeLast(2)
            } else {
                break
            }
        }
        return Array(words.joined(separator: [0x20]))
    }

    private static let chineseForms = ["有限公司", "控股", "集团", "股份"].map { Array($0.utf8) }

    /// Without the mark of its voting rights (`w`, `s`, `b`, `sw`) and the words of its legal form.
    private static func chineseCore(_ name: [UInt8]) -> [UInt8] {
        var rest = name[...]
        let marked = rest.reversed().prefix { (0x61...0x7A).contains($0) }.count
        if marked <= 2, marked < rest.count { rest = rest.dropLast(marked) }
        while let form = chineseForms.first(where: { rest.count > $0.count + 2 && rest.suffix($0.count).elementsEqual($0) }) {
            rest = rest.dropLast(form.count)
        }
        return Array(rest)
    }
}
