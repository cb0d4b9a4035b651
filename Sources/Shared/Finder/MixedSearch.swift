/// Chinese characters and pinyin in one query: `腾xun`, `中国yd`, `zg移动`. Each run of letters spells the characters it stands for, each of
/// them by its reading or by the beginning of one.
struct MixedSearch {
    private let index: SearchIndex
    /// Characters and letters one by one.
    private let wanted: [UInt32]
    /// The run of Chinese characters whose names are looked at: the first, where the query begins with one, else the longest.
    private let key: [UInt8]

    private var names: SearchText { index[.names] }

    init(index: SearchIndex, wanted: [UInt32]) {
        self.index = index
        self.wanted = wanted
        var runs: [[UInt8]] = [[]]
        for value in wanted {
            if value < 0x80 { runs.append([]) } else { Folding.append(value, to: &runs[runs.count - 1]) }
        }
        key = runs[0].isEmpty ? runs.reduce([]) { $1.count > $0.count ? $1 : $0 } : runs[0]
    }

    private var beginsWithRun: Bool { wanted.first.map { $0 >= 0x80 } ?? false }

    /// From the first character of a name, or from any.
    func run(fromStart: Bool, _ top: inout TopRows, _ file: RawSpan) {
        for table in fromStart && beginsWithRun ? [names.starts] : [names.starts, names.middles] {
            let range = names.range(key, in: table, file)
            if beginsWithRun {
                top.take(range, of: table, in: names, .mixed, file, at: { spells(0, at: Int($0), file) })
            } else {
                top.take(range, of: table, in: names, .mixed, file) { matches(Int($0), fromStart: fromStart, file) }
            }
        }
    }

    private func matches(_ row: Int, fromStart: Bool, _ file: RawSpan) -> Bool {
        var isStart = true
        for place in names.keys(of: row, file) {
            let byte = names.text.byte(place, file)
            if isStart || (!fromStart && byte != 0 && byte & 0xC0 != 0x80), spells(0, at: place, file) { return true }
            isStart = byte == 0
        }
        return false
    }

    /// Whether the text at a place reads as the query does from one of its characters on.
    private func spells(_ next: Int, at place: Int, _ file: RawSpan) -> Bool {
        guard next < wanted.count else { return true }
        let (character, size) = names.text.character(at: place, file)
        if character == 0 { return false }
        if wanted[next] >= 0x80 || character < 0x80 { return wanted[next] == character && spells(next + 1, at: place + size, file) }
        let (characters, offsets) = (index.tables[SearchLayout.Table.readingCharacters], index.tables[SearchLayout.Table.readingOffsets])
        let known = characters.first(0..<characters.count, file) { $0 >= character }
        guard known < characters.count, characters.number(known, file) == character else { return false }
        let text = index.tables[SearchLayout.Table.readingText]
        var begin = Int(offsets.number(known, file))
        let end = Int(offsets.number(known + 1, file))
        while begin < end {
            var same = 0
            while begin + same < end, next + same < wanted.count, wanted[next + same] == UInt32(text.byte(begin + same, file)) { same += 1 }
            for taken in stride(from: same, to: 0, by: -1) where spells(next + taken, at: place + size, file) { return true }
            while begin < end, text.byte(begin, file) != 0 { begin += 1 }
            begin += 1
        }
        return false
    }
}
