/// One text of an index while it is made: keys of all rows, and where a key, a word in it and anything else in it begins.
struct TextBuilder {
    /// What of a key can be found by its beginning.
    enum Inside {
        /// Only the whole key.
        case whole
        /// Words, and every other place for what stands in the middle of words.
        case name
        /// Every letter.
        case letters
    }

    private var text: [UInt8] = []
    private var offsets: [UInt32] = []
    private var starts: [UInt32] = []
    private var words: [UInt32] = []
    private var middles: [UInt32] = []
    private var isSorted = false

    mutating func beginRow() { offsets.append(UInt32(text.count)) }

    mutating func add(_ key: [UInt8], _ inside: Inside) {
        guard !key.isEmpty else { return }
        let base = UInt32(text.count)
        starts.append(base)
        switch inside {
        case .whole: break
        case .letters: words += key.indices.dropFirst().map { base + UInt32($0) }
        case .name:
            // The first word is a word too: typing errors are sought among words.
            if Self.isLetter(key[0]) { words.append(base) }
            for place in key.indices.dropFirst() where key[place] & 0xC0 != 0x80 && key[place] != 0x20 {
                if Self.isLetter(key[place]), !Self.isLetter(key[place - 1]) {
                    words.append(base + UInt32(place))
                } else {
                    middles.append(base + UInt32(place))
                }
            }
        }
        text += key + [0]
    }

    /// Syllables: each but the first begins a word.
    mutating func add(_ syllables: [String]) {
        starts.append(UInt32(text.count))
        for (place, syllable) in syllables.enumerated() {
            if place > 0 { words.append(UInt32(text.count)) }
            text += Array(syllable.utf8)
        }
        text.append(0)
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }

    /// The places words begin, by what follows from there.
    mutating func sortedWords() -> [UInt32] {
        if !isSorted { (words, isSorted) = (sorted(words), true) }
        return words
    }

    /// Each different word once, in order: where it stands in the text, and its first place among the sorted words.
    mutating func vocabulary() -> [(position: UInt32, start: UInt32)] {
        var found: [(position: UInt32, start: UInt32)] = []
        for (place, position) in sortedWords().enumerated() {
            if let last = found.last, word(at: last.position) == word(at: position) { continue }
            found.append((position, UInt32(place)))
        }
        return found
    }

    mutating func write(_ file: inout FileWriter) {
        file.bytes(text)
        file.numbers(offsets + [UInt32(text.count)])
        file.numbers(coarse())
        for positions in [sorted(starts), sortedWords(), sorted(middles)] {
            file.numbers(positions)
            file.numbers(minima(positions))
        }
    }

    private func word(at position: UInt32) -> ArraySlice<UInt8> { text[Int(position)...].prefix(while: Self.isLetter) }

    /// The row that has the first byte of each stride.
    private func coarse() -> [UInt32] {
        var rows: [UInt32] = []
        var row = 0
        for begin in Swift.stride(from: 0, through: text.count, by: SearchLayout.stride) {
            while row + 1 < offsets.count, offsets[row + 1] <= begin { row += 1 }
            rows.append(UInt32(row))
        }
        return rows
    }

    private func minima(_ positions: [UInt32]) -> [UInt32] {
        Swift.stride(from: 0, to: positions.count, by: SearchLayout.block).map { begin in
            positions[begin..<min(begin + SearchLayout.block, positions.count)].reduce(.max) { min($0, $1) }
        }
    }

    /// By the bytes up to the end of the key, then by position.
    private func sorted(_ positions: [UInt32]) -> [UInt32] {
        var entries = positions.map { (head: head(at: Int($0)), position: $0) }
        text.withUnsafeBufferPointer { text in
            entries.sort { a, b in
                if a.head != b.head { return a.head < b.head }
                // A zero in the head: both keys have ended.
                guard a.head & 0xFF != 0 else { return a.position < b.position }
                var (left, right) = (Int(a.position) + 8, Int(b.position) + 8)
                while text[left] == text[right], text[left] != 0 { (left, right) = (left + 1, right + 1) }
                return text[left] != text[right] ? text[left] < text[right] : a.position < b.position
            }
        }
        return entries.map(\.position)
    }

    /// The first eight bytes as one number, zeros from the end of the key on.
    private func head(at position: Int) -> UInt64 {
        var head: UInt64 = 0
        var place = position
        for _ in 0..<8 {
            let byte = text[place]
            head = head << 8 | UInt64(byte)
            if byte != 0 { place += 1 }
        }
        return head
    }
}
