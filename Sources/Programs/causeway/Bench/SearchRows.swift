import Exact
import Finder
import Foundation
import Instruments
import Texts

/// 150,000 instruments: the real names of `Benchmarks/search-names.csv`, and more made of them by exchanging parts of two names.
struct SearchRows {
    let instruments: [Instrument]

    init(count: Int, seed: UInt64) throws {
        let real = try Self.real()
        var random = SeededNumbers(seed)
        let groups = Dictionary(grouping: real) { Group($0) }
        var codes = Set(real.map(\.code))
        var rows = real.prefix(count).map { $0 }
        while rows.count < count {
            let share = Int.random(in: 0..<100, using: &random)
            let group: Group = share < 38 ? .chinese : share < 62 ? .structured : .american
            guard let members = groups[group], let one = members.randomElement(using: &random),
                let other = members.randomElement(using: &random)
            else { throw Failure(.benchNeeds, .init("what", "Benchmarks/search-names.csv")) }
            let code = Self.code(group, &random)
            guard codes.insert(code).inserted else { continue }
            let names = one.names
            rows.append(
                Self.instrument(
                    UInt32(rows.count + 1), code, one.market, one.kind,
                    .init(
                        english: Self.words(names.english, other.names.english, &random),
                        simplified: Self.halves(names.simplified, other.names.simplified),
                        traditional: Self.halves(names.traditional, other.names.traditional))))
        }
        instruments = rows
    }

    private enum Group: Hashable {
        case chinese, structured, american

        init(_ instrument: Instrument) {
            self =
                instrument.market != .xhkg
                ? .american : instrument.kind == .structured || instrument.kind == .debt ? .structured : .chinese
        }
    }

    private static func code(_ group: Group, _ random: inout SeededNumbers) -> String {
        guard group == .american else {
            let number = String(Int.random(in: 1..<100_000, using: &random))
            return String(repeating: "0", count: 5 - number.count) + number
        }
        return String(
            (0..<Int.random(in: 3...5, using: &random)).compactMap { _ in "ABCDEFGHIJKLMNOPQRSTUVWXYZ".randomElement(using: &random) })
    }

    /// The first word of one name before the rest of the other, or one word exchanged.
    private static func words(_ one: String, _ other: String, _ random: inout SeededNumbers) -> String {
        var words = one.split(separator: " ")
        let others = other.split(separator: " ")
        guard let taken = others.randomElement(using: &random), !words.isEmpty else { return one }
        words[Int.random(in: 0..<words.count, using: &random)] = taken
        return words.joined(separator: " ")
    }

    private static func halves(_ one: String, _ other: String) -> String {
        guard one.count > 2, other.count > 2 else { return one }
        return String(one.prefix(2) + other.dropFirst(2))
    }

    static func real() throws -> [Instrument] {
        let columns = ["code", "market", "kind", "name_en", "name_zh_hans", "name_zh_hant"]
        let table = try CSVTable(path: try CodecPeer.sources() + "/Benchmarks/search-names.csv", required: columns)
        return try table.rows.enumerated().map { place, row in
            let fields = row.fields.map(String.init)
            guard let market = Market(rawValue: fields[1]), let kind = Instrument.Kind(rawValue: fields[2]) else {
                throw DataFault(file: table.file, line: row.line, reason: "names an unknown market or kind")
            }
            return instrument(
                UInt32(place + 1), fields[0], market, kind,
                .init(english: fields[3], simplified: fields[4], traditional: fields[5].isEmpty ? fields[4] : fields[5]))
        }
    }

    private static func instrument(
        _ id: UInt32, _ code: String, _ market: Market, _ kind: Instrument.Kind, _ names: Instrument.Names
    ) -> Instrument {
        let short = market == .xhkg ? String(code.drop { $0 == "0" }) : code
        return Instrument(
            id: InstrumentID(id), market: market, code: code, symbol: short + "." + market.suffix, kind: kind,
            currency: market == .xhkg ? .hkd : .usd, names: names, lot: Quantity(units: 100_000_000), multiplier: 1, decimals: 2,
            tickTable: market.suffix)
    }
}

/// Xorshift: the same numbers for the same seed, everywhere.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// What people type, by form, drawn from the rows.
struct SearchQueries {
    enum Form: String, CaseIterable {
        case code, codePrefix, word, phrase, englishInside, typo, twoCharacters, characters, traditional, pinyin, initials, otherReading,
            mixed

        /// Whether a trigram index can answer it.
        var isForTrigrams: Bool {
            switch self {
            case .code, .codePrefix, .word, .phrase, .englishInside, .characters, .traditional, .pinyin, .initials: true
            case .typo, .twoCharacters, .otherReading, .mixed: false
            }
        }
    }

    private(set) var all: [(form: Form, text: String)] = []

    init(_ rows: [Instrument], _ forms: [SearchForms], perForm: Int, seed: UInt64) {
        var random = SeededNumbers(seed)
        for form in Form.allCases {
            var count = 0
            while count < perForm {
                let place = Int.random(in: 0..<rows.count, using: &random)
                guard let text = Self.query(form, rows[place], forms[place], &random) else { continue }
                if form.isForTrigrams, text.count < 3 { continue }
                all.append((form, text))
                count += 1
            }
        }
    }

    private static func query(_ form: Form, _ row: Instrument, _ forms: SearchForms, _ random: inout SeededNumbers) -> String? {
        func prefix(_ text: String, _ counts: ClosedRange<Int>) -> String {
            String(text.prefix(Int.random(in: counts, using: &random))).trimmingCharacters(in: .whitespaces)
        }
        let words = row.names.english.split(separator: " ").map(String.init).filter { $0.allSatisfy { $0.isASCII && $0.isLetter } }
        switch form {
        case .code: return row.code
        case .codePrefix: return prefix(row.code, 3...4)
        case .word: return words.randomElement(using: &random).map { prefix($0, 3...10) }
        case .phrase: return words.count > 2 ? prefix(row.names.english, 8...24).replacing("\"", with: "") : nil
        case .englishInside:
            return words.filter { $0.count > 5 }.randomElement(using: &random).map { prefix(String($0.dropFirst(2)), 3...6) }
        case .typo:
            return words.filter { $0.count > 5 }.randomElement(using: &random).map { word in
                var letters = Array(word)
                letters.swapAt(1, 2)
                return String(letters)
            }
        case .twoCharacters:
            return row.names.simplified.count > 3
                ? String(row.names.simplified.dropFirst(Bool.random(using: &random) ? 0 : 2).prefix(2)) : nil
        case .characters: return row.names.simplified.count > 3 ? prefix(row.names.simplified, 3...4) : nil
        case .traditional: return row.names.traditional.count > 3 ? prefix(row.names.traditional, 3...4) : nil
        case .pinyin: return forms.pinyin.first.map { prefix($0, 3...14) }
        case .initials: return forms.initials.first
        case .otherReading: return forms.pinyinOther.randomElement(using: &random)
        case .mixed:
            return row.names.simplified.first.flatMap { first in
                forms.pinyin.first.map { _ in String(first) + (forms.initials.first ?? "").dropFirst() }
            }
        }
    }
}
