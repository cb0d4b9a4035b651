import Foundation

/// How Chinese names are read: ICU's reading of each character, the others of `Polyphones`, and its words.
struct Romanisation: Sendable {
    /// All readings of each character that was asked for, the usual one first; toneless, ü as v.
    private var readings: [UInt32: [String]] = [:]
    private let words: [[UInt32]: [String]]

    /// For the characters of these folded names, looked up at once: one call of ICU is dear.
    init(_ names: [[UInt8]]) {
        var characters = Set<UInt32>()
        for name in names {
            for scalar in String(decoding: name, as: UTF8.self).unicodeScalars where Folding.isHan(scalar.value) {
                characters.insert(scalar.value)
            }
        }
        words = Dictionary(
            Polyphones.words.map { (word, reading) in (word.unicodeScalars.map(\.value), reading) }, uniquingKeysWith: { first, _ in first }
        )
        let sorted = characters.sorted()
        let usual = Self.usual(sorted)
        for (character, reading) in zip(sorted, usual) {
            var all = Unicode.Scalar(character).flatMap { Polyphones.characters[String(Character($0))] } ?? []
            if !all.contains(reading), !reading.isEmpty { all.append(reading) }
            // Where a keyboard has no ü, both v and u are typed for it.
            for each in all where each.contains("v") {
                let other = each.replacing("v", with: "u")
                if !all.contains(other) { all.append(other) }
            }
            readings[character] = all
        }
    }

    /// Characters in order with all their readings.
    var table: [(character: UInt32, readings: [String])] { readings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The syllables of a folded name as its words are read, and all readings of each place; Latin letters and characters without a
    /// reading are no syllables. Nil where there is no Chinese in it.
    func syllables(_ name: [UInt8]) -> (usual: [String], all: [[String]])? {
        let characters = String(decoding: name, as: UTF8.self).unicodeScalars.map(\.value)
            .filter { readings[$0]?.isEmpty == false }
        guard !characters.isEmpty else { return nil }
        var usual = characters.map { readings[$0]?.first ?? "" }
        var all = characters.map { readings[$0] ?? [] }
        var place = 0
        while place < characters.count {
            let longest = min(Polyphones.longestWord, characters.count - place)
            let found = stride(from: longest, to: 1, by: -1).lazy
                .compactMap { words[Array(characters[place..<place + $0])] }.first
            guard let found else {
                place += 1
                continue
            }
            for (offset, syllable) in found.enumerated() {
                usual[place + offset] = syllable
                if !all[place + offset].contains(syllable) { all[place + offset].append(syllable) }
            }
            // Words overlap by a character at times (建设银行 行业); the first one has the say.
            place += found.count
        }
        return (usual, all)
    }

    /// Sequences of readings other than the usual one, at most so many: those that differ in one place come before those in several.
    static func others(_ usual: [String], _ all: [[String]], most: Int) -> [[String]] {
        var found: [[String]] = [usual]
        var seen: Set<[String]> = [usual]
        var next = 0
        while next < found.count, found.count <= most {
            let base = found[next]
            next += 1
            for place in base.indices {
                for reading in all[place] where reading != base[place] && found.count <= most {
                    var other = base
                    other[place] = reading
                    if seen.insert(other).inserted { found.append(other) }
                }
            }
        }
        return Array(found.dropFirst())
    }

    private static func usual(_ characters: [UInt32]) -> [String] {
        let text = characters.compactMap { Unicode.Scalar($0).map { String(Character($0)) } }.joined(separator: "\n")
        let toned = text.applyingTransform(StringTransform("Han-Latin; Lower; NFC"), reverse: false) ?? ""
        let lines = toned.split(separator: "\n", omittingEmptySubsequences: false)
        return characters.indices.map { place in
            guard place < lines.count else { return "" }
            return toneless(lines[place])
        }
    }

    private static func toneless(_ syllable: Substring) -> String {
        var plain = ""
        for scalar in syllable.unicodeScalars {
            switch scalar {
            case "a"..."z": plain.unicodeScalars.append(scalar)
            case "ā", "á", "ǎ", "à": plain += "a"
            case "ē", "é", "ě", "è", "ê": plain += "e"
            case "ī", "í", "ǐ", "ì": plain += "i"
            case "ō", "ó", "ǒ", "ò": plain += "o"
            case "ū", "ú", "ǔ", "ù": plain += "u"
            case "ü", "ǖ", "ǘ", "ǚ", "ǜ": plain += "v"
            case "ń", "ň", "ǹ": plain += "n"
            case "ḿ": plain += "m"
            default: return ""
            }
        }
        return plain
    }
}
