/// Chinese characters that stand in a name in their order, with others between, as people shorten names: 恒指, 港交所, 建行.
struct AbbreviationSearch {
    private let names: SearchText
    private let wanted: [UInt32]

    init(index: SearchIndex, wanted: [UInt32]) {
        names = index[.names]
        self.wanted = wanted
    }

    /// From the first character of a name, or from a later one.
    func run(fromStart: Bool, _ top: inout TopRows, _ file: RawSpan) {
        var first: [UInt8] = []
        for value in wanted.prefix(1) { Folding.append(value, to: &first) }
        let table = fromStart ? names.starts : names.middles
        top.take(names.range(first, in: table, file), of: table, in: names, .name, file, at: { holds(at: Int($0), file) })
    }

    private func holds(at place: Int, _ file: RawSpan) -> Bool {
        var (place, next) = (place, 0)
        while next < wanted.count {
            let (character, size) = names.text.character(at: place, file)
            if character == 0 { return false }
            if character == wanted[next] { next += 1 }
            place += size
        }
        return true
    }
}
