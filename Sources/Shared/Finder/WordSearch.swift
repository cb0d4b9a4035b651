/// Rows in whose names each of several words begins a word, in any order.
struct WordSearch {
    let index: SearchIndex
    let words: [[UInt8]]

    func run(_ top: inout TopRows, _ file: RawSpan) {
        let names = index[.names]
        let ranges = words.map { names.range($0, in: names.words, file) }
        // The rarest word says which rows to look at.
        guard let rarest = ranges.min(by: { $0.count < $1.count }), !rarest.isEmpty else { return }
        top.take(rarest, of: names.words, in: names, .name, file) { row in
            NameWords(index, row, file).contains(words, typos: 0, file)
        }
    }
}

/// The words of one row's names, read where they stand.
struct NameWords {
    private let text: SearchTable
    private let keys: Range<Int>

    init(_ index: SearchIndex, _ row: UInt32, _ file: borrowing RawSpan) {
        text = index[.names].text
        keys = index[.names].keys(of: Int(row), file)
    }

    /// Whether each of these words begins one of the row's, at most so many of them but for one letter.
    func contains(_ words: [[UInt8]], typos: Int, _ file: borrowing RawSpan) -> Bool {
        var left = typos
        for word in words {
            if has(word, file, isNear: false) { continue }
            guard left > 0, Typo.isFit(word), has(word, file, isNear: true) else { return false }
            left -= 1
        }
        return true
    }

    private func has(_ word: [UInt8], _ file: borrowing RawSpan, isNear: Bool) -> Bool {
        var isInside = false
        for place in keys {
            let isLetter = TextBuilder.isLetter(text.byte(place, file))
            if isLetter, !isInside, isNear ? near(word, at: place, file) : starts(with: word, at: place, file) { return true }
            isInside = isLetter
        }
        return false
    }

    private func starts(with word: [UInt8], at begin: Int, _ file: borrowing RawSpan) -> Bool {
        for offset in word.indices where text.byte(begin + offset, file) != word[offset] { return false }
        return true
    }

    private func near(_ word: [UInt8], at begin: Int, _ file: borrowing RawSpan) -> Bool {
        var letters: [UInt8] = []
        while letters.count <= word.count, TextBuilder.isLetter(text.byte(begin + letters.count, file)) {
            letters.append(text.byte(begin + letters.count, file))
        }
        return Typo.isBeginning(word, of: letters)
    }
}
