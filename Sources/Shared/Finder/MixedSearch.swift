/// Chinese characters and pinyin in one query: `腾xun`, `中国yd`, `zg移动`. Each run of letters spells the characters it stands for, each of
/// them by its reading or by the beginning of one.
struct MixedSearch {
    let index: SearchIndex
    let pieces: [SearchQuery.Piece]

    private var names: SearchText { index[.names] }

    /// From the first character of a name, or from any.
    func run(fromStart: Bool, _ top: inout TopRows, _ file: RawSpan) {
        let key = longestRun
        for table in [names.starts, names.middles] {
            top.take(names.range(key, in: table, file), of: table, in: names, .mixed, file) { row in
                matches(Int(row), fromStart: fromStart, file)
            }
        }
    }

    /// The longest run of Chinese characters: the names that have it are the ones to look at.
    private var longestRun: [UInt8] {
        var (longest, run): ([UInt8], [UInt8]) = ([], [])
        for piece in pieces {
            if case .han(let character) = piece { Folding.append(character, to: &run) } else { run = [] }
            if run.count > longest.count { longest = run }
        }
        return longest
    }

    private func matches(_ row: Int, fromStart: Bool, _ file: RawSpan) -> Bool {
        var name: [UInt8] = []
        for place in names.keys(of: row, file) {
            let byte = names.text.byte(place, file)
            if byte != 0 {
                name.append(byte)
                continue
            }
            let characters = String(decoding: name, as: UTF8.self).unicodeScalars.map(\.value)
            let begins = fromStart ? 0..<min(1, characters.count) : 0..<characters.count
            if begins.contains(where: { spells(pieces[...], characters[$0...], file) }) { return true }
            name = []
        }
        return false
    }

    private func spells(_ pieces: ArraySlice<SearchQuery.Piece>, _ characters: ArraySlice<UInt32>, _ file: RawSpan) -> Bool {
        guard let piece = pieces.first else { return true }
        guard let character = characters.first else { return false }
        switch piece {
        case .han(let wanted): return wanted == character && spells(pieces.dropFirst(), characters.dropFirst(), file)
        case .letters(let letters): return spell(letters[...], pieces.dropFirst(), characters, file)
        }
    }

    private func spell(
        _ letters: ArraySlice<UInt8>, _ rest: ArraySlice<SearchQuery.Piece>, _ characters: ArraySlice<UInt32>, _ file: RawSpan
    ) -> Bool {
        if letters.isEmpty { return spells(rest, characters, file) }
        guard let character = characters.first else { return false }
        for reading in readings(of: character, file) {
            let same = zip(letters, reading).prefix { $0 == $1 }.count
            for taken in stride(from: same, to: 0, by: -1)
            where spell(letters.dropFirst(taken), rest, characters.dropFirst(), file) { return true }
        }
        return false
    }

    /// A Latin letter in a name reads as itself.
    private func readings(of character: UInt32, _ file: RawSpan) -> [[UInt8]] {
        if character < 0x80 { return [[UInt8(character)]] }
        let (characters, offsets) = (index.tables[SearchLayout.Table.readingCharacters], index.tables[SearchLayout.Table.readingOffsets])
        let place = characters.first(0..<characters.count, file) { $0 >= character }
        guard place < characters.count, characters.number(place, file) == character else { return [] }
        let text = index.tables[SearchLayout.Table.readingText]
        var readings: [[UInt8]] = []
        var begin = Int(offsets.number(place, file))
        while begin < Int(offsets.number(place + 1, file)) {
            let reading = text.text(at: begin, file)
            readings.append(reading)
            begin += reading.count + 1
        }
        return readings
    }
}
