import Instruments

@testable import Finder

/// The rules of a search once more, row by row and without any table: for each row the best class it belongs to.
struct SlowSearch: Sendable {
    struct Row: Sendable {
        var id: InstrumentID
        var symbol: String
        var venue: [UInt8]
        var keys: SearchKeys
    }

    let rows: [Row]
    let romanisation: Romanisation
    let folding: Folding

    init(_ instruments: [Instrument]) {
        let folding = FoldingTable().folding
        let ordered = SearchIndexBuilder.ordered(instruments, [:])
        let romanisation = Romanisation(ordered.flatMap { SearchKeys.Folded($0.names, folding).chinese })
        rows = ordered.map {
            Row(
                id: $0.id, symbol: $0.symbol, venue: Array($0.market.suffix.lowercased().utf8),
                keys: SearchKeys($0, SearchKeys.Folded($0.names, folding), romanisation))
        }
        self.romanisation = romanisation
        self.folding = folding
    }

    /// Class, then part of it; nil where the row does not match.
    private typealias Place = (rank: SearchHit.Rank, part: Int)

    func search(_ text: String, limit: Int) -> [(id: InstrumentID, rank: SearchHit.Rank)] {
        let query = SearchQuery(text, folded: folding.fold(text))
        let codes = rows.map { code($0.keys, $0.venue, query) }
        let best = sorted(codes) { $0.rank == .code }.prefix(limit)
        let room = limit - best.count
        let beginnings = sorted(codes) { $0.rank == .codePrefix }.prefix(room)
        let taken = Set(best + beginnings)
        let others = rows.indices.map { taken.contains($0) ? nil : name(rows[$0].keys, query) }
        let reserved = min(beginnings.count, max(1, room / 2))
        var found = sorted(others) { $0.rank < .typo }
        if taken.isEmpty, !found.prefix(max(0, room - reserved)).contains(where: { (others[$0]?.rank ?? .typo) < .pinyinInside }) {
            found += sorted(others.indices.map { others[$0] == nil ? typo(rows[$0].keys, query) : nil }) { _ in true }
        }
        let shown = found.prefix(max(0, room - reserved))
        func tell(_ row: Int) -> (InstrumentID, SearchHit.Rank) { (rows[row].id, codes[row]?.rank ?? .code) }
        return best.map(tell) + beginnings.prefix(room - shown.count).map(tell) + shown.map { (rows[$0].id, others[$0]?.rank ?? .typo) }
    }

    private func sorted(_ places: [Place?], where wanted: (Place) -> Bool) -> [Int] {
        places.indices.filter { places[$0].map(wanted) ?? false }.sorted { a, b in
            guard let left = places[a], let right = places[b] else { return a < b }
            return (left.rank, left.part, a) < (right.rank, right.part, b)
        }
    }

    private func code(_ keys: SearchKeys, _ venue: [UInt8], _ query: SearchQuery) -> Place? {
        var best: Place?
        for form in query.codes where form.venue.isEmpty || venue.starts(with: form.venue) {
            if keys.codes.contains(form.key) || form.short.map(keys.codes.contains) == true { return (.code, 0) }
            if keys.codes.contains(form.key + [SearchKeys.joined]) {
                best = (.code, 1)
            } else if best == nil, keys.codes.contains(where: { $0.starts(with: form.key) }) {
                best = (.codePrefix, 0)
            }
        }
        return best
    }

