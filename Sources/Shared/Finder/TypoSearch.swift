/// One wrong letter in a word: one too many, one missing, one in place of another, two exchanged. Shorter words have too many neighbours.
enum Typo {
    static func isFit(_ word: [UInt8]) -> Bool { word.count >= 4 && word.allSatisfy(SearchQuery.isLetter) }

    /// Whether a beginning of `letters` is `word` but for one letter, or just so. Where they part is where the wrong letter is.
    static func isBeginning(_ word: [UInt8], of letters: [UInt8]) -> Bool {
        var same = 0
        while same < word.count, same < letters.count, word[same] == letters[same] { same += 1 }
        if same == word.count { return true }
        let (wrong, right) = (word[same...], letters[same...])
        if right.starts(with: wrong.dropFirst()) { return true }
        guard let replaced = right.first else { return false }
        if right.dropFirst().starts(with: wrong.dropFirst()) || right.dropFirst().starts(with: wrong) { return true }
        return wrong.count > 1 && right.count > 1 && wrong[same + 1] == replaced && wrong[same] == right[same + 1]
            && right.dropFirst(2).starts(with: wrong.dropFirst(2))
    }

    /// Whether `letters` as a whole is `word` but for one letter, or just so.
    static func isWhole(_ word: [UInt8], of letters: [UInt8]) -> Bool {
        // With an end behind both that no letter can stand for, a beginning that reaches it is the whole.
        letters.count <= word.count + 1 && isBeginning(word + [0], of: letters + [0])
    }
}

/// Rows in whose names words begin as the query's do, one of them but for one letter.
struct TypoSearch {
    let index: SearchIndex
    let words: [[UInt8]]

    private var names: SearchText { index[.names] }

    /// What is looked at in turn.
    enum Part: CaseIterable {
        /// Whole words as long as the one typed: two letters exchanged or one wrong, `appel` for Apple.
        case sameLength
        case whole
        case beginning
    }

    /// One word is sought among whole words first, then among their beginnings; several words in one go.
    func run(_ part: Part, _ top: inout TopRows, _ file: RawSpan) {
        guard words.contains(where: Typo.isFit) else { return }
        if words.count == 1 {
            for (range, depth) in near(words[0], file) where part != .sameLength || depth == words[0].count {
                for ended in part == .beginning ? [range] : Self.ended(range, depth, self, file) { take(ended, &top, file) }
            }
        } else if part == .beginning {
            let ranges = words.map { word in
                [names.range(word, in: names.words, file)] + (Typo.isFit(word) ? near(word, file).map { places($0.range, file) } : [])
            }
            func size(_ ranges: [Range<Int>]) -> Int { ranges.reduce(0) { $0 + $1.count } }
            guard let rarest = ranges.min(by: { size($0) < size($1) }) else { return }
            for range in rarest {
                top.take(range, of: names.words, in: names, .name, file) { row in
                    NameWords(index, row, file).contains(words, typos: 1, file)
                }
            }
        }
    }

    private func take(_ range: Range<Int>, _ top: inout TopRows, _ file: RawSpan) {
        top.take(places(range, file), of: names.words, in: names, .name, file)
    }

    /// From words of the vocabulary to places among all words.
    private func places(_ range: Range<Int>, _ file: RawSpan) -> Range<Int> {
        let starts = index.vocabulary.starts
        return Int(
            starts.number(range.lowerBound, file))..<max(
                Int(starts.number(range.lowerBound, file)), Int(starts.number(range.upperBound, file)))
    }

    /// Words of the vocabulary that begin with the word but for one letter, and how many of their letters that is.
    private func near(_ word: [UInt8], _ file: RawSpan) -> [(range: Range<Int>, depth: Int)] {
        var found: [(range: Range<Int>, depth: Int)] = []
        func add(_ range: Range<Int>, _ depth: Int, _ rest: ArraySlice<UInt8>) {
            let end = narrowed(range, depth, rest, file)
            if !end.isEmpty { found.append((end, depth + rest.count)) }
        }
        var range = 0..<index.vocabulary.positions.count
        for place in word.indices where !range.isEmpty {
            let rest = word[place...]
            add(range, place, rest.dropFirst())
            if rest.count > 1 { add(range, place, [word[place + 1], word[place]] + rest.dropFirst(2)) }
            var next = range.lowerBound
            while next < range.upperBound {
                let letter = byte(next, place, file)
                let child = next..<end(of: letter, next..<range.upperBound, place, file)
                next = child.upperBound
                guard TextBuilder.isLetter(letter), letter != word[place] else { continue }
                add(child, place + 1, rest.dropFirst())
                add(child, place + 1, rest)
            }
            range = narrowed(range, place, [word[place]], file)
        }
        return found
    }

    /// Those of a range that have these bytes from a depth on; all of it have the same bytes before.
    private func narrowed(_ range: Range<Int>, _ depth: Int, _ bytes: ArraySlice<UInt8>, _ file: RawSpan) -> Range<Int> {
        var range = range
        for (offset, wanted) in bytes.enumerated() {
            if range.isEmpty { return range }
            let low = first(range, depth + offset, file) { $0 >= wanted }
            range = low..<first(low..<range.upperBound, depth + offset, file) { $0 > wanted }
        }
        return range
    }

    /// Those of a range whose word ends at a depth: no letter follows.
    private static func ended(_ range: Range<Int>, _ depth: Int, _ search: Self, _ file: RawSpan) -> [Range<Int>] {
        let before = search.first(range, depth, file) { $0 >= 0x30 }
        let after = search.first(before..<range.upperBound, depth, file) { $0 > 0x7A }
        return [range.lowerBound..<before, after..<range.upperBound].filter { !$0.isEmpty }
    }

    private func end(of letter: UInt8, _ range: Range<Int>, _ depth: Int, _ file: RawSpan) -> Int {
        first(range, depth, file) { $0 > letter }
    }

    private func first(_ range: Range<Int>, _ depth: Int, _ file: RawSpan, where isPast: (UInt8) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isPast(byte(middle, depth, file)) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func byte(_ place: Int, _ depth: Int, _ file: RawSpan) -> UInt8 {
        // In a table that is not in order a depth may lead past the end.
        let place = Int(index.vocabulary.positions.number(place, file)) + depth
        return place < names.text.size ? names.text.byte(place, file) : 0
    }
}
