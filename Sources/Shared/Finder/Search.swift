/// One search: the classes of `SearchHit.Rank` from the best on, each by its own table, until there are enough.
struct Search {
    let index: SearchIndex
    let query: SearchQuery
    let limit: Int

    private var names: SearchText { index[.names] }

    /// What a class has found, in parts of which each is better than the next.
    private struct Gathering {
        var taken: Set<UInt32>
        var room: Int
        var parts: [TopRows.Found] = []

        mutating func part(_ body: (inout TopRows) -> Void) {
            guard room > 0 else { return }
            var top = TopRows(most: room, excluding: taken)
            body(&top)
            parts += top.found
            taken.formUnion(top.found.map(\.row))
            room -= top.found.count
        }
    }

    func run(_ file: RawSpan) -> [SearchHit] {
        var best = Gathering(taken: [], room: limit)
        codes(&best, file)
        var beginnings = Gathering(taken: best.taken, room: best.room)
        codePrefixes(&beginnings, file)
        // The beginnings of codes have half of the places at most where anything else is found: `ch` is many tickers, and 长和 too.
        let reserved = min(beginnings.parts.count, max(1, best.room / 2))
        var hits: [(found: TopRows.Found, rank: SearchHit.Rank)] = []
        var rest = Gathering(taken: beginnings.taken, room: best.room - reserved)
        for rank in SearchHit.Rank.allCases where rank > .codePrefix && rest.room > 0 {
            // A query that finds a code or words is not mistyped.
            if rank == .typo, !beginnings.taken.isEmpty || hits.contains(where: { $0.rank < .pinyinInside }) { break }
            rest.parts = []
            find(rank, &rest, file)
            hits += rest.parts.map { ($0, rank) }
        }
        let shown = beginnings.parts.prefix(best.room - hits.count)
        return best.parts.map { index.hit($0, .code, file) } + shown.map { index.hit($0, .codePrefix, file) }
            + hits.map { index.hit($0.found, $0.rank, file) }
    }

    private func find(_ rank: SearchHit.Rank, _ into: inout Gathering, _ file: RawSpan) {
        switch rank {
        case .code, .codePrefix: break
        case .name: into.part { take(query.folded + [0], names, names.starts, .name, &$0, file) }
        case .pinyin:
            pinyin(&into, file)
            if let mixed = query.mixed { into.part { MixedSearch(index: index, wanted: mixed).run(fromStart: true, &$0, file) } }
        case .namePrefix: into.part { take(query.folded, names, names.starts, .name, &$0, file) }
        case .word:
            into.part { take(query.folded, names, names.words, .name, &$0, file) }
            if query.words.count > 1 { into.part { WordSearch(index: index, words: query.words).run(&$0, file) } }
        case .pinyinInside:
            if let letters = query.letters, letters.count > 1 {
                into.part {
                    take(letters, index[.pinyin], index[.pinyin].words, .pinyin, &$0, file)
                    take(letters, index[.initials], index[.initials].words, .initials, &$0, file)
                }
            }
            if let mixed = query.mixed { into.part { MixedSearch(index: index, wanted: mixed).run(fromStart: false, &$0, file) } }
        case .substring: into.part { take(query.folded, names, names.middles, .name, &$0, file) }
        case .abbreviation:
            guard let characters = query.characters else { return }
            let search = AbbreviationSearch(index: index, wanted: characters)
            for fromStart in [true, false] { into.part { search.run(fromStart: fromStart, &$0, file) } }
        case .typo:
            let typos = TypoSearch(index: index, words: query.words)
            for part in TypoSearch.Part.allCases { into.part { typos.run(part, &$0, file) } }
        }
    }

    /// Whole before beginning; as the words are read before other readings.
    private func pinyin(_ into: inout Gathering, _ file: RawSpan) {
        guard let letters = query.letters else { return }
        for key in [letters + [0], letters] {
            for (pinyin, initials) in [(index[.pinyin], index[.initials]), (index[.pinyinOther], index[.initialsOther])] {
                into.part {
                    take(key, pinyin, pinyin.starts, .pinyin, &$0, file)
                    take(key, initials, initials.starts, .initials, &$0, file)
                }
            }
        }
    }

    private func take(
        _ key: [UInt8], _ text: SearchText, _ table: SuffixTable, _ field: SearchHit.Field, _ top: inout TopRows, _ file: RawSpan
    ) {
        top.take(text.range(key, in: table, file), of: table, in: text, field, file)
    }

    private func codes(_ into: inout Gathering, _ file: RawSpan) {
        into.part { top in
            for code in query.codes {
                for key in [code.key, code.short].compactMap({ $0 }) { take(code, key + [0], &top, file) }
            }
        }
        into.part { top in
            for code in query.codes { take(code, code.key + [SearchKeys.joined, 0], &top, file) }
        }
    }

    private func codePrefixes(_ into: inout Gathering, _ file: RawSpan) {
        into.part { top in for code in query.codes { take(code, code.key, &top, file) } }
    }

    private func take(_ code: SearchQuery.Code, _ key: [UInt8], _ top: inout TopRows, _ file: RawSpan) {
        let codes = index[.codes]
        top.take(codes.range(key, in: codes.starts, file), of: codes.starts, in: codes, .code, file) { row in
            code.venue.isEmpty || index.venue(of: row, file).starts(with: code.venue)
        }
    }
}