    private func name(_ keys: SearchKeys, _ query: SearchQuery) -> Place? {
        let text = query.folded
        if keys.names.contains(where: { $0.text == text }) { return (.name, 0) }
        if let letters = query.letters {
            func joined(_ names: [[String]]) -> [[UInt8]] { names.map { Array($0.joined().utf8) } }
            let usual = joined(keys.pinyin) + keys.initials
            let others = joined(keys.pinyinOther) + keys.initialsOther
            if usual.contains(letters) { return (.pinyin, 0) }
            if others.contains(letters) { return (.pinyin, 1) }
            if usual.contains(where: { $0.starts(with: letters) }) { return (.pinyin, 2) }
            if others.contains(where: { $0.starts(with: letters) }) { return (.pinyin, 3) }
        }
        let names = keys.names.filter { !$0.isCore }.map(\.text)
        let characters = names.map { String(decoding: $0, as: UTF8.self).unicodeScalars.map(\.value) }
        if let mixed = query.mixed, characters.contains(where: { spells(mixed, $0) }) { return (.pinyin, 4) }
        if keys.names.contains(where: { $0.text.starts(with: text) }) { return (.namePrefix, 0) }
        let words = names.flatMap(Self.words)
        if words.contains(where: { $0.rest.starts(with: text) }) { return (.word, 0) }
        if query.words.count > 1, query.words.allSatisfy({ word in words.contains { $0.rest.starts(with: word) } }) { return (.word, 1) }
        if let letters = query.letters, letters.count > 1 {
            let syllables = keys.pinyin.flatMap { name in name.indices.map { Array(name[$0...].joined().utf8) } }
            let initials = keys.initials.flatMap { name in name.indices.map { Array(name[$0...]) } }
            if (syllables + initials).contains(where: { $0.starts(with: letters) }) { return (.pinyinInside, 0) }
        }
        if let mixed = query.mixed, characters.contains(where: { name in name.indices.contains { spells(mixed, Array(name[$0...])) } }) {
            return (.pinyinInside, 1)
        }
        func isInside(_ name: [UInt8]) -> Bool {
            name.indices.contains { name[$0] & 0xC0 != 0x80 && name[$0...].starts(with: text) }
        }
        if names.contains(where: isInside) { return (.substring, 0) }
        guard let wanted = query.characters else { return nil }
        let all = keys.names.map { String(decoding: $0.text, as: UTF8.self).unicodeScalars.map(\.value) }
        if all.contains(where: { $0.first == wanted[0] && isShortened($0, to: wanted) }) { return (.abbreviation, 0) }
        return all.contains { isShortened($0, to: wanted) } ? (.abbreviation, 1) : nil
    }

    private func isShortened(_ name: [UInt32], to wanted: [UInt32]) -> Bool {
        var left = wanted[...]
        for value in name where value == left.first { left.removeFirst() }
        return left.isEmpty
    }

    private func typo(_ keys: SearchKeys, _ query: SearchQuery) -> Place? {
        let words = keys.names.filter { !$0.isCore }.map(\.text).flatMap(Self.words).map(\.word)
        guard query.words.contains(where: Typo.isFit) else { return nil }
        if query.words.count == 1 {
            let word = query.words[0]
            if words.contains(where: { $0.count == word.count && near(word, $0) }) { return (.typo, 0) }
            if words.contains(where: { near(word, $0) }) { return (.typo, 1) }
            return words.contains { other in (0...other.count).contains { near(word, Array(other.prefix($0))) } } ? (.typo, 2) : nil
        }
        let wrong = query.words.filter { word in !words.contains { $0.starts(with: word) } }
        guard wrong.count <= 1 else { return nil }
        return wrong.allSatisfy { word in
            Typo.isFit(word) && words.contains { other in (0...other.count).contains { near(word, Array(other.prefix($0))) } }
        } ? (.typo, 1) : nil
    }

    private static func words(_ name: [UInt8]) -> [(word: [UInt8], rest: [UInt8])] {
        name.indices.filter { TextBuilder.isLetter(name[$0]) && ($0 == 0 || !TextBuilder.isLetter(name[$0 - 1])) }
            .map { (Array(name[$0...].prefix(while: TextBuilder.isLetter)), Array(name[$0...])) }
    }

    /// At most one letter too many, missing, wrong, or two neighbours exchanged.
    private func near(_ a: [UInt8], _ b: [UInt8]) -> Bool {
        if a == b { return true }
        if a.count == b.count {
            let wrong = a.indices.filter { a[$0] != b[$0] }
            if wrong.count == 1 { return true }
            return wrong.count == 2 && wrong[1] == wrong[0] + 1 && a[wrong[0]] == b[wrong[1]] && a[wrong[1]] == b[wrong[0]]
        }
        let (long, short) = a.count > b.count ? (a, b) : (b, a)
        guard long.count == short.count + 1 else { return false }
        return long.indices.contains { place in Array(long[..<place] + long[(place + 1)...]) == short }
    }

    private func spells(_ wanted: [UInt32], _ characters: [UInt32]) -> Bool {
        guard let first = wanted.first else { return true }
        guard let character = characters.first else { return false }
        let rest = Array(characters.dropFirst())
        if first >= 0x80 || character < 0x80 { return first == character && spells(Array(wanted.dropFirst()), rest) }
        let readings = romanisation.table.first { $0.character == character }?.readings ?? []
        return readings.map { $0.unicodeScalars.map(\.value) }.contains { reading in
            reading.indices.contains { end in
                wanted.starts(with: reading[...end]) && spells(Array(wanted.dropFirst(end + 1)), rest)
            }
        }
    }
}
